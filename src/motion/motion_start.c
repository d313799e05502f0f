/* Whether what a definition says of the start twice, it says alike: the poses and the place where an end is held,
 * the key `orientation` and that of the first end. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/motion_internal.h"

static bool known(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static double angle_between_rotations(const double a[4], const double b[4]) {
    double p[4], q[4], back[4], turn[4], phi[3];
    wy_quat_normalize(p, a);
    wy_quat_normalize(q, b);
    wy_quat_align(q, q, p);
    wy_quat_conjugate(back, p);
    wy_quat_product(turn, back, q);
    wy_quat_log(phi, turn);
    return v3_norm(phi);
}

/* Where an end says itself that it is held. */
static wy_pose_target target_of_end(const wy_motion *rod, int e, const wy_pose_target at[2]) {
    wy_pose_target pose_target = {.x = {NAN, NAN, NAN}, .q = {NAN, NAN, NAN, NAN}};
    wy_error unused;
    if (e)
        return at[1];
    if (rod->ends[0]->pose_target &&
        rod->ends[0]->pose_target(&pose_target, rod->def.ends[0].config, NULL, rod->def.length, &unused) == WY_OK)
        return pose_target;
    return pose_target;
}

wy_status wy_motion_start_fits(const wy_motion *rod, const wy_pose_target at[2], const char **part, wy_error *err) {
    static const double origin[3] = {0.0, 0.0, 0.0}, level[4] = {1.0, 0.0, 0.0, 0.0};
    const wy_rod_definition *d = &rod->def;
    const size_t rows = rod->start.poses.rows;
    for (int e = 0; e < 2; e++) {
        if (!rod->constrains[e] ||
            (e == 1 && rows == 0)) /* the last end of a shape is looked at when the shape is laid out */
            continue;
        const wy_pose_target held = target_of_end(rod, e, at);
        const double *row = rows ? rod->start.poses.values + WY_POSE_COLUMNS * (e ? rows - 1 : 0) : NULL;
        const double *x = row ? row + 1 : d->position, *q = row ? row + 4 : d->orientation;
        const char *said = row ? "the poses at the start put it" : "'start' puts it";
        *part = e ? "last_end" : "first_end";
        double off[3];
        v3_sub(off, held.x, x);
        if (rod->constrains[e] & WY_CONSTRAINS_POSITION && known(held.x, 3) &&
            (row || memcmp(x, origin, sizeof origin) != 0) && v3_norm(off) > 1e-6 * d->length)
            return wy_fail(err, WY_BAD_INPUT,
                           "the end at s = %g m is held at (%g, %g, %g) m, but %s at (%g, %g, %g) m, %.3g m away",
                           e ? d->length : 0.0, held.x[0], held.x[1], held.x[2], said, x[0], x[1], x[2], v3_norm(off));
        if (!(rod->constrains[e] & WY_CONSTRAINS_ROTATION) || !known(held.q, 4) ||
            (!row && memcmp(q, level, sizeof level) == 0))
            continue;
        const double twist[4] = {wy_cos(0.5 * held.twist), 0.0, 0.0, wy_sin(0.5 * held.twist)};
        double turned[4];
        wy_quat_product(turned, held.q, twist);
        const double angle = fmin(angle_between_rotations(held.q, q), angle_between_rotations(turned, q));
        if (angle > 1e-6)
            return wy_fail(
                err, WY_BAD_INPUT,
                "the end at s = %g m is held with the orientation (%g, %g, %g, %g), but %s with (%g, %g, %g, %g), "
                "%.3g degrees away",
                e ? d->length : 0.0, held.q[0], held.q[1], held.q[2], held.q[3], said, q[0], q[1], q[2], q[3],
                angle * 57.29577951308232);
    }
    return WY_OK;
}
