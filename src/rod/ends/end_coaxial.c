/* Clamped on the axis of the first end: twist and shortening of the thesis, section 2.2.4. */
#include <stddef.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include <withy/rod.h>

static const wy_param coaxial_params[] = {
    WY_PARAM(wy_end_coaxial, shortening, .key = "shortening",
             .doc = "Unstressed length minus the distance of the ends, relative to that length; negative: stretched.",
             .unit = "1", .type = WY_TYPE_REAL, .default_text = "0"),
    WY_PARAM(wy_end_coaxial, twist, .key = "twist",
             .doc = "Rotation about the axis relative to the first end, any number of turns.", .unit = "rad",
             .type = WY_TYPE_REAL, .default_text = "0"),
    {0},
};

static wy_status coaxial_pose_target(wy_pose_target *pose_target, const void *config, const wy_pose_target *first,
                                     double length, wy_error *err) {
    const wy_end_coaxial *c = config;
    if (!first)
        return wy_fail(err, WY_BAD_INPUT, "'coaxial' needs a clamped first end, and is for the last end only");
    if (!(c->shortening <= 1.0))
        return wy_fail(
            err, WY_BAD_INPUT,
            "a shortening of %g puts the last clamp behind the first one: use at most 1, where the ends meet",
            c->shortening);
    double q[4], axis[3];
    *pose_target = *first;
    pose_target->twist = first->twist + c->twist;
    wy_quat_normalize(q, first->q);
    wy_quat_rotate(axis, q, (const double[3]){0.0, 0.0, 1.0});
    v3_axpy(pose_target->x, first->x, (1.0 - c->shortening) * length, axis);
    return WY_OK;
}

const wy_joint wy_end_is_coaxial = {.entry = {.name = "coaxial",
                                              .doc = "Clamped on the axis of the first end, nearer to it and twisted.",
                                              .params = coaxial_params,
                                              .config_size = sizeof(wy_end_coaxial)},
                                    .constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION,
                                    .pose_target = coaxial_pose_target};
