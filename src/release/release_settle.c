/* From a motion that is nearly at rest to the limit of the end force: refined rods. docs/math/branches.md, "Letting
 * go". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/branches.h>
#include <withy/rotation.h>

#include "base/given.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"
#include "motion/motion_internal.h"
#include "release/release.h"
#include "rod/rod_along.h"

enum { D = WY_STATIC_DIM };

/* ---- static equations at the final shape ---- */

/* Internal moment and force at the midpoints of the elements, as rows (s, m 3, n 3) for interpolation. */
static wy_status wrench_rows(double **rows, const wy_motion_instance *m, wy_error *err) {
    const size_t n = wy_motion_nodes(m->rod) - 1;
    double *w = malloc(6 * n * sizeof *w);
    *rows = malloc(7 * n * sizeof **rows);
    if (!w || !*rows) {
        free(w);
        free(*rows);
        *rows = NULL;
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu elements", n);
    }
    wy_motion_read(m->rod, m->state, &(wy_motion_view){.wrench = w});
    for (size_t e = 0; e < n; e++) {
        (*rows)[7 * e] = 0.5 * (wy_motion_arc_length(m->rod, e) + wy_motion_arc_length(m->rod, e + 1));
        memcpy(*rows + 7 * e + 1, w + 6 * e, 6 * sizeof *w);
    }
    free(w);
    return WY_OK;
}

/* Poses and velocities of the nodes, rows (s, x 3, q 4) and (s, v 3, omega 3), both in space. */
static wy_status node_rows(double **rows, const wy_motion_instance *m, wy_error *err) {
    const size_t n = wy_motion_nodes(m->rod);
    double *x = malloc(13 * n * sizeof *x);
    *rows = malloc((WY_POSE_COLUMNS + 7) * n * sizeof **rows);
    if (!x || !*rows) {
        free(x);
        free(*rows);
        *rows = NULL;
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    }
    double *q = x + 3 * n, *v = x + 7 * n;
    wy_motion_read(m->rod, m->state, &(wy_motion_view){.position = x, .orientation = q, .velocity = v});
    for (size_t j = 0; j < n; j++) {
        double *pose = *rows + WY_POSE_COLUMNS * j, *speed = *rows + WY_POSE_COLUMNS * n + 7 * j;
        pose[0] = speed[0] = wy_motion_arc_length(m->rod, j);
        v3_copy(pose + 1, x + 3 * j);
        memcpy(pose + 4, q + 4 * j, 4 * sizeof *q);
        wy_quat_rotate(speed + 1, q + 4 * j, v + 6 * j + 3);
        wy_quat_rotate(speed + 4, q + 4 * j, v + 6 * j);
    }
    free(x);
    return WY_OK;
}

/* Whether the solution has the end poses of the rod. At a closed rod the bordered equations have a second family of
 * solutions with slightly different end poses (docs/math/branches.md), which are not equilibria of this rod. */
static bool satisfies_end_poses(const wy_equilibrium *solver, const wy_samples *poses, double length) {
    for (int e = 0; e < 2; e++) {
        const equilibrium_end *end = e ? &solver->model->control.right : &solver->model->control.left;
        const double *y = wy_equilibrium_states(solver) + (e ? D * (wy_equilibrium_count(solver) - 1) : 0),
                     *row = poses->values + (e ? WY_POSE_COLUMNS * (poses->rows - 1) : 0);
        double d[3], q[4];
        v3_sub(d, y + WY_STATIC_X, row + 1);
        wy_quat_align(q, y + WY_STATIC_Q, row + 4);
        if (equilibrium_end_constrains(end, WY_CONSTRAINS_POSITION) && !(v3_norm(d) <= 1e-8 * length))
            return false;
        for (int k = 0; k < 4 && equilibrium_end_constrains(end, WY_CONSTRAINS_ROTATION); k++)
            if (!(fabs(q[k] - row[4 + k]) <= 1e-8))
                return false;
    }
    return true;
}

/* Newton of the collocation from the shape and the stress of the moving rod. If it finds an equilibrium: its force, its
 * stability, and its slowest vibration. Failure to converge is not an error. */
static wy_status solve_static_equations(wy_release *r, wy_error *err) {
    wy_equilibrium *solver = NULL;
    double *poses = NULL, *wrench = NULL, *states = NULL;
    wy_error ignored;
    const wy_rod_definition given = wy_equilibrium_rod_given(r->solver->model->rod);
    wy_status s = wy_equilibrium_create(&solver, &given, &r->solver->method, err);
    if (!s)
        s = node_rows(&poses, &r->moving, err);
    if (!s)
        s = wrench_rows(&wrench, &r->moving, err);
    const size_t n = s ? 0 : solver->model->elements + 1; /* the solver has no solution yet */
    if (!s && !(states = malloc(n * D * sizeof *states)))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    if (!s) {
        const size_t nodes = wy_motion_nodes(r->moving.rod);
        const wy_samples p = {.rows = nodes, .values = poses}, w = {.rows = nodes - 1, .values = wrench};
        double before[4] = {1.0, 0.0, 0.0, 0.0};
        memcpy(before, wy_equilibrium_states(r->solver) + WY_STATIC_Q, sizeof before);
        for (size_t i = 0; i < n; i++) {
            double *y = states + D * i;
            const double point = solver->s_si[i];
            wy_poses_at(y + WY_STATIC_X, y + WY_STATIC_Q, &p, point);
            wy_quat_align(y + WY_STATIC_Q, y + WY_STATIC_Q, before);
            memcpy(before, y + WY_STATIC_Q, sizeof before);
            for (size_t k = 0; k < 3; k++) {
                y[WY_STATIC_M + k] = wy_rows_at(&w, 7, 1 + k, point);
                y[WY_STATIC_P + k] = wy_rows_at(&w, 7, 4 + k, point);
            }
        }
        r->result.solved = wy_equilibrium_correct(solver, states, &ignored) == WY_OK &&
                           satisfies_end_poses(solver, &p, r->definition.rod.length);
    }
    if (r->result.solved) {
        const double *y = wy_equilibrium_states(solver) + (r->result.end ? D * (n - 1) : 0);
        wy_equilibrium_rotate(r->result.solved_force, y + WY_STATIC_Q, y + WY_STATIC_P);
        v3_scale(r->result.solved_force, r->result.end ? 1.0 : -1.0, r->result.solved_force);
        double value = NAN;
        wy_equilibrium_modes modes = {.eigenvalues = &value};
        r->result.solved_negative = -1;
        if (wy_equilibrium_is_conservative(solver->model) &&
            wy_equilibrium_vibrations(&modes, 1, solver, &ignored) == WY_OK) {
            r->result.solved_negative = modes.negative;
            r->result.solved_rate = value > 0.0 ? sqrt(value) : NAN;
        }
    }
    wy_equilibrium_free(solver);
    free(poses);
    free(wrench);
    free(states);
    return s;
}

/* ---- one rod ---- */

/* What a load on an end applies, besides what it takes to hold it: its law, at the pose of that end. */
static void add_end_load(double force[3], double moment[3], const wy_motion_instance *m, const double *x,
                         const double *q, int e) {
    const wy_joint *end = m->rod->ends[e];
    if (!end->wrench)
        return;
    double frame[9];
    wy_directors_from_quat(frame, q);
    wy_wrench w = {0};
    wy_material_point point = wy_rod_point_at_rest(&m->rod->def, e ? m->rod->def.length : 0.0,
                                                   &m->rod->section[e ? m->rod->nodes - 1 : 0], x, frame);
    point.t = wy_motion_time(m->state);
    end->wrench(&w, m->rod->def.ends[e].config, &point);
    for (int i = 0; i < 3; i++) {
        moment[i] += w.space[i];
        force[i] += w.space[3 + i];
        for (int k = 0; k < 3; k++) {
            moment[i] += frame[3 * k + i] * w.body[k];
            force[i] += frame[3 * k + i] * w.body[3 + k];
        }
    }
}

static wy_status measure_level(wy_release *r, wy_release_level *level, wy_error *err) {
    const wy_motion_instance *m = &r->moving;
    wy_release_result *l = &r->result;
    wy_motion_residual_norms residual_norms;
    wy_motion_energy energy;
    const size_t n = wy_motion_nodes(m->rod);
    double *x = malloc(7 * n * sizeof *x), *q = x + 3 * n, middle[3], d[3];
    if (!x)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    wy_motion_read(m->rod, m->state, &(wy_motion_view){.position = x, .orientation = q});
    wy_status s = wy_motion_distance_from_rest(&residual_norms, m->rod, m->state, m->work, err);
    for (int e = 0; e < 2 && !s; e++) {
        const size_t j = e ? n - 1 : 0;
        s = wy_motion_reaction(l->force[e], l->moment[e], m->rod, m->state, m->work, e, err);
        if (!s)
            add_end_load(l->force[e], l->moment[e], m, x + 3 * j, q + 4 * j, e);
        level->force[e] = v3_norm(l->force[e]);
        level->moment[e] = v3_norm(l->moment[e]);
    }
    if (s) {
        free(x);
        return s;
    }
    m->rod->method->position_at(middle, m->rod, m->state->x, 0.5 * m->rod->def.length);
    v3_sub(d, middle, x);
    free(x);
    wy_motion_energies(&energy, m->rod, m->state);
    level->elements = (int64_t)n - 1;
    level->middle = v3_norm(d);
    level->energy = energy.strain;
    level->imbalance = residual_norms.imbalance;
    level->motion = residual_norms.motion;
    level->force_error = level->moment_error = level->middle_error = NAN;
    return WY_OK;
}

/* Moves the present rod until its residual norms are below `below`, or until round-off stops the decrease: the motion
 * is negligible, and the imbalance has not halved in 25 steps. */
static wy_status move_until_rest(wy_release *r, double step, double below, int64_t *steps, const wy_sink *sink,
                                 double done, double fraction, wy_error *err) {
    enum { MAX_STEPS = 400 };
    wy_motion_residual_norms residual_norms;
    double halved = HUGE_VAL, first = 0.0;
    int64_t steps_since = 0;
    wy_status s = wy_motion_distance_from_rest(&residual_norms, r->moving.rod, r->moving.state, r->moving.work, err);
    for (*steps = 0; !s && *steps < MAX_STEPS; ++*steps) {
        const double now = fmax(residual_norms.imbalance, residual_norms.motion);
        steps_since++;
        if (now < 0.5 * halved) {
            halved = now;
            steps_since = 0;
        }
        if (*steps > 2 && (now <= below || (steps_since > 25 && residual_norms.motion <= 1e-5 * below)))
            break;
        first = fmax(first, now);
        s = wy_motion_step(r->moving.rod, r->moving.state, r->moving.work, step, err);
        if (!s)
            s = wy_motion_distance_from_rest(&residual_norms, r->moving.rod, r->moving.state, r->moving.work, err);
        if (!s) /* the approach is exponential: progress is logarithmic */
            s = wy_sink_progress(
                sink, done + fraction * fmin(1.0, fmax(0.0, wy_log(first / now) / wy_log(first / below))), err);
    }
    return s;
}

/* Replaces the present rod by one of `elements` elements, at the same time. */
static wy_status refine_rod(wy_release *r, int64_t elements, double alpha, wy_error *err) {
    double *rows;
    wy_status s = node_rows(&rows, &r->moving, err);
    if (s)
        return s;
    const size_t n = wy_motion_nodes(r->moving.rod);
    wy_motion_definition d = r->definition;
    d.rod.elements = elements;
    d.start.poses = (wy_samples){.rows = n, .values = rows};
    d.start.velocities = (wy_samples){.rows = n, .values = rows + WY_POSE_COLUMNS * n};
    d.rod.mass_damping = alpha;
    wy_motion_instance next = {0};
    s = wy_motion_create(&next.rod, &d, err);
    if (!s)
        s = wy_motion_state_create(&next.state, next.rod, err);
    if (!s)
        s = wy_motion_work_create(&next.work, next.rod, err);
    if (!s)
        s = wy_motion_start(next.rod, next.state, next.work, err);
    if (s) {
        wy_motion_instance_free(&next);
        free(rows);
        return s;
    }
    next.at_rest = r->moving.at_rest;
    wy_motion_instance_free(&r->moving);
    free(r->rows);
    r->rows = rows;
    r->moving = next;
    return WY_OK;
}

/* ---- sequence of refined rods ---- */

/* Remaining change to the limit, from the values on three rods, each with twice the elements of the previous one: the
 * changes decrease by a factor rho,
 *   Q = Q_4N + (Q_4N - Q_2N)/(rho - 1),   rho = (Q_2N - Q_N)/(Q_4N - Q_2N)                                    (8.22)
 * The elements are of degree 3: rho tends to 64 and is limited to that; a section that jumps inside an element has a
 * smaller rho. Two rods do not determine rho, which is then `unknown`: 2 (first order) for the error, 64 (sixth order)
 * for the limit. */
static double remaining_change(const wy_release_level *now, const double *q2, size_t rods, double unknown) {
    const size_t offset = (size_t)((const char *)q2 - (const char *)now);
    const double *q1 = (const double *)(const void *)((const char *)(now - 1) + offset);
    double rho = unknown;
    if (rods > 2) {
        const double *q0 = (const double *)(const void *)((const char *)(now - 2) + offset);
        const double ratio = (*q1 - *q0) / (*q2 - *q1);
        rho = isfinite(ratio) ? fmin(64.0, fmax(1.5, ratio)) : unknown;
    }
    return (*q2 - *q1) / (rho - 1.0);
}

static void estimate_errors(wy_release_result *l, double length) {
    wy_release_level *now = &l->levels[l->level_count - 1];
    const size_t n = l->level_count;
    double off_F = 0.0, off_M = 0.0, F = 1e-3 * l->unit, M = 1e-3 * l->unit * length;
    for (int e = 0; e < 2; e++) {
        F = fmax(F, now->force[e]);
        M = fmax(M, now->moment[e]);
        off_F = fmax(off_F, fabs(remaining_change(now, &now->force[e], n, 2.0)));
        off_M = fmax(off_M, fabs(remaining_change(now, &now->moment[e], n, 2.0)));
    }
    /* the imbalance is an error too */
    now->force_error = fmax(off_F / F, now->imbalance);
    now->moment_error = fmax(off_M / M, now->imbalance);
    now->middle_error =
        fmax(fabs(remaining_change(now, &now->middle, n, 2.0)) / fmax(now->middle, 1e-6 * length), now->imbalance);
    const double before = l->extrapolated;
    l->extrapolated = now->force[l->end] + remaining_change(now, &now->force[l->end], n, 64.0);
    /* successive limits differ by at least three times the remaining error (second order); the first has no
     * predecessor */
    l->extrapolated_estimate =
        isnan(before) ? now->force_error : fmax(fabs(l->extrapolated - before) / 3.0 / F, now->imbalance);
}

wy_status wy_release_settle(wy_release *r, const wy_sink *sink, wy_error *err) {
    WY_GIVEN(r, err);
    static const wy_sink null_sink = {0};
    wy_release_result *l = &r->result;
    if (!r->moving.rod)
        return wy_fail(err, WY_BAD_INPUT, "the rod has not moved yet: call wy_release_move first");
    if (!l->rest)
        return WY_OK;
    sink = sink ? sink : &null_sink;
    wy_status s = solve_static_equations(r, err);
    /* critical damping of the slowest mode about the equilibrium, and steps that resolve it */
    const double rate = isnan(l->solved_rate) ? l->rate : l->solved_rate;
    const double alpha = isnan(r->options.damping) ? 2.0 * rate : r->options.damping, step = 4.0 / rate;
    const double below = fmax(0.01 * r->options.tolerance, 1e-9);
    int64_t elements = r->options.elements;
    l->level_count = 0;
    l->reached = false;
    l->extrapolated = l->extrapolated_estimate = NAN;
    double done = 0.0;
    for (size_t k = 0; k < WY_RELEASE_LEVELS && !s && !l->reached; k++, elements *= 2) {
        if (elements > r->options.most_elements)
            break;
        wy_release_level *level = &l->levels[k];
        s = refine_rod(r, elements, alpha, err);
        if (!s)
            s = move_until_rest(r, step, below, &level->steps, sink, done, 0.5 * (1.0 - done), err);
        if (!s)
            s = measure_level(r, level, err);
        if (s)
            return wy_fail_at(err, s, "the rod of %lld elements", (long long)elements);
        done = 0.5 * (1.0 + done);
        l->level_count++;
        if (k == 0)
            continue;
        estimate_errors(l, r->definition.rod.length);
        l->reached = fmax(level->force_error, fmax(level->moment_error, level->middle_error)) <= r->options.tolerance;
    }
    return s;
}
