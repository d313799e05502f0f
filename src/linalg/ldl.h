/* Dense symmetric matrices, definite or not: P A P^T = L D L^T with complete pivoting (Bunch and Parlett), D of 1 x 1
 * and 2 x 2 blocks. By Sylvester's law D has as many negative eigenvalues as A. */
#ifndef WY_LDL_H
#define WY_LDL_H

#include <stdbool.h>
#include <stddef.h>

/* Factors the n x n row-major matrix A in place; only its lower triangle is read. order: n numbers, the permutation and
 * a mark at the first row of a 2 x 2 pivot. Adds the number of negative eigenvalues to *negative. A pivot of row i that
 * is not above floor[i] is round-off: returns false, and *row is its row. */
bool wy_ldl_factor(double *A, size_t *order, size_t n, const double *floor, size_t *negative, size_t *row);

/* Solves A X = B in place of B, n x m row major, with the factors; scratch: n x m numbers. */
void wy_ldl_solve(double *B, size_t m, const double *A, const size_t *order, size_t n, double *scratch);

#endif
