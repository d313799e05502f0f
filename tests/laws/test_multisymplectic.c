/* The multi-symplectic form of the static rod: the form itself, the schemes, and the laws they keep. */
#include "support/beam_tools.h"

#include <withy/multisymplectic.h>

#define PI 3.14159265358979323846

static const wy_ms_rod rod = {.inv_CM = {1.0, 0.8, 1.3}, .inv_CP = {0.05, 0.04, 0.02}, .stretch = 1.0, .alpha = 1.2};
static const wy_ms_rod round_rod = {
    .inv_CM = {1.0, 1.0, 1.3}, .inv_CP = {0.05, 0.05, 0.02}, .stretch = 1.0, .alpha = 0.9};

static void start(double z[WY_MS_DIM]) {
    double y[WY_STATIC_DIM] = {2.3, -1.1, -3.7, 1.4, 4.9, -0.8, 0.52, -0.61, 0.33, 0.57, 0.12, -0.44, 0.95};
    wy_quat_normalize(y + WY_STATIC_Q, y + WY_STATIC_Q);
    wy_ms_from_static(z, y);
    double back[WY_STATIC_DIM];
    wy_ms_to_static(back, z);
    for (int i = 0; i < WY_STATIC_DIM; i++)
        ck_assert_double_eq_tol(back[i], y[i], 1e-14);
}

/* On the manifold S~ = -J, and a small step of a scheme goes where (3.1) goes. */
START_TEST(same_rod_as_the_equilibrium_equations) {
    const plain_station st = {.section = {1.0, 1 / 0.8, 1 / 1.3, 20, 25, 50, 0, 0, 0, 0, 0}, .stretch = {0, 0, 1}};
    const plain_rod beam = {.length = 1, .station_count = 1, .stations = &st};
    double z[WY_MS_DIM], y[WY_STATIC_DIM], dy[WY_STATIC_DIM];
    start(z);
    wy_ms_to_static(y, z);
    ck_assert_double_eq_tol(wy_ms_hamiltonian(&rod, z), -wy_equilibrium_invariants_at(rod_of(&beam), 0, y).J, 1e-13);
    wy_equilibrium_field(dy, rod_of(&beam), 0, y);
    const double h = 1e-6;
    for (int scheme = 0; scheme <= WY_MS_EULER_REDUCED; scheme++) {
        double zp[WY_MS_DIM], yp[WY_STATIC_DIM];
        memcpy(zp, z, sizeof zp);
        ck_assert_int_eq(wy_ms_step(&rod, scheme, h, zp, NULL, 0, NULL), WY_OK);
        wy_ms_to_static(yp, zp);
        for (int i = 0; i < WY_STATIC_DIM; i++)
            ck_assert_double_eq_tol((yp[i] - y[i]) / h, dy[i], 3e-4);
    }
    /* alpha is of no effect where <q, v> = 0 */
    wy_ms_rod other = rod;
    other.alpha = 7.7;
    double a[WY_MS_DIM], b[WY_MS_DIM];
    memcpy(a, z, sizeof a);
    memcpy(b, z, sizeof b);
    for (int n = 0; n < 400; n++) {
        ck_assert_int_eq(wy_ms_step(&rod, WY_MS_RATTLE, 1e-3, a, NULL, 0, NULL), WY_OK);
        ck_assert_int_eq(wy_ms_step(&other, WY_MS_RATTLE, 1e-3, b, NULL, 0, NULL), WY_OK);
    }
    for (int i = 0; i < WY_MS_DIM; i++)
        ck_assert_double_eq_tol(a[i], b[i], 2e-5); /* both are second order: the difference is O(h^2) */
}
END_TEST

START_TEST(tangents) {
    double z[WY_MS_DIM];
    start(z);
    for (int i = 0; i < WY_MS_DIM; i++) /* off the manifold too */
        z[i] += 0.01 * sin(i + 1.0);
    for (int scheme = 0; scheme <= WY_MS_RATTLE_PRINTED; scheme++) {
        double D[WY_MS_DIM * WY_MS_DIM] = {0}, at[WY_MS_DIM];
        for (int i = 0; i < WY_MS_DIM; i++)
            D[i * WY_MS_DIM + i] = 1.0;
        memcpy(at, z, sizeof at);
        ck_assert_int_eq(wy_ms_step(&rod, scheme, 0.07, at, D, WY_MS_DIM, NULL), WY_OK);
        for (int j = 0; j < WY_MS_DIM; j++) {
            double up[WY_MS_DIM], down[WY_MS_DIM];
            memcpy(up, z, sizeof up);
            memcpy(down, z, sizeof down);
            up[j] += 1e-6;
            down[j] -= 1e-6;
            ck_assert_int_eq(wy_ms_step(&rod, scheme, 0.07, up, NULL, 0, NULL), WY_OK);
            ck_assert_int_eq(wy_ms_step(&rod, scheme, 0.07, down, NULL, 0, NULL), WY_OK);
            for (int i = 0; i < WY_MS_DIM; i++)
                ck_assert_msg(fabs((up[i] - down[i]) / 2e-6 - D[i * WY_MS_DIM + j]) < 2e-8,
                              "%s: %d, %d: %g, expected %g", wy_ms_schemes[scheme], i, j, D[i * WY_MS_DIM + j],
                              (up[i] - down[i]) / 2e-6);
        }
    }
}
END_TEST

/* omega(a, b) = sum dq ^ dv + dx ^ dv_x */
static double omega(const double *a, const double *b, size_t stride) {
    double sum = 0.0;
    for (size_t i = 0; i < 3; i++)
        sum += a[(WY_MS_X + i) * stride] * b[(WY_MS_VX + i) * stride] -
               b[(WY_MS_X + i) * stride] * a[(WY_MS_VX + i) * stride];
    for (size_t i = 0; i < 4; i++)
        sum += a[(WY_MS_Q + i) * stride] * b[(WY_MS_V + i) * stride] -
               b[(WY_MS_Q + i) * stride] * a[(WY_MS_V + i) * stride];
    return sum;
}

/* Two tangent vectors of the manifold, carried along: their omega stays. The index-reduced Euler breaks it. */
START_TEST(discrete_symplecticity_in_s) {
    for (int scheme = 0; scheme <= WY_MS_EULER_REDUCED; scheme++) {
        double z[WY_MS_DIM], D[WY_MS_DIM * 2];
        start(z);
        for (int i = 0; i < WY_MS_DIM * 2; i++)
            D[i] = cos(2.1 * i + 0.4);
        for (int k = 0; k < 2; k++) { /* onto |q| = 1: dq.q = 0; onto <q, v> = 0: dq.v + q.dv = 0 */
            double qd = 0, mixed = 0;
            for (int i = 0; i < 4; i++)
                qd += z[WY_MS_Q + i] * D[(WY_MS_Q + i) * 2 + k];
            for (int i = 0; i < 4; i++)
                D[(WY_MS_Q + i) * 2 + k] -= qd * z[WY_MS_Q + i];
            for (int i = 0; i < 4; i++)
                mixed += D[(WY_MS_Q + i) * 2 + k] * z[WY_MS_V + i] + z[WY_MS_Q + i] * D[(WY_MS_V + i) * 2 + k];
            for (int i = 0; i < 4; i++)
                D[(WY_MS_V + i) * 2 + k] -= mixed * z[WY_MS_Q + i];
        }
        const double before = omega(D, D + 1, 2);
        double worst = 0.0;
        for (int n = 0; n < 60; n++) {
            ck_assert_int_eq(wy_ms_step(&rod, scheme, 0.02, z, D, 2, NULL), WY_OK);
            worst = fmax(worst, fabs(omega(D, D + 1, 2) / before - 1.0));
        }
        if (scheme == WY_MS_EULER_REDUCED)
            ck_assert_msg(worst > 1e-4, "%g", worst);
        else
            ck_assert_msg(worst < 1e-11, "%s: %g", wy_ms_schemes[scheme], worst);
    }
}
END_TEST

/* Constraints, P.P, P.M, M3, the spatial wrench; J is near its start for RATTLE. Long, so that a drift would show. */
START_TEST(what_is_kept) {
    for (int scheme = 0; scheme <= WY_MS_EULER; scheme++) {
        double z[WY_MS_DIM], y[WY_STATIC_DIM], worst[7] = {0};
        start(z);
        const plain_station st = {.section = {1.0, 1.0, 1 / 1.3, 20, 20, 50, 0, 0, 0, 0, 0}, .stretch = {0, 0, 1}};
        const plain_rod beam = {.length = 1, .station_count = 1, .stations = &st};
        wy_ms_to_static(y, z);
        const wy_equilibrium_invariants v0 = wy_equilibrium_invariants_at(rod_of(&beam), 0, y);
        for (int n = 0; n < 2000; n++) {
            ck_assert_int_eq(wy_ms_step(&round_rod, scheme, 0.01, z, NULL, 0, NULL), WY_OK);
            wy_ms_to_static(y, z);
            const wy_equilibrium_invariants v = wy_equilibrium_invariants_at(rod_of(&beam), 0, y);
            double qv = 0.0, wrench = 0.0;
            for (int i = 0; i < 4; i++)
                qv += z[WY_MS_Q + i] * z[WY_MS_V + i];
            for (int i = 0; i < 3; i++)
                wrench = fmax(wrench, fmax(fabs(v.force[i] - v0.force[i]), fabs(v.moment[i] - v0.moment[i])));
            const double now[7] = {v.qq - 1.0, qv, v.PP - v0.PP, v.PM - v0.PM, v.M3 - v0.M3, wrench, v.J - v0.J};
            for (int i = 0; i < 7; i++)
                worst[i] = fmax(worst[i], fabs(now[i]));
        }
        /* M is of the size 5, P of 4.5: terms of 25 */
        ck_assert_msg(worst[0] < 4e-15 && worst[1] < 1e-13 && worst[2] < 2.5e-10 && worst[3] < 2.5e-10 &&
                          worst[4] < 5e-11 && worst[5] < 5e-11,
                      "%s: %g %g %g %g %g %g", wy_ms_schemes[scheme], worst[0], worst[1], worst[2], worst[3], worst[4],
                      worst[5]);
        ck_assert_msg(worst[6] < (scheme == WY_MS_RATTLE ? 5e-3 : 0.5) && worst[6] > 1e-8, "J: %g", worst[6]);
    }
}
END_TEST

/* RATTLE is its own adjoint; Euler is not. */
START_TEST(symmetry) {
    double z[WY_MS_DIM], there[WY_MS_DIM];
    start(z);
    memcpy(there, z, sizeof there);
    for (int n = 0; n < 50; n++)
        ck_assert_int_eq(wy_ms_step(&rod, WY_MS_RATTLE, 0.02, there, NULL, 0, NULL), WY_OK);
    for (int n = 0; n < 50; n++)
        ck_assert_int_eq(wy_ms_step(&rod, WY_MS_RATTLE, -0.02, there, NULL, 0, NULL), WY_OK);
    for (int i = 0; i < WY_MS_DIM; i++)
        ck_assert_double_eq_tol(there[i], z[i], 1e-11);
}
END_TEST

/* The Poisson form (2.25): (P, M)' = B grad J with B skew. So J' = 0, and P.P, P.M are Casimirs: B grad = 0. */
START_TEST(poisson_form) {
    const plain_station st = {.section = {1.0, 1 / 0.8, 1 / 1.3, 20, 25, 50, 0, 0, 0, 0, 0}, .stretch = {0, 0, 1}};
    const plain_rod beam = {.length = 1, .station_count = 1, .stations = &st};
    const double y[WY_STATIC_DIM] = {2.3, -1.1, -3.7, 1.4, 4.9, -0.8, 0.5, 0.5, -0.5, 0.5, 0, 0, 0};
    double dy[WY_STATIC_DIM], B[6][6] = {{0}}, grad[6];
    const double *P = y, *M = y + 3;
    const double hatP[3][3] = {{0, -P[2], P[1]}, {P[2], 0, -P[0]}, {-P[1], P[0], 0}},
                 hatM[3][3] = {{0, -M[2], M[1]}, {M[2], 0, -M[0]}, {-M[1], M[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            B[i][3 + j] = B[3 + i][j] = hatP[i][j];
            B[3 + i][3 + j] = hatM[i][j];
        }
    for (int k = 0; k < 6; k++) {
        double up[WY_STATIC_DIM], down[WY_STATIC_DIM];
        memcpy(up, y, sizeof up);
        memcpy(down, y, sizeof down);
        up[k] += 1e-5;
        down[k] -= 1e-5;
        grad[k] = (wy_equilibrium_invariants_at(rod_of(&beam), 0, up).J -
                   wy_equilibrium_invariants_at(rod_of(&beam), 0, down).J) /
                  2e-5;
    }
    wy_equilibrium_field(dy, rod_of(&beam), 0, y);
    const double casimirs[2][6] = {{P[0], P[1], P[2], 0, 0, 0}, {M[0], M[1], M[2], P[0], P[1], P[2]}};
    for (int i = 0; i < 6; i++) {
        double sum = 0.0, one = 0.0, two = 0.0;
        for (int j = 0; j < 6; j++) {
            sum += B[i][j] * grad[j];
            one += B[i][j] * casimirs[0][j];
            two += B[i][j] * casimirs[1][j];
            ck_assert_double_eq(B[i][j], -B[j][i]);
        }
        ck_assert_double_eq_tol(sum, dy[i], 1e-8);
        ck_assert_double_eq_tol(one, 0.0, 1e-14);
        ck_assert_double_eq_tol(two, 0.0, 1e-14);
    }
}
END_TEST

static wy_ms_solver *ms_solved(const plain_rod *beam, const wy_equilibrium *guess, int scheme, size_t steps) {
    wy_ms_solver *m;
    wy_error err = {0};
    ck_assert_msg(wy_ms_solver_create(&m, rod_of(beam), scheme, steps, 0.0, &err) == WY_OK, "%s", err.text);
    ck_assert_msg(wy_ms_solve(m, wy_equilibrium_states(guess), wy_equilibrium_states(guess) + 3, &err) == WY_OK, "%s",
                  err.text);
    return m;
}

/* {pi, 0.5}: orders, the same rod as collocation in the limit, invariants below 1e-11 of the largest term. */
START_TEST(twist_shortening) {
    static const struct {
        int scheme;
        double order;
        size_t N;
    } cases[] = {{WY_MS_RATTLE, 2, 160}, {WY_MS_EULER, 1, 2560}, {WY_MS_EULER_REDUCED, 1, 2560}};
    const plain_rod beam = thesis_beam(PI, 0.5);
    wy_equilibrium_method method = collocation(6, 5120);
    wy_equilibrium *reference = solved(&beam, method, WY_BRANCH_MAIN, 1);
    const double *y = wy_equilibrium_states(reference);
    for (int k = 0; k < 3; k++) {
        double e[2];
        for (int j = 0; j < 2; j++) {
            const size_t N = cases[k].N << j, every = 5120 / N;
            wy_ms_solver *m = ms_solved(&beam, reference, cases[k].scheme, N);
            e[j] = 0.0;
            double kept[5] = {0};
            const wy_equilibrium_invariants v0 = wy_equilibrium_invariants_at(rod_of(&beam), 0, wy_ms_states(m));
            for (size_t i = 0; i <= N; i++) {
                const double *u = wy_ms_states(m) + i * WY_STATIC_DIM, *z = wy_ms_nodes(m) + i * WY_MS_DIM;
                for (int c = WY_STATIC_X; c < WY_STATIC_DIM; c++)
                    e[j] = fmax(e[j], fabs(u[c] - y[i * every * WY_STATIC_DIM + (size_t)c]));
                const wy_equilibrium_invariants v = wy_equilibrium_invariants_at(rod_of(&beam), 0, u);
                double qv = 0.0;
                for (int c = 0; c < 4; c++)
                    qv += z[WY_MS_Q + c] * z[WY_MS_V + c];
                const double now[5] = {v.qq - 1.0, qv / 1e8, (v.PP - v0.PP) / v0.PP, (v.PM - v0.PM) / v0.PP,
                                       (v.M3 - v0.M3) / 1e8};
                for (int c = 0; c < 5; c++)
                    kept[c] = fmax(kept[c], fabs(now[c]));
            }
            if (cases[k].scheme != WY_MS_EULER_REDUCED)
                ck_assert_msg(kept[0] < 1e-14 && kept[1] < 1e-13 && kept[2] < 1e-11 && kept[3] < 1e-11 &&
                                  kept[4] < 1e-11,
                              "%g %g %g %g %g", kept[0], kept[1], kept[2], kept[3], kept[4]);
            else
                ck_assert(kept[0] > 1e-6 || kept[1] > 1e-6); /* drifts */
            wy_ms_solver_free(m);
        }
        ck_assert_msg(fabs(log2(e[0] / e[1]) - cases[k].order) < 0.05, "%s: %.3f from %g, %g",
                      wy_ms_schemes[cases[k].scheme], log2(e[0] / e[1]), e[0], e[1]);
    }
    wy_equilibrium_free(reference);
}
END_TEST

/* A planar buckled rod has inflections, and where one falls on a node the moment there, and v, is zero. */
START_TEST(inflections) {
    static const size_t steps[] = {22, 28, 30, 50, 98, 102, 202};
    for (int k = 0; k < 4; k++) {
        const plain_rod beam = thesis_beam(0.0, (double[]){0.1, 0.3, 0.5, 0.8}[k]);
        wy_equilibrium *reference = solved(&beam, collocation(6, 100), WY_BRANCH_MAIN, 1);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            for (int scheme = WY_MS_RATTLE; scheme <= WY_MS_EULER; scheme++) {
                if (scheme == WY_MS_EULER && steps[i] < 40 && k == 3)
                    continue; /* of order 1: too coarse to come near */
                wy_ms_solver *m = ms_solved(&beam, reference, scheme, steps[i]);
                ck_assert_double_le(wy_ms_statistics(m)->residual, 1e-9);
                wy_ms_solver_free(m);
            }
        wy_equilibrium_free(reference);
    }
}
END_TEST

START_TEST(refusals) {
    wy_error err;
    wy_ms_solver *m;
    plain_rod beam = thesis_beam(0.3, 0.3);
    ck_assert_int_eq(wy_ms_solver_create(&m, rod_of(&beam), 9, 10, 0, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_ms_solver_create(&m, rod_of(&beam), 0, 0, 0, &err), WY_BAD_INPUT);
    beam.load.force[1] = 3.0;
    ck_assert_int_eq(wy_ms_solver_create(&m, rod_of(&beam), 0, 10, 0, &err), WY_UNSUPPORTED);
    beam = thesis_beam(0.3, 0.3);
    ck_assert_int_eq(wy_ms_solver_create(&m, rod_of(&beam), WY_MS_RATTLE, 3, 0, &err), WY_OK);
    const double far[3] = {1e12, -1e12, 1e12};
    ck_assert_int_ne(wy_ms_solve(m, far, far, &err), WY_OK); /* no guess at all: refused, not wrong */
    ck_assert_ptr_null(wy_ms_nodes(m));
    ck_assert_ptr_null(wy_ms_states(m));
    wy_ms_solver_free(m);
    double z[WY_MS_DIM];
    start(z);
    ck_assert_int_eq(wy_ms_step(&rod, WY_MS_RATTLE, NAN, z, NULL, 0, &err), WY_NOT_FINITE);
    ck_assert_int_eq(wy_ms_step(&rod, -1, 0.1, z, NULL, 0, &err), WY_BAD_INPUT);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, same_rod_as_the_equilibrium_equations);
    tcase_add_test(tc, tangents);
    tcase_add_test(tc, discrete_symplecticity_in_s);
    tcase_add_test(tc, what_is_kept);
    tcase_add_test(tc, symmetry);
    tcase_add_test(tc, poisson_form);
    tcase_add_test(tc, twist_shortening);
    tcase_add_test(tc, inflections);
    tcase_add_test(tc, refusals);
}

int main(void) {
    return run_suite("multi-symplectic", add);
}
