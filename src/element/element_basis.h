/* Numbers of the director element of degree P: nodes, Gauss points, values and slopes of Lagrange's polynomials.
 * docs/math/motion.md, "The element". */
#ifndef WY_ELEMENT_BASIS_H
#define WY_ELEMENT_BASIS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    WY_ELEMENT_DEGREE = 5, /* largest degree */
    WY_ELEMENT_LANES = 4,  /* points in a register */
    WY_ELEMENT_GROUPS = (WY_ELEMENT_DEGREE + WY_ELEMENT_LANES - 1) / WY_ELEMENT_LANES,
    WY_ELEMENT_ROWS = 8,                                                             /* strains at a point */
    WY_ELEMENT_BLOCK = WY_ELEMENT_LANES * (WY_ELEMENT_ROWS * WY_ELEMENT_GROUPS + 1), /* largest block of strains */
    WY_ELEMENT_ORDER = 6 * (WY_ELEMENT_DEGREE + 1),            /* unknowns of an element, at most */
    WY_ELEMENT_B_ROWS = 26,                                    /* rows of B, by node, ... */
    WY_ELEMENT_B_NODE = WY_ELEMENT_B_ROWS * WY_ELEMENT_DEGREE, /* ... of the points: largest B of a node; */
    WY_ELEMENT_B_H = 12                                        /* H1, H2 of a node: kept apart */
};

/* On an element of length h: P + 1 Gauss-Lobatto nodes, P Gauss points. Points lie in groups of four; what pads the
 * last group has the values and the weight 0. */
typedef struct wy_element_basis {
    int P, groups;
    double node[WY_ELEMENT_DEGREE + 1], node_weight[WY_ELEMENT_DEGREE + 1]; /* on [0, 1] */
    double point[WY_ELEMENT_DEGREE], point_weight[WY_ELEMENT_DEGREE];
    double N[WY_ELEMENT_GROUPS][WY_ELEMENT_DEGREE + 1][WY_ELEMENT_LANES]; /* L_j at the points */
    double D[WY_ELEMENT_GROUPS][WY_ELEMENT_DEGREE + 1][WY_ELEMENT_LANES]; /* dL_j/ds */
    double N_at[WY_ELEMENT_DEGREE][2 * WY_ELEMENT_LANES]; /* the same by points: the nodes are neighbours */
    double D_at[WY_ELEMENT_DEGREE][2 * WY_ELEMENT_LANES];
    double W[WY_ELEMENT_GROUPS][WY_ELEMENT_LANES];              /* weights times h */
    double slope[WY_ELEMENT_DEGREE + 1][WY_ELEMENT_DEGREE + 1]; /* [i][j]: dL_j/ds at node i */
    double hourglass[WY_ELEMENT_DEGREE + 1];                    /* c_j of (10.9) */
} wy_element_basis;

void wy_element_basis_make(wy_element_basis *basis, int P, double h);

/* Values at x in [0, 1] of the polynomials through the nodes (P + 1 of them), or through the Gauss points (P). */
void wy_element_basis_nodal(double *weight, const wy_element_basis *basis, double x);
void wy_element_basis_points(double *weight, const wy_element_basis *basis, double x);

/* Where strain c of point g of an element of degree P is in a block: eight rows of points in groups, then (g = P) H_1,
 * H_2. */
static inline size_t wy_element_at(size_t P, size_t g, size_t c) {
    const size_t groups = (P + WY_ELEMENT_LANES - 1) / WY_ELEMENT_LANES;
    return g == P ? WY_ELEMENT_LANES * WY_ELEMENT_ROWS * groups + c
                  : WY_ELEMENT_LANES * (c * groups + g / WY_ELEMENT_LANES) + g % WY_ELEMENT_LANES;
}

/* Rows of B of a node, in its body frame, without those that are zero or minus another: nu by translation (9), nu
 * (3), kappa (9), G3 (2) and G12 (3) by rotation. The one of strain c (0..7) and column a (0..5: translations,
 * rotations), or -1: zero. (10.15) */
static inline int wy_element_b_row(int c, int a) {
    if (a < 3)
        return c < 3 || c > 5 ? -1 : 3 * (c - 3) + a;
    if (c < 3)
        return 12 + 3 * c + a - 3;
    if (c < 6)
        return c == a ? -1 : 8 + (c - 3) + (a - 3); /* N_j p'.(d_a x d_c) */
    return c == 6 ? (a == 5 ? -1 : 21 + a - 3) : 23 + a - 3;
}
/* Whether B there is minus the row. */
static inline bool wy_element_b_minus(int c, int a) {
    return a >= 3 && c > a && c < 6;
}

#endif
