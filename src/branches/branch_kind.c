/* `kind: continuation`: the branches of equilibria of a rod in one of its numbers, one frame for each solution. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/branches.h>
#include <withy/kind.h>

#include "base/given.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "equilibrium/equilibrium_certificate.h"
#include "equilibrium/equilibrium_solver.h"
#include "rod/rod_params.h"

typedef struct parameter_config {
    const char *number;
    double from, to, start;
    int direction;
    wy_samples at;
} parameter_config;

typedef struct follow_config {
    int64_t branches, points, negative, eigenvalues;
    bool mirrors;
    double step, least_step, largest_step;
} follow_config;

typedef struct branch_config {
    wy_rod_definition rod;
    int64_t most_elements;
    double tolerance;
    int order;
    int branch;
    int64_t mode;
    wy_rod_start start;
    parameter_config parameter;
    follow_config follow;
} branch_config;

static const char *const directions[] = {"both", "up", "down", NULL};
static const char *const collocation_orders[] = {"2", "4", "6", NULL};

static const wy_param parameter_params[] = {
    WY_PARAM(parameter_config, number, .key = "number",
             .doc =
                 "Number of this scenario to vary, as a path: last_end.shortening, loads.0.density.2, section.EI1 ...",
             .type = WY_TYPE_TEXT),
    WY_PARAM(parameter_config, from, .key = "from", .doc = "Its lower bound.", .unit = "1", .type = WY_TYPE_REAL,
             .default_text = "0"),
    WY_PARAM(parameter_config, to, .key = "to", .doc = "Its upper bound.", .unit = "1", .type = WY_TYPE_REAL,
             .default_text = "1"),
    WY_PARAM(parameter_config, start, .key = "start", .doc = "Its value at the start; left out: the lower bound.",
             .unit = "1", .type = WY_TYPE_REAL, .default_text = ""),
    WY_PARAM(parameter_config, direction, .key = "direction", .doc = "Direction of the parameter from the start.",
             .type = WY_TYPE_NAME, .names = directions, .default_text = "both"),
    WY_PARAM(parameter_config, at, .key = "at",
             .doc = "Values at which solutions are computed exactly on every branch that passes them: [0.4, 0.65].",
             .unit = "1", .type = WY_TYPE_SAMPLES, .count = 1, .default_text = ""),
    {0},
};

static const wy_param follow_params[] = {
    WY_PARAM(follow_config, branches, .key = "branches",
             .doc = "Largest number of branches; 1: branch points are located but not followed.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1, .high = 1000, .default_text = "20"),
    WY_PARAM(follow_config, negative, .key = "negative",
             .doc = "A branch ends where more directions than this are negative; -1: never.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = -1, .high = 1000, .default_text = "2"),
    WY_PARAM(follow_config, mirrors, .key = "mirrors",
             .doc = "Follow both sides of a branch point even if one is the image of the other.", .type = WY_TYPE_BOOL,
             .default_text = "false"),
    WY_PARAM(follow_config, points, .key = "points", .doc = "Largest number of solutions on each branch.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1, .high = 1000000, .default_text = "500"),
    WY_PARAM(follow_config, eigenvalues, .key = "eigenvalues",
             .doc = "Lowest eigenvalues of the second variation for each solution.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1, .high = WY_BRANCH_EIGENVALUES,
             .default_text = "2"),
    WY_PARAM(follow_config, step, .key = "step",
             .doc = "First step along a branch; 1 is about a rotation by 1 rad of the whole rod.", .unit = "1",
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = "0.02"),
    WY_PARAM(follow_config, least_step, .key = "least_step", .doc = "A branch ends where no larger step succeeds.",
             .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = "1e-6"),
    WY_PARAM(follow_config, largest_step, .key = "largest_step", .doc = "Largest step along a branch.", .unit = "1",
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = "0.15"),
    {0},
};

static const wy_param start_params[] = {WY_ROD_START_PARAMS(branch_config, rod, start), {0}};

static const wy_param branch_params[] = {
    WY_ROD_PARAMS(branch_config, rod, "64", "clamped", "free"),
    WY_PARAM(
        branch_config, tolerance, .key = "tolerance",
        .doc =
            "Largest error of a solution, in the units of the channel 'error': the mesh is redistributed, refined and "
            "coarsened for it. 0: the mesh stays uniform.",
        .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "1e-9"),
    WY_PARAM(branch_config, most_elements, .key = "most_elements",
             .doc = "Largest number of elements, for any tolerance.", .unit = "1", .type = WY_TYPE_INTEGER,
             .rule = WY_RULE_BETWEEN, .low = 2, .high = 1000000, .default_text = "1024"),
    WY_PARAM(branch_config, order, .key = "order", .doc = "Order of the collocation.", .type = WY_TYPE_NAME,
             .names = collocation_orders, .default_text = "6"),
    WY_PARAM(branch_config, branch, .key = "branch", .doc = "Which equilibrium to start from.", .type = WY_TYPE_NAME,
             .names = wy_equilibrium_branches, .default_text = "direct"),
    WY_PARAM(branch_config, mode, .key = "mode", .doc = "Mode of the planar branch to start from.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1, .high = 20, .default_text = "1"),
    {.key = "start",
     .doc = "Position of the rod, and a shape near which the first equilibrium is computed, instead of along a path.",
     .type = WY_TYPE_GROUP,
     .group = start_params},
    WY_PARAM(branch_config, parameter, .key = "parameter", .doc = "The number that is varied.", .type = WY_TYPE_GROUP,
             .group = parameter_params),
    WY_PARAM(branch_config, follow, .key = "follow", .doc = "Limits and steps of the continuation.",
             .type = WY_TYPE_GROUP, .group = follow_params),
    {0},
};

/* ---- the family of rods ---- */

typedef struct family {
    const branch_config *config;
    wy_arena *arena; /* of the last rod */
} family;

static wy_status rod_at_parameter(wy_rod_definition *rod, const branch_config *c, double parameter, wy_arena *arena,
                                  wy_error *err) {
    branch_config copy = *c;
    double *where;
    const wy_param *param;
    wy_status s = wy_param_reach(&where, &param, branch_params, &copy, c->parameter.number, arena, err);
    if (!s && !((char *)where >= (char *)&copy.rod && (char *)where < (char *)(&copy.rod + 1)) &&
        (char *)where >= (char *)&copy && (char *)where < (char *)(&copy + 1))
        s = wy_fail(err, WY_BAD_INPUT, "'%s' is not a number of the rod", c->parameter.number);
    if (!s)
        s = wy_param_check(param, parameter, err);
    if (s)
        return s;
    *where = parameter;
    s = wy_rod_definition_copy(rod, &copy.rod, arena, NULL, err);
    if (!s)
        s = wy_rod_start_set_ends(rod, &copy.start, err);
    return s ? wy_fail_at(err, s, "%s = %.9g", c->parameter.number, parameter) : WY_OK;
}

static wy_status branch_rod_at(wy_rod_definition *rod, void *context, double value, wy_error *err) {
    family *f = context;
    wy_arena_free(f->arena);
    f->arena = wy_arena_create();
    if (!f->arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    return rod_at_parameter(rod, f->config, value, f->arena, err);
}

static double start_parameter(const branch_config *c) {
    return isnan(c->parameter.start) ? c->parameter.from : c->parameter.start;
}

/* A branch goes on where its equilibria are unstable. */
static wy_status continuation_equilibrium(wy_equilibrium_request *request, const void *config, double value,
                                          const wy_samples *frame, wy_arena *arena, wy_error *err) {
    const branch_config *c = config;
    (void)frame;
    request->value = isnan(value) ? start_parameter(c) : value;
    request->branch = c->branch;
    request->mode = (int)c->mode;
    request->start = &c->start;
    request->method.keep_unstable = true;
    return rod_at_parameter(&request->rod, c, request->value, arena, err);
}

static wy_status check_branch_config(const void *config, const char **key, wy_error *err) {
    const branch_config *c = config;
    const parameter_config *p = &c->parameter;
    *key = "parameter";
    if (!(p->from < p->to))
        return wy_fail(err, WY_BAD_INPUT, "the bounds run from %g to %g, expected the first below the second", p->from,
                       p->to);
    if (!(start_parameter(c) >= p->from && start_parameter(c) <= p->to))
        return wy_fail(err, WY_BAD_INPUT, "the start %g is not within the bounds %g to %g", start_parameter(c), p->from,
                       p->to);
    for (size_t i = 0; i < p->at.rows; i++)
        if (!(p->at.values[i] >= p->from && p->at.values[i] <= p->to))
            return wy_fail(err, WY_BAD_INPUT, "the value %g is not within the bounds %g to %g", p->at.values[i],
                           p->from, p->to);
    *key = "most_elements";
    if (c->tolerance > 0.0 && c->most_elements < c->rod.elements)
        return wy_fail(err, WY_BAD_INPUT, "most_elements is %lld, but the start has %lld elements",
                       (long long)c->most_elements, (long long)c->rod.elements);
    *key = "follow";
    const follow_config *f = &c->follow;
    if (!(f->least_step <= f->step && f->step <= f->largest_step && f->largest_step <= 10.0))
        return wy_fail(err, WY_BAD_INPUT,
                       "steps: least %g, first %g, largest %g, expected them in this order, at most 10", f->least_step,
                       f->step, f->largest_step);
    *key = "parameter";
    family fam = {.config = c};
    wy_rod_definition rod;
    wy_status s = branch_rod_at(&rod, &fam, start_parameter(c), err);
    if (!s)
        s = wy_equilibrium_check(&rod, key, err);
    if (!s) {
        *key = "start";
        s = wy_rod_start_check(&c->start, rod.length, err);
    }
    wy_arena_free(fam.arena);
    return s;
}

/* ---- frames ---- */

/* The numbers of a solution; pointers: of each node, and the eigenvalues. */
typedef struct branch_frame {
    double parameter, branch, parent, point, label, label_number, end, multiplicity, type, distance, slope, negative,
        symmetries;
    double *eigenvalues;
    double strain_energy, potential, thrust, torque, bending;
    double left_force[3], left_moment[3], tip[3], middle[3];
    wy_end_forces ends;
    double *arc_length, *position, *orientation, *force, *moment;
    double iterations, residual, error, elements, missed;
    wy_static_certificate certificate;
} branch_frame;

typedef struct branch_run {
    const branch_config *config;
    const wy_sink *sink;
    wy_channel_table table;
    branch_frame frame;
    double coarse;
    size_t finest;
    wy_equilibrium_contact contact, nearest; /* of the present solution, and the nearest one of the branch */
    size_t through, through_stable;          /* solutions of the branch that pass through themselves; with 0 negative */
    double through_from, through_to;         /* their parameters */
    bool noted_uncounted;                    /* the note that negative directions are not counted was given */
} branch_run;

#define HERE(member, ...) WY_CHANNEL(branch_run, frame.member, __VA_ARGS__)
#define WHOLE(member, text) HERE(member, .group = "branch", .name = #member, .unit = "1", .doc = text, .whole = true)
#define NUMBER(member, group_, unit_, text) HERE(member, .group = group_, .name = #member, .unit = unit_, .doc = text)
#define VECTOR(member, unit_, text) \
    HERE(member, .group = "ends", .name = #member, .unit = unit_, .doc = text, .rank = 1, .dims = {3})
#define NODES(member, unit_, text, ...)                                                                      \
    WY_NODE_CHANNEL(branch_run, frame.member, .group = "state", .name = #member, .unit = unit_, .doc = text, \
                    __VA_ARGS__)
static const wy_channel_row branch_rows[] = {
    HERE(parameter, .name = "parameter", .unit = "1", .doc = "The varied number."),
    WHOLE(branch, "Which branch, from 0."),
    WHOLE(parent, "Number of the branch point at which the branch starts; 0: the start."),
    WHOLE(point, "Which point along the branch, from 0."),
    WHOLE(label, "0 regular, 1 end (EP), 2 fold (LP), 3 branch point (BP), 4 requested value (UZ)."),
    WHOLE(label_number, "Number of the label, from 1 for each type."),
    WHOLE(end, "Why the branch ends here: 0 it does not, 1 start, 2 bound, 3 points, 4 negative, 5 joined, 6 mirror, "
               "7 closed, 8 stuck."),
    WHOLE(multiplicity, "Of a fold or branch point: number of directions that change sign there."),
    WHOLE(type, "Of a branch point: 0 none, 1 unknown, 2 transcritical, 3 subcritical, 4 supercritical pitchfork."),
    NUMBER(distance, "branch", "1", "Arclength along the branch, from its start."),
    NUMBER(slope, "branch", "1", "Change of the parameter with the distance: 0 at a fold."),
    WHOLE(negative, "Negative directions of the second variation, without symmetries: 0 is stable; -1 unknown."),
    WHOLE(symmetries, "Number of symmetries of the solution."),
    {.channel = {.group = "branch",
                 .name = "eigenvalues",
                 .unit = "1/s^2",
                 .doc = "Lowest eigenvalues of the second variation "
                        "against the mass: omega^2; with 1 kg/m where the section has no mass.",
                 .rank = 1},
     .offset = offsetof(branch_run, frame.eigenvalues),
     .per = WY_PER_OTHER},
    NUMBER(strain_energy, "branch", "J", "Energy of deformation."),
    NUMBER(potential, "branch", "J", "Strain energy minus the work of dead forces."),
    NUMBER(thrust, "ends", "N", "-P3 at s = 0: the axial compression."),
    NUMBER(torque, "ends", "N m", "M3 at s = 0."),
    NUMBER(bending, "ends", "N m", "Size of (M1, M2) at s = 0."),
    VECTOR(left_force, "N", "Internal force P at s = 0, body components."),
    VECTOR(left_moment, "N m", "Internal moment M at s = 0, body components."),
    WY_END_FORCE_ROWS(branch_run, frame.ends, 0, ""),
    HERE(tip, .group = "state", .name = "tip", .unit = "m", .doc = "Position of the end at s = L, in space.", .rank = 1,
         .dims = {3}),
    VECTOR(middle, "m", "Position of the middle node."),
    NODES(arc_length, "m", "s of each node, along the unstressed rod.", .rank = 1),
    NODES(position, "m", "Centre line in space.", .rank = 2, .dims = {0, 3}),
    NODES(orientation, "1", "Quaternion, scalar first, body to space.", .rank = 2, .dims = {0, 4}),
    NODES(force, "N", "Internal force P, body components.", .rank = 2, .dims = {0, 3}),
    NODES(moment, "N m", "Internal moment M, body components.", .rank = 2, .dims = {0, 3}),
    HERE(iterations, .group = "solver", .name = "iterations", .unit = "1", .doc = "Newton iterations.", .whole = true),
    NUMBER(residual, "solver", "1", "Largest residual before the last iteration, in units of the rod."),
    NUMBER(
        error, "solver", "1",
        "Estimate of the largest error, across the branch: positions relative to the length, rotations in rad, moments "
        "and forces relative to the largest (at least 6 EI/L, 40 EI/L^2), the parameter relative to its range; of a "
        "branch point also its position. Negative: not known."),
    HERE(elements, .group = "solver", .name = "elements", .unit = "1", .doc = "Elements of the mesh of the solution.",
         .whole = true),
    WY_STATIC_CONTACT_ROWS(branch_run, frame.certificate),
    HERE(missed, .group = "certificate", .name = "missed_special_points", .unit = "1",
         .doc = "Changes of 'negative' since the previous solution without a located fold or branch point; -1: "
                "not known, the loads have no potential.",
         .whole = true),
    WY_RESOLUTION_ROWS(branch_run, frame.certificate.resolution),
};

static wy_status begin_branch_archive(branch_run *run, size_t nodes, wy_error *err) {
    const size_t counts[WY_PERS] = {[WY_PER_NODE] = nodes, [WY_PER_OTHER] = (size_t)run->config->follow.eigenvalues};
    const wy_status s =
        wy_channel_table_open(&run->table, branch_rows, sizeof branch_rows / sizeof *branch_rows, run, counts, 0, err);
    if (s)
        return s;
    run->table.channels[0].name = run->config->parameter.number;
    return wy_channel_table_begin(&run->table, run->sink, err);
}

/* Updates the largest error, the finest mesh and the self-contacts of the branch. */
static void update_branch_extremes(branch_run *run, const wy_branch_solution *p) {
    if (p->end == WY_END_START) {
        run->coarse = 0.0;
        run->finest = 0;
        run->through = run->through_stable = 0;
        run->through_from = INFINITY;
        run->through_to = -INFINITY;
    }
    if (run->contact.through) {
        if (run->through == 0 || run->contact.distance < run->nearest.distance)
            run->nearest = run->contact;
        run->through++;
        run->through_stable += p->negative == 0;
        run->through_from = fmin(run->through_from, p->parameter);
        run->through_to = fmax(run->through_to, p->parameter);
    }
    run->coarse = fmax(run->coarse, p->error);
    run->finest = p->elements > run->finest ? p->elements : run->finest;
}

/* Why a branch ends, in words. */
static const char *end_reason(wy_branch_end end) {
    static const char *const words[] = {[WY_END_NONE] = "",
                                        [WY_END_START] = "",
                                        [WY_END_BOUND] = " (the bound of the parameter)",
                                        [WY_END_POINTS] = " (as many points as follow.points allows)",
                                        [WY_END_NEGATIVE] = " (more negative directions than follow.negative allows)",
                                        [WY_END_JOINED] = " (it joins a known branch)",
                                        [WY_END_MIRROR] = " (its continuation is the image of a known branch)",
                                        [WY_END_CLOSED] = " (it returns to its start)",
                                        [WY_END_STUCK] = " (no smaller step converges)"};
    return words[end];
}

/* Warns of special points that the count of negative directions or linear buckling shows and that were not located. */
static void warn_missed_points(branch_run *run, const wy_branch_solution *p) {
    const char *number = run->config->parameter.number;
    if (p->missing > 0)
        wy_sink_warn(run->sink,
                     "branch %zu: between %s = %.10g and %.10g %ld special point%s (folds or branch points, as many as "
                     "directions change sign) could not be located and %s not labelled; use a smaller follow.step or "
                     "more elements to find %s",
                     p->branch, number, p->missing_from, p->parameter, p->missing, p->missing == 1 ? "" : "s",
                     p->missing == 1 ? "is" : "are", p->missing == 1 ? "it" : "them");
    if (p->linear_off)
        wy_sink_warn(
            run->sink,
            "branch %zu: linear buckling of the start predicts the first branch point at %s = %.6g, where none "
            "was located (now at %.6g); use a smaller follow.step or more elements",
            p->branch, number, p->linear_buckling, p->parameter);
    if (p->imprecise && p->end != WY_END_START) {
        char off[80] = "the error of its position is unknown";
        if (p->parameter_error >= 0.0)
            snprintf(off, sizeof off, "the error of its position is up to %.2g", p->parameter_error);
        wy_sink_warn(run->sink, "%s%zu on branch %zu at %s = %.10g: %s (%zu elements); %s", wy_point_labels[p->sort],
                     p->number, p->branch, number, p->parameter, off, p->elements,
                     run->config->tolerance > 0.0 ? "use more elements (most_elements)"
                                                  : "use a tolerance above 0, so that the mesh adapts");
    }
    if (p->negative < 0 && !run->noted_uncounted) {
        wy_sink_note(run->sink,
                     "the loads have no potential: negative directions are not counted, and branch points are detected "
                     "by a change of sign of a determinant only; double ones may be missed");
        run->noted_uncounted = true;
    }
    if (p->parent == 0 && p->end == WY_END_START && isfinite(p->linear_buckling))
        wy_sink_note(run->sink, "linear buckling of the start: %s = %.6g", number, p->linear_buckling);
}

/* At the end of a branch: warns that the rod passes through itself, since contact is not modelled. */
static void warn_contact(const branch_run *run, const wy_branch_solution *p) {
    char text[160], stable[120] = "";
    if (run->through == 0 || p->end == WY_END_NONE || p->end == WY_END_START)
        return;
    if (run->through_stable > 0)
        snprintf(stable, sizeof stable, ", %zu of them counted as stable, which holds without contact only",
                 run->through_stable);
    wy_sink_warn(run->sink, "branch %zu: with %s from %.6g to %.6g the rod %s (%zu solutions%s)", p->branch,
                 run->config->parameter.number, run->through_from, run->through_to,
                 wy_equilibrium_contact_text(text, sizeof text, &run->nearest), run->through, stable);
}

static void note_solution(branch_run *run, const wy_branch_solution *p) {
    const char *const through = run->contact.through ? ", passes through itself" : "",
                      *number = run->config->parameter.number;
    const double *y = p->states;
    char kind[80] = "";
    warn_missed_points(run, p);
    warn_contact(run, p);
    if (p->sort == WY_POINT_BRANCH)
        snprintf(kind, sizeof kind, ", %s%s",
                 p->multiplicity == 2  ? "double, "
                 : p->multiplicity > 2 ? "multiple, "
                                       : "",
                 wy_branch_types[p->type]);
    if (p->sort == WY_POINT_FOLD || p->sort == WY_POINT_VALUE || (p->sort == WY_POINT_BRANCH && p->end != WY_END_START))
        wy_sink_note(
            run->sink,
            "%s%zu on branch %zu%s: %s = %.10g, P(0) = (%.9g, %.9g, %.9g), M(0) = (%.9g, %.9g, %.9g), %ld negative%s%s",
            wy_point_labels[p->sort], p->number, p->branch, kind, number, p->parameter, y[0], y[1], y[2], y[3], y[4],
            y[5], p->negative,
            p->sort == WY_POINT_FOLD     ? " and one zero direction"
            : p->sort == WY_POINT_BRANCH ? " and the zero directions of the branch point"
                                         : "",
            through);
    if (p->sort == WY_POINT_END)
        wy_sink_note(run->sink, "%s%zu, where branch %zu %s%s: %s = %.10g, %ld negative%s", wy_point_labels[p->sort],
                     p->number, p->branch, p->end == WY_END_START ? "begins" : "ends", end_reason(p->end), number,
                     p->parameter, p->negative, through);
    if (p->end == WY_END_STUCK)
        wy_sink_note(run->sink,
                     "branch %zu stops at %s = %.9g: no step of %g or more converges; its error is about %.1g with %zu "
                     "elements. Try more elements or a smaller follow.least_step",
                     p->branch, number, p->parameter, run->config->follow.least_step, p->error, p->elements);
    if (p->end != WY_END_NONE && p->end != WY_END_START &&
        run->coarse > 1.05 * run->config->tolerance && /* by more than its two digits show */
        run->config->tolerance > 0.0)
        wy_sink_note(run->sink,
                     "branch %zu: the error reaches about %.2g, more than the tolerance of %g (%zu of at most %lld "
                     "elements)",
                     p->branch, run->coarse, run->config->tolerance, run->finest,
                     (long long)run->config->most_elements);
}

/* The certificate of a solution, with the rod at its parameter. */
static wy_status certify_solution(branch_run *run, const wy_branch_solution *p, wy_error *err) {
    wy_rod_definition rod;
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    const wy_status s = rod_at_parameter(&rod, run->config, p->parameter, arena, err);
    if (!s) {
        run->contact = wy_equilibrium_contact_of(&rod, p->s, p->states, p->count);
        wy_equilibrium_certify(&run->frame.certificate, &rod, p->s, p->states, p->count, &run->contact);
    }
    wy_arena_free(arena);
    return s;
}

static wy_status record_solution(void *context, const wy_branch_solution *p, wy_error *err) {
    branch_run *run = context;
    if (!run->table.channels) {
        const wy_status s = begin_branch_archive(run, p->count, err);
        if (s)
            return s;
    }
    branch_frame *f = &run->frame;
    const double *first = p->states, *last = p->states + (p->count - 1) * WY_STATIC_DIM;
    f->parameter = p->parameter;
    f->branch = (double)p->branch;
    f->parent = (double)p->parent;
    f->point = (double)p->point;
    f->label = p->sort;
    f->label_number = (double)p->number;
    f->end = p->end;
    f->multiplicity = (double)p->multiplicity;
    f->type = p->type;
    f->missed = p->negative < 0 ? -1.0 : (double)p->missing;
    f->distance = p->arclength;
    f->slope = p->slope;
    f->negative = (double)p->negative;
    f->symmetries = (double)p->symmetries;
    f->strain_energy = p->strain_energy;
    f->potential = p->potential;
    f->thrust = -first[WY_STATIC_P + 2];
    f->torque = first[WY_STATIC_M + 2];
    f->bending = wy_hypot(first[WY_STATIC_M], first[WY_STATIC_M + 1]);
    f->iterations = (double)p->stats->iterations;
    f->residual = p->stats->residual;
    f->error = p->error;
    f->elements = (double)p->elements;
    memcpy(f->eigenvalues, p->lowest, (size_t)run->config->follow.eigenvalues * sizeof(double));
    wy_equilibrium_end_forces(f->ends, p->states, p->count);
    v3_copy(f->left_force, first + WY_STATIC_P);
    v3_copy(f->left_moment, first + WY_STATIC_M);
    v3_copy(f->tip, last + WY_STATIC_X);
    v3_copy(f->middle, p->states + p->count / 2 * WY_STATIC_DIM + WY_STATIC_X);
    for (size_t i = 0; i < p->count; i++) {
        const double *y = p->states + i * WY_STATIC_DIM;
        f->arc_length[i] = p->s[i];
        v3_copy(f->position + 3 * i, y + WY_STATIC_X);
        memcpy(f->orientation + 4 * i, y + WY_STATIC_Q, 4 * sizeof(double));
        v3_copy(f->force + 3 * i, y + WY_STATIC_P);
        v3_copy(f->moment + 3 * i, y + WY_STATIC_M);
    }
    wy_status s = certify_solution(run, p, err);
    if (!s)
        s = wy_channel_table_frame(&run->table, run->sink, err);
    if (s)
        return s;
    update_branch_extremes(run, p);
    note_solution(run, p);
    const parameter_config *c = &run->config->parameter;
    const double within = (p->parameter - c->from) / (c->to - c->from), branches = (double)run->config->follow.branches;
    return wy_sink_progress(run->sink, fmin(1.0, ((double)p->branch + fmin(1.0, fmax(0.0, within))) / branches), err);
}

/* Solves the equilibrium at the start from a stored shape: the branch starts from its states. */
static wy_status solve_stored_start(wy_equilibrium **stored, wy_branch_problem *problem, const wy_branch_options *o,
                                    const wy_rod_start *start, wy_error *err) {
    wy_rod_definition rod;
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.order = o->order;
    method.elements = o->elements;
    wy_status s = problem->rod_at(&rod, problem->context, problem->start, err);
    if (!s)
        s = wy_equilibrium_create(stored, &rod, &method, err);
    if (!s)
        s = wy_equilibrium_solve_start(*stored, start, problem->branch, problem->mode, err);
    if (s)
        return wy_fail_at(err, s, "from the start");
    problem->states = wy_equilibrium_states(*stored);
    return WY_OK;
}

static wy_status run_continuation(const void *config, const wy_sink *sink, wy_error *err) {
    const branch_config *c = config;
    family fam = {.config = c};
    branch_run run = {.config = c, .sink = sink};
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.from = c->parameter.from;
    o.to = c->parameter.to;
    o.direction = c->parameter.direction == 1 ? 1 : c->parameter.direction == 2 ? -1 : 0;
    o.order = 2 * (c->order + 1);
    o.elements = (size_t)c->rod.elements;
    o.tolerance = c->tolerance;
    o.most_elements = (size_t)c->most_elements;
    o.step = c->follow.step;
    o.least_step = c->follow.least_step;
    o.largest_step = c->follow.largest_step;
    o.points = (size_t)c->follow.points;
    o.branches = (size_t)c->follow.branches;
    o.most_negative = (long)c->follow.negative;
    o.mirrors = c->follow.mirrors;
    o.values = c->parameter.at.values;
    o.value_count = c->parameter.at.rows;
    o.eigenvalues = (size_t)c->follow.eigenvalues;
    wy_branch_problem problem = {.rod_at = branch_rod_at,
                                 .context = &fam,
                                 .start = start_parameter(c),
                                 .branch = c->branch,
                                 .mode = (int)c->mode};
    wy_equilibrium *stored = NULL;
    wy_status s =
        wy_rod_start_says_where(&c->start) ? solve_stored_start(&stored, &problem, &o, &c->start, err) : WY_OK;
    if (!s)
        s = wy_branches_follow(&problem, &o, record_solution, &run, err);
    wy_equilibrium_free(stored);
    wy_arena_free(fam.arena);
    wy_channel_table_close(&run.table);
    return s;
}

static const wy_rod_definition *continuation_rod(const void *config) {
    return &((const branch_config *)config)->rod;
}

const wy_kind wy_kind_continuation = {
    .entry = {.name = "continuation",
              .doc = "Branches of equilibria of a rod in one of its numbers: folds, branch points, stability.",
              .params = branch_params,
              .config_size = sizeof(branch_config)},
    .check = check_branch_config,
    .run = run_continuation,
    .rod = continuation_rod,
    .at_rest = true,
    .branches = true,
    .equilibrium = continuation_equilibrium,
};
