/* A stiff wire under tension between ball joints: a string whose overtones are too high. */
#include <math.h>
#include <stdio.h>

#include "atlas/atlas.h"

static const char stretched_wire_scenario[] =
    "# A wire stretched by a thousandth between ball joints: `withy modes` of this file prints its frequencies.\n"
    "kind: continuation\n"
    "title: a stretched wire\n"
    "length: 1\n"
    "elements: 32\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 1, EI2: 2000, GJ: 50, GA1: 1e12, GA2: 1e12, EA: 1e5, rhoA: 1, rhoI1: 1e-12, "
    "rhoI2: 1e-12, rhoJ: 0.001}\n"
    "first_end: pinned\n"
    "last_end: {name: pinned, position: [0, 0, 1.001]}\n"
    "loads:\n"
    "  - {name: distributed-force, density: [0, 0, 0]}\n"
    "parameter: {number: loads.0.density.0, from: 0, to: 1e-9}\n"
    "follow: {branches: 1, points: 1}\n";

/* rho A w^2 = k^2 T/l + EI k^4/l^2, k = n pi/L along the unstressed wire, l its stretch, T = EA (l - 1); Hz. */
static double frequency(int n) {
    const double k = n * WY_PI, l = 1.001;
    return sqrt(k * k * 100.0 / l + k * k * k * k / (l * l)) / (2.0 * WY_PI);
}

static wy_status stretched_wire_evaluate(wy_case_run *case_run, wy_error *err) {
    double f[3], e[3], mode[3], exact[3];
    const wy_status s = wy_case_frequencies(f, e, 3, case_run, err);
    if (s)
        return s;
    for (int i = 0; i < 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "mode %d", i + 1);
        mode[i] = i + 1.0;
        exact[i] = frequency(i + 1);
        wy_check_value(case_run, name, f[i], exact[i], 0.0, "Hz; k^2 T/l + EI k^4/l^2");
        wy_check_stated_error(case_run, e[i]);
    }
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "A stretched wire", .x_label = "mode", .y_label = "frequency / Hz"});
    wy_figure_curve(figure, "withy", WY_LINES, 3, mode, f, NULL);
    wy_figure_errors(figure, "closed form", 3, mode, exact, exact, exact);
    return WY_OK;
}

const wy_problem wy_problem_stretched_wire = {
    .entry = {.name = "stretched-wire", .doc = "Frequencies of a stiff wire under tension."},
    .group = "vibrations",
    .source = "closed form",
    .scenario = stretched_wire_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .evaluate = stretched_wire_evaluate,
};
