/* One trial of a discretisation. */
#include "motion/motion_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/motion_run.h"
#include "motion/motion_step_control.h"

double wy_motion_trial_gap(double *shape, const wy_motion_trial *a, const wy_motion_trial *b) {
    double sum = 0.0, most = 0.0, displacement = 0.0, d[3];
    for (int i = 0; i < WY_TRIAL_SAMPLES; i++) {
        double gap = 0.0;
        for (int k = 0; k < WY_PROBE_POINTS; k++) {
            v3_sub(d, a->moved[i][k], b->moved[i][k]);
            gap = fmax(gap, v3_norm(d));
            displacement = fmax(displacement, v3_norm(b->moved[i][k]));
        }
        sum += gap * gap / WY_TRIAL_SAMPLES;
        most = fmax(most, gap);
    }
    *shape = displacement > 0.0 ? most / displacement : 0.0;
    return sqrt(sum);
}

/* One step of the plan, in parts. */
static void take_planned_step(wy_motion_trial *t, wy_motion_instance *m, wy_coarse_runs *coarse_runs,
                              wy_step_control *step_control, const wy_motion_trial_plan *plan, bool last,
                              wy_error *err) {
    const int64_t parts = wy_step_control_parts(step_control, plan->step);
    const double dt = plan->step / (double)parts;
    for (int64_t i = 1; i <= parts; i++) {
        t->done = !wy_motion_step(m->rod, m->state, m->work, dt, err);
        if (!t->done)
            return;
        wy_motion_estimate of_step = {0};
        m->rod->method->estimate(&of_step, m->rod, m->state->x);
        t->estimate += of_step.size / (double)(plan->steps * parts);
        t->power = of_step.power;
        wy_step_control_update(step_control, m->rod, m->state, dt);
        if (coarse_runs)
            wy_coarse_runs_step(NULL, coarse_runs, m->rod, m->state, dt, last && i == parts);
    }
}

wy_status wy_motion_trial_run(wy_motion_trial *t, const wy_motion_definition *d, const wy_motion_trial_plan *plan,
                              const wy_sink *sink, wy_error *err) {
    enum { CHECK_EVERY = 4 }; /* reactions are means over a step: what rings from step to step is no tension */
    wy_motion_instance m;
    wy_coarse_runs *coarse_runs = NULL;
    wy_probe probe;
    double *wrench = NULL;
    wy_step_control step_control = {.tolerance = plan->tolerance, .base = plan->step, .step = plan->step};
    const wy_error_parts unknown = {WY_ERROR_UNKNOWN, WY_ERROR_UNKNOWN, WY_ERROR_UNKNOWN, 1.0};
    *t = (wy_motion_trial){.error = {.shape = unknown, .path = unknown, .order = 1.0}};
    wy_status s = wy_motion_instance_start(&m, d, plan->estimate, err);
    t->started = t->done = !s;
    if (!s && plan->estimate)
        s = wy_coarse_runs_create(&coarse_runs, d, m.rod, m.state, &(wy_coarse_plan){plan->steps, plan->step, true},
                                  err);
    if (!s && !(wrench = malloc(6 * m.rod->elements * sizeof *wrench)))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for the wrenches of %zu elements", m.rod->elements);
    if (!s) {
        wy_probe_begin(&probe, m.rod, m.state, NULL);
        wy_motion_layers_begin(&t->layers, m.rod);
    }
    const wy_motion_view view = {.wrench = wrench};
    for (int64_t n = 1; n <= plan->steps && !s && t->done; n++) {
        take_planned_step(t, &m, coarse_runs, &step_control, plan, n == plan->steps, err);
        if (t->done && n * WY_TRIAL_SAMPLES % plan->steps == 0) {
            wy_probe_close(&probe, m.rod, m.state, NULL);
            memcpy(t->moved[n * WY_TRIAL_SAMPLES / plan->steps - 1], probe.displacement, sizeof probe.displacement);
        }
        if (t->done && n % CHECK_EVERY == 0) {
            wy_motion_read(m.rod, m.state, &view);
            wy_motion_layers_update(&t->layers, m.rod, wrench);
        }
        s = wy_sink_progress(sink, 0.0, err);
    }
    if (!s && t->done && coarse_runs)
        t->error = wy_coarse_runs_error(coarse_runs);
    free(wrench);
    wy_coarse_runs_free(coarse_runs);
    wy_motion_instance_free(&m);
    return s;
}
