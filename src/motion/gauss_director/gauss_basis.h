/* Numbers of the gauss-director element of degree P and of its stages in time. docs/math/motion.md, "The element" and
 * "A step". */
#ifndef WY_GAUSS_BASIS_H
#define WY_GAUSS_BASIS_H

#include <stdbool.h>

enum {
    WY_GAUSS_DEGREE = 5, /* largest degree */
    WY_GAUSS_STAGES = 3, /* most stages */
    WY_GAUSS_LANES = 4,  /* points in a register */
    WY_GAUSS_GROUPS = (WY_GAUSS_DEGREE + WY_GAUSS_LANES - 1) / WY_GAUSS_LANES
};

/* On an element of length h: P + 1 Gauss-Lobatto nodes, P Gauss points. Points lie in groups of four; what pads the
 * last group has the values and the weight 0. */
typedef struct wy_gauss_space {
    int P, groups;
    double node[WY_GAUSS_DEGREE + 1], node_weight[WY_GAUSS_DEGREE + 1]; /* on [0, 1] */
    double point[WY_GAUSS_DEGREE], point_weight[WY_GAUSS_DEGREE];
    double N[WY_GAUSS_GROUPS][WY_GAUSS_DEGREE + 1][WY_GAUSS_LANES]; /* L_j at the points */
    double D[WY_GAUSS_GROUPS][WY_GAUSS_DEGREE + 1][WY_GAUSS_LANES]; /* dL_j/ds */
    double N_at[WY_GAUSS_DEGREE][2 * WY_GAUSS_LANES];               /* the same by points: the nodes are neighbours */
    double D_at[WY_GAUSS_DEGREE][2 * WY_GAUSS_LANES];
    double W[WY_GAUSS_GROUPS][WY_GAUSS_LANES];              /* weights times h */
    double slope[WY_GAUSS_DEGREE + 1][WY_GAUSS_DEGREE + 1]; /* [i][j]: dL_j/ds at node i */
    double hourglass[WY_GAUSS_DEGREE + 1];                  /* c_j of (10.9) */
} wy_gauss_space;

void wy_gauss_space_make(wy_gauss_space *space, int P, double h);

/* Values at x in [0, 1] of the polynomials through the nodes (P + 1 of them), or through the Gauss points (P). */
void wy_gauss_space_nodal(double *weight, const wy_gauss_space *space, double x);
void wy_gauss_space_strain(double *weight, const wy_gauss_space *space, double x);

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

#endif
