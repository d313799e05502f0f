/* A clamp that the caller moves, step by step: p(t) = p0 + x displacement, R(t) = exp(x turn) R0,
 * x = (t - since)/lasts. The position moves on a line and the section rotates about one axis: the geodesics of R^3 and
 * SO(3). */
#include <stddef.h>

#include <withy/rod.h>
#include <withy/rotation.h>

#include "math/vec3.h"

static const wy_param driven_params[] = {{0}};

static double driven_progress(const wy_end_driven *c, double t) {
    return (t - c->since) / c->lasts;
}

static void driven_pose(double p[3], double D[9], const void *config, double t, const double p0[3],
                        const double D0[9]) {
    const wy_end_driven *c = config;
    const double *from = c->lasts > 0.0 ? c->from : p0, *frame = c->lasts > 0.0 ? c->frame : D0;
    const double x = c->lasts > 0.0 ? driven_progress(c, t) : 0.0;
    double phi[3], q[4];
    v3_axpy(p, from, x, c->displacement);
    v3_scale(phi, x, c->turn);
    wy_quat_exp(q, phi);
    for (int k = 0; k < 3; k++)
        wy_quat_rotate(D + 3 * k, q, frame + 3 * k);
}

static double driven_turning(const void *config, double t0, double t1) {
    const wy_end_driven *c = config;
    return c->lasts > 0.0 ? (driven_progress(c, t1) - driven_progress(c, t0)) * v3_norm(c->turn) : 0.0;
}

static void driven_carry(void *config, double t, double dt, const double p0[3], const double q0[4], const double p1[3],
                         const double q1[4]) {
    wy_end_driven *c = config;
    double R[9], back[4], turn[4];
    c->since = t;
    c->lasts = dt;
    v3_copy(c->from, p0);
    v3_sub(c->displacement, p1, p0);
    wy_quat_to_matrix(R, q0);
    for (int k = 0; k < 3; k++)
        v3_set(c->frame + 3 * k, R[k], R[3 + k], R[6 + k]);
    wy_quat_conjugate(back, q0);
    wy_quat_product(turn, q1, back);
    wy_quat_log(c->turn, turn);
}

static unsigned driven_varies(const void *config) {
    return ((const wy_end_driven *)config)->lasts > 0.0 ? WY_VARIES_TIME : 0;
}

const wy_joint wy_end_is_driven = {
    .entry = {.name = "driven",
              .doc = "Constrained, and moved by the caller: by an FMU's inputs, or wy_motion_carry. Otherwise fixed.",
              .params = driven_params,
              .config_size = sizeof(wy_end_driven)},
    .constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION,
    .varies = driven_varies,
    .pose = driven_pose,
    .turning = driven_turning,
    .carry = driven_carry,
};
