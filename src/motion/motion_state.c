/* States, scratch, and the calls that hand over to the method. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "math/vec3.h"
#include "motion/motion_internal.h"

static wy_status allocate_numbers(double **x, size_t size, const char *what, wy_error *err) {
    *x = wy_memory_take(size, sizeof **x, err, "%s of %zu numbers", what, size);
    return *x ? WY_OK : WY_NO_MEMORY;
}

wy_status wy_motion_state_create(wy_motion_state **out, const wy_motion *rod, wy_error *err) {
    if (!out || !rod)
        return wy_fail(err, WY_BAD_INPUT, "no rod to make a state for, or nowhere to put it: NULL");
    *out = NULL;
    wy_motion_state *state = calloc(1, sizeof *state);
    if (!state)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a state");
    state->size = WY_STATE_HEAD + rod->method->state_size(rod);
    const wy_status s = allocate_numbers(&state->x, state->size, "a state", err);
    if (s)
        free(state);
    else
        *out = state;
    return s;
}

void wy_motion_state_free(wy_motion_state *state) {
    if (state)
        free(state->x);
    free(state);
}

wy_status wy_motion_state_copy(wy_motion_state *to, const wy_motion_state *from, wy_error *err) {
    if (!to || !from)
        return wy_fail(err, WY_BAD_INPUT, "no state to copy, or nowhere to put it: NULL");
    if (to->size != from->size)
        return wy_fail(err, WY_BAD_INPUT, "a state of %zu numbers does not fit into one of %zu: it is another rod's",
                       from->size, to->size);
    memcpy(to->x, from->x, to->size * sizeof *to->x);
    return WY_OK;
}

size_t wy_motion_state_size(const wy_motion_state *state) {
    return state->size;
}

double *wy_motion_state_numbers(wy_motion_state *state) {
    return state->x;
}

wy_status wy_motion_work_create_for(wy_motion_work **out, const wy_motion *rod, size_t states, wy_error *err) {
    if (!out || !rod)
        return wy_fail(err, WY_BAD_INPUT, "no rod to make scratch for, or nowhere to put it: NULL");
    *out = NULL;
    wy_motion_work *work = calloc(1, sizeof *work);
    if (!work)
        return wy_fail(err, WY_NO_MEMORY, "no memory for scratch");
    const size_t factors = rod->method->factors_size ? rod->method->factors_size(rod) : 0;
    work->size = rod->method->work_size(rod);
    work->slots = factors > 0 && states > 1 ? states : 1;
    wy_status s =
        allocate_numbers(&work->x, wy_size_sum(work->size, wy_size_product(work->slots - 1, factors)), "scratch", err);
    if (!s && work->slots > 1) {
        work->owner = wy_memory_take(work->slots, sizeof *work->owner, err, "the factors of %zu states", work->slots);
        s = work->owner ? WY_OK : WY_NO_MEMORY;
    }
    if (!s && !rod->method->splits_at_breaks && wy_motion_next_break(rod, -INFINITY) < INFINITY)
        s = allocate_numbers(&work->before, WY_STATE_HEAD + rod->method->state_size(rod), "a state", err);
    if (s)
        wy_motion_work_free(work);
    else
        *out = work;
    return s;
}

wy_status wy_motion_work_create(wy_motion_work **out, const wy_motion *rod, wy_error *err) {
    return wy_motion_work_create_for(out, rod, 1, err);
}

void wy_motion_work_free(wy_motion_work *work) {
    if (work) {
        free(work->x);
        free(work->before);
        free(work->owner);
    }
    free(work);
}

size_t wy_motion_work_size(const wy_motion_work *work) {
    return work->size;
}

double *wy_motion_work_numbers(wy_motion_work *work) {
    return work->x;
}

static void remember_largest(const wy_motion *rod, double *x) {
    wy_motion_energy energy = {0};
    rod->method->energies(&energy, rod, x);
    x[WY_STATE_LARGEST] = fmax(x[WY_STATE_LARGEST], fmax(energy.kinetic, energy.strain));
}

/* A state or scratch of another rod would be written past its end. */
static wy_status check_fit(const wy_motion *rod, const wy_motion_state *state, const wy_motion_work *work,
                           wy_error *err) {
    if (!rod || !state || !work)
        return wy_fail(err, WY_BAD_INPUT, "no %s given: NULL", !rod ? "rod" : !state ? "state" : "scratch");
    const size_t size = WY_STATE_HEAD + rod->method->state_size(rod), scratch = rod->method->work_size(rod);
    if (state->size != size)
        return wy_fail(err, WY_BAD_INPUT, "this is the state of another rod: %zu numbers, this rod has %zu",
                       state->size, size);
    if (work->size != scratch)
        return wy_fail(err, WY_BAD_INPUT, "this is the scratch of another rod: %zu numbers, this rod needs %zu",
                       work->size, scratch);
    return WY_OK;
}

/* 0 x is 0 for every number and NaN for everything else. */
static wy_status check_state(const wy_motion_state *state, wy_error *err) {
    const double *x = state->x;
    double sum[8] = {0};
    for (size_t i = 0; i + 8 <= state->size; i += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += 0.0 * x[i + k];
    for (size_t i = state->size / 8 * 8; i < state->size; i++)
        sum[0] += 0.0 * x[i];
    const double all = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
    if (all == 0.0)
        return WY_OK;
    size_t bad = 0;
    while (bad < state->size && isfinite(x[bad]))
        bad++;
    return wy_fail(err, WY_NOT_FINITE, "number %zu of %zu of the rod's state is %g", bad, state->size,
                   bad < state->size ? x[bad] : 0.0);
}

wy_status wy_motion_check_state(const wy_motion *rod, const wy_motion_state *state, const wy_motion_work *work,
                                wy_error *err) {
    const wy_status s = check_fit(rod, state, work, err);
    return s ? s : check_state(state, err);
}

wy_status wy_motion_start(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, wy_error *err) {
    const wy_status fits = check_fit(rod, state, work, err);
    if (fits)
        return fits;
    memset(state->x, 0, state->size * sizeof *state->x);
    for (int e = 0; e < 2; e++)
        if (rod->ends[e]->carry)
            memcpy(state->x + WY_STATE_PATH + WY_PATH_NUMBERS * e, rod->def.ends[e].config,
                   rod->ends[e]->entry.config_size);
    const wy_status s = rod->method->start(rod, state->x, work->x, err);
    if (!s)
        remember_largest(rod, state->x);
    return s;
}

/* A step of a method that does not end it on breaks in time itself: in parts between them. */
static wy_status step_in_parts(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, double dt,
                               const wy_motion_step_options *options, wy_error *err) {
    const double begin = state->x[WY_STATE_TIME], end = begin + dt;
    double next = work->before ? wy_motion_next_break(rod, begin + WY_STEP_SLIVER * dt) : INFINITY;
    if (wy_step_part(end, next, dt) == end)
        return rod->method->step(rod, state->x, work->x, dt, options, err);
    memcpy(work->before, state->x, state->size * sizeof *state->x);
    wy_status s = WY_OK;
    for (double t = begin; t < end && !s;) {
        const double until = wy_step_part(end, next, dt);
        s = rod->method->step(rod, state->x, work->x, until - t, options, err);
        state->x[WY_STATE_TIME] = t = until;
        next = wy_motion_next_break(rod, t + WY_STEP_SLIVER * dt);
    }
    if (s)
        memcpy(state->x, work->before, state->size * sizeof *state->x);
    return s;
}

/* The slot with the factors of a state, or that of the state whose turn is the longest ago. States are mostly stepped
 * in turn: the next slot is looked at first. */
static size_t slot_of(wy_motion_work *work, const wy_motion_state *state) {
    if (work->slots < 2)
        return 0;
    size_t slot = work->last_slot;
    for (size_t i = 0; i < work->slots && work->owner[slot] != state; i++)
        slot = slot + 1 < work->slots ? slot + 1 : 0;
    if (work->owner[slot] != state)
        slot = work->last_slot + 1 < work->slots ? work->last_slot + 1 : 0;
    work->owner[slot] = state;
    work->last_slot = slot;
    return slot;
}

wy_status wy_motion_step_with(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, double dt,
                              const wy_motion_step_options *options, wy_error *err) {
    if (!(dt > 0.0) || !isfinite(dt))
        return wy_fail(err, WY_BAD_INPUT, "time step of %g s, expected a positive number", dt);
    wy_status s = wy_motion_check_state(rod, state, work, err);
    if (s)
        return s;
    wy_motion_step_options with_slot = *options;
    with_slot.factors_slot = slot_of(work, state);
    s = step_in_parts(rod, state, work, dt, &with_slot, err);
    if (s)
        return s;
    state->x[WY_STATE_STEPS] += 1.0;
    remember_largest(rod, state->x);
    return WY_OK;
}

wy_status wy_motion_step(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, double dt, wy_error *err) {
    static const wy_motion_step_options none;
    return wy_motion_step_with(rod, state, work, dt, &none, err);
}

wy_status wy_motion_push(const wy_motion *rod, wy_motion_state *state, int end, const double force[3],
                         const double moment[3], wy_error *err) {
    if (!rod || !state || !force || !moment)
        return wy_fail(err, WY_BAD_INPUT, "a push needs a rod, a state, a force and a moment: NULL");
    if (state->size != WY_STATE_HEAD + rod->method->state_size(rod))
        return wy_fail(err, WY_BAD_INPUT, "this is the state of another rod: %zu numbers", state->size);
    if (end != 0 && end != 1)
        return wy_fail(err, WY_BAD_INPUT, "end %d, expected 0 or 1", end);
    for (int i = 0; i < 3; i++)
        if (!isfinite(force[i]) || !isfinite(moment[i]))
            return wy_fail(err, WY_BAD_INPUT, "a push with a component of %g N or %g N m, expected numbers", force[i],
                           moment[i]);
    if (rod->constrains[end] & WY_CONSTRAINS_POSITION && v3_dot(force, force) > 0.0)
        return wy_fail(err, WY_BAD_INPUT, "the end at s = %g m is %s: a force on it does nothing",
                       end ? rod->def.length : 0.0, rod->ends[end]->entry.name);
    memcpy(state->x + WY_STATE_PUSH + 6 * end, force, 3 * sizeof *force);
    memcpy(state->x + WY_STATE_PUSH + 6 * end + 3, moment, 3 * sizeof *moment);
    return WY_OK;
}

wy_status wy_motion_carry(const wy_motion *rod, wy_motion_state *state, int end, const double position[3],
                          const double orientation[4], double dt, wy_error *err) {
    if (!rod || !state || !position || !orientation)
        return wy_fail(err, WY_BAD_INPUT, "carrying an end needs a rod, a state, a position and an orientation: NULL");
    if (state->size != WY_STATE_HEAD + rod->method->state_size(rod))
        return wy_fail(err, WY_BAD_INPUT, "this is the state of another rod: %zu numbers", state->size);
    if (end != 0 && end != 1)
        return wy_fail(err, WY_BAD_INPUT, "end %d, expected 0 or 1", end);
    if (!rod->ends[end]->carry)
        return wy_fail(err, WY_BAD_INPUT, "the end at s = %g m is %s: only a driven end can be carried along",
                       end ? rod->def.length : 0.0, rod->ends[end]->entry.name);
    if (!(dt > 0.0 && isfinite(dt)))
        return wy_fail(err, WY_BAD_INPUT, "carrying an end for %g s, expected a positive time", dt);
    for (int i = 0; i < 4; i++)
        if (!isfinite(position[i % 3]) || !isfinite(orientation[i]))
            return wy_fail(err, WY_BAD_INPUT, "an end is to be carried to %g m or %g, expected numbers",
                           position[i % 3], orientation[i]);
    double square = 0.0;
    for (int i = 0; i < 4; i++)
        square += orientation[i] * orientation[i];
    if (!(fabs(square - 1.0) <= 2e-3))
        return wy_fail(err, WY_BAD_INPUT, "an end is to be turned by a quaternion of length %g, expected 1",
                       sqrt(square));
    double p[3], D[9], q[4];
    wy_motion_end_pose(p, D, rod, state->x, end, state->x[WY_STATE_TIME]);
    wy_quat_from_directors(q, D);
    rod->ends[end]->carry(state->x + WY_STATE_PATH + WY_PATH_NUMBERS * end, state->x[WY_STATE_TIME], dt, p, q, position,
                          orientation);
    return WY_OK;
}

double wy_motion_time(const wy_motion_state *state) {
    return state->x[WY_STATE_TIME];
}

void wy_motion_energies(wy_motion_energy *energy, const wy_motion *rod, const wy_motion_state *state) {
    const double *x = state->x;
    memset(energy, 0, sizeof *energy);
    rod->method->energies(energy, rod, x);
    energy->dissipated = x[WY_STATE_DISSIPATED] + x[WY_STATE_DISSIPATED_LOW];
    energy->work = x[WY_STATE_WORK] + x[WY_STATE_WORK_LOW];
    energy->numerical = x[WY_STATE_NUMERICAL] + x[WY_STATE_NUMERICAL_LOW];
    energy->balance =
        energy->kinetic + energy->strain + energy->gravity + energy->dissipated + energy->numerical - energy->work;
    energy->largest = x[WY_STATE_LARGEST];
}

void wy_motion_momenta(double linear[3], double angular[3], const wy_motion *rod, const wy_motion_state *state) {
    rod->method->momenta(linear, angular, rod, state->x);
}

/* A state may come from an archive, with any numbers in it. */
static int64_t count_of(double x) {
    return x >= 0.0 && x <= 0x1p53 ? (int64_t)x : 0;
}

void wy_motion_statistics(wy_motion_stats *stats, const wy_motion_state *state) {
    stats->steps = count_of(state->x[WY_STATE_STEPS]);
    stats->iterations = count_of(state->x[WY_STATE_ITERATIONS]);
    stats->retries = count_of(state->x[WY_STATE_RETRIES]);
    stats->halvings = count_of(state->x[WY_STATE_HALVINGS]);
    stats->fallback_steps = count_of(state->x[WY_STATE_FALLBACK_STEPS]);
}

void wy_motion_read(const wy_motion *rod, const wy_motion_state *state, const wy_motion_view *view) {
    rod->method->read(rod, state->x, view);
}

double wy_motion_kinematic_residual(const wy_motion *rod, const wy_motion_state *state) {
    return rod->method->kinematic_residual(rod, state->x);
}

const wy_motion_newton *wy_motion_newton_of(const wy_motion *rod) {
    static const wy_motion_newton standard = {.tolerance = 1e-12, .max_iterations = 30, .halvings = 12};
    return rod->chosen.config ? rod->chosen.config : &standard;
}

const wy_param wy_motion_newton_params[] = {WY_MOTION_NEWTON_ROWS, {0}};
