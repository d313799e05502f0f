/* Gauss-Legendre collocation as one global Newton iteration.
 *
 * Unknowns: the nodes y_i and, in each element, the stage increments Z_j of the core components:
 *   Z_j = h sum_l a_jl f(s_l, y_i + Z_l),      y_{i+1} = y_i + h sum_l b_l f(s_l, y_i + Z_l).
 * Eliminating dZ = G dy_i + g element by element leaves dy_{i+1} = T_i dy_i + t_i, an almost block diagonal system. The
 * stages are not solved inside the residual: that would make Newton fail far from the solution. docs/math (5.8). */
#include "math/quadrature.h"
#include "solve/bvp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "linalg/abd.h"
#include "linalg/lu.h"
#include "math/largest.h"

enum { STAGES = 3, COLUMNS = 2 };        /* the second column is the probe of the condition estimate */
enum { BORDER = WY_BVP_SYMMETRIES + 1 }; /* slacks, and the parameter */

#define R3 1.7320508075688772935
#define R15 3.8729833462074168852

static const double gauss_a[STAGES][STAGES * STAGES] = {
    {0.5},
    {0.25, 0.25 - R3 / 6.0, 0.25 + R3 / 6.0, 0.25},
    {5.0 / 36.0, 2.0 / 9.0 - R15 / 15.0, 5.0 / 36.0 - R15 / 30.0, 5.0 / 36.0 + R15 / 24.0, 2.0 / 9.0,
     5.0 / 36.0 - R15 / 24.0, 5.0 / 36.0 + R15 / 30.0, 2.0 / 9.0 + R15 / 15.0, 5.0 / 36.0},
};

typedef struct collocation {
    wy_bvp_solver base;
    size_t stages;
    size_t room; /* elements that there is memory for */
    const double *a, *b, *c;
    double *Z; /* elements x stages x core */
    double *G; /* elements x stages x core x (core + 2): dZ by dy_i, the rest, and by the parameter */
    double *T, *t, *dy, *work;
    double *f, *F, *A, *slope;
    double *closed, *tc, *tb; /* with a free parameter: answers, right-hand sides and border of the elements */
    size_t *pivots;
    /* the end conditions, linearised */
    size_t k; /* symmetries */
    double lB[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * WY_BVP_DIM], lr[WY_BVP_DIM + WY_BVP_SYMMETRIES];
    double rB[WY_BVP_DIM * WY_BVP_DIM], rr[WY_BVP_DIM], redundant[WY_BVP_DIM * WY_BVP_SYMMETRIES];
} collocation;

void wy_collocation_begin(wy_bvp_solver *base, const double *y) {
    collocation *self = (collocation *)(void *)base;
    /* stages from the nodes: the cubic through y and y' at both ends of the element would be better, the straight line will do */
    const wy_bvp *p = &base->bvp;
    for (size_t e = 0; e < p->elements; e++)
        for (size_t j = 0; j < self->stages; j++)
            for (size_t i = 0; i < p->core; i++)
                self->Z[(e * self->stages + j) * p->core + i] =
                    self->c[j] * (y[(e + 1) * p->dim + i] - y[e * p->dim + i]);
}

static wy_status begin(wy_bvp_solver *base, double *y, wy_error *err) {
    (void)err;
    wy_collocation_begin(base, y);
    return WY_OK;
}

/* T, t and G of one element; returns the largest residual in it, or -1 where its stage matrix is singular. */
static inline double element_of(collocation *self, size_t e, const double *y, double *norm, const size_t n,
                                const size_t m, const size_t s) {
    const wy_bvp *p = &self->base.bvp;
    const size_t k = s * m, w = m + 2;
    const double h = p->s[e + 1] - p->s[e];
    const double *yi = y + e * n, *yn = yi + n, *Z = self->Z + e * k;
    double *f = self->f, *F = self->F, *A = self->A, *G = self->G + e * k * w, *T = self->T + e * n * n,
           *t = self->t + e * n * COLUMNS;
    double z[WY_BVP_DIM], worst = 0.0;
    for (size_t l = 0; l < s; l++) {
        memcpy(z, yi, n * sizeof *z);
        for (size_t i = 0; i < m; i++)
            z[i] += Z[l * m + i];
        const double at = p->s[e] + self->c[l] * h;
        p->field(f + l * n, at, e, z, p->context);
        p->jacobian(F + l * n * n, at, e, z, p->context);
        if (p->field_slope)
            p->field_slope(self->slope + l * n, at, e, z, p->context);
    }
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < m; i++) {
            double *row = G + (j * m + i) * w;
            double sum = 0.0, slope = 0.0;
            for (size_t c = 0; c < m; c++)
                row[c] = 0.0;
            for (size_t l = 0; l < s; l++) {
                const double ha = h * self->a[j * s + l], *J = F + (l * n + i) * n;
                double *at = A + (j * m + i) * k + l * m;
                sum += ha * f[l * n + i];
                slope += ha * self->slope[l * n + i];
                for (size_t c = 0; c < m; c++) {
                    const double x = ha * J[c];
                    at[c] = 0.0 - x;
                    row[c] += x;
                }
                if (j == l)
                    at[i] = 1.0 - ha * J[i];
            }
            row[m] = sum - Z[j * m + i];
            row[m + 1] = slope;
            worst = wy_larger(worst, row[m]);
        }
    if (!wy_lu_factor(A, self->pivots, k))
        return -1.0;
    wy_lu_solve_many(G, w, A, self->pivots, k);
    for (size_t i = 0; i < n; i++) {
        double *row = T + i * n, rest = yi[i] - yn[i], slope = 0.0, size = 1.0;
        for (size_t c = 0; c < n; c++)
            row[c] = i == c ? 1.0 : 0.0;
        for (size_t l = 0; l < s; l++) {
            rest += h * self->b[l] * f[l * n + i];
            slope += h * self->b[l] * self->slope[l * n + i];
        }
        worst = wy_larger(worst, rest);
        for (size_t l = 0; l < s; l++) {
            const double hb = h * self->b[l], *J = F + (l * n + i) * n;
            for (size_t q = 0; q < m; q++) {
                const double hbJ = hb * J[q], *g = G + (l * m + q) * w;
                if (hbJ == 0.0)
                    continue;
                row[q] += hbJ;
                for (size_t c = 0; c < m; c++)
                    row[c] += hbJ * g[c];
                rest += hbJ * g[m];
                slope += hbJ * g[m + 1];
            }
        }
        for (size_t c = 0; c < n; c++)
            size += fabs(row[c]);
        *norm = wy_larger(*norm, size);
        self->tb[e * n + i] = -slope; /* dy_{i+1} - T dy_i - slope dlambda = rest */
        t[i * COLUMNS] = rest;
        t[i * COLUMNS + 1] = wy_bvp_probe(e * n + i);
    }
    return worst;
}

/* The sizes of a rod without loads that depend on place are known to the compiler. */
static double element(collocation *self, size_t e, const double *y, double *norm) {
    const wy_bvp *p = &self->base.bvp;
    return p->dim == 13 && p->core == 10 && self->stages == 3
               ? element_of(self, e, y, norm, 13, 10, 3)
               : element_of(self, e, y, norm, p->dim, p->core, self->stages);
}

/* Everything linearised at y: elements, end conditions, symmetries. */
static wy_status linearise(collocation *self, const double *y, double *norm, wy_bvp_stats *stats, wy_error *err) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, N = p->elements;
    double phase[WY_BVP_SYMMETRIES * WY_BVP_DIM], r[WY_BVP_DIM], worst = 0.0;
    self->k = p->symmetries ? p->symmetries(phase, self->redundant, y, p->context) : 0;
    p->left_rows(r, self->lB, y, p->context);
    for (size_t i = 0; i < p->left; i++) {
        self->lr[i] = -r[i];
        worst = wy_larger(worst, r[i]);
    }
    for (size_t i = 0; i < self->k; i++) {
        memcpy(self->lB + (p->left + i) * n, phase + i * n, n * sizeof *phase);
        self->lr[p->left + i] = 0.0;
    }
    p->right_rows(r, self->rB, y + N * n, p->context);
    for (size_t i = 0; i < p->right; i++) {
        self->rr[i] = -r[i];
        worst = wy_larger(worst, r[i]);
    }
    for (size_t e = 0; e < N; e++) {
        const double here = element(self, e, y, norm);
        if (here < 0.0)
            return wy_fail(err, WY_NO_CONVERGENCE, "the collocation equations of element %zu (s = %g) are singular", e,
                           p->s[e]);
        worst = wy_larger(worst, here);
    }
    stats->residual = worst;
    return WY_OK;
}

static wy_status singular(wy_bvp_stats *stats, wy_error *err) {
    stats->condition = INFINITY;
    return wy_fail(err, WY_NO_CONVERGENCE, "the linear system of the rod is singular (residual %.3g)", stats->residual);
}

static wy_status step(wy_bvp_solver *base, double *y, double *length, wy_bvp_stats *stats, wy_error *err) {
    collocation *self = (collocation *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t n = p->dim, N = p->elements;
    double lr[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * COLUMNS], rr[WY_BVP_DIM * COLUMNS],
        mu[WY_BVP_SYMMETRIES * COLUMNS] = {0};
    double norm = 1.0;
    const wy_status s = linearise(self, y, &norm, stats, err);
    if (s)
        return s;
    const size_t k = self->k;
    for (size_t i = 0; i < p->left + k; i++) {
        lr[i * COLUMNS] = self->lr[i];
        lr[i * COLUMNS + 1] = i < p->left ? wy_bvp_probe(N * n + i) : 0.0;
    }
    for (size_t i = 0; i < p->right; i++) {
        rr[i * COLUMNS] = self->rr[i];
        rr[i * COLUMNS + 1] = wy_bvp_probe(N * n + p->left + i);
    }
    const wy_abd shape = {
        .dim = n, .elements = N, .left = p->left + k, .right = p->right, .border = k, .columns = COLUMNS};
    if (!wy_abd_solve(&shape, self->lB, lr, self->T, self->t, self->rB, self->redundant, rr, self->dy, mu, self->work))
        return singular(stats, err);
    *length = 0.0;
    double probe = 0.0;
    for (size_t i = 0; i < (N + 1) * n; i++) {
        *length = wy_larger(*length, self->dy[i * COLUMNS]);
        probe = wy_larger(probe, self->dy[i * COLUMNS + 1]);
    }
    stats->slack = 0.0;
    for (size_t i = 0; i < k; i++)
        stats->slack = wy_larger(stats->slack, mu[i * COLUMNS]);
    stats->condition = norm * probe;
    return WY_OK;
}

/* `local` takes the place of the residuals where it is not NULL. */
static wy_status close_with(collocation *self, const double *y, const double *row, double slope, double rhs,
                            const double *local, wy_closed *closed, wy_bvp_stats *stats, wy_error *err) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, N = p->elements;
    double lr[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * WY_CLOSED] = {0}, rr[WY_BVP_DIM * WY_CLOSED] = {0},
                                                 mu[BORDER * WY_CLOSED] = {0};
    double lb[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * BORDER] = {0}, rb[WY_BVP_DIM * BORDER] = {0}, d[BORDER] = {0};
    double dr[WY_BVP_DIM] = {0}, norm = 1.0;
    const wy_status s = linearise(self, y, &norm, stats, err);
    if (s)
        return s;
    const size_t k = self->k, border = k + 1;
    if (p->left_slope)
        p->left_slope(dr, y, p->context);
    for (size_t i = 0; i < p->left; i++) {
        lb[i * border + k] = dr[i];
        lr[i * WY_CLOSED + WY_CLOSED_STEP] = local ? 0.0 : self->lr[i];
        lr[i * WY_CLOSED + WY_CLOSED_PROBE] = wy_bvp_probe(N * n + i);
    }
    if (p->right_slope)
        p->right_slope(dr, y + N * n, p->context);
    for (size_t i = 0; i < p->right; i++) {
        for (size_t j = 0; j < k; j++)
            rb[i * border + j] = self->redundant[i * k + j];
        rb[i * border + k] = p->right_slope ? dr[i] : 0.0;
        rr[i * WY_CLOSED + WY_CLOSED_STEP] = local ? 0.0 : self->rr[i];
        rr[i * WY_CLOSED + WY_CLOSED_PROBE] = wy_bvp_probe(N * n + p->left + i);
    }
    double *tb = self->closed + (N + 1) * n * WY_CLOSED; /* elements x dim x border */
    for (size_t i = 0; i < N * n; i++) {
        self->tc[i * WY_CLOSED + WY_CLOSED_STEP] = local ? local[i] : self->t[i * COLUMNS];
        self->tc[i * WY_CLOSED + WY_CLOSED_TANGENT] = 0.0;
        self->tc[i * WY_CLOSED + WY_CLOSED_PROBE] = self->t[i * COLUMNS + 1];
        memset(tb + i * border, 0, k * sizeof *tb);
        tb[i * border + k] = self->tb[i];
    }
    d[k] = slope;
    const double br[WY_CLOSED] = {[WY_CLOSED_STEP] = rhs, [WY_CLOSED_TANGENT] = 1.0};
    const wy_abd shape = {.dim = n,
                          .elements = N,
                          .left = p->left + k,
                          .right = p->right,
                          .border = border,
                          .columns = WY_CLOSED,
                          .bottom = 1};
    const wy_abd_parts parts = {.left_B = self->lB,
                                .left_b = lb,
                                .left_r = lr,
                                .T = self->T,
                                .t_b = tb,
                                .t = self->tc,
                                .right_B = self->rB,
                                .right_b = rb,
                                .right_r = rr,
                                .bottom_c = row,
                                .bottom_d = d,
                                .bottom_r = br};
    wy_abd_determinant det;
    if (!wy_abd_solve_parts(&shape, &parts, self->closed, mu, &det, self->work))
        return singular(stats, err);
    *closed = (wy_closed){.dy = self->closed, .sign = det.sign, .symmetries = k};
    memcpy(closed->dlambda, mu + k * WY_CLOSED, sizeof closed->dlambda);
    for (size_t i = 0; i < (N + 1) * n; i++)
        closed->length = wy_larger(closed->length, self->closed[i * WY_CLOSED + WY_CLOSED_STEP]);
    stats->slack = 0.0;
    for (size_t i = 0; i < k; i++)
        stats->slack = wy_larger(stats->slack, mu[i * WY_CLOSED + WY_CLOSED_STEP]);
    return WY_OK;
}

wy_status wy_collocation_close(wy_bvp_solver *base, const double *y, const double *row, double slope, double rhs,
                               wy_closed *closed, wy_bvp_stats *stats, wy_error *err) {
    return close_with((collocation *)(void *)base, y, row, slope, rhs, NULL, closed, stats, err);
}

bool wy_collocation_resize(wy_bvp_solver *base, size_t elements) {
    collocation *self = (collocation *)(void *)base;
    if (elements < 1 || elements > self->room)
        return false;
    base->bvp.elements = elements;
    return true;
}

/* ---- errors ---- */

/* Value at u of the polynomial that is 0 at 0 and has the stage increments at c. */
static double increment(const collocation *self, const double *Z, size_t i, double u) {
    const size_t s = self->stages, m = self->base.bvp.core;
    double sum = 0.0;
    for (size_t j = 0; j < s; j++) {
        double w = u / self->c[j];
        for (size_t l = 0; l < s; l++)
            w *= l == j ? 1.0 : (u - self->c[l]) / (self->c[j] - self->c[l]);
        sum += w * Z[j * m + i];
    }
    return sum;
}

/* f at the stages of a step of length h from `at`, and its derivative. */
static void stage_fields(collocation *self, size_t e, double at, double h, const double *y, const double *Z,
                         bool derivative) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, m = p->core;
    double z[WY_BVP_DIM];
    for (size_t l = 0; l < self->stages; l++) {
        memcpy(z, y, n * sizeof *z);
        for (size_t i = 0; i < m; i++)
            z[i] += Z[l * m + i];
        p->field(self->f + l * n, at + self->c[l] * h, e, z, p->context);
        if (derivative)
            p->jacobian(self->F + l * n * n, at + self->c[l] * h, e, z, p->context);
    }
}

/* I - h a x F, the derivative of the equations of the stages, factored. */
static bool stage_matrix(collocation *self, double h) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, m = p->core, s = self->stages, k = s * m;
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

/* What the stages miss: h sum_l a_jl f_l - Z_j. */
static void stage_residual(const collocation *self, double *r, double h, const double *Z) {
    const size_t n = self->base.bvp.dim, m = self->base.bvp.core, s = self->stages;
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < m; i++) {
            double sum = 0.0;
            for (size_t l = 0; l < s; l++)
                sum += h * self->a[j * s + l] * self->f[l * n + i];
            r[j * m + i] = sum - Z[j * m + i];
        }
}

/* One step of the method from `at` in an element: y in place, the stages Z by Newton, if possible with one factorisation. */
static bool one_step(collocation *self, size_t e, double at, double h, double *y, double *Z) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, m = p->core, s = self->stages, k = s * m;
    double *f = self->f, r[STAGES * WY_BVP_DIM], last = INFINITY;
    for (int it = 0; it < 30; it++) {
        const bool fresh =
            it == 0 || it > 10; /* an element much longer than a layer of the solution needs Newton's own matrix */
        stage_fields(self, e, at, h, y, Z, fresh);
        if (fresh && !stage_matrix(self, h))
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
                for (size_t l = 0; l < s; l++)
                    y[i] += h * self->b[l] * f[l * n + i];
            return true;
        }
        last = change;
    }
    return false;
}

/* Two halves have an error 2^-order of that of the whole: the whole is off by their difference/(1 - 2^-order).  (8.12) */
wy_status wy_collocation_local_error(wy_bvp_solver *base, const double *y, bool anywhere, double *local,
                                     wy_error *err) {
    collocation *self = (collocation *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t n = p->dim, m = p->core, s = self->stages, k = s * m;
    const double gain = 1.0 / (1.0 - ldexp(1.0, -2 * (int)s));
    for (size_t e = 0; e < p->elements; e++) {
        const double h = 0.5 * (p->s[e + 1] - p->s[e]), *Z = self->Z + e * k;
        double at[WY_BVP_DIM], right[WY_BVP_DIM], start[STAGES * WY_BVP_DIM];
        memcpy(at, y + e * n, n * sizeof *at);
        memcpy(right, y + (e + (anywhere ? 0 : 1)) * n, n * sizeof *right);
        memcpy(start, Z, k * sizeof *start);
        bool done = !anywhere || one_step(self, e, p->s[e], 2.0 * h, right, start);
        for (int half = 0; half < 2 && done; half++) {
            for (size_t j = 0; j < s; j++)
                for (size_t i = 0; i < m; i++)
                    start[j * m + i] =
                        increment(self, Z, i, 0.5 * (half + self->c[j])) - (half ? increment(self, Z, i, 0.5) : 0.0);
            done = one_step(self, e, p->s[e] + half * h, h, at, start);
        }
        if (!done && anywhere)
            return wy_fail(err, WY_NO_CONVERGENCE, "half of element %zu (s = %g) could not be solved", e, p->s[e]);
        /* where a half finds no solution of its own, nothing is known of what the element misses but that it is a part of its change */
        for (size_t i = 0; i < n; i++)
            local[e * n + i] = done ? gain * (at[i] - right[i]) : 0.1 * (right[i] - y[e * n + i]);
    }
    return WY_OK;
}

wy_status wy_collocation_error(wy_bvp_solver *base, const double *y, const double *row, double slope,
                               const double *local, double *error, double *dlambda, wy_error *err) {
    collocation *self = (collocation *)(void *)base;
    wy_closed closed;
    wy_bvp_stats stats = {0};
    const wy_status s = close_with(self, y, row, slope, 0.0, local, &closed, &stats, err);
    if (s)
        return s;
    for (size_t i = 0; i < (base->bvp.elements + 1) * base->bvp.dim; i++)
        error[i] = closed.dy[i * WY_CLOSED + WY_CLOSED_STEP];
    *dlambda = closed.dlambda[WY_CLOSED_STEP];
    return WY_OK;
}

const double *wy_collocation_transfer(const wy_bvp_solver *base) {
    return ((const collocation *)(const void *)base)->T;
}

/* dZ = G dy_i + the rest + (by the parameter) dlambda; dy at the given stride */
static void advance(collocation *self, double scale, double *y, const double *dy, size_t stride, double dlambda) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, m = p->core, k = self->stages * m;
    for (size_t e = 0; e < p->elements; e++)
        for (size_t j = 0; j < k; j++) {
            const double *row = self->G + (e * k + j) * (m + 2);
            double dZ = row[m] + row[m + 1] * dlambda;
            for (size_t c = 0; c < m; c++)
                dZ += row[c] * dy[(e * n + c) * stride];
            self->Z[e * k + j] += scale * dZ;
        }
    for (size_t i = 0; i < (p->elements + 1) * n; i++)
        y[i] += scale * dy[i * stride];
}

void wy_collocation_advance(wy_bvp_solver *base, double scale, double *y, const wy_closed *closed) {
    collocation *self = (collocation *)(void *)base;
    advance(self, scale, y, closed->dy + WY_CLOSED_STEP, WY_CLOSED, closed->dlambda[WY_CLOSED_STEP]);
}

bool wy_collocation_relax(wy_bvp_solver *base, const double *y) {
    collocation *self = (collocation *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t k = self->stages * p->core;
    wy_collocation_begin(base, y);
    for (size_t e = 0; e < p->elements; e++) {
        double change = 1.0, last = INFINITY, *Z = self->Z + e * k;
        for (int it = 0; it < 20 && change > 1e-15 && !(change < 1e-11 && change >= 0.5 * last); it++) {
            last = change;
            change = 0.0;
            double dZ[STAGES * WY_BVP_DIM];
            stage_fields(self, e, p->s[e], p->s[e + 1] - p->s[e], y + e * p->dim, Z, true);
            stage_residual(self, dZ, p->s[e + 1] - p->s[e], Z);
            if (!stage_matrix(self, p->s[e + 1] - p->s[e]))
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

size_t wy_collocation_stages(const wy_bvp_solver *base, const double **c, const double **b, const double **Z) {
    const collocation *self = (const collocation *)(const void *)base;
    *c = self->c;
    *b = self->b;
    *Z = self->Z;
    return self->stages;
}

static wy_status apply(wy_bvp_solver *base, double scale, double *y, wy_error *err) {
    (void)err;
    collocation *self = (collocation *)(void *)base;
    advance(self, scale, y, self->dy, COLUMNS, 0.0);
    return WY_OK;
}

static void destroy(wy_bvp_solver *base) {
    collocation *self = (collocation *)(void *)base;
    free(self->Z);
    free(self->pivots);
    free(self);
}

wy_status wy_collocation_create(wy_bvp_solver **solver, const wy_bvp *bvp, int order, wy_error *err) {
    *solver = NULL;
    if (order != 2 && order != 4 && order != 6)
        return wy_fail(err, WY_BAD_INPUT, "collocation of order %d: there are 2, 4 and 6", order);
    const size_t s = (size_t)order / 2, n = bvp->dim, m = bvp->core, N = bvp->elements, k = s * m;
    const wy_abd shape = {.dim = n,
                          .elements = N,
                          .left = bvp->left + WY_BVP_SYMMETRIES,
                          .right = bvp->right,
                          .border = BORDER,
                          .columns = WY_CLOSED,
                          .bottom = 1};
    const size_t sizes[] = {N * k,
                            N * k * (m + 2),
                            N * n * n,
                            N * n * COLUMNS,
                            (N + 1) * n * COLUMNS,
                            wy_abd_work(&shape),
                            s * n,
                            s * n * n,
                            k * k,
                            s * n,
                            (N + 1) * n * (WY_CLOSED + BORDER),
                            N * n * WY_CLOSED,
                            N * n};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        total += sizes[i];
    collocation *self = calloc(1, sizeof *self);
    double *memory = wy_memory_take(total, sizeof *memory, err, "%zu elements of order %d", N, order);
    size_t *pivots = calloc(k, sizeof *pivots);
    if (!self || !memory || !pivots) {
        const wy_status none =
            memory ? wy_fail(err, WY_NO_MEMORY, "no memory for %zu elements of order %d", N, order) : WY_NO_MEMORY;
        free(self);
        free(memory);
        free(pivots);
        return none;
    }
    double **where[] = {&self->Z, &self->G, &self->T,     &self->t,      &self->dy, &self->work, &self->f,
                        &self->F, &self->A, &self->slope, &self->closed, &self->tc, &self->tb};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *where[i] = memory;
        memory += sizes[i];
    }
    self->pivots = pivots;
    self->stages = s;
    self->room = N;
    self->a = gauss_a[s - 1];
    self->b = wy_gauss_weight[s - 1];
    self->c = wy_gauss_at[s - 1];
    self->base = (wy_bvp_solver){.bvp = *bvp, .destroy = destroy, .begin = begin, .step = step, .apply = apply};
    *solver = &self->base;
    return WY_OK;
}
