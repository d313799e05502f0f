/* A deep strip as a cantilever: loaded in its stiff plane, it suddenly tips over sideways. */
#include <math.h>

#include "atlas/atlas.h"

static const char lateral_buckling_scenario[] =
    "# A blade on edge, clamped, a dead force across its free end in its stiff plane: where does it tip over?\n"
    "kind: continuation\n"
    "title: lateral buckling\n"
    "length: 1\n"
    "elements: 64\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 1, EI2: 1e10, GJ: 0.7, GA1: 1e12, GA2: 1e12, EA: 1e12}\n"
    "last_end: {name: loaded, force: [0, 0, 0]}\n"
    "parameter: {number: last_end.force.0, from: 0, to: 5}\n"
    "follow: {branches: 1, negative: 1}\n";

/* Prandtl, Michell: J_{-1/4}(F L^2/(2 sqrt(EI GJ))) = 0. */
static double lateral_buckling_misses(double x, const void *unused) {
    (void)unused;
    return wy_atlas_bessel(-0.25, x);
}

static wy_status lateral_buckling_evaluate(wy_case_run *case_run, wy_error *err) {
    size_t at;
    const wy_status s = wy_case_branch_point(&at, case_run, 1, err);
    if (s)
        return s;
    WY_READ(F, "last_end.force.0", (long)at);
    wy_check_value(case_run, "F L^2/sqrt(EI GJ)", F[0] / sqrt(0.7),
                   2.0 * wy_atlas_root(lateral_buckling_misses, NULL, 1.7, 2.3), 0.0, "2 x, J_{-1/4}(x) = 0: 4.0126");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Lowest eigenvalue of the second variation",
                                                              .x_label = "force / N",
                                                              .y_label = "omega^2 for 1 kg/m / s^-2"});
    wy_case_draw_channel(case_run, figure, "withy", WY_LINES, "eigenvalues", 0, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_lateral_buckling = {
    .entry = {.name = "lateral-buckling", .doc = "Blade on edge that tips over sideways under a force at its end."},
    .group = "stability",
    .source = "Michell, Prandtl 1899: a zero of Bessel's function J_{-1/4}, computed here",
    .scenario = lateral_buckling_scenario,
    .levels = {"elements=16", "elements=32", "elements=64"},
    .order = 6.0,
    .evaluate = lateral_buckling_evaluate,
};
