/* A rubber rod that hangs from its clamp: stretched by its own weight, and twisted by a couple along it. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char hanging_rod_scenario[] =
    "# A soft rod hanging down along z, stretched by its weight by a fifth; a couple along it twists it.\n"
    "kind: static\n"
    "title: a hanging rod\n"
    "length: 2\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 50, GA2: 50, EA: 100, rhoA: 2}\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [0, 0, 10]}\n"
    "  - {name: distributed-couple, density: [0, 0, 0.35]}\n";

static wy_status hanging_rod_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ_LAST(tip, "position", -1, 3);
    WY_READ_LAST(q, "orientation", -1, 4);
    WY_READ(P, "left_force", 0);
    WY_READ(M, "left_moment", 0);
    wy_check_value(case_run, "tip", tip[2], 2.0 + 2.0 * 10.0 * 4.0 / 200.0, 0.0, "m; L + rho A g L^2/(2 EA)");
    wy_check_value(case_run, "turn", 2.0 * wy_atan2(q[3], q[0]), 0.35 * 4.0 / 1.4, 0.0, "rad; c L^2/(2 GJ)");
    wy_check_value(case_run, "force at the clamp", P[2], 40.0, 0.0, "N; the weight");
    wy_check_value(case_run, "torque at the clamp", M[2], 0.7, 0.0, "N m; c L");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Position of the sections", .x_label = "s / m", .y_label = "z / m"});
    double s[17], z[17];
    const double *x = wy_case_frame(case_run, "position", 0, NULL, err);
    for (int i = 0; i <= 16 && case_run->level == 2 && x; i++) {
        s[i] = 0.125 * i;
        z[i] = x[3 * i + 2];
    }
    if (case_run->level == 2)
        wy_figure_curve(figure, "withy", WY_LINES_POINTS, 17, s, z, NULL);
    return WY_OK;
}

const wy_problem wy_problem_hanging_rod = {
    .entry = {.name = "hanging-rod", .doc = "Soft rod stretched by its weight and twisted by a couple along it."},
    .group = "statics",
    .source = "closed form",
    .scenario = hanging_rod_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .evaluate = hanging_rod_evaluate,
};
