/* A viscous rod drawn out and twisted at an even rate, all of it alike: no inertia has a say, and the stress is known. */
#include "atlas/atlas.h"

static const char scenario[] =
    "# A viscous rod drawn out by 0.3 m/s and twisted by 0.4 rad/s, which it does evenly from the start.\n"
    "kind: dynamic\n"
    "title: a rod drawn out\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.2, GA1: 10, GA2: 10, EA: 5, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, rhoJ: 0.2}\n"
    "damping: {name: proportional, time: 0.3}\n"
    "last_end: {name: moved, displacement: [0, 0, 0.3], translation: {name: line, rate: 1}, turn: [0, 0, 0.4], rotation: {name: line, rate: 1}}\n"
    "start: {velocities: [[0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0.3, 0, 0, 0.4]]}\n"
    "method: gauss-director\n"
    "duration: 0.5\n"
    "step: 0.0125\n";

static wy_status look(wy_sight *sight, wy_error *err) {
    /* means over the last step: of the middle of it */
    const double step = 0.05 / (double)(1 << sight->level), t = 0.5 - 0.5 * step;
    WY_SEE(w, "wrench", -1);
    WY_SEE(lost, "dissipated", -1);
    WY_SEE(work, "work", -1);
    WY_SEE(tip, "tip", -1);
    wy_found(sight, "force", w[5] - 5.0 * 0.3 * t, 5.0 * 0.3 * 0.3, 0.0,
             "N; EA tau times the rate, beside EA times the stretch");
    wy_found(sight, "moment", w[2] - 0.2 * 0.4 * t, 0.2 * 0.3 * 0.4, 0.0,
             "N m; GJ tau times the rate, beside GJ times the twist");
    wy_found(sight, "dissipated", lost[0], 0.3 * (5.0 * 0.09 + 0.2 * 0.16) * 0.5, 0.0, "J; tau (EA e^2 + GJ k^2) t");
    WY_SEE(before, "kinetic", 0); /* without that of the end that is moved */
    WY_SEE(after, "kinetic", -1);
    wy_found(sight, "work", work[0] + before[0] - after[0], (0.3 * 0.5 + 0.125) * (5.0 * 0.09 + 0.2 * 0.16), 0.0,
             "J, of the end that is moved");
    wy_found(sight, "drawn", tip[2] - 1.0, 0.15, 0.0, "m");
    wy_figure *figure =
        wy_sight_figure(sight, &(wy_figure){.title = "Work of the moved end", .x_label = "time / s", .y_label = "J"});
    wy_sight_trace(sight, figure, NULL, WY_LINES, "work", 0, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_drawn_rod = {
    .entry = {.name = "drawn-rod", .doc = "Viscous rod drawn out and twisted evenly: stress, work, what is lost."},
    .group = "waves and decay",
    .source = "closed form: uniform strains",
    .scenario = scenario,
    .levels = {"elements=4; step=0.05", "elements=8; step=0.025", "elements=16; step=0.0125"},
    .order = 4.0,
    .look = look,
};
