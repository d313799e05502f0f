/* Dense LU factorisation with partial pivoting, in place, for the small systems of one step. */
#ifndef WY_LU_H
#define WY_LU_H

#include <stdbool.h>
#include <stddef.h>

#include "base/lab_api.h"

/* Factors the n x n row-major matrix A = P L U in place; `pivots` has n entries. Returns false if a pivot is zero or
 * not finite: the matrix is singular, and the contents of A and pivots are undefined. */
WY_LAB_API bool wy_lu_factor(double *A, size_t *pivots, size_t n);

/* Solves A x = b in place of b with the factors. */
WY_LAB_API void wy_lu_solve(double *b, const double *A, const size_t *pivots, size_t n);

/* Solves A X = B in place of B, n x m row major, with the factors. */
WY_LAB_API void wy_lu_solve_many(double *B, size_t m, const double *A, const size_t *pivots, size_t n);

#endif
