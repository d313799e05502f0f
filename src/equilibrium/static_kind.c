/* `kind: static`: rods in equilibrium from a scenario, one frame for each value of the sweep. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/equilibrium.h>
#include <withy/kind.h>
#include <withy/rotation.h>

#include "base/given.h"
#include "equilibrium/equilibrium_certificate.h"
#include "equilibrium/equilibrium_error.h"
#include "equilibrium/equilibrium_messages.h"
#include "equilibrium/equilibrium_solver.h"
#include "math/vec3.h"
#include "rod/rod_definition.h"
#include "rod/rod_params.h"

typedef struct sweep_config {
    const char *number;
    double from, to;
    int64_t frames;
} sweep_config;

typedef struct static_config {
    wy_rod_definition rod;
    wy_choice solver;
    int branch;
    int64_t mode;
    wy_rod_start start;
    sweep_config sweep;
} static_config;

static const wy_param sweep_params[] = {
    WY_PARAM(sweep_config, number, .key = "number",
             .doc = "Number of this scenario to vary, as a path: last_end.twist, loads.0.density.2 ...; empty: none.",
             .type = WY_TYPE_TEXT, .default_text = ""),
    WY_PARAM(sweep_config, from, .key = "from", .doc = "Its first value.", .unit = "1", .type = WY_TYPE_REAL,
             .default_text = "0"),
    WY_PARAM(sweep_config, to, .key = "to", .doc = "Its last value.", .unit = "1", .type = WY_TYPE_REAL,
             .default_text = "1"),
    WY_PARAM(sweep_config, frames, .key = "frames", .doc = "Number of values, both ends included.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 2, .high = 100000, .default_text = "11"),
    {0},
};

static const wy_param start_params[] = {WY_ROD_START_PARAMS(static_config, rod, start), {0}};

static const wy_param static_params[] = {
    WY_ROD_PARAMS(static_config, rod, "100", "clamped", "free"),
    WY_PARAM(static_config, solver, .key = "solver", .doc = "Method of solution.", .type = WY_TYPE_CHOICE,
             .from = &wy_equilibrium_solvers, .default_text = "auto"),
    WY_PARAM(static_config, branch, .key = "branch", .doc = "Which equilibrium, if there are several.",
             .type = WY_TYPE_NAME, .names = wy_equilibrium_branches, .default_text = "main"),
    WY_PARAM(static_config, mode, .key = "mode", .doc = "Mode of the planar branch.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1, .high = 20, .default_text = "1"),
    {.key = "start",
     .doc = "Position of the rod, and a shape near which its equilibrium is computed, instead of along a path.",
     .type = WY_TYPE_GROUP,
     .group = start_params},
    WY_PARAM(static_config, sweep, .key = "sweep",
             .doc = "A number to vary: one equilibrium, and one frame, for each value.", .type = WY_TYPE_GROUP,
             .group = sweep_params),
    {0},
};

/* ---- the swept number ---- */

static bool has_sweep(const static_config *c) {
    return c->sweep.number && *c->sweep.number;
}

/* The configuration with the swept number set to `value`; `copy` and its data live in the arena. */
static wy_status set_swept_number(static_config *copy, const static_config *c, double value, wy_arena *arena,
                                  wy_error *err) {
    *copy = *c;
    if (!has_sweep(c))
        return WY_OK;
    double *where;
    const wy_param *param;
    wy_status s = wy_param_reach(&where, &param, static_params, copy, c->sweep.number, arena, err);
    if (!s && where >= &copy->sweep.from && where <= &copy->sweep.to)
        s = wy_fail(err, WY_BAD_INPUT, "'%s' is the sweep itself", c->sweep.number);
    if (!s)
        s = wy_param_check(param, value, err);
    if (!s)
        *where = value;
    return s;
}

static double sweep_value(const static_config *c, int64_t frame) {
    const double t = (double)frame / (double)(c->sweep.frames - 1);
    return frame == c->sweep.frames - 1 ? c->sweep.to : c->sweep.from + t * (c->sweep.to - c->sweep.from);
}

static wy_status check_static_config(const void *config, const char **key, wy_error *err) {
    const static_config *c = config;
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory to check the rod");
    wy_status s = WY_OK;
    for (int last = 0; last < (has_sweep(c) ? 2 : 1) && !s; last++) {
        static_config at;
        *key = "sweep";
        s = set_swept_number(&at, c, last ? c->sweep.to : c->sweep.from, arena, err);
        if (!s)
            s = wy_equilibrium_check(&at.rod, key, err);
        if (!s) {
            *key = "start";
            s = wy_rod_start_check(&at.start, at.rod.length, err);
        }
    }
    wy_arena_free(arena);
    return s;
}

/* The equilibrium at a value of the sweep; without a sweep the value is ignored. */
static wy_status static_equilibrium(wy_equilibrium_request *request, const void *config, double value,
                                    const wy_samples *frame, wy_arena *arena, wy_error *err) {
    const static_config *c = config;
    static_config at;
    (void)frame;
    *request = (wy_equilibrium_request){.value = !isnan(value)  ? value
                                                 : has_sweep(c) ? c->sweep.to
                                                                : 0.0,
                                        .branch = c->branch,
                                        .mode = (int)c->mode,
                                        .start = &c->start};
    ((const wy_equilibrium_solver *)(const void *)c->solver.entry)->make(&request->method, c->solver.config);
    wy_status s = set_swept_number(&at, c, request->value, arena, err);
    if (!s)
        s = wy_rod_definition_copy(&request->rod, &at.rod, arena, NULL, err);
    return s ? s : wy_rod_start_set_ends(&request->rod, &at.start, err);
}

/* ---- frames ---- */

/* The numbers of a frame; pointers: of each node. */
typedef struct static_frame {
    double parameter;
    double *arc_length, *position, *orientation, *force, *moment, *curvature, *stretch;
    double *conserved[5]; /* P.P, P.M, J, M3, |q|^2 */
    double *space_force, *space_moment, *strain_density;
    double drift[5], tip[3], left_force[3], left_moment[3];
    wy_end_forces ends;
    double iterations, points, residual, redundant_residual, condition, error;
    double strain_energy, potential, sensitivity, marching_error;
    wy_equilibrium_errors errors;
    wy_static_certificate certificate;
} static_frame;

typedef struct static_run {
    const static_config *config;
    const wy_sink *sink;
    wy_channel_table table;
    static_frame frame;
    wy_equilibrium *solver;
    wy_equilibrium_other other_solution; /* by another discretisation, if the solver has one */
    wy_rod_definition rod;               /* of the present frame, copied */
    wy_arena *arena, *other;             /* the rod's, and the one of the next rod */
    bool begun, warned_unstable;
    int64_t number; /* the frame that is solved */
    int64_t done;   /* the last recorded frame; -1: none */
    int64_t there;  /* frames up to this one are already in the archive */
} static_run;

#define HERE(member, ...) WY_CHANNEL(static_run, frame.member, __VA_ARGS__)
#define NODES(member, ...) WY_NODE_CHANNEL(static_run, frame.member, __VA_ARGS__)
#define NODAL(name_, unit_, text, columns) \
    .group = "state", .name = name_, .unit = unit_, .doc = text, .rank = 2, .dims = {0, columns}
#define ALONG(name_, unit_, text) .group = "conserved", .name = name_, .unit = unit_, .doc = text, .rank = 1
static const wy_channel_row static_rows[] = {
    HERE(parameter, .name = "parameter", .unit = "1", .doc = "The swept number; 0 without a sweep."),
    NODES(arc_length, .group = "state", .name = "arc_length", .unit = "m",
          .doc = "s of each node, along the unstressed rod.", .rank = 1),
    NODES(position, .group = "state", .name = "position", .unit = "m", .doc = "Centre line in space.", .rank = 2,
          .dims = {0, 3}, .panel = "shape"),
    NODES(orientation, NODAL("orientation", "1", "Quaternion, scalar first, body to space.", 4)),
    NODES(force, NODAL("force", "N", "Internal force P, body components.", 3)),
    NODES(moment, NODAL("moment", "N m", "Internal moment M, body components.", 3)),
    NODES(curvature, NODAL("curvature", "rad/m", "Strains of bending and twist, kappa, body components.", 3)),
    NODES(stretch, NODAL("stretch", "1", "Strains of shear and extension, nu, body components.", 3)),
    NODES(conserved[0], ALONG("force_squared", "N^2", "P.P at each node; constant without distributed load.")),
    NODES(conserved[1], ALONG("force_moment", "N^2 m", "P.M at each node; constant without distributed load.")),
    NODES(conserved[2],
          ALONG("energy_density", "N",
                "J = strain energy density + P.nu* + M.kappa*, (2.26) of the thesis, at each node; constant on a "
                "uniform rod without distributed load.")),
    NODES(conserved[3],
          ALONG("torque", "N m", "M3 at each node; constant on a round uniform rod without distributed load.")),
    NODES(conserved[4], ALONG("quaternion_norm", "1", "|q|^2 at each node.")),
    NODES(space_force, .group = "conserved", .name = "space_force", .unit = "N",
          .doc = "R P in space components at each node.", .rank = 2, .dims = {0, 3}),
    NODES(space_moment, .group = "conserved", .name = "space_moment", .unit = "N m",
          .doc = "R M + x x R P in space components at each node.", .rank = 2, .dims = {0, 3}),
    HERE(drift, .group = "conserved", .name = "drift", .unit = "1",
         .doc = "Largest change along the rod of P.P, P.M, J, M3 and |q|^2, each relative to its terms.", .rank = 1,
         .dims = {5}),
    HERE(tip, .group = "state", .name = "tip", .unit = "m", .doc = "Position of the end at s = L, in space.", .rank = 1,
         .dims = {3}, .panel = "tip position"),
    HERE(left_force, .group = "ends", .name = "left_force", .unit = "N",
         .doc = "Internal force P at s = 0, body components.", .rank = 1, .dims = {3},
         .panel = "force at the left end"),
    HERE(left_moment, .group = "ends", .name = "left_moment", .unit = "N m",
         .doc = "Internal moment M at s = 0, body components.", .rank = 1, .dims = {3},
         .panel = "moment at the left end"),
    WY_END_FORCE_ROWS(static_run, frame.ends, 0, ""),
    WY_STATIC_CONTACT_ROWS(static_run, frame.certificate),
    HERE(iterations, .group = "solver", .name = "iterations", .unit = "1",
         .doc = "Newton iterations of the last point.", .whole = true),
    HERE(points, .group = "solver", .name = "points", .unit = "1", .doc = "Points of the path from the unstressed rod.",
         .whole = true),
    HERE(residual, .group = "solver", .name = "residual", .unit = "1",
         .doc = "Residual of the end conditions, in units of the rod."),
    HERE(redundant_residual, .group = "solver", .name = "redundant_residual", .unit = "1",
         .doc = "Residual of the redundant end condition of a symmetric problem."),
    HERE(condition, .group = "solver", .name = "condition", .unit = "1",
         .doc = "Lower estimate of the condition number."),
    HERE(error, .group = "solver", .name = "error", .unit = "1",
         .doc = "The largest of error_shape, error_force and error_moment; -1: not known."),
    HERE(strain_energy, .group = "energy", .name = "strain_energy", .unit = "J",
         .doc = "Energy of deformation: the integral of strain_energy_density."),
    HERE(potential, .group = "energy", .name = "potential", .unit = "J",
         .doc = "Strain energy minus the work of dead end forces and distributed forces."),
    NODES(strain_density, .group = "energy", .name = "strain_energy_density", .unit = "J/m",
          .doc = "1/2 (P.C_P^-1 P + M.C_M^-1 M), (2.20) of the thesis, at each node.", .rank = 1),
    HERE(errors.shape, .group = "certificate", .name = "error_shape", .unit = "1",
         .doc = "Estimated error, the larger one of positions, relative to the length, and of rotations, in rad; -1: "
                "not known."),
    HERE(errors.force, .group = "certificate", .name = "error_force", .unit = "1",
         .doc = "Estimated error of forces, relative to the largest force (at least the largest moment/length); -1: "
                "not known."),
    HERE(errors.moment, .group = "certificate", .name = "error_moment", .unit = "1",
         .doc = "Estimated error of moments, relative to the largest moment (at least the largest force times a "
                "thousandth of the radius of gyration); -1: not known."),
    HERE(errors.force_balance, .group = "certificate", .name = "force_balance", .unit = "1",
         .doc =
             "Residual of the balance of the end forces and the loads, integrated along the solved shape, relative to "
             "the largest force."),
    HERE(errors.moment_balance, .group = "certificate", .name = "moment_balance", .unit = "1",
         .doc =
             "The same for moments about the first end, relative to the largest moment or the largest force times its "
             "distance."),
    HERE(sensitivity, .group = "certificate", .name = "sensitivity", .unit = "1",
         .doc =
             "Factor by which an error of force and moment at s = 0 grows to the other end on an integration along the "
             "rod, both in the units of `error`; -1: not known."),
    HERE(marching_error, .group = "certificate", .name = "marching_error", .unit = "1",
         .doc = "Expected miss of the other end by an integration from the state at s = 0, in the units of `error`; "
                "-1: not known."),
    WY_RESOLUTION_ROWS(static_run, frame.certificate.resolution),
};

static wy_status begin_static_archive(static_run *run, wy_error *err) {
    const size_t counts[WY_PERS] = {[WY_PER_NODE] = wy_equilibrium_count(run->solver)};
    wy_status s =
        wy_channel_table_open(&run->table, static_rows, sizeof static_rows / sizeof *static_rows, run, counts, 0, err);
    if (s)
        return s;
    if (has_sweep(run->config)) /* owned by the scenario, which outlives the archive */
        run->table.channels[0].name = run->config->sweep.number;
    run->begun = true;
    s = wy_channel_table_begin(&run->table, run->sink, err);
    bool resumed;
    const wy_checkpoint_block part = {&run->there, sizeof run->there};
    return s ? s : wy_sink_resume(&resumed, run->sink, &part, 1, err);
}

static const double *recorded_states(const static_run *run) {
    return run->other_solution.solution ? run->other_solution.states : wy_equilibrium_states(run->solver);
}

/* Largest change along the rod, relative to the size of the terms. */
static void fill_drift(static_run *run, size_t nodes) {
    const double *y = recorded_states(run);
    double P = 0.0, M = 0.0;
    for (size_t i = 0; i < nodes; i++) {
        P = fmax(P, v3_norm(y + i * WY_STATIC_DIM + WY_STATIC_P));
        M = fmax(M, v3_norm(y + i * WY_STATIC_DIM + WY_STATIC_M));
    }
    double kappa[3], nu[3];
    wy_equilibrium_strains(kappa, nu, &run->rod, 0.0, y);
    const double terms[5] = {P * P, P * M, P * v3_norm(nu) + M * v3_norm(kappa), M, 1.0};
    for (int k = 0; k < 5; k++) {
        double worst = 0.0;
        for (size_t i = 0; i < nodes; i++)
            worst = fmax(worst, fabs(run->frame.conserved[k][i] - run->frame.conserved[k][0]));
        run->frame.drift[k] = terms[k] > 0.0 ? worst / terms[k] : 0.0;
    }
}

/* Errors of the other discretisation: its distance from the collocation. Its energy by the trapezoidal rule. */
static void record_other_errors(static_run *run, wy_equilibrium_errors *e, size_t nodes) {
    const double *y = recorded_states(run), *better = wy_equilibrium_states(run->solver),
                 *density = run->frame.strain_density;
    double energy = 0.0, off[4] = {0}, size[4] = {0.0, 0.0, 0.5, run->rod.length};
    for (size_t i = 0; i < nodes * WY_STATIC_DIM; i++) {
        const size_t c = i % WY_STATIC_DIM, k = c < WY_STATIC_Q ? c / 3 : c < WY_STATIC_X ? 2 : 3;
        off[k] = fmax(off[k], fabs(y[i] - better[i]));
        size[k] = k < 2 ? fmax(size[k], fabs(better[i])) : size[k];
    }
    for (int k = 0; k < 4; k++)
        off[k] = size[k] > 0.0 ? off[k] / size[k] : 0.0;
    e->force = fmax(e->force, off[0]);
    e->moment = fmax(e->moment, off[1]);
    e->shape = fmax(e->shape, fmax(off[2], off[3]));
    for (size_t i = 0; i < nodes; i++)
        energy += density[i] * (i == 0 || i + 1 == nodes ? 0.5 : 1.0);
    run->frame.strain_energy = run->frame.potential = energy * run->rod.length / (double)(nodes - 1);
}

static wy_status record_static_frame(static_run *run, double parameter, wy_error *err) {
    const size_t nodes = wy_equilibrium_count(run->solver);
    const double *s = wy_equilibrium_s(run->solver), *y = recorded_states(run);
    static_frame *f = &run->frame;
    double rest[6];
    f->parameter = parameter;
    for (size_t i = 0; i < nodes; i++) {
        const double *yi = y + i * WY_STATIC_DIM;
        f->arc_length[i] = s[i];
        v3_copy(f->position + 3 * i, yi + WY_STATIC_X);
        memcpy(f->orientation + 4 * i, yi + WY_STATIC_Q, 4 * sizeof(double));
        v3_copy(f->force + 3 * i, yi + WY_STATIC_P);
        v3_copy(f->moment + 3 * i, yi + WY_STATIC_M);
        wy_equilibrium_strains(f->curvature + 3 * i, f->stretch + 3 * i, &run->rod, s[i], yi);
        const wy_equilibrium_invariants inv = wy_equilibrium_invariants_at(&run->rod, s[i], yi);
        f->conserved[0][i] = inv.PP;
        f->conserved[1][i] = inv.PM;
        f->conserved[2][i] = inv.J;
        f->conserved[3][i] = inv.M3;
        f->conserved[4][i] = inv.qq;
        v3_copy(f->space_force + 3 * i, inv.force);
        v3_copy(f->space_moment + 3 * i, inv.moment);
        f->strain_density[i] = inv.J;
        wy_rod_reference_at(rest, &run->rod, s[i], i + 1 < nodes ? 1 : -1);
        for (int c = 0; c < 3; c++)
            f->strain_density[i] -= rest[c] * yi[WY_STATIC_M + c] + rest[3 + c] * yi[WY_STATIC_P + c];
    }
    fill_drift(run, nodes);
    v3_copy(f->tip, f->position + 3 * (nodes - 1));
    wy_equilibrium_end_forces(f->ends, y, nodes);
    v3_copy(f->left_force, y + WY_STATIC_P);
    v3_copy(f->left_moment, y + WY_STATIC_M);
    const wy_equilibrium_contact contact = wy_equilibrium_self_distance(run->solver);
    wy_equilibrium_certify(&f->certificate, &run->rod, s, y, nodes, &contact);
    if (contact.through) {
        char text[160];
        wy_equilibrium_contact_text(text, sizeof text, &contact);
        if (has_sweep(run->config))
            wy_sink_warn(run->sink, "%s = %.6g: the rod %s", run->config->sweep.number, parameter, text);
        else
            wy_sink_warn(run->sink, "the rod %s", text);
    }
    const wy_equilibrium_stats *stats =
        run->other_solution.solution ? run->other_solution.statistics : wy_equilibrium_statistics(run->solver);
    f->iterations = (double)stats->iterations;
    f->points = (double)stats->points;
    f->residual = stats->residual;
    f->redundant_residual = stats->redundant_residual;
    f->condition = stats->condition;
    wy_status status = wy_equilibrium_energies(&f->strain_energy, &f->potential, run->solver, err);
    if (!status)
        status = wy_equilibrium_estimate_all(&f->errors, &f->sensitivity, &f->marching_error, run->solver, err);
    if (status)
        return status;
    if (run->other_solution.solution)
        record_other_errors(run, &f->errors, nodes);
    f->error = fmax(f->errors.shape, fmax(f->errors.force, f->errors.moment));
    if (run->other_solution.solution && f->sensitivity >= 0.0)
        f->marching_error = f->error * (1.0 + f->sensitivity);
    char where[160] = "";
    if (has_sweep(run->config))
        snprintf(where, sizeof where, "%.120s = %.6g: ", run->config->sweep.number, parameter);
    const equilibrium_message_context context = {
        .sink = run->sink, .where = where, .solver = run->solver, .rod = &run->rod};
    if (!run->other_solution.solution)
        wy_equilibrium_note_energy(&context, f->potential);
    wy_equilibrium_warn_error(&context, &f->errors);
    wy_equilibrium_warn_link(&context);
    if (!run->other_solution.solution && !run->warned_unstable && run->config->branch == WY_BRANCH_MAIN)
        run->warned_unstable = wy_equilibrium_warn_stability(&context);
    return wy_channel_table_frame(&run->table, run->sink, err);
}

/* Whether a sweep changes ends and loads only. */
static bool same_rod(const static_config *c) {
    static const char *const outside[] = {"first_end.", "last_end.", "loads."};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        if (strncmp(c->sweep.number, outside[i], strlen(outside[i])) == 0)
            return true;
    return false;
}

/* One equilibrium: from the unstressed rod on the named branch; if that fails, by continuation from the previous
 * frame. */
static wy_status solve_static_frame(static_run *run, const wy_rod_definition *rod, const wy_equilibrium_method *method,
                                    wy_error *err) {
    wy_equilibrium *next;
    const bool stored = wy_rod_start_says_where(&run->config->start);
    if (stored && run->solver && same_rod(run->config)) /* continue from the previous frame, which started there */
        return wy_equilibrium_continue(run->solver, rod, err);
    wy_status s = wy_equilibrium_create(&next, rod, method, err);
    if (!s)
        s = wy_equilibrium_solve_start(next, &run->config->start, run->config->branch, (int)run->config->mode, err);
    if (s == WY_NO_CONVERGENCE && run->solver && same_rod(run->config)) {
        wy_equilibrium_free(next);
        return wy_equilibrium_continue(run->solver, rod, NULL) ? s : WY_OK; /* the first error is the clearer one */
    }
    if (s) {
        wy_equilibrium_free(next);
        return s;
    }
    wy_equilibrium_free(run->solver);
    run->solver = next;
    return WY_OK;
}

static void free_other_solution(static_run *run) {
    const wy_equilibrium_solver *solver = (const wy_equilibrium_solver *)(const void *)run->config->solver.entry;
    if (run->other_solution.solution)
        solver->free_other(run->other_solution.solution);
    run->other_solution = (wy_equilibrium_other){0};
}

/* Solves the equilibrium by another discretisation, if the scenario chose one. */
static wy_status solve_other(static_run *run, const wy_rod_definition *rod, wy_error *err) {
    const wy_equilibrium_solver *solver = (const wy_equilibrium_solver *)(const void *)run->config->solver.entry;
    if (!solver->solve_other)
        return WY_OK;
    wy_equilibrium_other other;
    const wy_status s = solver->solve_other(&other, rod, run->solver, run->config->solver.config, err);
    if (s)
        return s;
    free_other_solution(run);
    run->other_solution = other;
    return WY_OK;
}

/* Asked by the solver before each step of a path. */
static bool should_stop(void *context) {
    const static_run *run = context;
    const double frames = has_sweep(run->config) ? (double)run->config->sweep.frames : 1.0;
    return run->sink->progress && run->sink->progress(run->sink->context, (double)run->number / frames);
}

static wy_status run_static_frame(static_run *run, int64_t number, int64_t frames, wy_error *err) {
    const static_config *c = run->config;
    const double value = has_sweep(c) ? sweep_value(c, number) : 0.0;
    wy_equilibrium_request request;
    wy_arena_free(run->other);
    run->other = wy_arena_create();
    if (!run->other)
        return wy_fail(err, WY_NO_MEMORY, "no memory for frame %lld", (long long)number);
    wy_status s = static_equilibrium(&request, c, value, NULL, run->other, err);
    if (s)
        return s;
    run->number = number;
    request.method.stop = should_stop;
    request.method.stop_context = run;
    s = solve_static_frame(run, &request.rod, &request.method, err);
    if (!s)
        s = solve_other(run, &request.rod, err);
    if (s)
        return has_sweep(c) ? wy_fail_at(err, s, "%s = %.9g", c->sweep.number, value) : s;
    run->rod = request.rod;
    wy_arena *spare = run->arena;
    run->arena = run->other;
    run->other = spare;
    if (!run->begun)
        s = begin_static_archive(run, err);
    /* A resumed run computes the recorded frames again: a frame may start from the previous one. */
    if (!s && number > run->there) {
        run->done = number;
        const wy_checkpoint_block part = {&run->done, sizeof run->done};
        s = wy_sink_checkpoint(run->sink, &part, 1, err);
        if (!s)
            s = record_static_frame(run, value, err);
    }
    return s ? s : wy_sink_progress(run->sink, (double)(number + 1) / (double)frames, err);
}

static wy_status run_static(const void *config, const wy_sink *sink, wy_error *err) {
    static_run run = {.config = config, .sink = sink, .done = -1, .there = -1};
    const int64_t frames = has_sweep(run.config) ? run.config->sweep.frames : 1;
    wy_status s = WY_OK;
    for (int64_t i = 0; i < frames && !s; i++)
        s = run_static_frame(&run, i, frames, err);
    wy_equilibrium_free(run.solver);
    free_other_solution(&run);
    wy_arena_free(run.arena);
    wy_arena_free(run.other);
    wy_channel_table_close(&run.table);
    return s;
}

static const wy_rod_definition *static_rod(const void *config) {
    return &((const static_config *)config)->rod;
}

const wy_kind wy_kind_static = {
    .entry = {.name = "static",
              .doc = "A rod in equilibrium between its ends: shape, forces, strains, invariants; or a family of them.",
              .params = static_params,
              .config_size = sizeof(static_config)},
    .check = check_static_config,
    .run = run_static,
    .rod = static_rod,
    .at_rest = true,
    .equilibrium = static_equilibrium,
};
