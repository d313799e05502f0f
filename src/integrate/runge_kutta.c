/* One step of a Runge-Kutta method given by its tableau. */
#include "integrate/runge_kutta.h"

#include <math.h>
#include <string.h>

#include "integrate/implicit.h"

static const wy_tableau *tableau_of(const wy_integrator *self) {
    return self->data;
}

/* y <- y + h sum b_i K_i, refused if the result is not finite. */
static wy_status finish(const wy_tableau *t, const double *K, size_t n, double h, double *y, double *sum,
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

wy_status wy_explicit_rk_step(const wy_integrator *self, const void *config, const wy_system *system, double h, double *y,
                              double *work, wy_step_stats *stats, wy_error *err) {
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
    return finish(t, K, n, h, y, z, stats, err);
}

/* The unknowns are the stage increments Z_i = h sum_j a_ij f(y + Z_j): small, so that they carry all their digits. */
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
    /* Z, then the scratch of the map (K, z, f'), then the solver's own */
    return s * n + (s * n + n + n * n) + wy_implicit_work(s * n);
}

wy_status wy_implicit_rk_step(const wy_integrator *self, const void *config, const wy_system *system, double h, double *y,
                              double *work, wy_step_stats *stats, wy_error *err) {
    const wy_tableau *t = tableau_of(self);
    const size_t n = system->dim, s = t->stages;
    double *Z = work, *K = Z + s * n, *sum = K + s * n, *rest = sum + n + n * n;
    const wy_equations e = {.system = system, .h = h, .y = y, .stages = s, .self = t, .scratch = K,
                            .map = stage_map, .map_jacobian = stage_jacobian};
    for (size_t i = 0; i < s * n; i++)
        Z[i] = 0.0;
    const wy_status status = wy_implicit_solve(&e, config, Z, rest, stats, err);
    if (status)
        return status;
    /* K at the converged stages: then invariants hold to the residual of Z, not to its last change: docs/math (2.7) */
    for (size_t j = 0; j < s; j++) {
        for (size_t i = 0; i < n; i++)
            sum[i] = y[i] + Z[j * n + i];
        system->field(K + j * n, sum, system->context);
        stats->evaluations++;
    }
    return finish(t, K, n, h, y, sum, stats, err);
}
