/* A rod between two ball joints, pulled together: the oldest elastica. */
#include <math.h>

#include <withy/elliptic.h>

#include "atlas/atlas.h"

static const char pinned_elastica_scenario[] =
    "# Ball joints at 60 % of the rod's length.\n"
    "kind: static\n"
    "title: a rod between ball joints\n"
    "length: 1\n"
    "elements: 48\n"
    "section: {name: rigidities, EI1: 1, EI2: 1.3, GJ: 0.7, GA1: 1e12, GA2: 1e12, EA: 1e12}\n"
    "first_end: pinned\n"
    "last_end: {name: pinned, position: [0, 0, 0.6]}\n"
    "branch: planar\n";

static const wy_atlas_case pinned_elastica_cases[] = {
    {"at 90 %", "last_end.position=[0, 0, 0.9]"},
    {"at 60 %", ""},
    {"at 30 %", "last_end.position=[0, 0, 0.3]"},
    {0},
};

/* 2 E/K - 1 is the distance of the joints; the force is 4 K^2 EI/L^2. */
static double pinned_elastica_misses(double k, const void *distance) {
    return 2.0 * wy_elliptic_E(k) / wy_elliptic_K(k) - 1.0 - *(const double *)distance;
}

static wy_status pinned_elastica_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double distances[3] = {0.9, 0.6, 0.3};
    const double k = wy_atlas_root(pinned_elastica_misses, &distances[case_run->number], 1e-9, 0.99),
                 K = wy_elliptic_K(k);
    WY_READ(P, "left_force", 0);
    size_t size;
    const double *x = wy_case_frame(case_run, "position", 0, &size, err);
    if (!x)
        return err->status;
    const double *middle = x + 3 * (size / 6);
    wy_check_value(case_run, "force", sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]), 4.0 * K * K, 0.0,
                   "4 K(k)^2 EI/L^2");
    wy_check_value(case_run, "rise", sqrt(middle[0] * middle[0] + middle[1] * middle[1]), k / K, 0.0,
                   "k/K(k), of the middle");
    const bool other = fabs(middle[1]) > fabs(middle[0]);
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "Joints at 90, 60, 30 %", .x_label = "z / L", .y_label = "across / L", .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, 0, 2, other ? 1 : 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_pinned_elastica = {
    .entry = {.name = "pinned-elastica", .doc = "Rod between two ball joints that are pulled together."},
    .group = "statics",
    .source = "Euler 1744: elliptic integrals, computed here to round-off",
    .scenario = pinned_elastica_scenario,
    .levels = {"elements=12", "elements=24", "elements=48"},
    .order = 6.0,
    .cases = pinned_elastica_cases,
    .evaluate = pinned_elastica_evaluate,
};
