/* Load `gravity`: rho A g per length. */
#include <math.h>
#include <stddef.h>

#include "rod/loads/load_parts.h"

static const wy_param gravity_params[] = {
    WY_PARAM(wy_load_gravity, acceleration, .key = "acceleration", .doc = "Gravity, in space components.",
             .unit = "m/s^2", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, -9.80665]"),
    {0},
};

static wy_status gravity_check(const void *config, double length, wy_error *err) {
    (void)length;
    const double *g = ((const wy_load_gravity *)config)->acceleration;
    if (!isfinite(g[0]) || !isfinite(g[1]) || !isfinite(g[2]))
        return wy_fail(err, WY_BAD_INPUT, "gravity is (%g, %g, %g) m/s^2, expected numbers", g[0], g[1], g[2]);
    return WY_OK;
}

static void gravity_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    for (int i = 0; i < 3; i++)
        out->space[3 + i] += at->section->rhoA * ((const wy_load_gravity *)config)->acceleration[i];
}

static double gravity_potential(const void *config, const wy_material_point *at) {
    const double *g = ((const wy_load_gravity *)config)->acceleration;
    return -at->section->rhoA * (g[0] * at->x[0] + g[1] * at->x[1] + g[2] * at->x[2]);
}

static void gravity_acceleration(double g[3], const void *config) {
    for (int i = 0; i < 3; i++)
        g[i] = ((const wy_load_gravity *)config)->acceleration[i];
}

const wy_load wy_load_is_gravity = {
    .entry = {.name = "gravity",
              .doc = "Weight of the rod.",
              .params = gravity_params,
              .config_size = sizeof(wy_load_gravity)},
    .account = WY_ACCOUNT_POTENTIAL,
    .check = gravity_check,
    .wrench = gravity_wrench,
    .potential = gravity_potential,
    .acceleration = gravity_acceleration,
};
