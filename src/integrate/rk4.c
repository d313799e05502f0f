/* The classical Runge-Kutta method, table 3.2 of `002`. */
#include "integrate/runge_kutta.h"

static const double rk4_a[] = {
    0.0, 0.0, 0.0, 0.0, /* */
    0.5, 0.0, 0.0, 0.0, /* */
    0.0, 0.5, 0.0, 0.0, /* */
    0.0, 0.0, 1.0, 0.0,
};
static const double rk4_b[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

static const wy_tableau rk4_tableau = {.stages = 4, .a = rk4_a, .b = rk4_b};

const wy_integrator wy_integrator_rk4 = {
    .entry = {.name = "rk4", .alias = "RK4", .doc = "Fourth order, explicit; keeps linear invariants only."},
    .order = 4,
    .traits = WY_KEEPS_LINEAR,
    .work_size = wy_explicit_rk_work,
    .step = wy_explicit_rk_step,
    .tangent_work_size = wy_explicit_rk_tangent_work,
    .tangent = wy_explicit_rk_tangent,
    .data = &rk4_tableau,
};
