/* The thick cantilever of Nachbagauer and others, a test of shear-deformable elements. */
#include "atlas/atlas.h"

static const char nachbagauer_scenario[] =
    "# L = 2 m, 0.5 m x 0.1 m, E = 207 GPa, nu = 0.3, shear coefficient 10 (1 + nu)/(12 + 11 nu), "
    "62.5 MN across the tip.\n"
    "kind: static\n"
    "title: a thick cantilever\n"
    "length: 2\n"
    "elements: 16\n"
    "section: {name: rectangle, width: 0.5, height: 0.1, E: 2.07e11, nu: 0.3, shear_correction: 10*1.3/(12+11*0.3)}\n"
    "last_end: {name: loaded, force: [5e8*0.5^3, 0, 0]}\n"
    "# The published rod stays in its plane. Free to leave it, so high a strip falls over sideways long before.\n"
    "solver: {name: auto, leave_unstable: false}\n";

static wy_status nachbagauer_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ_LAST(tip, "position", -1, 3);
    wy_check_printed(case_run, "along", 2.0 - tip[2], 0.150971144, 1e-9, "m");
    wy_check_printed(case_run, "across", tip[0], 0.710568598, 1e-9, "m");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "62.5 MN at the tip", .x_label = "z / m", .y_label = "x / m", .equal = true});
    wy_case_draw_shape(case_run, figure, "withy", WY_SMOOTH, -1, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_nachbagauer = {
    .entry = {.name = "nachbagauer", .doc = "Thick cantilever with shear, bent far."},
    .group = "statics",
    .source = "Nachbagauer and others 2013 (inputs); converged values of an independent code",
    .scenario = nachbagauer_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .evaluate = nachbagauer_evaluate,
};
