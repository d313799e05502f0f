/* End `clamped`: position and rotation are constrained. */
#include <stddef.h>
#include <string.h>

#include <withy/rod.h>

static const wy_param clamped_params[] = {
    WY_PARAM(wy_end_clamped, position, .key = "position",
             .doc = "Of the constrained section; left out: that of the start of the rod.", .unit = "m",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = ""),
    WY_PARAM(
        wy_end_clamped, orientation, .key = "orientation",
        .doc =
            "Quaternion, scalar first, body to space; its length is set to 1. Left out: that of the start of the rod.",
        .unit = "1", .type = WY_TYPE_VECTOR, .count = 4, .default_text = ""),
    WY_PARAM(wy_end_clamped, twist, .key = "twist", .doc = "A further rotation about d3, any number of turns.",
             .unit = "rad", .type = WY_TYPE_REAL, .default_text = "0"),
    {0},
};

static wy_status clamped_pose_target(wy_pose_target *pose_target, const void *config, const wy_pose_target *first,
                                     double length, wy_error *err) {
    const wy_end_clamped *c = config;
    (void)first;
    (void)length;
    (void)err;
    memcpy(pose_target->x, c->position, sizeof c->position);
    memcpy(pose_target->q, c->orientation, sizeof c->orientation);
    pose_target->twist = c->twist;
    return WY_OK;
}

const wy_joint wy_end_is_clamped = {.entry = {.name = "clamped",
                                              .doc = "Position and rotation are constrained.",
                                              .params = clamped_params,
                                              .config_size = sizeof(wy_end_clamped)},
                                    .constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION,
                                    .pose_target = clamped_pose_target};
