/* A rod from its start to the end of a plan, frame by frame: what `kind: dynamic` and a release share. */
#include "motion/motion_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/live.h"
#include "base/march.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "motion/estimate/certificate.h"
#include "motion/motion_internal.h"
#include "motion/motion_step_control.h"
#include "motion/motion_ports.h"
#include "rod/end_forces.h"

enum { MOST_PARTS = 16 + WY_CERTIFICATE_BLOCKS };

typedef struct rod_run {
    wy_motion_plan plan;
    double length;
    wy_motion *rod;
    wy_motion_state *state, *seen;   /* seen: what a look shows, the state or `dense` */
    wy_motion_state *behind, *dense; /* at the beginning of the last step, and between; NULL: frames fall on steps */
    int64_t shown;
    wy_motion_work *work;
    wy_channel_table table;
    double time; /* of the channel; the loop in time has its own */
    double *position, *orientation, *velocity, *strain, *wrench, tip[3];
    wy_end_forces ends;
    double *arc_length; /* of the model, for graded meshes */
    int64_t done;       /* steps */
    wy_motion_stats before;
    double balance_now, balance, linear[3], angular[3], drift, momentum_drift,
        gap;            /* at the start, and the worst so far */
    double gained;      /* most energy that the method made by itself so far, relative to the largest then */
    bool momentum_free; /* nothing changes the momenta */
    bool at_rest;
    wy_certificate certificate;
    wy_step_control step_control;
    int64_t steps; /* in all */
    wy_checkpoint_block parts[MOST_PARTS];
    wy_motion_port port[2];
    wy_motion_port_tangent *tangent; /* NULL: no derivatives were asked for */
    /* of the frame */
    wy_motion_energy energy;
    double P[3], L[3], counts[8];
} rod_run;

/* Rows that only some runs have. */
enum { ESTIMATES = 1, GRADED = 2, WRENCH_AT_END = 4, MEAN_WRENCH = 8 };
#define WRENCH                                            \
    .group = "state", .name = "wrench", .unit = "N m, N", \
    .doc = "[moment; force] inside the elements, in the body frame.", .rank = 2, .dims = {0, 6}
#define HERE(member, ...) WY_CHANNEL(rod_run, member, __VA_ARGS__)
static const wy_channel_row rod_rows[] = {
    HERE(time, .name = "time", .unit = "s", .doc = "Time."),
    WY_NODE_CHANNEL(rod_run, position, .group = "state", .name = "position", .unit = "m",
                    .doc = "Nodes along the rod, in space.", .panel = "shape", .rank = 2, .dims = {0, 3}),
    WY_NODE_CHANNEL(rod_run, orientation, .group = "state", .name = "orientation", .unit = "1",
                    .doc = "Quaternions of the nodes, scalar first, body to space.", .rank = 2, .dims = {0, 4}),
    WY_NODE_CHANNEL(rod_run, velocity, .group = "state", .name = "velocity", .unit = "rad/s, m/s",
                    .doc = "[omega; v] of the nodes in the body frame.", .rank = 2, .dims = {0, 6}),
    WY_ELEMENT_CHANNEL(
        rod_run, strain, .group = "state", .name = "strain", .unit = "rad/m, 1",
        .doc = "[kappa; nu] of the elements in the body frame, constant over each: its integral is the poses.",
        .rank = 2, .dims = {0, 6}),
    {.channel = {WRENCH}, .offset = offsetof(rod_run, wrench), .per = WY_PER_ELEMENT, .option = WRENCH_AT_END},
    /* what acted between the ends of the step */
    {.channel = {WRENCH, .meaning = "mean over the step"},
     .offset = offsetof(rod_run, wrench),
     .per = WY_PER_ELEMENT,
     .option = MEAN_WRENCH},
    HERE(tip, .group = "state", .name = "tip", .unit = "m", .doc = "Position of the end at s = L, in space.", .rank = 1,
         .dims = {3}, .panel = "tip position"),
    WY_END_FORCE_ROWS(rod_run, ends, MEAN_WRENCH, "; reactions are means over the step"),
    HERE(energy.kinetic, .group = "energy", .name = "kinetic", .unit = "J", .doc = "Kinetic energy.",
         .panel = "energy"),
    HERE(energy.strain, .group = "energy", .name = "strain_energy", .unit = "J", .doc = "Elastic energy.",
         .panel = "energy"),
    HERE(energy.gravity, .group = "energy", .name = "gravity", .unit = "J",
         .doc = "Potential of gravity, 0 at the origin.", .panel = "energy"),
    HERE(energy.dissipated, .group = "energy", .name = "dissipated", .unit = "J",
         .doc = "Taken by viscosity and drag so far.", .panel = "energy"),
    HERE(energy.numerical, .group = "energy", .name = "numerical_dissipation", .unit = "J",
         .doc = "Lost by the method itself so far, not by the rod; negative: it made energy.", .panel = "energy"),
    HERE(energy.work, .group = "energy", .name = "work", .unit = "J", .doc = "Done by loads and moved ends so far.",
         .panel = "energy"),
    HERE(balance_now, .group = "invariants", .name = "balance", .unit = "J",
         .doc = "kinetic + strain + gravity + dissipated + numerical_dissipation - work.", .panel = "energy balance"),
    HERE(P, .group = "momentum", .name = "linear_momentum", .unit = "kg m/s", .doc = "In space.", .rank = 1,
         .dims = {3}),
    HERE(L, .group = "momentum", .name = "angular_momentum", .unit = "kg m^2/s", .doc = "About the origin, in space.",
         .rank = 1, .dims = {3}),
    HERE(counts[0], .group = "solver", .name = "iterations", .unit = "1",
         .doc = "Newton iterations since the last frame.", .whole = true),
    HERE(counts[1], .group = "solver", .name = "retries", .unit = "1",
         .doc = "Attempts made again since the last frame.", .whole = true),
    HERE(counts[2], .group = "solver", .name = "halvings", .unit = "1", .doc = "Steps cut in two since the last frame.",
         .whole = true),
    WY_CERTIFICATE_ROWS(rod_run, certificate, ESTIMATES),
    HERE(drift, .group = "certificate", .name = "energy_drift", .unit = "1",
         .doc = "Largest change of the balance so far, relative to the largest kinetic or strain energy; of steps that "
                "lose energy by themselves (bdf-alpha, dissipative) round-off by construction: see "
                "numerical_dissipation."),
    HERE(momentum_drift, .group = "certificate", .name = "momentum_drift", .unit = "1",
         .doc = "Largest change of the momenta so far, relative; 0 where ends or loads change them."),
    HERE(gap, .group = "certificate", .name = "kinematic_residual", .unit = "1",
         .doc = "Largest distance so far of the poses from the integral of the strains, relative to the length."),
    HERE(counts[3], .group = "certificate", .name = "newton_iterations", .unit = "1",
         .doc = "Newton iterations so far.", .whole = true),
    HERE(counts[4], .group = "certificate", .name = "newton_retries", .unit = "1", .doc = "Attempts made again so far.",
         .whole = true),
    HERE(counts[5], .group = "certificate", .name = "steps_halved", .unit = "1", .doc = "Steps cut in two so far.",
         .whole = true),
    HERE(counts[6], .group = "certificate", .name = "fallback_steps", .unit = "1",
         .doc = "Steps too violent for stages that keep the energy, taken with dissipative ones so far.",
         .whole = true),
    HERE(counts[7], .group = "certificate", .name = "fallback_energy", .unit = "1",
         .doc = "Energy that those took so far, relative to the largest kinetic or strain energy."),
    {.channel = {.group = "state",
                 .name = "arc_length",
                 .unit = "m",
                 .doc = "Nodes of a graded mesh.",
                 .rank = 1,
                 .dims = {0}},
     .offset = offsetof(rod_run, arc_length),
     .per = WY_PER_NODE,
     .option = GRADED},
};

/* Everything that the rest of the run depends on. */
static size_t list_parts(wy_checkpoint_block parts[MOST_PARTS], rod_run *run) {
    size_t n = 0;
#define KEEP(x)                          \
    parts[n++] = (wy_checkpoint_block) { \
        &(x), sizeof(x)                  \
    }
    const size_t size = wy_motion_state_size(run->state) * sizeof(double);
    parts[n++] = (wy_checkpoint_block){wy_motion_state_numbers(run->state), size};
    if (run->behind)
        parts[n++] = (wy_checkpoint_block){wy_motion_state_numbers(run->behind), size};
    KEEP(run->done);
    KEEP(run->before);
    KEEP(run->balance_now);
    KEEP(run->balance);
    KEEP(run->linear);
    KEEP(run->angular);
    KEEP(run->drift);
    KEEP(run->momentum_drift);
    KEEP(run->gap);
    KEEP(run->gained);
    KEEP(run->shown);
    KEEP(run->step_control);
    KEEP(run->port[0].kept);
    KEEP(run->port[1].kept);
#undef KEEP
    return n + wy_certificate_blocks(parts + n, &run->certificate);
}

/* Keeps the certificate's worst values up to date; called after every step. */
static void watch(rod_run *run, bool start) {
    wy_motion_energies(&run->energy, run->rod, run->state);
    wy_motion_momenta(run->P, run->L, run->rod, run->state);
    run->balance_now = run->energy.balance;
    if (start) {
        run->balance = run->energy.balance;
        v3_copy(run->linear, run->P);
        v3_copy(run->angular, run->L);
    }
    const double change = fabs(run->energy.balance - run->balance), largest = run->energy.largest;
    if (change > 0.0)
        run->drift = fmax(run->drift, largest > 0.0 ? change / largest : 0.0);
    if (run->energy.numerical < 0.0 && largest > 0.0)
        run->gained = fmax(run->gained, -run->energy.numerical / largest);
    if (run->momentum_free) {
        double a[3], b[3];
        v3_sub(a, run->P, run->linear);
        v3_sub(b, run->L, run->angular);
        /* a rod at rest has no momentum to compare with: its mass moving at the speed of its energy has */
        const double M = run->rod->def.section.rhoA * run->length, speed = sqrt(2.0 * largest / M);
        const double scale = fmax(v3_norm(run->linear), M * speed);
        const double scale2 = fmax(v3_norm(run->angular), M * speed * run->length);
        if (scale > 0.0)
            run->momentum_drift = fmax(run->momentum_drift, fmax(v3_norm(a) / scale, v3_norm(b) / scale2));
    }
}

static wy_motion_view run_view(rod_run *run, const wy_motion_state *state) {
    const wy_motion_view view = {run->position, run->orientation, run->velocity, run->strain, run->wrench};
    wy_motion_read(run->rod, state, &view);
    return view;
}

static void sample_channels(void *context, const double **values) {
    rod_run *run = context;
    wy_motion_stats now;
    wy_motion_statistics(&now, run->state);
    const wy_motion_view view = run_view(run, run->seen);
    wy_motion_ports_read(run->port, run->rod, run->seen, &view);
    wy_motion_end_forces(run->ends, run->rod, run->seen, &view);
    wy_motion_energies(&run->energy, run->rod, run->seen);
    wy_motion_momenta(run->P, run->L, run->rod, run->seen);
    run->gap = fmax(run->gap, wy_motion_kinematic_residual(run->rod, run->state) / run->length);
    const double largest = run->state->x[WY_STATE_LARGEST];
    const double counts[8] = {(double)now.iterations - (double)run->before.iterations,
                              (double)now.retries - (double)run->before.retries,
                              (double)now.halvings - (double)run->before.halvings,
                              (double)now.iterations,
                              (double)now.retries,
                              (double)now.halvings,
                              (double)now.fallback_steps,
                              largest > 0.0 ? run->state->x[WY_STATE_FALLBACK_ENERGY] / largest : 0.0};
    memcpy(run->counts, counts, sizeof counts);
    run->before = now;
    v3_copy(run->tip, run->position + 3 * (wy_motion_nodes(run->rod) - 1));
    wy_certificate_sample(&run->certificate, run->rod, run->seen, run->strain, run->wrench);
    memcpy(values + 1, run->table.values + 1, (run->table.count - 1) * sizeof *values);
}

/* Whether the plan asks to stop at rest and the rod is there. */
static wy_status check_rest(bool *there, rod_run *run, wy_error *err) {
    const wy_motion_plan *p = &run->plan;
    *there = false;
    if (!(p->rest_below > 0.0) || wy_motion_time(run->state) < p->rest_after)
        return WY_OK;
    wy_motion_residual_norms residual_norms;
    const wy_status s = wy_motion_distance_from_rest(&residual_norms, run->rod, run->state, run->work, err);
    *there = !s && fmax(residual_norms.imbalance, residual_norms.motion) <= p->rest_below;
    return s;
}

static wy_status step_run(void *context, int64_t n, double t, double dt, wy_error *err) {
    rod_run *run = context;
    (void)t;
    wy_status s = run->behind ? wy_motion_state_copy(run->behind, run->state, err) : WY_OK;
    const int64_t parts = wy_step_control_parts(&run->step_control, dt);
    for (int64_t i = 1; i <= parts && !s; i++) {
        const double part = dt / (double)parts;
        s = wy_motion_step(run->rod, run->state, run->work, part, err);
        if (s)
            return s;
        watch(run, false);
        wy_step_control_update(&run->step_control, run->rod, run->state, part);
        if (i == parts)
            s = check_rest(&run->at_rest, run, err);
        if (!s)
            wy_certificate_step(&run->certificate, run->rod, run->state, part, run->energy.kinetic,
                                i == parts && (run->at_rest || n == run->steps));
    }
    return s;
}

/* Across a break in time no polynomial goes: what lies in such a step is found by a shorter one, from its beginning. */
static bool step_between(rod_run *run, double theta) {
    const double begin = wy_motion_time(run->behind), dt = wy_motion_time(run->state) - begin, elapsed = theta * dt;
    const double count = run->state->x[WY_STATE_STEPS] - run->behind->x[WY_STATE_STEPS];
    const double next = wy_motion_next_break(run->rod, begin + WY_STEP_SLIVER * dt);
    if (!(elapsed > WY_STEP_SLIVER * dt) || !(count >= 1.0) || wy_step_part(begin + dt, next, dt) == begin + dt)
        return false;
    const int64_t steps = (int64_t)fmax(1.0, ceil(theta * count * (1.0 - 1e-9)));
    wy_status s = wy_motion_state_copy(run->dense, run->behind, NULL);
    for (int64_t i = 0; i < steps && !s; i++)
        s = wy_motion_step(run->rod, run->dense, run->work, elapsed / (double)steps, NULL);
    return !s;
}

/* Where the last step had to be cut, what lies between its ends is taken from the ends alone. */
static void between(void *context, double theta) {
    rod_run *run = context;
    run->seen = run->state;
    if (theta >= 1.0 || !run->dense)
        return;
    if (step_between(run, theta)) {
        run->seen = run->dense;
        return;
    }
    run->rod->method->dense_output(run->rod, run->dense->x, run->behind->x, run->state->x, fmax(0.0, theta));
    run->seen = run->dense;
}

/* A step with what acts on the ends from outside. */
static wy_status drive_signals(void *context, double t, double dt, wy_error *err) {
    rod_run *run = context;
    (void)t;
    const wy_motion_view view = run_view(run, run->state);
    wy_status s = wy_motion_ports_apply(run->port, run->rod, run->state, &view, dt, err);
    if (!s)
        s = wy_motion_step(run->rod, run->state, run->work, dt, err);
    if (s)
        return s;
    run->momentum_free = run->momentum_free && !wy_motion_ports_are_active(run->port, run->rod);
    watch(run, false);
    return WY_OK;
}

static wy_status derive_begin(void *context, wy_error *err) {
    rod_run *run = context;
    if (!run->tangent) {
        const wy_status s = wy_motion_port_tangent_create(&run->tangent, run->rod, err);
        if (s)
            return s;
    }
    wy_motion_port_tangent_begin(run->tangent);
    return WY_OK;
}

static wy_status derive(void *context, double t, double dt, wy_error *err) {
    rod_run *run = context;
    (void)t;
    const wy_motion_view view = run_view(run, run->state);
    return wy_motion_port_tangent_step(run->tangent, run->port, run->rod, run->state, run->work, &view, dt, err);
}

static void read_port_tangent(void *context, double *matrix) {
    rod_run *run = context;
    const wy_motion_view view = run_view(run, run->state);
    wy_motion_ports_read(run->port, run->rod, run->state, &view);
    wy_motion_port_tangent_read(matrix, run->tangent, run->port, run->rod, run->state);
}

static void scales(void *context, double dt, double *scale) {
    wy_motion_ports_scales(((const rod_run *)context)->rod, dt, scale);
}

static void close_run(void *context) {
    rod_run *run = context;
    wy_motion_state_free(run->behind);
    wy_motion_state_free(run->dense);
    wy_certificate_close(&run->certificate);
    wy_motion_port_tangent_free(run->tangent);
    wy_channel_table_close(&run->table);
    free(run);
}

/* Steps that follow the motion are cut out of equal ones, at whose ends the frames are, as far as that can be: twice
 * as long as what was asked for where all frames come at their ends. */
static double longest_step(const wy_motion_plan *p) {
    const double frames = p->duration / p->output_step;
    const bool whole = p->output_step > 0.0 && fabs(frames - floor(frames + 0.5)) < 1e-9 * frames;
    if (!(p->tolerance > 0.0) || !whole || p->output_step < 2.0 * p->step)
        return p->step;
    return p->output_step / ceil(p->output_step / (2.0 * p->step) * (1.0 - 1e-12));
}

/* The rod must be made and started; it stays the caller's. */
static wy_status open_instance(wy_march *march, const wy_motion_instance *m, const wy_motion_definition *d,
                               const wy_motion_plan *plan, wy_error *err) {
    const size_t n = wy_motion_nodes(m->rod);
    rod_run *run = calloc(1, sizeof *run);
    if (!run)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the run of a rod");
    run->plan = *plan;
    run->length = d->rod.length;
    run->rod = m->rod;
    run->state = run->seen = m->state;
    run->work = m->work;
    run->arc_length = m->rod->element_boundary;
    run->momentum_free = d->rod.loads.count == 0 && d->rod.mass_damping == 0.0;
    for (int e = 0; e < 2; e++)
        run->momentum_free =
            run->momentum_free && run->rod->constraint[e].components == 0 && !run->rod->ends[e]->wrench;
    watch(run, true);
    const wy_time_grid grid = {.duration = plan->duration, .step = longest_step(plan), .every = plan->every};
    run->step_control = (wy_step_control){.tolerance = plan->tolerance, .base = plan->step, .step = plan->step};
    run->steps = wy_time_grid_steps(&grid);
    wy_status s = WY_OK;
    if (plan->output_step > 0.0) {
        s = wy_motion_state_create(&run->behind, m->rod, err);
        if (!s)
            s = wy_motion_state_create(&run->dense, m->rod, err);
        if (!s)
            s = wy_motion_state_copy(run->behind, m->state, err);
    }
    if (!s)
        s = wy_certificate_open(&run->certificate, d, m->rod, m->state, run->steps, plan->step, plan->estimate, err);
    const size_t counts[WY_PERS] = {[WY_PER_NODE] = n, [WY_PER_ELEMENT] = n - 1};
    const unsigned options = (run->certificate.coarse_runs ? ESTIMATES : 0U) | (m->rod->graded ? GRADED : 0U) |
                             (m->rod->method->reaction ? MEAN_WRENCH : WRENCH_AT_END);
    if (!s)
        s = wy_channel_table_open(&run->table, rod_rows, sizeof rod_rows / sizeof *rod_rows, run, counts, options, err);
    if (s) {
        close_run(run);
        return s;
    }
    const size_t part_count = list_parts(run->parts, run);
    *march = (wy_march){.grid = grid,
                        .channels = run->table.channels,
                        .channel_count = run->table.count,
                        .blocks = run->parts,
                        .block_count = part_count,
                        .done = &run->done,
                        .run = run,
                        .step = step_run,
                        .sample = sample_channels,
                        .output_step = plan->output_step,
                        .frames_shown = &run->shown,
                        .interpolate = between,
                        .stop = &run->at_rest,
                        .close = close_run,
                        .step_external = drive_signals,
                        .scales = scales};
    if (wy_motion_port_tangent_is_available(run->rod)) {
        march->derive_begin = derive_begin;
        march->derive = derive;
        march->derive_sample = read_port_tangent;
    }
    const wy_motion_view view = run_view(run, run->state);
    wy_motion_ports_offer(march, run->port, run->rod, &view);
    wy_motion_ports_read(run->port, run->rod, run->state, &view);
    return WY_OK;
}

/* Before any of it is used: a state and its scratch, those of the coarse runs (two of half the elements, one of a
 * quarter), and frames on their way to the archive. */
static wy_status check_memory(const wy_motion_instance *m, bool estimate, wy_error *err) {
    const size_t values_of = wy_motion_state_size(m->state) + wy_motion_work_size(m->work),
                 frames = 3 * (3 + 4 + 6 + 6 + 6) * wy_motion_nodes(m->rod);
    return wy_memory_ask((values_of + (estimate ? values_of / 4 * 5 : 0) + frames) * sizeof(double), err,
                         "the run of a rod of %zu elements", m->rod->elements);
}

static wy_status start(wy_motion_instance *m, const wy_motion_definition *d, bool estimate, wy_error *err) {
    *m = (wy_motion_instance){0};
    wy_status s = wy_motion_create(&m->rod, d, err);
    if (!s)
        s = wy_motion_state_create(&m->state, m->rod, err);
    if (!s)
        s = wy_motion_work_create(&m->work, m->rod, err);
    if (!s)
        s = check_memory(m, estimate, err);
    return s ? s : wy_motion_start(m->rod, m->state, m->work, err);
}

/* By how many points a step sees what acts on the rod: two where its order is four or more. */
static int points_of(const wy_motion *rod) {
    int space = 2, time = 2;
    if (rod->method->order)
        rod->method->order(&space, &time, rod);
    return time >= 4 ? 2 : 1;
}

#define GAIN_WORTH_SAYING 1e-3

wy_status wy_motion_run(wy_motion_instance *m, const wy_motion_definition *d, const wy_motion_plan *plan,
                        const wy_sink *sink, wy_error *err) {
    wy_march march;
    wy_status s = start(m, d, plan->estimate, err);
    if (!s)
        s = open_instance(&march, m, d, plan, err);
    if (s)
        return s;
    march.sink = sink;
    char text[WY_ERROR_TEXT];
    for (int which = 0; !s && which < WY_START_WARNINGS && m->rod->method->start_warning; which++) {
        bool said = false;
        s = m->rod->method->start_warning(&said, text, sizeof text, m->rod, plan->step, which, err);
        if (!s && said)
            wy_sink_note(sink, "%s", text);
    }
    if (!s && wy_motion_starts_unstable(text, sizeof text, m->rod, m->state))
        wy_sink_warn(sink, "%s", text);
    if (!s)
        s = wy_march_to_end(&march, err);
    m->at_rest = *march.stop;
    rod_run *run = march.run;
    const wy_certificate_numbers *sure = &run->certificate.now;
    if (!s && sure->near_at[1] > sure->near_at[0] && sure->nearest < m->rod->def.section.diameter)
        wy_sink_warn(
            sink,
            "the rod passes through itself at s = %.4g m, s = %.4g m: %.3g m apart at t = %.4g s, diameter %.3g m",
            sure->near_at[0], sure->near_at[1], sure->nearest, sure->near_time, m->rod->def.section.diameter);
    for (size_t i = 0; !s && i < m->rod->signal_count; i++) {
        const wy_signal_use *use = &m->rod->signals[i];
        if (wy_signal_too_short(text, sizeof text, use, plan->duration, plan->step) ||
            wy_signal_unseen(text, sizeof text, use, plan->duration, plan->step, points_of(m->rod)))
            wy_sink_warn(sink, "%s", text);
    }
    if (run->gained > GAIN_WORTH_SAYING)
        wy_sink_warn(sink,
                     "the method generated energy, %.2g %% of the largest kinetic or strain energy "
                     "(numerical_dissipation is negative): use shorter steps, or a method with more damping",
                     100.0 * run->gained);
    if (!s && wy_certificate_warning(text, sizeof text, &run->certificate, m->rod, m->state))
        wy_sink_warn(sink, "%s", text);
    close_run(run);
    return s;
}

static void close_with_rod(void *context) {
    rod_run *run = context;
    wy_motion_instance moving = {.rod = run->rod, .state = run->state, .work = run->work};
    close_run(run);
    wy_motion_instance_free(&moving);
}

wy_status wy_motion_open(wy_march *march, const wy_motion_definition *d, const wy_motion_plan *plan, wy_error *err) {
    wy_motion_instance m;
    wy_motion_plan alone = *plan;
    alone.estimate = false; /* coarse runs would not know what else is done to the rod */
    wy_status s = start(&m, d, false, err);
    if (!s)
        s = open_instance(march, &m, d, &alone, err);
    if (s)
        wy_motion_instance_free(&m);
    march->close = close_with_rod;
    return s;
}

const wy_motion *wy_live_motion(wy_live *live, wy_motion_state **state, wy_motion_work **work) {
    const wy_march *march = wy_live_march(live);
    if (march->close != close_with_rod)
        return NULL;
    rod_run *run = march->run;
    if (state)
        *state = run->state;
    if (work)
        *work = run->work;
    return run->rod;
}

void wy_motion_instance_free(wy_motion_instance *m) {
    wy_motion_work_free(m->work);
    wy_motion_state_free(m->state);
    wy_motion_free(m->rod);
    *m = (wy_motion_instance){0};
}
