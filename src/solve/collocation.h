/* The data of the collocation solver. Internal to src/solve. */
#ifndef WY_COLLOCATION_H
#define WY_COLLOCATION_H

#include <string.h>

#include "solve/bvp.h"

enum { STAGES = 3, COLUMNS = 2 };        /* the second column is the right-hand side of the condition estimate */
enum { BORDER = WY_BVP_SYMMETRIES + 1 }; /* multipliers of the symmetries, and the parameter */

typedef struct collocation {
    wy_bvp_solver base;
    size_t stages;
    size_t max_elements; /* number of elements allocated */
    const double *a, *b, *c;
    double *Z; /* elements x stages x core */
    double *G; /* elements x stages x core x (core + 2): dZ by dz_i, constant part, and by the parameter */
    double *T, *t, *dy, *work;
    double *f, *F, *A, *X, *slope;
    double *closed, *tc, *tb; /* with a free parameter: solutions, right-hand sides and border of the elements */
    size_t *pivots;
    /* linearised end conditions */
    size_t k; /* symmetries */
    double lB[(WY_BVP_DIM + WY_BVP_SYMMETRIES) * WY_BVP_DIM], lr[WY_BVP_DIM + WY_BVP_SYMMETRIES];
    double rB[WY_BVP_DIM * WY_BVP_DIM], rr[WY_BVP_DIM], redundant[WY_BVP_DIM * WY_BVP_SYMMETRIES];
} collocation;

/* The chart of the problem; the identity if it has none. */
static inline wy_bvp_chart problem_chart(const wy_bvp *p) {
    return p->chart ? *p->chart
                    : (wy_bvp_chart){.dim = p->dim,
                                     .core = p->core,
                                     .field = p->field,
                                     .jacobian = p->jacobian,
                                     .field_slope = p->field_slope};
}

/* z(y), and dz/dy if A is not NULL and the problem has a chart. */
static inline void to_problem_chart(const wy_bvp *p, double *z, double *A, const double *y) {
    if (p->chart) {
        p->chart->to_chart(z, A, y);
        return;
    }
    memcpy(z, y, p->dim * sizeof *z);
}

/* out = B x for `columns` columns: transforms tangents at z from the chart to y. */
static inline void from_chart_tangent(const wy_bvp *p, double *out, const double *x, size_t columns, const double *z) {
    if (!p->chart) {
        memcpy(out, x, p->dim * columns * sizeof *out);
        return;
    }
    double B[WY_BVP_DIM * WY_BVP_DIM];
    const size_t d = p->chart->dim;
    p->chart->from_chart_jacobian(B, z);
    memset(out, 0, p->dim * columns * sizeof *out);
    for (size_t i = 0; i < p->dim; i++)
        for (size_t k = 0; k < d; k++) {
            const double b = B[i * d + k];
            for (size_t c = 0; c < columns && b != 0.0; c++)
                out[i * columns + c] += b * x[k * columns + c];
        }
}

#endif
