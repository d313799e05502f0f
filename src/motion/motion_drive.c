/* A moving rod that a program steps: what it does to the ends, and the derivatives of what they show. */
#include "base/live.h"
#include "motion/motion_run_state.h"

/* A step with what acts on the ends from outside. */
static wy_status drive_signals(void *context, double t, double dt, wy_error *err) {
    rod_run *run = context;
    (void)t;
    const wy_motion_view view = wy_rod_run_view(run, run->state);
    wy_status s = wy_motion_ports_apply(run->port, run->rod, run->state, &view, dt, err);
    if (!s)
        s = wy_motion_step(run->rod, run->state, run->work, dt, err);
    if (s)
        return s;
    run->momentum_free = run->momentum_free && !wy_motion_ports_are_active(run->port, run->rod);
    wy_rod_run_watch(run, false);
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
    const wy_motion_view view = wy_rod_run_view(run, run->state);
    return wy_motion_port_tangent_step(run->tangent, run->port, run->rod, run->state, run->work, &view, dt, err);
}

static void read_port_tangent(void *context, double *matrix) {
    rod_run *run = context;
    const wy_motion_view view = wy_rod_run_view(run, run->state);
    wy_motion_ports_read(run->port, run->rod, run->state, &view);
    wy_motion_port_tangent_read(matrix, run->tangent, run->port, run->rod, run->state);
}

static void scales(void *context, double dt, double *scale) {
    wy_motion_ports_scales(((const rod_run *)context)->rod, dt, scale);
}

void wy_rod_run_offer(wy_march *march, rod_run *run) {
    march->step_external = drive_signals;
    march->scales = scales;
    if (wy_motion_port_tangent_is_available(run->rod)) {
        march->derive_begin = derive_begin;
        march->derive = derive;
        march->derive_sample = read_port_tangent;
    }
    const wy_motion_view view = wy_rod_run_view(run, run->state);
    wy_motion_ports_offer(march, run->port, run->rod, &view);
    wy_motion_ports_read(run->port, run->rod, run->state, &view);
}

static void close_with_rod(void *context) {
    rod_run *run = context;
    wy_motion_instance moving = {.rod = run->rod, .state = run->state, .work = run->work};
    wy_rod_run_close(run);
    wy_motion_instance_free(&moving);
}

wy_status wy_motion_open(wy_march *march, const wy_motion_definition *d, const wy_motion_plan *plan, wy_error *err) {
    wy_motion_instance m;
    wy_motion_plan alone = *plan;
    alone.estimate = false; /* coarse runs would not know what else is done to the rod */
    wy_status s = wy_motion_instance_start(&m, d, false, err);
    if (!s)
        s = wy_rod_run_open(march, &m, d, &alone, err);
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
