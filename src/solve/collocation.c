/* Gauss-Legendre collocation as one global Newton iteration.
 *
 * Unknowns: the nodes y_i and, in each element, the stage increments Z_j of the core components:
 *   Z_j = h sum_l a_jl f(s_l, y_i + Z_l),      y_{i+1} = y_i + h sum_l b_l f(s_l, y_i + Z_l).
 * If the problem has a chart these are in its variables: z = z(y), dz = A dy at the nodes, dy = B dz. Eliminating dZ =
 * G dz_i + g element by element leaves dy_{i+1} = T_i dy_i + t_i, an almost block diagonal system. The stages are not
 * solved inside the residual: Newton would then fail far from the solution. docs/math (5.8). */
#include "math/quadrature.h"
#include "solve/collocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "linalg/abd.h"
#include "linalg/lu.h"
#include "math/largest.h"

#define R3 1.7320508075688772935
#define R15 3.8729833462074168852

static const double gauss_a[STAGES][STAGES * STAGES] = {
    {0.5},
    {0.25, 0.25 - R3 / 6.0, 0.25 + R3 / 6.0, 0.25},
    {5.0 / 36.0, 2.0 / 9.0 - R15 / 15.0, 5.0 / 36.0 - R15 / 30.0, 5.0 / 36.0 + R15 / 24.0, 2.0 / 9.0,
     5.0 / 36.0 - R15 / 24.0, 5.0 / 36.0 + R15 / 30.0, 2.0 / 9.0 + R15 / 15.0, 5.0 / 36.0},
};

/* Transforms an element from the chart to y: out = B T A, the derivative of y_{i+1} by y_i; `ends`, the residual and
 * the derivative by the parameter at its last node. */
static void from_chart_element(const wy_bvp *p, double *out, double *ends, const double *T, const double *A,
                               const double *z) {
    const size_t n = p->dim, d = p->chart->dim, w = n + 2;
    double by_y[WY_BVP_DIM * (WY_BVP_DIM + 2)] = {0}, back[WY_BVP_DIM * (WY_BVP_DIM + 2)];
    for (size_t i = 0; i < d; i++)
        memcpy(by_y + i * w + n, ends + 2 * i, 2 * sizeof *ends);
    for (size_t q = 0; q < d; q++)
        for (size_t c = 0; c < n; c++) {
            const double a = A[q * n + c];
            for (size_t i = 0; i < d && a != 0.0; i++)
                by_y[i * w + c] += T[i * d + q] * a;
        }
    from_chart_tangent(p, back, by_y, w, z);
    for (size_t i = 0; i < n; i++) {
        memcpy(out + i * n, back + i * w, n * sizeof *out);
        memcpy(ends + 2 * i, back + i * w + n, 2 * sizeof *ends);
    }
}

void wy_collocation_begin(wy_bvp_solver *base, const double *y) {
    collocation *self = (collocation *)(void *)base;
    /* first guess of the stages: linear between the nodes */
    const wy_bvp *p = &base->bvp;
    const size_t m = problem_chart(p).core;
    double z[2][WY_BVP_DIM];
    to_problem_chart(p, z[0], NULL, y);
    for (size_t e = 0; e < p->elements; e++) {
        const double *from = z[e % 2], *to = z[(e + 1) % 2];
        to_problem_chart(p, z[(e + 1) % 2], NULL, y + (e + 1) * p->dim);
        for (size_t j = 0; j < self->stages; j++)
            for (size_t i = 0; i < m; i++)
                self->Z[(e * self->stages + j) * m + i] = self->c[j] * (to[i] - from[i]);
    }
}

static wy_status collocation_begin(wy_bvp_solver *base, double *y, wy_error *err) {
    (void)err;
    wy_collocation_begin(base, y);
    return WY_OK;
}

/* f at the stages of an element and its derivatives. Returns the number of leading components whose derivatives are all
 * zero (all `lead` of them, or none). */
static size_t evaluate_stages(collocation *self, size_t e, const double *zi, const size_t d, const size_t m,
                              const size_t s) {
    const wy_bvp *p = &self->base.bvp;
    const wy_bvp_chart chart = problem_chart(p);
    const double h = p->s[e + 1] - p->s[e], *Z = self->Z + e * s * m;
    double z[WY_BVP_DIM];
    bool lead = chart.lead > 0;
    for (size_t l = 0; l < s; l++) {
        memcpy(z, zi, d * sizeof *z);
        for (size_t i = 0; i < m; i++)
            z[i] += Z[l * m + i];
        const double at = p->s[e] + self->c[l] * h, *J = self->F + l * d * d;
        chart.field(self->f + l * d, at, e, z, p->context);
        chart.jacobian(self->F + l * d * d, at, e, z, p->context);
        for (size_t i = 0; i < chart.lead * d && lead; i++)
            lead = J[i] == 0.0;
        if (p->field_slope)
            chart.field_slope(self->slope + l * d, at, e, z, p->context);
    }
    return lead ? chart.lead : 0;
}

/* T, t and G of one element; returns its largest residual, or -1 if its stage matrix is singular. The stages of the
 * first `lead` components follow from f alone: their dZ are their residuals. A_i is dz/dy at the first node, NULL
 * without a chart. */
static inline double linearise_sized_element(collocation *self, size_t e, const double *zi, const double *zn,
                                             const double *A_i, double *norm, const size_t d, const size_t m,
                                             const size_t s, const size_t lead) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, r = m - lead, k = s * r, w = m + 2;
    const double h = p->s[e + 1] - p->s[e], *Z = self->Z + e * s * m;
    double *f = self->f, *F = self->F, *A = self->A, *G = self->G + e * s * m * w, *X = lead ? self->X : G, worst = 0.0;
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < lead; i++) {
            double *row = G + (j * m + i) * w;
            memset(row, 0, w * sizeof *row);
            for (size_t l = 0; l < s; l++) {
                row[m] += h * self->a[j * s + l] * f[l * d + i];
                row[m + 1] += h * self->a[j * s + l] * self->slope[l * d + i];
            }
            row[m] -= Z[j * m + i];
            worst = wy_larger(worst, row[m]);
        }
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < r; i++) {
            double *row = X + (j * r + i) * w;
            double sum = 0.0, slope = 0.0, known = 0.0, known_slope = 0.0;
            for (size_t c = 0; c < m; c++)
                row[c] = 0.0;
            for (size_t l = 0; l < s; l++) {
                const double ha = h * self->a[j * s + l], *J = F + (l * d + lead + i) * d;
                double *at = A + (j * r + i) * k + l * r;
                sum += ha * f[l * d + lead + i];
                slope += ha * self->slope[l * d + lead + i];
                for (size_t c = 0; c < lead; c++) {
                    const double x = ha * J[c], *g = G + (l * m + c) * w;
                    row[c] += x;
                    known += x * g[m];
                    known_slope += x * g[m + 1];
                }
                for (size_t c = 0; c < r; c++) {
                    const double x = ha * J[lead + c];
                    at[c] = 0.0 - x;
                    row[lead + c] += x;
                }
                if (j == l)
                    at[i] = 1.0 - ha * J[lead + i];
            }
            sum -= Z[j * m + lead + i];
            worst = wy_larger(worst, sum);
            row[m] = sum + known;
            row[m + 1] = slope + known_slope;
        }
    if (!wy_lu_factor(A, self->pivots, k))
        return -1.0;
    wy_lu_solve_many(X, w, A, self->pivots, k);
    for (size_t j = 0; j < s && lead; j++)
        memcpy(G + (j * m + lead) * w, X + j * r * w, r * w * sizeof *G);
    /* dz_{i+1} by dz_i, by the parameter, and the constant part */
    double in_chart[WY_BVP_DIM * WY_BVP_DIM], ends[2 * WY_BVP_DIM], *T = A_i ? in_chart : self->T + e * n * n;
    for (size_t i = 0; i < d; i++) {
        double *row = T + i * d, rest = zi[i] - zn[i], slope = 0.0;
        for (size_t c = 0; c < d; c++)
            row[c] = i == c ? 1.0 : 0.0;
        for (size_t l = 0; l < s; l++) {
            rest += h * self->b[l] * f[l * d + i];
            slope += h * self->b[l] * self->slope[l * d + i];
        }
        worst = wy_larger(worst, rest);
        for (size_t l = 0; l < s; l++) {
            const double hb = h * self->b[l], *J = F + (l * d + i) * d;
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
        ends[2 * i] = rest;
        ends[2 * i + 1] = slope;
    }
    if (A_i)
        from_chart_element(p, self->T + e * n * n, ends, T, A_i, zn);
    for (size_t i = 0; i < n; i++) {
        const double *row = self->T + (e * n + i) * n;
        double size = 1.0;
        for (size_t c = 0; c < n; c++)
            size += fabs(row[c]);
        *norm = wy_larger(*norm, size);
        self->tb[e * n + i] = -ends[2 * i + 1]; /* dy_{i+1} - T dy_i - slope dlambda = rest */
        self->t[(e * n + i) * COLUMNS] = ends[2 * i];
        self->t[(e * n + i) * COLUMNS + 1] = wy_bvp_probe(e * n + i);
    }
    return worst;
}

/* Common sizes of a rod without loads that depend on position are compile-time constants, with the chart and
 * without. */
static double linearise_element(collocation *self, size_t e, const double *zi, const double *zn, const double *A_i,
                                double *norm) {
    const wy_bvp_chart chart = problem_chart(&self->base.bvp);
    const size_t d = chart.dim, m = chart.core, s = self->stages, lead = evaluate_stages(self, e, zi, d, m, s);
    return d == 13 && m == 10 && s == 3 && lead == 0 ? linearise_sized_element(self, e, zi, zn, A_i, norm, 13, 10, 3, 0)
           : d == 14 && m == 11 && s == 3 && lead == 3
               ? linearise_sized_element(self, e, zi, zn, A_i, norm, 14, 11, 3, 3)
               : linearise_sized_element(self, e, zi, zn, A_i, norm, d, m, s, lead);
}

/* Linearises elements, end conditions and symmetries at y. */
static wy_status linearise_all(collocation *self, const double *y, double *norm, wy_bvp_stats *stats, wy_error *err) {
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
    double z[2][WY_BVP_DIM], A[2][WY_BVP_DIM * WY_BVP_DIM];
    to_problem_chart(p, z[0], A[0], y);
    for (size_t e = 0; e < N; e++) {
        to_problem_chart(p, z[(e + 1) % 2], A[(e + 1) % 2], y + (e + 1) * n);
        const double here = linearise_element(self, e, z[e % 2], z[(e + 1) % 2], p->chart ? A[e % 2] : NULL, norm);
        if (here < 0.0)
            return wy_fail(err, WY_NO_CONVERGENCE, "the collocation equations of element %zu (s = %g) are singular", e,
                           p->s[e]);
        worst = wy_larger(worst, here);
    }
    stats->residual = worst;
    return WY_OK;
}

static wy_status fail_singular(wy_bvp_stats *stats, wy_error *err) {
    stats->condition = INFINITY;
    return wy_fail(err, WY_NO_CONVERGENCE, "the linear system of the rod is singular (residual %.3g)", stats->residual);
}

static wy_status collocation_step(wy_bvp_solver *base, double *y, double *length, wy_bvp_stats *stats, wy_error *err) {
    collocation *self = (collocation *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t n = p->dim, N = p->elements;
    double lr[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * COLUMNS], rr[WY_BVP_DIM * COLUMNS],
        mu[WY_BVP_SYMMETRIES * COLUMNS] = {0};
    double norm = 1.0;
    const wy_status s = linearise_all(self, y, &norm, stats, err);
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
        return fail_singular(stats, err);
    *length = 0.0;
    double probe = 0.0;
    for (size_t i = 0; i < (N + 1) * n; i++) {
        *length = wy_larger(*length, self->dy[i * COLUMNS]);
        probe = wy_larger(probe, self->dy[i * COLUMNS + 1]);
    }
    stats->redundant_residual = 0.0;
    for (size_t i = 0; i < k; i++)
        stats->redundant_residual = wy_larger(stats->redundant_residual, mu[i * COLUMNS]);
    stats->condition = norm * probe;
    return WY_OK;
}

/* Solves the system with the free parameter; `local`, if not NULL, replaces the residuals. */
static wy_status solve_closed(collocation *self, const double *y, const double *row, double slope, double rhs,
                              const double *local, wy_closed *closed, wy_bvp_stats *stats, wy_error *err) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, N = p->elements;
    double lr[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * WY_CLOSED] = {0}, rr[WY_BVP_DIM * WY_CLOSED] = {0},
                                                 mu[BORDER * WY_CLOSED] = {0};
    double lb[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * BORDER] = {0}, rb[WY_BVP_DIM * BORDER] = {0}, d[BORDER] = {0};
    double dr[WY_BVP_DIM] = {0}, norm = 1.0;
    const wy_status s = linearise_all(self, y, &norm, stats, err);
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
        return fail_singular(stats, err);
    *closed = (wy_closed){.dy = self->closed, .sign = det.sign, .symmetries = k};
    memcpy(closed->dlambda, mu + k * WY_CLOSED, sizeof closed->dlambda);
    for (size_t i = 0; i < (N + 1) * n; i++)
        closed->length = wy_larger(closed->length, self->closed[i * WY_CLOSED + WY_CLOSED_STEP]);
    stats->redundant_residual = 0.0;
    for (size_t i = 0; i < k; i++)
        stats->redundant_residual = wy_larger(stats->redundant_residual, mu[i * WY_CLOSED + WY_CLOSED_STEP]);
    return WY_OK;
}

wy_status wy_collocation_close(wy_bvp_solver *base, const double *y, const double *row, double slope, double rhs,
                               wy_closed *closed, wy_bvp_stats *stats, wy_error *err) {
    return solve_closed((collocation *)(void *)base, y, row, slope, rhs, NULL, closed, stats, err);
}

bool wy_collocation_resize(wy_bvp_solver *base, size_t elements) {
    collocation *self = (collocation *)(void *)base;
    if (elements < 1 || elements > self->max_elements)
        return false;
    base->bvp.elements = elements;
    return true;
}

wy_status wy_collocation_error(wy_bvp_solver *base, const double *y, const double *row, double slope,
                               const double *local, double *error, double *dlambda, wy_error *err) {
    collocation *self = (collocation *)(void *)base;
    wy_closed closed;
    wy_bvp_stats stats = {0};
    const wy_status s = solve_closed(self, y, row, slope, 0.0, local, &closed, &stats, err);
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

/* dZ = G dz_i + constant part + (derivative by the parameter) dlambda; dy at the given stride */
static void advance_nodes_and_stages(collocation *self, double scale, double *y, const double *dy, size_t stride,
                                     double dlambda) {
    const wy_bvp *p = &self->base.bvp;
    const wy_bvp_chart chart = problem_chart(p);
    const size_t n = p->dim, m = chart.core, k = self->stages * m;
    for (size_t e = 0; e < p->elements; e++) {
        double z[WY_BVP_DIM], A[WY_BVP_DIM * WY_BVP_DIM], dz[WY_BVP_DIM] = {0};
        if (p->chart)
            to_problem_chart(p, z, A, y + e * n);
        for (size_t i = 0; i < m && !p->chart; i++)
            dz[i] = dy[(e * n + i) * stride];
        for (size_t i = 0; i < m && p->chart; i++)
            for (size_t c = 0; c < n; c++)
                dz[i] += A[i * n + c] * dy[(e * n + c) * stride];
        for (size_t j = 0; j < k; j++) {
            const double *row = self->G + (e * k + j) * (m + 2);
            double dZ = row[m] + row[m + 1] * dlambda;
            for (size_t c = 0; c < m; c++)
                dZ += row[c] * dz[c];
            self->Z[e * k + j] += scale * dZ;
        }
    }
    for (size_t i = 0; i < (p->elements + 1) * n; i++)
        y[i] += scale * dy[i * stride];
}

void wy_collocation_advance(wy_bvp_solver *base, double scale, double *y, const wy_closed *closed) {
    collocation *self = (collocation *)(void *)base;
    advance_nodes_and_stages(self, scale, y, closed->dy + WY_CLOSED_STEP, WY_CLOSED, closed->dlambda[WY_CLOSED_STEP]);
}

size_t wy_collocation_stages(const wy_bvp_solver *base, const double **c, const double **b) {
    const collocation *self = (const collocation *)(const void *)base;
    *c = self->c;
    *b = self->b;
    return self->stages;
}

void wy_collocation_stage(double *out, const wy_bvp_solver *base, const double *y, size_t element, size_t stage) {
    const collocation *self = (const collocation *)(const void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t m = problem_chart(p).core;
    double z[WY_BVP_DIM];
    to_problem_chart(p, z, NULL, y + element * p->dim);
    for (size_t i = 0; i < m; i++)
        z[i] += self->Z[(element * self->stages + stage) * m + i];
    if (p->chart)
        p->chart->from_chart(out, z);
    else
        memcpy(out, z, p->dim * sizeof *out);
}

static wy_status collocation_apply(wy_bvp_solver *base, double scale, double *y, wy_error *err) {
    (void)err;
    collocation *self = (collocation *)(void *)base;
    advance_nodes_and_stages(self, scale, y, self->dy, COLUMNS, 0.0);
    return WY_OK;
}

static void collocation_destroy(wy_bvp_solver *base) {
    collocation *self = (collocation *)(void *)base;
    free(self->Z);
    free(self->pivots);
    free(self);
}

wy_status wy_collocation_create(wy_bvp_solver **solver, const wy_bvp *bvp, int order, wy_error *err) {
    *solver = NULL;
    if (order != 2 && order != 4 && order != 6)
        return wy_fail(err, WY_BAD_INPUT, "collocation of order %d, expected 2, 4 or 6", order);
    const wy_bvp_chart chart = problem_chart(bvp);
    const size_t s = (size_t)order / 2, n = bvp->dim, d = chart.dim, m = chart.core, N = bvp->elements, k = s * m;
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
                            s * d,
                            s * d * d,
                            k * k,
                            k * (m + 2),
                            s * d,
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
    double **arrays[] = {&self->Z, &self->G, &self->T, &self->t,     &self->dy,     &self->work, &self->f,
                         &self->F, &self->A, &self->X, &self->slope, &self->closed, &self->tc,   &self->tb};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *arrays[i] = memory;
        memory += sizes[i];
    }
    self->pivots = pivots;
    self->stages = s;
    self->max_elements = N;
    self->a = gauss_a[s - 1];
    self->b = wy_gauss_weight[s - 1];
    self->c = wy_gauss_at[s - 1];
    self->base = (wy_bvp_solver){.bvp = *bvp,
                                 .destroy = collocation_destroy,
                                 .begin = collocation_begin,
                                 .step = collocation_step,
                                 .apply = collocation_apply};
    *solver = &self->base;
    return WY_OK;
}
