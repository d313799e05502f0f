/* Numbers of the velocity-strain discretisation of degree p and of Gauss-Legendre methods in time.
 * docs/math/cantilever.md, "The discretisation in space" and "The stages". */
#ifndef WY_HIGH_ORDER_BASIS_H
#define WY_HIGH_ORDER_BASIS_H

#include <stdbool.h>

enum { WY_DEGREE_MAX = 5, WY_STAGES_MAX = 3 };

/* On the element [0, 1]: velocities at p + 1 Gauss-Lobatto nodes, strains at p Gauss points. */
typedef struct wy_space_basis {
    int p;
    double node[WY_DEGREE_MAX + 1], node_weight[WY_DEGREE_MAX + 1];
    double gauss[WY_DEGREE_MAX], gauss_weight[WY_DEGREE_MAX];
    double N[WY_DEGREE_MAX][WY_DEGREE_MAX + 1]; /* shape function of node i at Gauss point g */
    double D[WY_DEGREE_MAX][WY_DEGREE_MAX + 1]; /* its derivative */
} wy_space_basis;

void wy_space_basis_make(wy_space_basis *basis, int p);

/* Values at x in [0, 1] of the polynomials of degree p - 1 that are 1 at one Gauss point and 0 at the others. */
void wy_space_basis_strain(double *weight, const wy_space_basis *basis, double x);

/* An s-stage collocation method, in a basis in which its matrix is diagonal.
 *   A = sum_e r_e lambda_e l_e^T over all eigenvalues; of a complex pair one is kept, and Re() is taken twice. */
typedef struct wy_time_basis {
    int stages, roots; /* roots: eigenvalues kept, 1 or 2 */
    double A[WY_STAGES_MAX][WY_STAGES_MAX], b[WY_STAGES_MAX], c[WY_STAGES_MAX];
    double last[WY_STAGES_MAX]; /* b^T A^-1: y+ = y + sum last_i (Y_i - y) */
    bool complex[2];
    double lambda[2][2];               /* real and imaginary part */
    double left[2][WY_STAGES_MAX][2];  /* l_e */
    double right[2][WY_STAGES_MAX][2]; /* r_e; twice that of a complex pair */
} wy_time_basis;

void wy_time_basis_make(wy_time_basis *basis, int stages);

#endif
