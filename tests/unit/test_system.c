/* Systems of nodes and blocks against dense matrices: solutions, inertia, holds, borders, and what is refused. */
#include "linalg/ldl.h"
#include "linalg/lu.h"
#include "linalg/symmetric.h"
#include "support/suite.h"
#include "system/system_order.h"

enum { MOST = 400 };

typedef struct made {
    size_t nodes, blocks, sizes[40], counts[120], lists[120][6], n;
    bool last[40], tied[120];
    wy_system_block block[120];
    wy_system_definition def;
    double *K[120]; /* what was added */
} made;

static size_t pick(uint64_t *seed, size_t below) {
    return (size_t)(random_bits(seed) % below);
}

static void finish(made *m, bool mixed) {
    m->n = 0;
    for (size_t i = 0; i < m->nodes; i++)
        m->n += mixed ? m->sizes[i] : 6;
    for (size_t b = 0; b < m->blocks; b++)
        m->block[b] = (wy_system_block){m->lists[b], m->counts[b], m->tied[b]};
    m->def = (wy_system_definition){m->nodes, mixed ? m->sizes : NULL, m->last, m->blocks, m->block};
}

/* A tree of random blocks, so that every node stands in one, and springs between any two. */
static void random_graph(made *m, uint64_t *seed, size_t nodes, size_t springs, bool mixed) {
    memset(m, 0, sizeof *m);
    for (; m->nodes < nodes; m->nodes++)
        m->sizes[m->nodes] = 1 + pick(seed, 7);
    for (size_t i = 0; i + 1 < nodes; m->blocks++) {
        const size_t more = 1 + pick(seed, 3), b = m->blocks;
        m->lists[b][m->counts[b]++] = pick(seed, i + 1);
        for (size_t k = 0; k < more && i + 1 < nodes; k++)
            m->lists[b][m->counts[b]++] = ++i;
        m->tied[b] = pick(seed, 8) == 0;
    }
    for (size_t k = 0; k < springs; k++) {
        const size_t a = pick(seed, nodes), c = pick(seed, nodes);
        if (a == c)
            continue;
        m->lists[m->blocks][0] = a;
        m->lists[m->blocks][1] = c;
        m->counts[m->blocks++] = 2;
    }
    finish(m, mixed);
}

static size_t size_of(const made *m, size_t node) {
    return m->def.sizes ? m->sizes[node] : 6;
}

static size_t first_of(const made *m, size_t node) {
    size_t sum = 0;
    for (size_t i = 0; i < node; i++)
        sum += size_of(m, i);
    return sum;
}

static size_t row_of(const made *m, size_t b) {
    size_t sum = 0;
    for (size_t i = 0; i < m->counts[b]; i++)
        sum += size_of(m, m->lists[b][i]);
    return sum;
}

/* Adds random numbers to the system and to the dense matrix A; symmetric, and positive where `heavy`. */
static void fill(wy_system_matrix *s, double *A, const made *m, uint64_t *seed, bool symmetric, double heavy) {
    memset(A, 0, m->n * m->n * sizeof *A);
    wy_system_clear(s);
    for (size_t b = 0; b < m->blocks; b++) {
        const size_t row = row_of(m, b);
        double K[60 * 60];
        for (size_t i = 0; i < row; i++)
            for (size_t j = 0; j < row; j++)
                K[i * row + j] = symmetric && j < i ? K[j * row + i]
                                                    : random_in(seed, -1.0, 1.0) + (i == j ? heavy * (double)row : 0.0);
        double lower[60 * 60]; /* what is above the diagonal is not read */
        for (size_t i = 0; i < row * row; i++)
            lower[i] = symmetric && i % row > i / row ? 1e9 : K[i];
        wy_system_add(s, b, lower);
        for (size_t a = 0, i0 = 0; a < m->counts[b]; i0 += size_of(m, m->lists[b][a]), a++)
            for (size_t c = 0, j0 = 0; c < m->counts[b]; j0 += size_of(m, m->lists[b][c]), c++)
                for (size_t i = 0; i < size_of(m, m->lists[b][a]); i++)
                    for (size_t j = 0; j < size_of(m, m->lists[b][c]); j++)
                        A[(first_of(m, m->lists[b][a]) + i) * m->n + first_of(m, m->lists[b][c]) + j] +=
                            K[(i0 + i) * row + j0 + j];
    }
}

static size_t negatives(const double *A, size_t n) {
    double *copy = malloc(n * n * sizeof *copy), *V = malloc(n * n * sizeof *V), *values = malloc(n * sizeof *values);
    memcpy(copy, A, n * n * sizeof *copy);
    wy_symmetric_eigen(values, V, copy, n);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += values[i] < 0.0;
    free(copy);
    free(V);
    free(values);
    return count;
}

/* |A x - b|, by rows of the dense matrix with shift and holds, over their size. */
static double residual(const double *A, const double *x, const double *b, size_t n) {
    double worst = 0.0, most = 1.0;
    for (size_t i = 0; i < n; i++) {
        double sum = -b[i];
        for (size_t j = 0; j < n; j++)
            sum += A[i * n + j] * x[j];
        worst = fmax(worst, fabs(sum));
        most = fmax(most, fabs(x[i]));
    }
    return worst / most;
}

static void dense_constrain(double *A, size_t n, const wy_system_matrix *s, double shift) {
    for (size_t i = 0; i < n; i++)
        A[i * n + i] += shift;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (s->constraint[i])
                A[i * n + j] = i == j;
            else if (s->constraint[j] == WY_SYSTEM_FIXED)
                A[i * n + j] = 0.0;
        }
}

static wy_system_matrix *create(const made *m, wy_system_form form, const wy_system_solver *solver) {
    wy_system_matrix *s;
    wy_error err = {0};
    ck_assert_msg(wy_system_create(&s, &m->def, form, solver, &err) == WY_OK, "%s", err.text);
    ck_assert_uint_eq(wy_system_unknowns(s), m->n);
    return s;
}

START_TEST(random_graphs) {
    uint64_t seed = 20261117;
    double *A = malloc(MOST * MOST * sizeof *A), x[MOST], b[MOST], y[MOST], z[MOST], worst = 0.0, off = 0.0,
           apart = 0.0;
    for (int trial = 0; trial < 120; trial++) {
        made m;
        random_graph(&m, &seed, 2 + pick(&seed, trial < 100 ? 14 : 24), pick(&seed, 8), trial % 2);
        const wy_system_form form = (wy_system_form)(trial % 3);
        wy_system_matrix *s = create(&m, form, &wy_system_graph);
        fill(s, A, &m, &seed, form != WY_SYSTEM_GENERAL, form == WY_SYSTEM_DEFINITE ? 2.0 : trial % 5 == 0 ? 0.3 : 0.0);
        const double shift = trial % 4 ? 0.0 : random_in(&seed, 0.0, 0.7);
        for (size_t i = 0; i < m.n; i++) {
            x[i] = b[i] = random_in(&seed, -1.0, 1.0);
            wy_system_constrain(s, i, pick(&seed, 9) ? WY_SYSTEM_FREE : (wy_system_constraint)(1 + pick(&seed, 2)));
        }
        wy_system_product(y, s, x);
        for (size_t i = 0; i < m.n; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < m.n; j++)
                sum += A[i * m.n + j] * x[j];
            off = fmax(off, fabs(sum - y[i]));
        }
        dense_constrain(A, m.n, s, shift);
        size_t negative = 99;
        wy_error err = {0};
        ck_assert_msg(wy_system_factor(s, shift, &negative, &err) == WY_OK, "%d: %s", trial, err.text);
        wy_system_solve(x, s);
        worst = fmax(worst, residual(A, x, b, m.n));
        if (form != WY_SYSTEM_GENERAL) {
            for (size_t i = 0; i < m.n; i++) /* for the count: what is led has no column */
                for (size_t j = 0; j < m.n; j++)
                    if (i != j && s->constraint[j])
                        A[i * m.n + j] = 0.0;
            ck_assert_uint_eq(negative, negatives(A, m.n));
        } else {
            ck_assert_double_gt(wy_system_smallest_pivot(s), 1e-12);
        }
        /* the same bits again, after NaN has been through the factors */
        memcpy(z, b, sizeof z);
        s->solver->factor(s, NAN);
        ck_assert_int_eq(wy_system_factor(s, shift, NULL, NULL), WY_OK);
        wy_system_solve(z, s);
        for (size_t i = 0; i < m.n; i++)
            apart = fmax(apart, fabs(z[i] - x[i]));
        wy_system_free(s);
    }
    ck_assert_double_lt(worst, 3e-10);
    ck_assert_double_lt(off, 1e-12);
    ck_assert(apart == 0.0);
    free(A);
}
END_TEST

/* A rod: both solvers, with elements of different sizes. */
static void random_chain(made *m, uint64_t *seed, size_t elements, bool mixed) {
    memset(m, 0, sizeof *m);
    m->nodes = 1;
    m->sizes[0] = 1 + pick(seed, 6);
    for (size_t e = 0; e < elements; e++) {
        const size_t count = 2 + pick(seed, 3);
        for (size_t i = 0; i < count; i++)
            m->lists[e][i] = m->nodes - 1 + i;
        m->counts[e] = count;
        for (size_t i = 1; i < count; i++)
            m->sizes[m->nodes++] = 1 + pick(seed, 6);
    }
    m->blocks = elements;
    finish(m, mixed);
}

START_TEST(chains_and_graphs_agree) {
    uint64_t seed = 99;
    double *A = malloc(MOST * MOST * sizeof *A), x[2][MOST], b[MOST], y[2][MOST], worst = 0.0;
    for (int trial = 0; trial < 40; trial++) {
        made m;
        random_chain(&m, &seed, 1 + pick(&seed, 6), trial % 2);
        const wy_system_form form = trial % 4 < 2 ? WY_SYSTEM_DEFINITE : WY_SYSTEM_GENERAL;
        const uint64_t kept = seed;
        for (int which = 0; which < 2; which++) {
            wy_system_matrix *s = create(&m, form, which ? &wy_system_graph : NULL);
            ck_assert_str_eq(wy_system_solver_name(wy_system_solved_by(s)), which ? "graph" : "chain");
            seed = kept;
            fill(s, A, &m, &seed, form == WY_SYSTEM_DEFINITE, form == WY_SYSTEM_DEFINITE ? 2.0 : 0.3);
            double diagonal[36];
            for (size_t i = 0; i < 36; i++)
                diagonal[i] = i % (size_of(&m, 0) + 1) == 0 ? 0.7 : 0.0;
            wy_system_add_node(s, 0, diagonal);
            for (size_t i = 0; i < size_of(&m, 0); i++)
                A[i * m.n + i] += 0.7;
            for (size_t i = 0; i < m.n; i++) {
                wy_system_constrain(s, i, pick(&seed, 7) ? WY_SYSTEM_FREE : (wy_system_constraint)(1 + pick(&seed, 2)));
                x[which][i] = b[i] = random_in(&seed, -1.0, 1.0);
            }
            wy_system_product(y[which], s, b);
            ck_assert_int_eq(wy_system_factor(s, 0.125, NULL, NULL), WY_OK);
            wy_system_solve(x[which], s);
            dense_constrain(A, m.n, s, 0.125);
            worst = fmax(worst, residual(A, x[which], b, m.n));
            ck_assert_uint_eq(wy_system_first(s, m.nodes - 1), first_of(&m, m.nodes - 1));
            wy_system_free(s);
        }
        for (size_t i = 0; i < m.n; i++)
            worst = fmax(worst, fmax(fabs(y[0][i] - y[1][i]), 1e-3 * fabs(x[0][i] - x[1][i])));
    }
    ck_assert_double_lt(worst, 1e-11);
    free(A);
}
END_TEST

/* A body that only two joints hold, between two nodes that stand by themselves: neither it nor the multipliers of one
 * joint have a pivot, tied they have. */
START_TEST(bodies_and_connections) {
    uint64_t seed = 5;
    enum { ONE, TWO, BODY, A, B };
    for (int form = WY_SYSTEM_SYMMETRIC; form <= WY_SYSTEM_GENERAL; form++)
        for (int tied = 0; tied < 2; tied++) {
            double M[30 * 30] = {0}, x[30], b[30];
            made m = {.nodes = 5,
                      .blocks = 4,
                      .counts = {1, 1, 3, 3},
                      .lists = {{A}, {B}, {A, BODY, ONE}, {BODY, B, TWO}},
                      .tied = {false, false, tied, tied}};
            finish(&m, false);
            wy_system_matrix *s = create(&m, (wy_system_form)form, NULL);
            for (size_t k = 0; k < m.blocks; k++) {
                const size_t row = row_of(&m, k);
                double K[18 * 18] = {0};
                for (size_t i = 0; i < row; i++)
                    for (size_t j = 0; j <= i; j++) {
                        double value = random_in(&seed, -1.0, 1.0) + (i == j ? 8.0 : 0.0);
                        if (k >= 2) /* [0 G^T; G 0] */
                            value = i >= 12 && j < 12 ? random_in(&seed, -1.0, 1.0) : 0.0;
                        K[i * row + j] = K[j * row + i] = value;
                        const size_t p = 6 * m.lists[k][i / 6] + i % 6, q = 6 * m.lists[k][j / 6] + j % 6;
                        M[p * 30 + q] += value;
                        if (p != q)
                            M[q * 30 + p] += value;
                    }
                wy_system_add(s, k, K);
            }
            for (size_t i = 0; i < m.n; i++)
                x[i] = b[i] = random_in(&seed, -1.0, 1.0);
            size_t negative;
            wy_error err = {0};
            const wy_status status = wy_system_factor(s, 0.0, &negative, &err);
            if (tied) {
                ck_assert_msg(status == WY_OK, "%s", err.text);
                wy_system_solve(x, s);
                ck_assert_double_lt(residual(M, x, b, m.n), 1e-12);
                if (form == WY_SYSTEM_SYMMETRIC) {
                    ck_assert_uint_eq(negative, 12); /* one for each multiplier */
                    ck_assert_uint_eq(negative, negatives(M, m.n));
                }
            } else {
                ck_assert_int_eq(status, WY_NO_CONVERGENCE);
                ck_assert_ptr_nonnull(strstr(err.text, "singular at unknown 0 of node 0"));
            }
            wy_system_free(s);
        }
}
END_TEST

/* A condition on all of a chain that waits, where the chain alone is singular, as at a fold. */
START_TEST(borders) {
    uint64_t seed = 7;
    made m;
    size_t negative;
    double x[8];
    wy_error err = {0};
    /* a free chain of springs, which may move along, with a border that fixes the mean */
    memset(&m, 0, sizeof m);
    m.nodes = 8;
    for (size_t i = 0; i < m.nodes; i++)
        m.sizes[i] = 1;
    m.last[7] = true;
    for (size_t e = 0; e < 6; e++) {
        m.lists[e][0] = e;
        m.lists[e][1] = e + 1;
        m.counts[e] = 2;
    }
    for (size_t i = 0; i < 7; i++) {
        m.lists[6 + i][0] = i;
        m.lists[6 + i][1] = 7;
        m.counts[6 + i] = 2;
    }
    m.blocks = 13;
    finish(&m, true);
    for (int form = WY_SYSTEM_SYMMETRIC; form <= WY_SYSTEM_GENERAL; form++)
        for (int bordered = 0; bordered < 2; bordered++) {
            wy_system_matrix *s = create(&m, (wy_system_form)form, NULL);
            for (size_t e = 0; e < 6; e++)
                wy_system_add(s, e, (double[]){0.3, -0.3, -0.3, 0.3});
            for (size_t e = 6; e < 13; e++)
                wy_system_add(s, e, (double[]){0.0, bordered, bordered, 0.0});
            const wy_status status = wy_system_factor(s, 0.0, &negative, &err);
            if (bordered) {
                double y[8], z[8];
                ck_assert_int_eq(status, WY_OK);
                ck_assert_uint_eq(negative, form == WY_SYSTEM_SYMMETRIC);
                for (size_t i = 0; i < 8; i++)
                    y[i] = z[i] = random_in(&seed, -1.0, 1.0);
                wy_system_solve(y, s);
                wy_system_product(x, s, y);
                for (size_t i = 0; i < 8; i++)
                    ck_assert_double_eq_tol(x[i], z[i], 1e-13);
            } else {
                ck_assert_int_eq(status, WY_NO_CONVERGENCE);
                ck_assert_ptr_nonnull(strstr(err.text, "singular at unknown 0 of node"));
            }
            wy_system_free(s);
        }
}
END_TEST

/* Singular and not positive: said, with the node. */
START_TEST(singular_systems_are_reported) {
    uint64_t seed = 31;
    double *A = malloc(MOST * MOST * sizeof *A);
    for (int trial = 0; trial < 24; trial++) {
        made m;
        random_graph(&m, &seed, 3 + pick(&seed, 8), pick(&seed, 4), false);
        const wy_system_form form = (wy_system_form)(trial % 3);
        wy_system_matrix *s = create(&m, form, &wy_system_graph);
        /* a direction of node 1 that nothing holds, v.v = 1: K <- (I - v v^T) K (I - v v^T) */
        const double v[6] = {0.3, -0.5, 0.1, 0.7, -0.4, 0.0};
        for (size_t b = 0; b < m.blocks; b++) {
            const size_t row = row_of(&m, b);
            double K[60 * 60];
            size_t i0 = SIZE_MAX;
            for (size_t a = 0; a < m.counts[b]; a++)
                i0 = m.lists[b][a] == 1 ? 6 * a : i0;
            for (size_t i = 0; i < row; i++)
                for (size_t j = 0; j <= i; j++)
                    K[i * row + j] = K[j * row + i] =
                        random_in(&seed, -1.0, 1.0) + (i == j && form != WY_SYSTEM_SYMMETRIC ? 2.0 * (double)row : 0.0);
            for (size_t side = 0; side < 2 && i0 != SIZE_MAX; side++)
                for (size_t j = 0; j < row; j++) {
                    double *first = side ? K + j * row + i0 : K + i0 * row + j, dot = 0.0;
                    const size_t stride = side ? 1 : row;
                    for (size_t i = 0; i < 6; i++)
                        dot += v[i] * first[i * stride];
                    for (size_t i = 0; i < 6; i++)
                        first[i * stride] -= dot * v[i];
                }
            wy_system_add(s, b, K);
        }
        wy_error err = {0};
        const wy_status status = wy_system_factor(s, 0.0, NULL, &err);
        if (form == WY_SYSTEM_GENERAL)
            ck_assert(status || wy_system_smallest_pivot(s) < 1e-13);
        else
            ck_assert_msg(status == WY_NO_CONVERGENCE && strstr(err.text, "of node"), "%d: %s", trial, err.text);
        wy_system_free(s);
    }
    made m;
    random_chain(&m, &seed, 4, false);
    for (int which = 0; which < 2; which++) {
        wy_system_matrix *s = create(&m, WY_SYSTEM_DEFINITE, which ? &wy_system_graph : NULL);
        wy_error err = {0};
        fill(s, A, &m, &seed, true, 2.0);
        ck_assert_int_eq(wy_system_factor(s, 0.0, NULL, &err), WY_OK);
        ck_assert_int_eq(wy_system_factor(s, -100.0, NULL, &err), WY_NO_CONVERGENCE);
        ck_assert_ptr_nonnull(
            strstr(err.text, which ? "not positive definite" : "not positive definite at unknown 0 of node 0"));
        ck_assert_int_eq(wy_system_factor(s, NAN, NULL, &err), WY_NO_CONVERGENCE);
        wy_system_free(s);
        s = create(&m, WY_SYSTEM_GENERAL, which ? &wy_system_graph : NULL);
        ck_assert_int_eq(wy_system_factor(s, 0.0, NULL, &err), WY_NO_CONVERGENCE);
        ck_assert_msg(strstr(err.text, "singular at unknown 0 of node"), "%s", err.text);
        wy_system_free(s);
    }
    free(A);
}
END_TEST

/* (14.3): no fill on rings and chains, little on a grid. */
START_TEST(order_of_elimination) {
    enum { ELEMENTS = 9, SIDE = 5 };
    for (int shape = 0; shape < 3; shape++) {
        made m = {.nodes = shape == 2 ? SIDE * SIDE : 3 * ELEMENTS + (shape == 0)};
        for (size_t e = 0; e < ELEMENTS && shape < 2; e++, m.blocks++)
            for (size_t i = 0; i < 4; i++)
                m.lists[e][m.counts[e]++] = (3 * e + i) % m.nodes;
        for (size_t i = 0; i < SIDE * SIDE && shape == 2; i++)
            for (size_t direction = 0; direction < 2; direction++) {
                if (direction == 0 ? i % SIDE == SIDE - 1 : i / SIDE == SIDE - 1)
                    continue;
                m.lists[m.blocks][0] = i;
                m.lists[m.blocks][1] = i + (direction == 0 ? 1 : SIDE);
                m.counts[m.blocks++] = 2;
            }
        finish(&m, false);
        wy_system_matrix *s = create(&m, WY_SYSTEM_SYMMETRIC, &wy_system_graph);
        wy_system_order o;
        ck_assert_int_eq(wy_system_order_create(&o, s, NULL), WY_OK);
        size_t widest = 0, all = 0;
        for (size_t p = 0; p < o.supernodes; p++) {
            widest = o.width[p] > widest ? o.width[p] : widest;
            all += o.width[p];
        }
        if (shape < 2) { /* both neighbours, of a chain's ends one */
            ck_assert_uint_eq(widest, 12);
            ck_assert_uint_eq(o.supernodes, shape == 0 ? 2 * ELEMENTS - 1 : 2 * ELEMENTS);
        } else {
            ck_assert_uint_le(widest, 6 * (SIDE + 1));
            ck_assert_uint_le(all, 480);
        }
        wy_system_order_free(&o);
        wy_system_free(s);
    }
}
END_TEST

START_TEST(what_makes_no_sense_is_refused) {
    const size_t pair[] = {0, 1}, far[] = {0, 7}, twice[] = {1, 1}, back[] = {1, 0}, none[] = {6, 0};
    wy_system_matrix *s;
    wy_error err = {0};
    wy_system_block block = {pair, 2, false};
    wy_system_definition d = {2, NULL, NULL, 1, &block};
    ck_assert_int_eq(wy_system_create(&s, &d, WY_SYSTEM_GENERAL, NULL, &err), WY_OK);
    ck_assert_int_eq(wy_system_form_of(s), WY_SYSTEM_GENERAL);
    wy_system_free(s);
    wy_system_free(NULL);
    block.nodes = far;
    ck_assert_int_eq(wy_system_create(&s, &d, WY_SYSTEM_GENERAL, NULL, &err), WY_BAD_INPUT);
    ck_assert_ptr_null(s);
    ck_assert_ptr_nonnull(strstr(err.text, "block 0 names node 7 of 2"));
    block.nodes = twice;
    ck_assert_int_eq(wy_system_create(&s, &d, WY_SYSTEM_GENERAL, NULL, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "twice"));
    block.nodes = pair;
    block.count = 1;
    ck_assert_int_eq(wy_system_create(&s, &d, WY_SYSTEM_GENERAL, NULL, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "node 1 is in no block"));
    block.count = 0;
    ck_assert_int_eq(wy_system_create(&s, &d, WY_SYSTEM_GENERAL, NULL, &err), WY_BAD_INPUT);
    block.count = 2;
    d.sizes = none;
    ck_assert_int_eq(wy_system_create(&s, &d, WY_SYSTEM_GENERAL, NULL, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "node 1 has no unknowns"));
    d.sizes = NULL;
    block.nodes = back; /* no chain: nodes are not numbered along it */
    ck_assert_int_eq(wy_system_create(&s, &d, WY_SYSTEM_GENERAL, &wy_system_chain, &err), WY_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "'chain' does not suit"));
    ck_assert_int_eq(wy_system_create(&s, &d, WY_SYSTEM_GENERAL, NULL, &err), WY_OK);
    ck_assert_str_eq(wy_system_solver_name(wy_system_solved_by(s)), "graph");
    wy_system_free(s);
    ck_assert_int_eq(wy_system_create(&s, &(wy_system_definition){0}, WY_SYSTEM_GENERAL, NULL, &err), WY_BAD_INPUT);
}
END_TEST

SUITE("systems", order_of_elimination, random_graphs, chains_and_graphs_agree, bodies_and_connections, borders,
      singular_systems_are_reported, what_makes_no_sense_is_refused)
