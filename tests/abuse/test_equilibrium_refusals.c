/* Bad requests get a clear answer and no false solution. */
#include "support/beam_tools.h"

#define PI 3.14159265358979323846

static void refused(const plain_rod *beam, wy_status wanted, const char *word) {
    wy_equilibrium *solver = NULL;
    wy_error err = {0};
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    wy_status s = wy_equilibrium_create(&solver, rod_of(beam), &method, &err);
    if (!s) {
        s = wy_equilibrium_solve(solver, WY_BRANCH_MAIN, 1, &err);
        ck_assert_ptr_null(wy_equilibrium_states(solver)); /* no false solution */
        ck_assert_uint_eq(wy_equilibrium_count(solver), 0);
    }
    ck_assert_msg(s == wanted && strstr(err.text, word), "status %d: %s", s, err.text);
    wy_equilibrium_free(solver);
}

START_TEST(nonsense) {
    plain_station st = thesis_station;
    plain_rod beam = thesis_beam(0.3, 0.3);
    beam.stations = &st;
    plain_rod bad = beam;
    bad.length = 0.0;
    refused(&bad, WY_BAD_INPUT, "length");
    bad = beam;
    bad.length = NAN;
    refused(&bad, WY_BAD_INPUT, "length");
    st.section.GA1 = 0.0; /* zero stiffness */
    refused(&beam, WY_BAD_INPUT, "GA1");
    st = thesis_station;
    st.stretch[2] = 0.0;
    refused(&beam, WY_BAD_INPUT, "stretch");
    st = thesis_station;
    st.curvature[1] = INFINITY;
    refused(&beam, WY_BAD_INPUT, "strain is inf");
    st = thesis_station;
    bad = beam;
    bad.station_count = 0;
    refused(&bad, WY_BAD_INPUT, "no section");
    bad = beam;
    bad.right.orientation[0] = 0.0;
    refused(&bad, WY_BAD_INPUT, "zero quaternion");
    bad = beam;
    bad.right.position[1] = NAN;
    refused(&bad, WY_NOT_FINITE, "end at s = 10 m: its position");
    bad = beam;
    bad.load.couple[2] = NAN;
    refused(&bad, WY_BAD_INPUT, "distributed load");
    plain_station two[2] = {thesis_station, thesis_station};
    two[1].s = 9.0;
    bad = beam;
    bad.stations = two;
    bad.station_count = 2;
    refused(&bad, WY_BAD_INPUT, "stations");
    two[0].s = 11.0;
    refused(&bad, WY_BAD_INPUT, "comes before");
}
END_TEST

START_TEST(impossible_ends) {
    plain_rod beam = thesis_beam(0.0, 1.2);
    refused(&beam, WY_BAD_INPUT, "shortening of 1.2");
    /* rigid-body modes */
    beam = thesis_beam(0.0, 0.0);
    beam.left.rotation = beam.right.rotation = beam.right.translation = DEAD; /* pinned-free */
    refused(&beam, WY_BAD_INPUT, "rigid body in 3 ways");
    beam.left.translation = DEAD; /* free-free */
    refused(&beam, WY_BAD_INPUT, "rigid body in 6 ways");
    beam.left.translation = HELD;
    plain_station heavy = thesis_station;
    heavy.section.rhoA = 100.0;
    beam.stations = &heavy;
    beam.load.gravity[2] = -9.81; /* a pendulum may still swing about the vertical */
    refused(&beam, WY_BAD_INPUT, "rigid body in 1 way");
}
END_TEST

/* No iterations to spend; a twist that this branch cannot bear. */
START_TEST(targets_out_of_reach) {
    plain_rod beam = thesis_beam(0.0, 0.4);
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.max_iterations = 1; /* Newton is not given a chance */
    wy_equilibrium *solver;
    wy_error err = {0};
    ck_assert_int_eq(wy_equilibrium_create(&solver, rod_of(&beam), &method, &err), WY_OK);
    ck_assert_int_eq(wy_equilibrium_solve(solver, WY_BRANCH_MAIN, 1, &err), WY_NO_CONVERGENCE);
    ck_assert_ptr_nonnull(strstr(err.text, "iterations"));
    ck_assert_ptr_null(wy_equilibrium_states(solver));
    wy_equilibrium_free(solver);
    /* at xi = 0.3 the main branch turns back at a twist of 25.0467 rad */
    wy_equilibrium_method_init(&method);
    method.start = WY_START_PATH;
    beam = thesis_beam(30.0, 0.3);
    ck_assert_int_eq(wy_equilibrium_create(&solver, rod_of(&beam), &method, &err), WY_OK);
    ck_assert_int_eq(wy_equilibrium_solve(solver, WY_BRANCH_MAIN, 1, &err), WY_NO_CONVERGENCE);
    ck_assert_msg(strstr(err.text, "the twist") && strstr(err.text, "last good 25.04") &&
                      strstr(err.text, "residual") && strstr(err.text, "iterations") &&
                      strstr(err.text, "try another branch"),
                  "%s", err.text);
    ck_assert_ptr_null(wy_equilibrium_states(solver));
    wy_equilibrium_free(solver);
}
END_TEST

START_TEST(branches_that_are_not_there) {
    wy_error err = {0};
    wy_equilibrium *solver;
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    plain_rod beam = thesis_beam(0.0, 0.005); /* less than buckling */
    ck_assert_int_eq(wy_equilibrium_create(&solver, rod_of(&beam), &method, &err), WY_OK);
    ck_assert_int_eq(wy_equilibrium_solve(solver, WY_BRANCH_PLANAR, 1, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "0.00711287866"));
    ck_assert_int_eq(wy_equilibrium_solve(solver, WY_BRANCH_PLANAR, 0, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_equilibrium_solve(solver, 17, 1, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_equilibrium_continue(solver, rod_of(&beam), &err), WY_BAD_INPUT); /* nothing to continue */
    ck_assert_int_eq(wy_equilibrium_shoot(solver, (double[3]){0}, (double[3]){0}, &err), WY_UNSUPPORTED);
    ck_assert(!wy_equilibrium_self_distance(solver).found);
    ck_assert_int_eq(wy_equilibrium_solve(solver, WY_BRANCH_MAIN, 1, &err), WY_OK); /* straight, compressed */
    ck_assert_double_eq_tol(wy_equilibrium_states(solver)[2], -0.005 * 6080.5e6, 1.0);
    plain_rod other = beam;
    other.right.rotation = DEAD;
    ck_assert_int_eq(wy_equilibrium_continue(solver, rod_of(&other), &err), WY_BAD_INPUT);
    wy_equilibrium_free(solver);
    const plain_rod hanging = cantilever(&thesis_station, 10.0);
    ck_assert_int_eq(wy_equilibrium_create(&solver, rod_of(&hanging), &method, &err), WY_OK);
    ck_assert_int_eq(wy_equilibrium_solve(solver, WY_BRANCH_SPATIAL, 1, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "spatial"));
    wy_equilibrium_free(solver);
}
END_TEST

START_TEST(methods_that_are_not_there) {
    wy_error err = {0};
    wy_equilibrium *solver;
    const plain_rod beam = thesis_beam(0.0, 0.3);
    wy_equilibrium_method m = collocation(5, 20);
    ck_assert_int_eq(wy_equilibrium_create(&solver, rod_of(&beam), &m, &err), WY_BAD_INPUT);
    m = collocation(4, 0); /* as many as the definition says */
    wy_rod_definition none = *rod_of(&beam);
    none.elements = 0;
    ck_assert_int_eq(wy_equilibrium_create(&solver, &none, &m, &err), WY_BAD_INPUT);
    m = shooting("no such", 20);
    ck_assert_int_eq(wy_equilibrium_create(&solver, rod_of(&beam), &m, &err), WY_BAD_INPUT);
    m = collocation(4, 20);
    m.tolerance = NAN;
    ck_assert_int_eq(wy_equilibrium_create(&solver, rod_of(&beam), &m, &err), WY_BAD_INPUT);
    ck_assert_ptr_null(solver);
    wy_equilibrium_free(NULL);
    /* a failed continuation leaves the solution of before */
    m = collocation(6, 40);
    wy_equilibrium *s = solved(&beam, m, WY_BRANCH_MAIN, 1);
    const double before = wy_equilibrium_states(s)[4];
    plain_rod far = thesis_beam(0.0, 0.3);
    far.right.position[0] = 200.0; /* twenty times its length away: a rod with EA = 6 GN would need 1.2e11 N; fine */
    far.right.position[2] = NAN;
    ck_assert_int_eq(wy_equilibrium_continue(s, rod_of(&far), &err), WY_NOT_FINITE);
    ck_assert_double_eq(wy_equilibrium_states(s)[4], before);
    wy_equilibrium_free(s);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, nonsense);
    tcase_add_test(tc, impossible_ends);
    tcase_add_test(tc, targets_out_of_reach);
    tcase_add_test(tc, branches_that_are_not_there);
    tcase_add_test(tc, methods_that_are_not_there);
}

int main(void) {
    return run_suite("beam refusals", add);
}
