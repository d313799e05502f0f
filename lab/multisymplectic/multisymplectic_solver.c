/* Shooting with the multi-symplectic schemes, between two clamps. The unknowns are P and M at s = 0. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/multisymplectic.h>
#include <withy/rotation.h>

#include "base/given.h"
#include "base/memory.h"
#include "linalg/lu.h"
#include "math/vec3.h"
#include "equilibrium/equilibrium_model.h"

enum { D14 = WY_MS_DIM, B13 = WY_STATIC_DIM, COLUMNS = 6, SIZE = COLUMNS + WY_BVP_SYMMETRIES };

struct wy_ms_solver {
    equilibrium_model *model;
    wy_ms_rod rod; /* in rod units */
    int scheme;
    bool solved;
    wy_equilibrium_stats stats;
    double *z, *y;       /* nodes in rod units: conjugate form, static form */
    double *z_si, *y_si; /* the same in SI units */
};

void wy_ms_solver_free(wy_ms_solver *m) {
    if (!m)
        return;
    wy_equilibrium_model_free(m->model);
    free(m->z);
    free(m);
}

wy_status wy_ms_solver_create(wy_ms_solver **out, const wy_rod_definition *rod, int scheme, size_t steps, double alpha,
                              wy_error *err) {
    if (!out || !rod)
        return wy_fail(err, WY_BAD_INPUT, "no rod to solve, or no place for the solver: NULL");
    *out = NULL;
    wy_status s = wy_equilibrium_check(rod, NULL, err);
    if (s)
        return s;
    if (scheme < WY_MS_RATTLE || scheme > WY_MS_RATTLE_PRINTED || steps < 1 || !isfinite(alpha))
        return wy_fail(err, WY_BAD_INPUT, "scheme %d, %zu steps, alpha %g: expected 0 to %d, at least 1, a number",
                       scheme, steps, alpha, WY_MS_RATTLE_PRINTED);
    wy_ms_solver *m = calloc(1, sizeof *m);
    double *nodes =
        wy_memory_take(wy_size_sum(steps, 1), 2 * (D14 + B13) * sizeof *nodes, err, "%zu steps along the rod", steps);
    if (!m || !nodes) {
        const wy_status none = nodes ? wy_fail(err, WY_NO_MEMORY, "no memory for %zu steps", steps) : WY_NO_MEMORY;
        free(m);
        free(nodes);
        return none;
    }
    m->z = nodes;
    m->y = m->z + (steps + 1) * D14;
    m->z_si = m->y + (steps + 1) * B13;
    m->y_si = m->z_si + (steps + 1) * D14;
    m->scheme = scheme;
    s = wy_equilibrium_model_create(&m->model, rod, steps, err);
    if (!s) {
        const equilibrium_control *c = &m->model->control;
        const equilibrium_model *st = m->model;
        const unsigned both = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION;
        if (!st->straight || !equilibrium_end_constrains(&c->left, both) ||
            !equilibrium_end_constrains(&c->right, both) || wy_equilibrium_control_loaded(c))
            s = wy_fail(err, WY_UNSUPPORTED,
                        "the multi-symplectic form is written for a uniform straight rod between two clamps, "
                        "without distributed load");
        for (int i = 0; i < 3; i++) {
            m->rod.inv_CM[i] = 1.0 / st->CM[i];
            m->rod.inv_CP[i] = 1.0 / st->CP[i];
        }
        m->rod.stretch = st->nu[2];
        m->rod.alpha = alpha == 0.0 ? st->CM[0] : alpha / (m->model->moment * m->model->L);
    }
    if (s) {
        wy_ms_solver_free(m);
        return s;
    }
    *out = m;
    return WY_OK;
}

/* Integrates all nodes from P and M at the left end, and the derivative of the last one by them (14 x 6). */
static wy_status integrate_multisymplectic(wy_ms_solver *m, const double PM[COLUMNS], double *D, wy_error *err) {
    double y[B13] = {0};
    memcpy(y, PM, COLUMNS * sizeof *y);
    wy_equilibrium_end_target(y + WY_STATIC_Q, &m->model->control.left);
    v3_copy(y + WY_STATIC_X, m->model->control.left.position);
    wy_ms_from_static(m->z, y);
    memset(D, 0, sizeof(double[D14 * COLUMNS]));
    for (size_t k = 0; k < COLUMNS; k++) { /* z is linear in P and M */
        double e[B13] = {0}, column[D14];
        memcpy(e + WY_STATIC_Q, y + WY_STATIC_Q, 4 * sizeof *e);
        e[k] = 1.0;
        wy_ms_from_static(column, e);
        for (size_t i = WY_MS_VX; i < D14; i++)
            D[i * COLUMNS + k] = column[i];
    }
    const size_t N = m->model->elements;
    for (size_t n = 0; n < N; n++) {
        const double *before = m->z + n * D14;
        double *z = m->z + (n + 1) * D14;
        memcpy(z, before, D14 * sizeof *z);
        const wy_status s = wy_ms_step(&m->rod, m->scheme, m->model->s[n + 1] - m->model->s[n], z, D, COLUMNS, err);
        if (s)
            return wy_fail_at(err, s, "%s, step %zu of %zu", wy_ms_schemes[m->scheme], n + 1, N);
    }
    for (size_t n = 0; n <= N; n++)
        wy_ms_to_static(m->y + n * B13, m->z + n * D14);
    return WY_OK;
}

static wy_status multisymplectic_newton_step(wy_ms_solver *m, double PM[COLUMNS], double *length, wy_error *err) {
    double D[D14 * COLUMNS], r[B13], B[7 * B13], A[SIZE * SIZE] = {0}, b[SIZE] = {0}, probe[SIZE];
    double phase[WY_BVP_SYMMETRIES * B13], redundant[6 * WY_BVP_SYMMETRIES], norm = 0.0;
    size_t pivots[SIZE];
    wy_status s = integrate_multisymplectic(m, PM, D, err);
    if (s)
        return s;
    const size_t N = m->model->elements, k = wy_equilibrium_symmetries(phase, redundant, m->y, m->model),
                 size = COLUMNS + k;
    wy_equilibrium_right_rows(r, B, m->y + N * B13, m->model);
    m->stats.residual = 0.0;
    m->stats.symmetries = k;
    for (size_t i = 0; i < 6; i++) { /* clamped: the rows contain q and x only, which are the same in both forms */
        for (size_t j = 0; j < COLUMNS; j++) {
            double sum = 0.0;
            for (size_t c = 0; c < 4; c++)
                sum += B[i * B13 + WY_STATIC_Q + c] * D[(WY_MS_Q + c) * COLUMNS + j];
            for (size_t c = 0; c < 3; c++)
                sum += B[i * B13 + WY_STATIC_X + c] * D[(WY_MS_X + c) * COLUMNS + j];
            A[i * size + j] = sum;
        }
        for (size_t j = 0; j < k; j++)
            A[i * size + COLUMNS + j] = redundant[i * k + j];
        b[i] = -r[i];
        m->stats.residual = fmax(m->stats.residual, fabs(r[i]));
    }
    for (size_t j = 0; j < k; j++)
        memcpy(A + (6 + j) * size, phase + j * B13, COLUMNS * sizeof *A);
    for (size_t i = 0; i < size; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < size; j++)
            sum += fabs(A[i * size + j]);
        norm = fmax(norm, sum);
        probe[i] = wy_bvp_probe(i);
    }
    if (!wy_lu_factor(A, pivots, size))
        return wy_fail(err, WY_NO_CONVERGENCE, "the shooting matrix is singular (residual %.3g)", m->stats.residual);
    wy_lu_solve(b, A, pivots, size);
    wy_lu_solve(probe, A, pivots, size);
    *length = m->stats.redundant_residual = m->stats.condition = 0.0;
    for (size_t i = 0; i < size; i++) {
        if (i < COLUMNS)
            *length = fmax(*length, fabs(b[i]));
        else
            m->stats.redundant_residual = fmax(m->stats.redundant_residual, fabs(b[i]));
        m->stats.condition = fmax(m->stats.condition, norm * fabs(probe[i]));
    }
    const double scale = *length > 2.0 ? 2.0 / *length : 1.0;
    for (size_t i = 0; i < COLUMNS; i++)
        PM[i] += scale * b[i];
    return isfinite(*length) ? WY_OK : wy_fail(err, WY_NOT_FINITE, "the Newton step is not finite");
}

wy_status wy_ms_solve(wy_ms_solver *m, const double P0[3], const double M0[3], wy_error *err) {
    WY_GIVEN(m && P0 && M0, err);
    double PM[COLUMNS], D[D14 * COLUMNS], previous = INFINITY, length = INFINITY;
    v3_scale(PM, 1.0 / m->model->force, P0);
    v3_scale(PM + 3, 1.0 / m->model->moment, M0);
    m->solved = false;
    m->stats = (wy_equilibrium_stats){.points = 1};
    bool done = false;
    for (int it = 0; it < 40 && !done; it++) {
        const wy_status s = multisymplectic_newton_step(m, PM, &length, err);
        if (s)
            return s;
        m->stats.iterations = ++m->stats.total_iterations;
        m->stats.step = length;
        done = length <= 64 * DBL_EPSILON || (length <= 1e-7 && length >= 0.5 * previous);
        previous = length;
    }
    if (!done)
        return wy_fail(err, WY_NO_CONVERGENCE,
                       "%s with %zu steps: Newton step %.3g (residual %.3g) after 40 iterations",
                       wy_ms_schemes[m->scheme], m->model->elements, length, m->stats.residual);
    const wy_status s = integrate_multisymplectic(m, PM, D, err);
    if (s)
        return s;
    const size_t nodes = m->model->elements + 1;
    wy_equilibrium_model_to_si(m->y_si, m->model, m->y, nodes);
    for (size_t n = 0; n < nodes; n++)
        for (size_t i = 0; i < D14; i++) {
            const double unit = i < WY_MS_Q    ? m->model->L
                                : i < WY_MS_VX ? 1.0
                                : i < WY_MS_V  ? m->model->force
                                               : m->model->moment;
            m->z_si[n * D14 + i] = m->z[n * D14 + i] * unit;
        }
    m->solved = true;
    return WY_OK;
}

const double *wy_ms_nodes(const wy_ms_solver *m) {
    return m->solved ? m->z_si : NULL;
}
const double *wy_ms_states(const wy_ms_solver *m) {
    return m->solved ? m->y_si : NULL;
}
const wy_equilibrium_stats *wy_ms_statistics(const wy_ms_solver *m) {
    return &m->stats;
}
