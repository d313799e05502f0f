/* Fixed point and Newton for z = F(z), with a stopping criterion at round-off. */
#include "integrate/implicit.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "linalg/lu.h"
#include "math/elementary.h"
#include "math/largest.h"

static const char *const solver_names[] = {[WY_FIXED_POINT] = "fixed-point", [WY_NEWTON] = "newton", NULL};

const wy_param wy_implicit_params[] = {
    WY_PARAM(wy_implicit, solver, .key = "solver", .doc = "How the implicit equations are solved.",
             .type = WY_TYPE_NAME, .names = solver_names, .default_text = "newton"),
    WY_PARAM(wy_implicit, tolerance, .key = "tolerance",
             .doc =
                 "Largest change of the last iteration, relative to the length of each vector; 0 = down to round-off.",
             .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = 0.0, .high = 0.1, .default_text = "0"),
    WY_PARAM(wy_implicit, max_iterations, .key = "max_iterations",
             .doc = "More iterations than this in one step are an error.", .unit = "1", .type = WY_TYPE_INTEGER,
             .rule = WY_RULE_BETWEEN, .low = 1, .high = 100000, .default_text = "100"),
    {0},
};

wy_status wy_step_finite(const double *y, size_t n, wy_error *err) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(y[i]))
            return wy_fail(err, WY_NOT_FINITE, "component %zu of the state became %g", i, y[i]);
    return WY_OK;
}

size_t wy_implicit_work(size_t n) {
    /* two vectors, the matrix, and the pivots (size_t is no larger than a double) */
    return 2 * n + n * n + n;
}

static double block_length(const double *v, const wy_block *block) {
    double sum = 0.0;
    for (size_t i = block->offset; i < block->offset + block->size; i++)
        sum += v[i] * v[i];
    if (sum > 0x1p-900 && sum < 0x1p900)
        return sqrt(sum);
    double length = 0.0; /* the squares overflowed or underflowed */
    for (size_t i = block->offset; i < block->offset + block->size; i++)
        length = wy_hypot(length, v[i]);
    return length;
}

/* Largest |d| of a block, relative to the longer of the block in y and its increment z: a block that starts near zero
 * and is driven away has no digits below those of z. The change of a block that is zero and stays zero is absolute. */
static double relative_change(const wy_equations *e, const double *d, const double *z) {
    const wy_system *f = e->system;
    const wy_block whole = {0, f->dim, false};
    const wy_block *blocks = f->blocks ? f->blocks : &whole;
    const size_t count = f->blocks ? f->block_count : 1;
    double largest = 0.0;
    for (size_t b = 0; b < count; b++) {
        const double y = block_length(e->y, &blocks[b]);
        for (size_t s = 0; s < e->stages; s++) {
            const double scale = fmax(y, block_length(z + s * f->dim, &blocks[b]));
            largest = wy_larger(largest, block_length(d + s * f->dim, &blocks[b]) / (scale > 0.0 ? scale : 1.0));
        }
    }
    return largest;
}

wy_status wy_implicit_solve(const wy_equations *e, const wy_implicit *config, double *z, double *work,
                            wy_step_stats *stats, wy_error *err) {
    const size_t n = e->stages * e->system->dim;
    double *d = work, *J = work + 2 * n;
    size_t *pivots = (size_t *)(void *)(J + n * n);
    const double roundoff = 64 * DBL_EPSILON;
    double change = 0.0, previous = INFINITY;
    for (int64_t it = 1; it <= config->max_iterations; it++) {
        e->map(d, z, e);
        stats->iterations++;
        stats->evaluations += (int64_t)e->stages;
        for (size_t i = 0; i < n; i++)
            d[i] -= z[i];
        if (config->solver == WY_NEWTON) {
            /* z - F(z) = 0:  (I - F') d = F(z) - z */
            e->map_jacobian(J, z, e);
            for (size_t i = 0; i < n * n; i++)
                J[i] = -J[i];
            for (size_t i = 0; i < n; i++)
                J[i * n + i] += 1.0;
            if (!wy_lu_factor(J, pivots, n)) {
                for (size_t i = 0; i < n; i++)
                    if (!isfinite(d[i]))
                        return wy_fail(err, WY_NOT_FINITE,
                                       "the field became %g inside the step of %g (component %zu, iteration %lld)",
                                       d[i], e->h, i % e->system->dim, (long long)it);
                return wy_fail(err, WY_NO_CONVERGENCE,
                               "the Newton matrix of the step is singular at iteration %lld (step %g too large?)",
                               (long long)it, e->h);
            }
            wy_lu_solve(d, J, pivots, n);
        }
        for (size_t i = 0; i < n; i++)
            z[i] += d[i];
        change = relative_change(e, d, z);
        if (!isfinite(change))
            return wy_fail(err, WY_NOT_FINITE, "the implicit step of %g diverged at iteration %lld (step too large?)",
                           e->h, (long long)it);
        /* At round-off the change stops shrinking: further iterations gain nothing, whatever the tolerance. Newton is
         * there at the first change below round-off, since its next change would be the square of this one. */
        if ((change <= config->tolerance && config->tolerance > 0.0) || change == 0.0 ||
            (change <= roundoff && (config->solver == WY_NEWTON || change >= 0.5 * previous))) {
            if (change > stats->change)
                stats->change = change;
            return WY_OK;
        }
        previous = change;
    }
    return wy_fail(err, WY_NO_CONVERGENCE,
                   "the implicit step of %g did not converge: change %.3g after %lld %s iterations, tolerance %g", e->h,
                   change, (long long)config->max_iterations, solver_names[config->solver], config->tolerance);
}

wy_status wy_implicit_advance(const wy_equations *e, const wy_implicit *config, double *y, double *Z, double *work,
                              wy_step_stats *stats, wy_error *err) {
    const size_t n = e->system->dim;
    for (size_t i = 0; i < n; i++)
        Z[i] = 0.0;
    wy_status s = wy_implicit_solve(e, config, Z, work, stats, err);
    if (s)
        return s;
    for (size_t i = 0; i < n; i++)
        Z[i] += y[i];
    s = wy_step_finite(Z, n, err);
    if (s)
        return s;
    memcpy(y, Z, n * sizeof *y);
    stats->steps++;
    return WY_OK;
}

wy_status wy_increment_tangent(double *D, size_t columns, double *M, const double *N, size_t n, double h, double *work,
                               wy_error *err) {
    double *dZ = work;
    size_t *pivots = (size_t *)(void *)(work + n * columns);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < columns; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++)
                sum += N[i * n + k] * D[k * columns + j];
            dZ[i * columns + j] = sum;
        }
    if (!wy_lu_factor(M, pivots, n))
        return wy_fail(err, WY_NO_CONVERGENCE, "the tangent of the step of %g is singular (step too large?)", h);
    wy_lu_solve_many(dZ, columns, M, pivots, n);
    for (size_t i = 0; i < n * columns; i++)
        D[i] += dZ[i];
    return WY_OK;
}
