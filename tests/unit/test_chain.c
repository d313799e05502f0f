/* The inertia of symmetric chains, against the eigenvalues of the dense matrix. */
#include "linalg/chain.h"
#include "linalg/symmetric.h"
#include "support/suite.h"

enum { N = 5, SIZE = 6 * N };

static void fill(wy_chain *c, uint64_t *seed, bool hollow) {
    for (size_t n = 0; n < N; n++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                const double x = random_in(seed, -1.0, 1.0);
                c->B[36 * n + (size_t)(6 * i + j)] = x;
                if (j <= i)
                    c->A[36 * n + (size_t)(6 * i + j)] = c->A[36 * n + (size_t)(6 * j + i)] =
                        hollow && i == j ? 0.0 : random_in(seed, -1.0, 1.0); /* a zero diagonal forces 2 x 2 pivots */
            }
}

static void to_dense(double *A, const wy_chain *c) {
    memset(A, 0, SIZE * SIZE * sizeof *A);
    for (size_t n = 0; n < N; n++)
        for (size_t i = 0; i < 6; i++)
            for (size_t j = 0; j < 6; j++) {
                A[(6 * n + i) * SIZE + 6 * n + j] = c->A[36 * n + 6 * i + j];
                if (n > 0) {
                    A[(6 * n + i) * SIZE + 6 * (n - 1) + j] = c->B[36 * n + 6 * i + j];
                    A[(6 * (n - 1) + j) * SIZE + 6 * n + i] = c->B[36 * n + 6 * i + j];
                }
            }
}

START_TEST(counts_and_solves) {
    uint64_t seed = 4711;
    double a[36 * N], b[36 * N], ma[36 * N], mb[36 * N], *work = malloc(wy_chain_work(N) * sizeof *work);
    double H[SIZE * SIZE], M[SIZE * SIZE], V[SIZE * SIZE], values[SIZE], worst = 0.0;
    wy_chain h = {N, a, b}, m = {N, ma, mb};
    for (int trial = 0; trial < 60; trial++) {
        fill(&h, &seed, trial % 2);
        fill(&m, &seed, false);
        const double shift = trial % 3 ? random_in(&seed, -0.7, 0.7) : 0.0;
        to_dense(H, &h);
        to_dense(M, &m);
        double x[SIZE], y[SIZE], r[SIZE], s[SIZE];
        for (int i = 0; i < SIZE; i++)
            x[i] = y[i] = random_in(&seed, -1.0, 1.0);
        size_t negative, expected = 0;
        ck_assert(wy_chain_factor(&negative, &h, shift != 0.0 ? &m : NULL, shift, work));
        wy_chain_solve(y, N, work);
        wy_chain_product(r, &h, y);
        wy_chain_product(s, &m, y);
        for (int i = 0; i < SIZE; i++)
            worst = fmax(worst, fabs(r[i] - shift * s[i] - x[i]) / (1.0 + fabs(y[i])));
        for (int i = 0; i < SIZE * SIZE; i++)
            H[i] -= shift * M[i];
        wy_symmetric_eigen(values, V, H, SIZE);
        for (int i = 0; i < SIZE; i++)
            expected += values[i] < 0.0;
        ck_assert_uint_eq(negative, expected);
    }
    ck_assert_double_lt(worst, 1e-9);
    memset(a, 0, sizeof a);
    size_t negative;
    ck_assert(!wy_chain_factor(&negative, &(wy_chain){N, a, b}, NULL, 0.0, work)); /* a zero block says so */
    a[7] = NAN;
    ck_assert(!wy_chain_factor(&negative, &(wy_chain){N, a, b}, NULL, 0.0, work));
    free(work);
}
END_TEST

SUITE("symmetric chains", counts_and_solves)
