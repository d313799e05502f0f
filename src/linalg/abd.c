/* Almost block diagonal systems with a border, by elimination in a moving window. */
#include "linalg/abd.h"

#include <math.h>
#include <string.h>

/* Eliminates the first `pivots` columns of the rows x width matrix W with row pivoting; false where there is no pivot.
 */
static bool eliminate(double *W, size_t rows, size_t width, size_t pivots) {
    for (size_t k = 0; k < pivots; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < rows; i++)
            if (fabs(W[i * width + k]) > fabs(W[p * width + k]))
                p = i;
        const double pivot = W[p * width + k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot))
            return false;
        if (p != k)
            for (size_t j = k; j < width; j++) {
                const double x = W[k * width + j];
                W[k * width + j] = W[p * width + j];
                W[p * width + j] = x;
            }
        for (size_t i = k + 1; i < rows; i++) {
            const double f = W[i * width + k] / pivot;
            if (f == 0.0)
                continue;
            W[i * width + k] = 0.0;
            for (size_t j = k + 1; j < width; j++)
                W[i * width + j] -= f * W[k * width + j];
        }
    }
    return true;
}

size_t wy_abd_work(const wy_abd *a) {
    const size_t window = (a->left + a->dim) * (2 * a->dim + a->columns);
    const size_t last = (a->dim + a->border) * (a->dim + a->border + a->columns);
    return a->elements * a->dim * (2 * a->dim + a->columns) + (window > last ? window : last) +
           a->left * (a->dim + a->columns);
}

bool wy_abd_solve(const wy_abd *a, const double *left_B, const double *left_r, const double *T, const double *t,
                  const double *right_B, const double *right_b, const double *right_r, double *y, double *mu,
                  double *work) {
    const size_t n = a->dim, m = a->columns, left = a->left, width = 2 * n + m, kept = n * width;
    double *U = work, *carry = U + a->elements * kept, *W = carry + left * (n + m);
    for (size_t i = 0; i < left; i++) {
        memcpy(carry + i * (n + m), left_B + i * n, n * sizeof *carry);
        memcpy(carry + i * (n + m) + n, left_r + i * m, m * sizeof *carry);
    }
    for (size_t e = 0; e < a->elements; e++) {
        for (size_t i = 0; i < left; i++) {
            memcpy(W + i * width, carry + i * (n + m), n * sizeof *W);
            memset(W + i * width + n, 0, n * sizeof *W);
            memcpy(W + i * width + 2 * n, carry + i * (n + m) + n, m * sizeof *W);
        }
        for (size_t i = 0; i < n; i++) {
            double *row = W + (left + i) * width;
            for (size_t j = 0; j < n; j++) {
                row[j] = -T[(e * n + i) * n + j];
                row[n + j] = i == j ? 1.0 : 0.0;
            }
            memcpy(row + 2 * n, t + (e * n + i) * m, m * sizeof *W);
        }
        if (!eliminate(W, left + n, width, n))
            return false;
        memcpy(U + e * kept, W, kept * sizeof *U);
        for (size_t i = 0; i < left; i++)
            memcpy(carry + i * (n + m), W + (n + i) * width + n, (n + m) * sizeof *carry);
    }
    /* the last node and mu together */
    const size_t k = a->border, size = n + k, last = size + m;
    for (size_t i = 0; i < left; i++) {
        memcpy(W + i * last, carry + i * (n + m), n * sizeof *W);
        memset(W + i * last + n, 0, k * sizeof *W);
        memcpy(W + i * last + size, carry + i * (n + m) + n, m * sizeof *W);
    }
    for (size_t i = 0; i < a->right; i++) {
        double *row = W + (left + i) * last;
        memcpy(row, right_B + i * n, n * sizeof *W);
        for (size_t j = 0; j < k; j++)
            row[n + j] = right_b[i * k + j];
        memcpy(row + size, right_r + i * m, m * sizeof *W);
    }
    if (!eliminate(W, size, last, size))
        return false;
    double *yN = y + a->elements * n * m;
    for (size_t c = 0; c < m; c++)
        for (size_t i = size; i-- > 0;) {
            double sum = W[i * last + size + c];
            for (size_t j = i + 1; j < size; j++)
                sum -= W[i * last + j] * (j < n ? yN[j * m + c] : mu[(j - n) * m + c]);
            *(i < n ? &yN[i * m + c] : &mu[(i - n) * m + c]) = sum / W[i * last + i];
        }
    for (size_t e = a->elements; e-- > 0;) {
        const double *next = y + (e + 1) * n * m;
        double *now = y + e * n * m;
        for (size_t c = 0; c < m; c++)
            for (size_t i = n; i-- > 0;) {
                const double *row = U + e * kept + i * width;
                double sum = row[2 * n + c];
                for (size_t j = 0; j < n; j++)
                    sum -= row[n + j] * next[j * m + c];
                for (size_t j = i + 1; j < n; j++)
                    sum -= row[j] * now[j * m + c];
                now[i * m + c] = sum / row[i];
            }
    }
    return true;
}
