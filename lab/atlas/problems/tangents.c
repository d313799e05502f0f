/* The free rigid body by every integrator that offers the derivative of its steps: the change after one second for a
 * change of momentum and orientation at the start, propagated by these derivatives, against fourth-order differences
 * of whole runs. Shooting and FMUs use these derivatives. */
#include "atlas/atlas.h"

#include <string.h>

#include <withy/body.h>
#include <withy/integrator.h>

#include "math/elementary.h"

static const char tangents_scenario[] = "# The free rigid body of the thesis for a second.\n"
                                        "kind: rigid-body\n"
                                        "title: derivatives of a body's steps\n"
                                        "inertia: [2, 1, 2/3]\n"
                                        "momentum: [cos(1.1), 0.2, sin(1.1)]\n"
                                        "orientation: [cos(pi/8), sin(pi/8), 0, 0]\n"
                                        "method: kahan\n"
                                        "duration: 1\n"
                                        "step: 0.05\n";

static const wy_atlas_case tangents_cases[] = {{"Kahan", ""},
                                               {"implicit midpoint", "method=implicit-midpoint"},
                                               {"explicit midpoint", "method=explicit-midpoint"},
                                               {"spherical midpoint", "method=spherical-midpoint"},
                                               {"RK4", "method=rk4"},
                                               {"Gauss 4", "method=gauss-legendre-4"},
                                               {"Gauss 6", "method=gauss-legendre-6"},
                                               {0}};
static const char *const methods[] = {"kahan", "implicit-midpoint", "explicit-midpoint", "spherical-midpoint",
                                      "rk4",   "gauss-legendre-4",  "gauss-legendre-6"};

enum { DIM = 7 };
static const double tangents_direction[DIM] = {0.3, -0.5, 0.7, -0.2, 0.1, 0.4, 0.6};

/* From the start shifted by `shift` along tangents_direction; propagates the derivative if asked. */
static wy_status run(double y[DIM], double *derivative, wy_stepper *stepper, int count, double shift, wy_error *err) {
    const double start[DIM] = {wy_cos(1.1), 0.2, wy_sin(1.1), wy_cos(WY_PI / 8.0), wy_sin(WY_PI / 8.0), 0.0, 0.0};
    wy_status s = WY_OK;
    for (int i = 0; i < DIM; i++)
        y[i] = start[i] + shift * tangents_direction[i];
    if (derivative)
        memcpy(derivative, tangents_direction, sizeof tangents_direction);
    for (int n = 0; n < count && !s; n++)
        s = derivative ? wy_stepper_tangent(stepper, 1.0 / count, y, derivative, 1, err)
                       : wy_stepper_step(stepper, 1.0 / count, y, err);
    return s;
}

static wy_status tangents_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double shift[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0}, size = 1e-3;
    static const char *const names[3] = {"momentum 1", "momentum 2", "quaternion 3"};
    static const int shown[3] = {0, 1, 6};
    const wy_body body = {.inertia = {2.0, 1.0, 2.0 / 3.0}};
    const wy_system system = wy_body_quaternion_system(&body);
    const int count = 5 << case_run->level;
    double y[DIM], d[DIM], right[DIM] = {0.0};
    wy_stepper *stepper = NULL;
    wy_status s = wy_stepper_create(&stepper, wy_integrator_find(methods[case_run->number]), NULL, &system, err);
    if (!s)
        s = wy_stepper_reserve_tangent(stepper, 1, err);
    if (!s)
        s = run(y, d, stepper, count, 0.0, err);
    for (int k = 0; k < 4 && !s; k++) {
        s = run(y, NULL, stepper, count, shift[k] * size, err);
        for (int i = 0; i < DIM; i++)
            right[i] += weight[k] * y[i] / (12.0 * size);
    }
    wy_stepper_free(stepper);
    for (int i = 0; i < 3 && !s; i++)
        wy_check_value(case_run, names[i], d[shown[i]], right[shown[i]], 1.0,
                       "of a change at the start, after 1 s in %d steps", count);
    return s;
}

const wy_problem wy_problem_tangents = {
    .entry = {.name = "tangents",
              .doc = "Derivatives of the integrators' steps: a change at the start, a second later."},
    .group = "shafts and bodies",
    .source = "differences between whole runs",
    .scenario = tangents_scenario,
    .levels = {"step=0.2", "step=0.1", "step=0.05"},
    .order = 6.0,
    .cases = tangents_cases,
    .evaluate = tangents_evaluate,
};
