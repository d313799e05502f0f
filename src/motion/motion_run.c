/* A rod from its start to the end of a plan: what `kind: dynamic` and a release share. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "motion/motion_run_state.h"

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
        wy_rod_run_watch(run, false);
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

void wy_rod_run_close(void *context) {
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

wy_status wy_rod_run_open(wy_march *march, const wy_motion_instance *m, const wy_motion_definition *d,
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
    wy_rod_run_watch(run, true);
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
    if (!s)
        s = wy_rod_run_table_open(run, n, err);
    if (s) {
        wy_rod_run_close(run);
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
                        .sample = wy_rod_run_sample,
                        .output_step = plan->output_step,
                        .frames_shown = &run->shown,
                        .interpolate = between,
                        .stop = &run->at_rest,
                        .close = wy_rod_run_close};
    wy_rod_run_offer(march, run);
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

wy_status wy_motion_instance_start(wy_motion_instance *m, const wy_motion_definition *d, bool estimate, wy_error *err) {
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

void wy_motion_instance_free(wy_motion_instance *m) {
    wy_motion_work_free(m->work);
    wy_motion_state_free(m->state);
    wy_motion_free(m->rod);
    *m = (wy_motion_instance){0};
}

wy_status wy_motion_run(wy_motion_instance *m, const wy_motion_definition *d, const wy_motion_plan *plan,
                        const wy_sink *sink, wy_error *err) {
    wy_march march;
    wy_status s = wy_motion_instance_start(m, d, plan->estimate, err);
    if (!s)
        s = wy_rod_run_open(&march, m, d, plan, err);
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
    const double gain_worth_saying = 1e-3; /* a thousandth of the largest energy: more than round-off and drift */
    if (run->gained > gain_worth_saying)
        wy_sink_warn(sink,
                     "the method generated energy, %.2g %% of the largest kinetic or strain energy "
                     "(numerical_dissipation is negative): use shorter steps, or a method with more damping",
                     100.0 * run->gained);
    if (!s)
        wy_certificate_say(sink, &run->certificate, m->rod, m->state, plan);
    wy_rod_run_close(run);
    return s;
}
