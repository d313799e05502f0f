/* End `loaded`: free, with a force and a moment on it. */
#include <math.h>
#include <stddef.h>

#include "rod/loads/load_parts.h"

static const wy_param loaded_params[] = {
    WY_PARAM(wy_end_loaded, force, .key = "force", .tunable = true,
             .doc = "In space, or in the body frame if it follows.", .unit = "N", .type = WY_TYPE_VECTOR, .count = 3,
             .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_end_loaded, moment, .key = "moment", .tunable = true,
             .doc = "In space, or in the body frame if it follows.", .unit = "N m", .type = WY_TYPE_VECTOR, .count = 3,
             .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_end_loaded, following, .key = "following", .doc = "Both follow the rotation of the section.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    WY_PARAM(wy_end_loaded, in_time, .key = "in_time", .tunable = true, .doc = "Factor of both in time.",
             .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = "constant"),
    {0},
};

static wy_status loaded_check(const void *config, wy_error *err) {
    const wy_end_loaded *c = config;
    for (int i = 0; i < 3; i++)
        if (!isfinite(c->force[i]) || !isfinite(c->moment[i]))
            return wy_fail(err, WY_BAD_INPUT, "the load on an end has a component of %g N or %g N m, expected numbers",
                           c->force[i], c->moment[i]);
    return wy_signal_check(&c->in_time, err);
}

static unsigned loaded_varies(const void *config) {
    return wy_signal_varies(&((const wy_end_loaded *)config)->in_time) ? WY_VARIES_TIME : 0;
}

static void loaded_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_end_loaded *c = config;
    const double scale = wy_signal_value(&c->in_time, at->t);
    wy_wrench_add(out, WY_FORCE, c->force, scale, c->following);
    wy_wrench_add(out, WY_MOMENT, c->moment, scale, c->following);
}

/* A dead moment has no potential: its work depends on the order of the rotations. */
static double loaded_potential(const void *config, const wy_material_point *at) {
    const wy_end_loaded *c = config;
    if (c->moment[0] != 0.0 || c->moment[1] != 0.0 || c->moment[2] != 0.0)
        return NAN;
    return wy_dead_potential(c->force, wy_signal_value(&c->in_time, at->t), c->following, at);
}

const wy_joint wy_end_is_loaded = {
    .entry = {.name = "loaded",
              .doc = "Free, with a force and a moment on it: dead or following, constant or in time.",
              .params = loaded_params,
              .config_size = sizeof(wy_end_loaded)},
    .varies = loaded_varies,
    .check = loaded_check,
    .wrench = loaded_wrench,
    .potential = loaded_potential,
};
