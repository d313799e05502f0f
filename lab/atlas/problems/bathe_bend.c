/* The 45 degree bend of Bathe and Bolourchi: a curved cantilever pushed out of its plane. */
#include <stdio.h>

#include "atlas/atlas.h"

/* J: 1/6 is the polar moment of the square; 1/3 - 0.21 (1 - 1/12) the approximation of the handbooks (0.1406 is
 * exact). */

static const char bathe_bend_scenario[] =
    "# Bathe and Bolourchi's bend: radius 100, 45 degrees, a unit square section, E = 1e7, "
    "600 out of the plane at the tip.\n"
    "kind: static\n"
    "title: the 45 degree bend\n"
    "length: 100*pi/4\n"
    "elements: 32\n"
    "section: {name: rigidities, EI1: 1e7/12, EI2: 1e7/12, GJ: 5e6/6, GA1: 5e6, GA2: 5e6, EA: 1e7}\n"
    "reference: {name: constant, strain: [0, 0.01, 0, 0, 0, 1]}\n"
    "last_end: {name: loaded, force: [0, 600, 0]}\n";

static const wy_atlas_case bathe_bend_cases[] = {
    {"J = 1/6", ""},
    {"J = 0.14083", "section.GJ=5e6*(1/3-0.21*(1-1/12))"},
    {0},
};

static wy_status bathe_bend_evaluate(wy_case_run *case_run, wy_error *err) {
    /* clamped along e3, bent towards e1: the published axes are (e1, e3, e2), the first with the other sign */
    static const double converged[2][3] = {{-13.60452, -23.56024, 53.47486}, {-13.72999, -23.81582, 53.60585}};
    static const double published[3] = {-13.4, -23.5, 53.4};
    static const char *const name[3] = {"towards the centre", "along the clamp", "out of the plane"};
    const double c = 0.70710678118654752440;
    WY_READ_LAST(tip, "position", -1, 3);
    const double moved[3] = {tip[0] - 100.0 * (1.0 - c), tip[2] - 100.0 * c, tip[1]};
    for (int i = 0; i < 3; i++)
        wy_check_printed(case_run, name[i], moved[i], converged[case_run->number][i], 1e-5,
                         "converged, by an independent code");
    if (case_run->number == 0)
        for (int i = 0; i < 3; i++) {
            char text[64];
            snprintf(text, sizeof text, "%s, as published", name[i]);
            wy_show_value(case_run, text, moved[i], published[i], "eight straight elements in 1979: 1.5 %% off");
        }
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "The bend before and after",
                                                              .x_label = "x",
                                                              .y_label = "z",
                                                              .z_label = "y",
                                                              .space = true,
                                                              .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, -1, 0, 2, 1);
    return WY_OK;
}

const wy_problem wy_problem_bathe_bend = {
    .entry = {.name = "bathe-bend", .doc = "The 45 degree bend of Bathe and Bolourchi, loaded out of its plane."},
    .group = "statics",
    .source = "Bathe and Bolourchi 1979; converged values of an independent code",
    .scenario = bathe_bend_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .cases = bathe_bend_cases,
    .evaluate = bathe_bend_evaluate,
};
