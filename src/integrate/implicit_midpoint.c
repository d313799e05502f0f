/* Implicit midpoint, (3.3) and table 3.5 of `002`:  z_{n+1} = z_n + h f((z_n + z_{n+1})/2). */
#include "integrate/runge_kutta.h"

static const double implicit_midpoint_a[] = {0.5};
static const double implicit_midpoint_b[] = {1.0};

static const wy_tableau implicit_midpoint_tableau = {
    .stages = 1,
    .a = implicit_midpoint_a,
    .b = implicit_midpoint_b,
};

const wy_integrator wy_integrator_implicit_midpoint = {
    .entry = {.name = "implicit-midpoint",
              .alias = "IM",
              .doc = "Second order, symmetric; keeps every quadratic invariant.",
              .params = wy_implicit_params,
              .config_size = sizeof(wy_implicit)},
    .order = 2,
    .traits = WY_KEEPS_LINEAR | WY_KEEPS_QUADRATIC | WY_SYMMETRIC | WY_IMPLICIT,
    .work_size = wy_implicit_rk_work,
    .step = wy_implicit_rk_step,
    .tangent_work_size = wy_implicit_rk_tangent_work,
    .tangent = wy_implicit_rk_tangent,
    .data = &implicit_midpoint_tableau,
};
