/* Equilibrium of the director elements, stresses kept as unknowns: no digit is lost however thin the rod.
 * docs/math/motion.md, "Statics".
 *
 *   [K_geo(sigma)  B^T W] [u]       = -[gradient of (sigma) - loads]
 *   [B             -C   ] [d sigma]    [eps(q) - eps* - C sigma    ]                                      (10.30)
 *
 * in the order node, stresses of the element, its inner nodes, next node ..., with lengths in units of the element
 * and forces in units of EI/h^2: every entry of B and K_geo is then of the order of 1, and C, which vanishes with
 * the thickness, divides nothing. A system (docs/math/system.md) whose nodes are those of the rod and, of each
 * element, its stresses: a general chain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/equilibrium.h>

#include "base/memory.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"
#include "system/system.h"

typedef struct statics {
    wy_motion *rod;
    wy_gauss *m;
    const double *head; /* the force that is let go acts like a push */
    double *x;          /* a state, for the stiffness of G and H */
    wy_gauss_state s;
    wy_gauss_work w;
    double *X, *kept_X;         /* 12 rows: the configuration, positions from the first node */
    double *sigma, *kept_sigma; /* elements x block: stress, not times weight */
    double *eps, *weighted, *rest, *F, *load;
    double origin[3]; /* of the first node in space */
    double aim[12];   /* where the last end is to go, p from the first node */
    wy_system_matrix *A;
    double *K; /* the block of an element, stride + 6 numbers a row */
    double *rhs;
    size_t points, stride; /* stresses and unknowns of an element */
    double firm;           /* what holds a node where it is, relative to the stiffness of an element */
    void *memory;
} statics;

static size_t node_at(const statics *k, size_t e, int i) {
    if (i == 0)
        return e * k->stride;
    if (i == k->m->space.P)
        return (e + 1) * k->stride;
    return e * k->stride + 6 + k->points + 6 * (size_t)(i - 1);
}

/* The system's number of node j of the rod: of each element its first node, its stresses, its inner nodes. */
static size_t number_of(const statics *k, size_t j) {
    const size_t P = (size_t)k->m->space.P, e = j / P, i = j % P;
    return e * (P + 1) + (i > 0 ? i + 1 : 0);
}

/* Place in a block and weight of the q-th stress of an element: eight at each point, then two. */
static size_t stress_at(const wy_gauss *m, size_t q, double *weight, int *sort) {
    const size_t P = (size_t)m->space.P, g = q / 8, c = q % 8;
    *weight = g == P ? m->h : m->space.W[g / 4][g % 4];
    *sort = (int)(g == P ? 8 + c : c);
    return wy_element_at(P, g, c);
}

/* B of node i, column a, for the stress at `at` of the sort c. */
static double b_entry(const wy_gauss *m, const double *B, int i, int a, int c, size_t at) {
    const size_t P = (size_t)m->space.P, groups = (size_t)m->space.groups;
    if (c >= 8)
        return B[m->b_node * (P + 1) + (size_t)(WY_ELEMENT_B_H * i + 6 * (c - 8) + a)];
    const int row = wy_element_b_row(c, a);
    const size_t point = at - 4 * ((size_t)c * groups);
    const double x = row < 0 ? 0.0 : B[m->b_node * (size_t)i + (size_t)row * P + point];
    return wy_element_b_minus(c, a) ? -x : x;
}

/* Between two ball joints the rod may spin about its own line, which no force minds: the first section keeps its
 * turn about d3. */
static bool spins(const statics *k) {
    const unsigned a = k->rod->constraint[0].components, b = k->rod->constraint[1].components;
    return a & 7U && b & 7U && !((a | b) & 56U);
}

static bool static_is_constrained(const statics *k, size_t node, int a) {
    const wy_gauss *m = k->m;
    if (node == 0 && a == 5 && spins(k))
        return true;
    const unsigned bit = a < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION;
    return (node == 0 && (m->constrains[0] & bit)) || (node + 1 == m->nodes && (m->constrains[1] & bit));
}

/* Gradients, loads and strains of the present configuration and stress. */
static void measure(statics *k, double t, double scale) {
    const wy_gauss *m = k->m;
    const wy_gauss_loops *loops = wy_gauss_loops_of(m);
    double weight;
    int sort;
    memset(k->weighted, 0, m->elements * m->block * sizeof(double));
    for (size_t e = 0; e < m->elements; e++)
        for (size_t q = 0; q < k->points; q++) {
            const size_t at = e * m->block + stress_at(m, q, &weight, &sort);
            k->weighted[at] = weight * k->sigma[at];
        }
    loops->strains(k->eps, m, k->X, true);
    loops->forces(k->F, m, k->X, k->weighted, true);
    wy_gauss_static_loads(k->load, k->rod, m, k->head, k->X, k->origin, t, scale);
}

/* Residual of node j in its body frame. */
static void node_residual(double r[6], const statics *k, size_t j) {
    const wy_gauss *m = k->m;
    double D[9], f[12], w[6], space[6];
    wy_gauss_get(D, k->X + 3 * m->row, m, 9, j);
    wy_gauss_get(f, k->F, m, 12, j);
    wy_gauss_get(w, k->load, m, 6, j);
    for (int c = 0; c < 3; c++) {
        space[c] = f[c] - w[c];
        space[3 + c] = -w[3 + c];
    }
    for (int a = 0; a < 3; a++) {
        double t[3];
        v3_cross(t, D + 3 * a, f + 3 + 3 * a);
        v3_add(space + 3, space + 3, t);
    }
    for (int e = 0; e < 2; e++)
        if (m->partial_constraint[e] && j == (e ? m->nodes - 1 : 0))
            wy_gauss_remove_constrained(space, m, e);
    for (int a = 0; a < 3; a++) {
        r[a] = v3_dot(D + 3 * a, space);
        r[3 + a] = v3_dot(D + 3 * a, space + 3);
    }
}

static void add_load_tangent(statics *k, size_t j, double length, double force, double scale) {
    const wy_gauss *m = k->m;
    const double *K = k->w.load_K + 36 * j;
    double D[9], T[36];
    wy_gauss_get(D, k->X + 3 * m->row, m, 9, j);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            double sum = 0.0;
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    sum += D[3 * (a % 3) + c] * K[6 * (c + 3 * (a / 3)) + d + 3 * (b / 3)] * D[3 * (b % 3) + d];
            T[6 * a + b] = scale * sum * (b < 3 ? length : 1.0) / (a < 3 ? force : force * length);
        }
    wy_system_add_node(k->A, number_of(k, j), T);
}

/* What holds every node where it is, a little. (10.46) */
static void add_firmness(statics *k, size_t j) {
    double T[36] = {0.0};
    for (int a = 0; a < 6; a++)
        T[7 * a] = k->firm;
    wy_system_add_node(k->A, number_of(k, j), T);
}

/* From where the last end is to where it shall be, in its body frame. */
static void remaining_displacement(double remaining[6], const statics *k, size_t j) {
    double pose[12], d[3], a[3];
    wy_gauss_get(pose, k->X, k->m, 12, j);
    v3_sub(d, k->aim, pose);
    wy_gauss_turn_between(a, k->aim + 3, pose + 3);
    for (int c = 0; c < 3; c++) {
        remaining[c] = v3_dot(pose + 3 + 3 * c, d);
        remaining[3 + c] = v3_dot(pose + 3 + 3 * c, a);
    }
}

static void assemble(statics *k, double t, double scale) {
    const wy_gauss *m = k->m;
    const int P = m->space.P;
    const double h = m->h, force = m->EI_least / (h * h);
    measure(k, t, scale);
    wy_gauss_actuated_reference(k->rest, k->rod, m, k->s.reference, t, scale);
    wy_gauss_load_tangents(k->rod, m, &k->w, k->X, k->origin, NULL, NULL, t);
    wy_gauss_constrain_tangents(m, &k->w, 0.0);
    const size_t width = k->stride + 6;
    wy_system_clear(k->A);
    for (size_t e = 0; e < m->elements; e++) {
        double B[(WY_ELEMENT_DEGREE + 1) * (WY_ELEMENT_B_NODE + WY_ELEMENT_B_H)],
            geometric[WY_ELEMENT_ORDER * WY_ELEMENT_ORDER];
        double *const K = k->K;
        memset(K, 0, width * width * sizeof *K);
        wy_gauss_loops_of(m)->linearise(B, geometric, m, k->X + e * (size_t)P, k->weighted + e * m->block, true);
        for (int i = 0; i <= P; i++)
            for (int a = 0; a < 6; a++) {
                const size_t row = node_at(k, 0, i) + (size_t)a;
                const double by_row = 1.0 / (a < 3 ? force : force * h);
                for (int j = 0; j <= P; j++)
                    for (int b = 0; b < 6; b++)
                        K[row * width + node_at(k, 0, j) + (size_t)b] +=
                            by_row * (b < 3 ? h : 1.0) * geometric[(6 * i + a) * WY_ELEMENT_ORDER + 6 * j + b];
            }
        for (size_t q = 0; q < k->points; q++) {
            double weight;
            int c;
            const size_t in = stress_at(m, q, &weight, &c), at = e * m->block + in, mine = 6 + q,
                         unknown = e * k->stride + mine;
            const double stiffness = k->w.KW[at] / weight, by_sigma = c < 3 ? force * h : force,
                         by_strain = c < 3 ? h : 1.0;
            if (!(stiffness > 0.0)) { /* H that is not on */
                K[mine * width + mine] = 1.0;
                k->rhs[unknown] = 0.0;
                continue;
            }
            for (int i = 0; i <= P; i++)
                for (int a = 0; a < 6; a++) {
                    const double b = b_entry(m, B, i, a, c, in);
                    const size_t node = node_at(k, 0, i) + (size_t)a;
                    K[node * width + mine] = weight * b * by_sigma / (a < 3 ? force : force * h);
                    K[mine * width + node] = by_strain * b * (a < 3 ? h : 1.0);
                }
            K[mine * width + mine] = -by_strain * by_sigma / stiffness;
            k->rhs[unknown] = -by_strain * (k->eps[at] - k->rest[at] - k->sigma[at] / stiffness);
        }
        wy_system_add(k->A, e, K);
    }
    for (size_t j = 0; j < m->nodes; j++) {
        const size_t e = j / (size_t)P < m->elements ? j / (size_t)P : m->elements - 1;
        const size_t at = node_at(k, e, (int)(j - e * (size_t)P));
        double r[6], remaining[6] = {0.0};
        node_residual(r, k, j);
        if (k->rod->has_last_end_target && j + 1 == m->nodes)
            remaining_displacement(remaining, k, j);
        add_load_tangent(k, j, h, force, scale);
        if (k->firm > 0.0)
            add_firmness(k, j);
        for (int a = 0; a < 6; a++) {
            const size_t row = at + (size_t)a;
            k->rhs[row] = -r[a] / (a < 3 ? force : force * h);
            if (static_is_constrained(k, j, a))
                k->rhs[row] = a < 3 ? remaining[a] / h : remaining[a];
        }
    }
}

/* Takes the correction, no rotation by more than 1 rad; answers the largest (lengths relative to the rod's). */
static double correct_equilibrium(statics *k, size_t *worst) {
    const wy_gauss *m = k->m;
    const int P = m->space.P;
    const double force = m->EI_least / (m->h * m->h);
    double most = 0.0, turn = 0.0;
    for (size_t j = 0; j < m->nodes; j++) {
        const size_t e = j / (size_t)P < m->elements ? j / (size_t)P : m->elements - 1;
        const double *x = k->rhs + node_at(k, e, (int)(j - e * (size_t)P));
        const double a = v3_norm(x) * m->h / m->length, b = v3_norm(x + 3), size = fmax(a, b);
        turn = fmax(turn, b);
        if (!(size <= most)) {
            most = isfinite(size) ? size : HUGE_VAL;
            *worst = j;
        }
    }
    if (!(most < 1e6))
        return HUGE_VAL;
    const double part = turn > 1.0 ? 1.0 / turn : 1.0;
    for (size_t j = 0; j < m->nodes; j++) {
        const size_t e = j / (size_t)P < m->elements ? j / (size_t)P : m->elements - 1;
        const double *x = k->rhs + node_at(k, e, (int)(j - e * (size_t)P));
        double pose[12], move[3], phi[3];
        wy_gauss_get(pose, k->X, m, 12, j);
        for (int c = 0; c < 3; c++) {
            move[c] = part * m->h * (pose[3 + c] * x[0] + pose[6 + c] * x[1] + pose[9 + c] * x[2]);
            phi[c] = part * (pose[3 + c] * x[3] + pose[6 + c] * x[4] + pose[9 + c] * x[5]);
        }
        v3_add(pose, pose, move);
        wy_gauss_turn(pose + 3, phi);
        wy_gauss_put(k->X, pose, m, 12, j);
    }
    for (size_t e = 0; e < m->elements; e++)
        for (size_t q = 0; q < k->points; q++) {
            double weight;
            int c;
            const size_t at = e * m->block + stress_at(m, q, &weight, &c);
            k->sigma[at] += part * (c < 3 ? force * m->h : force) * k->rhs[e * k->stride + 6 + q];
        }
    return most;
}

void wy_gauss_turn(double D[9], const double a[3]) {
    const double x2 = v3_dot(a, a), x = sqrt(x2), s = wy_sin(0.5 * x);
    const double A = x < 1e-4 ? 1.0 - x2 / 6.0 : wy_sin(x) / x, B = x < 1e-4 ? 0.5 - x2 / 24.0 : 2.0 * s * s / x2;
    for (int k = 0; k < 3; k++) {
        double b[3], c[3];
        v3_cross(b, a, D + 3 * k);
        v3_cross(c, a, b);
        for (int i = 0; i < 3; i++)
            D[3 * k + i] += A * b[i] + B * c[i];
    }
}

static bool newton(statics *k, double scale, size_t *worst) {
    double before = HUGE_VAL;
    for (int it = 0; it < 50; it++) {
        assemble(k, 0.0, scale);
        if (wy_system_factor(k->A, 0.0, NULL, NULL))
            return false;
        wy_system_solve(k->rhs, k->A);
        const double size = correct_equilibrium(k, worst);
        if (!(size < 1e6))
            return false;
        if (size < 1e-12 || (size < 1e-9 && size > 0.5 * before))
            return true;
        if (it > 15 && size > 0.9 * before && size > 0.5)
            return false;
        before = size;
    }
    return false;
}

/* The largest residual, in the units of the system, and what rounding of the stresses makes of none. */
static double unbalanced(double *rounding, const statics *k) {
    const wy_gauss *m = k->m;
    const size_t n = wy_system_unknowns(k->A);
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = isfinite(k->rhs[i]) ? fmax(most, fabs(k->rhs[i])) : HUGE_VAL;
    *rounding = 1e-13 * (1.0 + m->EA_least * m->h * m->h / m->EI_least);
    return most;
}

/* Where a symmetry leaves the rod free to move as a whole shape (a round rod that has buckled may do so to any
 * side), the matrix of Newton is singular, though an equilibrium is there and no force along that way: held a
 * little, it is found, and what is left is the residual, not the correction. (10.46) */
static bool newton_held(statics *k, size_t *worst) {
    bool found = false;
    k->firm = 1e-5;
    for (int it = 0; it < 60 && !found; it++) {
        double rounding;
        assemble(k, 0.0, 1.0);
        found = unbalanced(&rounding, k) <= rounding;
        if (found || wy_system_factor(k->A, 0.0, NULL, NULL))
            break;
        wy_system_solve(k->rhs, k->A);
        if (!(correct_equilibrium(k, worst) < 1e6))
            break;
    }
    k->firm = 0.0;
    return found;
}

static wy_status load_up(statics *k, wy_error *err) {
    const wy_gauss *m = k->m;
    const size_t rows = 12 * m->row * sizeof(double), blocks = m->elements * m->block * sizeof(double);
    double done = 0.0, p0[3], D0[9];
    wy_gauss_get(p0, m->start, m, 3, m->nodes - 1);
    wy_gauss_get(D0, m->start + 3 * m->row, m, 9, m->nodes - 1);
    /* a turn is told from its complement only while it is short */
    const double longest = k->rod->has_last_end_target ? 1.0 / fmax(1.0, fabs(k->rod->last_end_target.twist)) : 1.0;
    double step = longest;
    size_t worst = 0;
    int attempts = 0;
    while (done < 1.0) {
        const double next = fmin(1.0, done + step);
        memcpy(k->kept_X, k->X, rows);
        memcpy(k->kept_sigma, k->sigma, blocks);
        if (k->rod->has_last_end_target) { /* the last end goes to where it is held as the loads come on */
            wy_motion_blend_last_end(k->aim, k->aim + 3, k->rod, p0, D0, next);
            v3_sub(k->aim, k->aim, k->origin);
        }
        if (newton(k, next, &worst)) {
            done = next;
            step = fmin(longest, 2.0 * step);
        } else {
            memcpy(k->X, k->kept_X, rows);
            memcpy(k->sigma, k->kept_sigma, blocks);
            step = 0.5 * fmin(step, next - done);
        }
        if (step < 1e-6 || ++attempts > 2000)
            return wy_fail(err, WY_NO_CONVERGENCE,
                           "static equilibrium at the start: Newton fails beyond %.6g of the load, worst at s = %.4g m",
                           done, wy_gauss_node_arc_length(m, worst));
    }
    return WY_OK;
}

/* Poses and stresses of the solver of rods at rest. */
static void set_static_end_poses(statics *k, const double first[12], const double last[12]) {
    const wy_gauss *m = k->m;
    double q[4], wrench[6], pose[12], weight;
    for (size_t j = 0; j < m->nodes; j++) {
        wy_motion_statics_at(pose, q, wrench, k->rod, wy_gauss_node_arc_length(m, j));
        v3_sub(pose, pose, k->origin);
        wy_directors_from_quat(pose + 3, q);
        for (int e = 0; e < 2; e++) { /* what is held is where it is held, to the last bit */
            if (j != (e ? m->nodes - 1 : 0))
                continue;
            if (m->constrains[e] & WY_CONSTRAINS_POSITION)
                memcpy(pose, e ? last : first, 3 * sizeof *pose);
            if (m->constrains[e] & WY_CONSTRAINS_ROTATION)
                memcpy(pose + 3, (e ? last : first) + 3, 9 * sizeof *pose);
        }
        wy_gauss_put(k->X, pose, m, 12, j);
    }
    for (size_t e = 0; e < m->elements; e++)
        for (size_t i = 0; i < k->points; i++) {
            int c;
            const size_t at = e * m->block + stress_at(m, i, &weight, &c);
            if (c >= 6)
                continue;
            wy_motion_statics_at(pose, q, wrench, k->rod, wy_gauss_arc_length(m, e, m->space.point[i / 8]));
            k->sigma[at] = wrench[c];
        }
    memcpy(k->aim, last, sizeof k->aim);
}

/* Newton from there with all of the load. On failure the configuration is that of before. */
static wy_status take_over(statics *k, const double first[12], const double last[12], wy_error *err) {
    const wy_gauss *m = k->m;
    const size_t rows = 12 * m->row * sizeof(double), blocks = m->elements * m->block * sizeof(double);
    const wy_status s = wy_motion_solve_statics(k->rod, err);
    if (s)
        return s;
    memcpy(k->kept_X, k->X, rows);
    memcpy(k->kept_sigma, k->sigma, blocks);
    size_t worst = 0;
    set_static_end_poses(k, first, last);
    if (newton(k, 1.0, &worst))
        return WY_OK;
    memcpy(k->sigma, k->kept_sigma, blocks);
    set_static_end_poses(k, first, last);
    if (newton_held(k, &worst))
        return WY_OK;
    memcpy(k->X, k->kept_X, rows);
    memcpy(k->sigma, k->kept_sigma, blocks);
    return wy_fail(err, WY_NO_CONVERGENCE,
                   "%zu elements find no equilibrium beside that of statics, worst at s = %.4g m", m->elements,
                   wy_gauss_node_arc_length(m, worst));
}

/* How stiff the stabilising strains are follows from the largest force (10.25), which a motion takes from its start.
 * So it must be that of the equilibrium itself: if its force exceeds the one assumed, it is solved for again from
 * there with a slightly larger one. If that fails, the first solution stays, nearly at rest. */
static void agree(statics *k) {
    enum { PASSES = 5 };
    const double more = 1.02;
    wy_gauss *m = k->m;
    const size_t rows = 12 * m->row * sizeof(double), blocks = m->elements * m->block * sizeof(double);
    for (int pass = 0; pass < PASSES; pass++) {
        size_t worst = 0;
        measure(k, 0.0, 1.0);
        memcpy(k->s.mean_stress, k->weighted, blocks);
        for (size_t j = 0; j < m->nodes; j++) {
            double pose[12];
            wy_gauss_get(pose, k->X, m, 12, j);
            v3_add(pose, pose, k->origin);
            wy_gauss_put(k->s.p, pose, m, 3, j);
            wy_gauss_put(k->s.D, pose + 3, m, 9, j);
        }
        wy_gauss_stabiliser_start(k->rod, m, k->head, &k->s, &k->w);
        const double before = m->start_force, now = k->s.numbers[WY_GAUSS_FORCE_USED];
        if (!(now > before))
            return;
        m->start_force = more * now;
        wy_gauss_stabiliser_start(k->rod, m, k->head, &k->s, &k->w);
        wy_gauss_stiffness(k->w.KW, k->w.VW, m, &k->s.read);
        memcpy(k->kept_X, k->X, rows);
        memcpy(k->kept_sigma, k->sigma, blocks);
        if (newton(k, 1.0, &worst) || newton_held(k, &worst))
            continue;
        memcpy(k->X, k->kept_X, rows);
        memcpy(k->sigma, k->kept_sigma, blocks);
        m->start_force = before;
        return;
    }
}

/* Its nodes and elements as a system; what is held is led to where it belongs. */
static wy_status make_system(statics *k, wy_error *err) {
    const wy_gauss *m = k->m;
    const size_t P = (size_t)m->space.P, nodes = m->elements * (P + 1) + 1;
    size_t *list = malloc(2 * nodes * sizeof *list), *sizes = list ? list + nodes : NULL;
    wy_system_block *blocks = malloc(m->elements * sizeof *blocks);
    wy_status s = WY_NO_MEMORY;
    if (list && blocks) {
        for (size_t i = 0; i < nodes; i++) {
            list[i] = i;
            sizes[i] = i % (P + 1) == 1 ? k->points : 6;
        }
        for (size_t e = 0; e < m->elements; e++)
            blocks[e] = (wy_system_block){list + e * (P + 1), P + 2, false};
        const wy_system_definition d = {.nodes = nodes, .sizes = sizes, .blocks = m->elements, .block = blocks};
        s = wy_system_create(&k->A, &d, WY_SYSTEM_GENERAL, NULL, err);
    } else {
        s = wy_fail(err, s, "no memory for the static equilibrium of %zu elements", m->elements);
    }
    free(list);
    free(blocks);
    for (size_t j = 0; j < m->nodes && !s; j++)
        for (int a = 0; a < 6; a++)
            if (static_is_constrained(k, j, a))
                wy_system_constrain(k->A, wy_system_first(k->A, number_of(k, j)) + (size_t)a, WY_SYSTEM_PRESCRIBED);
    return s;
}

static wy_status make_statics(statics *k, wy_error *err) {
    const wy_gauss *m = k->m;
    const size_t P = (size_t)m->space.P, blocks = m->elements * m->block;
    k->points = 8 * P + 2;
    k->stride = 6 + k->points + 6 * (P - 1);
    const wy_status s = make_system(k, err);
    if (s)
        return s;
    const size_t n = wy_system_unknowns(k->A), matrix = (k->stride + 6) * (k->stride + 6);
    const size_t state = WY_STATE_HEAD + wy_gauss_state_size(m), work = wy_gauss_work_size(m);
    const size_t total = state + work + (12 + 12 + 12 + 6) * m->row + 5 * blocks + matrix + n;
    double *x = wy_memory_take(total, sizeof *x, err, "the static equilibrium of %zu elements", m->elements);
    if (!x) {
        wy_system_free(k->A);
        return WY_NO_MEMORY;
    }
    k->memory = k->x = x;
    k->s = wy_gauss_state_of(x, m);
    x += state;
    k->w = wy_gauss_work_of(x, m, 0);
    x += work;
    double **const rows[] = {&k->X, &k->kept_X, &k->F};
    for (size_t i = 0; i < 3; i++, x += 12 * m->row)
        *rows[i] = x;
    k->load = x;
    x += 6 * m->row;
    double **const parts[] = {&k->sigma, &k->kept_sigma, &k->eps, &k->weighted, &k->rest};
    for (size_t i = 0; i < 5; i++, x += blocks)
        *parts[i] = x;
    k->K = x;
    k->rhs = x + matrix;
    return WY_OK;
}

wy_status wy_gauss_equilibrium(wy_motion *rod, wy_gauss *m, wy_error *err) {
    double head[WY_STATE_HEAD] = {0};
    memcpy(head + WY_STATE_PUSH + 6, rod->start.release, sizeof rod->start.release);
    statics k = {.rod = rod, .m = m, .head = head};
    wy_status s = make_statics(&k, err);
    if (s)
        return s;
    wy_gauss_get(k.origin, m->start, m, 3, 0);
    memcpy(k.s.p, m->start, 3 * m->row * sizeof(double));
    memcpy(k.s.D, m->start + 3 * m->row, 9 * m->row * sizeof(double));
    wy_gauss_stabiliser_start(rod, m, head, &k.s, &k.w);
    m->start_force = k.s.numbers[WY_GAUSS_FORCE_USED];
    wy_gauss_stiffness(k.w.KW, k.w.VW, m, &k.s.read);
    wy_gauss_configuration(k.X, m, &k.s.read);
    double held[2][12]; /* where the ends are held, p from the first node */
    wy_gauss_get(held[0], k.X, m, 12, 0);
    wy_gauss_get(held[1], m->start, m, 12, m->nodes - 1);
    if (rod->has_last_end_target) {
        double p0[3], D0[9];
        memcpy(p0, held[1], sizeof p0);
        memcpy(D0, held[1] + 3, sizeof D0);
        wy_motion_blend_last_end(held[1], held[1] + 3, rod, p0, D0, 1.0);
    }
    v3_sub(held[1], held[1], k.origin);
    wy_error why;
    const bool asks = wy_motion_needs_statics(rod);
    s = asks ? take_over(&k, held[0], held[1], &why) : WY_NO_CONVERGENCE;
    if (s == WY_NO_MEMORY) {
        s = wy_fail(err, s, "%s", why.text);
    } else if (s) {
        m->start_off_statics = asks && rod->statics.count > 0;
        s = load_up(&k, err);
        if (s == WY_NO_CONVERGENCE && asks) /* the first error says more */
            s = wy_fail(err, s, "static equilibrium at the start: %.700s", why.text);
    }
    if (!s && m->config->stabiliser > 0.0)
        agree(&k);
    if (!s)
        for (size_t j = 0; j < m->nodes; j++) {
            double pose[12];
            wy_gauss_get(pose, k.X, m, 12, j);
            v3_add(pose, pose, k.origin);
            double at[12], first[12]; /* what is held is not moved by a rounding */
            wy_gauss_get(first, m->start, m, 12, j);
            memcpy(at, first, sizeof at);
            if (rod->has_last_end_target && j + 1 == m->nodes)
                wy_motion_blend_last_end(at, at + 3, rod, first, first + 3, 1.0);
            if (static_is_constrained(&k, j, 0))
                memcpy(pose, at, 3 * sizeof *pose);
            if (static_is_constrained(&k, j, 3))
                memcpy(pose + 3, at + 3, 9 * sizeof *pose);
            wy_gauss_put(m->start, pose, m, 12, j);
        }
    wy_system_free(k.A);
    free(k.memory);
    return s;
}
