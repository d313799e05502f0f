/* A moving clamp: p(t) = p0 + f(t) displacement, R(t) = exp(g(t) turn) R0. */
#include <math.h>
#include <stddef.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include <withy/rod.h>

#include "base/signal_value.h"

static const wy_param moved_params[] = {
    WY_PARAM(wy_end_moved, displacement, .key = "displacement",
             .doc = "Displacement in space, times the signal 'translation'.", .unit = "m", .type = WY_TYPE_VECTOR,
             .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_end_moved, turn, .key = "turn",
             .doc = "Rotation vector in space, of any length; times the signal 'rotation'.", .unit = "rad",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_end_moved, translation, .key = "translation", .doc = "The displacement in time.",
             .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = "constant"),
    WY_PARAM(wy_end_moved, rotation, .key = "rotation", .doc = "The rotation in time.", .type = WY_TYPE_CHOICE,
             .from = &wy_signals, .default_text = "constant"),
    {0},
};

static wy_status moved_check(const void *config, wy_error *err) {
    const wy_end_moved *c = config;
    for (int i = 0; i < 3; i++)
        if (!isfinite(c->displacement[i]) || !isfinite(c->turn[i]))
            return wy_fail(err, WY_BAD_INPUT, "a moved end has a component of %g m or %g rad, expected numbers",
                           c->displacement[i], c->turn[i]);
    const wy_status s = wy_signal_check(&c->translation, err);
    return s ? s : wy_signal_check(&c->rotation, err);
}

static unsigned moved_varies(const void *config) {
    const wy_end_moved *c = config;
    return wy_signal_varies(&c->translation) || wy_signal_varies(&c->rotation) ? WY_VARIES_TIME : 0;
}

/* Motion is relative to t = 0: the end starts at its pose in the start shape for any signals. */
static void moved_pose(double p[3], double D[9], const void *config, double t, const double p0[3], const double D0[9]) {
    const wy_end_moved *c = config;
    const double f = wy_signal_value(&c->translation, t) - wy_signal_value(&c->translation, 0.0);
    const double g = wy_signal_value(&c->rotation, t) - wy_signal_value(&c->rotation, 0.0);
    v3_axpy(p, p0, f, c->displacement);
    double phi[3], q[4];
    v3_scale(phi, g, c->turn);
    wy_quat_exp(q, phi);
    for (int k = 0; k < 3; k++)
        wy_quat_rotate(D + 3 * k, q, D0 + 3 * k);
}

static double moved_turning(const void *config, double t0, double t1) {
    const wy_end_moved *c = config;
    const double a = wy_signal_value(&c->rotation, t0), m = wy_signal_value(&c->rotation, 0.5 * (t0 + t1)),
                 b = wy_signal_value(&c->rotation, t1);
    return (fabs(m - a) + fabs(b - m)) * v3_norm(c->turn);
}

const wy_joint wy_end_is_moved = {
    .entry = {.name = "moved",
              .doc = "Constrained, and moved along a path: displacement and rotation in time.",
              .params = moved_params,
              .config_size = sizeof(wy_end_moved)},
    .constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION,
    .varies = moved_varies,
    .check = moved_check,
    .pose = moved_pose,
    .turning = moved_turning,
};
