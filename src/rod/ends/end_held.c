/* An end of which any of the six components are held, along and about the axes of a frame: guided, sliding, hinged; a dead force and
 * moment act on what is free. Clamped and pinned are rows of it: all six, and the first three. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/rotation.h>

#include "rod/loads/load_parts.h"

static const wy_param params[] = {
    {.key = "translations",
     .doc = "Along which axes of the frame it is held: 1, or 0 where it slides.",
     .unit = "1",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .rule = WY_RULE_BETWEEN,
     .low = 0,
     .high = 1,
     .default_text = "[1, 1, 1]",
     .offset = offsetof(wy_end_held, translations)},
    {.key = "rotations",
     .doc =
         "About which axes of the frame it is held: all three, two (a hinge about the third) or none (a ball joint).",
     .unit = "1",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .rule = WY_RULE_BETWEEN,
     .low = 0,
     .high = 1,
     .default_text = "[1, 1, 1]",
     .offset = offsetof(wy_end_held, rotations)},
    {.key = "frame",
     .doc = "Quaternion, scalar first: where the axes of the frame point in space; its length is set to 1.",
     .unit = "1",
     .type = WY_TYPE_VECTOR,
     .count = 4,
     .default_text = "[1, 0, 0, 0]",
     .offset = offsetof(wy_end_held, frame)},
    {.key = "position",
     .doc = "Where it is held; left out: where the start of the rod puts it.",
     .unit = "m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .default_text = "",
     .offset = offsetof(wy_end_held, position)},
    {.key = "orientation",
     .doc = "Of the section, a quaternion; left out: as the start of the rod has it.",
     .unit = "1",
     .type = WY_TYPE_VECTOR,
     .count = 4,
     .default_text = "",
     .offset = offsetof(wy_end_held, orientation)},
    {.key = "force",
     .doc = "In space; keeps its direction; what is held does not feel it.",
     .unit = "N",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .default_text = "[0, 0, 0]",
     .offset = offsetof(wy_end_held, force)},
    {.key = "moment",
     .doc = "In space; keeps its direction; what is held does not feel it.",
     .unit = "N m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .default_text = "[0, 0, 0]",
     .offset = offsetof(wy_end_held, moment)},
    {.key = "in_time",
     .doc = "What force and moment are multiplied by.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_signals,
     .default_text = "constant",
     .offset = offsetof(wy_end_held, in_time)},
    {0},
};

static wy_status check(const void *config, wy_error *err) {
    const wy_end_held *c = config;
    int turns = 0;
    for (int i = 0; i < 3; i++) {
        if ((c->translations[i] != 0.0 && c->translations[i] != 1.0) ||
            (c->rotations[i] != 0.0 && c->rotations[i] != 1.0))
            return wy_fail(err, WY_BAD_INPUT, "component %d is held by %g and %g, expected 1 (held) or 0 (free)", i + 1,
                           c->translations[i], c->rotations[i]);
        if (!isfinite(c->force[i]) || !isfinite(c->moment[i]))
            return wy_fail(err, WY_BAD_INPUT, "the load on an end has a component of %g N or %g N m, expected numbers",
                           c->force[i], c->moment[i]);
        turns += c->rotations[i] == 1.0;
    }
    if (turns == 1)
        return wy_fail(err, WY_BAD_INPUT,
                       "one rotation is held, expected none (a ball joint), two (a hinge) or three: what is held about "
                       "one axis alone depends on the order of the turns");
    const double *q = c->frame, size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(size > 0.0) || !isfinite(size))
        return wy_fail(err, WY_BAD_INPUT, "the frame (%g, %g, %g, %g) is no quaternion of a rotation", q[0], q[1], q[2],
                       q[3]);
    return wy_signal_check(&c->in_time, err);
}

static void held(wy_constraint_mask *hold, const void *config) {
    const wy_end_held *c = config;
    double q[4];
    wy_quat_normalize(q, c->frame);
    hold->components = 0;
    for (int i = 0; i < 3; i++) {
        const double e[3] = {i == 0, i == 1, i == 2};
        wy_quat_rotate(hold->frame + 3 * i, q, e);
        hold->components |= (c->translations[i] == 1.0 ? 1U << i : 0U) | (c->rotations[i] == 1.0 ? 8U << i : 0U);
    }
}

static wy_status place(wy_pose_target *pose_target, const void *config, const wy_pose_target *first, double length,
                       wy_error *err) {
    const wy_end_held *c = config;
    (void)first;
    (void)length;
    (void)err;
    memcpy(pose_target->x, c->position, sizeof pose_target->x);
    memcpy(pose_target->q, c->orientation, sizeof pose_target->q);
    return WY_OK;
}

static unsigned varies(const void *config) {
    return wy_signal_varies(&((const wy_end_held *)config)->in_time) ? WY_VARIES_TIME : 0;
}

static void wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_end_held *c = config;
    const double scale = wy_signal_value(&c->in_time, at->t);
    wy_wrench_add(out, WY_FORCE, c->force, scale, false);
    wy_wrench_add(out, WY_MOMENT, c->moment, scale, false);
}

/* A dead moment has one only where the end turns about one axis, and then it depends on where the turn began: none is given. */
static double potential(const void *config, const wy_material_point *at) {
    const wy_end_held *c = config;
    if (c->moment[0] != 0.0 || c->moment[1] != 0.0 || c->moment[2] != 0.0)
        return NAN;
    return wy_dead_potential(c->force, wy_signal_value(&c->in_time, at->t), false, at);
}

const wy_end wy_end_is_held = {
    .entry = {.name = "held",
              .doc = "Any of the six components held in a frame: guided, sliding, hinged; loaded on what is free.",
              .params = params,
              .config_size = sizeof(wy_end_held)},
    .constraint_mask = held,
    .varies = varies,
    .check = check,
    .pose_target = place,
    .wrench = wrench,
    .potential = potential,
};
