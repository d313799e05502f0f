/* Rods that share nodes, in a step. Every end is a node that is kept; a rod is condensed to its two ends, K (12 x 12)
 * in their frames. With D_end = D_leader R and equal velocities in space, the unknowns of an end are those of its node
 * in the frame of the end,
 *
 *   u_end = T u_node,    T = diag(R^T, R^T)      sum over the ends of T^T K T u = -sum T^T r                   (10.50)
 *
 * with T constant. A complex root has a real system of twice the size. */
#include "motion/gauss_director/gauss_network.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/vec3.h"

enum { NODE = 6, PART = 144 }; /* unknowns of a node; numbers of K */

static const wy_gauss *model_of(const wy_motion_assembly *a, size_t rod) {
    return a->rods[rod]->method_data;
}

static size_t node_index(const wy_gauss *m, int end) {
    return end ? m->nodes - 1 : 0;
}

/* ---- the system of the kept nodes ---- */

/* A block for each rod: its two nodes, or one. `list`: two numbers a rod. */
static wy_status create_system(wy_system_matrix **out, const wy_motion_assembly *a, bool complex,
                               wy_system_block *block, size_t *list, size_t *sizes, wy_error *err) {
    for (size_t i = 0; i < a->count; i++) {
        list[2 * i] = a->end[i][0].node;
        list[2 * i + 1] = a->end[i][1].node;
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

void wy_gauss_network_start_of_end(double start[18], const wy_motion *rod, int end) {
    const wy_gauss *m = rod->method_data;
    wy_gauss_get(start, m->start, m, 18, node_index(m, end));
}

static wy_status check_stages(const wy_motion_assembly *a, wy_error *err) {
    const wy_gauss *first = model_of(a, 0);
    for (size_t i = 0; i < a->count; i++) {
        const wy_gauss *m = model_of(a, i);
        if (m->time.S != first->time.S || m->time.radau != first->time.radau)
            return wy_fail(err, WY_BAD_INPUT, "rod %zu: %d stages%s, but rod 1 has %d%s", i + 1, m->time.S,
                           m->time.radau ? ", dissipative" : "", first->time.S,
                           first->time.radau ? ", dissipative" : "");
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
                       "steps of %zu rods", a->count);
    if (!w)
        return WY_NO_MEMORY;
    w->assembly = a;
    w->stepping = (void *)(w + 1);
    w->fallback = (void *)(w->stepping + a->count);
    w->run = (void *)(w->fallback + a->count);
    double *x = w->memory = wy_memory_take(numbers, sizeof *x, err, "factors of %zu rods", a->count);
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

/* T^T K T of the ends a and b of a rod, from a block with rows of eight, added to the matrix `to`, `row` numbers a row,
 * times `sign`. */
static void add_turned(double *to, size_t row, double sign, const double *K, const double Ra[9], const double Rb[9]) {
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    double sum = 0.0;
                    for (int r = 0; r < 3; r++)
                        for (int s = 0; s < 3; s++)
                            sum += Ra[3 * i + r] * K[8 * (3 * p + r) + 3 * q + s] * Rb[3 * j + s];
                    to[(size_t)(3 * p + i) * row + (size_t)(3 * q + j)] += sign * sum;
                }
}

static void add_rod(wy_system_matrix *system, const wy_gauss_network *w, size_t rod, int root, bool complex) {
    const wy_kept_end *end = w->assembly->end[rod];
    const bool closed = end[0].node == end[1].node;
    const size_t node = complex ? 2 * NODE : NODE, row = closed ? node : 2 * node;
    double K[4 * PART * 4] = {0.0};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            const double *re = w->run[rod].block[root] + 48 * (2 * a + b), *im = re + WY_GAUSS_RUN_BLOCK;
            double *to = K + (closed ? 0 : (size_t)a * node * row + (size_t)b * node);
            add_turned(to, row, 1.0, re, end[a].R, end[b].R);
            if (!complex)
                continue;
            add_turned(to + NODE * row + NODE, row, 1.0, re, end[a].R, end[b].R);
            add_turned(to + NODE, row, -1.0, im, end[a].R, end[b].R);
            add_turned(to + NODE * row, row, 1.0, im, end[a].R, end[b].R);
        }
    wy_system_add(system, rod, K);
}

bool wy_gauss_network_factor(wy_gauss_stepping *k, double dt) {
    wy_gauss_network *w = k->network;
    (void)dt;
    for (int root = 0; root < k->m->time.roots; root++) {
        const bool complex = k->m->time.complex[root];
        wy_system_matrix *system = w->system[complex];
        wy_system_clear(system);
        for (size_t i = 0; i < k->count; i++)
            add_rod(system, w, i, root, complex);
        if (wy_system_factor(system, 0.0, NULL, NULL))
            return false;
    }
    return true;
}

/* b (6 numbers) in the frame of the node, from that of the end; and back. */
static void to_node(double out[6], const double R[9], const double b[6]) {
    for (int h = 0; h < 6; h += 3)
        for (int i = 0; i < 3; i++)
            out[h + i] = R[3 * i] * b[h] + R[3 * i + 1] * b[h + 1] + R[3 * i + 2] * b[h + 2];
}

static void to_end(double out[6], const double R[9], const double b[6]) {
    for (int h = 0; h < 6; h += 3)
        for (int i = 0; i < 3; i++)
            out[h + i] = R[i] * b[h] + R[3 + i] * b[h + 1] + R[6 + i] * b[h + 2];
}

void wy_gauss_network_solve(wy_gauss_stepping *k) {
    wy_gauss_network *w = k->network;
    const wy_motion_assembly *a = w->assembly;
    for (int root = 0; root < k->m->time.roots; root++) {
        const bool complex = k->m->time.complex[root];
        const size_t node = complex ? 2 * NODE : NODE;
        double u[NODE];
        memset(w->rhs, 0, node * a->nodes * sizeof *w->rhs);
        for (size_t i = 0; i < k->count; i++)
            for (int e = 0; e < 2; e++)
                for (int part = 0; part <= complex; part++) {
                    const wy_kept_end *end = &a->end[i][e];
                    double *b = w->rhs + node * end->node + NODE * (size_t)part;
                    to_node(u, end->R, k[i].w.rhs[root][part] + NODE * node_index(k[i].m, e));
                    for (int c = 0; c < NODE; c++)
                        if (!(a->constrains[end->node] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION)))
                            b[c] += u[c];
                }
        wy_system_solve(w->rhs, w->system[complex]);
        for (size_t i = 0; i < k->count; i++)
            for (int e = 0; e < 2; e++)
                for (int part = 0; part <= complex; part++) {
                    const wy_kept_end *end = &a->end[i][e];
                    to_end(k[i].w.rhs[root][part] + NODE * node_index(k[i].m, e), end->R,
                           w->rhs + node * end->node + NODE * (size_t)part);
                }
    }
}

/* ---- what the ends at a node have in common ---- */

typedef void tie_end(const wy_gauss_stepping *from, size_t j0, wy_gauss_stepping *to, size_t j, const wy_kept_end *end);

/* Calls `with` for every end but those that lead their nodes. */
static void tie(wy_gauss_stepping *k, tie_end *with) {
    const wy_motion_assembly *a = k->network->assembly;
    for (size_t i = 0; i < a->count; i++)
        for (int e = 0; e < 2; e++) {
            const wy_kept_end *end = &a->end[i][e];
            const wy_rod_end leader = a->leader[end->node];
            if (leader.rod != i || leader.end != e)
                with(&k[leader.rod], node_index(k[leader.rod].m, leader.end), &k[i], node_index(k[i].m, e), end);
        }
}

static void tie_rates(const wy_gauss_stepping *from, size_t j0, wy_gauss_stepping *to, size_t j,
                      const wy_kept_end *end) {
    (void)end;
    for (int i = 0; i < from->m->time.S; i++) {
        double v[3];
        wy_gauss_get(v, from->w.V[i], from->m, 3, j0);
        wy_gauss_put(to->w.V[i], v, to->m, 3, j);
        wy_gauss_get(v, from->w.w[i], from->m, 3, j0);
        wy_gauss_put(to->w.w[i], v, to->m, 3, j);
    }
}

void wy_gauss_network_tie_rates(wy_gauss_stepping *k) {
    tie(k, tie_rates);
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
    if (to->leader->network->assembly->constrains[end->node])
        wy_energy_balance_add(to->x, WY_STATE_WORK, wy_gauss_node_kinetic(to, j) - before);
}

void wy_gauss_network_tie_nodes(wy_gauss_stepping *k) {
    tie(k, tie_node);
}

void wy_gauss_network_add_residuals(double r[6], const wy_gauss_stepping *rod, int end, double dt, int stage) {
    const wy_gauss_stepping *k = rod->leader;
    const wy_motion_assembly *a = k->network->assembly;
    const size_t mine = (size_t)(rod - k), node = a->end[mine][end].node;
    for (size_t i = 0; i < a->count; i++)
        for (int e = 0; e < 2; e++) {
            double other[6];
            if (a->end[i][e].node != node || (i == mine && e == end))
                continue;
            k[i].loops->residual(other, k[i].m, &k[i].w, dt, node_index(k[i].m, e), stage);
            for (int c = 0; c < 6; c++)
                r[c] += other[c];
        }
}
