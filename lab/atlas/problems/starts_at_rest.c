/* The riser of the thesis, compressed between two clamps, as the start of a motion: `equilibrium: true` starts from
 * the equilibrium of kind: static, which is buckled, and the rod stays there. The straight compressed riser is an
 * equilibrium too, but an unstable one. And a line with more tension than weight in elements longer than the bending
 * layers at its clamps: in equilibrium for the dynamic discretisation. */
#include <math.h>

#include "atlas/atlas.h"

static const char starts_at_rest_scenario[] =
    "# Two clamps pushed together by a fifth of the length; the riser at rest between them, for two steps.\n"
    "kind: dynamic\n"
    "title: a motion that starts at rest\n"
    "length: 10\n"
    "elements: 48\n"
    "section: {name: rigidities, EI1: 110.8e6, EI2: 110.8e6, GJ: 85.2e6, GA1: 2338.6e6, GA2: 2338.6e6, EA: 6080.5e6, "
    "rhoA: 200, rhoI1: 3, rhoI2: 3, rhoJ: 6}\n"
    "last_end: {name: coaxial, shortening: 0.2}\n"
    "start: {equilibrium: true}\n"
    "method: gauss-director\n"
    "estimate: false\n"
    "duration: 0.02\n"
    "step: 0.01\n";

static const wy_atlas_case starts_at_rest_cases[] = {
    {"shortened by 20 %", ""},
    {"40 %", "last_end.shortening=0.4"},
    {"40 % and half a turn", "last_end.shortening=0.4; last_end.twist=pi"},
    {"20 %, elements of degree 5", "method={name: gauss-director, degree: 5}"},
    {"taut line", "length=20; section={name: circle, radius: 0.01, E: 2e8, nu: 0.4, density: 2000}; "
                  "loads=[{name: gravity, acceleration: [-9.81, 0, 0]}]; "
                  "last_end={name: clamped, position: [3, 0, 19.4]}"},
    {0}};

static wy_status starts_at_rest_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(kinetic, "kinetic", -1);
    WY_READ(U, "strain_energy", -1);
    if (case_run->number == 4) { /* elements much longer than its bending layers */
        wy_check_law(case_run, "kinetic energy", kinetic[0], 0.0, U[0], "J after two steps, of its elastic energy");
        return WY_OK;
    }
    /* of the third the force along the axis and the moment across it, which are the same to whatever side it has
     * buckled */
    static const double table[4][2] = {{47.905528448, 62.712307677},
                                       {54.100923568, 93.667981803},
                                       {38.6307400, 86.8291652},
                                       {47.905528448, 62.712307677}};
    wy_march march;
    size_t force, moment[2];
    wy_status s = wy_case_open(&march, case_run, err);
    if (!s)
        s = wy_case_output(&force, &march, "first_end.force.z", err);
    if (!s)
        s = wy_case_output(&moment[0], &march, "first_end.moment.x", err);
    if (!s)
        s = wy_case_output(&moment[1], &march, "first_end.moment.y", err);
    if (!s)
        s = march.step_external(march.run, 0.0, 0.01, err);
    const double *T = NULL;
    if (!s)
        s = wy_case_now(&T, &march, "kinetic", err);
    const double F = s ? NAN : *march.outputs[force].value, a = s ? NAN : *march.outputs[moment[0]].value,
                 b = s ? NAN : *march.outputs[moment[1]].value;
    wy_case_close(&march);
    if (s)
        return s;
    wy_check_value(case_run, "force", 1e-6 * F, table[case_run->number][0], 0.0,
                   "MN of the first clamp, mean over a step");
    wy_check_value(case_run, "moment", 1e-6 * sqrt(a * a + b * b), table[case_run->number][1], 0.0, "MN m");
    wy_check_value(case_run, "kinetic energy", kinetic[0], 0.0, U[0], "J after two steps, of its elastic energy");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "At rest", .x_label = "z / m", .y_label = "x / m", .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, -1, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_starts_at_rest = {
    .entry = {.name = "starts-at-rest", .doc = "A motion that starts at rest, buckled between two clamps."},
    .group = "waves and decay",
    .source = "as in clamped-elastica and twist-shortening: closed form in elliptic integrals, AUTO-07p",
    .scenario = starts_at_rest_scenario,
    .levels = {"elements=12", "elements=24", "elements=48"},
    .order = 6.0,
    .cases = starts_at_rest_cases,
    .evaluate = starts_at_rest_evaluate,
};
