/* A rod at rest by both codes: its end by statics, its tip by the start of a motion. */
#ifndef WY_TEST_REST_AND_MOTION_H
#define WY_TEST_REST_AND_MOTION_H

#include <withy/equilibrium.h>

#include "support/rods.h"

static inline wy_motion_gauss_director method(int degree, int stages) {
    return (wy_motion_gauss_director){.newton = {.tolerance = 1e-16, .max_iterations = 60, .halvings = 10},
                                      .degree = degree,
                                      .stages = stages,
                                      .stabiliser = 10.0};
}

/* Solves the static problem and answers the last state (WY_STATIC_DIM numbers). */
static inline void rest(double *last, const wy_motion_definition *d) {
    wy_equilibrium_method how;
    wy_equilibrium_method_init(&how);
    how.elements = 40;
    wy_equilibrium *solver;
    wy_error err;
    ck_assert_msg(!wy_equilibrium_create(&solver, &d->rod, &how, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    memcpy(last, wy_equilibrium_states(solver) + WY_STATIC_DIM * (wy_equilibrium_count(solver) - 1),
           WY_STATIC_DIM * sizeof *last);
    wy_equilibrium_free(solver);
}

static inline void moving_rest(double tip[3], const wy_motion_definition *d) {
    wy_motion_definition at = *d;
    const wy_motion_gauss_director c = method(4, 2);
    at.method = choose(&wy_motion_methods, "gauss-director", &c);
    at.rod.elements = 12;
    at.start.equilibrium = true;
    bench b = bench_open(&at);
    bench_tip(tip, &b);
    bench_close(&b);
}

#define NEAR(a, b, tol, what)                                                                                      \
    for (int k_ = 0; k_ < 3; k_++)                                                                                 \
    ck_assert_msg(fabs((a)[k_] - (b)[k_]) < (tol), "%s: component %d is %.12g, expected %.12g", what, k_, (a)[k_], \
                  (b)[k_])

#endif
