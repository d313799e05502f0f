/* A viscous rod of two halves, one half as thick as the other, is drawn and twisted at a constant rate, each half
 * uniformly, so inertia has no effect. With c = v/sum(l/EA) and c' = w/sum(l/GJ), force and moment are c (t + tau)
 * and c' (t + tau) along the whole rod if the halves start at the rates c/EA and c'/GJ. */
#include "atlas/atlas.h"

static const char drawn_rod_scenario[] =
    "# A viscous rod of two halves drawn out by 0.3 m/s and twisted by 0.4 rad/s, "
    "which each does evenly from the start.\n"
    "kind: dynamic\n"
    "title: a rod drawn out\n"
    "length: 1\n"
    "elements: 16\n"
    "stations: # s, EI1, EI2, GJ, GA1, GA2, EA, rhoI1, rhoI2, rhoJ, rhoA\n"
    "  - [0, 1, 1, 0.2, 10, 10, 5, 0.1, 0.1, 0.2, 1]\n"
    "  - [0.5, 1, 1, 0.2, 10, 10, 5, 0.1, 0.1, 0.2, 1]\n"
    "  - [0.5, 0.0625, 0.0625, 0.0125, 2.5, 2.5, 1.25, 0.1, 0.1, 0.2, 0.25]\n"
    "  - [1, 0.0625, 0.0625, 0.0125, 2.5, 2.5, 1.25, 0.1, 0.1, 0.2, 0.25]\n"
    "damping: {name: proportional, time: 0.3}\n"
    "last_end: {name: moved, displacement: [0, 0, 0.3], translation: {name: line, rate: 1}, turn: [0, 0, 0.4], "
    "rotation: {name: line, rate: 1}}\n"
    "start: {velocities: [[0, 0, 0, 0, 0, 0, 0], [0.5, 0, 0, 0.06, 0, 0, 0.4/17], [1, 0, 0, 0.3, 0, 0, 0.4]]}\n"
    "method: gauss-director\n"
    "duration: 0.5\n"
    "step: 0.0125\n";

static wy_status drawn_rod_evaluate(wy_case_run *case_run, wy_error *err) {
    const double c = 0.3 / (0.5 / 5.0 + 0.5 / 1.25), twist = 0.4 / (0.5 / 0.2 + 0.5 / 0.0125),
                 power = 0.3 * c + 0.4 * twist;
    /* means over the last step: of the middle of it */
    const double step = 0.05 / (double)(1 << case_run->level), t = 0.5 - 0.5 * step;
    WY_READ(w, "wrench", -1);
    WY_READ(lost, "dissipated", -1);
    WY_READ(work, "work", -1);
    WY_READ(tip, "tip", -1);
    wy_check_value(case_run, "force", w[5] - c * t, 0.3 * c, 0.0,
                   "N; EA tau times the rate, beside EA times the stretch");
    wy_check_value(case_run, "moment", w[2] - twist * t, 0.3 * twist, 0.0,
                   "N m; GJ tau times the rate, beside GJ times the twist");
    wy_check_value(case_run, "dissipated", lost[0], 0.3 * power * 0.5, 0.0, "J; tau (v c + w c') t");
    WY_READ(before, "kinetic", 0); /* without that of the end that is moved */
    WY_READ(after, "kinetic", -1);
    wy_check_value(case_run, "work", work[0] + before[0] - after[0], (0.3 * 0.5 + 0.125) * power, 0.0,
                   "J, of the end that is moved");
    wy_check_value(case_run, "drawn", tip[2] - 1.0, 0.15, 0.0, "m");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Work of the moved end", .x_label = "time / s", .y_label = "J"});
    wy_case_draw_channel(case_run, figure, NULL, WY_LINES, "work", 0, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_drawn_rod = {
    .entry = {.name = "drawn-rod",
              .doc = "Viscous rod of two halves drawn out and twisted evenly: stress, work, what is lost."},
    .group = "waves and decay",
    .source = "closed form: uniform strains in each half",
    .scenario = drawn_rod_scenario,
    .levels = {"elements=4; step=0.05", "elements=8; step=0.025", "elements=16; step=0.0125"},
    .order = 4.0,
    .evaluate = drawn_rod_evaluate,
};
