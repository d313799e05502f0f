/* One step of a Runge-Kutta method given by its tableau. */
#include "integrate/runge_kutta.h"

#include <math.h>
#include <string.h>

#include "integrate/implicit.h"
#include "linalg/lu.h"

static const wy_tableau *tableau_of(const wy_integrator *self) {
    return self->data;
}

/* y <- y + h sum b_i K_i; fails if the result is not finite. */
static wy_status add_weighted_stages(const wy_tableau *t, const double *K, size_t n, double h, double *y, double *sum,
                                     wy_step_stats *stats, wy_error *err) {
    for (size_t i = 0; i < n; i++) {
        double s = 0.0;
        for (size_t k = 0; k < t->stages; k++)
            s += t->b[k] * K[k * n + i];
        sum[i] = y[i] + h * s;
    }
    const wy_status s = wy_step_finite(sum, n, err);
    if (s)
        return s;
    memcpy(y, sum, n * sizeof *y);
    stats->steps++;
    return WY_OK;
}

size_t wy_explicit_rk_work(const wy_integrator *self, const wy_system *system) {
    return (tableau_of(self)->stages + 1) * system->dim;
}

wy_status wy_explicit_rk_step(const wy_integrator *self, const void *config, const wy_system *system, double h,
                              double *y, double *work, wy_step_stats *stats, wy_error *err) {
    (void)config;
    const wy_tableau *t = tableau_of(self);
    const size_t n = system->dim;
    double *K = work, *z = work + t->stages * n;
    for (size_t k = 0; k < t->stages; k++) {
        for (size_t i = 0; i < n; i++) {
            double s = 0.0;
            for (size_t j = 0; j < k; j++)
                s += t->a[k * t->stages + j] * K[j * n + i];
            z[i] = y[i] + h * s;
        }
        system->field(K + k * n, z, system->context);
        stats->evaluations++;
    }
    return add_weighted_stages(t, K, n, h, y, z, stats, err);
}

/* The unknowns are the stage increments Z_i = h sum_j a_ij f(y + Z_j): small, so that they have all their digits. */
static void stage_map(double *out, const double *Z, const wy_equations *e) {
    const wy_tableau *t = e->self;
    const size_t n = e->system->dim, s = t->stages;
    double *K = e->scratch, *z = e->scratch + s * n;
    for (size_t j = 0; j < s; j++) {
        for (size_t i = 0; i < n; i++)
            z[i] = e->y[i] + Z[j * n + i];
        e->system->field(K + j * n, z, e->system->context);
    }
    for (size_t k = 0; k < s; k++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < s; j++)
                sum += t->a[k * s + j] * K[j * n + i];
            out[k * n + i] = e->h * sum;
        }
}

static void stage_jacobian(double *J, const double *Z, const wy_equations *e) {
    const wy_tableau *t = e->self;
    const size_t n = e->system->dim, s = t->stages, m = s * n;
    double *z = e->scratch + s * n, *F = z + n;
    for (size_t j = 0; j < s; j++) {
        for (size_t i = 0; i < n; i++)
            z[i] = e->y[i] + Z[j * n + i];
        e->system->jacobian(F, z, e->system->context);
        for (size_t k = 0; k < s; k++)
            for (size_t row = 0; row < n; row++)
                for (size_t col = 0; col < n; col++)
                    J[(k * n + row) * m + j * n + col] = e->h * t->a[k * s + j] * F[row * n + col];
    }
}

size_t wy_implicit_rk_work(const wy_integrator *self, const wy_system *system) {
    const size_t n = system->dim, s = tableau_of(self)->stages;
    /* Z, then the scratch of the map (K, z, f'), then the scratch of the solver */
    return s * n + (s * n + n + n * n) + wy_implicit_work(s * n);
}

wy_status wy_implicit_rk_step(const wy_integrator *self, const void *config, const wy_system *system, double h,
                              double *y, double *work, wy_step_stats *stats, wy_error *err) {
    const wy_tableau *t = tableau_of(self);
    const size_t n = system->dim, s = t->stages;
    double *Z = work, *K = Z + s * n, *sum = K + s * n, *rest = sum + n + n * n;
    const wy_equations e = {.system = system,
                            .h = h,
                            .y = y,
                            .stages = s,
                            .self = t,
                            .scratch = K,
                            .map = stage_map,
                            .map_jacobian = stage_jacobian};
    for (size_t i = 0; i < s * n; i++)
        Z[i] = 0.0;
    const wy_status status = wy_implicit_solve(&e, config, Z, rest, stats, err);
    if (status)
        return status;
    /* K at the converged stages: invariants then hold to the residual of Z, not to its last change: docs/math (2.7) */
    for (size_t j = 0; j < s; j++) {
        for (size_t i = 0; i < n; i++)
            sum[i] = y[i] + Z[j * n + i];
        system->field(K + j * n, sum, system->context);
        stats->evaluations++;
    }
    return add_weighted_stages(t, K, n, h, y, sum, stats, err);
}

/* C = A B with A n x n, B n x m */
static void square_times_dense(double *C, const double *A, const double *B, size_t n, size_t m) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++)
            C[i * m + j] = 0.0;
        for (size_t k = 0; k < n; k++) {
            const double a = A[i * n + k];
            if (a != 0.0)
                for (size_t j = 0; j < m; j++)
                    C[i * m + j] += a * B[k * m + j];
        }
    }
}

size_t wy_explicit_rk_tangent_work(const wy_integrator *self, const wy_system *system, size_t columns) {
    const size_t n = system->dim, s = tableau_of(self)->stages;
    return s * n + n + n * n + (s + 1) * n * columns;
}

/* K_i' = f'(z_i) (D + h sum_j a_ij K_j'),  D <- D + h sum_i b_i K_i' */
wy_status wy_explicit_rk_tangent(const wy_integrator *self, const void *config, const wy_system *system, double h,
                                 double *y, double *D, size_t columns, double *work, wy_step_stats *stats,
                                 wy_error *err) {
    (void)config;
    const wy_tableau *t = tableau_of(self);
    const size_t n = system->dim, s = t->stages, size = n * columns;
    double *K = work, *z = K + s * n, *J = z + n, *dK = J + n * n, *dz = dK + s * size;
    for (size_t k = 0; k < s; k++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < k; j++)
                sum += t->a[k * s + j] * K[j * n + i];
            z[i] = y[i] + h * sum;
        }
        for (size_t i = 0; i < size; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < k; j++)
                sum += t->a[k * s + j] * dK[j * size + i];
            dz[i] = D[i] + h * sum;
        }
        system->field(K + k * n, z, system->context);
        system->jacobian(J, z, system->context);
        square_times_dense(dK + k * size, J, dz, n, columns);
        stats->evaluations++;
    }
    const wy_status status = add_weighted_stages(t, K, n, h, y, z, stats, err);
    if (status)
        return status;
    for (size_t i = 0; i < size; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < s; k++)
            sum += t->b[k] * dK[k * size + i];
        D[i] += h * sum;
    }
    return WY_OK;
}

size_t wy_implicit_rk_tangent_work(const wy_integrator *self, const wy_system *system, size_t columns) {
    const size_t n = system->dim, s = tableau_of(self)->stages;
    /* the scratch of the step; then a copy of y, f' at the stages, the matrix, right-hand sides, pivots, one product */
    return wy_implicit_rk_work(self, system) + n + s * n * n + s * n * s * n + s * n * columns + s * n + n * columns;
}

/* dZ_i = h sum_j a_ij f'(y + Z_j) (D + dZ_j), linear in dZ;  D <- D + h sum_j b_j f'(y + Z_j) (D + dZ_j) */
wy_status wy_implicit_rk_tangent(const wy_integrator *self, const void *config, const wy_system *system, double h,
                                 double *y, double *D, size_t columns, double *work, wy_step_stats *stats,
                                 wy_error *err) {
    const wy_tableau *t = tableau_of(self);
    const size_t n = system->dim, s = t->stages, m = s * n, size = n * columns;
    const double *Z = work; /* wy_implicit_rk_step leaves the stage increments here */
    double *y0 = work + wy_implicit_rk_work(self, system), *F = y0 + n, *A = F + s * n * n, *dZ = A + m * m;
    size_t *pivots = (size_t *)(void *)(dZ + m * columns);
    double *P = dZ + m * columns + m;
    memcpy(y0, y, n * sizeof *y);
    wy_status status = wy_implicit_rk_step(self, config, system, h, y, work, stats, err);
    if (status)
        return status;
    double *z = work + m + s * n; /* scratch of the step, no longer in use */
    for (size_t j = 0; j < s; j++) {
        for (size_t i = 0; i < n; i++)
            z[i] = y0[i] + Z[j * n + i];
        system->jacobian(F + j * n * n, z, system->context);
    }
    for (size_t i = 0; i < m * columns; i++)
        dZ[i] = 0.0;
    for (size_t j = 0; j < s; j++) {
        square_times_dense(P, F + j * n * n, D, n, columns);
        for (size_t k = 0; k < s; k++) {
            const double ha = h * t->a[k * s + j];
            for (size_t row = 0; row < n; row++)
                for (size_t col = 0; col < n; col++)
                    A[(k * n + row) * m + j * n + col] =
                        (k == j && row == col ? 1.0 : 0.0) - ha * F[(j * n + row) * n + col];
            for (size_t i = 0; i < size; i++)
                dZ[k * size + i] += ha * P[i];
        }
    }
    if (!wy_lu_factor(A, pivots, m)) {
        memcpy(y, y0, n * sizeof *y);
        return wy_fail(err, WY_NO_CONVERGENCE, "the tangent of the step of %g is singular (step too large?)", h);
    }
    wy_lu_solve_many(dZ, columns, A, pivots, m);
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < size; i++)
            dZ[j * size + i] += D[i];
    for (size_t j = 0; j < s; j++) {
        square_times_dense(P, F + j * n * n, dZ + j * size, n, columns);
        for (size_t i = 0; i < size; i++)
            D[i] += h * t->b[j] * P[i];
    }
    return WY_OK;
}
