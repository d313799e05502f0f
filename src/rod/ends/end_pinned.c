/* A pin (ball joint): the position is constrained, the section rotates freely. */
#include <stddef.h>
#include <string.h>

#include <withy/rod.h>

static const wy_param pinned_params[] = {
    WY_PARAM(wy_end_pinned, position, .key = "position",
             .doc = "Of the constrained section; left out: that of the start of the rod.", .unit = "m",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = ""),
    {0},
};

static wy_status pinned_pose_target(wy_pose_target *pose_target, const void *config, const wy_pose_target *first,
                                    double length, wy_error *err) {
    (void)first;
    (void)length;
    (void)err;
    memcpy(pose_target->x, ((const wy_end_pinned *)config)->position, sizeof pose_target->x);
    return WY_OK;
}

const wy_joint wy_end_is_pinned = {.entry = {.name = "pinned",
                                             .doc = "A pin (ball joint): constrained position, free rotation.",
                                             .params = pinned_params,
                                             .config_size = sizeof(wy_end_pinned)},
                                   .constrains = WY_CONSTRAINS_POSITION,
                                   .pose_target = pinned_pose_target};
