/* The riser of the thesis pushed together: where it buckles, and where it leaves its plane. */
#include <math.h>

#include "atlas/atlas.h"

static const char riser_branches_scenario[] =
    "# All stable equilibria of the thesis' riser between two clamps that are pushed together.\n"
    "kind: continuation\n"
    "title: a riser pushed together\n"
    "length: 10\n"
    "elements: 64\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 110.8e6, EI2: 110.8e6, GJ: 85.2e6, GA1: 2338.6e6, GA2: 2338.6e6, EA: 6080.5e6}\n"
    "last_end: {name: coaxial, shortening: 0}\n"
    "parameter: {number: last_end.shortening, from: 0, to: 0.7}\n"
    "follow: {branches: 2, negative: 1}\n";

static wy_status riser_branches_evaluate(wy_case_run *case_run, wy_error *err) {
    size_t first, out;
    wy_status s = wy_case_branch_point(&first, case_run, 1, err);
    if (!s)
        s = wy_case_branch_point(&out, case_run, 2, err);
    if (s)
        return s;
    WY_READ(xi, "last_end.shortening", 0);
    WY_READ(F, "thrust", 0);
    WY_READ(M, "bending", 0);
    const double b = 1.0 / 2338.6 - 1.0 / 6080.5, euler = 4.0 * WY_PI * WY_PI * 1.108;
    const double buckling = (sqrt(1.0 + 4.0 * b * euler) - 1.0) / (2.0 * b);
    wy_check_value(case_run, "buckles: force", 1e-6 * F[first], buckling, 0.0,
                   "MN; F (1 + (1/GA - 1/EA) F) = 4 pi^2 EI/L^2");
    wy_check_value(case_run, "buckles: shortening", xi[first], buckling / 6080.5, 0.0, "F/EA");
    wy_check_value(case_run, "leaves its plane: shortening", xi[out], 0.583492098, 0.0, "AUTO-07p");
    wy_check_value(case_run, "leaves its plane: force", 1e-6 * F[out], 61.6191123, 0.0, "MN; AUTO-07p");
    wy_check_value(case_run, "leaves its plane: moment", 1e-6 * M[out], 119.1145093, 0.0, "MN m; AUTO-07p");
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "Thrust along the branches", .x_label = "shortening", .y_label = "thrust / MN"});
    wy_case_draw_channel(case_run, figure, "withy", WY_POINTS, "thrust", 0, 1.0, 1e-6);
    return WY_OK;
}

const wy_problem wy_problem_riser_branches = {
    .entry = {.name = "riser-branches",
              .doc = "Rod pushed together between clamps: it buckles, then leaves its plane."},
    .group = "stability",
    .source = "closed form; AUTO-07p",
    .scenario = riser_branches_scenario,
    .levels = {"elements=16", "elements=32", "elements=64"},
    .order = 6.0,
    .evaluate = riser_branches_evaluate,
};
