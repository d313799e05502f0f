/* The Newton loop of the boundary-value solvers. */
#include "solve/bvp.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

double wy_bvp_probe(size_t i) {
    const double x = 0.6180339887498949 * (double)(i + 1);
    return 2.0 * (x - floor(x)) - 1.0;
}

void wy_bvp_solver_free(wy_bvp_solver *solver) {
    if (solver)
        solver->destroy(solver);
}

/* Sets stats->residual to the largest residual of the end conditions at y. */
static void set_end_residual(const wy_bvp *p, const double *y, wy_bvp_stats *stats) {
    double r[WY_BVP_DIM], B[WY_BVP_DIM * WY_BVP_DIM], worst = 0.0;
    p->left_rows(r, B, y, p->context);
    for (size_t i = 0; i < p->left; i++)
        worst = fmax(worst, fabs(r[i]));
    p->right_rows(r, B, y + p->elements * p->dim, p->context);
    for (size_t i = 0; i < p->right; i++)
        worst = fmax(worst, fabs(r[i]));
    stats->residual = worst;
}

/* Whether residual and step are negligible relative to the largest number of y. */
static bool newton_at_round_off(const wy_bvp_solver *solver, double length, double residual, const double *y) {
    double largest = 1.0;
    for (size_t i = 0; i < (solver->bvp.elements + 1) * solver->bvp.dim; i++)
        largest = fmax(largest, fabs(y[i]));
    return length <= 1e-7 * largest && residual <= 1e-14 * largest;
}

wy_status wy_bvp_solver_correct(wy_bvp_solver *solver, const wy_newton *newton, double *y, wy_bvp_stats *stats,
                                wy_error *err) {
    const double roundoff = 64 * DBL_EPSILON;
    double previous = INFINITY;
    wy_status s = solver->begin(solver, y, err);
    if (s)
        return s;
    for (int64_t it = 1; it <= newton->max_iterations; it++) {
        double length;
        s = solver->step(solver, y, &length, stats, err);
        if (s)
            return s;
        stats->iterations++;
        stats->step = length;
        /* A step below `near` that no longer shrinks is round-off: further iterations gain nothing, whatever the
         * tolerance. An ill-conditioned problem (a thin straight rod between clamps, whose force is EA times a
         * difference of lengths) determines its unknowns only to round-off times the condition number. */
        const double near = fmax(1e-8, fmin(1e-4, 8 * DBL_EPSILON * stats->condition));
        if (!isfinite(length))
            return wy_fail(err, WY_NOT_FINITE, "the Newton step is not finite at iteration %lld", (long long)it);
        s = solver->apply(solver, length > newton->limit ? newton->limit / length : 1.0, y, err);
        if (s)
            return s;
        /* quadratic convergence: estimated length of the next step */
        const double next =
            length < 0.01 && isfinite(previous) ? length * (length / previous) * (length / previous) : INFINITY;
        if (length <= newton->tolerance || next < 0.1 * newton->tolerance || length <= roundoff ||
            (length <= near && length >= 0.5 * previous) ||
            /* the residual is round-off, which an ill-conditioned system amplifies to this step */
            (it > 4 && length >= 0.3 * previous && stats->residual <= 1e-11 &&
             newton_at_round_off(solver, length, stats->residual, y))) {
            set_end_residual(&solver->bvp, y, stats);
            return WY_OK;
        }
        previous = length;
    }
    return wy_fail(err, WY_NO_CONVERGENCE, "Newton step %.3g (residual %.3g) after %lld iterations", stats->step,
                   stats->residual, (long long)newton->max_iterations);
}
