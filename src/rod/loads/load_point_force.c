/* Load `point-force`: a force on one point of the rod. */
#include <math.h>
#include <stddef.h>

#include "rod/loads/load_parts.h"

static const wy_param point_force_params[] = {
    WY_PARAM(wy_load_point_force, force, .key = "force", .tunable = true,
             .doc = "In space, or in the body frame if it follows.", .unit = "N", .type = WY_TYPE_VECTOR, .count = 3),
    WY_PARAM(wy_load_point_force, at, .key = "at", .doc = "Arc length of the point.", .unit = "m", .type = WY_TYPE_REAL,
             .rule = WY_RULE_NONNEGATIVE),
    WY_PARAM(wy_load_point_force, following, .key = "following", .doc = "Follows the rotation of the section.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    WY_PARAM(wy_load_point_force, in_time, .key = "in_time", .tunable = true, .doc = "Factor in time.",
             .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = "constant"),
    {0},
};

static wy_status point_force_check(const void *config, double length, wy_error *err) {
    const wy_load_point_force *c = config;
    if (!isfinite(c->force[0]) || !isfinite(c->force[1]) || !isfinite(c->force[2]))
        return wy_fail(err, WY_BAD_INPUT, "a point force of (%g, %g, %g) N, expected numbers", c->force[0], c->force[1],
                       c->force[2]);
    if (!(c->at >= 0.0 && c->at <= length * (1.0 + 1e-9)))
        return wy_fail(err, WY_BAD_INPUT, "a point force at s = %g m is not on the rod of %g m", c->at, length);
    return wy_signal_check(&c->in_time, err);
}

static unsigned point_force_varies(const void *config) {
    return wy_signal_varies(&((const wy_load_point_force *)config)->in_time) ? WY_VARIES_TIME : 0;
}

static void point_force_span(double *from, double *until, const void *config, double length) {
    *from = *until = fmin(((const wy_load_point_force *)config)->at, length);
}

static void point_force_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_point_force *c = config;
    wy_wrench_add(out, WY_FORCE, c->force, wy_signal_value(&c->in_time, at->t), c->following);
}

static double point_force_potential(const void *config, const wy_material_point *at) {
    const wy_load_point_force *c = config;
    return wy_dead_potential(c->force, wy_signal_value(&c->in_time, at->t), c->following, at);
}

const wy_load wy_load_is_point_force = {
    .entry = {.name = "point-force",
              .doc = "A force on any point of the rod, constant or in time, dead or following.",
              .params = point_force_params,
              .config_size = sizeof(wy_load_point_force)},
    .account = WY_ACCOUNT_WORK,
    .varies = point_force_varies,
    .check = point_force_check,
    .span = point_force_span,
    .wrench = point_force_wrench,
    .potential = point_force_potential,
};
