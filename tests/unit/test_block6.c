/* Block-tridiagonal elimination: residuals at round-off, solving again with the same factors, pivoting, singular rows. */
#include "linalg/block6.h"
#include "support/suite.h"

enum { N = 37 };

typedef struct chain {
    double A[N * 36], B[N * 36], C[N * 36], r[N * 6];
    unsigned char pivots[N * 6];
} chain;

static void fill(chain *c, uint64_t *seed) {
    for (int i = 0; i < N * 36; i++) {
        c->A[i] = random_normal(seed);
        c->B[i] = random_normal(seed);
        c->C[i] = random_normal(seed);
    }
    for (int i = 0; i < N * 6; i++)
        c->r[i] = random_normal(seed);
}

/* Largest |B x + A x + C x - r| over the chain, relative to |r| = 1. */
static double residual(const chain *c, const double *x, const double *r) {
    double worst = 0.0, size = 1.0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < 6; i++) {
            double sum = -r[6 * j + i];
            for (int k = 0; k < 6; k++) {
                sum += c->A[36 * j + 6 * i + k] * x[6 * j + k];
                if (j > 0)
                    sum += c->B[36 * j + 6 * i + k] * x[6 * j - 6 + k];
                if (j + 1 < N)
                    sum += c->C[36 * j + 6 * i + k] * x[6 * j + 6 + k];
                size = fmax(size, fabs(x[6 * j + k]));
            }
            worst = fmax(worst, fabs(sum));
        }
    return worst / size;
}

START_TEST(solves_to_round_off) {
    uint64_t seed = 4711;
    static chain c, f;
    double worst = 0.0, again = 0.0;
    for (int k = 0; k < 200; k++) {
        fill(&c, &seed);
        for (int i = 0; i < 6; i++) /* no zero on any diagonal is needed: pivots are looked for inside a block */
            c.A[36 * 5 + 7 * i] = 0.0;
        f = c;
        wy_block6 m = {.n = N, .A = f.A, .B = f.B, .C = f.C, .pivots = f.pivots};
        ck_assert_uint_eq(wy_block6_factor(&m), N);
        wy_block6_solve(&m, f.r);
        worst = fmax(worst, residual(&c, f.r, c.r));
        double second[N * 6], x[N * 6];
        for (int i = 0; i < N * 6; i++)
            x[i] = second[i] = random_normal(&seed);
        wy_block6_solve(&m, x);
        again = fmax(again, residual(&c, x, second));
    }
    /* random chains are solved without pivoting between blocks: growth of some powers of ten is theirs to have */
    ck_assert_msg(worst < 1e-7, "%g", worst);
    ck_assert_msg(again < 1e-7, "%g", again);
}
END_TEST

START_TEST(diagonally_dominant_chains_lose_nothing) {
    uint64_t seed = 99;
    static chain c, f;
    double worst = 0.0;
    for (int k = 0; k < 50; k++) {
        fill(&c, &seed);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < 6; i++)
                c.A[36 * j + 7 * i] += 30.0;
        f = c;
        wy_block6 m = {.n = N, .A = f.A, .B = f.B, .C = f.C, .pivots = f.pivots};
        ck_assert_uint_eq(wy_block6_factor(&m), N);
        wy_block6_solve(&m, f.r);
        worst = fmax(worst, residual(&c, f.r, c.r));
    }
    ck_assert_msg(worst < 1e-14, "%g", worst);
}
END_TEST

START_TEST(names_the_singular_row) {
    uint64_t seed = 5;
    static chain c;
    fill(&c, &seed);
    memset(c.A + 36 * 9, 0, 36 * sizeof(double));
    memset(c.B + 36 * 9, 0, 36 * sizeof(double));
    wy_block6 m = {.n = N, .A = c.A, .B = c.B, .C = c.C, .pivots = c.pivots};
    ck_assert_uint_eq(wy_block6_factor(&m), 9);
    fill(&c, &seed);
    c.A[36 * 3 + 4] = NAN;
    ck_assert_uint_eq(wy_block6_factor(&m), 3);
}
END_TEST

SUITE("block tridiagonal", solves_to_round_off, diagonally_dominant_chains_lose_nothing, names_the_singular_row)
