/* Symmetric block-tridiagonal matrices with 6 x 6 blocks, and the number of their negative eigenvalues.
 *
 *   H = [A_0 B_1^T; B_1 A_1 B_2^T; ...],   H = L D L^T,   D_0 = A_0,   D_j = A_j - B_j D_{j-1}^-1 B_j^T
 *
 * By Sylvester's law H has as many negative eigenvalues as all D_j together. Each D_j is factored with complete
 * symmetric pivoting (1 x 1 and 2 x 2 pivots), which gives the signs of its eigenvalues. O(n). */
#ifndef WY_CHAIN_H
#define WY_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

enum { WY_CHAIN = 6 };

typedef struct wy_chain {
    size_t n;
    double *A, *B; /* n blocks each, row major; B_0 is not used, nor the antisymmetric part of A */
} wy_chain;

/* Doubles of scratch for the factors of n blocks. */
size_t wy_chain_work(size_t n);

/* Factors H - shift M into `work` (M: another chain of the same length, or NULL) and counts the negative eigenvalues.
 * An eigenvalue that is exactly zero counts as positive. False if a block is zero or not finite. */
bool wy_chain_factor(size_t *negative, const wy_chain *H, const wy_chain *M, double shift, double *work);

/* x <- (H - shift M)^-1 x with those factors; 6 n numbers. */
void wy_chain_solve(double *x, size_t n, const double *work);

/* y <- H x. */
void wy_chain_product(double *y, const wy_chain *H, const double *x);

#endif
