/* Explicit midpoint, (3.4) and table 3.4 of `002`:  z_{n+1} = z_n + h f(z_n + h/2 f(z_n)). */
#include "integrate/runge_kutta.h"

static const double explicit_midpoint_a[] = {0.0, 0.0, 0.5, 0.0};
static const double explicit_midpoint_b[] = {0.0, 1.0};

static const wy_tableau explicit_midpoint_tableau = {.stages = 2, .a = explicit_midpoint_a, .b = explicit_midpoint_b};

const wy_integrator wy_integrator_explicit_midpoint = {
    .entry = {.name = "explicit-midpoint",
              .alias = "EM",
              .doc = "Second order, explicit; keeps linear invariants only."},
    .order = 2,
    .traits = WY_KEEPS_LINEAR,
    .work_size = wy_explicit_rk_work,
    .step = wy_explicit_rk_step,
    .tangent_work_size = wy_explicit_rk_tangent_work,
    .tangent = wy_explicit_rk_tangent,
    .data = &explicit_midpoint_tableau,
};
