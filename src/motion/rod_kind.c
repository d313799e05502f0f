/* `kind: dynamic`: from a scenario's numbers to frames of a moving rod. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <withy/kind.h>

#include "base/march.h"
#include "rod/rod_along.h"
#include "motion/rod_run.h"

typedef struct start_config {
    wy_choice shape;
    double position[3], orientation[4];
    bool equilibrium;
    double release[3];
    double velocity[3], spin[3];
    wy_samples velocities, poses;
} start_config;

typedef struct rest_config {
    double below, after;
} rest_config;

typedef struct rod_config {
    double length;
    int64_t elements;
    wy_choice section;
    wy_samples taper, stations;
    wy_choice damping;
    double mass_damping;
    wy_choice reference, ends[2];
    wy_list loads;
    start_config start;
    wy_choice method;
    wy_pace pace;
    double accuracy;
    rest_config rest;
} rod_config;

#define START(field) offsetof(start_config, field)
static const wy_param start_params[] = {
    {.key = "shape",
     .doc = "Strain along the rod; left out: the reference.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_shapes,
     .fallback = "",
     .offset = START(shape)},
    {.key = "position",
     .doc = "Of the section at s = 0.",
     .unit = "m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = START(position)},
    {.key = "orientation",
     .doc = "Of the section at s = 0, a quaternion (scalar first, body to space).",
     .unit = "1",
     .type = WY_TYPE_VECTOR,
     .count = 4,
     .fallback = "[1, 0, 0, 0]",
     .offset = START(orientation)},
    {.key = "equilibrium",
     .doc = "Start from the static equilibrium under the loads at t = 0, sought from the shape.",
     .type = WY_TYPE_BOOL,
     .fallback = "false",
     .offset = START(equilibrium)},
    {.key = "release",
     .doc = "Force on the end at s = L that takes part in that equilibrium and is let go at t = 0.",
     .unit = "N",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = START(release)},
    {.key = "velocity",
     .doc = "Velocity of the section at s = 0, in space.",
     .unit = "m/s",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = START(velocity)},
    {.key = "spin",
     .doc = "Angular velocity of the whole rod, in space.",
     .unit = "rad/s",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .fallback = "[0, 0, 0]",
     .offset = START(spin)},
    {.key = "velocities",
     .doc = "Rows of s, v (3), omega (3) in space, added to the rigid motion; linear in between.",
     .type = WY_TYPE_SAMPLES,
     .count = 7,
     .fallback = "",
     .offset = START(velocities)},
    {.key = "poses",
     .doc =
         "Instead of shape, position and orientation: rows of s, x (3), q (4) from s = 0 to the end, on a smooth curve.",
     .type = WY_TYPE_SAMPLES,
     .count = WY_POSE_COLUMNS,
     .fallback = "",
     .offset = START(poses)},
    {0},
};

#define REST(field) offsetof(rest_config, field)
static const wy_param rest_params[] = {
    {.key = "below",
     .doc = "Unbalanced force, relative to the largest inside the rod, and speed on the same scale; left out: "
            "do not stop.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .fallback = "",
     .offset = REST(below)},
    {.key = "after",
     .doc = "Do not look before this time.",
     .unit = "s",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_NONNEGATIVE,
     .fallback = "0",
     .offset = REST(after)},
    {0},
};

#define ROD(field) offsetof(rod_config, field)
static const wy_param params[] = {
    {.key = "length",
     .doc = "Length of the rod.",
     .unit = "m",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .offset = ROD(length)},
    {.key = "elements",
     .doc = "Number of elements.",
     .unit = "1",
     .type = WY_TYPE_INTEGER,
     .rule = WY_RULE_BETWEEN,
     .low = 1,
     .high = 10000000,
     .fallback = "20",
     .offset = ROD(elements)},
    {.key = "section",
     .doc = "The cross-section and its material.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_section_shapes,
     .offset = ROD(section)},
    {.key = "taper",
     .doc = "Rows of s and the relative size of the section there; left out: the same everywhere.",
     .type = WY_TYPE_SAMPLES,
     .count = 2,
     .fallback = "",
     .offset = ROD(taper)},
    {.key = "stations",
     .doc =
         "Instead of one section: rows of s, EI1, EI2, GJ, GA1, GA2, EA, rhoI1, rhoI2, rhoJ, rhoA; linear in between, two "
         "rows at the same s are a jump.",
     .type = WY_TYPE_SAMPLES,
     .count = WY_STATION_COLUMNS,
     .fallback = "",
     .offset = ROD(stations)},
    {.key = "damping",
     .doc = "Damping inside the rod.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_dampings,
     .fallback = "none",
     .offset = ROD(damping)},
    {.key = "mass_damping",
     .doc = "Force against the velocity, per mass.",
     .unit = "1/s",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_NONNEGATIVE,
     .fallback = "0",
     .offset = ROD(mass_damping)},
    {.key = "reference",
     .doc = "The shape without stress.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_shapes,
     .fallback = "straight",
     .offset = ROD(reference)},
    {.key = "first_end",
     .doc = "What holds or loads the end at s = 0.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_ends,
     .fallback = "clamped",
     .offset = ROD(ends[0])},
    {.key = "last_end",
     .doc = "What holds or loads the end at s = L.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_ends,
     .fallback = "free",
     .offset = ROD(ends[1])},
    {.key = "loads",
     .doc = "What acts along the rod.",
     .type = WY_TYPE_LIST,
     .from = &wy_loads,
     .fallback = "",
     .offset = ROD(loads)},
    {.key = "start",
     .doc = "Shape and velocity at t = 0.",
     .type = WY_TYPE_GROUP,
     .group = start_params,
     .offset = ROD(start)},
    {.key = "method",
     .doc = "The space-time method.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_rod_methods,
     .fallback = "exact-energy",
     .offset = ROD(method)},
    WY_PACE_PARAMS(rod_config, pace, ""),
    {.key = "accuracy",
     .doc = "Instead of elements, method and step: choose them so that the ends move right to this, relative "
            "to the length.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .fallback = "",
     .offset = ROD(accuracy)},
    {.key = "rest",
     .doc = "Stop before the end of the duration, when the rod is at rest.",
     .type = WY_TYPE_GROUP,
     .group = rest_params,
     .offset = ROD(rest)},
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
    d->stations = c->stations;
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
    d->poses = c->start.poses;
    return wy_rod_definition_check(d, key, err);
}

static wy_status check(const void *config, const char **key, wy_error *err) {
    const rod_config *c = config;
    wy_rod_definition d;
    const wy_status s = define(&d, c, key, err);
    if (s)
        return s;
    if (!isnan(c->rest.below) && (!c->method.entry || strcmp(c->method.entry->name, "exact-energy") != 0)) {
        *key = "rest";
        return wy_fail(err, WY_UNSUPPORTED, "whether a rod is at rest is known for the method exact-energy only");
    }
    if (isnan(c->pace.step) && isnan(c->accuracy)) {
        *key = NULL;
        return wy_fail(err, WY_BAD_INPUT,
                       "'step' is missing (a positive number in s), and no 'accuracy' is given to choose it by");
    }
    if (!isnan(c->pace.step) && !isnan(c->accuracy)) {
        *key = "step";
        return wy_fail(err, WY_BAD_INPUT, "'step' and 'accuracy' are both given: the accuracy chooses the step");
    }
    if (!isnan(c->pace.step) && wy_pace_check(&c->pace, key, err))
        return WY_BAD_INPUT;
    if (!(c->pace.duration <= 1e15)) {
        *key = "duration";
        return wy_fail(err, WY_BAD_INPUT, "'duration' is %g s, expected at most 1e15 s", c->pace.duration);
    }
    return WY_OK;
}

/* ---- the run ---- */

static wy_status run(const void *config, const wy_sink *sink, wy_error *err) {
    const rod_config *c = config;
    wy_rod_plan plan = {.duration = c->pace.duration,
                        .step = c->pace.step,
                        .every = c->pace.every,
                        .rest_below = isnan(c->rest.below) ? 0.0 : c->rest.below,
                        .rest_after = c->rest.after};
    wy_rod_definition d;
    wy_rod_moving moving = {0};
    wy_arena *arena = NULL; /* of the method that an accuracy chose */
    const char *key;
    wy_status s = define(&d, c, &key, err);
    if (!s && !isnan(c->accuracy)) {
        wy_rod_accuracy chosen;
        arena = wy_arena_create();
        s = arena ? wy_rod_for_accuracy(&chosen, &d, c->accuracy, c->pace.duration, arena, err)
                  : wy_fail(err, WY_NO_MEMORY, "no memory to choose a method");
        plan.step = s ? NAN : chosen.step;
    }
    if (!s)
        s = wy_rod_run(&moving, &d, &plan, sink, err);
    if (!s && plan.rest_below > 0.0 && !moving.at_rest)
        wy_sink_remark(sink, "the rod is not at rest after %g s", c->pace.duration);
    wy_rod_moving_free(&moving);
    wy_arena_free(arena);
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
