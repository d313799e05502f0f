/* A free end with a force and a moment on it. */
#include <math.h>
#include <stddef.h>

#include "rod/loads/load_parts.h"

static const wy_param params[] = {
    {.key = "force",
     .doc = "In space, or in the body frame if it follows.",
     .unit = "N",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = offsetof(wy_end_loaded, force)},
    {.key = "moment",
     .doc = "In space, or in the body frame if it follows.",
     .unit = "N m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = offsetof(wy_end_loaded, moment)},
    {.key = "following",
     .doc = "Both turn with the section.",
     .type = WY_TYPE_BOOL,
     .fallback = "false",
     .offset = offsetof(wy_end_loaded, following)},
    {.key = "in_time",
     .doc = "What both are multiplied by.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_signals,
     .fallback = "constant",
     .offset = offsetof(wy_end_loaded, in_time)},
    {0},
};

static wy_status check(const void *config, wy_error *err) {
    const wy_end_loaded *c = config;
    for (int i = 0; i < 3; i++)
        if (!isfinite(c->force[i]) || !isfinite(c->moment[i]))
            return wy_fail(err, WY_BAD_INPUT, "the load on an end has a component of %g N or %g N m, expected numbers",
                           c->force[i], c->moment[i]);
    return wy_signal_check(&c->in_time, err);
}

static void act(const void *config, wy_load_point *point) {
    const wy_end_loaded *c = config;
    const double scale = wy_load_scale(&c->in_time, point);
    wy_load_add(point, 0, c->force, scale, c->following);
    wy_load_add(point, 3, c->moment, scale, c->following);
}

const wy_end wy_end_is_loaded = {
    .entry = {.name = "loaded",
              .doc = "Free, with a force and a moment on it: dead or following, constant or in time.",
              .params = params,
              .config_size = sizeof(wy_end_loaded)},
    .check = check,
    .act = act,
};
