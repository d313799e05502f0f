/* Block-tridiagonal systems with 6 x 6 blocks: one block row for each node of a chain.
 *
 *   B_j x_(j-1) + A_j x_j + C_j x_(j+1) = r_j,   j = 0 .. n-1,   B_0 and C_(n-1) ignored
 *
 * Elimination goes down the chain with row pivoting inside each 6 x 6 pivot block; the cost is linear in n and nothing
 * is allocated. Blocks are row major. Rows and columns should be scaled to one unit before. */
#ifndef WY_BLOCK6_H
#define WY_BLOCK6_H

#include <stdbool.h>
#include <stddef.h>

/* Doubles for each block row that a factorisation needs. */
enum { WY_BLOCK6 = 36 };

typedef struct wy_block6 {
    size_t n;
    double *A, *B, *C;     /* n blocks each; wy_block6_factor leaves the factors in A, A^-1 C in C, and B as it was */
    unsigned char *pivots; /* 6 for each block row */
} wy_block6;

/* Factors in place. Returns n on success, or the number of the block row whose pivot is zero or not finite. */
size_t wy_block6_factor(wy_block6 *m);

/* Solves for x in place of r (6 n doubles) with the factors: again and again if wanted. */
void wy_block6_solve(const wy_block6 *m, double *r);

/* Inverts a 6 x 6 row-major matrix in place, with row pivoting. False where it is singular or not finite. */
bool wy_inverse6(double A[36]);

#endif
