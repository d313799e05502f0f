/* The steel cantilever of the cantilever chapter: its exact frequencies as a Timoshenko beam, straight and about its
 * equilibrium under gravity. */
#include <stdio.h>

#include "atlas/atlas.h"

static const char cantilever_frequencies_scenario[] =
    "# The steel rod of the cantilever chapter, straight, without weight: `withy modes` of this file prints its "
    "frequencies.\n"
    "kind: continuation\n"
    "title: frequencies of a cantilever\n"
    "length: 0.5\n"
    "elements: 32\n"
    "tolerance: 0\n"
    "section: {name: circle, radius: 0.001, E: 200e9, G: 80e9, density: 8000, shear_correction: 1}\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [0, 0, 0]}\n"
    "parameter: {number: loads.0.acceleration.0, from: -9.81, to: 0, start: 0}\n"
    "follow: {branches: 1, points: 1}\n";

static const wy_atlas_case cantilever_frequencies_cases[] = {
    {"straight", ""}, {"sagging", "parameter.start=-9.81"}, {0}};

static wy_status cantilever_frequencies_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double known[4] = {5.59586659, 35.0669932, 98.1808866, 192.373277};
    double f[8], e[8];
    const wy_status s = wy_case_frequencies(f, e, 8, case_run, err);
    if (s)
        return s;
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "Frequencies of a steel rod of 0.5 m", .x_label = "mode", .y_label = "frequency / Hz"});
    if (case_run->number) {
        wy_check_printed(case_run, "in the plane", f[1], 5.59787, 1e-5,
                         "Hz, about the equilibrium under its weight; an independent code");
        return WY_OK;
    }
    double mode[4], pairs[4];
    for (int i = 0; i < 4; i++) {
        char name[20];
        snprintf(name, sizeof name, "mode %d", i + 1);
        wy_check_value(case_run, name, f[2 * i], known[i], 0.0, "Hz; in two planes");
        wy_check_stated_error(case_run, e[2 * i]);
        mode[i] = i + 1.0;
        pairs[i] = f[2 * i];
    }
    wy_figure_curve(figure, "withy", WY_LINES, 4, mode, pairs, NULL);
    wy_figure_errors(figure, "Timoshenko", 4, mode, known, known, known);
    return WY_OK;
}

const wy_problem wy_problem_cantilever_frequencies = {
    .entry = {.name = "cantilever-frequencies",
              .doc = "Natural frequencies of a steel cantilever, straight and sagging."},
    .group = "vibrations",
    .source = "roots of Timoshenko's frequency equation by an independent code, 9 digits",
    .scenario = cantilever_frequencies_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .cases = cantilever_frequencies_cases,
    .evaluate = cantilever_frequencies_evaluate,
};
