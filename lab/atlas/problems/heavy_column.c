/* The tallest column: it buckles under its own weight. */
#include "atlas/atlas.h"

static const char heavy_column_scenario[] =
    "# A thin column clamped below, growing heavier: q L^3/EI at which it bends over.\n"
    "kind: continuation\n"
    "title: the heavy column\n"
    "length: 1\n"
    "elements: 32\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e8, GA2: 1e8, EA: 1e8}\n"
    "loads:\n"
    "  - {name: distributed-force, density: [0, 0, 0]}\n"
    "parameter: {number: loads.0.density.2, from: -12, to: 0, start: 0}\n"
    "follow: {branches: 1, negative: 2}\n";

/* Greenhill: J_{-1/3}((2/3) sqrt(q)) = 0. */
static double heavy_column_misses(double x, const void *unused) {
    (void)unused;
    return wy_atlas_bessel(-1.0 / 3.0, x);
}

static wy_status heavy_column_evaluate(wy_case_run *case_run, wy_error *err) {
    size_t at;
    const wy_status s = wy_case_branch_point(&at, case_run, 1, err);
    if (s)
        return s;
    WY_READ(q, "loads.0.density.2", (long)at);
    const double x = wy_atlas_root(heavy_column_misses, NULL, 1.5, 2.2);
    wy_check_value(case_run, "q L^3/EI", -q[0], 2.25 * x * x, 0.0, "(9/4) x^2, J_{-1/3}(x) = 0: 7.8373474");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Lowest eigenvalue of the second variation",
                                                              .x_label = "q L^3/EI",
                                                              .y_label = "omega^2 for 1 kg/m / s^-2"});
    wy_case_draw_channel(case_run, figure, "withy", WY_LINES, "eigenvalues", 0, -1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_heavy_column = {
    .entry = {.name = "heavy-column", .doc = "Column that buckles under its own weight."},
    .group = "stability",
    .source = "Greenhill 1881: a zero of Bessel's function J_{-1/3}, computed here",
    .scenario = heavy_column_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .evaluate = heavy_column_evaluate,
};
