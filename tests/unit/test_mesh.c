/* Meshes of boundary-value problems: what is between the nodes, and where nodes go. */
#include "support/beam_tools.h"

#include "solve/mesh.h"

/* A linear equation that depends on s. */
static void field(double *dy, double s, size_t e, const double *y, const void *context) {
    (void)e;
    (void)context;
    dy[0] = y[1];
    dy[1] = -9.0 * (1.0 + s) * y[0] + 0.3 * s;
    dy[2] = y[0];
}
static void jacobian(double *J, double s, size_t e, const double *y, const void *context) {
    (void)e;
    (void)y;
    (void)context;
    const double values[9] = {0, 1, 0, -9.0 * (1.0 + s), 0, 0, 1, 0, 0};
    memcpy(J, values, sizeof values);
}

/* RK4 with very small steps: exact for our purpose. */
static void march(double *y, double from, double to) {
    enum { N = 4000 };
    const double h = (to - from) / N;
    for (int i = 0; i < N; i++) {
        double k[4][3], z[3];
        const double s = from + i * h, at[4] = {0.0, 0.5, 0.5, 1.0};
        for (int l = 0; l < 4; l++) {
            for (int c = 0; c < 3; c++)
                z[c] = y[c] + (l ? at[l] * h * k[l - 1][c] : 0.0);
            field(k[l], s + at[l] * h, 0, z, NULL);
        }
        for (int c = 0; c < 3; c++)
            y[c] += h / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
    }
}

START_TEST(between_the_nodes_it_is_as_good_as_at_them) {
    double before = 0.0, before_t = 0.0;
    for (size_t n = 4; n <= 16; n *= 2) {
        double s[17], y[51], worst = 0.0, worst_t = 0.0;
        for (size_t i = 0; i <= n; i++) { /* elements of unequal length */
            const double u = (double)i / (double)n;
            s[i] = 0.7 * u * (1.0 + 0.4 * u);
            const double start[3] = {0.2, -1.1, 0.4};
            memcpy(y + 3 * i, start, sizeof start);
            if (i)
                march(y + 3 * i, 0.0, s[i]);
        }
        const wy_bvp p = {.dim = 3, .core = 3, .elements = n, .s = s, .field = field, .jacobian = jacobian};
        for (int k = 0; k < 23; k++) {
            const double at = s[n] * (k + 0.37) / 23.0;
            double truth[3] = {0.2, -1.1, 0.4}, out[3];
            march(truth, 0.0, at);
            const size_t e = wy_mesh_find(&p, at, n / 2);
            ck_assert(s[e] <= at && at <= s[e + 1]);
            wy_mesh_solution(out, &p, y, e, at);
            for (int c = 0; c < 3; c++)
                worst = fmax(worst, fabs(out[c] - truth[c]));
        }
        /* a direction solves the linear equation without its load */
        double t[51];
        for (size_t i = 0; i <= n; i++) {
            double a[3] = {0.2, -1.1, 0.4}, b[3] = {0.5, 0.3, -0.1};
            if (i) {
                march(a, 0.0, s[i]);
                march(b, 0.0, s[i]);
            }
            for (int c = 0; c < 3; c++)
                t[3 * i + (size_t)c] = a[c] - b[c];
        }
        for (int k = 0; k < 23; k++) {
            const double at = s[n] * (k + 0.37) / 23.0;
            double a[3] = {0.2, -1.1, 0.4}, b[3] = {0.5, 0.3, -0.1}, out[3];
            march(a, 0.0, at);
            march(b, 0.0, at);
            wy_mesh_direction(out, &p, y, t, 0.0, wy_mesh_find(&p, at, 0), at);
            for (int c = 0; c < 3; c++)
                worst_t = fmax(worst_t, fabs(out[c] - (a[c] - b[c])));
        }
        if (n > 4) { /* orders 6 and 4 */
            ck_assert_msg(worst < before / 40.0, "%zu: %g after %g", n, worst, before);
            ck_assert_msg(worst_t < before_t / 10.0, "%zu: %g after %g", n, worst_t, before_t);
        }
        before = worst;
        before_t = worst_t;
        double node[3];
        wy_mesh_solution(node, &p, y, 1, s[1]);
        ck_assert_mem_eq(node, y + 3, sizeof node); /* a node is itself */
        wy_mesh_solution(node, &p, y, 1, s[2]);
        ck_assert_mem_eq(node, y + 6, sizeof node);
    }
}
END_TEST

/* Local errors of an equation whose error density is known: nodes share it evenly, and the promise is kept. */
static double made(double a, double b) { /* density^7 over an element, as if the density were that of its middle */
    const double m = 0.5 * (a + b), density = 0.05 + exp(-200.0 * (m - 0.37) * (m - 0.37));
    return pow(density * (b - a), 7);
}

START_TEST(nodes_equidistribute_the_error) {
    enum { N = 60, MOST = 300 };
    double s[MOST + 1], local[MOST], measure[MOST], next[MOST + 1];
    size_t piece[MOST], next_piece[MOST];
    wy_bvp p = {.dim = 1, .core = 1, .elements = N, .s = s};
    for (int i = 0; i <= N; i++)
        s[i] = (double)i / N;
    for (int i = 0; i < N; i++)
        piece[i] = i < 45 ? 0 : 2; /* a kink at 0.75 */
    for (int round = 0; round < 3; round++) {
        for (size_t e = 0; e < p.elements; e++)
            local[e] = made(s[e], s[e + 1]);
        const wy_mesh_need need = wy_mesh_weigh(measure, local, &p, 7);
        const double count = wy_mesh_count(&need, need.sum, 0.01 * need.sum, p.elements, 7);
        if (round == 0) { /* as many elements, better placed, make far less */
            ck_assert_double_lt(need.evenly, 0.05 * need.sum);
            ck_assert_double_lt(count, N);
        }
        const size_t n = wy_mesh_equidistribute(next, next_piece, N, MOST, measure, &p, piece);
        ck_assert_uint_ge(n, N - 1);
        ck_assert_uint_le(n, N + 1);
        ck_assert(next[0] == 0.0 && next[n] == 1.0);
        bool kink = false;
        double sum = 0.0;
        for (size_t e = 0; e < n; e++) {
            ck_assert_double_gt(next[e + 1], next[e]);
            kink |= next[e + 1] == 0.75 && next_piece[e] == 0 && next_piece[e + 1] == 2;
            sum += made(next[e], next[e + 1]);
        }
        ck_assert(kink);
        if (round == 0)
            ck_assert_msg(sum < 4.0 * need.evenly, "%g promised, %g kept", need.evenly, sum);
        memcpy(s, next, (n + 1) * sizeof *s);
        memcpy(piece, next_piece, n * sizeof *piece);
        p.elements = n;
    }
    for (size_t e = 0; e < p.elements; e++)
        local[e] = 0.0; /* an exact solution: anything goes, evenly */
    const wy_mesh_need none = wy_mesh_weigh(measure, local, &p, 7);
    ck_assert(none.sum == 0.0 && wy_mesh_count(&none, 0.0, 1e-9, p.elements, 7) == 1.0);
    const size_t n = wy_mesh_equidistribute(next, next_piece, 8, MOST, measure, &p, piece);
    for (size_t e = 0; e < n; e++)
        ck_assert_double_eq_tol(next[e + 1] - next[e], 0.125, 1e-12);
    ck_assert_uint_eq(wy_mesh_equidistribute(next, next_piece, 8, 5, measure, &p, piece), 0); /* no room */
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, between_the_nodes_it_is_as_good_as_at_them);
    tcase_add_test(tc, nodes_equidistribute_the_error);
}

int main(void) {
    return run_suite("meshes", add);
}
