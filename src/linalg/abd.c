/* Almost block diagonal systems with a border, by elimination in a moving window. */
#include "linalg/abd.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"

/* to -= f from; the two rows are different. */
static inline void abd_subtract_row(double *restrict to, double f, const double *restrict from, size_t n) {
    for (size_t j = 0; j < n; j++)
        to[j] -= f * from[j];
}

/* Eliminates the first `pivots` columns of the rows x width matrix W with pivots from the first `eligible` rows; false
 * if there is no pivot. */
static bool abd_eliminate_columns(double *W, size_t rows, size_t eligible, size_t width, size_t pivots,
                                  wy_abd_determinant *det) {
    for (size_t k = 0; k < pivots; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < eligible; i++)
            if (fabs(W[i * width + k]) > fabs(W[p * width + k]))
                p = i;
        const double pivot = W[p * width + k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot))
            return false;
        det->sign *= (pivot < 0.0) != (p != k) ? -1 : 1;
        det->log += wy_log(fabs(pivot));
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
            abd_subtract_row(W + i * width + k + 1, f, W + k * width + k + 1, width - k - 1);
        }
    }
    return true;
}

size_t wy_abd_work(const wy_abd *a) {
    const size_t side = a->border + a->columns, carried = a->left + a->bottom;
    const size_t window = (carried + a->dim) * (2 * a->dim + side);
    const size_t last = (a->dim + a->border) * (a->dim + side);
    return a->elements * a->dim * (2 * a->dim + side) + (window > last ? window : last) + carried * (a->dim + side);
}

/* Border and right-hand side of a row. */
static void copy_border_and_rhs(double *at, const double *b, const double *r, size_t row, size_t k, size_t m) {
    if (b)
        memcpy(at, b + row * k, k * sizeof *at);
    else
        memset(at, 0, k * sizeof *at);
    memcpy(at + k, r + row * m, m * sizeof *at);
}

/* Back substitution of one block: `now` (dim x columns) from the rows of U and the next block. */
static void back_substitute_block(double *now, const double *next, const double *mu, const double *U, size_t n,
                                  size_t k, size_t m) {
    const size_t width = 2 * n + k + m;
    for (size_t c = 0; c < m; c++)
        for (size_t i = n; i-- > 0;) {
            const double *row = U + i * width;
            double sum = row[2 * n + k + c];
            for (size_t j = 0; j < n; j++)
                sum -= row[n + j] * next[j * m + c];
            for (size_t j = 0; j < k; j++)
                sum -= row[2 * n + j] * mu[j * m + c];
            for (size_t j = i + 1; j < n; j++)
                sum -= row[j] * now[j * m + c];
            now[i * m + c] = sum / row[i];
        }
}

bool wy_abd_solve_parts(const wy_abd *a, const wy_abd_parts *p, double *y, double *mu, wy_abd_determinant *det,
                        double *work) {
    const size_t n = a->dim, m = a->columns, k = a->border, side = k + m, left = a->left,
                 q = p->bottom_c ? a->bottom : 0;
    const size_t width = 2 * n + side, kept = n * width, row = n + side, nodes = (a->elements + 1) * n;
    double *U = work, *carry = U + a->elements * kept, *W = carry + (left + q) * row;
    wy_abd_determinant unused = {0}, *d = det ? det : &unused;
    *d = (wy_abd_determinant){.sign = 1};
    for (size_t i = 0; i < left; i++) {
        memcpy(carry + i * row, p->left_B + i * n, n * sizeof *carry);
        copy_border_and_rhs(carry + i * row + n, p->left_b, p->left_r, i, k, m);
    }
    for (size_t i = 0; i < q; i++) {
        memcpy(carry + (left + i) * row, p->bottom_c + i * nodes, n * sizeof *carry);
        copy_border_and_rhs(carry + (left + i) * row + n, p->bottom_d, p->bottom_r, i, k, m);
    }
    for (size_t e = 0; e < a->elements; e++) {
        for (size_t i = 0; i < left + q; i++) { /* carried rows; the bottom rows come last, where they give no pivot */
            double *to = W + (i < left ? i : n + i) * width;
            memcpy(to, carry + i * row, n * sizeof *W);
            if (i < left)
                memset(to + n, 0, n * sizeof *W);
            else
                memcpy(to + n, p->bottom_c + (i - left) * nodes + (e + 1) * n, n * sizeof *W);
            memcpy(to + 2 * n, carry + i * row + n, side * sizeof *W);
        }
        for (size_t i = 0; i < n; i++) {
            double *to = W + (left + i) * width;
            for (size_t j = 0; j < n; j++) {
                to[j] = -p->T[(e * n + i) * n + j];
                to[n + j] = i == j ? 1.0 : 0.0;
            }
            copy_border_and_rhs(to + 2 * n, p->t_b, p->t, e * n + i, k, m);
        }
        if (!abd_eliminate_columns(W, left + n + q, left + n, width, n, d))
            return false;
        memcpy(U + e * kept, W, kept * sizeof *U);
        for (size_t i = 0; i < left + q; i++)
            memcpy(carry + i * row, W + (n + i) * width + n, row * sizeof *carry);
    }
    /* the last node and mu together */
    const size_t size = n + k, last = size + m;
    for (size_t i = 0; i < left + q; i++)
        memcpy(W + (i < left ? i : a->right + i) * last, carry + i * row, row * sizeof *W);
    for (size_t i = 0; i < a->right; i++) {
        memcpy(W + (left + i) * last, p->right_B + i * n, n * sizeof *W);
        copy_border_and_rhs(W + (left + i) * last + n, p->right_b, p->right_r, i, k, m);
    }
    if (!abd_eliminate_columns(W, size, size, last, size, d))
        return false;
    double *yN = y + a->elements * n * m;
    for (size_t c = 0; c < m; c++)
        for (size_t i = size; i-- > 0;) {
            double sum = W[i * last + size + c];
            for (size_t j = i + 1; j < size; j++)
                sum -= W[i * last + j] * (j < n ? yN[j * m + c] : mu[(j - n) * m + c]);
            *(i < n ? &yN[i * m + c] : &mu[(i - n) * m + c]) = sum / W[i * last + i];
        }
    for (size_t e = a->elements; e-- > 0;)
        back_substitute_block(y + e * n * m, y + (e + 1) * n * m, mu, U + e * kept, n, k, m);
    return true;
}

bool wy_abd_solve(const wy_abd *a, const double *left_B, const double *left_r, const double *T, const double *t,
                  const double *right_B, const double *right_b, const double *right_r, double *y, double *mu,
                  double *work) {
    const wy_abd_parts parts = {
        .left_B = left_B, .left_r = left_r, .T = T, .t = t, .right_B = right_B, .right_b = right_b, .right_r = right_r};
    return wy_abd_solve_parts(a, &parts, y, mu, NULL, work);
}
