/* A thick beam between ball joints: both of Timoshenko's families have sines for modes. */
#include <math.h>
#include <stdio.h>

#include "atlas/atlas.h"

static const char pinned_frequencies_scenario[] =
    "# A thick beam between ball joints: `withy modes` of this file prints its frequencies.\n"
    "kind: continuation\n"
    "title: frequencies of a beam between joints\n"
    "length: 1\n"
    "elements: 32\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 1, EI2: 400, GJ: 500, GA1: 9e4, GA2: 300, EA: 1e6, rhoA: 1, rhoI1: 0.004, "
    "rhoI2: 0.001, rhoJ: 0.005}\n"
    "first_end: pinned\n"
    "last_end: {name: pinned, position: [0, 0, 1]}\n"
    "loads:\n"
    "  - {name: distributed-force, density: [0, 0, 0]}\n"
    "parameter: {number: loads.0.density.0, from: 0, to: 1e-9}\n"
    "follow: {branches: 1, points: 1}\n";

/* (GA k^2 - rho A w^2)(EI k^2 + GA - rho I w^2) = GA^2 k^2, the lower root; Hz. */
static double frequency(int n) {
    const double k = n * WY_PI, EI = 1.0, GA = 300.0, rhoI = 0.004;
    const double a = rhoI, b = GA * k * k * rhoI + EI * k * k + GA, c = GA * k * k * EI * k * k;
    const double ww = 2.0 * c / (b + sqrt(b * b - 4.0 * a * c));
    return sqrt(ww) / (2.0 * WY_PI);
}

static wy_status pinned_frequencies_evaluate(wy_case_run *case_run, wy_error *err) {
    double f[5], e[5], mode[5], exact[5];
    const wy_status s = wy_case_frequencies(f, e, 5, case_run, err);
    if (s)
        return s;
    for (int i = 0; i < 5; i++) {
        char name[20];
        snprintf(name, sizeof name, "mode %d", i + 1);
        mode[i] = i + 1.0;
        exact[i] = frequency(i + 1);
        wy_check_value(case_run, name, f[i], exact[i], 0.0, "Hz; bent about d1");
        wy_check_stated_error(case_run, e[i]);
    }
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "A thick beam between joints", .x_label = "mode", .y_label = "frequency / Hz"});
    wy_figure_curve(figure, "withy", WY_LINES, 5, mode, f, NULL);
    wy_figure_errors(figure, "Timoshenko", 5, mode, exact, exact, exact);
    return WY_OK;
}

const wy_problem wy_problem_pinned_frequencies = {
    .entry = {.name = "pinned-frequencies", .doc = "Natural frequencies of a thick beam between ball joints."},
    .group = "vibrations",
    .source = "Timoshenko's beam, closed form",
    .scenario = pinned_frequencies_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .evaluate = pinned_frequencies_evaluate,
};
