/* Eigenvalues and eigenvectors of small symmetric matrices by Jacobi's rotations. */
#ifndef WY_SYMMETRIC_H
#define WY_SYMMETRIC_H

#include <stddef.h>

/* A (n x n row major, symmetric) = V diag(values) V^T. A is destroyed; the columns of V (n x n) are orthonormal, values
 * ascend. To round-off, small eigenvalues too where A is scaled well. */
void wy_symmetric_eigen(double *values, double *V, double *A, size_t n);

#endif
