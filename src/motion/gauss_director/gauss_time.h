/* Collocation methods in time. docs/math/motion.md, "A step". */
#ifndef WY_GAUSS_TIME_H
#define WY_GAUSS_TIME_H

#include <stdbool.h>

enum { WY_GAUSS_STAGES = 3 }; /* most stages */

/* A collocation method of S stages: Gauss-Legendre (b_i a_ij + b_j a_ji = b_i b_j, keeps quadratic invariants, order
 * 2S) or Radau IIA (takes energy from what it cannot resolve, order 2S - 1), and the basis in which A is diagonal: A
 * = sum_e r_e lambda_e l_e^T; of a complex pair one is kept, r_e doubled, and the real part taken. */
typedef struct wy_gauss_time {
    int S, roots;
    int order;
    bool radau; /* the last stage is the end of the step */
    double A[WY_GAUSS_STAGES][WY_GAUSS_STAGES], inverse[WY_GAUSS_STAGES][WY_GAUSS_STAGES];
    double b[WY_GAUSS_STAGES], c[WY_GAUSS_STAGES];
    double last[WY_GAUSS_STAGES];  /* b^T A^-1: y_1 = y_0 + sum last_i (Y_i - y_0) */
    double first[WY_GAUSS_STAGES]; /* the polynomial through the stages, at the start of the step */
    bool complex[2];
    double lambda[2][2];
    double left[2][WY_GAUSS_STAGES][2], right[2][WY_GAUSS_STAGES][2];
} wy_gauss_time;

void wy_gauss_time_make(wy_gauss_time *time, int S, bool radau);

/* Integrals from 0 to theta of the polynomials through the stages: the step's own interpolation. */
void wy_gauss_time_weights(double *weight, const wy_gauss_time *time, double theta);

/* For each root and stage -(dt lambda)^2 l_i, complex. Not in the kernels: of such a product gcc makes a fused
 * multiply-add there, whose bits are others. */
void wy_gauss_root_factors(double factor[2][WY_GAUSS_STAGES][2], const wy_gauss_time *time, double dt);

#endif
