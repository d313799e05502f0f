/* Banded matrices: LU factorisation with partial pivoting, in place, and substitution. */
#ifndef WY_BAND_H
#define WY_BAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/lab_api.h"

/* n x n with `lower` diagonals below and `upper` above the main one. The storage includes the fill-in of pivoting. */
typedef struct wy_band {
    size_t n, lower, upper;
    double *a;      /* wy_band_size(...) numbers */
    size_t *pivots; /* n */
} wy_band;

/* Numbers in the storage of a matrix of this shape. */
WY_LAB_API size_t wy_band_size(size_t n, size_t lower, size_t upper);

/* The entry in row i and column j; j - i from -lower to upper (and to upper + lower after factoring). */
static inline double *wy_band_at(const wy_band *A, size_t i, size_t j) {
    return A->a + i * (2 * A->lower + A->upper + 1) + (j + A->lower - i);
}

/* Factors in place. False if a pivot is zero or not finite. */
WY_LAB_API bool wy_band_factor(wy_band *A);

/* Solves A x = b in place of b with the factors. */
WY_LAB_API void wy_band_solve(double *b, const wy_band *A);

#endif
