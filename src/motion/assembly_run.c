/* An assembly from its start to the end of a plan, frame by frame. */
#include "motion/assembly_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/channel_table.h"
#include "base/march.h"
#include "base/memory.h"
#include "estimate/signal_features.h"
#include "math/vec3.h"
#include "motion/assembly_estimate.h"
#include "motion/estimate/certificate.h"
#include "rod/end_forces.h"

/* What is shown of a rod, and of a body. */
typedef struct assembly_rod_view {
    double *position, *orientation, *velocity, *strain, *wrench, *arc_length, tip[3];
    wy_end_forces ends;
} assembly_rod_view;

typedef struct assembly_body_view {
    double position[3], orientation[4], velocity[6];
} assembly_body_view;

enum { ASSEMBLY_BLOCKS = 9, ASSEMBLY_COUNTS = 8 };

typedef struct assembly_run {
    wy_arena *arena;
    wy_assembly assembly;
    wy_assembly_motion motion;
    wy_assembly_estimate estimate;
    assembly_rod_view *rod;
    assembly_body_view *body;
    wy_channel_table *table; /* of the whole, then of each rod, then of each body */
    size_t table_count, channel_count;
    wy_channel *channels;
    wy_checkpoint_block *blocks;
    double time;
    int64_t done;
    wy_motion_stats before;
    wy_motion_energy energy;
    double P[3], L[3], balance_now, counts[ASSEMBLY_COUNTS];
    double balance, linear[3], angular[3], drift, momentum_drift, gap; /* at the start, and the worst so far */
    double mass, length;                                               /* of all rods and bodies; of all rods */
    double round_off;                                                  /* strain energy of strains of 1e-13, J */
    bool momentum_free;                                                /* nothing changes the momenta */
} assembly_run;

#define ASSEMBLY_CHANNEL(member, ...) WY_CHANNEL(assembly_run, member, __VA_ARGS__)
#define ESTIMATED(member, ...) \
    { .channel = {__VA_ARGS__}, .offset = offsetof(assembly_run, member), .option = 1 }
static const wy_channel_row assembly_rows[] = {
    ASSEMBLY_CHANNEL(time, .name = "time", .unit = "s", .doc = "Time."),
    ASSEMBLY_CHANNEL(energy.kinetic, .group = "energy", .name = "kinetic", .unit = "J", .doc = "Kinetic energy.",
                     .panel = "energy"),
    ASSEMBLY_CHANNEL(energy.strain, .group = "energy", .name = "strain_energy", .unit = "J", .doc = "Elastic energy.",
                     .panel = "energy"),
    ASSEMBLY_CHANNEL(energy.gravity, .group = "energy", .name = "gravity", .unit = "J",
                     .doc = "Potential of gravity, 0 at the origin.", .panel = "energy"),
    ASSEMBLY_CHANNEL(energy.dissipated, .group = "energy", .name = "dissipated", .unit = "J",
                     .doc = "Taken by viscosity and drag so far.", .panel = "energy"),
    ASSEMBLY_CHANNEL(energy.numerical, .group = "energy", .name = "numerical_dissipation", .unit = "J",
                     .doc = "Lost by the method itself so far, not by the rods; negative: it made energy.",
                     .panel = "energy"),
    ASSEMBLY_CHANNEL(energy.work, .group = "energy", .name = "work", .unit = "J",
                     .doc = "Done by loads and moved ends so far.", .panel = "energy"),
    ASSEMBLY_CHANNEL(balance_now, .group = "invariants", .name = "balance", .unit = "J",
                     .doc = "kinetic + strain + gravity + dissipated + numerical_dissipation - work.",
                     .panel = "energy balance"),
    ASSEMBLY_CHANNEL(P, .group = "momentum", .name = "linear_momentum", .unit = "kg m/s", .doc = "In space.", .rank = 1,
                     .dims = {3}),
    ASSEMBLY_CHANNEL(L, .group = "momentum", .name = "angular_momentum", .unit = "kg m^2/s",
                     .doc = "About the origin, in space.", .rank = 1, .dims = {3}),
    ASSEMBLY_CHANNEL(counts[0], .group = "solver", .name = "iterations", .unit = "1",
                     .doc = "Newton iterations since the last frame.", .whole = true),
    ASSEMBLY_CHANNEL(counts[1], .group = "solver", .name = "retries", .unit = "1",
                     .doc = "Attempts made again since the last frame.", .whole = true),
    ASSEMBLY_CHANNEL(counts[2], .group = "solver", .name = "halvings", .unit = "1",
                     .doc = "Steps cut in two since the last frame.", .whole = true),
    ESTIMATED(estimate.shape, .group = "certificate", .name = "error_shape", .unit = "1",
              .doc =
                  "Error of the displacements of ends, quarters and middles of rods and of centres of bodies so far, "
                  "root of the mean square, relative to the largest" WY_BY_COARSE_RUNS "."),
    ESTIMATED(estimate.reaction, .group = "certificate", .name = "error_reaction", .unit = "1",
              .doc = "Error of the forces (and moments over the length) that hold ends, means over four steps, root of "
                     "the mean square, relative to the largest" WY_BY_COARSE_RUNS "; 0: nothing holds an end."),
    ESTIMATED(estimate.space, .group = "certificate", .name = "error_space", .unit = "1",
              .doc = "Part of these that is due to the elements; 1: unknown."),
    ESTIMATED(estimate.time, .group = "certificate", .name = "error_time", .unit = "1",
              .doc = "Part of these that is due to the step; 1: unknown."),
    ASSEMBLY_CHANNEL(drift, .group = "certificate", .name = "energy_drift", .unit = "1",
                     .doc =
                         "Largest change of the balance so far, relative to the largest kinetic or strain energy; of "
                         "dissipative steps round-off by construction: see numerical_dissipation."),
    ASSEMBLY_CHANNEL(momentum_drift, .group = "certificate", .name = "momentum_drift", .unit = "1",
                     .doc = "Largest change of the momenta so far, relative; 0 where ends or loads change them."),
    ASSEMBLY_CHANNEL(
        gap, .group = "certificate", .name = "kinematic_residual", .unit = "1",
        .doc = "Largest distance so far of the poses of a rod from the integral of its strains, relative to its "
               "length."),
    ASSEMBLY_CHANNEL(counts[3], .group = "certificate", .name = "newton_iterations", .unit = "1",
                     .doc = "Newton iterations so far.", .whole = true),
    ASSEMBLY_CHANNEL(counts[4], .group = "certificate", .name = "newton_retries", .unit = "1",
                     .doc = "Attempts made again so far.", .whole = true),
    ASSEMBLY_CHANNEL(counts[5], .group = "certificate", .name = "steps_halved", .unit = "1",
                     .doc = "Steps cut in two so far.", .whole = true),
    ASSEMBLY_CHANNEL(counts[6], .group = "certificate", .name = "fallback_steps", .unit = "1",
                     .doc = "Steps too violent for stages that keep the energy, taken with dissipative ones so far.",
                     .whole = true),
    ASSEMBLY_CHANNEL(counts[7], .group = "certificate", .name = "fallback_energy", .unit = "1",
                     .doc = "Energy that those took so far, relative to the largest kinetic or strain energy."),
};

static const wy_channel_row assembly_rod_rows[] = {
    WY_NODE_CHANNEL(assembly_rod_view, position, .group = "state", .name = "position", .unit = "m",
                    .doc = "Nodes along the rod, in space.", .panel = "shape", .rank = 2, .dims = {0, 3}),
    WY_NODE_CHANNEL(assembly_rod_view, orientation, .group = "state", .name = "orientation", .unit = "1",
                    .doc = "Quaternions of the nodes, scalar first, body to space.", .rank = 2, .dims = {0, 4}),
    WY_NODE_CHANNEL(assembly_rod_view, velocity, .group = "state", .name = "velocity", .unit = "rad/s, m/s",
                    .doc = "[omega; v] of the nodes in the body frame.", .rank = 2, .dims = {0, 6}),
    WY_ELEMENT_CHANNEL(assembly_rod_view, strain, .group = "state", .name = "strain", .unit = "rad/m, 1",
                       .doc = "[kappa; nu] of the elements in the body frame, constant over each: its integral is the "
                              "poses.",
                       .rank = 2, .dims = {0, 6}),
    WY_ELEMENT_CHANNEL(assembly_rod_view, wrench, .group = "state", .name = "wrench", .unit = "N m, N",
                       .doc = "[moment; force] inside the elements, in the body frame.", .rank = 2, .dims = {0, 6},
                       .meaning = "mean over the step"),
    WY_CHANNEL(assembly_rod_view, tip, .group = "state", .name = "tip", .unit = "m",
               .doc = "Position of the end at s = L, in space.", .rank = 1, .dims = {3}, .panel = "tip position"),
    WY_END_FORCE_ROWS(assembly_rod_view, ends, 0, "; reactions are means over the step"),
    {.channel = {.group = "state",
                 .name = "arc_length",
                 .unit = "m",
                 .doc = "Nodes of a graded mesh.",
                 .rank = 1,
                 .dims = {0}},
     .offset = offsetof(assembly_rod_view, arc_length),
     .per = WY_PER_NODE,
     .option = 1},
};

static const wy_channel_row assembly_body_rows[] = {
    WY_CHANNEL(assembly_body_view, position, .group = "state", .name = "centre", .unit = "m",
               .doc = "Centre of mass, in space.", .rank = 1, .dims = {3}, .panel = "body position"),
    WY_CHANNEL(assembly_body_view, orientation, .group = "state", .name = "axes", .unit = "1",
               .doc = "Quaternion of its axes, scalar first, body to space.", .rank = 1, .dims = {4}),
    WY_CHANNEL(assembly_body_view, velocity, .group = "state", .name = "body_velocity", .unit = "rad/s, m/s",
               .doc = "[omega; v] of its centre of mass, in its own axes.", .rank = 1, .dims = {6}),
};
#define ASSEMBLY_ROWS(rows) (sizeof(rows) / sizeof *(rows))

/* ---- steps ---- */

static void watch_assembly(assembly_run *run, bool start) {
    const wy_assembly_motion *m = &run->motion;
    wy_assembly_motion_energies(&run->energy, m);
    wy_assembly_motion_momenta(run->P, run->L, m);
    run->balance_now = run->energy.balance;
    if (start) {
        run->balance = run->energy.balance;
        v3_copy(run->linear, run->P);
        v3_copy(run->angular, run->L);
    }
    const double change = fabs(run->energy.balance - run->balance), largest = run->energy.largest;
    if (largest > run->round_off) /* what is at rest moves by round-off only */
        run->drift = fmax(run->drift, change / largest);
    if (!run->momentum_free)
        return;
    double a[3], b[3];
    v3_sub(a, run->P, run->linear);
    v3_sub(b, run->L, run->angular);
    /* what is at rest has no momentum to compare with: its mass moving at the speed of its energy has */
    const double speed = sqrt(2.0 * largest / run->mass);
    const double scale = fmax(v3_norm(run->linear), run->mass * speed);
    const double scale2 = fmax(v3_norm(run->angular), run->mass * speed * run->length);
    if (scale > 0.0)
        run->momentum_drift = fmax(run->momentum_drift, fmax(v3_norm(a) / scale, v3_norm(b) / scale2));
}

static wy_status step_assembly(void *context, int64_t n, double t, double dt, wy_error *err) {
    assembly_run *run = context;
    (void)t;
    const wy_status s = wy_assembly_motion_step(&run->motion, dt, err);
    if (s)
        return s;
    watch_assembly(run, false);
    wy_assembly_estimate_step(&run->estimate, &run->motion, n, dt);
    return WY_OK;
}

static wy_status step_assembly_alone(void *context, double t, double dt, wy_error *err) {
    return step_assembly(context, 0, t, dt, err);
}

/* ---- frames ---- */

static void sample_rod_of_assembly(assembly_run *run, size_t i) {
    const wy_motion *rod = run->motion.rod[i];
    const wy_motion_state *state = run->motion.state[i];
    assembly_rod_view *v = &run->rod[i];
    const wy_motion_view view = {v->position, v->orientation, v->velocity, v->strain, v->wrench};
    wy_motion_read(rod, state, &view);
    wy_motion_end_forces(v->ends, rod, state, &view);
    v3_copy(v->tip, v->position + 3 * (wy_motion_nodes(rod) - 1));
    run->gap = fmax(run->gap, wy_motion_kinematic_residual(rod, state) / rod->def.length);
}

static void sample_assembly(void *context, const double **values) {
    assembly_run *run = context;
    wy_motion_stats now;
    double fallback_energy;
    wy_assembly_motion_statistics(&now, &fallback_energy, &run->motion);
    for (size_t i = 0; i < run->motion.rod_count; i++)
        sample_rod_of_assembly(run, i);
    for (size_t i = 0; i < run->motion.body_count; i++)
        wy_assembly_body_read(run->body[i].position, run->body[i].orientation, run->body[i].velocity, &run->motion, i);
    wy_assembly_motion_energies(&run->energy, &run->motion);
    wy_assembly_motion_momenta(run->P, run->L, &run->motion);
    const double largest = run->energy.largest;
    const double counts[ASSEMBLY_COUNTS] = {(double)(now.iterations - run->before.iterations),
                                            (double)(now.retries - run->before.retries),
                                            (double)(now.halvings - run->before.halvings),
                                            (double)now.iterations,
                                            (double)now.retries,
                                            (double)now.halvings,
                                            (double)now.fallback_steps,
                                            largest > 0.0 ? fallback_energy / largest : 0.0};
    memcpy(run->counts, counts, sizeof counts);
    run->before = now;
    size_t n = 1;
    for (size_t t = 0; t < run->table_count; t++)
        for (size_t c = t == 0 ? 1 : 0; c < run->table[t].count; c++)
            values[n++] = run->table[t].values[c];
}

/* ---- making ---- */

static wy_status open_assembly_tables(assembly_run *run, wy_error *err) {
    const wy_assembly_motion *m = &run->motion;
    const size_t tables = 1 + m->rod_count + m->body_count;
    run->rod = calloc(m->rod_count + 1, sizeof *run->rod);
    run->body = calloc(m->body_count + 1, sizeof *run->body);
    run->table = calloc(tables, sizeof *run->table);
    if (!run->rod || !run->body || !run->table)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the channels of %zu rods", m->rod_count);
    run->table_count = tables;
    const size_t none[WY_PERS] = {0};
    wy_status s = wy_channel_table_open(&run->table[0], assembly_rows, ASSEMBLY_ROWS(assembly_rows), run, none,
                                        run->estimate.numbers != NULL, err);
    for (size_t i = 0; i < m->rod_count && !s; i++) {
        const wy_motion *rod = m->rod[i];
        const size_t nodes = wy_motion_nodes(rod);
        const size_t counts[WY_PERS] = {[WY_PER_NODE] = nodes, [WY_PER_ELEMENT] = nodes - 1};
        run->rod[i].arc_length = rod->element_boundary;
        s = wy_channel_table_open(&run->table[1 + i], assembly_rod_rows, ASSEMBLY_ROWS(assembly_rod_rows), &run->rod[i],
                                  counts, rod->graded, err);
    }
    for (size_t i = 0; i < m->body_count && !s; i++)
        s = wy_channel_table_open(&run->table[1 + m->rod_count + i], assembly_body_rows,
                                  ASSEMBLY_ROWS(assembly_body_rows), &run->body[i], none, 0, err);
    for (size_t t = 0; t < tables; t++)
        run->channel_count += run->table[t].count;
    run->channels = s ? NULL : calloc(run->channel_count, sizeof *run->channels);
    if (!s && !run->channels)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu channels", run->channel_count);
    size_t n = 0;
    for (size_t t = 0; t < tables && !s; t++)
        for (size_t c = 0; c < run->table[t].count; c++) {
            run->channels[n] = run->table[t].channels[c];
            run->channels[n++].object = t == 0              ? NULL
                                        : t <= m->rod_count ? run->assembly.rod_name[t - 1]
                                                            : run->assembly.body_name[t - 1 - m->rod_count];
        }
    return s;
}

/* Everything that the rest of the run depends on. */
static wy_status list_assembly_blocks(assembly_run *run, size_t *count, wy_error *err) {
    const size_t members = run->motion.rod_count + run->motion.body_count;
    const size_t of_estimate = wy_assembly_estimate_blocks(&run->estimate);
    run->blocks = calloc(members + ASSEMBLY_BLOCKS + of_estimate, sizeof *run->blocks);
    if (!run->blocks)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the states of %zu rods", members);
    size_t n = 0;
    for (size_t i = 0; i < members; i++)
        run->blocks[n++] = (wy_checkpoint_block){wy_motion_state_numbers(run->motion.state[i]),
                                                 wy_motion_state_size(run->motion.state[i]) * sizeof(double)};
#define KEEP_BLOCK(x) run->blocks[n++] = (wy_checkpoint_block){&(x), sizeof(x)}
    KEEP_BLOCK(run->done);
    KEEP_BLOCK(run->before);
    KEEP_BLOCK(run->balance_now);
    KEEP_BLOCK(run->balance);
    KEEP_BLOCK(run->linear);
    KEEP_BLOCK(run->angular);
    KEEP_BLOCK(run->drift);
    KEEP_BLOCK(run->momentum_drift);
    KEEP_BLOCK(run->gap);
#undef KEEP_BLOCK
    wy_assembly_estimate_list(run->blocks + n, &run->estimate);
    *count = n + of_estimate;
    return WY_OK;
}

static void find_assembly_scales(assembly_run *run) {
    const wy_assembly_motion *m = &run->motion;
    run->momentum_free = !(m->body_count && v3_norm(run->assembly.gravity) > 0.0);
    for (size_t i = 0; i < m->rod_count; i++) {
        const wy_motion *rod = m->rod[i];
        run->mass += rod->def.section.rhoA * rod->def.length;
        run->length += rod->def.length;
        run->round_off += 1e-26 * rod->def.section.EA * rod->def.length;
        run->momentum_free = run->momentum_free && rod->def.loads.count == 0 && rod->def.mass_damping == 0.0;
        for (int e = 0; e < 2; e++)
            run->momentum_free = run->momentum_free && rod->constraint[e].components == 0 && !rod->ends[e]->wrench;
    }
    for (size_t i = 0; i < m->body_count; i++)
        run->mass += run->assembly.mass[i];
}

static void close_assembly_run(void *context) {
    assembly_run *run = context;
    for (size_t t = 0; t < run->table_count; t++)
        wy_channel_table_close(&run->table[t]);
    wy_assembly_estimate_close(&run->estimate);
    wy_assembly_motion_close(&run->motion);
    free(run->table);
    free(run->rod);
    free(run->body);
    free(run->channels);
    free(run->blocks);
    wy_arena_free(run->arena);
    free(run);
}

/* Of a rod that is joined to others the equilibrium is not that of the rod alone. */
static wy_status check_assembly_starts(const wy_assembly *a, const wy_assembly_definition *d, const char **key,
                                       wy_error *err) {
    for (size_t n = 0; n < a->node_count; n++)
        for (size_t i = 0; i < a->node[n].count; i++) {
            const size_t rod = a->node[n].ends[i].rod;
            if (!a->start[rod].equilibrium || (a->node[n].count == 1 && a->node[n].body == SIZE_MAX))
                continue;
            *key = d->rods.items[rod].path;
            return wy_fail(err, WY_UNSUPPORTED,
                           "rod '%s': start.equilibrium is that of one rod alone, and this one is joined to others",
                           a->rod_name[rod]);
        }
    return WY_OK;
}

wy_status wy_assembly_run_check(const wy_assembly_definition *d, const wy_assembly_plan *plan, const char **key,
                                wy_error *err) {
    wy_assembly a;
    wy_assembly_motion m = {0};
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory to make an assembly");
    wy_status s = wy_assembly_resolve(&a, d, arena, key, err);
    if (!s)
        s = check_assembly_starts(&a, d, key, err);
    for (size_t i = 0; !s && i < a.rod_count; i++) {
        wy_motion_definition rod;
        const char *part;
        wy_error why;
        wy_motion_definition_init(&rod);
        rod.rod = a.rod[i];
        rod.start = a.start[i];
        rod.method = plan->method;
        *key = d->rods.items[i].path;
        s = wy_motion_check(&rod, &part, &why);
        if (s)
            s = wy_fail(err, s, "rod '%s'%s%s: %s", a.rod_name[i], part ? ", " : "", part ? part : "", why.text);
    }
    if (!s) {
        *key = d->joints.count ? "joints" : NULL;
        s = wy_assembly_motion_open(&m, &a, &plan->method, 1, err);
    }
    wy_assembly_motion_close(&m);
    wy_arena_free(arena);
    return s;
}

wy_status wy_assembly_run_open(wy_march *march, const wy_assembly_definition *d, const wy_assembly_plan *plan,
                               wy_error *err) {
    assembly_run *run = calloc(1, sizeof *run);
    if (!run || !(run->arena = wy_arena_create())) {
        free(run);
        return wy_fail(err, WY_NO_MEMORY, "no memory for the run of an assembly");
    }
    size_t blocks = 0;
    wy_status s = wy_assembly_resolve(&run->assembly, d, run->arena, NULL, err);
    if (!s)
        s = wy_assembly_motion_open(&run->motion, &run->assembly, &plan->method, 1, err);
    if (!s && plan->estimate)
        s = wy_assembly_estimate_open(&run->estimate, &run->assembly, &run->motion, &plan->method, err);
    if (!s)
        s = open_assembly_tables(run, err);
    if (!s)
        s = list_assembly_blocks(run, &blocks, err);
    if (s) {
        close_assembly_run(run);
        return s;
    }
    find_assembly_scales(run);
    watch_assembly(run, true);
    *march = (wy_march){.grid = plan->grid,
                        .channels = run->channels,
                        .channel_count = run->channel_count,
                        .blocks = run->blocks,
                        .block_count = blocks,
                        .done = &run->done,
                        .run = run,
                        .step = step_assembly,
                        .sample = sample_assembly,
                        .close = close_assembly_run,
                        .step_external = step_assembly_alone};
    return WY_OK;
}

/* Warnings and notes on single rods. */
static wy_status say_of_assembly(const assembly_run *run, const wy_assembly_plan *plan, const wy_sink *sink,
                                 wy_error *err) {
    char text[WY_ERROR_TEXT];
    wy_status s = WY_OK;
    for (size_t i = 0; i < run->motion.rod_count && !s; i++) {
        const wy_motion *rod = run->motion.rod[i];
        const char *name = run->assembly.rod_name[i];
        for (int which = 0; !s && which < WY_START_WARNINGS && rod->method->start_warning; which++) {
            bool said = false;
            s = rod->method->start_warning(&said, text, sizeof text, rod, plan->grid.step, which, err);
            if (!s && said)
                wy_sink_note(sink, "rod '%s': %s", name, text);
        }
        if (!s && wy_narrow_feature(text, sizeof text, rod))
            wy_sink_warn(sink, "rod '%s': %s", name, text);
        for (size_t k = 0; !s && k < rod->signal_count; k++)
            if (wy_signal_too_short(text, sizeof text, &rod->signals[k], plan->grid.duration, plan->grid.step))
                wy_sink_warn(sink, "rod '%s': %s", name, text);
    }
    return s;
}

wy_status wy_assembly_run(const wy_assembly_definition *d, const wy_assembly_plan *plan, const wy_sink *sink,
                          wy_error *err) {
    wy_march march;
    wy_status s = wy_assembly_run_open(&march, d, plan, err);
    if (s)
        return s;
    assembly_run *run = march.run;
    march.sink = sink;
    s = say_of_assembly(run, plan, sink, err);
    if (!s)
        s = wy_march_to_end(&march, err);
    char text[WY_ERROR_TEXT];
    if (!s && wy_assembly_estimate_warning(text, sizeof text, &run->estimate))
        wy_sink_warn(sink, "%s", text);
    close_assembly_run(run);
    return s;
}
