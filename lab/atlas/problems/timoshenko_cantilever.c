/* Small deflections with shear: a force at the tip, and a load along the rod. */
#include "atlas/atlas.h"

/* 1e-6 is so small that what is not linear is 1e-13 of it. */
static const char timoshenko_cantilever_scenario[] =
    "# A thick cantilever, hardly loaded: deflection by bending and by shear.\n"
    "kind: static\n"
    "title: Timoshenko's cantilever\n"
    "length: 2\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 7, EI2: 3, GJ: 2, GA1: 11, GA2: 19, EA: 40}\n"
    "last_end: {name: loaded, force: [1e-6, 0, 0]}\n"
    "loads:\n"
    "  - {name: distributed-force, density: [0, 0, 0]}\n";

static const wy_atlas_case timoshenko_cantilever_cases[] = {
    {"force along d1", ""},
    {"force along d2", "last_end.force=[0, 1e-6, 0]"},
    {"load along d1", "last_end.force=[0, 0, 0]; loads.0.density=[1e-6, 0, 0]"},
    {"load along d2", "last_end.force=[0, 0, 0]; loads.0.density=[0, 1e-6, 0]"},
    {0},
};

static wy_status timoshenko_cantilever_evaluate(wy_case_run *case_run, wy_error *err) {
    const size_t d = case_run->number % 2;
    const double F = 1e-6, L = 2.0, EI = d ? 7.0 : 3.0, GA = d ? 19.0 : 11.0; /* along d1 it bends about d2 */
    const double by_force = F * L * L * L / (3.0 * EI) + F * L / GA;
    const double by_load = F * L * L * L * L / (8.0 * EI) + F * L * L / (2.0 * GA);
    WY_READ_LAST(tip, "position", -1, 3);
    wy_check_value(case_run, "", tip[d], case_run->number < 2 ? by_force : by_load, 0.0,
                   case_run->number < 2 ? "m; F L^3/(3 EI) + F L/GA" : "m; w L^4/(8 EI) + w L^2/(2 GA)");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Deflections", .x_label = "z / m", .y_label = "x or y / m"});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_LINES, -1, 2, (int)d, -1);
    return WY_OK;
}

const wy_problem wy_problem_timoshenko_cantilever = {
    .entry = {.name = "timoshenko-cantilever",
              .doc = "Small deflections of a cantilever with shear, by a force and by a load."},
    .group = "statics",
    .source = "Timoshenko's beam, closed form",
    .scenario = timoshenko_cantilever_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .cases = timoshenko_cantilever_cases,
    .evaluate = timoshenko_cantilever_evaluate,
};
