/* What the tests of the static rod share: the thesis' rod and a solve that must succeed. */
#ifndef WY_REST_TOOLS_H
#define WY_REST_TOOLS_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/equilibrium.h>
#include <withy/rotation.h>

#include "support/plain_rod.h"

/* Table 4.2 of `002`, in N, m. */
static const plain_station thesis_station = {
    .section = {110.8e6, 110.8e6, 85.2e6, 2338.6e6, 2338.6e6, 6080.5e6, 0, 0, 0, 0, 0.4}, .stretch = {0, 0, 1}};

static inline void plain_twist_shortening(plain_rod *beam, double phi, double xi) {
    beam->left = (plain_end){.orientation = {1.0, 0.0, 0.0, 0.0}};
    beam->right = beam->left;
    beam->right.position[2] = (1.0 - xi) * beam->length;
    beam->right.twist = phi;
}

static inline plain_rod thesis_beam(double phi, double xi) {
    plain_rod beam = {.length = 10.0, .station_count = 1, .stations = &thesis_station};
    plain_twist_shortening(&beam, phi, xi);
    return beam;
}

static inline wy_equilibrium_method collocation(int order, size_t elements) {
    wy_equilibrium_method m;
    wy_equilibrium_method_init(&m);
    m.order = order;
    m.elements = elements;
    m.keep_unstable = true; /* on the path of the branch, stable or not */
    return m;
}

static inline wy_equilibrium_method shooting(const char *integrator, size_t steps) {
    wy_equilibrium_method m;
    wy_equilibrium_method_init(&m);
    m.solver = WY_SHOOTING;
    m.integrator = wy_integrator_find(integrator);
    m.elements = steps;
    return m;
}

static inline wy_equilibrium *solved(const plain_rod *beam, wy_equilibrium_method method, int branch, int mode) {
    wy_equilibrium *solver;
    wy_error err = {0};
    ck_assert_msg(wy_equilibrium_create(&solver, rod_of(beam), &method, &err) == WY_OK, "%s", err.text);
    ck_assert_msg(wy_equilibrium_solve(solver, branch, mode, &err) == WY_OK, "%s", err.text);
    return solver;
}

/* A uniform rod clamped at the origin along e3 and free at the other end. */
static inline plain_rod cantilever(const plain_station *station, double length) {
    plain_rod beam = {.length = length, .station_count = 1, .stations = station};
    beam.left.orientation[0] = beam.right.orientation[0] = 1.0;
    beam.right.translation = beam.right.rotation = DEAD;
    return beam;
}

static inline const double *tip(const wy_equilibrium *solver) {
    return wy_equilibrium_states(solver) + (wy_equilibrium_count(solver) - 1) * WY_STATIC_DIM;
}

static inline int run_suite(const char *name, void (*add)(TCase *)) {
    Suite *suite = suite_create(name);
    TCase *tc = tcase_create(name);
    tcase_set_timeout(tc, getenv("WITHY_LONG") ? 0 : 600);
    add(tc);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
