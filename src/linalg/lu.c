/* Dense LU with partial pivoting, row oriented. */
#include "linalg/lu.h"

#include <math.h>

/* to -= f from; two rows of one matrix, which never are the same. */
static inline void take_off(double *restrict to, double f, const double *restrict from, size_t n) {
    for (size_t j = 0; j < n; j++)
        to[j] -= f * from[j];
}

bool wy_lu_factor(double *A, size_t *pivots, size_t n) {
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
                p = i;
        pivots[k] = p;
        const double pivot = A[p * n + k];
        if (pivot == 0.0 || !isfinite(pivot))
            return false;
        if (p != k)
            for (size_t j = 0; j < n; j++) {
                const double t = A[k * n + j];
                A[k * n + j] = A[p * n + j];
                A[p * n + j] = t;
            }
        for (size_t i = k + 1; i < n; i++) {
            if (A[i * n + k] == 0.0) /* the matrices of a rod's step are half empty */
                continue;
            const double f = A[i * n + k] /= pivot;
            take_off(A + i * n + k + 1, f, A + k * n + k + 1, n - k - 1);
        }
    }
    return true;
}

void wy_lu_solve(double *b, const double *A, const size_t *pivots, size_t n) {
    for (size_t k = 0; k < n; k++) {
        const double t = b[pivots[k]];
        b[pivots[k]] = b[k];
        b[k] = t;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++)
            b[i] -= A[i * n + j] * b[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
}

void wy_lu_solve_many(double *B, size_t m, const double *A, const size_t *pivots, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (pivots[k] != k)
            for (size_t j = 0; j < m; j++) {
                const double t = B[pivots[k] * m + j];
                B[pivots[k] * m + j] = B[k * m + j];
                B[k * m + j] = t;
            }
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            const double f = A[i * n + k];
            if (f != 0.0)
                take_off(B + i * m, f, B + k * m, m);
        }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) {
            const double f = A[i * n + k];
            if (f != 0.0)
                take_off(B + i * m, f, B + k * m, m);
        }
        for (size_t j = 0; j < m; j++)
            B[i * m + j] /= A[i * n + i];
    }
}
