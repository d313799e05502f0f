/* Actuation of a part of a rod to a curvature, with boundaries inside the elements of the scenario: in equilibrium
 * the rod is a straight part, an arc and a straight part. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char part_actuation_scenario[] =
    "# A part of 57 mm of a metre bends by a third of a radian.\n"
    "kind: dynamic\n"
    "title: part actuation\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: circle, radius: 0.01, E: 1e7, nu: 0.4, density: 1000}\n"
    "actuation: [{name: uniform, strain: [0, 6, 0, 0, 0, 0], from: 0.151, until: 0.208}]\n"
    "start: {equilibrium: true}\n"
    "method: gauss-director\n"
    "duration: 0.1\n"
    "step: 0.01\n";

static const wy_atlas_case part_actuation_cases[] = {
    {"a part of an element", ""},
    {"two elements and parts of two", "actuation.0.until=0.37; actuation.0.strain=[0, 1.5, 0, 0, 0, 0]"},
    {0},
};

static wy_status part_actuation_evaluate(wy_case_run *case_run, wy_error *err) {
    const double from = 0.151, until = case_run->number ? 0.37 : 0.208, kappa = case_run->number ? 1.5 : 6.0;
    const double turn = kappa * (until - from), rest = 1.0 - until;
    WY_READ_LAST(tip, "position", 0, 3);
    WY_READ_LAST(end, "position", -1, 3);
    wy_check_value(case_run, "x", tip[0], (1.0 - wy_cos(turn)) / kappa + rest * wy_sin(turn), 1.0,
                   "m; an arc between straight parts");
    wy_check_value(case_run, "z", tip[2], from + wy_sin(turn) / kappa + rest * wy_cos(turn), 1.0, "m");
    wy_check_law(case_run, "stays", end[0], tip[0], 1.0, "m: nothing stresses it");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Shapes", .x_label = "z / m", .y_label = "x / m"});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_LINES, -1, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_part_actuation = {
    .entry = {.name = "part-actuation", .doc = "A part of a rod, narrower than an element, is driven to a curvature."},
    .group = "waves and decay",
    .source = "geometry, closed form",
    .scenario = part_actuation_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 4.0,
    .cases = part_actuation_cases,
    .evaluate = part_actuation_evaluate,
};
