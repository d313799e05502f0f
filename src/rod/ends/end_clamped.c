/* Position and rotation are held. */
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
     .offset = offsetof(wy_end_clamped, position)},
    {.key = "orientation",
     .doc =
         "Quaternion, scalar first, body to space; its length is set to 1. Left out: as the start of the rod has it.",
     .unit = "1",
     .type = WY_TYPE_VECTOR,
     .count = 4,
     .default_text = "",
     .offset = offsetof(wy_end_clamped, orientation)},
    {.key = "twist",
     .doc = "A further turn about d3, any number of whole turns.",
     .unit = "rad",
     .type = WY_TYPE_REAL,
     .default_text = "0",
     .offset = offsetof(wy_end_clamped, twist)},
    {0},
};

static wy_status place(wy_pose_target *pose_target, const void *config, const wy_pose_target *first, double length,
                       wy_error *err) {
    const wy_end_clamped *c = config;
    (void)first;
    (void)length;
    (void)err;
    memcpy(pose_target->x, c->position, sizeof c->position);
    memcpy(pose_target->q, c->orientation, sizeof c->orientation);
    pose_target->twist = c->twist;
    return WY_OK;
}

const wy_end wy_end_is_clamped = {.entry = {.name = "clamped",
                                            .doc = "Position and rotation are held.",
                                            .params = params,
                                            .config_size = sizeof(wy_end_clamped)},
                                  .constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION,
                                  .pose_target = place};
