/* Rods and bodies that share nodes, in a step. Every end is a node that is kept; a rod is condensed to its two ends, K
 * (12 x 12) in their frames, a body is a node. With p_end = p + D a and D_end = D R, where p and D are those of the end
 * that leads the node, the unknowns of an end are those of its node in the frame of the end,
 *
 *   u_end = T u_node,    T = [R^T  -R^T [a]; 0  R^T]     sum over the ends of T^T K T u = -sum T^T r           (10.50)
 *
 * with T constant. A complex root has a real system of twice the size. */
#include "motion/gauss_director/gauss_network.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/vec3.h"

enum { NODE = 6, PART = 144 }; /* unknowns of a node; numbers of K */

static const wy_gauss *model_of(const wy_motion_assembly *a, size_t rod) {
    return a->member[rod]->method_data;
}

static size_t node_index(const wy_gauss *m, int end) {
    return end ? m->nodes - 1 : 0;
}

/* ---- the system of the kept nodes ---- */

/* A block for each member: its two nodes, or one. `list`: two numbers a member. */
static wy_status create_system(wy_system_matrix **out, const wy_motion_assembly *a, bool complex,
                               wy_system_block *block, size_t *list, size_t *sizes, wy_error *err) {
    for (size_t i = 0; i < a->count; i++) {
        const int ends = wy_motion_assembly_ends(a, i);
        list[2 * i] = a->end[i][0].node;
        list[2 * i + 1] = a->end[i][ends - 1].node;
        block[i] = (wy_system_block){list + 2 * i, list[2 * i] == list[2 * i + 1] ? 1 : 2, false};
    }
    for (size_t n = 0; n < a->nodes; n++)
        sizes[n] = complex ? 2 * NODE : NODE;
    const wy_system_definition d = {.nodes = a->nodes, .sizes = sizes, .blocks = a->count, .block = block};
    const wy_status s = wy_system_create(out, &d, WY_SYSTEM_GENERAL, NULL, err);
    for (size_t n = 0; n < a->nodes && !s; n++)
        for (size_t c = 0; c < sizes[n]; c++)
            if (a->constrains[n] & (c % NODE < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION))
                wy_system_constrain(*out, wy_system_first(*out, n) + c, WY_SYSTEM_FIXED);
    return s;
}

static wy_status create_systems(wy_gauss_network *w, wy_error *err) {
    const wy_motion_assembly *a = w->assembly;
    const wy_gauss_time *t = &model_of(a, 0)->time;
    wy_system_block *block = malloc(a->count * sizeof *block);
    size_t *list = malloc((2 * a->count + a->nodes) * sizeof *list);
    wy_status s = block && list ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", a->nodes);
    for (int r = 0; r < t->roots && !s; r++)
        s = create_system(&w->system[t->complex[r]], a, t->complex[r], block, list, list + 2 * a->count, err);
    free(block);
    free(list);
    return s;
}

/* ---- making ---- */

/* ---- bodies ---- */

void wy_gauss_take_inertia(double *mass, double inertia[3], wy_motion *rod, int end) {
    wy_gauss *m = rod->method_data;
    const size_t j = node_index(m, end);
    *mass = m->tributary_length[j] * m->inertia[3 * m->row + j];
    for (size_t c = 0; c < 4; c++) {
        if (c < 3)
            inertia[c] = m->tributary_length[j] * m->inertia[c * m->row + j];
        m->inertia[c * m->row + j] = 0.0;
    }
    m->given_mass[end] = *mass;
    v3_copy(m->given_inertia[end], inertia);
}

/* One node without elements. */
wy_status wy_gauss_make_body(wy_motion *rod, double mass, const double inertia[3], const double start[18],
                             wy_error *err) {
    const wy_gauss *was = rod->method_data;
    wy_gauss *m;
    rod->elements = 0;
    rod->nodes = 1;
    const wy_status s = wy_gauss_allocate(&m, rod, err);
    if (s)
        return s;
    m->kernel = was->kernel;
    memcpy(m->gravity, was->gravity, sizeof m->gravity);
    m->EI_least = m->EA_least = 1.0;
    m->tributary_length[0] = 1.0;
    for (size_t c = 0; c < 4; c++) {
        m->inertia[c * m->row] = c < 3 ? inertia[c] : mass;
        for (size_t j = 1; j < m->row; j++)
            m->inertia[c * m->row + j] = 1.0;
    }
    wy_gauss_put(m->start, start, m, 18, 0);
    wy_gauss_drop(rod);
    rod->method_data = m;
    return WY_OK;
}

void wy_gauss_network_start_of_end(double start[18], const wy_motion *rod, int end) {
    const wy_gauss *m = rod->method_data;
    wy_gauss_get(start, m->start, m, 18, node_index(m, end));
}

static wy_status check_stages(const wy_motion_assembly *a, wy_error *err) {
    const wy_gauss *first = model_of(a, 0);
    char name[64];
    for (size_t i = 0; i < a->count; i++) {
        const wy_gauss *m = model_of(a, i);
        if (m->time.S != first->time.S || m->time.radau != first->time.radau)
            return wy_fail(err, WY_BAD_INPUT, "%s: %d stages%s, but the first rod has %d%s",
                           wy_motion_assembly_rod_name(name, a, i), m->time.S, m->time.radau ? ", dissipative" : "",
                           first->time.S, first->time.radau ? ", dissipative" : "");
    }
    return WY_OK;
}

/* Numbers of a rod's run; its arrays are laid out at x unless that is NULL. */
static size_t lay_run(wy_gauss_run *run, double *x, const wy_gauss *m) {
    enum { BEHIND = 8 }; /* numbers that are read, and not used, behind the last block */
    size_t size = 0;
    for (int r = 0; r < m->time.roots; r++) {
        const size_t parts = m->time.complex[r] ? 2 : 1, factors = m->elements * WY_GAUSS_RUN_FACTORS * parts + BEHIND;
        if (x) {
            run->lower[r] = x + size;
            run->upper[r] = x + size + factors;
            run->block[r] = x + size + 2 * factors;
        }
        size += 2 * factors + 2 * WY_GAUSS_RUN_BLOCK;
    }
    return size;
}

wy_status wy_gauss_network_create(void **out, const wy_motion_assembly *a, wy_error *err) {
    *out = NULL;
    wy_status s = check_stages(a, err);
    if (s)
        return s;
    size_t numbers = 2 * NODE * a->nodes;
    for (size_t i = 0; i < a->count; i++)
        numbers += lay_run(NULL, NULL, model_of(a, i));
    wy_gauss_network *w =
        wy_memory_take(1, sizeof *w + a->count * (sizeof *w->run + sizeof *w->fallback + sizeof *w->stepping), err,
                       "steps of %zu rods and bodies", a->count);
    if (!w)
        return WY_NO_MEMORY;
    w->assembly = a;
    w->stepping = (void *)(w + 1);
    w->fallback = (void *)(w->stepping + a->count);
    w->run = (void *)(w->fallback + a->count);
    double *x = w->memory = wy_memory_take(numbers, sizeof *x, err, "factors of %zu rods and bodies", a->count);
    s = x ? create_systems(w, err) : WY_NO_MEMORY;
    if (s) {
        wy_gauss_network_free(w);
        return s;
    }
    w->rhs = x;
    x += 2 * NODE * a->nodes;
    for (size_t i = 0; i < a->count; i++)
        x += lay_run(&w->run[i], x, model_of(a, i));
    *out = w;
    return WY_OK;
}

void wy_gauss_network_free(void *network) {
    wy_gauss_network *w = network;
    if (!w)
        return;
    for (int i = 0; i < 2; i++)
        wy_system_free(w->system[i]);
    free(w->memory);
    free(w);
}

/* ---- Newton ---- */

/* T of an end, row major. */
static void transform_of(double T[36], const wy_kept_end *end) {
    const double *R = end->R, *a = end->arm, cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double lever = 0.0;
            for (int k = 0; k < 3; k++)
                lever -= R[3 * k + r] * cross[3 * k + c];
            T[6 * r + c] = T[6 * (3 + r) + 3 + c] = R[3 * c + r];
            T[6 * r + 3 + c] = lever;
            T[6 * (3 + r) + c] = 0.0;
        }
}

/* Ta^T K Tb, from a block with rows of eight. */
static void transformed(double out[36], const double *K, const double Ta[36], const double Tb[36]) {
    double KT[36];
    for (int r = 0; r < NODE; r++)
        for (int c = 0; c < NODE; c++) {
            KT[6 * r + c] = 0.0;
            for (int k = 0; k < NODE; k++)
                KT[6 * r + c] += K[8 * r + k] * Tb[6 * k + c];
        }
    for (int r = 0; r < NODE; r++)
        for (int c = 0; c < NODE; c++) {
            out[6 * r + c] = 0.0;
            for (int k = 0; k < NODE; k++)
                out[6 * r + c] += Ta[6 * k + r] * KT[6 * k + c];
        }
}

static void add_to(double *to, size_t row, double sign, const double block[36]) {
    for (size_t r = 0; r < NODE; r++)
        for (size_t c = 0; c < NODE; c++)
            to[r * row + c] += sign * block[6 * r + c];
}

static void add_member(wy_system_matrix *system, const wy_gauss_network *w, size_t member, int root, bool complex) {
    const wy_motion_assembly *assembly = w->assembly;
    const wy_kept_end *end = assembly->end[member];
    const int ends = wy_motion_assembly_ends(assembly, member);
    const bool one = ends == 1 || end[0].node == end[1].node;
    const size_t node = complex ? 2 * NODE : NODE, row = one ? node : 2 * node;
    double K[4 * PART * 4] = {0.0}, T[2][36], block[36];
    for (int e = 0; e < ends; e++)
        transform_of(T[e], &end[e]);
    for (int a = 0; a < ends; a++)
        for (int b = 0; b < ends; b++) {
            const double *re = w->run[member].block[root] + 48 * (2 * a + b), *im = re + WY_GAUSS_RUN_BLOCK;
            double *to = K + (one ? 0 : (size_t)a * node * row + (size_t)b * node);
            transformed(block, re, T[a], T[b]);
            add_to(to, row, 1.0, block);
            if (!complex)
                continue;
            add_to(to + NODE * row + NODE, row, 1.0, block);
            transformed(block, im, T[a], T[b]);
            add_to(to + NODE, row, -1.0, block);
            add_to(to + NODE * row, row, 1.0, block);
        }
    wy_system_add(system, member, K);
}

bool wy_gauss_network_factor(wy_gauss_stepping *k, double dt) {
    wy_gauss_network *w = k->network;
    (void)dt;
    for (int root = 0; root < k->m->time.roots; root++) {
        const bool complex = k->m->time.complex[root];
        wy_system_matrix *system = w->system[complex];
        wy_system_clear(system);
        for (size_t i = 0; i < k->count; i++)
            add_member(system, w, i, root, complex);
        if (wy_system_factor(system, 0.0, NULL, NULL))
            return false;
    }
    return true;
}

/* The directors D of a stage are not quite orthonormal, so that the moment of a force f at an arm a, (D a) x f, is not
 * a x D^T f in their frame. What that differs by, of the forces of the end, into the right-hand side of its node: with
 * it the moment is exact when Newton has converged, and angular momentum is kept.
 *   D^T ((D a) x f) - a x D^T f, stage by stage                                                             (10.51) */
static void add_arm_moments(const wy_gauss_stepping *k, const wy_kept_end *end, const wy_gauss_stepping *member, int e,
                            int root) {
    const wy_motion_assembly *a = k->network->assembly;
    const wy_rod_end leader = a->leader[end->node];
    const wy_gauss_stepping *body = &k[leader.rod];
    const size_t j0 = node_index(body->m, leader.end), j = node_index(member->m, e);
    const wy_gauss_time *t = &k->m->time;
    const double dt = k->w.dt, *z = t->lambda[root], zr = -dt * dt * (z[0] * z[0] - z[1] * z[1]),
                 zi = -dt * dt * 2.0 * z[0] * z[1];
    const size_t node = t->complex[root] ? 2 * NODE : NODE;
    double *to = k->network->rhs + node * end->node;
    for (int i = 0; i < t->S; i++) {
        double D[9], r[6], f[3], lever[3] = {0.0}, moment[3], flat[3];
        wy_gauss_get(D, body->w.X[i] + 3 * body->m->row, body->m, 9, j0);
        member->loops->residual(r, member->m, &member->w, dt, j, i);
        for (int c = 0; c < 3; c++) {
            f[c] = v3_dot(D + 3 * c, r);
            v3_axpy(lever, lever, end->arm[c], D + 3 * c);
        }
        v3_cross(moment, lever, r);
        v3_cross(flat, end->arm, f);
        const double *l = t->left[root][i], factor[2] = {zr * l[0] - zi * l[1], zr * l[1] + zi * l[0]};
        for (int part = 0; part <= t->complex[root]; part++)
            for (int c = 0; c < 3; c++)
                to[NODE * part + 3 + c] += factor[part] * (v3_dot(D + 3 * c, moment) - flat[c]);
    }
}

void wy_gauss_network_solve(wy_gauss_stepping *k) {
    wy_gauss_network *w = k->network;
    const wy_motion_assembly *a = w->assembly;
    for (int root = 0; root < k->m->time.roots; root++) {
        const bool complex = k->m->time.complex[root];
        const size_t node = complex ? 2 * NODE : NODE;
        double T[36];
        memset(w->rhs, 0, node * a->nodes * sizeof *w->rhs);
        for (size_t i = 0; i < k->count; i++)
            for (int e = 0; e < wy_motion_assembly_ends(a, i); e++)
                for (int part = 0; part <= complex; part++) {
                    const wy_kept_end *end = &a->end[i][e];
                    const double *b = k[i].w.rhs[root][part] + NODE * node_index(k[i].m, e);
                    double *to = w->rhs + node * end->node + NODE * (size_t)part;
                    transform_of(T, end);
                    for (int c = 0; c < NODE; c++)
                        for (int r = 0; r < NODE; r++)
                            to[c] += T[6 * r + c] * b[r];
                }
        for (size_t i = 0; i < k->count && a->has_arms; i++)
            for (int e = 0; e < wy_motion_assembly_ends(a, i); e++)
                if (a->end[i][e].apart)
                    add_arm_moments(k, &a->end[i][e], &k[i], e, root);
        for (size_t n = 0; n < a->nodes; n++)
            for (size_t c = 0; c < node; c++)
                if (a->constrains[n] & (c % NODE < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION))
                    w->rhs[node * n + c] = 0.0;
        wy_system_solve(w->rhs, w->system[complex]);
        for (size_t i = 0; i < k->count; i++)
            for (int e = 0; e < wy_motion_assembly_ends(a, i); e++)
                for (int part = 0; part <= complex; part++) {
                    const wy_kept_end *end = &a->end[i][e];
                    const double *u = w->rhs + node * end->node + NODE * (size_t)part;
                    double *to = k[i].w.rhs[root][part] + NODE * node_index(k[i].m, e);
                    transform_of(T, end);
                    for (int r = 0; r < NODE; r++) {
                        to[r] = 0.0;
                        for (int c = 0; c < NODE; c++)
                            to[r] += T[6 * r + c] * u[c];
                    }
                }
    }
}

/* ---- what the ends at a node have in common ---- */

typedef void tie_end(const wy_gauss_stepping *from, size_t j0, wy_gauss_stepping *to, size_t j, const wy_kept_end *end);

/* Calls `with` for every end but those that lead their nodes. */
static void tie(wy_gauss_stepping *k, tie_end *with) {
    const wy_motion_assembly *a = k->network->assembly;
    for (size_t i = 0; i < a->count; i++)
        for (int e = 0; e < wy_motion_assembly_ends(a, i); e++) {
            const wy_kept_end *end = &a->end[i][e];
            const wy_rod_end leader = a->leader[end->node];
            if (leader.rod != i || leader.end != e)
                with(&k[leader.rod], node_index(k[leader.rod].m, leader.end), &k[i], node_index(k[i].m, e), end);
        }
}

/* What the arm adds to the velocity at a stage: (omega x D) a, as D moves with omega in (10.13). */
static void add_arm_rate(double v[3], const wy_gauss_stepping *from, size_t j0, int stage, const double omega[3],
                         const double arm[3]) {
    double D[9], lever[3] = {0.0}, t[3];
    wy_gauss_get(D, from->w.X[stage] + 3 * from->m->row, from->m, 9, j0);
    for (int c = 0; c < 3; c++)
        v3_axpy(lever, lever, arm[c], D + 3 * c);
    v3_cross(t, omega, lever);
    v3_add(v, v, t);
}

static void tie_rates(const wy_gauss_stepping *from, size_t j0, wy_gauss_stepping *to, size_t j,
                      const wy_kept_end *end) {
    for (int i = 0; i < from->m->time.S; i++) {
        double v[3], omega[3];
        wy_gauss_get(v, from->w.V[i], from->m, 3, j0);
        wy_gauss_get(omega, from->w.w[i], from->m, 3, j0);
        if (end->apart)
            add_arm_rate(v, from, j0, i, omega, end->arm);
        wy_gauss_put(to->w.V[i], v, to->m, 3, j);
        wy_gauss_put(to->w.w[i], omega, to->m, 3, j);
    }
}

void wy_gauss_network_tie_rates(wy_gauss_stepping *k) {
    tie(k, tie_rates);
}

/* An end at an arm from its node, whose directors are D and whose body spin is given: position and velocity in two
 * words. */
static void set_on_arm(wy_gauss_stepping *to, size_t j, const double D[9], const double spin[3], const double arm[3]) {
    double *const high[] = {to->s.p, to->s.v}, *const low[] = {to->s.low, to->s.v_low}, omega[3] = {0.0}, move[2][3];
    v3_set(move[0], 0.0, 0.0, 0.0);
    for (int c = 0; c < 3; c++) {
        v3_axpy(move[0], move[0], arm[c], D + 3 * c);
        v3_axpy(omega, omega, spin[c], D + 3 * c);
    }
    v3_cross(move[1], omega, move[0]);
    for (int i = 0; i < 2; i++)
        for (size_t c = 0; c < 3; c++) {
            double *a = high[i] + c * to->m->row + j, *b = low[i] + c * to->m->row + j;
            const double y = *b + move[i][c], sum = *a + y;
            *b = y - (sum - *a);
            *a = sum;
        }
}

/* Where a node is held its velocities are those of the path, and what that changes of the kinetic energy of this end is
 * work. */
static void tie_node(const wy_gauss_stepping *from, size_t j0, wy_gauss_stepping *to, size_t j,
                     const wy_kept_end *end) {
    const double *R = end->R, before = wy_gauss_node_kinetic(to, j);
    double *const sources[] = {from->s.p, from->s.low, from->s.v, from->s.v_low}, *const targets[] = {
                                                                                      to->s.p, to->s.low, to->s.v,
                                                                                      to->s.v_low};
    double x[3], D[9], turned[9] = {0.0}, spin[3] = {0.0};
    for (int i = 0; i < 4; i++) {
        wy_gauss_get(x, sources[i], from->m, 3, j0);
        wy_gauss_put(targets[i], x, to->m, 3, j);
    }
    wy_gauss_get(D, from->s.D, from->m, 9, j0);
    wy_gauss_get(x, from->s.spin, from->m, 3, j0);
    for (int b = 0; b < 3; b++)
        for (int a = 0; a < 3; a++) {
            v3_axpy(turned + 3 * b, turned + 3 * b, R[3 * a + b], D + 3 * a);
            spin[b] += R[3 * a + b] * x[a];
        }
    wy_gauss_put(to->s.D, turned, to->m, 9, j);
    wy_gauss_put(to->s.spin, spin, to->m, 3, j);
    if (end->apart)
        set_on_arm(to, j, D, x, end->arm);
    if (to->leader->network->assembly->constrains[end->node])
        wy_energy_balance_add(to->x, WY_STATE_WORK, wy_gauss_node_kinetic(to, j) - before);
}

void wy_gauss_network_tie_nodes(wy_gauss_stepping *k) {
    tie(k, tie_node);
}

bool wy_gauss_network_is_joined(const wy_gauss_stepping *rod, int end) {
    const wy_gauss_stepping *k = rod->leader;
    if (!k->network)
        return false;
    const wy_motion_assembly *a = k->network->assembly;
    const size_t mine = (size_t)(rod - k), node = a->end[mine][end].node;
    for (size_t i = 0; i < a->count; i++)
        for (int e = 0; e < wy_motion_assembly_ends(a, i); e++)
            if (a->end[i][e].node == node && !(i == mine && e == end))
                return true;
    return false;
}

/* The node has no arms: it is held. */
void wy_gauss_network_add_residuals(double r[6], const wy_gauss_stepping *rod, int end, double dt, int stage) {
    const wy_gauss_stepping *k = rod->leader;
    const wy_motion_assembly *a = k->network->assembly;
    const size_t mine = (size_t)(rod - k), node = a->end[mine][end].node;
    for (size_t i = 0; i < a->count; i++)
        for (int e = 0; e < wy_motion_assembly_ends(a, i); e++) {
            double other[6];
            if (a->end[i][e].node != node || (i == mine && e == end))
                continue;
            k[i].loops->residual(other, k[i].m, &k[i].w, dt, node_index(k[i].m, e), stage);
            for (int c = 0; c < 6; c++)
                r[c] += other[c];
        }
}
