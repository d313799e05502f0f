/* Euler's columns: the load at which a straight rod buckles, with shear and extension. */
#include <math.h>

#include "atlas/atlas.h"

static const char euler_column_scenario[] =
    "# A column clamped below with a dead load on its free top: where does it buckle?\n"
    "kind: continuation\n"
    "title: Euler's column\n"
    "length: 1\n"
    "elements: 32\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 300, GA2: 300, EA: 700}\n"
    "last_end: {name: loaded, force: [0, 0, 0]}\n"
    "parameter: {number: last_end.force.2, from: -12, to: 0, start: 0}\n"
    "follow: {branches: 1, negative: 2}\n";

static wy_status euler_column_evaluate(wy_case_run *case_run, wy_error *err) {
    size_t at;
    const wy_status s = wy_case_branch_point(&at, case_run, 1, err);
    if (s)
        return s;
    WY_READ(F, "last_end.force.2", (long)at);
    const double b = 1.0 / 300.0 - 1.0 / 700.0, euler = 0.25 * WY_PI * WY_PI;
    wy_check_value(case_run, "buckling load", -F[0], (sqrt(1.0 + 4.0 * b * euler) - 1.0) / (2.0 * b), 0.0,
                   "N; F (1 + (1/GA - 1/EA) F) = pi^2 EI/(4 L^2)");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Lowest eigenvalue of the second variation",
                                                              .x_label = "load / N",
                                                              .y_label = "omega^2 for 1 kg/m / s^-2"});
    wy_case_draw_channel(case_run, figure, "withy", WY_LINES, "eigenvalues", 0, -1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_euler_column = {
    .entry = {.name = "euler-column", .doc = "Buckling load of a column that shears and shortens."},
    .group = "stability",
    .source = "Euler 1744, with shear and extension (Reissner's beam), closed form",
    .scenario = euler_column_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .evaluate = euler_column_evaluate,
};
