/* Equilibrium of a column beyond its buckling load, where the straight column is unstable. The column buckles
 * towards +e1, the default where both sides are equivalent, or towards the side of its start: Euler's elastica. */
#include <withy/elliptic.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char leaning_column_scenario[] =
    "# A thin column clamped below, under a load beyond its buckling load: its top leans by 120 degrees.\n"
    "kind: static\n"
    "title: a column that leans\n"
    "length: 1\n"
    "elements: 64\n"
    "section: {name: rigidities, EI1: 1.5, EI2: 1, GJ: 0.7, GA1: 1e11, GA2: 1e11, EA: 1e11}\n"
    "last_end: {name: loaded, force: [0, 0, -4.650559737910807]}\n";

static const wy_atlas_case leaning_column_cases[] = {
    {"from straight", ""},
    {"from the other side", "start={shape: {name: constant, strain: [0, -0.8, 0, 0, 0, 1]}}"},
    {"to 60 degrees", "last_end.force.2=-2.8417542587507936"},
    {0}};

/* P = K(k)^2 EI/L^2, k = sin(half the angle of the top); z/L = 2 E/K - 1, x/L = 2 k/K. */
static wy_status leaning_column_evaluate(wy_case_run *case_run, wy_error *err) {
    const double k = wy_sin((case_run->number == 2 ? 30.0 : 60.0) * WY_PI / 180.0), K = wy_elliptic_K(k);
    WY_READ_LAST(tip, "position", 0, 3);
    WY_READ(energy, "potential", 0);
    wy_check_value(case_run, "lean", tip[0], (case_run->number == 1 ? -2.0 : 2.0) * k / K, 1.0,
                   "of the length; K(k)^2 = P L^2/EI");
    wy_check_value(case_run, "height", tip[2], 2.0 * wy_elliptic_E(k) / K - 1.0, 1.0, "of the length");
    /* strain 1/2 EI integral theta'^2 = P (integral cos theta - cos theta_1), and P z */
    wy_check_value(case_run, "energy", energy[0],
                   K * K * (2.0 * (2.0 * wy_elliptic_E(k) / K - 1.0) - (1.0 - 2.0 * k * k)), K * K,
                   "EI/L, with that of the load; straight it has P L");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Columns at rest", .x_label = "x / L", .y_label = "z / L", .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, 0, 0, 2, -1);
    return WY_OK;
}

const wy_problem wy_problem_leaning_column = {
    .entry = {.name = "leaning-column", .doc = "Equilibrium of a column under more than its buckling load."},
    .group = "stability",
    .source = "Euler's elastica: elliptic integrals, computed here",
    .scenario = leaning_column_scenario,
    .levels = {"elements=16", "elements=32", "elements=64"},
    .order = 6.0,
    .cases = leaning_column_cases,
    .evaluate = leaning_column_evaluate,
};
