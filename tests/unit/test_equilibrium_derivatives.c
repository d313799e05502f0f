/* Every derivative of the static rod against central differences: field, end conditions, tangents of shooting. */
#include "support/beam_tools.h"

#include "linalg/abd.h"
#include "linalg/lu.h"
#include "linalg/symmetric.h"
#include "equilibrium/equilibrium_model.h"

static const double state[13] = {0.83, -1.21, 0.47, 0.36, 0.71, -0.92, 0.52, -0.61, 0.33, 0.57, 0.12, -0.44, 0.95};

START_TEST(field) {
    const equilibrium_coefficients points[2] = {{.inv_CM = {0.9, 1.7, 1.3},
                                                 .inv_CP = {0.02, 0.05, 0.01},
                                                 .kappa = {0.3, -0.2, 0.7},
                                                 .nu = {0.01, -0.03, 1.1},
                                                 .f = {0.4, -1.3, 0.8},
                                                 .c = {-0.7, 0.2, 0.5},
                                                 .f_body = {0.1, 0.2, -0.3},
                                                 .c_body = {0.6, -0.1, 0.2}}};
    equilibrium_coefficients at = points[0];
    for (int literal = 0; literal < 2; literal++) {
        at.literal = literal;
        double J[169];
        wy_equilibrium_model_jacobian(J, &at, state);
        for (int j = 0; j < 13; j++) {
            double up[13], down[13], a[13], b[13];
            const double h = 1e-6;
            memcpy(up, state, sizeof up);
            memcpy(down, state, sizeof down);
            up[j] += h;
            down[j] -= h;
            wy_equilibrium_model_field(a, &at, up);
            wy_equilibrium_model_field(b, &at, down);
            for (int i = 0; i < 13; i++)
                ck_assert_double_eq_tol(J[13 * i + j], (a[i] - b[i]) / (2 * h), 1e-9);
        }
    }
}
END_TEST

/* The canonical variables: maps there and back, their derivatives, the field in them against (5.1), and its
 * derivative. */
START_TEST(chart) {
    const equilibrium_coefficients at = {.inv_CM = {0.9, 1.7, 1.3},
                                         .inv_CP = {0.02, 0.05, 0.01},
                                         .kappa = {0.3, -0.2, 0.7},
                                         .nu = {0.01, -0.03, 1.1},
                                         .f = {0.4, -1.3, 0.8},
                                         .c = {-0.7, 0.2, 0.5},
                                         .f_body = {0.1, 0.2, -0.3},
                                         .c_body = {0.6, -0.1, 0.2}};
    enum { Z = WY_STATIC_CHART, D = 13 };
    double z[Z], A[Z * D], B[D * Z], J[Z * Z], back[D], dz[Z], dy[D], unit[D], size = 0.0;
    wy_equilibrium_to_chart(z, A, state);
    wy_equilibrium_from_chart_jacobian(B, z);
    wy_equilibrium_from_chart(back, z);
    wy_equilibrium_chart_jacobian(J, &at, z);
    memcpy(unit, state, sizeof unit);
    for (int i = 6; i < 10; i++)
        size += state[i] * state[i];
    for (int i = 6; i < 10; i++)
        unit[i] /= sqrt(size);
    for (int i = 0; i < D; i++)
        ck_assert_double_eq_tol(back[i], unit[i], 1e-15);
    for (int i = 0; i < D * D; i++) { /* B A = 1 */
        double sum = 0.0;
        for (int k = 0; k < Z; k++)
            sum += B[Z * (i / D) + k] * A[D * k + i % D];
        ck_assert_double_eq_tol(sum, i % (D + 1) == 0, 1e-14);
    }
    const double h = 1e-6;
    for (int j = 0; j < D; j++) {
        double up[D], down[D], a[Z], b[Z];
        memcpy(up, state, sizeof up);
        memcpy(down, state, sizeof down);
        up[j] += h;
        down[j] -= h;
        wy_equilibrium_to_chart(a, NULL, up);
        wy_equilibrium_to_chart(b, NULL, down);
        for (int i = 0; i < Z; i++)
            ck_assert_double_eq_tol(A[D * i + j], (a[i] - b[i]) / (2 * h), 1e-9);
    }
    for (int j = 0; j < Z; j++) {
        double up[Z], down[Z], a[Z], b[Z];
        memcpy(up, z, sizeof up);
        memcpy(down, z, sizeof down);
        up[j] += h;
        down[j] -= h;
        wy_equilibrium_chart_field(a, &at, up);
        wy_equilibrium_chart_field(b, &at, down);
        for (int i = 0; i < Z; i++)
            ck_assert_double_eq_tol(J[Z * i + j], (a[i] - b[i]) / (2 * h), 1e-9);
    }
    wy_equilibrium_to_chart(z, A, unit); /* dz = A dy where |q| = 1 */
    wy_equilibrium_chart_field(dz, &at, z);
    wy_equilibrium_model_field(dy, &at, unit);
    for (int i = 0; i < Z; i++) {
        double sum = 0.0;
        for (int k = 0; k < D; k++)
            sum += A[D * i + k] * dy[k];
        ck_assert_double_eq_tol(dz[i], sum, 1e-14);
    }
}
END_TEST

START_TEST(end_rows) {
    plain_rod beam = thesis_beam(0.4, 0.3);
    beam.length = 1.7;
    for (int kind = 0; kind < 9; kind++) {
        beam.left.translation = beam.right.translation = kind / 3;
        beam.left.rotation = beam.right.rotation = kind % 3;
        plain_end *ends[2] = {&beam.left, &beam.right};
        for (int e = 0; e < 2; e++)
            for (int i = 0; i < 3; i++) {
                ends[e]->force[i] = (1.3 * i - 0.7 + e) * 1e7;
                ends[e]->moment[i] = (0.4 - 1.1 * i + e) * 1e7;
                ends[e]->position[i] = 0.2 * i + e;
            }
        equilibrium_model *model;
        ck_assert_int_eq(wy_equilibrium_model_create(&model, rod_of(&beam), 3, NULL), WY_OK);
        for (int right = 0; right < 2; right++) {
            const int rows = right ? 6 : 7;
            double r[7], B[7 * 13];
            (right ? wy_equilibrium_right_rows : wy_equilibrium_left_rows)(r, B, state, model);
            for (int j = 0; j < 13; j++) {
                double up[13], down[13], a[7], b[7], dummy[7 * 13];
                const double h = 1e-6;
                memcpy(up, state, sizeof up);
                memcpy(down, state, sizeof down);
                up[j] += h;
                down[j] -= h;
                (right ? wy_equilibrium_right_rows : wy_equilibrium_left_rows)(a, dummy, up, model);
                (right ? wy_equilibrium_right_rows : wy_equilibrium_left_rows)(b, dummy, down, model);
                for (int i = 0; i < rows; i++)
                    ck_assert_double_eq_tol(B[13 * i + j], (a[i] - b[i]) / (2 * h), 1e-8);
            }
        }
        wy_equilibrium_model_free(model);
    }
}
END_TEST

/* The bordered almost block diagonal solve against dense LU. */
START_TEST(block_solver) {
    enum { n = 3, N = 4, left = 3, right = 2, k = 2, m = 2, size = n * (N + 1) + k };
    const wy_abd shape = {.dim = n, .elements = N, .left = left, .right = right, .border = k, .columns = m};
    double lB[left * n], lr[left * m], T[N * n * n], t[N * n * m], rB[right * n], rb[right * k], rr[right * m];
    double y[(N + 1) * n * m], mu[k * m], A[size * size] = {0}, b[size * m];
    double *all[] = {lB, lr, T, t, rB, rb, rr};
    const size_t counts[] = {left * n, left * m, N * n * n, N * n * m, right * n, right * k, right * m};
    size_t seed = 0, pivots[size];
    for (int a = 0; a < 7; a++)
        for (size_t i = 0; i < counts[a]; i++)
            all[a][i] = sin(3.7 * (double)++seed) + 0.1;
    double *work = calloc(wy_abd_work(&shape), sizeof *work);
    ck_assert(wy_abd_solve(&shape, lB, lr, T, t, rB, rb, rr, y, mu, work));
    for (int i = 0; i < left; i++) {
        memcpy(A + i * size, lB + i * n, n * sizeof *A);
        memcpy(b + i * m, lr + i * m, m * sizeof *b);
    }
    for (int e = 0; e < N; e++)
        for (int i = 0; i < n; i++) {
            const int row = left + e * n + i;
            for (int j = 0; j < n; j++)
                A[row * size + e * n + j] = -T[(e * n + i) * n + j];
            A[row * size + (e + 1) * n + i] += 1.0;
            memcpy(b + row * m, t + (e * n + i) * m, m * sizeof *b);
        }
    for (int i = 0; i < right; i++) {
        const int row = left + N * n + i;
        memcpy(A + row * size + N * n, rB + i * n, n * sizeof *A);
        memcpy(A + row * size + (N + 1) * n, rb + i * k, k * sizeof *A);
        memcpy(b + row * m, rr + i * m, m * sizeof *b);
    }
    ck_assert(wy_lu_factor(A, pivots, size));
    wy_lu_solve_many(b, m, A, pivots, size);
    for (int i = 0; i < (N + 1) * n * m; i++)
        ck_assert_double_eq_tol(y[i], b[i], 1e-11);
    for (int i = 0; i < k * m; i++)
        ck_assert_double_eq_tol(mu[i], b[(N + 1) * n * m + i], 1e-11);
    memset(lB, 0, sizeof lB); /* no end condition at all: singular, and said so */
    ck_assert(!wy_abd_solve(&shape, lB, lr, T, t, rB, rb, rr, y, mu, work));
    free(work);
}
END_TEST

START_TEST(symmetric_eigenvalues) {
    enum { n = 5 };
    double A[n * n], copy[n * n], V[n * n], w[n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = copy[i * n + j] = cos(1.3 * (i + 1) * (j + 1)) + (i == j ? i : 0);
    wy_symmetric_eigen(w, V, A, n);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += copy[i * n + j] * V[j * n + k];
            ck_assert_double_eq_tol(sum, w[k] * V[i * n + k], 1e-13);
            ck_assert(k == 0 || w[k] >= w[k - 1]);
        }
}
END_TEST

/* The public field is the same in SI units, and strains and invariants agree with it. */
START_TEST(in_si_units) {
    plain_rod beam = thesis_beam(0.0, 0.0);
    const double y[13] = {1.1e7, -2.3e7, 3.1e7, 2.2e7, -1.7e7, 4.1e7, 0.5, 0.5, -0.5, 0.5, 1.2, -3.4, 5.6};
    double dy[13], J[169], kappa[3], nu[3];
    wy_equilibrium_field(dy, rod_of(&beam), 3.0, y);
    wy_equilibrium_jacobian(J, rod_of(&beam), 3.0, y);
    wy_equilibrium_strains(kappa, nu, rod_of(&beam), 3.0, y);
    ck_assert_double_eq_tol(kappa[0], 2.2e7 / 110.8e6, 1e-15);
    ck_assert_double_eq_tol(nu[2], 1.0 + 3.1e7 / 6080.5e6, 1e-15);
    const double h = 1e-5;
    double ahead[13], behind[13];
    for (int i = 0; i < 13; i++) { /* along the field, the invariants do not change */
        ahead[i] = y[i] + h * dy[i];
        behind[i] = y[i] - h * dy[i];
    }
    const wy_equilibrium_invariants a = wy_equilibrium_invariants_at(rod_of(&beam), 3, ahead),
                                    b = wy_equilibrium_invariants_at(rod_of(&beam), 3, behind);
    ck_assert_double_eq_tol((a.PP - b.PP) / h / 1e14, 0.0, 1e-6);
    ck_assert_double_eq_tol((a.J - b.J) / h / 1e7, 0.0, 1e-6);
    ck_assert_double_eq_tol((a.M3 - b.M3) / h / 1e7, 0.0, 1e-6);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol((a.force[i] - b.force[i]) / h / 1e7, 0.0, 1e-6);
        ck_assert_double_eq_tol((a.moment[i] - b.moment[i]) / h / 1e8, 0.0, 1e-6);
    }
    /* J is the generator of shifts along s: dJ/dP = nu, dJ/dM = kappa */
    double up[13];
    memcpy(up, y, sizeof up);
    up[1] += 1.0;
    ck_assert_double_eq_tol(wy_equilibrium_invariants_at(rod_of(&beam), 3, up).J -
                                wy_equilibrium_invariants_at(rod_of(&beam), 3, y).J,
                            nu[1], 1e-6);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, field);
    tcase_add_test(tc, chart);
    tcase_add_test(tc, end_rows);
    tcase_add_test(tc, block_solver);
    tcase_add_test(tc, symmetric_eigenvalues);
    tcase_add_test(tc, in_si_units);
}

int main(void) {
    return run_suite("beam derivatives", add);
}
