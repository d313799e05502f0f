/* A beam between ball joints with a force between two nodes, or a load on a part: rotation of its last end. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char point_load_scenario[] =
    "# A beam on two ball joints, a small force at 0.3 of its length, which is no node.\n"
    "kind: static\n"
    "title: a force between the supports\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 3, EI2: 2, GJ: 2, GA1: 15, GA2: 20, EA: 1}\n"
    "first_end: pinned\n"
    "last_end: {name: pinned, position: [0, 0, 1]}\n"
    "loads:\n"
    "  - {name: point-force, force: [1e-7, 0, 0], at: 0.3}\n";

static const wy_atlas_case point_load_cases[] = {
    {"force along d1", ""},
    {"force along d2", "loads.0.force=[0, 1e-7, 0]"},
    {"load on a part", "loads=[{name: distributed-force, density: [1e-7, 0, 0], from: 0.13, until: 0.3}]"},
    {0}};

/* Turn of the last end by a unit force at a: a (L^2 - a^2)/(6 EI L). Shear adds nothing to it. */
static double turn_by(double a, double EI) {
    return a * (1.0 - a * a) / (6.0 * EI);
}

static double point_load_along(double a, const void *unused) {
    (void)unused;
    return turn_by(a, 2.0);
}

static wy_status point_load_evaluate(wy_case_run *case_run, wy_error *err) {
    const bool second = case_run->number == 1;
    WY_READ_LAST(q, "orientation", 0, 4);
    const double turn = fabs(2.0 * wy_atan2(second ? q[1] : q[2], q[0]));
    if (case_run->number < 2)
        wy_check_value(case_run, "turn", turn, 1e-7 * turn_by(0.3, second ? 3.0 : 2.0), 0.0,
                       "rad; F a (L^2 - a^2)/(6 EI L)");
    else
        wy_check_value(case_run, "turn", turn, 1e-7 * wy_atlas_integral(point_load_along, NULL, 0.13, 0.3, 1), 0.0,
                       "rad; the same integrated over the part that is loaded");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Deflections", .x_label = "z / m", .y_label = "across / m"});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, 0, 2, second, -1);
    return WY_OK;
}

const wy_problem wy_problem_point_load = {
    .entry = {.name = "point-load", .doc = "Beam on two joints with a force, and a load on a part, between nodes."},
    .group = "statics",
    .source = "the beam's equation, closed form",
    .scenario = point_load_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .cases = point_load_cases,
    .evaluate = point_load_evaluate,
};
