/* Almost block diagonal systems with a full border, against dense elimination. */
#include "linalg/abd.h"
#include "linalg/lu.h"
#include "support/suite.h"

enum { N = 3, E = 5, LEFT = 2, RIGHT = 3, K = 4, Q = 2, M = 2, SIZE = (E + 1) * N + K };

typedef struct parts {
    double lB[LEFT * N], lb[LEFT * K], lr[LEFT * M], T[E * N * N], tb[E * N * K], t[E * N * M];
    double rB[RIGHT * N], rb[RIGHT * K], rr[RIGHT * M], c[Q * (E + 1) * N], d[Q * K], br[Q * M];
} parts;

static void fill(double *x, size_t n, uint64_t *seed) {
    for (size_t i = 0; i < n; i++)
        x[i] = random_in(seed, -1.3, 1.7);
}

static wy_abd_parts make(parts *p, uint64_t seed) {
    fill((double *)p, sizeof *p / sizeof(double), &seed);
    return (wy_abd_parts){p->lB, p->lb, p->lr, p->T, p->tb, p->t, p->rB, p->rb, p->rr, p->c, p->d, p->br};
}

static void dense(double *A, double *b, const parts *p) {
    memset(A, 0, SIZE * SIZE * sizeof *A);
    size_t r = 0;
    const size_t z = (E + 1) * N;
    for (size_t i = 0; i < LEFT; i++, r++) {
        memcpy(A + r * SIZE, p->lB + i * N, N * sizeof *A);
        memcpy(A + r * SIZE + z, p->lb + i * K, K * sizeof *A);
        memcpy(b + r * M, p->lr + i * M, M * sizeof *b);
    }
    for (size_t i = 0; i < E * N; i++, r++) {
        for (size_t j = 0; j < N; j++)
            A[r * SIZE + i / N * N + j] = -p->T[i * N + j];
        A[r * SIZE + N + i] += 1.0;
        memcpy(A + r * SIZE + z, p->tb + i * K, K * sizeof *A);
        memcpy(b + r * M, p->t + i * M, M * sizeof *b);
    }
    for (size_t i = 0; i < RIGHT; i++, r++) {
        memcpy(A + r * SIZE + E * N, p->rB + i * N, N * sizeof *A);
        memcpy(A + r * SIZE + z, p->rb + i * K, K * sizeof *A);
        memcpy(b + r * M, p->rr + i * M, M * sizeof *b);
    }
    for (size_t i = 0; i < Q; i++, r++) {
        memcpy(A + r * SIZE, p->c + i * z, z * sizeof *A);
        memcpy(A + r * SIZE + z, p->d + i * K, K * sizeof *A);
        memcpy(b + r * M, p->br + i * M, M * sizeof *b);
    }
}

static const wy_abd shape = {.dim = N, .elements = E, .left = LEFT, .right = RIGHT, .border = K, .columns = M, .bottom = Q};

START_TEST(agrees_with_dense_elimination) {
    double worst = 0.0;
    int relation = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        parts p;
        const wy_abd_parts system = make(&p, 977 * seed);
        double y[(E + 1) * N * M], mu[K * M], A[SIZE * SIZE], b[SIZE * M];
        double *work = malloc(wy_abd_work(&shape) * sizeof *work);
        wy_abd_determinant det;
        size_t pivots[SIZE];
        ck_assert(wy_abd_solve_parts(&shape, &system, y, mu, &det, work));
        dense(A, b, &p);
        ck_assert(wy_lu_factor(A, pivots, SIZE));
        wy_lu_solve_many(b, M, A, pivots, SIZE);
        int sign = 1;
        double size = 0.0;
        for (size_t i = 0; i < SIZE; i++) {
            sign *= (A[i * SIZE + i] < 0.0) != (pivots[i] != i) ? -1 : 1;
            size += log(fabs(A[i * SIZE + i]));
        }
        /* the sign is that of the determinant, up to one factor for all matrices of this shape */
        if (relation == 0)
            relation = sign * det.sign;
        ck_assert_int_eq(sign * det.sign, relation);
        ck_assert_double_eq_tol(det.log, size, 1e-9);
        for (size_t i = 0; i < SIZE * M; i++) {
            const double x = i < (E + 1) * N * M ? y[i] : mu[i - (E + 1) * N * M];
            worst = fmax(worst, fabs(x - b[i]) / (1.0 + fabs(b[i])));
        }
        free(work);
    }
    ck_assert_double_lt(worst, 1e-10);
}
END_TEST

/* Without the bottom row and its unknown this system is singular; with them it must be solved to round-off. */
START_TEST(regular_with_its_border_alone) {
    enum { STEPS = 20 };
    double T[STEPS * 4], t[STEPS * 2] = {0}, tb[STEPS * 2], c[(STEPS + 1) * 2];
    const double h = 1.0 / STEPS, w = 3.14159265358979323846; /* y'' + pi^2 y = mu, y(0) = y(1) = 0, integral of sin(pi s) y = 1 */
    for (int e = 0; e < STEPS; e++) {
        const double m[4] = {cos(w * h), sin(w * h) / w, -w * sin(w * h), cos(w * h)};
        memcpy(T + 4 * e, m, sizeof m);
        tb[2 * e] = -(1.0 - cos(w * h)) / (w * w);
        tb[2 * e + 1] = -sin(w * h) / w;
    }
    for (int e = 0; e <= STEPS; e++) {
        c[2 * e] = h * sin(w * e * h);
        c[2 * e + 1] = 0.0;
    }
    const double lB[2] = {1.0, 0.0}, zero[1] = {0.0}, one[1] = {1.0};
    const wy_abd s = {.dim = 2, .elements = STEPS, .left = 1, .right = 1, .border = 1, .columns = 1, .bottom = 1};
    const wy_abd_parts p = {.left_B = lB, .left_r = zero, .T = T, .t_b = tb, .t = t, .right_B = lB, .right_r = zero,
                            .bottom_c = c, .bottom_r = one};
    double y[(STEPS + 1) * 2], mu, *work = malloc(wy_abd_work(&s) * sizeof *work);
    ck_assert(wy_abd_solve_parts(&s, &p, y, &mu, NULL, work));
    ck_assert_double_eq_tol(mu, 0.0, 1e-13);
    for (int e = 0; e <= STEPS; e++)
        ck_assert_double_eq_tol(y[2 * e], 2.0 * sin(w * e * h), 1e-12);
    free(work);
}
END_TEST

SUITE("almost block diagonal systems", agrees_with_dense_elimination, regular_with_its_border_alone)
