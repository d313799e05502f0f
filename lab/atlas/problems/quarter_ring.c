/* A quarter of a ring, clamped at one end, with a small force at the other: in its plane and out of it. */
#include "atlas/atlas.h"

static const char quarter_ring_scenario[] =
    "# A quarter of a ring of radius 1, clamped along z, bent towards x.\n"
    "kind: static\n"
    "title: a quarter ring\n"
    "length: pi/2\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 5, EI2: 3, GJ: 2, GA1: 11, GA2: 13, EA: 17}\n"
    "reference: {name: constant, strain: [0, 1, 0, 0, 0, 1]}\n"
    "last_end: {name: loaded, force: [0, 0, 0]}\n"
    "sweep: {number: last_end.force.0, from: -1e-5, to: 1e-5, frames: 2}\n";

static const wy_atlas_case quarter_ring_cases[] = {{"along the end", ""},
                                                   {"across it, in the plane", "sweep.number=last_end.force.2"},
                                                   {"out of the plane", "sweep.number=last_end.force.1"},
                                                   {0}};

static wy_status quarter_ring_evaluate(wy_case_run *case_run, wy_error *err) {
    /* Castigliano: int (1 - sin)^2 = 3 pi/4 - 2, int cos^2 = int sin^2 = pi/4 over the quarter */
    const double F = 1e-5, q = 0.25 * WY_PI, lever = 3.0 * q - 2.0;
    const double exact[3] = {F * (lever / 3.0 + q / 11.0 + q / 17.0), F * (q / 3.0 + q / 11.0 + q / 17.0),
                             F * (q / 5.0 + lever / 2.0 + 2.0 * q / 13.0)};
    static const int component[3] = {0, 2, 1};
    static const char *const note[3] = {"m; (3 pi/4 - 2) R^3/EI2 + pi/4 R (1/GA1 + 1/EA), times F",
                                        "m; pi/4 (R^3/EI2 + R/GA1 + R/EA), times F",
                                        "m; pi/4 R^3/EI1 + (3 pi/4 - 2) R^3/GJ + pi/2 R/GA2, times F"};
    WY_READ_LAST(back, "position", 0, 3);
    WY_READ_LAST(tip, "position", 1, 3);
    const size_t c = case_run->number;
    /* half of the difference between push and pull: what is not linear cancels, to 1e-10 of it */
    wy_check_value(case_run, "", 0.5 * (tip[component[c]] - back[component[c]]), exact[c], 0.0, "%s", note[c]);
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The quarter ring", .x_label = "z / m", .y_label = "x / m", .equal = true});
    if (c == 0)
        wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, -1, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_quarter_ring = {
    .entry = {.name = "quarter-ring",
              .doc = "Small deflections of a quarter ring: bending, twist, shear and stretch at once."},
    .group = "statics",
    .source = "Castigliano, closed form",
    .scenario = quarter_ring_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .cases = quarter_ring_cases,
    .evaluate = quarter_ring_evaluate,
};
