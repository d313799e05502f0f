/* Gauss-Legendre collocation as one global Newton iteration.
 *
 * Unknowns: the nodes y_i and, in each element, the stage increments Z_j of the core components:
 *   Z_j = h sum_l a_jl f(s_l, y_i + Z_l),      y_{i+1} = y_i + h sum_l b_l f(s_l, y_i + Z_l).
 * Eliminating dZ = G dy_i + g element by element leaves dy_{i+1} = T_i dy_i + t_i, an almost block diagonal system. The
 * stages are not solved inside the residual: that would make Newton fail far from the solution. docs/math (5.8). */
#include "solve/bvp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/abd.h"
#include "linalg/lu.h"

enum { STAGES = 3, COLUMNS = 2 }; /* the second column is the probe of the condition estimate */

#define R3 1.7320508075688772935
#define R15 3.8729833462074168852

static const double gauss_a[STAGES][STAGES * STAGES] = {
    {0.5},
    {0.25, 0.25 - R3 / 6.0, 0.25 + R3 / 6.0, 0.25},
    {5.0 / 36.0, 2.0 / 9.0 - R15 / 15.0, 5.0 / 36.0 - R15 / 30.0, 5.0 / 36.0 + R15 / 24.0, 2.0 / 9.0,
     5.0 / 36.0 - R15 / 24.0, 5.0 / 36.0 + R15 / 30.0, 2.0 / 9.0 + R15 / 15.0, 5.0 / 36.0},
};
static const double gauss_b[STAGES][STAGES] = {{1.0}, {0.5, 0.5}, {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0}};
static const double gauss_c[STAGES][STAGES] = {
    {0.5}, {0.5 - R3 / 6.0, 0.5 + R3 / 6.0}, {0.5 - R15 / 10.0, 0.5, 0.5 + R15 / 10.0}};

typedef struct collocation {
    wy_bvp_solver base;
    size_t stages;
    const double *a, *b, *c;
    double *Z; /* elements x stages x core */
    double *G; /* elements x stages x core x (core + 1): dZ by dy_i, and the rest */
    double *T, *t, *dy, *work;
    double *f, *F, *A;
    size_t *pivots;
} collocation;

static wy_status begin(wy_bvp_solver *base, double *y, wy_error *err) {
    collocation *self = (collocation *)(void *)base;
    (void)err;
    /* stages from the nodes: the cubic through y and y' at both ends of the element would be better, the straight line
     * will do */
    const wy_bvp *p = &base->bvp;
    for (size_t e = 0; e < p->elements; e++)
        for (size_t j = 0; j < self->stages; j++)
            for (size_t i = 0; i < p->core; i++)
                self->Z[(e * self->stages + j) * p->core + i] =
                    self->c[j] * (y[(e + 1) * p->dim + i] - y[e * p->dim + i]);
    return WY_OK;
}

static double larger(double a, double b) {
    return !(fabs(b) <= a) ? fabs(b) : a; /* NaN wins */
}

/* T, t and G of one element; returns the largest residual in it, or -1 where its stage matrix is singular. */
static double element(collocation *self, size_t e, const double *y, double *norm) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, m = p->core, s = self->stages, k = s * m, w = m + 1;
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
    }
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < m; i++) {
            double *row = G + (j * m + i) * w;
            double sum = 0.0;
            for (size_t c = 0; c < m; c++)
                row[c] = 0.0;
            for (size_t l = 0; l < s; l++) {
                const double ha = h * self->a[j * s + l], *J = F + (l * n + i) * n;
                sum += ha * f[l * n + i];
                for (size_t c = 0; c < m; c++) {
                    A[(j * m + i) * k + l * m + c] = (j == l && i == c ? 1.0 : 0.0) - ha * J[c];
                    row[c] += ha * J[c];
                }
            }
            row[m] = sum - Z[j * m + i];
            worst = larger(worst, row[m]);
        }
    if (!wy_lu_factor(A, self->pivots, k))
        return -1.0;
    wy_lu_solve_many(G, w, A, self->pivots, k);
    for (size_t i = 0; i < n; i++) {
        double *row = T + i * n, rest = yi[i] - yn[i], size = 1.0;
        for (size_t c = 0; c < n; c++)
            row[c] = i == c ? 1.0 : 0.0;
        for (size_t l = 0; l < s; l++)
            rest += h * self->b[l] * f[l * n + i];
        worst = larger(worst, rest);
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
            }
        }
        for (size_t c = 0; c < n; c++)
            size += fabs(row[c]);
        *norm = larger(*norm, size);
        t[i * COLUMNS] = rest;
        t[i * COLUMNS + 1] = wy_bvp_probe(e * n + i);
    }
    return worst;
}

static wy_status step(wy_bvp_solver *base, double *y, double *length, wy_bvp_stats *stats, wy_error *err) {
    collocation *self = (collocation *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t n = p->dim, N = p->elements;
    double phase[WY_BVP_SYMMETRIES * WY_BVP_DIM], redundant[WY_BVP_DIM * WY_BVP_SYMMETRIES];
    double lB[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * WY_BVP_DIM], lr[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * COLUMNS];
    double rB[WY_BVP_DIM * WY_BVP_DIM], rr[WY_BVP_DIM * COLUMNS], r[WY_BVP_DIM], mu[WY_BVP_SYMMETRIES * COLUMNS] = {0};
    double worst = 0.0, norm = 1.0;
    const size_t k = p->symmetries ? p->symmetries(phase, redundant, y, p->context) : 0;
    p->left_rows(r, lB, y, p->context);
    for (size_t i = 0; i < p->left; i++) {
        lr[i * COLUMNS] = -r[i];
        lr[i * COLUMNS + 1] = wy_bvp_probe(N * n + i);
        worst = larger(worst, r[i]);
    }
    for (size_t i = 0; i < k; i++) {
        memcpy(lB + (p->left + i) * n, phase + i * n, n * sizeof *lB);
        lr[(p->left + i) * COLUMNS] = lr[(p->left + i) * COLUMNS + 1] = 0.0;
    }
    p->right_rows(r, rB, y + N * n, p->context);
    for (size_t i = 0; i < p->right; i++) {
        rr[i * COLUMNS] = -r[i];
        rr[i * COLUMNS + 1] = wy_bvp_probe(N * n + p->left + i);
        worst = larger(worst, r[i]);
    }
    for (size_t e = 0; e < N; e++) {
        const double here = element(self, e, y, &norm);
        if (here < 0.0)
            return wy_fail(err, WY_NO_CONVERGENCE, "the collocation equations of element %zu (s = %g) are singular", e,
                           p->s[e]);
        worst = larger(worst, here);
    }
    stats->residual = worst;
    const wy_abd shape = {
        .dim = n, .elements = N, .left = p->left + k, .right = p->right, .border = k, .columns = COLUMNS};
    if (!wy_abd_solve(&shape, lB, lr, self->T, self->t, rB, redundant, rr, self->dy, mu, self->work)) {
        stats->condition = INFINITY;
        return wy_fail(err, WY_NO_CONVERGENCE, "the linear system of the rod is singular (residual %.3g)", worst);
    }
    *length = 0.0;
    double probe = 0.0;
    for (size_t i = 0; i < (N + 1) * n; i++) {
        *length = larger(*length, self->dy[i * COLUMNS]);
        probe = larger(probe, self->dy[i * COLUMNS + 1]);
    }
    stats->slack = 0.0;
    for (size_t i = 0; i < k; i++)
        stats->slack = larger(stats->slack, mu[i * COLUMNS]);
    stats->condition = norm * probe;
    return WY_OK;
}

static wy_status apply(wy_bvp_solver *base, double scale, double *y, wy_error *err) {
    (void)err;
    collocation *self = (collocation *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t n = p->dim, m = p->core, k = self->stages * m;
    for (size_t e = 0; e < p->elements; e++)
        for (size_t j = 0; j < k; j++) {
            const double *row = self->G + (e * k + j) * (m + 1);
            double dZ = row[m];
            for (size_t c = 0; c < m; c++)
                dZ += row[c] * self->dy[(e * n + c) * COLUMNS];
            self->Z[e * k + j] += scale * dZ;
        }
    for (size_t i = 0; i < (p->elements + 1) * n; i++)
        y[i] += scale * self->dy[i * COLUMNS];
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
                          .border = WY_BVP_SYMMETRIES,
                          .columns = COLUMNS};
    const size_t sizes[] = {
        N * k, N * k * (m + 1), N * n * n, N * n * COLUMNS, (N + 1) * n * COLUMNS, wy_abd_work(&shape),
        s * n, s * n * n,       k * k};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        total += sizes[i];
    collocation *self = calloc(1, sizeof *self);
    double *memory = calloc(total, sizeof *memory);
    size_t *pivots = calloc(k, sizeof *pivots);
    if (!self || !memory || !pivots) {
        free(self);
        free(memory);
        free(pivots);
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu elements of order %d", N, order);
    }
    double **where[] = {&self->Z, &self->G, &self->T, &self->t, &self->dy, &self->work, &self->f, &self->F, &self->A};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *where[i] = memory;
        memory += sizes[i];
    }
    self->pivots = pivots;
    self->stages = s;
    self->a = gauss_a[s - 1];
    self->b = gauss_b[s - 1];
    self->c = gauss_c[s - 1];
    self->base = (wy_bvp_solver){.bvp = *bvp, .destroy = destroy, .begin = begin, .step = step, .apply = apply};
    *solver = &self->base;
    return WY_OK;
}
