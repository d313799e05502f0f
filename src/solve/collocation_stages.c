/* The stages of a solution: their relaxation at fixed nodes, and its local errors. docs/math (5.8). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/richardson.h"
#include "linalg/lu.h"
#include "math/largest.h"
#include "solve/collocation.h"

/* Value at u of the polynomial that is 0 at 0 and equals the stage increments at c. */
static double interpolate_increment(const collocation *self, const double *Z, size_t i, double u) {
    const size_t s = self->stages, m = problem_chart(&self->base.bvp).core;
    double sum = 0.0;
    for (size_t j = 0; j < s; j++) {
        double w = u / self->c[j];
        for (size_t l = 0; l < s; l++)
            w *= l == j ? 1.0 : (u - self->c[l]) / (self->c[j] - self->c[l]);
        sum += w * Z[j * m + i];
    }
    return sum;
}

/* f at the stages of a step of length h from `at`, with the state zi in the chart, and its derivative if asked. */
static void stage_fields(collocation *self, size_t e, double at, double h, const double *zi, const double *Z,
                         bool derivative) {
    const wy_bvp *p = &self->base.bvp;
    const wy_bvp_chart chart = problem_chart(p);
    const size_t n = chart.dim, m = chart.core;
    double z[WY_BVP_DIM];
    for (size_t l = 0; l < self->stages; l++) {
        memcpy(z, zi, n * sizeof *z);
        for (size_t i = 0; i < m; i++)
            z[i] += Z[l * m + i];
        chart.field(self->f + l * n, at + self->c[l] * h, e, z, p->context);
        if (derivative)
            chart.jacobian(self->F + l * n * n, at + self->c[l] * h, e, z, p->context);
    }
}

/* Factors I - h a x F, the derivative of the stage equations. */
static bool factor_stage_matrix(collocation *self, double h) {
    const wy_bvp_chart chart = problem_chart(&self->base.bvp);
    const size_t n = chart.dim, m = chart.core, s = self->stages, k = s * m;
    for (size_t j = 0; j < s; j++)
        for (size_t l = 0; l < s; l++) {
            const double ha = h * self->a[j * s + l];
            for (size_t i = 0; i < m; i++) {
                double *row = self->A + (j * m + i) * k + l * m;
                const double *J = self->F + (l * n + i) * n;
                for (size_t c = 0; c < m; c++)
                    row[c] = 0.0 - ha * J[c];
                if (j == l)
                    row[i] = 1.0 - ha * J[i];
            }
        }
    return wy_lu_factor(self->A, self->pivots, k);
}

/* Residual of the stages: h sum_l a_jl f_l - Z_j. */
static void stage_residual(const collocation *self, double *r, double h, const double *Z) {
    const wy_bvp_chart chart = problem_chart(&self->base.bvp);
    const size_t n = chart.dim, m = chart.core, s = self->stages;
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < m; i++) {
            double sum = 0.0;
            for (size_t l = 0; l < s; l++)
                sum += h * self->a[j * s + l] * self->f[l * n + i];
            r[j * m + i] = sum - Z[j * m + i];
        }
}

/* One step of the method from `at` in an element: y, in the chart, in place, and its change added to `gained`, without
 * the rounding of y. The stages Z by Newton, if possible with one factorisation. */
static bool solve_substep(collocation *self, size_t e, double at, double h, double *y, double *gained, double *Z) {
    const wy_bvp_chart chart = problem_chart(&self->base.bvp);
    const size_t n = chart.dim, m = chart.core, s = self->stages, k = s * m;
    double *f = self->f, r[STAGES * WY_BVP_DIM], last = INFINITY;
    for (int it = 0; it < 30; it++) {
        const bool fresh =
            it == 0 || it > 10; /* elements much longer than a boundary layer need the exact Newton matrix */
        stage_fields(self, e, at, h, y, Z, fresh);
        if (fresh && !factor_stage_matrix(self, h))
            return false;
        double change = 0.0, size = 1.0;
        for (size_t j = 0; j < k; j++) {
            r[j] = -Z[j];
            for (size_t l = 0; l < s; l++)
                r[j] += h * self->a[j / m * s + l] * f[l * n + j % m];
        }
        wy_lu_solve(r, self->A, self->pivots, k);
        for (size_t j = 0; j < k; j++) {
            Z[j] += r[j];
            change = wy_larger(change, r[j]);
            size = wy_larger(size, Z[j]);
        }
        if (!isfinite(size))
            return false;
        if (change <= 4e-16 * size || (change < 1e-11 * size && change >= 0.5 * last)) {
            stage_fields(self, e, at, h, y, Z, false);
            for (size_t i = 0; i < n; i++)
                for (size_t l = 0; l < s; l++) {
                    y[i] += h * self->b[l] * f[l * n + i];
                    gained[i] += h * self->b[l] * f[l * n + i];
                }
            return true;
        }
        last = change;
    }
    return false;
}

/* Two half elements have 2^-order times the error of the whole element: the error of the whole is the difference
 * divided by (1 - 2^-order).  (8.12) */
wy_status wy_collocation_local_error(wy_bvp_solver *base, const double *y, bool anywhere, double *local,
                                     wy_error *err) {
    collocation *self = (collocation *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const wy_bvp_chart chart = problem_chart(p);
    const size_t n = p->dim, m = chart.core, s = self->stages, k = s * m;
    const double gain = wy_part_of_coarser(2.0, 2.0 * (double)s);
    for (size_t e = 0; e < p->elements; e++) {
        const double h = 0.5 * (p->s[e + 1] - p->s[e]), *Z = self->Z + e * k;
        double at[WY_BVP_DIM], right[WY_BVP_DIM], chart_error[WY_BVP_DIM], start[STAGES * WY_BVP_DIM],
            change[WY_BVP_DIM] = {0}, halves[WY_BVP_DIM] = {0};
        to_problem_chart(p, at, NULL, y + e * n);
        to_problem_chart(p, right, NULL, y + (e + (anywhere ? 0 : 1)) * n);
        for (size_t i = 0; i < chart.dim && !anywhere; i++)
            change[i] = right[i] - at[i];
        memcpy(start, Z, k * sizeof *start);
        bool done = !anywhere || solve_substep(self, e, p->s[e], 2.0 * h, right, change, start);
        for (int half = 0; half < 2 && done; half++) {
            for (size_t j = 0; j < s; j++)
                for (size_t i = 0; i < m; i++)
                    start[j * m + i] = interpolate_increment(self, Z, i, 0.5 * (half + self->c[j])) -
                                       (half ? interpolate_increment(self, Z, i, 0.5) : 0.0);
            done = solve_substep(self, e, p->s[e] + half * h, h, at, halves, start);
        }
        if (!done && anywhere)
            return wy_fail(err, WY_NO_CONVERGENCE, "half of element %zu (s = %g) could not be solved", e, p->s[e]);
        for (size_t i = 0; i < chart.dim; i++)
            chart_error[i] =
                gain * (halves[i] - change[i]); /* of changes: states of size 1 leave eps in each element */
        from_chart_tangent(p, local + e * n, chart_error, 1, right);
        /* If a half element has no solution, the local error is unknown: a tenth of the change over the element is a
         * stand-in. */
        for (size_t i = 0; i < n && !done; i++)
            local[e * n + i] = 0.1 * (y[(e + 1) * n + i] - y[e * n + i]);
    }
    return WY_OK;
}

bool wy_collocation_relax(wy_bvp_solver *base, const double *y) {
    collocation *self = (collocation *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t k = self->stages * problem_chart(p).core;
    wy_collocation_begin(base, y);
    for (size_t e = 0; e < p->elements; e++) {
        double change = 1.0, last = INFINITY, *Z = self->Z + e * k, zi[WY_BVP_DIM];
        to_problem_chart(p, zi, NULL, y + e * p->dim);
        for (int it = 0; it < 20 && change > 1e-15 && !(change < 1e-11 && change >= 0.5 * last); it++) {
            last = change;
            change = 0.0;
            double dZ[STAGES * WY_BVP_DIM];
            stage_fields(self, e, p->s[e], p->s[e + 1] - p->s[e], zi, Z, true);
            stage_residual(self, dZ, p->s[e + 1] - p->s[e], Z);
            if (!factor_stage_matrix(self, p->s[e + 1] - p->s[e]))
                return false;
            wy_lu_solve(dZ, self->A, self->pivots, k);
            for (size_t j = 0; j < k; j++) {
                Z[j] += dZ[j];
                change = wy_larger(change, dZ[j]);
            }
        }
        if (!(change < 1e-8))
            return false;
    }
    return true;
}
