/* `kind: dynamic`: from a scenario's numbers to frames of a moving rod. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <withy/kind.h>

#include "math/vec3.h"
#include "rod/rod_internal.h"

typedef struct start_config {
    wy_choice shape;
    double position[3], orientation[4];
    bool equilibrium;
    double release[3];
    double velocity[3], spin[3];
    wy_samples velocities;
} start_config;

typedef struct rod_config {
    double length;
    int64_t elements;
    wy_choice section;
    wy_samples taper;
    wy_choice damping;
    double mass_damping;
    wy_choice reference, ends[2];
    wy_list loads;
    start_config start;
    wy_choice method;
    double duration, step, accuracy;
    int64_t every;
} rod_config;

#define START(field) offsetof(start_config, field)
static const wy_param start_params[] = {
    {.key = "shape", .doc = "Strain along the rod; left out: the reference.", .type = WY_TYPE_CHOICE, .from = &wy_shapes,
     .fallback = "", .offset = START(shape)},
    {.key = "position", .doc = "Of the section at s = 0.", .unit = "m", .type = WY_TYPE_VECTOR, .count = 3,
     .fallback = "[0, 0, 0]", .offset = START(position)},
    {.key = "orientation", .doc = "Of the section at s = 0, a quaternion (scalar first, body to space).", .unit = "1",
     .type = WY_TYPE_VECTOR, .count = 4, .fallback = "[1, 0, 0, 0]", .offset = START(orientation)},
    {.key = "equilibrium", .doc = "Start from the static equilibrium under the loads at t = 0, sought from the shape.",
     .type = WY_TYPE_BOOL, .fallback = "false", .offset = START(equilibrium)},
    {.key = "release", .doc = "Force on the end at s = L that takes part in that equilibrium and is let go at t = 0.",
     .unit = "N", .type = WY_TYPE_VECTOR, .count = 3, .fallback = "[0, 0, 0]", .offset = START(release)},
    {.key = "velocity", .doc = "Velocity of the section at s = 0, in space.", .unit = "m/s", .type = WY_TYPE_VECTOR,
     .count = 3, .fallback = "[0, 0, 0]", .offset = START(velocity)},
    {.key = "spin", .doc = "Angular velocity of the whole rod, in space.", .unit = "rad/s", .type = WY_TYPE_VECTOR,
     .count = 3, .fallback = "[0, 0, 0]", .offset = START(spin)},
    {.key = "velocities", .doc = "Rows of s, v (3), omega (3) in space, added to the rigid motion; linear in between.",
     .type = WY_TYPE_SAMPLES, .count = 7, .fallback = "", .offset = START(velocities)},
    {0},
};

#define ROD(field) offsetof(rod_config, field)
static const wy_param params[] = {
    {.key = "length", .doc = "Length of the rod.", .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE,
     .offset = ROD(length)},
    {.key = "elements", .doc = "Number of elements.", .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1,
     .high = 10000000, .fallback = "20", .offset = ROD(elements)},
    {.key = "section", .doc = "The cross-section and its material.", .type = WY_TYPE_CHOICE, .from = &wy_section_shapes,
     .offset = ROD(section)},
    {.key = "taper", .doc = "Rows of s and the relative size of the section there; left out: the same everywhere.",
     .type = WY_TYPE_SAMPLES, .count = 2, .fallback = "", .offset = ROD(taper)},
    {.key = "damping", .doc = "Damping inside the rod.", .type = WY_TYPE_CHOICE, .from = &wy_dampings, .fallback = "none",
     .offset = ROD(damping)},
    {.key = "mass_damping", .doc = "Force against the velocity, per mass.", .unit = "1/s", .type = WY_TYPE_REAL,
     .rule = WY_RULE_NONNEGATIVE, .fallback = "0", .offset = ROD(mass_damping)},
    {.key = "reference", .doc = "The shape without stress.", .type = WY_TYPE_CHOICE, .from = &wy_shapes,
     .fallback = "straight", .offset = ROD(reference)},
    {.key = "first_end", .doc = "What holds or loads the end at s = 0.", .type = WY_TYPE_CHOICE, .from = &wy_ends,
     .fallback = "clamped", .offset = ROD(ends[0])},
    {.key = "last_end", .doc = "What holds or loads the end at s = L.", .type = WY_TYPE_CHOICE, .from = &wy_ends,
     .fallback = "free", .offset = ROD(ends[1])},
    {.key = "loads", .doc = "What acts along the rod.", .type = WY_TYPE_LIST, .from = &wy_loads, .fallback = "",
     .offset = ROD(loads)},
    {.key = "start", .doc = "Shape and velocity at t = 0.", .type = WY_TYPE_GROUP, .group = start_params,
     .offset = ROD(start)},
    {.key = "method", .doc = "The space-time method.", .type = WY_TYPE_CHOICE, .from = &wy_rod_methods,
     .fallback = "exact-energy", .offset = ROD(method)},
    {.key = "duration", .doc = "How long to simulate.", .unit = "s", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE,
     .offset = ROD(duration)},
    {.key = "step", .doc = "Time step; made a little smaller where the duration is not a multiple of it.", .unit = "s",
     .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .fallback = "", .offset = ROD(step)},
    {.key = "accuracy", .doc = "Instead of elements, method and step: choose them so that the ends move right to this, relative "
     "to the length.", .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .fallback = "", .offset = ROD(accuracy)},
    {.key = "every", .doc = "Record every so many steps (the first and the last state always).", .unit = "1",
     .type = WY_TYPE_INTEGER, .rule = WY_RULE_POSITIVE, .fallback = "1", .offset = ROD(every)},
    {0},
};

/* The number that a choice was given for `key`, NaN if its table has no such key. */
static double number_of(const wy_choice *choice, const char *key) {
    for (const wy_param *p = choice->entry->params; p && p->key; p++)
        if (strcmp(p->key, key) == 0 && p->type == WY_TYPE_REAL)
            return *(const double *)(const void *)((const char *)choice->config + p->offset);
    return NAN;
}

static wy_status define(wy_rod_definition *d, const rod_config *c, const char **key, wy_error *err) {
    wy_rod_definition_init(d);
    *key = "section";
    wy_status s = wy_section_make(&d->section, &c->section, err);
    if (s)
        return s;
    d->length = c->length;
    d->elements = c->elements;
    d->taper = c->taper;
    if (c->damping.entry) {
        *key = "damping";
        const wy_damping *damping = (const wy_damping *)(const void *)c->damping.entry;
        s = damping->viscosity(d->viscosity, c->damping.config, &d->section, number_of(&c->section, "density"), err);
        if (s)
            return s;
    }
    d->mass_damping = c->mass_damping;
    d->reference = c->reference;
    d->ends[0] = c->ends[0];
    d->ends[1] = c->ends[1];
    d->loads = c->loads;
    d->method = c->method;
    d->shape = c->start.shape;
    memcpy(d->position, c->start.position, sizeof d->position);
    memcpy(d->orientation, c->start.orientation, sizeof d->orientation);
    d->equilibrium = c->start.equilibrium;
    memcpy(d->release, c->start.release, sizeof d->release);
    memcpy(d->velocity, c->start.velocity, sizeof d->velocity);
    memcpy(d->spin, c->start.spin, sizeof d->spin);
    d->velocities = c->start.velocities;
    return wy_rod_definition_check(d, key, err);
}

static wy_status check(const void *config, const char **key, wy_error *err) {
    const rod_config *c = config;
    wy_rod_definition d;
    const wy_status s = define(&d, c, key, err);
    if (s)
        return s;
    if (isnan(c->step) && isnan(c->accuracy)) {
        *key = NULL;
        return wy_fail(err, WY_BAD_INPUT, "'step' is missing (a positive number in s), and no 'accuracy' is given to choose it by");
    }
    if (!isnan(c->step) && !isnan(c->accuracy)) {
        *key = "step";
        return wy_fail(err, WY_BAD_INPUT, "'step' and 'accuracy' are both given: the accuracy chooses the step");
    }
    if (!isnan(c->step) && !(c->duration / c->step <= 1e15)) {
        *key = "step";
        return wy_fail(err, WY_BAD_INPUT, "'step' %g s cuts the duration %g s into more than 1e15 steps", c->step,
                       c->duration);
    }
    return WY_OK;
}

/* ---- frames ---- */

enum {
    TIME, POSITION, ORIENTATION, VELOCITY, STRAIN, WRENCH, TIP, KINETIC, ELASTIC, GRAVITY, DISSIPATED, WORK, BALANCE, LINEAR,
    ANGULAR, ITERATIONS, RETRIES, HALVINGS, DRIFT, MOMENTUM_DRIFT, GAP, ALL_ITERATIONS, ALL_RETRIES, ALL_HALVINGS, CHANNELS
};

static const wy_channel channels[CHANNELS] = {
    [TIME] = {.name = "time", .unit = "s", .doc = "Time."},
    [POSITION] = {.group = "state", .name = "position", .unit = "m", .doc = "Nodes along the rod, in space.", .panel = "shape", .rank = 2,
                  .dims = {0, 3}},
    [ORIENTATION] = {.group = "state", .name = "orientation", .unit = "1",
                     .doc = "Quaternions of the nodes, scalar first, body to space.", .rank = 2, .dims = {0, 4}},
    [VELOCITY] = {.group = "state", .name = "velocity", .unit = "rad/s, m/s",
                  .doc = "[omega; v] of the nodes in the body frame.", .rank = 2, .dims = {0, 6}},
    [STRAIN] = {.group = "state", .name = "strain", .unit = "rad/m, 1",
                .doc = "[kappa; nu] of the elements in the body frame, constant over each: its integral is the poses.",
                .rank = 2, .dims = {0, 6}},
    [WRENCH] = {.group = "state", .name = "wrench", .unit = "N m, N",
                .doc = "[moment; force] inside the elements, in the body frame.", .rank = 2, .dims = {0, 6}},
    [TIP] = {.group = "state", .name = "tip", .unit = "m", .doc = "Position of the end at s = L, in space.", .rank = 1,
             .dims = {3}, .panel = "tip position"},
    [KINETIC] = {.group = "energy", .name = "kinetic", .unit = "J", .doc = "Kinetic energy.", .panel = "energy"},
    [ELASTIC] = {.group = "energy", .name = "strain_energy", .unit = "J", .doc = "Elastic energy.", .panel = "energy"},
    [GRAVITY] = {.group = "energy", .name = "gravity", .unit = "J", .doc = "Potential of gravity, 0 at the origin.",
                 .panel = "energy"},
    [DISSIPATED] = {.group = "energy", .name = "dissipated", .unit = "J", .doc = "Taken by viscosity and drag so far.",
                    .panel = "energy"},
    [WORK] = {.group = "energy", .name = "work", .unit = "J", .doc = "Done by loads and moved ends so far.",
              .panel = "energy"},
    [BALANCE] = {.group = "invariants", .name = "balance", .unit = "J",
                 .doc = "kinetic + strain + gravity + dissipated - work.", .panel = "energy balance"},
    [LINEAR] = {.group = "momentum", .name = "linear_momentum", .unit = "kg m/s", .doc = "In space.", .rank = 1,
                .dims = {3}},
    [ANGULAR] = {.group = "momentum", .name = "angular_momentum", .unit = "kg m^2/s", .doc = "About the origin, in space.",
                 .rank = 1, .dims = {3}},
    [ITERATIONS] = {.group = "solver", .name = "iterations", .unit = "1", .doc = "Newton iterations since the last frame.",
                    .whole = true},
    [RETRIES] = {.group = "solver", .name = "retries", .unit = "1", .doc = "Attempts made again since the last frame.",
                 .whole = true},
    [HALVINGS] = {.group = "solver", .name = "halvings", .unit = "1", .doc = "Steps cut in two since the last frame.",
                  .whole = true},
    [DRIFT] = {.group = "certificate", .name = "energy_drift", .unit = "1",
               .doc = "Largest change of the balance so far, relative to the largest kinetic or strain energy."},
    [MOMENTUM_DRIFT] = {.group = "certificate", .name = "momentum_drift", .unit = "1",
                        .doc = "Largest change of the momenta so far, relative; 0 where ends or loads change them."},
    [GAP] = {.group = "certificate", .name = "pose_gap", .unit = "1",
             .doc = "Largest distance so far of the poses from the integral of the strains, relative to the length."},
    [ALL_ITERATIONS] = {.group = "certificate", .name = "newton_iterations", .unit = "1",
                        .doc = "Newton iterations so far.", .whole = true},
    [ALL_RETRIES] = {.group = "certificate", .name = "attempts_repeated", .unit = "1",
                     .doc = "Attempts made again so far.", .whole = true},
    [ALL_HALVINGS] = {.group = "certificate", .name = "steps_halved", .unit = "1", .doc = "Steps cut in two so far.",
                      .whole = true},
};

typedef struct rod_run {
    const rod_config *config;
    const wy_sink *sink;
    wy_rod *rod;
    wy_rod_state *state;
    wy_rod_work *work;
    wy_channel channels[CHANNELS];
    double *position, *orientation, *velocity, *strain, *wrench;
    int64_t done; /* steps */
    wy_rod_stats before;
    double balance, linear[3], angular[3], drift, momentum_drift, gap; /* at the start, and the worst so far */
    bool loose; /* nothing changes the momenta */
    double step;
    wy_arena *arena; /* of the method that an accuracy chose */
} rod_run;

/* Everything that the rest of the run depends on. */
enum { PARTS = 9 };
static void list_parts(wy_part parts[PARTS], rod_run *run) {
    parts[0] = (wy_part){wy_rod_state_numbers(run->state), wy_rod_state_size(run->state) * sizeof(double)};
    parts[1] = (wy_part){&run->done, sizeof run->done};
    parts[2] = (wy_part){&run->before, sizeof run->before};
    parts[3] = (wy_part){&run->balance, sizeof run->balance};
    parts[4] = (wy_part){run->linear, sizeof run->linear};
    parts[5] = (wy_part){run->angular, sizeof run->angular};
    parts[6] = (wy_part){&run->drift, sizeof run->drift};
    parts[7] = (wy_part){&run->momentum_drift, sizeof run->momentum_drift};
    parts[8] = (wy_part){&run->gap, sizeof run->gap};
}

/* Keeps the certificate's worst values up to date; called after every step. */
static void watch(rod_run *run, wy_rod_energy *energy, double linear[3], double angular[3], bool start) {
    wy_rod_energies(energy, run->rod, run->state);
    wy_rod_momenta(linear, angular, run->rod, run->state);
    if (start) {
        run->balance = energy->balance;
        memcpy(run->linear, linear, sizeof run->linear);
        memcpy(run->angular, angular, sizeof run->angular);
    }
    const double change = fabs(energy->balance - run->balance);
    if (change > 0.0)
        run->drift = fmax(run->drift, energy->largest > 0.0 ? change / energy->largest : 0.0);
    if (run->loose) {
        double a[3], b[3];
        v3_sub(a, linear, run->linear);
        v3_sub(b, angular, run->angular);
        /* a rod at rest has no momentum to compare with: its mass moving at the speed of its energy has */
        const double M = run->rod->def.section.rhoA * run->config->length, speed = sqrt(2.0 * energy->largest / M);
        const double scale = fmax(v3_norm(run->linear), M * speed);
        const double scale2 = fmax(v3_norm(run->angular), M * speed * run->config->length);
        if (scale > 0.0)
            run->momentum_drift = fmax(run->momentum_drift, fmax(v3_norm(a) / scale, v3_norm(b) / scale2));
    }
}

static wy_status record(rod_run *run, wy_error *err) {
    wy_rod_energy energy;
    wy_rod_stats now;
    double linear[3], angular[3];
    watch(run, &energy, linear, angular, false);
    wy_rod_statistics(&now, run->state);
    const wy_rod_view view = {run->position, run->orientation, run->velocity, run->strain, run->wrench};
    wy_rod_read(run->rod, run->state, &view);
    run->gap = fmax(run->gap, wy_rod_pose_gap(run->rod, run->state) / run->config->length);
    const double t = wy_rod_time(run->state), iterations = (double)(now.iterations - run->before.iterations),
                 retries = (double)(now.retries - run->before.retries),
                 halvings = (double)(now.halvings - run->before.halvings), all_iterations = (double)now.iterations,
                 all_retries = (double)now.retries, all_halvings = (double)now.halvings;
    run->before = now;
    const double *values[CHANNELS] = {
        [TIME] = &t, [POSITION] = run->position, [ORIENTATION] = run->orientation, [VELOCITY] = run->velocity,
        [STRAIN] = run->strain, [WRENCH] = run->wrench, [TIP] = run->position + 3 * (wy_rod_nodes(run->rod) - 1),
        [KINETIC] = &energy.kinetic, [ELASTIC] = &energy.strain, [GRAVITY] = &energy.gravity,
        [DISSIPATED] = &energy.dissipated, [WORK] = &energy.work, [BALANCE] = &energy.balance, [LINEAR] = linear,
        [ANGULAR] = angular, [ITERATIONS] = &iterations, [RETRIES] = &retries, [HALVINGS] = &halvings,
        [DRIFT] = &run->drift, [MOMENTUM_DRIFT] = &run->momentum_drift, [GAP] = &run->gap,
        [ALL_ITERATIONS] = &all_iterations, [ALL_RETRIES] = &all_retries, [ALL_HALVINGS] = &all_halvings,
    };
    wy_part parts[PARTS];
    list_parts(parts, run);
    const wy_status s = wy_sink_keep(run->sink, parts, PARTS, err);
    return s ? s : wy_sink_frame(run->sink, run->channels, CHANNELS, values, err);
}

static wy_status march(rod_run *run, wy_error *err) {
    const rod_config *c = run->config;
    const int64_t steps = (int64_t)ceil(c->duration / run->step * (1.0 - 1e-12));
    const double dt = c->duration / (double)steps;
    wy_rod_energy energy;
    double linear[3], angular[3];
    watch(run, &energy, linear, angular, true);
    wy_part parts[PARTS];
    list_parts(parts, run);
    bool resumed;
    wy_status s = wy_sink_begin(run->sink, run->channels, CHANNELS, err);
    if (!s)
        s = wy_sink_resume(&resumed, run->sink, parts, PARTS, err);
    if (!s && !resumed)
        s = record(run, err);
    for (int64_t n = run->done + 1; n <= steps && !s; n++) {
        s = wy_rod_step(run->rod, run->state, run->work, dt, err);
        if (s)
            return s;
        run->done = n;
        if (n % c->every == 0 || n == steps)
            s = record(run, err);
        else
            watch(run, &energy, linear, angular, false);
        if (!s)
            s = wy_sink_progress(run->sink, (double)n / (double)steps, err);
    }
    return s;
}

static wy_status prepare(rod_run *run, wy_error *err) {
    wy_rod_definition d;
    const char *key;
    wy_status s = define(&d, run->config, &key, err);
    run->step = run->config->step;
    if (!s && !isnan(run->config->accuracy)) {
        wy_rod_accuracy chosen;
        run->arena = wy_arena_create();
        s = run->arena ? wy_rod_for_accuracy(&chosen, &d, run->config->accuracy, run->config->duration, run->arena, err)
                       : wy_fail(err, WY_NO_MEMORY, "no memory to choose a method");
        run->step = s ? NAN : chosen.step;
    }
    if (!s)
        s = wy_rod_create(&run->rod, &d, err);
    if (!s)
        s = wy_rod_state_create(&run->state, run->rod, err);
    if (!s)
        s = wy_rod_work_create(&run->work, run->rod, err);
    if (!s)
        s = wy_rod_start(run->rod, run->state, run->work, err);
    if (s)
        return s;
    const size_t n = wy_rod_nodes(run->rod);
    run->position = calloc(n, (3 + 4 + 6 + 6 + 6) * sizeof(double));
    if (!run->position)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a frame of %zu nodes", n);
    run->orientation = run->position + 3 * n;
    run->velocity = run->orientation + 4 * n;
    run->strain = run->velocity + 6 * n;
    run->wrench = run->strain + 6 * n;
    memcpy(run->channels, channels, sizeof channels);
    run->channels[POSITION].dims[0] = run->channels[ORIENTATION].dims[0] = run->channels[VELOCITY].dims[0] = n;
    run->channels[STRAIN].dims[0] = run->channels[WRENCH].dims[0] = n - 1;
    run->loose = d.loads.count == 0 && d.mass_damping == 0.0;
    for (int e = 0; e < 2; e++)
        run->loose = run->loose && run->rod->ends[e]->holds == 0 && !run->rod->ends[e]->act;
    return WY_OK;
}

static wy_status run(const void *config, const wy_sink *sink, wy_error *err) {
    rod_run run = {.config = config, .sink = sink};
    wy_status s = prepare(&run, err);
    if (!s)
        s = march(&run, err);
    free(run.position);
    wy_rod_work_free(run.work);
    wy_rod_state_free(run.state);
    wy_rod_free(run.rod);
    wy_arena_free(run.arena);
    return s;
}

const wy_kind wy_kind_dynamic = {
    .entry = {.name = "dynamic",
              .doc = "A rod in motion: large bending, twist, shear and stretch, loads, any ends.",
              .params = params,
              .config_size = sizeof(rod_config)},
    .check = check,
    .run = run,
};
