/* Release of a rod: initial velocity and motion. docs/math/branches.md, "Letting go". */
#include "base/given.h"
#include "release/release.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/branches.h>
#include <withy/rotation.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"
#include "rod/rod_along.h"

enum { D = WY_STATIC_DIM };

void wy_release_options_init(wy_release_options *options) {
    *options = (wy_release_options){
        .push = 0.02, .damping = NAN, .duration = NAN, .tolerance = 1e-6, .elements = 32, .most_elements = 2048};
}

static wy_status check_release_options(const wy_release_options *o, wy_error *err) {
    if (!(o->push > 0.0) || !(o->push <= 1.0))
        return wy_fail(err, WY_BAD_INPUT, "push is %g, expected a number above 0, at most 1", o->push);
    if (!isnan(o->damping) && (!(o->damping > 0.0) || !isfinite(o->damping)))
        return wy_fail(err, WY_BAD_INPUT, "damping is %g 1/s, expected a positive number", o->damping);
    if (!isnan(o->duration) && (!(o->duration > 0.0) || !isfinite(o->duration)))
        return wy_fail(err, WY_BAD_INPUT, "duration is %g s, expected a positive number", o->duration);
    if (!(o->tolerance >= 1e-9) || !(o->tolerance <= 1.0))
        return wy_fail(err, WY_BAD_INPUT, "tolerance is %g, expected a number from 1e-9 to 1", o->tolerance);
    if (o->elements < 4 || o->elements > 100000)
        return wy_fail(err, WY_BAD_INPUT, "%lld elements, expected 4 to 100000", (long long)o->elements);
    if (o->most_elements < o->elements || o->most_elements > 1000000)
        return wy_fail(err, WY_BAD_INPUT, "at most %lld elements of the refined rods, expected %lld to 1000000",
                       (long long)o->most_elements, (long long)o->elements);
    return WY_OK;
}

static double signed_push(const wy_release *r) {
    return r->options.backwards ? -r->options.push : r->options.push;
}

/* Without a potential there is no mode: a lateral velocity, in two directions, zero where the position is
 * constrained. */
static void set_lateral_velocity(double *rows, const wy_equilibrium *solver, double speed) {
    const wy_rod_definition *b = &solver->model->rod->def;
    const size_t n = wy_equilibrium_count(solver);
    const bool left = equilibrium_end_constrains(&solver->model->control.left, WY_CONSTRAINS_POSITION),
               right = equilibrium_end_constrains(&solver->model->control.right, WY_CONSTRAINS_POSITION);
    for (size_t i = 0; i < n; i++) {
        const double x = wy_equilibrium_s(solver)[i] / b->length;
        const double f = left && right ? wy_sin(WY_PI * x) : left ? x : right ? 1.0 - x : 1.0;
        const double lateral[3] = {f, 0.7 * f, 0.0};
        double q[4], *row = rows + 7 * i;
        wy_quat_normalize(q, wy_equilibrium_states(solver) + D * i + WY_STATIC_Q);
        wy_quat_rotate(row + 1, q, lateral);
        v3_scale(row + 1, speed * b->length, row + 1);
    }
}

/* Initial velocity: push times growth rate times the mode with a largest rotation of 1 rad or displacement of 1
 * length. */
static wy_status set_initial_velocity(wy_release *r, wy_error *err) {
    const wy_rod_definition *b = &r->solver->model->rod->def;
    const size_t n = wy_equilibrium_count(r->solver);
    double value, *rows = wy_arena_take(r->arena, 7 * n * sizeof *rows),
                  *shape = wy_arena_take(r->arena, 6 * n * sizeof *shape);
    if (!rows || !shape)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    for (size_t i = 0; i < n; i++)
        rows[7 * i] = wy_equilibrium_s(r->solver)[i];
    r->definition.start.velocities = (wy_samples){.rows = n, .values = rows};
    wy_section first;
    wy_rod_section_at(&first, b, 0.0, 1);
    const wy_section *c = &first;
    if (!wy_equilibrium_is_conservative(r->solver->model)) {
        if (!(c->rhoA > 0.0))
            return wy_fail(err, WY_BAD_INPUT, "a released rod needs mass: rho A is %g kg/m", c->rhoA);
        r->result.negative = -1;
        r->result.rate = 3.516 / (b->length * b->length) * sqrt(fmin(c->EI1, c->EI2) / c->rhoA);
        set_lateral_velocity(rows, r->solver, signed_push(r) * r->result.rate);
        return WY_OK;
    }
    wy_equilibrium_modes modes = {.eigenvalues = &value, .shapes = shape};
    const wy_status s = wy_equilibrium_vibrations(&modes, 1, r->solver, err);
    if (s)
        return s;
    const double rate_unit = fmin(c->EI1, c->EI2) / (c->rhoA * b->length * b->length * b->length * b->length);
    if (!(fabs(value) > 1e-5 * rate_unit)) /* more than 300 times slower than a rod of this size */
        return wy_fail(
            err, WY_UNSUPPORTED,
            "the slowest mode has almost no stiffness (omega^2 = %.3g s^-2): stability is undecided at a fold or a "
            "branch point; release a nearby solution",
            value);
    r->result.negative = modes.negative;
    r->result.rate = sqrt(fabs(value));
    r->result.unstable = value < 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            rows[7 * i + 1 + k] = signed_push(r) * r->result.rate * b->length * shape[6 * i + 3 + k];
            rows[7 * i + 4 + k] = signed_push(r) * r->result.rate * shape[6 * i + k];
        }
    return WY_OK;
}

static wy_status set_initial_poses(wy_release *r, wy_error *err) {
    const size_t n = wy_equilibrium_count(r->solver);
    double *rows = wy_arena_take(r->arena, WY_POSE_COLUMNS * n * sizeof *rows);
    if (!rows)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    for (size_t i = 0; i < n; i++) {
        const double *y = wy_equilibrium_states(r->solver) + D * i;
        double *row = rows + WY_POSE_COLUMNS * i;
        row[0] = wy_equilibrium_s(r->solver)[i];
        v3_copy(row + 1, y + WY_STATIC_X);
        wy_quat_normalize(row + 4, y + WY_STATIC_Q);
    }
    r->definition.start.poses = (wy_samples){.rows = n, .values = rows};
    return WY_OK;
}

/* Sets step, damping and the time before the rod may count as at rest. In a growth time of 1/rate, mass damping alpha
 * lets the push grow by lambda = -alpha/2 + sqrt(alpha^2/4 + rate^2); until the push can have grown to the size of the
 * rod, a slow rod does not count as at rest. (8.20) */
static void set_motion_plan(wy_release *r) {
    const double rate = r->result.rate, step = 0.1 / rate;
    wy_rod_definition *d = &r->definition.rod;
    d->mass_damping = isnan(r->options.damping) ? 2.0 * rate : r->options.damping;
    const double half = 0.5 * d->mass_damping, growth = rate * rate / (half + sqrt(half * half + rate * rate));
    r->plan = (wy_motion_plan){.duration = isnan(r->options.duration) ? 400.0 / rate : r->options.duration,
                               .step = step,
                               .every = 2,
                               .rest_below = fmin(1e-4, 10.0 * r->options.tolerance),
                               .rest_after = r->result.unstable ? wy_log(1.0 / r->options.push) / growth : 0.0};
    if (isnan(r->options.duration) && !(r->plan.duration > 4.0 * r->plan.rest_after))
        r->plan.duration = 4.0 * r->plan.rest_after;
}

/* Whether the end at s = L is constrained or loaded; a free end, or one with zero load, has no force. */
static int has_end_force(const wy_rod_definition *d, const wy_section *section) {
    static const double zero[3], frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const wy_joint *last = (const wy_joint *)(const void *)d->ends[1].entry;
    if (last->constrains || !last->wrench)
        return last->constrains != 0;
    wy_wrench w = {0};
    const wy_material_point point = {.s = d->length,
                                     .length = d->length,
                                     .section = section,
                                     .x = zero,
                                     .D = frame,
                                     .v = zero,
                                     .omega = zero,
                                     .a = zero};
    last->wrench(&w, d->ends[1].config, &point);
    for (int i = 0; i < 6; i++)
        if (w.space[i] != 0.0 || w.body[i] != 0.0)
            return 1;
    return 0;
}

wy_status wy_release_create(wy_release **out, wy_equilibrium *solver, const wy_release_options *options,
                            wy_error *err) {
    if (!out || !solver)
        return wy_fail(err, WY_BAD_INPUT, "release and solver must not be NULL");
    *out = NULL;
    if (!wy_equilibrium_states(solver))
        return wy_fail(err, WY_BAD_INPUT, "the solver has no equilibrium to release");
    wy_release_options o;
    wy_release_options_init(&o);
    if (options)
        o = *options;
    wy_status s = check_release_options(&o, err);
    if (s)
        return s;
    wy_release *r = calloc(1, sizeof *r);
    if (!r || !(r->arena = wy_arena_create())) {
        free(r);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a release");
    }
    r->options = o;
    r->solver = solver;
    r->result.extrapolated = r->result.extrapolated_estimate = r->result.solved_rate = NAN;
    const wy_rod_definition *b = &solver->model->rod->def;
    wy_section first;
    wy_rod_section_at(&first, b, 0.0, 1);
    r->result.unit = first.EI1 / (b->length * b->length);
    s = wy_release_prepare(r, err);
    if (!s)
        r->result.end = has_end_force(&r->definition.rod, &first);
    if (!s)
        s = set_initial_velocity(r, err);
    if (!s)
        s = set_initial_poses(r, err);
    if (!s) {
        set_motion_plan(r);
        const char *key;
        s = wy_motion_check(&r->definition, &key, err);
    }
    if (s)
        wy_release_free(r);
    else
        *out = r;
    return s;
}

void wy_release_free(wy_release *r) {
    if (!r)
        return;
    wy_motion_instance_free(&r->moving);
    wy_arena_free(r->arena);
    free(r->rows);
    free(r);
}

const wy_motion_definition *wy_release_motion(const wy_release *r) {
    return &r->definition;
}

const wy_motion_plan *wy_release_plan(const wy_release *r) {
    return &r->plan;
}

const wy_release_result *wy_release_get_result(const wy_release *r) {
    return &r->result;
}

wy_status wy_release_move(wy_release *r, const wy_sink *sink, wy_error *err) {
    WY_GIVEN(r, err);
    static const wy_sink null_sink = {0};
    wy_motion_instance_free(&r->moving);
    const wy_status s = wy_motion_run(&r->moving, &r->definition, &r->plan, sink ? sink : &null_sink, err);
    if (s)
        return s;
    wy_motion_energy energy;
    wy_motion_energies(&energy, r->moving.rod, r->moving.state);
    r->result.rest = r->moving.at_rest;
    r->result.time = wy_motion_time(r->moving.state);
    r->result.kinetic = energy.kinetic;
    r->result.strain = energy.strain;
    if (!r->result.rest)
        wy_sink_note(sink ? sink : &null_sink, "the rod is not at rest after %g s: its kinetic energy is %.3g J",
                     r->result.time, energy.kinetic);
    return WY_OK;
}
