/* Statements about stability. A column below its buckling load is stable because its energy has a minimum there
 * (Dirichlet). Following forces and moments with a fixed axis have no potential: such a column may flutter where the
 * remaining energy has a minimum (Beck, Ziegler), so no statement is allowed. */
#include <math.h>

#include "atlas/atlas.h"

static const char said_stable_scenario[] =
    "# A column under nine tenths of its buckling load.\n"
    "kind: static\n"
    "title: what is said of stability\n"
    "length: 1\n"
    "elements: 64\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e7, GA2: 1e7, EA: 1e7}\n"
    "solver: energy\n"
    "last_end: {name: loaded, force: [0, 0, -0.9*pi*pi/4]}\n";

static const wy_atlas_case said_stable_cases[] = {
    {"load", ""},
    {"load that follows", "last_end.following=true"},
    {"moment about its axis", "last_end={name: loaded, moment: [0, 0, 0.5]}"},
    {"moment across", "last_end={name: loaded, moment: [0, 0.5, 0]}"},
    {"moment across, the other way", "last_end={name: loaded, moment: [0.5, 0, 0]}"},
    {0}};

static wy_status said_stable_evaluate(wy_case_run *case_run, wy_error *err) {
    wy_equilibrium_stats stats;
    const wy_status s = wy_case_statistics(&stats, case_run, err);
    if (s)
        return s;
    wy_check_law(case_run, "said to be stable", stats.stable ? 1.0 : 0.0, case_run->number ? 0.0 : 1.0, 1.0,
                 case_run->number ? "1: yes; a load without a potential" : "1: yes; a minimum of the energy");
    /* description of the end */
    static const double x[3] = {0.0, 0.0, 1.0}, D[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, still[3] = {0.0, 0.0, 0.0};
    const wy_rod_definition *rod = wy_scenario_rod(case_run->scenario);
    const wy_joint *end = (const wy_joint *)rod->ends[1].entry;
    const wy_material_point at = {
        .s = 1.0, .length = 1.0, .section = &rod->section, .x = x, .D = D, .v = still, .omega = still, .a = still};
    const bool has = end->potential && !isnan(end->potential(rod->ends[1].config, &at));
    wy_check_law(case_run, "said to have a potential", has ? 1.0 : 0.0, case_run->number ? 0.0 : 1.0, 1.0,
                 case_run->number ? "1: yes; it has none" : "1: yes; a force that keeps its direction");
    return WY_OK;
}

const wy_problem wy_problem_said_stable = {
    .entry = {.name = "said-stable", .doc = "What is said of the stability of columns under forces and moments."},
    .group = "stability",
    .source = "the theorem of Dirichlet, and where it does not hold (Beck, Ziegler)",
    .scenario = said_stable_scenario,
    .levels = {"elements=16", "elements=32", "elements=64"},
    .order = 6.0,
    .cases = said_stable_cases,
    .evaluate = said_stable_evaluate,
};
