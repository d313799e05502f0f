/* A ball joint: the position is held, the section turns freely. */
#include <stddef.h>
#include <string.h>

#include <withy/rod.h>

static const wy_param params[] = {
    {.key = "position",
     .doc = "Where it is held; left out: where the start of the rod puts it.",
     .unit = "m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .default_text = "",
     .offset = offsetof(wy_end_pinned, position)},
    {0},
};

static wy_status place(wy_pose_target *pose_target, const void *config, const wy_pose_target *first, double length,
                       wy_error *err) {
    (void)first;
    (void)length;
    (void)err;
    memcpy(pose_target->x, ((const wy_end_pinned *)config)->position, sizeof pose_target->x);
    return WY_OK;
}

const wy_end wy_end_is_pinned = {.entry = {.name = "pinned",
                                           .doc = "A ball joint: held in position, free to turn.",
                                           .params = params,
                                           .config_size = sizeof(wy_end_pinned)},
                                 .constrains = WY_CONSTRAINS_POSITION,
                                 .pose_target = place};
