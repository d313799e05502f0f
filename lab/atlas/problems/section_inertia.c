/* The inertia of a spinning rod of each section: its angular momentum. */
#include "atlas/atlas.h"

static const char section_inertia_scenario[] = "# A free rod that spins about all three axes through its first end.\n"
                                               "kind: dynamic\n"
                                               "title: inertia of a section\n"
                                               "length: 0.5\n"
                                               "elements: 4\n"
                                               "section: {name: circle, radius: 0.05, E: 2e9, nu: 0.3, density: 1200}\n"
                                               "first_end: free\n"
                                               "last_end: free\n"
                                               "start: {spin: [1, 2, 3]}\n"
                                               "method: gauss-director\n"
                                               "duration: 0.001\n"
                                               "step: 0.001\n";

static const wy_atlas_case section_inertia_cases[] = {
    {"circle", ""},
    {"tube", "section={name: tube, radius: 0.05, wall: 0.02, E: 2e9, nu: 0.3, density: 1200}"},
    {"rectangle", "section={name: rectangle, width: 0.1, height: 0.06, E: 2e9, nu: 0.3, density: 1200}"},
    {"ellipse", "section={name: ellipse, a: 0.05, b: 0.03, E: 2e9, nu: 0.3, density: 1200}"},
    {0}};

static wy_status section_inertia_evaluate(wy_case_run *case_run, wy_error *err) {
    const double pi = WY_PI, rho = 1200.0, L = 0.5, R = 0.05, r = 0.03;
    const double rings = 0.25 * pi * (R * R * R * R - r * r * r * r);
    const double A[4] = {pi * R * R, pi * (R * R - r * r), 0.1 * 0.06, pi * R * r};
    const double I1[4] = {0.25 * pi * R * R * R * R, rings, 0.1 * 0.06 * 0.06 * 0.06 / 12.0, 0.25 * pi * R * r * r * r};
    const double I2[4] = {0.25 * pi * R * R * R * R, rings, 0.06 * 0.1 * 0.1 * 0.1 / 12.0, 0.25 * pi * R * R * R * r};
    const size_t n = case_run->number;
    WY_READ(h, "angular_momentum", -1);
    const double across = rho * A[n] * L * L * L / 3.0;
    wy_check_law(case_run, "about x", h[0], across + rho * I1[n] * L, 0.0, "kg m^2/s; rho A L^3/3 + rho I1 L");
    wy_check_law(case_run, "about y", h[1], 2.0 * (across + rho * I2[n] * L), 0.0, "kg m^2/s; at 2 rad/s");
    wy_check_law(case_run, "about z", h[2], 3.0 * rho * (I1[n] + I2[n]) * L, 0.0,
                 "kg m^2/s; rho (I1 + I2) L at 3 rad/s");
    return WY_OK;
}

const wy_problem wy_problem_section_inertia = {
    .entry = {.name = "section-inertia", .doc = "Angular momentum of a spinning circle, tube, rectangle and ellipse."},
    .group = "flight",
    .source = "closed form",
    .scenario = section_inertia_scenario,
    .levels = {"elements=1", "elements=2", "elements=4"},
    .order = 6.0,
    .cases = section_inertia_cases,
    .evaluate = section_inertia_evaluate,
};
