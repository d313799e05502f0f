/* The spherical midpoint method (McLachlan, Modin, Verdier 2014):
 *   (W - w)/h = f(G),   G_b = |w_b| (w_b + W_b)/|w_b + W_b| on each sphere block b,   (w_b + W_b)/2 elsewhere.
 * f is tangent to the spheres, so (W - w).(W + w) = 0 and each |w_b| is conserved. */
#include <math.h>

#include "integrate/implicit.h"

/* G of all blocks. With W = w + Z and u = w + Z/2:  G = |w| u/|u|,
 *   dG/dZ = (|w|/|u|) (I - u u^T/|u|^2)/2 on a sphere block. */
static void sphere_point(double *G, const double *Z, const wy_equations *e) {
    const wy_system *f = e->system;
    for (size_t b = 0; b < f->block_count; b++) {
        const size_t o = f->blocks[b].offset, m = f->blocks[b].size;
        double w2 = 0.0, u2 = 0.0;
        for (size_t i = o; i < o + m; i++) {
            G[i] = e->y[i] + 0.5 * Z[i];
            w2 += e->y[i] * e->y[i];
            u2 += G[i] * G[i];
        }
        if (f->blocks[b].sphere && w2 > 0.0) /* u = 0 gives NaN, which the iteration reports */
            for (size_t i = o; i < o + m; i++)
                G[i] *= sqrt(w2 / u2);
    }
}

static void spherical_midpoint_map(double *out, const double *Z, const wy_equations *e) {
    double *G = e->scratch;
    sphere_point(G, Z, e);
    e->system->field(out, G, e->system->context);
    for (size_t i = 0; i < e->system->dim; i++)
        out[i] *= e->h;
}

static void spherical_midpoint_map_jacobian(double *J, const double *Z, const wy_equations *e) {
    const wy_system *f = e->system;
    const size_t n = f->dim;
    double *G = e->scratch, *F = G + n;
    sphere_point(G, Z, e);
    f->jacobian(F, G, f->context);
    for (size_t b = 0; b < f->block_count; b++) {
        const size_t o = f->blocks[b].offset, m = f->blocks[b].size;
        double w2 = 0.0, u2 = 0.0;
        for (size_t i = o; i < o + m; i++) {
            const double u = e->y[i] + 0.5 * Z[i];
            w2 += e->y[i] * e->y[i];
            u2 += u * u;
        }
        const int sphere = f->blocks[b].sphere && w2 > 0.0;
        const double ratio = sphere ? sqrt(w2 / u2) : 1.0;
        for (size_t row = 0; row < n; row++) {
            double along = 0.0; /* F_row . G, with G = |w| u/|u| */
            if (sphere)
                for (size_t i = o; i < o + m; i++)
                    along += F[row * n + i] * G[i];
            for (size_t i = o; i < o + m; i++)
                J[row * n + i] = 0.5 * e->h * ratio * (F[row * n + i] - (sphere ? along * G[i] / w2 : 0.0));
        }
    }
}

static size_t spherical_midpoint_work_size(const wy_integrator *self, const wy_system *system) {
    (void)self;
    const size_t n = system->dim;
    return n + n + n * n + wy_implicit_work(n);
}

static wy_status spherical_midpoint_step(const wy_integrator *self, const void *config, const wy_system *system,
                                         double h, double *y, double *work, wy_step_stats *stats, wy_error *err) {
    (void)self;
    const size_t n = system->dim;
    double *Z = work, *scratch = Z + n, *rest = scratch + n + n * n;
    const wy_equations e = {.system = system,
                            .h = h,
                            .y = y,
                            .stages = 1,
                            .scratch = scratch,
                            .map = spherical_midpoint_map,
                            .map_jacobian = spherical_midpoint_map_jacobian};
    return wy_implicit_advance(&e, config, y, Z, rest, stats, err);
}

static size_t spherical_midpoint_tangent_work_size(const wy_integrator *self, const wy_system *system, size_t columns) {
    const size_t n = system->dim;
    return spherical_midpoint_work_size(self, system) + n + 2 * n * n + n * columns + n;
}

/* G = |w| u/|u| with u = w + Z/2 has dG/dw = 2 dG/dZ + G w^T/|w|^2 on a sphere, dG/dw = 2 dG/dZ elsewhere:
 *   (I - h F dG/dZ) dZ = h F dG/dw D                                                      */
static wy_status spherical_midpoint_tangent(const wy_integrator *self, const void *config, const wy_system *system,
                                            double h, double *y, double *D, size_t columns, double *work,
                                            wy_step_stats *stats, wy_error *err) {
    const size_t n = system->dim;
    double *Z = work, *scratch = Z + n,
           *F = scratch + n; /* spherical_midpoint_map_jacobian leaves G and f'(G) in scratch */
    double *y0 = work + spherical_midpoint_work_size(self, system), *M = y0 + n, *N = M + n * n, *rest = N + n * n;
    for (size_t i = 0; i < n; i++)
        y0[i] = y[i];
    wy_status status = spherical_midpoint_step(self, config, system, h, y, work, stats, err);
    if (status)
        return status;
    const wy_equations e = {.system = system, .h = h, .y = y0, .stages = 1, .scratch = scratch};
    for (size_t i = 0; i < n; i++)
        Z[i] = y[i] - y0[i];
    spherical_midpoint_map_jacobian(M, Z, &e);
    for (size_t i = 0; i < n * n; i++) {
        N[i] = 2.0 * M[i];
        M[i] = -M[i];
    }
    for (size_t b = 0; b < system->block_count; b++) {
        const size_t o = system->blocks[b].offset, m = system->blocks[b].size;
        double w2 = 0.0;
        for (size_t i = o; i < o + m; i++)
            w2 += y0[i] * y0[i];
        if (!system->blocks[b].sphere || !(w2 > 0.0))
            continue;
        for (size_t row = 0; row < n; row++) {
            double along = 0.0;
            for (size_t i = o; i < o + m; i++)
                along += F[row * n + i] * scratch[i];
            for (size_t i = o; i < o + m; i++)
                N[row * n + i] += h * along * y0[i] / w2;
        }
    }
    for (size_t i = 0; i < n; i++)
        M[i * n + i] += 1.0;
    status = wy_increment_tangent(D, columns, M, N, n, h, rest, err);
    for (size_t i = 0; i < n && status; i++)
        y[i] = y0[i];
    return status;
}

const wy_integrator wy_integrator_spherical_midpoint = {
    .entry = {.name = "spherical-midpoint",
              .alias = "SM",
              .doc = "Second order, symmetric; for systems on spheres, whose radii it keeps.",
              .params = wy_implicit_params,
              .config_size = sizeof(wy_implicit)},
    .order = 2,
    .traits = WY_KEEPS_LINEAR | WY_SYMMETRIC | WY_IMPLICIT | WY_NEEDS_SPHERES,
    .work_size = spherical_midpoint_work_size,
    .step = spherical_midpoint_step,
    .tangent_work_size = spherical_midpoint_tangent_work_size,
    .tangent = spherical_midpoint_tangent,
};
