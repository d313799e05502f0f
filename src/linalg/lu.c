/* Dense LU with partial pivoting, row oriented. */
#include "linalg/lu.h"

#include <math.h>

/* to -= f from; the two rows are different. */
static inline void lu_subtract_row(double *restrict to, double f, const double *restrict from, size_t n) {
    for (size_t j = 0; j < n; j++)
        to[j] -= f * from[j];
}

/* to -= f one, then to -= g two, in one sweep: the same roundings with half the memory traffic. */
static inline void lu_subtract_two_rows(double *restrict to, double f, const double *restrict one, double g,
                                        const double *restrict two, size_t n) {
    for (size_t j = 0; j < n; j++)
        to[j] = to[j] - f * one[j] - g * two[j];
}

/* Moves the pivot of column k to row k and computes column k of L. */
static bool pivot_column(double *A, size_t *pivots, size_t n, size_t k) {
    size_t p = k;
    double most = fabs(A[k * n + k]);
    for (size_t i = k + 1; i < n; i++) {
        const double here = fabs(A[i * n + k]);
        if (here > most) {
            most = here;
            p = i;
        }
    }
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
    for (size_t i = k + 1; i < n; i++)
        if (A[i * n + k] != 0.0)
            A[i * n + k] /= pivot;
    return true;
}

bool wy_lu_factor(double *A, size_t *pivots, size_t n) {
    for (size_t k = 0; k < n; k += 2) { /* two columns at a time; half of a rod's step matrix is zero */
        double *one = A + k * n, *two = one + n;
        if (!pivot_column(A, pivots, n, k))
            return false;
        if (k + 1 == n)
            break;
        for (size_t i = k + 1; i < n; i++)
            if (A[i * n + k] != 0.0)
                A[i * n + k + 1] -= A[i * n + k] * one[k + 1];
        if (!pivot_column(A, pivots, n, k + 1))
            return false;
        const size_t from = k + 2, rest = n - from;
        if (two[k] != 0.0)
            lu_subtract_row(two + from, two[k], one + from, rest);
        for (size_t i = from; i < n; i++) {
            double *row = A + i * n;
            const double f = row[k], g = row[k + 1];
            if (f != 0.0 && g != 0.0)
                lu_subtract_two_rows(row + from, f, one + from, g, two + from, rest);
            else if (f != 0.0)
                lu_subtract_row(row + from, f, one + from, rest);
            else if (g != 0.0)
                lu_subtract_row(row + from, g, two + from, rest);
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

enum { WIDE = 12, NARROW = 3 }; /* columns that are solved together, in registers */

/* Forward and back substitution of `columns` columns of B, whose rows are m apart. */
static inline void lu_substitute_columns(double *B, size_t m, const size_t columns, const double *A, size_t n) {
    double x[WIDE];
    for (size_t i = 1; i < n; i++) {
        for (size_t c = 0; c < columns; c++)
            x[c] = B[i * m + c];
        for (size_t k = 0; k < i; k++) {
            const double f = A[i * n + k];
            if (f != 0.0)
                lu_subtract_row(x, f, B + k * m, columns);
        }
        for (size_t c = 0; c < columns; c++)
            B[i * m + c] = x[c];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t c = 0; c < columns; c++)
            x[c] = B[i * m + c];
        for (size_t k = i + 1; k < n; k++) {
            const double f = A[i * n + k];
            if (f != 0.0)
                lu_subtract_row(x, f, B + k * m, columns);
        }
        for (size_t c = 0; c < columns; c++)
            B[i * m + c] = x[c] / A[i * n + i];
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
    size_t c = 0;
    for (; c + WIDE <= m; c += WIDE)
        lu_substitute_columns(B + c, m, WIDE, A, n);
    for (; c + NARROW <= m; c += NARROW)
        lu_substitute_columns(B + c, m, NARROW, A, n);
    for (; c < m; c++)
        lu_substitute_columns(B + c, m, 1, A, n);
}
