/* Thin free rods that rotate, bend and stretch, in steps with large rotations. They are stiffer about one axis than
 * about the other and have hardly any inertia about their own axis, so they roll into equilibrium within every step.
 * No load and no damping act: the energy is conserved to the accuracy of a strain, round-off times L/r. Where a step
 * has no solution it is halved, and as a last resort taken with the dissipative fallback, which loses energy; at
 * most one step in ten is halved. */
#include <math.h>

#include "atlas/atlas.h"

static const char thin_flight_scenario[] =
    "# A rod of r/L = 1e-5 in flight, in steps in which it turns by a fifth of a radian.\n"
    "kind: dynamic\n"
    "title: a thin rod in flight\n"
    "length: 1\n"
    "elements: 3\n"
    "section: {name: rigidities, EI1: 1, EI2: 2.3, GJ: 0.8, GA1: 1.6e10, GA2: 1.6e10, EA: 4e10, rhoA: 1, "
    "rhoI1: 2.5e-11, rhoI2: 5.75e-11, rhoJ: 8.25e-11}\n"
    "first_end: free\n"
    "last_end: free\n"
    "start: {velocities: [[0, 0.7, 1, 0.1, 1.5, -1, 3.7], [0.125, 0.9, 0.79, 0.1, 1.7, -0.99, 3.65], "
    "[0.25, 1.06, 0.41, 0.1, 1.88, -0.97, 3.51], [0.375, 1.14, -0.11, 0.1, 2.05, -0.93, 3.3], "
    "[0.5, 1.11, -0.67, 0.1, 2.17, -0.88, 3.05], [0.625, 0.98, -1.19, 0.1, 2.26, -0.8, 2.79], "
    "[0.75, 0.75, -1.6, 0.1, 2.3, -0.72, 2.56], [0.875, 0.45, -1.85, 0.1, 2.29, -0.62, 2.39], "
    "[1, 0.13, -1.93, 0.1, 2.23, -0.5, 2.31]]}\n"
    "method: {name: gauss-director, degree: 2, stages: 2, tolerance: 1e-15}\n"
    "estimate: false\n"
    "duration: 2\n"
    "step: 0.05\n";

static const wy_atlas_case thin_flight_cases[] = {
    {"r/L = 1e-5", ""},
    {"r/L = 1e-5, steps twice as long", "step=0.1"},
    {"r/L = 1e-4, more elements",
     "elements=14; section={name: rigidities, EI1: 1, EI2: 2.3, GJ: 0.8, GA1: 1.6e8, GA2: 1.6e8, EA: 4e8, rhoA: 1, "
     "rhoI1: 2.5e-9, rhoI2: 5.75e-9, rhoJ: 8.25e-9}; "
     "step=0.01; duration=0.6"},
    {0}};

static wy_status thin_flight_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double thin[] = {1e-5, 1e-5, 1e-4};
    WY_READ(T, "kinetic", 0);
    WY_READ(U, "strain_energy", 0);
    WY_READ(cut, "steps_halved", -1);
    double most = 0.0;
    for (size_t n = 1; n < case_run->count; n++)
        most = fmax(most, fabs((T[n] + U[n]) / (T[0] + U[0]) - 1.0));
    wy_check_printed(case_run, "energy", most, 0.0, 1e-12 / thin[case_run->number],
                     "largest change, of it; to 1e-12 L/r, round-off of a strain");
    wy_check_printed(case_run, "steps that are cut", cut[0] / (double)(case_run->count - 1), 0.0, 0.1, "of all");
    wy_figure *figure = case_run->number == 0 ? wy_case_figure(case_run, &(wy_figure){.title = "The flight",
                                                                                      .x_label = "x / m",
                                                                                      .y_label = "y / m",
                                                                                      .z_label = "z / m",
                                                                                      .space = true,
                                                                                      .equal = true})
                                              : NULL;
    for (long i = 0; i <= 8; i++)
        wy_case_draw_shape(case_run, figure, NULL, WY_LINES, i * (long)(case_run->count - 1) / 8, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_thin_flight = {
    .entry = {.name = "thin-flight",
              .doc = "Thin rods thrown so that they roll, in long steps: they keep their energy."},
    .group = "flight",
    .source = "conservation of energy",
    .scenario = thin_flight_scenario,
    .levels = {"duration=0.5", "duration=1", "duration=2"},
    .order = 1.0,
    .cases = thin_flight_cases,
    .evaluate = thin_flight_evaluate,
};
