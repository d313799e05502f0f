/* Twist and stretch of a clamped rod that hardly bends: organ pipes. */
#include <stdio.h>

#include "atlas/atlas.h"

static const char rod_frequencies_scenario[] =
    "# A rod too stiff to bend: its lowest modes are twist and stretch. `withy modes` of this file prints their "
    "frequencies.\n"
    "kind: continuation\n"
    "title: twist and stretch\n"
    "length: 1\n"
    "elements: 32\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 20, EI2: 20, GJ: 1, GA1: 1e3, GA2: 1e3, EA: 4, rhoA: 1, rhoI1: 0.05, "
    "rhoI2: 0.05, rhoJ: 1}\n"
    "loads:\n"
    "  - {name: distributed-force, density: [0, 0, 0]}\n"
    "parameter: {number: loads.0.density.0, from: 0, to: 1e-9}\n"
    "follow: {branches: 1, points: 1}\n";

static wy_status rod_frequencies_evaluate(wy_case_run *case_run, wy_error *err) {
    /* (2 n - 1) c/(4 L), c = 1 for twist, 2 for stretch */
    static const double exact[6] = {0.25, 0.5, 0.75, 1.25, 1.5, 1.75};
    static const char *const name[6] = {"twist 1", "stretch 1", "twist 2", "twist 3", "stretch 2", "twist 4"};
    double f[6], e[6], mode[6];
    const wy_status s = wy_case_frequencies(f, e, 6, case_run, err);
    if (s)
        return s;
    for (int i = 0; i < 6; i++) {
        mode[i] = i + 1.0;
        wy_check_value(case_run, name[i], f[i], exact[i], 0.0, "Hz; (2 n - 1) c/(4 L)");
        wy_check_stated_error(case_run, e[i]);
    }
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Twist and stretch", .x_label = "mode", .y_label = "frequency / Hz"});
    wy_figure_curve(figure, "withy", WY_LINES, 6, mode, f, NULL);
    wy_figure_errors(figure, "closed form", 6, mode, exact, exact, exact);
    return WY_OK;
}

const wy_problem wy_problem_rod_frequencies = {
    .entry = {.name = "rod-frequencies", .doc = "Frequencies of twist and stretch of a clamped rod."},
    .group = "vibrations",
    .source = "d'Alembert, closed form",
    .scenario = rod_frequencies_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .evaluate = rod_frequencies_evaluate,
};
