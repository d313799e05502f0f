/* An end with any of its six components constrained, along and about the axes of a frame: guided, sliding, hinged. A
 * dead force and moment act on the free components. Clamped and pinned are special cases: all six, and the first
 * three. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/rotation.h>

#include "rod/loads/load_parts.h"

static const wy_param held_params[] = {
    WY_PARAM(wy_end_held, translations, .key = "translations",
             .doc = "Axes of the frame along which it is constrained: 1, or 0 where it slides.", .unit = "1",
             .type = WY_TYPE_VECTOR, .count = 3, .rule = WY_RULE_BETWEEN, .low = 0, .high = 1,
             .default_text = "[1, 1, 1]"),
    WY_PARAM(wy_end_held, rotations, .key = "rotations",
             .doc =
                 "Axes of the frame about which it is constrained: all three, two (a hinge about the third) or none (a "
                 "pin).",
             .unit = "1", .type = WY_TYPE_VECTOR, .count = 3, .rule = WY_RULE_BETWEEN, .low = 0, .high = 1,
             .default_text = "[1, 1, 1]"),
    WY_PARAM(wy_end_held, frame, .key = "frame",
             .doc = "Quaternion, scalar first, of the frame's axes in space; its length is set to 1.", .unit = "1",
             .type = WY_TYPE_VECTOR, .count = 4, .default_text = "[1, 0, 0, 0]"),
    WY_PARAM(wy_end_held, position, .key = "position",
             .doc = "Of the constrained section; left out: that of the start of the rod.", .unit = "m",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = ""),
    WY_PARAM(wy_end_held, orientation, .key = "orientation",
             .doc = "Of the section, a quaternion; left out: that of the start of the rod.", .unit = "1",
             .type = WY_TYPE_VECTOR, .count = 4, .default_text = ""),
    WY_PARAM(wy_end_held, force, .key = "force", .tunable = true,
             .doc = "In space; keeps its direction; no effect on constrained components.", .unit = "N",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_end_held, moment, .key = "moment", .tunable = true,
             .doc = "In space; keeps its direction; no effect on constrained components.", .unit = "N m",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_end_held, in_time, .key = "in_time", .tunable = true, .doc = "Factor of force and moment in time.",
             .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = "constant"),
    {0},
};

static wy_status held_check(const void *config, wy_error *err) {
    const wy_end_held *c = config;
    int turns = 0;
    for (int i = 0; i < 3; i++) {
        if ((c->translations[i] != 0.0 && c->translations[i] != 1.0) ||
            (c->rotations[i] != 0.0 && c->rotations[i] != 1.0))
            return wy_fail(err, WY_BAD_INPUT, "component %d has %g and %g, expected 1 (constrained) or 0 (free)", i + 1,
                           c->translations[i], c->rotations[i]);
        if (!isfinite(c->force[i]) || !isfinite(c->moment[i]))
            return wy_fail(err, WY_BAD_INPUT, "the load on an end has a component of %g N or %g N m, expected numbers",
                           c->force[i], c->moment[i]);
        turns += c->rotations[i] == 1.0;
    }
    if (turns == 1)
        return wy_fail(err, WY_BAD_INPUT,
                       "one rotation is constrained, expected none (a pin), two (a hinge) or three: a constraint about "
                       "one axis alone depends on the order of the rotations");
    const double *q = c->frame, size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(size > 0.0) || !isfinite(size))
        return wy_fail(err, WY_BAD_INPUT, "the frame (%g, %g, %g, %g) is not a quaternion of a rotation", q[0], q[1],
                       q[2], q[3]);
    return wy_signal_check(&c->in_time, err);
}

static void held_constraint_mask(wy_constraint_mask *mask, const void *config) {
    const wy_end_held *c = config;
    double q[4];
    wy_quat_normalize(q, c->frame);
    mask->components = 0;
    for (int i = 0; i < 3; i++) {
        const double e[3] = {i == 0, i == 1, i == 2};
        wy_quat_rotate(mask->frame + 3 * i, q, e);
        mask->components |= (c->translations[i] == 1.0 ? 1U << i : 0U) | (c->rotations[i] == 1.0 ? 8U << i : 0U);
    }
}

static wy_status held_pose_target(wy_pose_target *pose_target, const void *config, const wy_pose_target *first,
                                  double length, wy_error *err) {
    const wy_end_held *c = config;
    (void)first;
    (void)length;
    (void)err;
    memcpy(pose_target->x, c->position, sizeof pose_target->x);
    memcpy(pose_target->q, c->orientation, sizeof pose_target->q);
    return WY_OK;
}

static unsigned held_varies(const void *config) {
    return wy_signal_varies(&((const wy_end_held *)config)->in_time) ? WY_VARIES_TIME : 0;
}

static void held_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_end_held *c = config;
    const double scale = wy_signal_value(&c->in_time, at->t);
    wy_wrench_add(out, WY_FORCE, c->force, scale, false);
    wy_wrench_add(out, WY_MOMENT, c->moment, scale, false);
}

/* A dead moment has a potential only if the end rotates about one axis, and it depends on the start of the rotation:
 * none is given. */
static double held_potential(const void *config, const wy_material_point *at) {
    const wy_end_held *c = config;
    if (c->moment[0] != 0.0 || c->moment[1] != 0.0 || c->moment[2] != 0.0)
        return NAN;
    return wy_dead_potential(c->force, wy_signal_value(&c->in_time, at->t), false, at);
}

const wy_joint wy_end_is_held = {
    .entry = {.name = "held",
              .doc =
                  "Any of the six components constrained in a frame: guided, sliding, hinged; loads on the free ones.",
              .params = held_params,
              .config_size = sizeof(wy_end_held)},
    .constraint_mask = held_constraint_mask,
    .varies = held_varies,
    .check = held_check,
    .pose_target = held_pose_target,
    .wrench = held_wrench,
    .potential = held_potential,
};
