/* Euler's column beyond its buckling load: how far the top leans. */
#include <math.h>
#include <stdio.h>

#include <withy/elliptic.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char buckled_column_scenario[] =
    "# A thin column clamped below, loaded beyond its buckling load, P L^2/EI up to 5.\n"
    "kind: continuation\n"
    "title: a buckled column\n"
    "length: 1\n"
    "elements: 64\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 1, EI2: 1.5, GJ: 0.7, GA1: 1e11, GA2: 1e11, EA: 1e11}\n"
    "last_end: {name: loaded, force: [0, 0, 0]}\n"
    "parameter: {number: last_end.force.2, from: -5, to: 0, start: 0, at: [-4.650559737910807, -2.8417542587507936]}\n"
    "follow: {branches: 2, negative: 1}\n";

/* P = K(k)^2 EI/L^2, k = sin(half the angle of the top); z/L = 2 E/K - 1, y/L = 2 k/K. */
static wy_status buckled_column_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double angles[2] = {60.0, 120.0};
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "Columns beyond buckling", .x_label = "across / L", .y_label = "z / L", .equal = true});
    for (int i = 0; i < 2; i++) {
        size_t at = 0;
        WY_READ(P, "last_end.force.2", 0);
        WY_READ(branch, "branch/branch", 0);
        WY_READ(label, "branch/label", 0);
        const double k = wy_sin(angles[i] * WY_PI / 360.0), K = wy_elliptic_K(k);
        for (size_t j = 0; j < case_run->count; j++)
            if (branch[j] == 1.0 && label[j] == 4.0 && fabs(-P[j] - K * K) < 1e-6)
                at = j;
        if (!at)
            return wy_fail(err, WY_NO_CONVERGENCE, "the continuation did not reach P = %.9g on the buckled branch",
                           K * K);
        char name[40];
        WY_READ_LAST(tip, "position", (long)at, 3);

        snprintf(name, sizeof name, "%g degrees: height", angles[i]);
        wy_check_value(case_run, name, tip[2], 2.0 * wy_elliptic_E(k) / K - 1.0, 1.0, "of the length; P L^2/EI = %.8f",
                       K * K);
        snprintf(name, sizeof name, "%g degrees: lean", angles[i]);
        wy_check_value(case_run, name, sqrt(tip[0] * tip[0] + tip[1] * tip[1]), 2.0 * k / K, 1.0, "of the length");
        wy_case_draw_shape(case_run, figure, name, WY_SMOOTH, (long)at, fabs(tip[1]) > fabs(tip[0]) ? 1 : 0, 2, -1);
    }
    return WY_OK;
}

const wy_problem wy_problem_buckled_column = {
    .entry = {.name = "buckled-column", .doc = "Column beyond its buckling load, to 60 and 120 degrees at the top."},
    .group = "stability",
    .source = "Euler's elastica: elliptic integrals, computed here",
    .scenario = buckled_column_scenario,
    .levels = {"elements=16", "elements=32", "elements=64"},
    .order = 6.0,
    .evaluate = buckled_column_evaluate,
};
