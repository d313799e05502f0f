/* A cone as a cantilever: half as thick at the tip. EI goes with the fourth power of the size, GA with the second. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char tapered_cantilever_scenario[] =
    "# A cone: the tip has half the diameter of the clamped end. A small force across the tip.\n"
    "kind: static\n"
    "title: a tapered cantilever\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 3, EI2: 3, GJ: 2, GA1: 40, GA2: 40, EA: 90}\n"
    "taper: [[0, 1], [1, 0.5]]\n"
    "last_end: {name: loaded, force: [1e-7, 0, 0]}\n";

static const wy_atlas_case tapered_cantilever_cases[] = {
    {"force across", ""},
    {"force along", "last_end.force=[0, 0, 1e-3]"},
    {"twist", "last_end.force=[0, 0, 0]; last_end.moment=[0, 0, 0.1]"},
    {0}};

static wy_status tapered_cantilever_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ_LAST(tip, "position", -1, 3);
    WY_READ_LAST(q, "orientation", -1, 4);
    /* with c = 1 - s/2: int (1-s)^2/c^4 = 2/3, int 1/c^2 = 2, int 1/c^4 = 14/3 */
    if (case_run->number == 0)
        wy_check_value(case_run, "", tip[0], 1e-7 * (2.0 / 9.0 + 2.0 / 40.0), 0.0, "m; F (2/(3 EI) + 2/GA)");
    else if (case_run->number == 1)
        wy_check_value(case_run, "", tip[2] - 1.0, 1e-3 * 2.0 / 90.0, 0.0, "m; 2 F/EA");
    else
        wy_check_value(case_run, "", 2.0 * wy_atan2(q[3], q[0]), 0.1 * 14.0 / 3.0 / 2.0, 0.0, "rad; 14 M/(3 GJ)");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "A tapered cantilever under 1e-7 N", .x_label = "z / m", .y_label = "x / m"});
    if (case_run->number == 0)
        wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, -1, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_tapered_cantilever = {
    .entry = {.name = "tapered-cantilever", .doc = "Cone as a cantilever: bent, stretched, twisted."},
    .group = "statics",
    .source = "closed form: the integrals of 1/EI, 1/GA, 1/EA, 1/GJ along the cone",
    .scenario = tapered_cantilever_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .cases = tapered_cantilever_cases,
    .evaluate = tapered_cantilever_evaluate,
};
