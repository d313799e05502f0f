/* A stretched bar is released; the method is the box scheme (Preissman) with a step equal to the time that a wave
 * takes through an element, for which the scheme is exact. The local conservation laws are checked too: the change
 * of energy in a box equals the flux into it, and so does the change of the momentum of a shift along the rod, p.u'
 * with the flux v.u' - L. For small waves the equations are linear, and both laws are satisfied in every box to
 * round-off, apart from terms of the second order in the amplitude: here waves of twist of 1e-3 rad. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "atlas/atlas.h"
#include "math/elementary.h"
#include "box/box.h"

static const char boxes_scenario[] =
    "# A bar stretched by 1 % and let go; waves take a step of time through an element.\n"
    "kind: dynamic\n"
    "title: a bar on boxes\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 5, EI2: 7, GJ: 0.8, GA1: 50, GA2: 50, EA: 4, rhoA: 1, "
    "rhoI1: 0.1, rhoI2: 0.1, rhoJ: 0.2}\n"
    "start: {shape: {name: constant, strain: [0, 0, 0, 0, 0, 1.01]}}\n"
    "method: multi-symplectic-box\n"
    "duration: 1.75\n"
    "step: 0.03125\n";

static const wy_atlas_case boxes_cases[] = {
    {"stretched", ""},
    {"bent, free",
     "first_end=free; start={shape: {name: constant, strain: [0.3, 0.5, 0.8, 0, 0, 1]}, spin: [0.3, 0.5, 0.7], "
     "velocity: [1, 2, 3]}"},
    {"pushed", "first_end=free; elements=2; loads=[{name: distributed-force, density: [-9.81, 0, 0]}]; "
               "start={velocity: [0, 1, 0]}"},
    {"waves of twist", "first_end=free; elements=16; step=0.03125; duration=0.0625; start={velocity: [0, 0, 0]}"},
    {0}};

/* The rod twists about its axis for some steps: the largest residual of both laws in a box, relative to their
 * largest terms. */
static wy_status local_laws(double left[2], const wy_case_run *case_run, wy_error *err) {
    enum { ROWS = 65, STEPS = 24 };
    const double h = 0.0625 / (double)(1 << case_run->level);
    double rows[7 * ROWS] = {0.0}, most[4] = {0.0};
    for (int i = 0; i < ROWS; i++) {
        rows[7 * i] = i / (ROWS - 1.0);
        rows[7 * i + 6] = 1e-2 * (wy_cos(WY_PI * rows[7 * i]) + 0.3 * wy_cos(2.0 * WY_PI * rows[7 * i]));
    }
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod = *wy_scenario_rod(case_run->scenario);
    d.start.velocities = (wy_samples){.rows = ROWS, .values = rows};
    d.method = (wy_choice){wy_catalogue_find(&wy_motion_methods, "multi-symplectic-box"), NULL};
    wy_motion *rod = NULL;
    wy_motion_state *state = NULL;
    wy_motion_work *work = NULL;
    double *before = NULL;
    wy_status s = wy_motion_create(&rod, &d, err);
    if (!s)
        s = wy_motion_state_create(&state, rod, err);
    if (!s)
        s = wy_motion_work_create(&work, rod, err);
    if (!s && !(before = malloc(wy_motion_state_size(state) * sizeof *before)))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for a state");
    if (!s)
        s = wy_motion_start(rod, state, work, err);
    for (int n = 0; n < STEPS && !s; n++) {
        memcpy(before, state->x, wy_motion_state_size(state) * sizeof *before);
        s = wy_motion_step(rod, state, work, h, err);
        for (size_t e = 0; e < rod->elements && !s; e++) {
            wy_box_laws laws;
            wy_box_local_laws(&laws, rod, before, state->x, e);
            most[0] = fmax(most[0], fabs(laws.energy));
            most[1] = fmax(most[1], laws.energy_size);
            most[2] = fmax(most[2], fabs(laws.momentum));
            most[3] = fmax(most[3], laws.momentum_size);
        }
    }
    left[0] = most[0] / most[1];
    left[1] = most[2] / most[3];
    free(before);
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    wy_motion_free(rod);
    return s;
}

static wy_status boxes_evaluate(wy_case_run *case_run, wy_error *err) {
    if (case_run->number == 1) {
        static const char *const name[6] = {"momentum 1", "momentum 2", "momentum 3", "spin 1", "spin 2", "spin 3"};
        WY_READ(P, "linear_momentum", -1);
        WY_READ(P0, "linear_momentum", 0);
        WY_READ(H, "angular_momentum", -1);
        WY_READ(H0, "angular_momentum", 0);
        for (int i = 0; i < 3; i++)
            wy_check_law(case_run, name[i], P[i], P0[i], 1.0, "kg m/s, kept");
        for (int i = 0; i < 3; i++)
            wy_check_law(case_run, name[3 + i], H[i], H0[i], 1.0, "kg m^2/s, kept");
        return WY_OK;
    }
    if (case_run->number == 2) {
        WY_READ(P, "linear_momentum", -1);
        wy_check_value(case_run, "momentum", P[0], -9.81 * 1.75, 0.0, "kg m/s after 1.75 s");
        return WY_OK;
    }
    if (case_run->number == 3) {
        double left[2];
        const wy_status s = local_laws(left, case_run, err);
        if (s)
            return s;
        wy_check_printed(case_run, "energy that is left over in a box", left[0], 0.0, 1e-5,
                         "of what flows; to 10 angles^2");
        wy_check_printed(case_run, "momentum that is left over in a box", left[1], 0.0, 1e-5,
                         "of what flows; to 10 angles^2");
        return WY_OK;
    }
    /* c = 2: the end runs in with c e until 2 L/c, and out again */
    static const double times[3] = {0.25, 0.75, 1.75}, displacement[3] = {0.005, -0.005, 0.005};
    static const char *const name[3] = {"end at 0.25 s", "end at 0.75 s", "end at 1.75 s"};
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ(tip, "tip", (long)at);
        wy_check_value(case_run, name[i], tip[2] - 1.0, displacement[i], 0.01, "m, from its place without stress");
    }
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "The end", .x_label = "time / s", .y_label = "z / m"});
    wy_case_draw_channel(case_run, figure, NULL, WY_LINES, "tip", 2, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_boxes = {
    .entry = {.name = "boxes", .doc = "The multi-symplectic box scheme: a bar let go, and a bent rod in flight."},
    .group = "waves and decay",
    .source = "d'Alembert, closed form; conservation of momentum",
    .scenario = boxes_scenario,
    .levels = {"elements=4; step=0.125", "elements=8; step=0.0625", "elements=16; step=0.03125"},
    .order = 2.0,
    .cases = boxes_cases,
    .evaluate = boxes_evaluate,
};
