/* The algebra of the director element, in complex numbers: with z = x + i h u the imaginary part of f(z)/h is the
 * derivative of f along u, to the last digit however small h. Strains, gradients, H, B and the tangent, of every
 * degree; and that the three kinds of numbers agree. */
#include <complex.h>
#undef I

#include "support/suite.h"

#include "element/algebra_of_one.h"

/* four points at a time */
#include "linalg/packs.inc"
#include "element/algebra_of_four.inc"
#include "element/matrices.inc"
#undef real
#undef number
#undef AT_POINTS
#undef SUM

/* complex numbers, one point at a time */
#define real double complex
#define number double complex
#define AT_POINTS(table, g, j) (table)[(g) / WY_ELEMENT_LANES][j][(g) % WY_ELEMENT_LANES]
#define SUM(x) (x)
#define point_fields complex_point_fields
#define dot complex_dot
#define fields complex_fields
#define fields_of_node complex_fields_of_node
#define strain_of complex_strain_of
#define rate_of complex_rate_of
#define gradient_of complex_gradient_of
#define add_fields complex_add_fields
#define add_to_nodes complex_add_to_nodes
#define nodal_slopes complex_nodal_slopes
#define hourglass_of complex_hourglass_of
#define push_hourglass complex_push_hourglass
#define force_on_node complex_force_on_node
#include "element/algebra.inc"
#undef point_fields
#undef fields
#undef strain_of
#undef rate_of
#undef gradient_of
#undef nodal_slopes
#undef hourglass_of
#undef push_hourglass
#undef force_on_node

enum { ROW = 8, NODES = WY_ELEMENT_DEGREE + 1, STRAINS = 8 * WY_ELEMENT_DEGREE + 2, ORDER = WY_ELEMENT_ORDER };

static const double step = 1e-40;

static double untidy_number(unsigned *seed) {
    *seed = *seed * 1664525U + 1013904223U;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* A bent element whose directors are not orthonormal. */
static void untidy(double X[12][ROW], const wy_element_basis *space, double h, unsigned seed) {
    memset(X, 0, 12 * sizeof *X);
    for (int j = 0; j <= space->P; j++)
        for (int c = 0; c < 12; c++)
            X[c][j] = (c == 2 ? h * space->node[j] : c == 3 || c == 7 || c == 11) + 0.2 * untidy_number(&seed);
}

/* All strains, eight at each point, then H_1 and H_2; and the forces on the nodes by stresses K (eps - eps*), along
 * axes: force along d_a, then moment about d_a. */
typedef struct measured {
    double complex strain[STRAINS], force[ORDER];
} measured;

static void measure(measured *out, const wy_element_basis *space, double complex X[12][ROW], double D[NODES][9],
                    const double K[STRAINS], const double rest[STRAINS]) {
    const int P = space->P;
    double complex F[12][ROW] = {{0.0}}, slope[NODES][3], s[8];
    for (int g = 0; g < P; g++) {
        complex_point_fields q, by;
        complex_fields(P, space, g, X[0], ROW, &q);
        complex_strain_of(&q, out->strain + 8 * g);
        for (int c = 0; c < 8; c++)
            s[c] = K[8 * g + c] * (out->strain[8 * g + c] - rest[8 * g + c]);
        complex_gradient_of(&q, s, &by);
        complex_add_to_nodes(P, space, g, &by, F[0], ROW);
    }
    complex_nodal_slopes(P, space, X[0], ROW, slope);
    for (int k = 0; k < 2; k++) {
        out->strain[8 * P + k] = complex_hourglass_of(P, space, X[0], ROW, slope, k);
        s[k] = K[8 * P + k] * (out->strain[8 * P + k] - rest[8 * P + k]);
    }
    complex_push_hourglass(P, space, X[0], ROW, slope, s, F[0], ROW);
    for (int j = 0; j <= P; j++) {
        double complex turned[9], r[6];
        for (int c = 0; c < 9; c++)
            turned[c] = X[3 + c][j];
        complex_force_on_node(turned, F[0] + j, ROW, r);
        for (int a = 0; a < 6; a++)
            out->force[6 * j + a] = r[a / 3 * 3] * D[j][a % 3 * 3] + r[a / 3 * 3 + 1] * D[j][a % 3 * 3 + 1] +
                                    r[a / 3 * 3 + 2] * D[j][a % 3 * 3 + 2];
    }
}

static void lift(double complex out[12][ROW], double X[12][ROW]) {
    for (int c = 0; c < 12; c++)
        for (int j = 0; j < ROW; j++)
            out[c][j] = X[c][j];
}

/* Node j along its own axis a (< 3), or about it. */
static void nudge(double complex X[12][ROW], double D[NODES][9], int j, int a) {
    const double *axis = D[j] + 3 * (a % 3);
    for (int c = 0; c < 3 && a < 3; c++)
        X[c][j] += step * axis[c] * _Complex_I;
    for (int k = 0; k < 3 && a >= 3; k++) {
        const double *d = D[j] + 3 * k;
        const double turn[3] = {axis[1] * d[2] - axis[2] * d[1], axis[2] * d[0] - axis[0] * d[2],
                                axis[0] * d[1] - axis[1] * d[0]};
        for (int c = 0; c < 3; c++)
            X[3 + 3 * k + c][j] += step * turn[c] * _Complex_I;
    }
}

#define CLOSE(x, y, scale) ck_assert_double_eq_tol(x, y, 4e-14 * (scale))

static void check_tangents(const int P) {
    wy_element_basis space;
    wy_element_basis_make(&space, P, 0.7);
    double X[12][ROW], D[NODES][9], K[STRAINS] = {0.0}, rest[STRAINS] = {0.0}, block[2][WY_ELEMENT_BLOCK] = {{0.0}};
    double B[NODES * (WY_ELEMENT_B_NODE + WY_ELEMENT_B_H) + 4], *H = B + (P + 1) * WY_ELEMENT_B_ROWS * P + 4;
    static double T[ORDER * ORDER];
    unsigned seed = 11 + (unsigned)P;
    untidy(X, &space, 0.7, seed);
    for (int j = 0; j <= P; j++)
        for (int c = 0; c < 9; c++)
            D[j][c] = X[3 + c][j];
    for (int q = 0; q < 8 * P + 2; q++) {
        K[q] = 1.5 + untidy_number(&seed);
        rest[q] = 0.3 * untidy_number(&seed);
    }
    double complex Z[12][ROW];
    measured here;
    lift(Z, X);
    measure(&here, &space, Z, D, K, rest);
    for (int q = 0; q < 8 * P + 2; q++) {
        block[0][wy_element_at((size_t)P, (size_t)q / 8, (size_t)q % 8)] = K[q];
        block[1][wy_element_at((size_t)P, (size_t)q / 8, (size_t)q % 8)] = creal(here.strain[q] - rest[q]) * K[q];
    }
    memset(T, 0, sizeof T);
    strain_matrix(P, &space, X[0], ROW, B, H, true);
    add_stiffness(P, B, H, block[0], T, true);
    add_geometric(P, &space, X[0], ROW, block[1], T, true);
    for (int j = 0; j <= P; j++)
        for (int a = 0; a < 6; a++) {
            measured turned;
            lift(Z, X);
            nudge(Z, D, j, a);
            measure(&turned, &space, Z, D, K, rest);
            for (int q = 0; q < 8 * P + 2; q++) {
                const int c = q % 8, row = wy_element_b_row(c, a);
                double said = q < 8 * P ? 0.0 : H[WY_ELEMENT_B_H * j + 6 * c + a];
                if (q < 8 * P && row >= 0)
                    said = (wy_element_b_minus(c, a) ? -1.0 : 1.0) * B[(WY_ELEMENT_B_ROWS * j + row) * P + q / 8];
                CLOSE(said, cimag(turned.strain[q]) / step, 10.0);
            }
            for (int i = 0; i < 6 * (P + 1); i++)
                CLOSE(T[i * ORDER + 6 * j + a], cimag(turned.force[i]) / step, 100.0);
        }
}

START_TEST(tangents) {
    check_tangents(2);
    check_tangents(3);
    check_tangents(4);
    check_tangents(5);
}
END_TEST

/* The rate is the change of the strains, and the gradient that of their work: along any other configuration. */
START_TEST(rates_and_gradients) {
    for (int P = 2; P <= WY_ELEMENT_DEGREE; P++) {
        wy_element_basis space;
        wy_element_basis_make(&space, P, 1.3);
        double X[12][ROW], V[12][ROW], F[12][ROW] = {{0.0}}, pn[NODES][3], vn[NODES][3], by_force = 0.0, by_rate = 0.0;
        double complex Z[12][ROW], slope[NODES][3];
        const double sh[2] = {0.7, -1.1};
        untidy(X, &space, 1.3, 3);
        untidy(V, &space, 0.0, 5);
        for (int c = 0; c < 12; c++)
            for (int j = 0; j < ROW; j++)
                Z[c][j] = X[c][j] + step * V[c][j] * _Complex_I;
        for (int g = 0; g < P; g++) {
            element_point_fields q, v, by;
            complex_point_fields z;
            double s[8], rate[8];
            double complex eps[8];
            element_fields(P, &space, g, X[0], ROW, &q);
            element_fields(P, &space, g, V[0], ROW, &v);
            element_rate_of(&q, &v, rate);
            complex_fields(P, &space, g, Z[0], ROW, &z);
            complex_strain_of(&z, eps);
            for (int c = 0; c < 8; c++) {
                CLOSE(rate[c], cimag(eps[c]) / step, 10.0);
                s[c] = sin(1.0 + c + 3.0 * g);
                by_rate += s[c] * rate[c];
            }
            element_gradient_of(&q, s, &by);
            element_add_to_nodes(P, &space, g, &by, F[0], ROW);
        }
        element_nodal_slopes(P, &space, X[0], ROW, pn);
        element_nodal_slopes(P, &space, V[0], ROW, vn);
        complex_nodal_slopes(P, &space, Z[0], ROW, slope);
        for (int k = 0; k < 2; k++) {
            const double rate =
                element_hourglass_of(P, &space, V[0], ROW, pn, k) + element_hourglass_of(P, &space, X[0], ROW, vn, k);
            CLOSE(rate, cimag(complex_hourglass_of(P, &space, Z[0], ROW, slope, k)) / step, 10.0);
            by_rate += sh[k] * rate;
        }
        element_push_hourglass(P, &space, X[0], ROW, pn, sh, F[0], ROW);
        for (int c = 0; c < 12; c++)
            for (int j = 0; j <= P; j++)
                by_force += F[c][j] * V[c][j];
        CLOSE(by_force, by_rate, 100.0);
    }
}
END_TEST

/* What one node brings is its part of the fields; four points at a time have what one has, bit by bit. */
START_TEST(kinds_of_numbers_agree) {
    for (int P = 2; P <= WY_ELEMENT_DEGREE; P++) {
        wy_element_basis space;
        wy_element_basis_make(&space, P, 0.4);
        double X[12][ROW], F[12][ROW] = {{0.0}}, G[12][ROW] = {{0.0}};
        untidy(X, &space, 0.4, 17);
        for (int c = 0; c < 3; c++)
            X[c][0] = 0.0;
        for (int pack = 0; pack < (P + 3) / 4; pack++) {
            point_fields four;
            v4 y[8], s[8];
            fields(P, &space, pack, X[0], ROW, &four);
            strain_of(&four, y);
            for (int c = 0; c < 8; c++)
                for (int q = 0; q < 4; q++)
                    s[c][q] = 4 * pack + q < P ? cos(0.3 + c + 2.0 * q) : 0.0;
            push(P, &space, pack, &four, s, F[0], ROW);
            for (int q = 0; q < 4 && 4 * pack + q < P; q++) {
                element_point_fields one, by, sum = {{0.0}, {0.0}}, part;
                double eps[8], at[8];
                element_fields(P, &space, 4 * pack + q, X[0], ROW, &one);
                element_strain_of(&one, eps);
                for (int c = 0; c < 8; c++) {
                    ck_assert(eps[c] == y[c][q]);
                    at[c] = s[c][q];
                }
                for (int j = 0; j <= P; j++) {
                    double x[12];
                    for (int c = 0; c < 12; c++)
                        x[c] = X[c][j];
                    element_fields_of_node(&space, 4 * pack + q, j, x, &part);
                    element_add_fields(&sum, &part);
                }
                for (int c = 0; c < 9; c++)
                    CLOSE(sum.d[c], one.d[c], 1.0);
                for (int c = 0; c < 12; c++)
                    CLOSE(sum.dp[c], one.dp[c], 100.0);
                element_gradient_of(&one, at, &by);
                element_add_to_nodes(P, &space, 4 * pack + q, &by, G[0], ROW);
            }
        }
        for (int c = 0; c < 12; c++)
            for (int j = 0; j <= P; j++)
                CLOSE(F[c][j], G[c][j], 100.0);
    }
}
END_TEST

SUITE("the element", tangents, rates_and_gradients, kinds_of_numbers_agree)
