/* Gauss-Legendre collocation with three stages: withy's addition to the methods of the thesis. */
#include "integrate/runge_kutta.h"

#define R15 3.8729833462074168852 /* sqrt 15 */

static const double gauss_legendre_6_a[] = {
    5.0 / 36.0,
    2.0 / 9.0 - R15 / 15.0,
    5.0 / 36.0 - R15 / 30.0, /* */
    5.0 / 36.0 + R15 / 24.0,
    2.0 / 9.0,
    5.0 / 36.0 - R15 / 24.0, /* */
    5.0 / 36.0 + R15 / 30.0,
    2.0 / 9.0 + R15 / 15.0,
    5.0 / 36.0,
};
static const double gauss_legendre_6_b[] = {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0};

static const wy_tableau gauss_legendre_6_tableau = {.stages = 3, .a = gauss_legendre_6_a, .b = gauss_legendre_6_b};

const wy_integrator wy_integrator_gauss_legendre_6 = {
    .entry = {.name = "gauss-legendre-6",
              .alias = "GL6",
              .doc = "Sixth order, symmetric; keeps every quadratic invariant.",
              .params = wy_implicit_params,
              .config_size = sizeof(wy_implicit)},
    .order = 6,
    .traits = WY_KEEPS_LINEAR | WY_KEEPS_QUADRATIC | WY_SYMMETRIC | WY_IMPLICIT,
    .work_size = wy_implicit_rk_work,
    .step = wy_implicit_rk_step,
    .tangent_work_size = wy_implicit_rk_tangent_work,
    .tangent = wy_implicit_rk_tangent,
    .data = &gauss_legendre_6_tableau,
};
