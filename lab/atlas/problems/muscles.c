/* A rod that muscles would like to twist evenly, in time: only its free end feels it, and sends it out as a wave. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char muscles_scenario[] =
    "# Muscles all along the rod twist it by up to 0.6 rad/m, there and back within 2 s.\n"
    "kind: dynamic\n"
    "title: muscles\n"
    "length: 1\n"
    "elements: 32\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.2, GA1: 1, GA2: 1, EA: 1, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "actuation:\n"
    "  - name: rows\n"
    "    rows: [[0, 0, 0, 0.6, 0, 0, 0], [1, 0, 0, 0.6, 0, 0, 0]]\n"
    "    in_time: {name: product, terms: [{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}, "
    "{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}]}\n"
    "method: gauss-director\n"
    "duration: 3.5\n"
    "step: 0.00625\n";

static const wy_atlas_case muscles_cases[] = {{"", ""}, {"graded mesh", "mesh=[[0, 1], [1, 1.6]]"}, {0}};

/* The integral of sin^4(pi t/2) from 0. */
static double sum(double t) {
    return t <= 0.0 ? 0.0 : 0.375 * t - wy_sin(WY_PI * t) / (2.0 * WY_PI) + wy_sin(2.0 * WY_PI * t) / (16.0 * WY_PI);
}

static wy_status muscles_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[3] = {1.0, 2.0, 3.5};
    static const char *const names[3] = {"turn at 1 s", "turn at 2 s", "turn at 3.5 s"};
    /* theta'' = c^2 theta_ss, theta_s = kappa(t) at the free end: the speed c = 1, the clamp sends it back with the
     * other sign */
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ_LAST(q, "orientation", (long)at, 4);
        wy_check_value(case_run, names[i], 2.0 * wy_atan2(q[3], q[0]),
                       0.6 * (sum(times[i]) - 2.0 * sum(times[i] - 2.0)), 0.6,
                       "rad; the integral of c kappa(t), less twice what comes back");
    }
    WY_READ(after, "balance", -1);
    WY_READ(before, "balance", 0);
    WY_READ(work, "work", -1);
    wy_check_law(case_run, "balance", after[0], before[0], 0.02, "J: energy less the work of the muscles");
    wy_show_value(case_run, "work", work[0], NAN, "J, of the muscles");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Work", .x_label = "time / s", .y_label = "J"});
    wy_case_draw_channel(case_run, figure, case_run->number ? NULL : "of the muscles", WY_LINES, "work", 0, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_muscles = {
    .entry = {.name = "muscles", .doc = "Waves of twist that muscles along a rod make at its free end."},
    .group = "waves and decay",
    .source = "d'Alembert, closed form",
    .scenario = muscles_scenario,
    .levels = {"elements=8; step=0.025", "elements=16; step=0.0125", "elements=32; step=0.00625"},
    .order = 4.0,
    .cases = muscles_cases,
    .evaluate = muscles_evaluate,
};
