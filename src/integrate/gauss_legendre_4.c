/* Gauss-Legendre collocation with two stages, table 3.3 of `002`. */
#include "integrate/runge_kutta.h"

#define R3 1.7320508075688772935 /* sqrt 3 */

static const double gauss_legendre_4_a[] = {
    0.25,
    0.25 - R3 / 6.0, /* */
    0.25 + R3 / 6.0,
    0.25,
};
static const double gauss_legendre_4_b[] = {0.5, 0.5};

static const wy_tableau gauss_legendre_4_tableau = {.stages = 2, .a = gauss_legendre_4_a, .b = gauss_legendre_4_b};

const wy_integrator wy_integrator_gauss_legendre_4 = {
    .entry = {.name = "gauss-legendre-4",
              .alias = "GL4",
              .doc = "Fourth order, symmetric; keeps every quadratic invariant.",
              .params = wy_implicit_params,
              .config_size = sizeof(wy_implicit)},
    .order = 4,
    .traits = WY_KEEPS_LINEAR | WY_KEEPS_QUADRATIC | WY_SYMMETRIC | WY_IMPLICIT,
    .work_size = wy_implicit_rk_work,
    .step = wy_implicit_rk_step,
    .tangent_work_size = wy_implicit_rk_tangent_work,
    .tangent = wy_implicit_rk_tangent,
    .data = &gauss_legendre_4_tableau,
};
