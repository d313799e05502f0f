/* Viscous drag of the surroundings: -linear v and -angular omega per length. */
#include <math.h>
#include <stddef.h>

#include "rod/loads/load_parts.h"

static const wy_param drag_params[] = {
    WY_PARAM(wy_load_drag, linear, .key = "linear", .tunable = true, .doc = "Force per length and velocity.",
             .unit = "N s/m^2", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    WY_PARAM(wy_load_drag, angular, .key = "angular", .tunable = true, .doc = "Moment per length and angular velocity.",
             .unit = "N s", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    {0},
};

static wy_status drag_check(const void *config, double length, wy_error *err) {
    (void)length;
    const wy_load_drag *c = config;
    if (!(c->linear >= 0.0 && c->angular >= 0.0) || !isfinite(c->linear) || !isfinite(c->angular))
        return wy_fail(err, WY_BAD_INPUT, "drag of %g N s/m^2 and %g N s, expected numbers that are not negative",
                       c->linear, c->angular);
    return WY_OK;
}

static unsigned drag_varies(const void *config) {
    (void)config;
    return WY_VARIES_VELOCITY;
}

static void drag_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_drag *c = config;
    for (int i = 0; i < 3; i++) {
        out->space[i] -= c->angular * at->omega[i];
        out->space[3 + i] -= c->linear * at->v[i];
        if (out->C) {
            out->C[7 * i] -= c->angular;
            out->C[7 * (3 + i)] -= c->linear;
        }
    }
}

const wy_load wy_load_is_drag = {
    .entry = {.name = "drag",
              .doc = "Viscous drag of the surroundings.",
              .params = drag_params,
              .config_size = sizeof(wy_load_drag)},
    .account = WY_ACCOUNT_DISSIPATED,
    .varies = drag_varies,
    .check = drag_check,
    .wrench = drag_wrench,
};
