/* Growth of an error at the first end on an integration along the rod. docs/math/statics.md (5.32), (5.33). */
#include "equilibrium/equilibrium_error.h"

#include <math.h>
#include <string.h>

#include "linalg/lu.h"

enum { D = WY_STATIC_DIM, COLUMNS = D + 1 };

/* Changes that the first end leaves free: columns that span the changes e, in units, with B e = 0, for its rows B: 1
 * - B^T (B B^T)^-1 B. */
static bool free_changes(double W[D * COLUMNS], const wy_bvp *p, const double *y, const double unit[D]) {
    double r[WY_BVP_DIM], B[WY_BVP_DIM * WY_BVP_DIM], BB[WY_BVP_DIM * WY_BVP_DIM], X[WY_BVP_DIM * WY_BVP_DIM];
    size_t pivots[WY_BVP_DIM];
    const size_t rows = p->left;
    p->left_rows(r, B, y, p->context);
    for (size_t i = 0; i < rows; i++) {
        double size = 0.0;
        for (size_t c = 0; c < D; c++)
            size = fmax(size, fabs(B[i * D + c] *= unit[c]));
        for (size_t c = 0; c < D && size > 0.0; c++)
            B[i * D + c] /= size;
    }
    memcpy(X, B, rows * D * sizeof *X);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++) {
            double sum = 0.0;
            for (size_t c = 0; c < D; c++)
                sum += B[i * D + c] * B[j * D + c];
            BB[i * rows + j] = sum;
        }
    if (!wy_lu_factor(BB, pivots, rows))
        return false;
    wy_lu_solve_many(X, D, BB, pivots, rows);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < D; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (size_t k = 0; k < rows; k++)
                sum -= B[k * D + i] * X[k * D + j];
            W[i * COLUMNS + j] = unit[i] * sum;
        }
    return true;
}

void wy_equilibrium_march_sensitivity(double *grows, double *shows, const wy_bvp_solver *solver, const double *y,
                                      const double *local, const double unit[D]) {
    const wy_bvp *p = &solver->bvp;
    const double *T = wy_collocation_transfer(solver);
    double W[D * COLUMNS] = {0}, next[D * COLUMNS];
    *grows = *shows = -1.0;
    if (!free_changes(W, p, y, unit))
        return;
    for (size_t e = 0; e < p->elements; e++, T += D * D) {
        double sum = 0.0, off = 0.0;
        for (size_t i = 0; i < D; i++) {
            double *to = next + i * COLUMNS, row = 0.0;
            memset(to, 0, COLUMNS * sizeof *to);
            for (size_t k = 0; k < D; k++)
                for (size_t j = 0; j < COLUMNS && T[i * D + k] != 0.0; j++)
                    to[j] += T[i * D + k] * W[k * COLUMNS + j];
            for (size_t j = 0; j < D; j++)
                row += fabs(to[j]);
            to[D] += local[e * D + i];
            sum = fmax(sum, row / unit[i]);
            off = fmax(off, fabs(to[D]) / unit[i]);
        }
        if (!(sum < WY_STATIC_MARCH_MOST)) {
            *grows = *shows = WY_STATIC_MARCH_MOST;
            return;
        }
        memcpy(W, next, sizeof W);
        *grows = sum;
        *shows = off;
    }
}
