/* Kahan's method in the Runge-Kutta form of proposition 7 of `002`, so that it applies to any field:
 *   (z_{n+1} - z_n)/h = -1/2 f(z_n) + 2 f((z_n + z_{n+1})/2) - 1/2 f(z_{n+1}).
 * On quadratic fields it is linearly implicit: Newton needs one iteration. Components after the system's `quadratic`
 * ones (the position of a rod, whose x' is cubic) are integrated by the midpoint rule,
 *   (x_{n+1} - x_n)/h = f((z_n + z_{n+1})/2). */

#include "integrate/implicit.h"

static size_t quadratic_components(const wy_system *f) {
    return f->quadratic ? f->quadratic : f->dim;
}

/* The unknown is the increment Z = z_{n+1} - z_n; scratch: f(z_n), a point, a value, a Jacobian. */
static void kahan_map(double *out, const double *Z, const wy_equations *e) {
    const wy_system *f = e->system;
    const size_t n = f->dim;
    const double *f0 = e->scratch;
    double *z = e->scratch + n, *fz = z + n;
    for (size_t i = 0; i < n; i++)
        z[i] = e->y[i] + 0.5 * Z[i];
    f->field(fz, z, f->context);
    for (size_t i = 0; i < n; i++)
        out[i] = e->h * (i < quadratic_components(f) ? 2.0 * fz[i] - 0.5 * f0[i] : fz[i]);
    for (size_t i = 0; i < n; i++)
        z[i] = e->y[i] + Z[i];
    f->field(fz, z, f->context);
    for (size_t i = 0; i < quadratic_components(f); i++)
        out[i] -= 0.5 * e->h * fz[i];
}

static void kahan_map_jacobian(double *J, const double *Z, const wy_equations *e) {
    const wy_system *f = e->system;
    const size_t n = f->dim;
    double *z = e->scratch + n, *F = z + 2 * n;
    for (size_t i = 0; i < n; i++)
        z[i] = e->y[i] + 0.5 * Z[i];
    f->jacobian(F, z, f->context);
    for (size_t i = 0; i < n * n; i++)
        J[i] = (i < quadratic_components(f) * n ? 1.0 : 0.5) * e->h * F[i];
    for (size_t i = 0; i < n; i++)
        z[i] = e->y[i] + Z[i];
    f->jacobian(F, z, f->context);
    for (size_t i = 0; i < quadratic_components(f) * n; i++)
        J[i] -= 0.5 * e->h * F[i];
}

static size_t kahan_work_size(const wy_integrator *self, const wy_system *system) {
    (void)self;
    const size_t n = system->dim;
    return n + 3 * n + n * n + wy_implicit_work(n);
}

static wy_status kahan_step(const wy_integrator *self, const void *config, const wy_system *system, double h, double *y,
                            double *work, wy_step_stats *stats, wy_error *err) {
    (void)self;
    const size_t n = system->dim;
    double *Z = work, *f0 = Z + n, *rest = f0 + 3 * n + n * n;
    const wy_equations e = {.system = system,
                            .h = h,
                            .y = y,
                            .stages = 1,
                            .scratch = f0,
                            .map = kahan_map,
                            .map_jacobian = kahan_map_jacobian};
    system->field(f0, y, system->context);
    stats->evaluations++;
    return wy_implicit_advance(&e, config, y, Z, rest, stats, err);
}

static size_t kahan_tangent_work_size(const wy_integrator *self, const wy_system *system, size_t columns) {
    const size_t n = system->dim;
    return kahan_work_size(self, system) + 2 * n + 3 * n * n + n * columns + n;
}

/* With F0, Fm, F1 the Jacobians at z_n, the midpoint and z_{n+1}:
 *   (I - h Fm + h/2 F1) dZ = h (2 Fm - F0/2 - F1/2) D,   midpoint components: (I - h/2 Fm) dZ = h Fm D */
static wy_status kahan_tangent(const wy_integrator *self, const void *config, const wy_system *system, double h,
                               double *y, double *D, size_t columns, double *work, wy_step_stats *stats,
                               wy_error *err) {
    const size_t n = system->dim;
    double *y0 = work + kahan_work_size(self, system), *z = y0 + n, *M = z + n, *N = M + n * n, *F = N + n * n,
           *rest = F + n * n;
    for (size_t i = 0; i < n; i++)
        y0[i] = y[i];
    wy_status status = kahan_step(self, config, system, h, y, work, stats, err);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        z[i] = 0.5 * (y0[i] + y[i]);
    system->jacobian(F, z, system->context);
    const size_t rows = quadratic_components(system) * n;
    for (size_t i = 0; i < n * n; i++) {
        M[i] = (i < rows ? -1.0 : -0.5) * h * F[i];
        N[i] = (i < rows ? 2.0 : 1.0) * h * F[i];
    }
    system->jacobian(F, y, system->context);
    for (size_t i = 0; i < rows; i++) {
        M[i] += 0.5 * h * F[i];
        N[i] -= 0.5 * h * F[i];
    }
    system->jacobian(F, y0, system->context);
    for (size_t i = 0; i < rows; i++)
        N[i] -= 0.5 * h * F[i];
    for (size_t i = 0; i < n; i++)
        M[i * n + i] += 1.0;
    status = wy_increment_tangent(D, columns, M, N, n, h, rest, err);
    for (size_t i = 0; i < n && status; i++)
        y[i] = y0[i];
    return status;
}

const wy_integrator wy_integrator_kahan = {
    .entry = {.name = "kahan",
              .alias = "KM",
              .doc = "Second order, symmetric; linearly implicit on quadratic fields.",
              .params = wy_implicit_params,
              .config_size = sizeof(wy_implicit)},
    .order = 2,
    .traits = WY_KEEPS_LINEAR | WY_SYMMETRIC | WY_IMPLICIT,
    .work_size = kahan_work_size,
    .step = kahan_step,
    .tangent_work_size = kahan_tangent_work_size,
    .tangent = kahan_tangent,
};
