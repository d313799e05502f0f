/* Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations. */
#ifndef WY_SYMMETRIC_H
#define WY_SYMMETRIC_H

#include <stddef.h>

/* A (n x n row major, symmetric) = V diag(values) V^T. A is destroyed; the columns of V (n x n) are orthonormal, the
 * values ascend. Exact to round-off, also for small eigenvalues if A is well scaled. */
void wy_symmetric_eigen(double *values, double *V, double *A, size_t n);

#endif
