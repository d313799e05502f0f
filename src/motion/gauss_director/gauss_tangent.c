/* The derivative of a step by what is done to the ends, and by the state it starts from. docs/math/motion.md,
 * "Derivatives of a step".
 *
 * A direction is a change of the state, (dp0, dD0, dv0, dOmega0), and of the pushes or the paths of driven ends.
 * With y_m = dt dv_m, theta_m = dt domega_m the stages change by
 *
 *   dp_i = dp0 + sum_m a_im y_m,      dd_ki = dd_k0 + sum_m Q_im (domega_m x d_km + omega_m x dd_k0)            (10.35)
 *   deps_i = 2 S(q_0, dq_0) + dt sum_l a_il drate_l
 *
 * and the residuals of the step stay zero: A u = -r', where A is the matrix of the coupled iteration, factored once
 * for all directions, and r' the residuals' change with u = 0. The change of a residual is written out once more
 * here, for a whole direction; where loads depend on the configuration, whose tangents A knows only as far as the
 * laws tell them, it takes their differences, and the solution is refined until that change vanishes. */
#include "motion/gauss_director/gauss_step_tangent.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

/* What wy_gauss_tangent_follow is told of the start of the step, behind its strains without stress. */
enum { OLD_FORCE_USED, OLD_RAISES, OLD };

static size_t more_at(const wy_gauss *m) {
    return ROWS * m->row + m->elements * m->block;
}

/* The change of k_G (0) or k_H (1) of an element by that of c F, where the rule's force is F: it follows, unless it is
 * held between its own limits. */
static double stiffness_change(double *k, const wy_gauss *m, size_t e, int which, double F, double by) {
    double both[2];
    wy_gauss_stabilisation_of(both, m, e, F);
    *k = both[which];
    return *k < 0.3 * m->EA_least && (which == 0 ? *k == m->config->stabiliser * F : *k > 0.0) ? by : 0.0;
}

size_t wy_gauss_tangent_size(const wy_motion *rod) {
    const wy_gauss *m = rod->method_data;
    return wy_gauss_coupled_size(m) ? more_at(m) + MORE : 0;
}

/* Rest and hold of the step's start are kept too, for wy_gauss_tangent_follow. */
size_t wy_gauss_tangent_scratch(const wy_motion *rod) {
    const wy_gauss *m = rod->method_data;
    const size_t S = (size_t)m->time.S;
    return m->elements * m->block + OLD + S * (27 + 6 + 33) * m->row + 12 * S * m->nodes + 3 * m->row;
}

static wy_gauss_step_tangent step_tangent_of(wy_motion_tangent *tangent, const wy_motion *rod, const wy_gauss *m,
                                             const double *x, wy_gauss_work *w, double dt) {
    wy_gauss_step_tangent k = {.rod = rod,
                               .m = m,
                               .w = w,
                               .x = x,
                               .s = wy_gauss_reading_of(x, m),
                               .dt = dt,
                               .S = m->time.S,
                               .P = m->space.P,
                               .varies = w->loaded && !w->constant_loads};
    double *at = tangent->scratch + m->elements * m->block + OLD;
    k.shifted = *w;
    for (int i = 0; i < k.S; i++) {
        k.X[i] = at;
        k.V[i] = k.X[i] + 12 * m->row;
        k.omega[i] = k.V[i] + 12 * m->row;
        k.load[i] = k.omega[i] + 3 * m->row;
        k.shifted.X[i] = k.load[i] + 6 * m->row;
        k.shifted.V[i] = k.shifted.X[i] + 12 * m->row;
        k.shifted.w[i] = k.shifted.V[i] + 12 * m->row;
        k.shifted.load[i] = k.shifted.w[i] + 3 * m->row;
        at = k.shifted.load[i] + 6 * m->row;
    }
    k.u = at;
    k.r = k.u + 6 * (size_t)k.S * m->nodes;
    k.v0 = k.r + 6 * (size_t)k.S * m->nodes;
    k.shifted.v0 = k.v0;
    return k;
}

/* The stages' change by a direction and u. */
static void spread(wy_gauss_step_tangent *k, const double *change) {
    const wy_gauss *m = k->m;
    for (size_t j = 0; j < m->nodes; j++) {
        double start[12];
        wy_gauss_node_change node;
        wy_gauss_get(start, change, m, 12, j);
        wy_gauss_change_stages(&node, m, k->w, k->dt, j, start, k->u + 6 * (size_t)k->S * j);
        for (int i = 0; i < k->S; i++) {
            wy_gauss_put(k->X[i], node.X[i], m, 12, j);
            wy_gauss_put(k->V[i], node.V[i], m, 12, j);
            wy_gauss_put(k->omega[i], node.omega[i], m, 3, j);
        }
    }
}

wy_gauss_node_change wy_gauss_tangent_node(const wy_gauss_step_tangent *k, size_t j) {
    wy_gauss_node_change node;
    for (int i = 0; i < k->S; i++) {
        wy_gauss_get(node.X[i], k->X[i], k->m, 12, j);
        wy_gauss_get(node.V[i], k->V[i], k->m, 12, j);
        wy_gauss_get(node.omega[i], k->omega[i], k->m, 3, j);
    }
    return node;
}

/* ---- elements ---- */

/* How much stiffer G (0) or H (1) of an element becomes, relative to what it is. */
static double stiffening(const wy_gauss_step_tangent *k, const double *change, size_t e, int which) {
    double stiffness;
    const double by = stiffness_change(&stiffness, k->m, e, which, k->s.numbers[WY_GAUSS_FORCE_USED],
                                       change[more_at(k->m) + BY_RULE]);
    return stiffness > 0.0 ? by / stiffness : 0.0;
}

/* The bilinear form of H_1 or H_2 in two configurations' rows: (10.9). */
static double hourglass_form(const wy_gauss *m, const double *x, const double *y, size_t e, int q) {
    const int P = m->space.P;
    const size_t first = e * (size_t)P;
    double sx[NODES][3], sy[NODES][3];
    element_nodal_slopes(P, &m->space, x + first, m->row, sx);
    element_nodal_slopes(P, &m->space, y + first, m->row, sy);
    return element_hourglass_of(P, &m->space, x + first, m->row, sy, q) +
           element_hourglass_of(P, &m->space, y + first, m->row, sx, q);
}

/* The changes of an element's strains along a direction. */
static void change_strains(wy_gauss_element_change *c, wy_gauss_element *el, const wy_gauss_step_tangent *k,
                           const double *change, size_t e) {
    const wy_gauss *m = k->m;
    const double *rest = change + ROWS * m->row + e * m->block, *X[STAGES], *V[STAGES];
    const size_t first = e * (size_t)k->P;
    wy_gauss_take_element(el, m, k->w, k->dt, e);
    for (int i = 0; i < STAGES; i++) {
        X[i] = i < k->S ? k->X[i] + first : NULL;
        V[i] = i < k->S ? k->V[i] + first : NULL;
    }
    wy_gauss_change_rates(c, el, X, V, m->row, -1);
    for (int g = 0; g < k->P; g++) {
        element_point_fields q, dq;
        element_fields(k->P, &m->space, g, k->w->start + first, m->row, &q);
        element_fields(k->P, &m->space, g, change + first, m->row, &dq);
        element_rate_of(&q, &dq, c->start[g]);
    }
    for (int r = 0; r < 2; r++)
        c->start[k->P][r] = hourglass_form(m, k->w->start, change, e, r);
    for (int g = 0; g <= k->P; g++)
        for (size_t r = 0; r < (g == k->P ? 2 : 8); r++)
            c->start[g][r] -= rest[wy_element_at((size_t)k->P, (size_t)g, r)];
}

/* ---- loads ---- */

/* How large a direction is: displacements in lengths, turns, and both again by the velocities. */
static double size_of(const wy_gauss_step_tangent *k) {
    const wy_gauss *m = k->m;
    double most = 0.0;
    for (int i = 0; i < k->S; i++)
        for (size_t c = 0; c < 12; c++)
            for (size_t j = 0; j < m->nodes; j++) {
                const double scale = c < 3 ? 1.0 / m->length : 1.0;
                most = fmax(most, scale * fabs(k->X[i][c * m->row + j]));
                most = fmax(most, scale * k->dt * fabs(k->V[i][c * m->row + j]));
            }
    return most;
}

/* Changes of the loads at the stages: differences of their laws. */
static void change_loads(wy_gauss_step_tangent *k, const double *change) {
    const wy_gauss *m = k->m;
    const double size = size_of(k), e = size > 0.0 ? 1e-6 / size : 0.0;
    for (int i = 0; i < k->S; i++)
        memset(k->load[i], 0, 6 * m->row * sizeof *k->load[i]);
    for (int side = -1; e > 0.0 && side <= 1; side += 2) {
        for (int i = 0; i < k->S; i++) {
            for (size_t q = 0; q < 12 * m->row; q++) {
                k->shifted.X[i][q] = k->w->X[i][q] + side * e * k->X[i][q];
                k->shifted.V[i][q] = k->w->V[i][q] + side * e * k->V[i][q];
            }
            for (size_t q = 0; q < 3 * m->row; q++)
                k->shifted.w[i][q] = k->w->w[i][q] + side * e * k->omega[i][q];
        }
        for (size_t q = 0; q < 3 * m->row; q++)
            k->v0[q] = k->w->v0[q] + side * e * change[AT_V * m->row + q];
        for (int i = 0; i < k->S; i++) {
            wy_gauss_loads(k->rod, m, k->x, &k->shifted, i, k->x[WY_STATE_TIME] + m->time.c[i] * k->dt);
            for (size_t q = 0; q < 6 * m->row; q++)
                k->load[i][q] += side * k->shifted.load[i][q] / (2.0 * e);
        }
    }
}

/* ---- residuals ---- */

/* r += the change of the residuals of the nodes of one element by its gradients. */
static void add_element(double *r, const wy_gauss_step_tangent *k, const double *change, size_t e) {
    const wy_gauss *m = k->m;
    const size_t S6 = 6 * (size_t)k->S;
    const double stiffer[2] = {stiffening(k, change, e, 0), stiffening(k, change, e, 1)}, *X[STAGES] = {NULL};
    double F[STAGES][12][NODES];
    wy_gauss_element el;
    wy_gauss_element_change c;
    change_strains(&c, &el, k, change, e);
    for (int i = 0; i < k->S; i++)
        X[i] = k->X[i] + e * (size_t)k->P;
    wy_gauss_change_gradients(F, &c, &el, X, m->row, stiffer);
    for (int n = 0; n <= k->P; n++)
        for (int i = 0; i < k->S; i++) {
            const size_t j = e * (size_t)k->P + (size_t)n;
            double D[9], by[6], *to = r + S6 * j + 6 * (size_t)i;
            wy_gauss_get(D, k->w->X[i] + 3 * m->row, m, 9, j);
            element_force_on_node(D, F[i][0] + n, NODES, by);
            for (int r6 = 0; r6 < 6; r6++)
                to[r6] += by[r6];
        }
}

static void add_node(double *r, const wy_gauss_step_tangent *k, const double *change, const double push[12], size_t j) {
    const wy_gauss *m = k->m;
    const size_t S6 = 6 * (size_t)k->S;
    const wy_gauss_node_change node = wy_gauss_tangent_node(k, j);
    double start[6];
    wy_gauss_get(start, change + AT_V * m->row, m, 6, j);
    for (int i = 0; i < k->S; i++) {
        double by[6], *to = r + S6 * j + 6 * (size_t)i;
        wy_gauss_change_node(by, m, k->w, k->dt, j, i, &node, start);
        for (size_t c = 0; c < 6; c++) {
            to[c] += by[c];
            if (k->varies)
                to[c] -= k->load[i][c * m->row + j];
            if (j == 0)
                to[c] -= push[c];
            if (j + 1 == m->nodes)
                to[c] -= push[6 + c];
        }
    }
}

/* The residuals' change by the direction and u: along what is held it is not asked for. */
static void change_residuals(wy_gauss_step_tangent *k, const double *change, const double push[12]) {
    const wy_gauss *m = k->m;
    const size_t S6 = 6 * (size_t)k->S;
    spread(k, change);
    if (k->varies)
        change_loads(k, change);
    memset(k->r, 0, S6 * m->nodes * sizeof *k->r);
    for (size_t e = 0; e < m->elements; e++)
        add_element(k->r, k, change, e);
    for (size_t j = 0; j < m->nodes; j++)
        add_node(k->r, k, change, push, j);
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < k->S; i++) {
            double *to = k->r + S6 * (e ? m->nodes - 1 : 0) + 6 * (size_t)i;
            for (int c = 0; c < 6; c++)
                if (m->constrains[e] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION))
                    to[c] = 0.0;
            if (m->partial_constraint[e])
                wy_gauss_remove_constrained(to, m, e);
        }
}

/* What holds an end: its mean over the stages changes by this, `fraction` of what it is over the whole step. */
static void reactions(double out[12], const wy_gauss_step_tangent *k, const double *change, const double push[12],
                      double fraction) {
    const wy_gauss *m = k->m;
    const size_t S6 = 6 * (size_t)k->S;
    memset(k->r, 0, S6 * m->nodes * sizeof *k->r);
    add_element(k->r, k, change, 0);
    if (m->elements > 1)
        add_element(k->r, k, change, m->elements - 1);
    for (int e = 0; e < 2; e++) {
        const size_t j = e ? m->nodes - 1 : 0;
        add_node(k->r, k, change, push, j);
        for (int i = 0; i < k->S; i++) {
            const double *r = k->r + S6 * j + 6 * (size_t)i;
            double unconstrained[6];
            memcpy(unconstrained, r, sizeof unconstrained);
            wy_gauss_remove_constrained(unconstrained, m, e);
            for (int c = 0; c < 6; c++) {
                const bool held = m->constrains[e] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION);
                out[6 * e + c] += fraction * m->time.b[i] * (held ? r[c] : r[c] - unconstrained[c]);
            }
        }
    }
}

/* ---- the largest force, which k_G and k_H follow ---- */

typedef struct strongest {
    size_t e;
    int g;
    double n[3], size; /* mean over the stages, times weight */
} strongest;

static strongest strongest_of(const wy_gauss_step_tangent *k) {
    const wy_gauss *m = k->m;
    strongest most = {.size = -1.0};
    for (size_t e = 0; e < m->elements; e++)
        for (int g = 0; g < k->P; g++) {
            double n[3] = {0.0, 0.0, 0.0};
            for (size_t r = 0; r < 3; r++)
                for (int i = 0; i < k->S; i++)
                    n[r] += m->time.b[i] *
                            wy_gauss_stage_stress(m, k->w, k->dt, e, i, wy_element_at((size_t)k->P, (size_t)g, 3 + r));
            const double size = v3_norm(n) / m->space.W[g / 4][g % 4];
            if (size > most.size) {
                most = (strongest){.e = e, .g = g, .size = size};
                v3_copy(most.n, n);
            }
        }
    return most;
}

/* How its length changes. */
static double force_change(const strongest *at, const wy_gauss_step_tangent *k, const double *change) {
    const wy_gauss *m = k->m;
    wy_gauss_element el;
    wy_gauss_element_change c;
    double dn[3] = {0.0, 0.0, 0.0};
    change_strains(&c, &el, k, change, at->e);
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < k->S; i++)
            dn[r] += m->time.b[i] * wy_gauss_change_stress(&c, &el, i, at->g, 3 + r);
    return at->size > 0.0 ? v3_dot(at->n, dn) / v3_norm(at->n) / m->space.W[at->g / 4][at->g % 4] : 0.0;
}

/* ---- a step ---- */

/* u so that the residuals do not change: at once, or, where the matrix knows the loads only nearly, in a few passes. */
static bool solve(wy_gauss_step_tangent *k, const double *change, const double push[12]) {
    enum { MOST = 30 };
    const size_t n = 6 * (size_t)k->S * k->m->nodes;
    double before = HUGE_VAL;
    for (int pass = 0; pass < MOST; pass++) {
        double most = 0.0, by = 0.0;
        change_residuals(k, change, push);
        for (size_t q = 0; q < n; q++)
            k->r[q] = -k->r[q];
        wy_gauss_coupled_solve(k->r, k->m, k->w);
        for (size_t q = 0; q < n; q++) {
            const double scale = q % 6 < 3 ? 1.0 / k->m->length : 1.0;
            k->u[q] += k->r[q];
            by = fmax(by, scale * fabs(k->r[q]));
            most = fmax(most, scale * fabs(k->u[q]));
        }
        if (!(by <= 1e300))
            return false;
        if (!k->varies || by <= 1e-13 * most || (by <= 1e-8 * most && by > 0.3 * before))
            break;
        if (pass > 3 && by > before)
            return false;
        before = by;
    }
    return true;
}

bool wy_gauss_tangent_take(wy_motion_tangent *tangent, const wy_motion *rod, const wy_gauss *m, const double *x,
                           wy_gauss_work *w, double dt, double whole, bool more) {
    wy_gauss_evaluate_stages(m, w, dt,
                             m->time.S == 1 ? 1 : 30); /* the derivative is of directors that belong to omega */
    wy_gauss_step_tangent k = step_tangent_of(tangent, rod, m, x, w, dt);
    memcpy(tangent->scratch, k.s.reference, m->elements * m->block * sizeof(double));
    tangent->scratch[m->elements * m->block + OLD_FORCE_USED] = k.s.numbers[WY_GAUSS_FORCE_USED];
    tangent->scratch[m->elements * m->block + OLD_RAISES] = k.s.numbers[WY_GAUSS_RAISES];
    if (!wy_gauss_coupled_factor(rod, m, w, x[WY_STATE_TIME], dt, NULL))
        return false;
    const strongest most = strongest_of(&k);
    for (size_t n = 0; n < tangent->count; n++) {
        double *change = tangent->x + n * tangent->size;
        wy_gauss_end_change land[2];
        if (!wy_gauss_tangent_prescribe(&k, tangent, n, change, land) || !solve(&k, change, tangent->push[n]))
            return false;
        spread(&k, change);
        if (k.varies)
            change_loads(&k, change);
        if (!more)
            memset(tangent->reaction[n], 0, sizeof tangent->reaction[n]);
        reactions(tangent->reaction[n], &k, change, tangent->push[n], dt / whole);
        change[more_at(m) + BY_FORCE] = force_change(&most, &k, change);
        wy_gauss_tangent_finish(&k, change, tangent, land);
    }
    return true;
}

/* What G and H do after the step: their values without stress, and how stiff they are. */
void wy_gauss_tangent_follow(wy_motion_tangent *tangent, const wy_gauss *m, const double *x, const wy_gauss_work *w) {
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    const size_t groups = (size_t)m->space.groups, plain = 24 * groups, blocks = m->elements * m->block;
    const double *old = tangent->scratch + blocks, used = s.numbers[WY_GAUSS_FORCE_USED];
    const bool returned = old[OLD_RAISES] > 0.0, raised = s.numbers[WY_GAUSS_RAISES] > old[OLD_RAISES];
    if (m->config->stabiliser == 0.0 || (!returned && !raised))
        return;
    wy_gauss_configuration(w->X[0], m, &s);
    for (size_t n = 0; n < tangent->count; n++) {
        double *change = tangent->x + n * tangent->size, *rest = change + ROWS * m->row, *by = change + more_at(m);
        const double was = by[BY_RULE];
        if (raised) /* to 4 F */
            by[BY_RULE] = 4.0 * by[BY_FORCE];
        for (size_t e = 0; e < m->elements; e++) {
            double dx[WY_ELEMENT_BLOCK] = {0.0}, k[2], before[2], dk[2], dbefore[2];
            for (int q = 0; q < 2; q++) {
                dk[q] = stiffness_change(&k[q], m, e, q, used, by[BY_RULE]);
                dbefore[q] = stiffness_change(&before[q], m, e, q, old[OLD_FORCE_USED], was);
            }
            for (int g = 0; g < m->space.P; g++) {
                const size_t first = e * (size_t)m->space.P;
                element_point_fields q, dq;
                double rate[8];
                element_fields(m->space.P, &m->space, g, w->X[0] + first, m->row, &q);
                element_fields(m->space.P, &m->space, g, change + first, m->row, &dq);
                element_rate_of(&q, &dq, rate);
                for (size_t c = 6; c < 8; c++)
                    dx[wy_element_at((size_t)m->space.P, (size_t)g, c)] = rate[c];
            }
            for (int q = 0; q < 2; q++)
                dx[32 * groups + (size_t)q] = hourglass_form(m, w->X[0], change, e, q);
            for (size_t q = plain; q < m->block; q++) {
                const size_t at = e * m->block + q;
                const double eps = s.eps[at], home = m->ref[at];
                double r = tangent->scratch[at];
                if (returned && (eps - r) * (home - r) > 0.0) {
                    const double d = 0.05 * (home - r);
                    const bool part = fabs(d) < fabs(eps - r);
                    rest[at] = part ? 0.95 * rest[at] : dx[q];
                    r = part ? r + d : eps;
                }
                const int of = q < plain + 8 * groups ? 0 : 1;
                const double fraction = k[of] > 0.0 ? before[of] / k[of] : 0.0;
                if (raised)
                    rest[at] = dx[q] - (dx[q] - rest[at]) * fraction -
                               (k[of] > 0.0 ? (eps - r) * (dbefore[of] - fraction * dk[of]) / k[of] : 0.0);
            }
        }
    }
}

void wy_gauss_tangent_remember(wy_motion_tangent *tangent, const wy_motion *rod) {
    memcpy(tangent->scratch + wy_gauss_tangent_scratch(rod), tangent->x,
           tangent->count * tangent->size * sizeof(double));
}

void wy_gauss_tangent_restore(wy_motion_tangent *tangent, const wy_motion *rod) {
    memcpy(tangent->x, tangent->scratch + wy_gauss_tangent_scratch(rod),
           tangent->count * tangent->size * sizeof(double));
}
