/* The riser of the thesis pushed together between two clamps: the planar buckled rod with shear and extension. */
#include "atlas/atlas.h"

static const char clamped_elastica_scenario[] =
    "# Two clamps pushed together: the planar buckled riser (section of the thesis' table 4.2).\n"
    "kind: static\n"
    "title: a riser buckled in a plane\n"
    "length: 10\n"
    "elements: 48\n"
    "section: {name: rigidities, EI1: 110.8e6, EI2: 110.8e6, GJ: 85.2e6, GA1: 2338.6e6, GA2: 2338.6e6, EA: 6080.5e6}\n"
    "last_end: {name: coaxial, shortening: 0.2}\n"
    "branch: planar\n"
    "sweep: {number: last_end.shortening, from: 0.2, to: 1, frames: 5}\n";

static wy_status clamped_elastica_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double table[5][2] = {{47.905528448, 62.712307677},
                                       {54.100923568, 93.667981803},
                                       {62.411665881, 121.388033422},
                                       {74.181448423, 149.779769481},
                                       {92.159209953, 181.910499739}};
    static const char *const name[5][2] = {{"shortened by 20 %: force", "shortened by 20 %: moment"},
                                           {"40 %: force", "40 %: moment"},
                                           {"60 %: force", "60 %: moment"},
                                           {"80 %: force", "80 %: moment"},
                                           {"100 %: force", "100 %: moment"}};
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "Shortened by 20 to 100 %", .x_label = "z / m", .y_label = "x / m", .equal = true});
    for (long i = 0; i < 5; i++) {
        WY_READ(P, "left_force", i);
        WY_READ(M, "left_moment", i);
        const double bend = M[1] < 0.0 ? -M[1] : M[1];
        wy_check_value(case_run, name[i][0], -1e-6 * P[2], table[i][0], 0.0, "MN at the clamp");
        wy_check_value(case_run, name[i][1], 1e-6 * bend, table[i][1], 0.0, "MN m at the clamp");
        wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, i, 2, 0, -1);
    }
    return WY_OK;
}

const wy_problem wy_problem_clamped_elastica = {
    .entry = {.name = "clamped-elastica", .doc = "Planar buckled rod between clamps, with shear and extension."},
    .group = "statics",
    .source = "closed form in elliptic integrals, AUTO-07p and a Gauss-Legendre code, which agree to 11 digits",
    .scenario = clamped_elastica_scenario,
    .levels = {"elements=12", "elements=24", "elements=48"},
    .order = 6.0,
    .evaluate = clamped_elastica_evaluate,
};
