/* The twisted and shortened riser of the thesis, in space. */
#include "atlas/atlas.h"

static const char twist_shortening_scenario[] =
    "# The riser of the thesis (table 4.2), pushed together and turned by half a turn.\n"
    "kind: static\n"
    "title: twisted and shortened\n"
    "length: 10\n"
    "elements: 64\n"
    "section: {name: rigidities, EI1: 110.8e6, EI2: 110.8e6, GJ: 85.2e6, GA1: 2338.6e6, GA2: 2338.6e6, EA: 6080.5e6}\n"
    "last_end: {name: coaxial, shortening: 0.4, twist: pi}\n";

static const wy_atlas_case twist_shortening_cases[] = {
    {"shortened by 40 %", ""}, {"by 50 %", "last_end.shortening=0.5"}, {0}};

static wy_status twist_shortening_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double P_table[2][3] = {{13.8077195, -14.4562951, -38.6307400},
                                         {20.3119403, -18.6724645, -33.8957096}};
    static const double M_table[2][3] = {{0.0, 86.8291652, 10.1629783}, {0.0, 93.6931477, 3.1944808}};
    static const char *const name[6] = {"P1(0)", "P2(0)", "P3(0)", "M1(0)", "M2(0)", "M3(0)"};
    WY_READ(P, "left_force", 0);
    WY_READ(M, "left_moment", 0);
    for (int i = 0; i < 3; i++)
        wy_check_value(case_run, name[i], 1e-6 * P[i], P_table[case_run->number][i], 0.0, "MN");
    for (int i = 1; i < 3; i++)
        wy_check_value(case_run, name[3 + i], 1e-6 * M[i], M_table[case_run->number][i], 0.0, "MN m");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Half a turn, shortened",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .space = true,
                                                              .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, 0, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_twist_shortening = {
    .entry = {.name = "twist-shortening", .doc = "Rod between clamps, shortened and twisted by half a turn."},
    .group = "statics",
    .source = "AUTO-07p and a Gauss-Legendre code, which agree to 9 digits",
    .scenario = twist_shortening_scenario,
    .levels = {"elements=16", "elements=32", "elements=64"},
    .order = 6.0,
    .cases = twist_shortening_cases,
    .evaluate = twist_shortening_evaluate,
};
