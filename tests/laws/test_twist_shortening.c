/* The twist-shortening problem of `002`: reference numbers, rates, both solvers, branches, invariants. */
#include "support/beam_tools.h"

#include <withy/elastica.h>

#define PI 3.14159265358979323846

START_TEST(planar_branch_is_the_closed_form) {
    static const double table[5][2] = {{47.905528448, 62.712307677},
                                       {54.100923568, 93.667981803},
                                       {62.411665881, 121.388033422},
                                       {74.181448423, 149.779769481},
                                       {92.159209953, 181.910499739}};
    for (int i = 0; i < 5; i++) {
        const double xi = 0.2 * (i + 1);
        wy_elastica e;
        ck_assert_int_eq(wy_elastica_planar(&e, 110.8e6, 2338.6e6, 6080.5e6, 10.0, 1, xi, NULL), WY_OK);
        ck_assert_double_eq_tol(e.F / 1e6, table[i][0], 1e-9);
        ck_assert_double_eq_tol(e.M0 / 1e6, table[i][1], 1e-9);
        const plain_rod beam = thesis_beam(0.0, xi);
        wy_equilibrium *s = solved(&beam, collocation(6, 200), WY_BRANCH_MAIN, 1);
        const double *y = wy_equilibrium_states(s);
        ck_assert_double_eq_tol(-y[2] / 1e6, table[i][0], 1e-9 * table[i][0]);
        ck_assert_double_eq_tol(y[4] / 1e6, table[i][1], 1e-9 * table[i][1]);
        for (size_t n = 0; n < wy_equilibrium_count(s); n += 25) { /* all along, not only at the end */
            double exact[WY_STATIC_DIM];
            wy_elastica_state(exact, &e, wy_equilibrium_s(s)[n]);
            for (int c = 0; c < WY_STATIC_DIM; c++) {
                const double scale = c < 3 ? e.F : c < 6 ? e.M0 : c < 10 ? 1.0 : 10.0;
                ck_assert_double_eq_tol(y[n * WY_STATIC_DIM + (size_t)c], exact[c], 2e-9 * scale);
            }
        }
        wy_equilibrium_free(s);
    }
    double F, xi;
    wy_elastica_buckling(&F, &xi, 110.8, 2338.6, 6080.5, 10.0, 1);
    ck_assert_double_eq_tol(F, 43.249858694, 1e-9);
    ck_assert_double_eq_tol(xi, 0.007112879, 1e-9);
    for (int waves = 2; waves <= 5; waves++) { /* planar mode 2 w - 1 is w waves */
        const plain_rod beam = thesis_beam(0.0, 0.31);
        wy_elastica e;
        ck_assert_int_eq(wy_elastica_planar(&e, 110.8e6, 2338.6e6, 6080.5e6, 10.0, waves, 0.31, NULL), WY_OK);
        wy_equilibrium *s = solved(&beam, collocation(6, 300), WY_BRANCH_PLANAR, 2 * waves - 1);
        ck_assert_double_eq_tol(-wy_equilibrium_states(s)[2], e.F, 1e-9 * e.F);
        wy_equilibrium_free(s);
        /* the modes between are antisymmetric: half a turn about the middle maps the rod to itself */
        s = solved(&beam, collocation(6, 300), WY_BRANCH_PLANAR, 2 * waves - 2);
        const double *y = wy_equilibrium_states(s), *z = tip(s);
        ck_assert_double_eq_tol(y[4], -z[4], 1e-9 * fabs(y[4]));
        ck_assert(fabs(y[0]) > 1e6);
        wy_equilibrium_free(s);
    }
}
END_TEST

/* {pi, 0.4} and {pi, 0.5}, computed by independent codes (MATH, section 3). */
static const struct {
    double phi, xi, P[3], M[3], J;
} points[] = {
    {PI,
     0.4,
     {13.80771949402519, -14.456295101841633, -38.63074003991437},
     {0, 86.82916520794275, 10.162978319687323},
     -3.794312621137837},
    {PI,
     0.5,
     {20.31194029031455, -18.67246449404088, -33.89570958241029},
     {0, 93.69314769518935, 3.1944808032076546},
     6.035152667066949},
    {PI / 4,
     0.2,
     {0.5286464613014579, -2.8279929988276353, -47.33346468095867},
     {0, 62.62795337428815, 4.701980261510372},
     -29.317984973045185},
};

START_TEST(reference_points) {
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const plain_rod beam = thesis_beam(points[i].phi, points[i].xi);
        wy_equilibrium *s = solved(&beam, collocation(6, 200), WY_BRANCH_MAIN, 1);
        const double *y = wy_equilibrium_states(s);
        for (int c = 0; c < 3; c++) {
            ck_assert_double_eq_tol(y[c] / 1e6, points[i].P[c], 1e-8 * fabs(points[i].P[c]));
            ck_assert_double_eq_tol(y[3 + c] / 1e6, points[i].M[c], 1e-8 * fabs(points[i].M[c]) + 1e-12);
        }
        ck_assert_double_eq_tol(wy_equilibrium_invariants_at(rod_of(&beam), 0, y).J / 1e6, points[i].J, 1e-7);
        const wy_equilibrium_stats *stats = wy_equilibrium_statistics(s);
        ck_assert_int_eq((int)stats->symmetries, 1);
        ck_assert(stats->residual < 1e-13 && stats->redundant_residual < 1e-13 && stats->condition > 1.0 &&
                  stats->condition < 1e5);
        wy_equilibrium_free(s);
    }
}
END_TEST

START_TEST(both_solvers_solve_the_same_equations) {
    const plain_rod beam = thesis_beam(2.3, 0.37);
    static const char *const methods[] = {"IM", "GL4", "GL6"};
    for (int k = 0; k < 3; k++) {
        wy_equilibrium *a = solved(&beam, collocation(2 * (k + 1), 90), WY_BRANCH_MAIN, 1),
                       *b = solved(&beam, shooting(methods[k], 90), WY_BRANCH_MAIN, 1);
        for (size_t i = 0; i < wy_equilibrium_count(a) * WY_STATIC_DIM; i++) {
            const size_t c = i % WY_STATIC_DIM;
            const double scale = c < 6 ? 1e8 : c < 10 ? 1.0 : 10.0;
            ck_assert_double_eq_tol(wy_equilibrium_states(a)[i], wy_equilibrium_states(b)[i], 1e-9 * scale);
        }
        wy_equilibrium_free(a);
        wy_equilibrium_free(b);
    }
}
END_TEST

/* With R homogeneous, methods that keep quadratic invariants satisfy the redundant end condition exactly; with the map
 * (1.7) as printed, and with the others, it is missed by the error of the method. */
START_TEST(the_redundant_condition) {
    const plain_rod beam = thesis_beam(PI, 0.4);
    static const char *const methods[] = {"IM", "GL4", "GL6", "RK4"};
    for (int k = 0; k < 4; k++)
        for (int literal = 0; literal < 2; literal++) {
            wy_equilibrium_method m = shooting(methods[k], 50);
            m.literal = literal;
            wy_equilibrium *s = solved(&beam, m, WY_BRANCH_MAIN, 1);
            const double residual = wy_equilibrium_statistics(s)->redundant_residual;
            if (k < 3 && !literal)
                ck_assert_msg(residual < 1e-14, "%s: %g", methods[k], residual);
            else
                ck_assert_msg(residual > 1e-13 && residual < 1e-3, "%s: %g", methods[k], residual);
            wy_equilibrium_free(s);
        }
}
END_TEST

/* Largest deviation of the centre line from the reference, which has a multiple of the nodes. */
static double deviation(const wy_equilibrium *s, const wy_equilibrium *reference) {
    const size_t n = wy_equilibrium_count(s) - 1, N = wy_equilibrium_count(reference) - 1, every = N / n;
    double worst = 0.0;
    for (size_t i = 0; i <= n; i++)
        for (int c = WY_STATIC_X; c < WY_STATIC_DIM; c++)
            worst = fmax(worst, fabs(wy_equilibrium_states(s)[i * WY_STATIC_DIM + (size_t)c] -
                                     wy_equilibrium_states(reference)[i * every * WY_STATIC_DIM + (size_t)c]));
    return worst;
}

START_TEST(rates) {
    static const struct {
        const char *method;
        int order;
        size_t N;
    } cases[] = {{"EM", 2, 320}, {"IM", 2, 160}, {"KM", 2, 160}, {"RK4", 4, 160}, {"GL4", 4, 80}, {"GL6", 6, 40}};
    const plain_rod beam = thesis_beam(PI, 0.5);
    wy_equilibrium *reference = solved(&beam, collocation(6, 1280), WY_BRANCH_MAIN, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int projected = 0; projected < 2; projected++) {
            double e[2];
            for (int j = 0; j < 2; j++) {
                wy_equilibrium_method m = shooting(cases[k].method, cases[k].N << j);
                m.project = projected;
                wy_equilibrium *s = solved(&beam, m, WY_BRANCH_MAIN, 1);
                e[j] = deviation(s, reference);
                for (size_t i = 0; i < wy_equilibrium_count(s) && projected; i++)
                    ck_assert_double_eq_tol(
                        wy_equilibrium_invariants_at(rod_of(&beam), 0, wy_equilibrium_states(s) + i * WY_STATIC_DIM).qq,
                        1.0, 1e-14);
                wy_equilibrium_free(s);
            }
            const double rate = log2(e[0] / e[1]);
            ck_assert_msg(fabs(rate - cases[k].order) < 0.05, "%s%s: rate %.3f (errors %.3g, %.3g)",
                          projected ? "projected " : "", cases[k].method, rate, e[0], e[1]);
        }
    wy_equilibrium_free(reference);
}
END_TEST

/* Largest change of an invariant along the rod. */
static wy_equilibrium_invariants drift(const plain_rod *beam, const wy_equilibrium *s, double *with_qq) {
    const wy_equilibrium_invariants v0 = wy_equilibrium_invariants_at(rod_of(beam), 0, wy_equilibrium_states(s));
    wy_equilibrium_invariants d = {0};
    *with_qq = 0.0;
    for (size_t i = 0; i < wy_equilibrium_count(s); i++) {
        const wy_equilibrium_invariants v =
            wy_equilibrium_invariants_at(rod_of(beam), 0, wy_equilibrium_states(s) + i * WY_STATIC_DIM);
        d.PP = fmax(d.PP, fabs(v.PP - v0.PP));
        d.PM = fmax(d.PM, fabs(v.PM - v0.PM));
        d.J = fmax(d.J, fabs(v.J - v0.J));
        d.M3 = fmax(d.M3, fabs(v.M3 - v0.M3));
        d.qq = fmax(d.qq, fabs(v.qq - v0.qq));
        *with_qq = fmax(*with_qq, fabs(v.J / 1e6 + v.qq - v0.J / 1e6 - v0.qq));
        for (int c = 0; c < 3; c++) {
            d.force[c] = fmax(d.force[c], fabs(v.force[c] - v0.force[c]));
            d.moment[c] = fmax(d.moment[c], fabs(v.moment[c] - v0.moment[c]));
        }
    }
    return d;
}

/* The grid of 4.12-4.17 against an independent code's numbers, and (column thesis_J) against the printed digits. */
START_TEST(grid_of_invariant_errors) {
    FILE *f = fopen(TEST_DATA "/beam/grid_errors_rk4_em.csv", "r");
    ck_assert_ptr_nonnull(f);
    char line[400];
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    int cells = 0, printed = 0;
    while (fgets(line, sizeof line, f)) {
        char method[8];
        int quarter;
        double xi, PP, PM, J, Jq, qq, thesis;
        ck_assert_int_eq(sscanf(line, "main,%7[^,],%d/4 pi,%lf,%*[^,],%*[^,],%*[^,],%lf,%lf,%lf,%lf,%lf,%lf", method,
                                &quarter, &xi, &PP, &PM, &J, &Jq, &qq, &thesis),
                         9);
        const plain_rod beam = thesis_beam(quarter * PI / 4, xi);
        wy_equilibrium_method m = shooting(method, 200);
        m.literal = true;
        wy_equilibrium *s = solved(&beam, m, WY_BRANCH_MAIN, 1);
        double both;
        const wy_equilibrium_invariants d = drift(&beam, s, &both);
        if (xi > 0.0) {
            /* where there is no exact root, the two codes weigh the end conditions differently in their least squares:
             * the results differ by the floor, 3e-5 for EM */
            ck_assert_msg(fabs(d.PP / 1e12 - PP) < (method[0] == 'R' ? 2e-5 : 2e-4) * PP, "%s %.6g", line, d.PP / 1e12);
            ck_assert_msg(fabs(d.PM / 1e12 - PM) < 1e-3 * PM + 1e-12, "%s %g", line, d.PM);
            ck_assert_msg(fabs(d.J / 1e6 - J) < 2e-4 * J, "%s %g", line, d.J);
            const double mine = method[0] == 'R' ? d.J / 1e6 : both;
            printed += fabs(mine - thesis) <= 6e-4 * thesis; /* four printed digits */
        }
        cells++;
        wy_equilibrium_free(s);
    }
    fclose(f);
    ck_assert_int_eq(cells, 50);
    ck_assert_int_eq(printed, 38); /* 20 cells with xi > 0 each, but for {0, 0.8}, which is the two-loop branch */
    const plain_rod beam = thesis_beam(0.0, 0.8);
    double both;
    wy_equilibrium_method m = shooting("RK4", 200);
    m.literal = true;
    wy_equilibrium *s = solved(&beam, m, WY_BRANCH_TWO_LOOP, 1);
    ck_assert_double_eq_tol(drift(&beam, s, &both).J / 1e6, 7.4e-6, 5e-10);
    wy_equilibrium_free(s);
    m.integrator = wy_integrator_find("EM");
    s = solved(&beam, m, WY_BRANCH_TWO_LOOP, 1);
    drift(&beam, s, &both);
    ck_assert_double_eq_tol(both, 0.01836, 5e-6);
    wy_equilibrium_free(s);
}
END_TEST

START_TEST(conserving_methods_conserve) {
    static const double cells[][2] = {{PI, 0.4}, {0.0, 0.8}, {1.1, 0.63}};
    for (size_t c = 0; c < 3; c++)
        for (int k = 0; k < 4; k++) {
            const plain_rod beam = thesis_beam(cells[c][0], cells[c][1]);
            const wy_equilibrium_method m = k == 0   ? shooting("IM", 200)
                                            : k == 1 ? shooting("GL4", 200)
                                            : k == 2 ? shooting("GL6", 100)
                                                     : collocation(4, 200);
            wy_equilibrium *s = solved(&beam, m, WY_BRANCH_MAIN, 1);
            double both;
            const wy_equilibrium_invariants v = wy_equilibrium_invariants_at(rod_of(&beam), 0,
                                                                             wy_equilibrium_states(s)),
                                            d = drift(&beam, s, &both);
            const double *y = wy_equilibrium_states(s), M = hypot(y[4], y[5]), P = sqrt(v.PP);
            ck_assert_msg(d.PP < 1e-11 * v.PP && d.PM < 1e-11 * P * M && d.J < 1e-11 * P && d.M3 < 1e-11 * M &&
                              d.qq < 1e-11,
                          "method %d: %g %g %g %g %g", k, d.PP / v.PP, d.PM / (P * M), d.J / P, d.M3 / M, d.qq);
            wy_equilibrium_free(s);
        }
}
END_TEST

/* The spatial force and moment are cubic in the state: kept to the order of the method. */
START_TEST(spatial_wrench_to_the_order) {
    const plain_rod beam = thesis_beam(PI, 0.4);
    double e[2];
    for (int j = 0; j < 2; j++) {
        wy_equilibrium *s = solved(&beam, collocation(4, (size_t)100 << j), WY_BRANCH_MAIN, 1);
        double both;
        const wy_equilibrium_invariants d = drift(&beam, s, &both);
        e[j] = fmax(fmax(d.force[0], d.force[1]), fmax(d.moment[0], d.moment[1]));
        wy_equilibrium_free(s);
    }
    ck_assert_double_eq_tol(log2(e[0] / e[1]), 4.0, 0.1);
}
END_TEST

/* Moving and turning both ends as one moves and turns the rod, and does nothing to forces and moments. */
START_TEST(objectivity) {
    const plain_rod home = thesis_beam(1.9, 0.43);
    plain_rod away = home;
    double q[4] = {0.31, -0.74, 0.22, 0.55};
    wy_quat_normalize(q, q);
    const double shift[3] = {-3.7, 11.2, 0.9};
    memcpy(away.left.orientation, q, sizeof q);
    for (int i = 0; i < 4; i++) /* a negative, overlong quaternion is the same rotation */
        away.right.orientation[i] = -3.0 * q[i];
    wy_quat_rotate(away.right.position, q, home.right.position);
    for (int i = 0; i < 3; i++) {
        away.left.position[i] = shift[i];
        away.right.position[i] += shift[i];
    }
    wy_equilibrium *a = solved(&home, collocation(6, 64), WY_BRANCH_MAIN, 1),
                   *b = solved(&away, collocation(6, 64), WY_BRANCH_MAIN, 1);
    for (size_t i = 0; i < wy_equilibrium_count(a); i++) {
        const double *u = wy_equilibrium_states(a) + i * WY_STATIC_DIM,
                     *v = wy_equilibrium_states(b) + i * WY_STATIC_DIM;
        double x[3], r[4];
        wy_quat_rotate(x, q, u + WY_STATIC_X);
        wy_quat_product(r, q, u + WY_STATIC_Q);
        wy_quat_align(r, r, v + WY_STATIC_Q);
        for (int c = 0; c < 3; c++) {
            ck_assert_msg(fabs(u[c] - v[c]) < 1e-12 * 4e7, "%zu %d %g", i, c, fabs(u[c] - v[c]) / 4e7);
            ck_assert_double_eq_tol(u[3 + c], v[3 + c], 1e-12 * 9e7);
            ck_assert_double_eq_tol(x[c] + shift[c], v[WY_STATIC_X + c], 1e-12 * 10);
        }
        for (int c = 0; c < 4; c++)
            ck_assert_double_eq_tol(r[c], v[WY_STATIC_Q + c], 1e-12);
    }
    wy_equilibrium_free(a);
    wy_equilibrium_free(b);
}
END_TEST

START_TEST(branches_and_self_contact) {
    const plain_rod beam = thesis_beam(0.0, 0.8);
    wy_equilibrium *s = solved(&beam, collocation(6, 200), WY_BRANCH_TWO_LOOP, 1);
    const double *y = wy_equilibrium_states(s);
    ck_assert_double_eq_tol(y[2] / 1e6, 66.640693, 1e-6); /* in tension */
    ck_assert_double_eq_tol(y[4] / 1e6, 92.988680, 1e-6);
    ck_assert_double_eq_tol(hypot(y[0], y[1]) / 1e6, 0.0, 1e-6);
    wy_equilibrium_contact c = wy_equilibrium_self_distance(s);
    ck_assert(c.found && c.through && c.distance < 1e-6 && c.s[1] - c.s[0] > 1.0);
    wy_equilibrium_free(s);
    s = solved(&beam, collocation(6, 200), WY_BRANCH_SPATIAL, 1);
    y = wy_equilibrium_states(s);
    ck_assert(fabs(y[1]) > 1e7 && fabs(y[5]) > 1e7); /* out of the plane, twisted though phi = 0 */
    const double J = wy_equilibrium_invariants_at(rod_of(&beam), 0, y).J;
    wy_equilibrium_free(s);
    s = solved(&beam, collocation(6, 200), WY_BRANCH_PLANAR, 1);
    ck_assert(fabs(wy_equilibrium_states(s)[1]) < 1.0);
    ck_assert(fabs(wy_equilibrium_invariants_at(rod_of(&beam), 0, wy_equilibrium_states(s)).J - J) > 1e5);
    ck_assert(!wy_equilibrium_self_distance(s).through); /* 0.419 m apart: more than the diameter */
    wy_equilibrium_free(s);
    /* below the out-of-plane bifurcation at 0.583492 the spatial branch has closed on the planar one */
    const plain_rod below = thesis_beam(0.0, 0.55);
    s = solved(&below, collocation(6, 200), WY_BRANCH_SPATIAL, 1);
    ck_assert(fabs(wy_equilibrium_states(s)[5]) < 10.0);
    ck_assert(!wy_equilibrium_self_distance(s).through);
    wy_equilibrium_free(s);
    /* more than a whole turn: the double cover is followed, not folded */
    const plain_rod turned = thesis_beam(2 * PI + 0.7, 0.3), little = thesis_beam(0.7, 0.3);
    s = solved(&turned, collocation(6, 100), WY_BRANCH_MAIN, 1);
    wy_equilibrium *t = solved(&little, collocation(6, 100), WY_BRANCH_MAIN, 1);
    ck_assert(fabs(wy_equilibrium_states(s)[5] - wy_equilibrium_states(t)[5]) > 1e6);
    wy_equilibrium_free(s);
    wy_equilibrium_free(t);
}
END_TEST

/* Going there step by step, or straight; the result must not depend on the way along one branch. */
START_TEST(continuation_is_independent_of_the_steps) {
    plain_rod beam = thesis_beam(0.0, 0.1);
    wy_equilibrium *s = solved(&beam, collocation(6, 80), WY_BRANCH_MAIN, 1);
    wy_error err;
    for (int i = 1; i <= 7; i++) {
        plain_twist_shortening(&beam, 0.3 * i, 0.1 + 0.04 * i);
        ck_assert_msg(wy_equilibrium_continue(s, rod_of(&beam), &err) == WY_OK, "%s", err.text);
    }
    wy_equilibrium *t = solved(&beam, collocation(6, 80), WY_BRANCH_MAIN, 1);
    for (int c = 0; c < 6; c++)
        ck_assert_double_eq_tol(wy_equilibrium_states(s)[c], wy_equilibrium_states(t)[c], 1e-9 * 1e8);
    wy_equilibrium_free(s);
    wy_equilibrium_free(t);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, planar_branch_is_the_closed_form);
    tcase_add_test(tc, reference_points);
    tcase_add_test(tc, both_solvers_solve_the_same_equations);
    tcase_add_test(tc, the_redundant_condition);
    tcase_add_test(tc, rates);
    tcase_add_test(tc, grid_of_invariant_errors);
    tcase_add_test(tc, conserving_methods_conserve);
    tcase_add_test(tc, spatial_wrench_to_the_order);
    tcase_add_test(tc, objectivity);
    tcase_add_test(tc, branches_and_self_contact);
    tcase_add_test(tc, continuation_is_independent_of_the_steps);
}

int main(void) {
    return run_suite("twist-shortening", add);
}
