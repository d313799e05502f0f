/* `kind: dynamic`: from a scenario's numbers to frames of a moving rod. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <withy/equilibrium.h>
#include <withy/kind.h>

#include "base/march.h"
#include "motion/motion_internal.h"
#include "rod/rod_params.h"
#include "motion/motion_run.h"

typedef struct rest_config {
    double below, after;
} rest_config;

typedef struct rod_config {
    wy_motion_definition moving;
    wy_time_grid grid;
    double accuracy, output_step;
    rest_config rest;
    bool estimate;
} rod_config;

static const wy_param start_params[] = {WY_ROD_START_PARAMS(rod_config, moving.rod, moving.start), {0}};

#define REST(field) offsetof(rest_config, field)
static const wy_param rest_params[] = {
    {.key = "below",
     .doc = "Unbalanced force, relative to the largest inside the rod, and speed on the same scale; left out: "
            "do not stop.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .default_text = "",
     .offset = REST(below)},
    {.key = "after",
     .doc = "Do not look before this time.",
     .unit = "s",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_NONNEGATIVE,
     .default_text = "0",
     .offset = REST(after)},
    {0},
};

#define ROD(field) offsetof(rod_config, field)
static const wy_param dynamic_params[] = {
    WY_ROD_PARAMS(rod_config, moving.rod, "20", "clamped", "free"),
    {.key = "start", .doc = "Shape and velocity at t = 0.", .type = WY_TYPE_GROUP, .group = start_params},
    {.key = "method",
     .doc = "The space-time method.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_motion_methods,
     .default_text = "gauss-director",
     .offset = ROD(moving.method)},
    WY_TIME_GRID_PARAMS(rod_config, grid, ""),
    {.key = "output_step",
     .doc = "Record at the multiples of this time, whatever the step, and at the end; left out: every so many steps.",
     .unit = "s",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .default_text = "",
     .offset = ROD(output_step)},
    {.key = "accuracy",
     .doc = "Instead of elements, mesh, method and step: choose them so that the rod moves right to this, root of the "
            "mean square over "
            "time, relative to the length.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .default_text = "",
     .offset = ROD(accuracy)},
    {.key = "estimate",
     .doc = "Let coarser runs go beside this one and tell its errors; false saves a third of the time.",
     .type = WY_TYPE_BOOL,
     .default_text = "true",
     .offset = ROD(estimate)},
    {.key = "rest",
     .doc = "Stop before the end of the duration, when the rod is at rest.",
     .type = WY_TYPE_GROUP,
     .group = rest_params,
     .offset = ROD(rest)},
    {0},
};

static wy_status check(const void *config, const char **key, wy_error *err) {
    const rod_config *c = config;
    const wy_status s = wy_motion_check(&c->moving, key, err);
    if (s)
        return s;
    const wy_motion_method *method = (const wy_motion_method *)(const void *)c->moving.method.entry;
    if (!isnan(c->rest.below) && !(method->takes & WY_KNOWS_RESIDUALS)) {
        *key = "rest";
        return wy_fail(err, WY_UNSUPPORTED,
                       "the method '%s' does not know whether a rod is at rest: use 'gauss-director'",
                       method->entry.name);
    }
    if (isnan(c->grid.step) && isnan(c->accuracy)) {
        *key = NULL;
        return wy_fail(err, WY_BAD_INPUT,
                       "'step' is missing (a positive number in s), and no 'accuracy' is given to choose it by");
    }
    if (!isnan(c->grid.step) && !isnan(c->accuracy)) {
        *key = "step";
        return wy_fail(err, WY_BAD_INPUT, "'step' and 'accuracy' are both given: the accuracy chooses the step");
    }
    if (!isnan(c->output_step) && !method->dense_output && isnan(c->accuracy)) {
        *key = "output_step";
        return wy_fail(err, WY_UNSUPPORTED,
                       "the method '%s' knows nothing between its steps: use 'gauss-director', or 'every'",
                       method->entry.name);
    }
    if (!isnan(c->output_step) && !(c->grid.duration / c->output_step <= 1e9)) {
        *key = "output_step";
        return wy_fail(err, WY_BAD_INPUT, "'output_step' %g s makes more than 1e9 frames of the duration %g s",
                       c->output_step, c->grid.duration);
    }
    if (!isnan(c->grid.step) && wy_time_grid_check(&c->grid, key, err))
        return WY_BAD_INPUT;
    if (!(c->grid.duration <= 1e15)) {
        *key = "duration";
        return wy_fail(err, WY_BAD_INPUT, "'duration' is %g s, expected at most 1e15 s", c->grid.duration);
    }
    return WY_OK;
}

/* ---- the run ---- */

/* A round number near x: 1, 2 or 5 times a power of ten. */
static double round_number(double x) {
    double ten = 1.0;
    while (ten > x)
        ten /= 10.0;
    while (10.0 * ten <= x)
        ten *= 10.0;
    return x < 2.0 * ten ? ten : x < 5.0 * ten ? 2.0 * ten : 5.0 * ten;
}

/* The rod and the plan of a scenario; an accuracy chooses method, elements and step first, in memory of the arena. */
static wy_status prepare(wy_motion_definition *d, wy_motion_plan *plan, const rod_config *c, wy_arena *arena,
                         const wy_sink *sink, wy_error *err) {
    *d = c->moving;
    *plan = (wy_motion_plan){.duration = c->grid.duration,
                             .step = c->grid.step,
                             .every = c->grid.every,
                             .output_step = isnan(c->output_step) ? 0.0 : c->output_step,
                             .rest_below = isnan(c->rest.below) ? 0.0 : c->rest.below,
                             .rest_after = c->rest.after,
                             .estimate = c->estimate};
    if (isnan(c->accuracy))
        return WY_OK;
    wy_motion_accuracy chosen;
    const wy_status s = wy_motion_for_accuracy(&chosen, d, c->accuracy, c->grid.duration, arena, sink, err);
    if (s)
        return s;
    plan->step = chosen.step;
    plan->tolerance = chosen.tolerance;
    if (isnan(c->output_step))
        plan->output_step = round_number(c->grid.duration / 100.0);
    wy_sink_note(
        sink,
        "the accuracy %g takes %lld elements of degree %lld%s and steps of about %.3g s, of order %lld: error about "
        "%.2g, "
        "found in %lld trials",
        c->accuracy, (long long)chosen.elements, (long long)chosen.degree,
        d->rod.mesh.rows ? ", shorter in bending layers," : "", chosen.step, (long long)chosen.order, chosen.estimate,
        (long long)chosen.trials);
    return WY_OK;
}

static wy_status run(const void *config, const wy_sink *sink, wy_error *err) {
    wy_motion_definition d;
    wy_motion_plan plan;
    wy_motion_instance moving = {0};
    wy_arena *arena = wy_arena_create();
    wy_status s =
        arena ? prepare(&d, &plan, config, arena, sink, err) : wy_fail(err, WY_NO_MEMORY, "no memory to make a rod");
    if (!s)
        s = wy_motion_run(&moving, &d, &plan, sink, err);
    if (!s && plan.rest_below > 0.0 && !moving.at_rest)
        wy_sink_note(sink, "the rod is not at rest after %g s", plan.duration);
    wy_motion_instance_free(&moving);
    wy_arena_free(arena);
    return s;
}

static wy_status open_configured(wy_march *march, const void *config, wy_error *err) {
    wy_motion_definition d;
    wy_motion_plan plan;
    wy_arena *arena = wy_arena_create();
    wy_status s =
        arena ? prepare(&d, &plan, config, arena, NULL, err) : wy_fail(err, WY_NO_MEMORY, "no memory to make a rod");
    if (!s)
        s = wy_motion_open(march, &d, &plan, err);
    wy_arena_free(arena); /* the rod has copied what it needs */
    return s;
}

static const wy_rod_definition *rod_of(const void *config) {
    return &((const rod_config *)config)->moving.rod;
}

/* ---- its equilibrium ---- */

/* An end that moves in time stands where the rod, or `row` of a frame, puts it. */
static wy_status stop_end(wy_rod_definition *d, int e, const double *row, wy_arena *arena, wy_error *err) {
    wy_constraint_mask mask;
    wy_end_clamped *clamp = wy_arena_take(arena, sizeof *clamp);
    wy_end_pinned *pin = wy_arena_take(arena, sizeof *pin);
    if (!clamp || !pin)
        return wy_fail(err, WY_NO_MEMORY, "no memory for an end");
    wy_rod_constraint_mask(&mask, d, e);
    for (int i = 0; i < 4; i++) {
        clamp->orientation[i] = row ? row[WY_STATIC_Q + i] : e ? NAN : d->orientation[i];
        if (i < 3)
            clamp->position[i] = pin->position[i] = row ? row[WY_STATIC_X + i] : e ? NAN : d->position[i];
    }
    clamp->twist = 0.0;
    d->ends[e] = mask.components >> 3 ? (wy_choice){wy_catalogue_find(&wy_ends, "clamped"), clamp}
                                      : (wy_choice){wy_catalogue_find(&wy_ends, "pinned"), pin};
    return WY_OK;
}

/* A rod that nothing holds hangs on springs that are as good as none, so that it has a place; gravity, in which it
 * falls without stress, is left out. */
static wy_status hang_on_springs(wy_equilibrium_request *request, wy_arena *arena, wy_error *err) {
    wy_rod_definition *d = &request->rod;
    wy_choice *loads = wy_arena_take(arena, (d->loads.count + 1) * sizeof *loads);
    wy_end_spring *spring = wy_arena_take(arena, sizeof *spring);
    if (!loads || !spring)
        return wy_fail(err, WY_NO_MEMORY, "no memory for an end");
    size_t count = 0;
    for (size_t i = 0; i < d->loads.count; i++)
        if (!((const wy_load *)(const void *)d->loads.items[i].entry)->acceleration)
            loads[count++] = d->loads.items[i];
    d->loads = (wy_list){count, loads};
    *spring = (wy_end_spring){.stiffness = {0}};
    const double EI = fmax(d->section.EI1, d->section.EI2), L = d->length;
    for (int i = 0; i < 6; i++) {
        spring->stiffness[i] =
            1e-7 * EI / L / (i < 3 ? 1.0 : L * L) * (i == 2 ? d->section.rhoJ / (d->section.rhoA * L * L) : 1.0);
        if (i < 4)
            spring->orientation[i] = NAN;
        if (i < 3)
            spring->position[i] = NAN;
    }
    d->ends[0] = (wy_choice){wy_catalogue_find(&wy_ends, "spring"), spring};
    request->rigid_below = 1e-2 * EI / (d->section.rhoA * L * L * L * L);
    return WY_OK;
}

static wy_status equilibrium(wy_equilibrium_request *request, const void *config, double value, const wy_samples *frame,
                             wy_arena *arena, wy_error *err) {
    wy_rod_definition *d = &request->rod;
    bool held = false;
    (void)value;
    request->value = NAN;
    wy_status s = wy_rod_definition_copy(d, rod_of(config), arena, NULL, err);
    for (int e = 0; e < 2 && !s; e++) {
        const wy_joint *end = (const wy_joint *)(const void *)d->ends[e].entry;
        held = held || end->constrains || end->constraint_mask || end->anchor;
        if (end->pose)
            s = stop_end(d, e, frame ? frame->values + (e ? frame->rows - 1 : 0) * WY_ROD_STATE_COLUMNS + 1 : NULL,
                         arena, err);
    }
    return s || held ? s : hang_on_springs(request, arena, err);
}

const wy_kind wy_kind_dynamic = {
    .entry = {.name = "dynamic",
              .doc = "A rod in motion: large bending, twist, shear and stretch, loads, any ends.",
              .params = dynamic_params,
              .config_size = sizeof(rod_config)},
    .check = check,
    .run = run,
    .rod = rod_of,
    .equilibrium = equilibrium,
    .open = open_configured,
};
