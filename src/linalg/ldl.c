/* Complete pivoting of Bunch and Parlett: the pivot is the largest diagonal entry, or the 2 x 2 block of the largest
 * entry if that is much larger. */
#include "linalg/ldl.h"

#include <math.h>
#include <string.h>

#define PAIR ((size_t)1 << (8 * sizeof(size_t) - 1)) /* marks the first row of a 2 x 2 pivot */

static void ldl_swap_rows_columns(double *A, size_t *order, size_t n, size_t a, size_t b) {
    if (a == b)
        return;
    for (size_t j = 0; j < n; j++) {
        const double t = A[n * a + j];
        A[n * a + j] = A[n * b + j];
        A[n * b + j] = t;
    }
    for (size_t j = 0; j < n; j++) {
        const double t = A[n * j + a];
        A[n * j + a] = A[n * j + b];
        A[n * j + b] = t;
    }
    const size_t t = order[a];
    order[a] = order[b];
    order[b] = t;
}

/* Eliminates row and column k with a 1 x 1 pivot. */
static void eliminate_single_pivot(double *A, size_t n, size_t k) {
    const double d = A[n * k + k], *top = A + n * k;
    for (size_t i = k + 1; i < n; i++) {
        double *to = A + n * i;
        const double l = to[k] / d;
        if (l != 0.0)
            for (size_t j = k + 1; j < n; j++)
                to[j] -= l * top[j];
        to[k] = l;
    }
}

/* Eliminates rows and columns k and k + 1 with a 2 x 2 pivot. */
static void eliminate_pivot_pair(double *A, size_t n, size_t k) {
    const double a = A[n * k + k], b = A[n * k + k + 1], c = A[n * (k + 1) + k + 1], det = a * c - b * b;
    const double *one = A + n * k, *two = one + n;
    for (size_t i = k + 2; i < n; i++) {
        double *to = A + n * i;
        const double x = to[k], y = to[k + 1], l = (c * x - b * y) / det, m = (a * y - b * x) / det;
        for (size_t j = k + 2; j < n; j++)
            to[j] -= l * one[j] + m * two[j];
        to[k] = l;
        to[k + 1] = m;
    }
}

bool wy_ldl_factor(double *A, size_t *order, size_t n, const double *floor, size_t *negative, size_t *row) {
    const double alpha = 0.6403882032022076; /* (1 + sqrt 17)/8 */
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
        for (size_t j = 0; j < i; j++)
            A[n * j + i] = A[n * i + j];
    }
    for (size_t k = 0; k < n;) {
        size_t p = k, r = k, q = k;
        double diagonal = -1.0, off = -1.0;
        for (size_t i = k; i < n; i++) {
            const double here = fabs(A[n * i + i]);
            *row = order[i];
            if (!isfinite(here))
                return false;
            if (here > diagonal) {
                diagonal = here;
                p = i;
            }
            for (size_t j = k; j < i; j++)
                if (fabs(A[n * i + j]) > off) {
                    off = fabs(A[n * i + j]);
                    r = i;
                    q = j;
                }
        }
        if (diagonal >= alpha * off) {
            *row = order[p];
            if (!(diagonal > floor[order[p]]))
                return false;
            ldl_swap_rows_columns(A, order, n, k, p);
            *negative += A[n * k + k] < 0.0;
            eliminate_single_pivot(A, n, k);
            k++;
        } else {
            *row = order[r];
            if (!(off > fmin(floor[order[r]], floor[order[q]])) || !isfinite(off))
                return false;
            ldl_swap_rows_columns(A, order, n, k, q);
            ldl_swap_rows_columns(A, order, n, k + 1, r);
            *negative += 1; /* alpha < 1: its determinant is negative */
            eliminate_pivot_pair(A, n, k);
            order[k] |= PAIR;
            k += 2;
        }
    }
    return true;
}

/* to -= f from */
static inline void ldl_subtract_row(double *restrict to, double f, const double *restrict from, size_t m) {
    for (size_t c = 0; c < m; c++)
        to[c] -= f * from[c];
}

void wy_ldl_solve(double *B, size_t m, const double *A, const size_t *order, size_t n, double *z) {
    for (size_t i = 0; i < n; i++)
        memcpy(z + i * m, B + (order[i] & ~PAIR) * m, m * sizeof *z);
    for (size_t k = 0; k < n; k++) {
        const size_t pair = order[k] & PAIR ? 1 : 0;
        for (size_t i = k + 1 + pair; i < n; i++) {
            ldl_subtract_row(z + i * m, A[n * i + k], z + k * m, m);
            if (pair)
                ldl_subtract_row(z + i * m, A[n * i + k + 1], z + (k + 1) * m, m);
        }
        if (pair) {
            const double a = A[n * k + k], b = A[n * k + k + 1], c = A[n * (k + 1) + k + 1], det = a * c - b * b;
            for (size_t j = 0; j < m; j++) {
                const double u = z[k * m + j], v = z[(k + 1) * m + j];
                z[k * m + j] = (c * u - b * v) / det;
                z[(k + 1) * m + j] = (a * v - b * u) / det;
            }
            k++;
        } else {
            const double d = A[n * k + k];
            for (size_t j = 0; j < m; j++)
                z[k * m + j] /= d;
        }
    }
    for (size_t k = n; k-- > 0;) { /* the second row of a pair comes first; the column of L of both begins below it */
        const size_t below = order[k] & PAIR ? k + 2 : k + 1;
        for (size_t i = below; i < n; i++)
            ldl_subtract_row(z + k * m, A[n * i + k], z + i * m, m);
    }
    for (size_t i = 0; i < n; i++)
        memcpy(B + (order[i] & ~PAIR) * m, z + i * m, m * sizeof *z);
}
