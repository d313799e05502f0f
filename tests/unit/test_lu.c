/* The dense LU of one step: residuals at round-off, pivoting, and what it refuses. */
#include <float.h>

#include "linalg/lu.h"
#include "support/suite.h"

enum { LARGEST = 24 };

/* Residual of the computed solution, relative to |A| |x| (row sums): backward stable means a few n eps. */
static double solve_random(size_t n, uint64_t *seed, double spread) {
    double A[LARGEST * LARGEST], LU[LARGEST * LARGEST], b[LARGEST], x[LARGEST];
    size_t pivots[LARGEST];
    for (size_t i = 0; i < n; i++) {
        const double scale = pow(10.0, random_in(seed, -spread, spread));
        for (size_t j = 0; j < n; j++)
            A[i * n + j] = scale * random_normal(seed);
        b[i] = x[i] = scale * random_normal(seed);
    }
    memcpy(LU, A, sizeof A);
    if (!wy_lu_factor(LU, pivots, n))
        return INFINITY;
    wy_lu_solve(x, LU, pivots, n);
    double worst = 0.0;
    for (size_t i = 0; i < n; i++) {
        double r = b[i], size = fabs(b[i]);
        for (size_t j = 0; j < n; j++) {
            r -= A[i * n + j] * x[j];
            size += fabs(A[i * n + j] * x[j]);
        }
        if (!(fabs(r) / size <= worst))
            worst = fabs(r) / size;
    }
    return worst;
}

START_TEST(solves_to_round_off) {
    uint64_t seed = 42;
    for (size_t n = 1; n <= LARGEST; n++)
        for (int k = 0; k < 100; k++) {
            const double r = solve_random(n, &seed, 0.0);
            /* |b - A x| <= 3 n eps |L||U||x| with |L||U| a small multiple of |A| under partial pivoting (growth < n
             * here) */
            ck_assert_msg(r <= 3.0 * (double)(n * n) * DBL_EPSILON, "n = %zu: relative residual %g", n, r);
        }
}
END_TEST

/* Without pivoting the first pivot 0, and the tiny one, would fail. */
START_TEST(pivots_by_rows) {
    double A[9] = {0, 2, 1, 1, 1, 0, 3, 0, 1}, b[3] = {7, 3, 6}; /* x = (1, 2, 3) */
    size_t pivots[3];
    ck_assert(wy_lu_factor(A, pivots, 3));
    wy_lu_solve(b, A, pivots, 3);
    ck_assert_double_eq_tol(b[0], 1.0, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(b[1], 2.0, 8 * DBL_EPSILON);
    ck_assert_double_eq_tol(b[2], 3.0, 12 * DBL_EPSILON);
    double tiny[4] = {1e-20, 1, 1, 1}, c[2] = {1, 2};
    ck_assert(wy_lu_factor(tiny, pivots, 2));
    wy_lu_solve(c, tiny, pivots, 2);
    ck_assert_double_eq_tol(c[0], 1.0, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(c[1], 1.0, 4 * DBL_EPSILON);
}
END_TEST

/* One factorisation, many right-hand sides: the columns of the inverse. */
START_TEST(inverse_by_columns) {
    enum { N = 7 };
    uint64_t seed = 8;
    double A[N * N], LU[N * N], X[N][N];
    size_t pivots[N];
    for (size_t i = 0; i < N * N; i++)
        A[i] = LU[i] = random_in(&seed, -1.0, 1.0) + (i % (N + 1) ? 0.0 : 3.0);
    ck_assert(wy_lu_factor(LU, pivots, N));
    double worst = 0.0;
    for (size_t j = 0; j < N; j++) {
        for (size_t i = 0; i < N; i++)
            X[j][i] = i == j;
        wy_lu_solve(X[j], LU, pivots, N);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double s = 0.0;
            for (size_t k = 0; k < N; k++)
                s += A[i * N + k] * X[j][k];
            worst = fmax(worst, fabs(s - (i == j)));
        }
    ck_assert_double_le(worst, 100 * DBL_EPSILON); /* condition about 3 */
}
END_TEST

START_TEST(refuses_singular_and_not_finite) {
    size_t pivots[3];
    double zero[1] = {0.0};
    ck_assert(!wy_lu_factor(zero, pivots, 1));
    double twice[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1};
    ck_assert(!wy_lu_factor(twice, pivots, 3));
    double column[9] = {1, 0, 3, 2, 0, 6, 4, 0, 1};
    ck_assert(!wy_lu_factor(column, pivots, 3));
    for (int index = 0; index < 9; index++)
        for (int sort = 0; sort < 2; sort++) {
            double A[9] = {4, 1, 2, 1, 5, 3, 2, 3, 6};
            A[index] = sort ? NAN : INFINITY;
            double b[3] = {1, 2, 3};
            /* either refused, or what comes out says so itself */
            if (wy_lu_factor(A, pivots, 3)) {
                wy_lu_solve(b, A, pivots, 3);
                ck_assert_msg(!isfinite(b[0]) || !isfinite(b[1]) || !isfinite(b[2]), "%s at %d went unseen",
                              sort ? "NaN" : "infinity", index);
            }
        }
}
END_TEST

/* Rows of very different size: partial pivoting is not scaled, so only the backward error by rows is promised. */
START_TEST(badly_scaled_rows) {
    uint64_t seed = 77;
    for (int k = 0; k < 200; k++) {
        const double r = solve_random(5, &seed, 0.0), s = solve_random(5, &seed, 3.0);
        ck_assert_double_le(r, 100 * DBL_EPSILON);
        ck_assert(isfinite(s));
    }
}
END_TEST

/* Two columns at a time, rows in registers, zeros left out: the bits are those of the elimination column by column,
 * whatever the size, the holes and the number of right sides. */
START_TEST(blocks_round_as_columns) {
    enum { N = 37, M = 29 };
    uint64_t seed = 131;
    double A[N * N], LU[N * N], B[N * M], X[N * M], one[N];
    size_t pivots[N], expected[N];
    for (size_t n = 1; n <= N; n++)
        for (int round = 0; round < 6; round++) {
            for (size_t i = 0; i < n * n; i++)
                A[i] = LU[i] = random_in(&seed, 0, 6) < round ? 0.0 : random_in(&seed, -1, 1);
            for (size_t i = 0; i < n; i++)
                A[i * n + i] = LU[i * n + i] = 1.0 + A[i * n + i];
            bool regular = true;
            for (size_t k = 0; k < n && regular; k++) { /* the textbook */
                expected[k] = k;
                for (size_t i = k + 1; i < n; i++)
                    if (fabs(A[i * n + k]) > fabs(A[expected[k] * n + k]))
                        expected[k] = i;
                regular = A[expected[k] * n + k] != 0.0;
                for (size_t j = 0; j < n && regular; j++) {
                    const double t = A[k * n + j];
                    A[k * n + j] = A[expected[k] * n + j];
                    A[expected[k] * n + j] = t;
                }
                for (size_t i = k + 1; i < n && regular; i++) {
                    A[i * n + k] /= A[k * n + k];
                    for (size_t j = k + 1; j < n; j++)
                        A[i * n + j] -= A[i * n + k] * A[k * n + j];
                }
            }
            ck_assert_int_eq(wy_lu_factor(LU, pivots, n), regular);
            if (!regular)
                continue;
            for (size_t i = 0; i < n * n; i++)
                ck_assert_msg(A[i] == LU[i], "n = %zu: %zu, %zu: %.17g, %.17g", n, i / n, i % n, A[i], LU[i]);
            for (size_t k = 0; k < n; k++)
                ck_assert_uint_eq(expected[k], pivots[k]);
            const size_t m = 1 + (n * 5 + (size_t)round) % M;
            for (size_t i = 0; i < n * m; i++)
                B[i] = X[i] = random_in(&seed, -1, 1);
            wy_lu_solve_many(X, m, LU, pivots, n);
            for (size_t c = 0; c < m; c++) {
                for (size_t i = 0; i < n; i++)
                    one[i] = B[i * m + c];
                wy_lu_solve(one, LU, pivots, n);
                for (size_t i = 0; i < n; i++)
                    ck_assert_msg(one[i] == X[i * m + c], "n = %zu, %zu of %zu columns", n, c, m);
            }
        }
}
END_TEST

/* Many right sides at once are the same as one after another. */
START_TEST(many_at_once) {
    enum { N = 5, M = 3 };
    uint64_t seed = 5;
    double A[N * N], B[N * M], one[N];
    size_t pivots[N];
    bool exchanged = false;
    for (int i = 0; i < N * N; i++)
        A[i] = random_in(&seed, -1, 1);
    for (int i = 0; i < N * M; i++)
        B[i] = random_in(&seed, -1, 1);
    ck_assert(wy_lu_factor(A, pivots, N));
    for (size_t k = 0; k < N; k++)
        exchanged |= pivots[k] != k;
    ck_assert(exchanged);
    double X[N * M];
    memcpy(X, B, sizeof X);
    wy_lu_solve_many(X, M, A, pivots, N);
    for (int j = 0; j < M; j++) {
        for (int i = 0; i < N; i++)
            one[i] = B[i * M + j];
        wy_lu_solve(one, A, pivots, N);
        for (int i = 0; i < N; i++)
            ck_assert_double_eq_tol(X[i * M + j], one[i], 1e-13 * (1 + fabs(one[i])));
    }
}
END_TEST

SUITE("lu", many_at_once, solves_to_round_off, pivots_by_rows, inverse_by_columns, refuses_singular_and_not_finite,
      badly_scaled_rows, blocks_round_as_columns)
