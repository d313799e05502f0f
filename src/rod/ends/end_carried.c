/* An end moved along any path: a signal for each of six components, x(t) = x0 + (f1, f2, f3),
 * R(t) = exp(g1, g2, g3) R0, relative to t = 0; or of the position alone, with free rotation. */
#include <math.h>
#include <stddef.h>

#include <withy/rotation.h>

#include "base/signal_value.h"
#include "math/vec3.h"
#include <withy/rod.h>

#define COMPONENT(key_, doc_, unit_, field)                                                   \
    {                                                                                         \
        .key = key_, .doc = doc_, .unit = unit_, .type = WY_TYPE_CHOICE, .from = &wy_signals, \
        .default_text = "constant", .offset = offsetof(wy_end_carried, field)                 \
    }
static const wy_param carried_params[] = {
    COMPONENT("x1", "Displacement along e1 in time.", "m", translation[0]),
    COMPONENT("x2", "Displacement along e2 in time.", "m", translation[1]),
    COMPONENT("x3", "Displacement along e3 in time.", "m", translation[2]),
    COMPONENT("r1", "First component of the rotation vector, in space.", "rad", rotation[0]),
    COMPONENT("r2", "Second component of the rotation vector.", "rad", rotation[1]),
    COMPONENT("r3", "Third component of the rotation vector.", "rad", rotation[2]),
    WY_PARAM(wy_end_carried, turns_freely, .key = "turns_freely",
             .doc = "Only the position is prescribed, as by a pin; without rotations.", .type = WY_TYPE_BOOL,
             .default_text = "false"),
    {0},
};

static wy_status carried_check(const void *config, wy_error *err) {
    const wy_end_carried *c = config;
    for (int i = 0; i < 3; i++) {
        wy_status s = wy_signal_check(&c->translation[i], err);
        if (s)
            return wy_fail_at(err, s, "x%d", i + 1);
        s = wy_signal_check(&c->rotation[i], err);
        if (s)
            return wy_fail_at(err, s, "r%d", i + 1);
        if (c->turns_freely && wy_signal_varies(&c->rotation[i]))
            return wy_fail(err, WY_BAD_INPUT, "r%d is given for an end that rotates freely", i + 1);
    }
    return WY_OK;
}

static void carried_constraint_mask(wy_constraint_mask *mask, const void *config) {
    *mask = (wy_constraint_mask){.components = ((const wy_end_carried *)config)->turns_freely ? 7U : 63U,
                                 .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static unsigned carried_varies(const void *config) {
    const wy_end_carried *c = config;
    for (int i = 0; i < 3; i++)
        if (wy_signal_varies(&c->translation[i]) || wy_signal_varies(&c->rotation[i]))
            return WY_VARIES_TIME;
    return 0;
}

static void carried_signal_values(double out[3], const wy_choice *signals, double t) {
    for (int i = 0; i < 3; i++)
        out[i] = wy_signal_value(&signals[i], t) - wy_signal_value(&signals[i], 0.0);
}

static void carried_pose(double p[3], double D[9], const void *config, double t, const double p0[3],
                         const double D0[9]) {
    const wy_end_carried *c = config;
    double move[3], phi[3], q[4];
    carried_signal_values(move, c->translation, t);
    carried_signal_values(phi, c->rotation, t);
    v3_add(p, p0, move);
    wy_quat_exp(q, phi);
    for (int k = 0; k < 3; k++)
        wy_quat_rotate(D + 3 * k, q, D0 + 3 * k);
}

/* An upper bound: the length of the path of the rotation vector, with one point in the middle. */
static double carried_turning(const void *config, double t0, double t1) {
    const wy_end_carried *c = config;
    double a[3], m[3], b[3];
    carried_signal_values(a, c->rotation, t0);
    carried_signal_values(m, c->rotation, 0.5 * (t0 + t1));
    carried_signal_values(b, c->rotation, t1);
    v3_sub(a, m, a);
    v3_sub(b, b, m);
    return v3_norm(a) + v3_norm(b);
}

const wy_joint wy_end_is_carried = {
    .entry = {.name = "carried",
              .doc = "Constrained, and moved along any path: a signal for each of six components.",
              .params = carried_params,
              .config_size = sizeof(wy_end_carried)},
    .constraint_mask = carried_constraint_mask,
    .varies = carried_varies,
    .check = carried_check,
    .pose = carried_pose,
    .turning = carried_turning,
};
