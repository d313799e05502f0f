/* The start of a rod: copied, checked, and a stored state as poses. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/given.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "rod/rod_definition.h"

enum { STATE = WY_ROD_STATE_COLUMNS, STATE_Q = 7, STATE_X = 11 };

bool wy_rod_start_says_where(const wy_rod_start *start) {
    return start->shape.entry || start->poses.rows || start->states.rows;
}

/* The pose of the last section of a rod with a given shape from its first section. */
static wy_status end_of_shape(double x[3], double q[4], const wy_rod_definition *d, const wy_choice *shape,
                              wy_error *err) {
    enum { STEPS = 400 };
    wy_pose_target at[2];
    const char *part;
    const wy_status s = wy_rod_pose_targets(at, d, &part, err);
    if (s)
        return s;
    const double turn[4] = {wy_cos(0.5 * at[0].twist), 0.0, 0.0, wy_sin(0.5 * at[0].twist)};
    double D[9];
    wy_quat_normalize(q, at[0].q);
    wy_quat_product(q, q, turn);
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        wy_quat_rotate(D + 3 * k, q, e);
    }
    v3_copy(x, at[0].x);
    wy_shape_advance(x, D, shape, 0.0, d->length, d->length, STEPS);
    const double R[9] = {D[0], D[3], D[6], D[1], D[4], D[7], D[2], D[5], D[8]};
    wy_quat_from_matrix(q, R);
    return WY_OK;
}

wy_status wy_rod_start_set_ends(wy_rod_definition *d, const wy_rod_start *start, wy_error *err) {
    WY_GIVEN(d && start, err);
    const wy_samples *rows = start->states.rows ? &start->states : &start->poses;
    const size_t width = start->states.rows ? STATE : WY_POSE_COLUMNS, x = start->states.rows ? STATE_X : 1,
                 q = start->states.rows ? STATE_Q : 4;
    if (start->shape.entry)
        return end_of_shape(d->last_position, d->last_orientation, d, &start->shape, err);
    if (rows->rows < 2)
        return WY_OK;
    const double *first = rows->values, *last = first + width * (rows->rows - 1);
    v3_copy(d->position, first + x);
    memcpy(d->orientation, first + q, sizeof d->orientation);
    v3_copy(d->last_position, last + x);
    memcpy(d->last_orientation, last + q, sizeof d->last_orientation);
    return WY_OK;
}

wy_status wy_rod_start_copy(wy_rod_start *to, const wy_rod_start *from, wy_arena *arena, wy_error *err) {
    *to = *from;
    wy_status s = wy_choice_copy(&to->shape, arena, err);
    if (!s)
        s = wy_samples_copy(&to->poses, WY_POSE_COLUMNS, arena, err);
    if (!s)
        s = wy_samples_copy(&to->states, STATE, arena, err);
    return s ? s : wy_samples_copy(&to->velocities, WY_VELOCITY_COLUMNS, arena, err);
}

wy_status wy_rod_states_check(const wy_samples *v, double length, wy_error *err) {
    if (v->rows == 0)
        return WY_OK;
    if (v->rows == 1)
        return wy_fail(err, WY_BAD_INPUT, "one row does not define a shape: expected at least two");
    for (size_t i = 0; i < v->rows; i++) {
        const double *row = v->values + STATE * i;
        double q = 0.0;
        for (int k = 0; k < STATE; k++)
            if (!isfinite(row[k]))
                return wy_fail(err, WY_BAD_INPUT, "row %zu of the states: number %d is not finite", i + 1, k + 1);
        for (int k = 0; k < 4; k++)
            q += row[STATE_Q + k] * row[STATE_Q + k];
        if (!(q > 0.0))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of the states: the quaternion is zero", i + 1);
        if (i > 0 && !(row[0] > row[-STATE]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of the states: s = %g does not come after %g", i + 1, row[0],
                           row[-STATE]);
    }
    const double first = v->values[0], last = v->values[STATE * (v->rows - 1)];
    if (fabs(first) > 1e-6 * length || fabs(last / length - 1.0) > 1e-6)
        return wy_fail(err, WY_BAD_INPUT, "the states run from s = %g m to %g m, expected from 0 to the length of %g m",
                       first, last, length);
    return WY_OK;
}

wy_status wy_rod_start_check(const wy_rod_start *start, double length, wy_error *err) {
    const char *const said[] = {start->shape.entry ? "a shape" : NULL, start->poses.rows ? "poses" : NULL,
                                start->states.rows ? "states" : NULL};
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            if (said[i] && said[j])
                return wy_fail(err, WY_BAD_INPUT, "%s and %s at the start: give only one of them", said[i], said[j]);
    wy_status s = wy_poses_check(&start->poses, length, err);
    if (!s)
        s = wy_rod_states_check(&start->states, length, err);
    if (!s)
        s = wy_rows_check(&start->velocities, WY_VELOCITY_COLUMNS, length, "the velocities at the start", err);
    const wy_shape *shape = (const wy_shape *)(const void *)start->shape.entry;
    if (!s && shape && shape->check && (s = shape->check(start->shape.config, length, err)))
        s = wy_fail_at(err, s, "shape at the start");
    return s;
}

wy_status wy_rod_states_poses(wy_samples *poses, const wy_samples *states, double length, wy_arena *arena,
                              wy_error *err) {
    double *rows = wy_arena_take(arena, WY_POSE_COLUMNS * states->rows * sizeof *rows);
    if (!rows)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu poses", states->rows);
    for (size_t i = 0; i < states->rows; i++) {
        const double *from = states->values + STATE * i;
        double *to = rows + WY_POSE_COLUMNS * i;
        to[0] = i == 0 ? 0.0 : i + 1 == states->rows ? length : from[0]; /* a file has fewer digits */
        v3_copy(to + 1, from + STATE_X);
        memcpy(to + 4, from + STATE_Q, 4 * sizeof *to);
    }
    *poses = (wy_samples){states->rows, rows};
    return WY_OK;
}
