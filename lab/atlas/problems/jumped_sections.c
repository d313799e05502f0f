/* Sections that jump inside the elements of the scenario, in motion: a wave of twist that is partly reflected at a
 * jump, and a soft hinge in equilibrium. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char jumped_sections_scenario[] =
    "# The first end turns there and back; at s = 0.484 the rod becomes four times as stiff.\n"
    "kind: dynamic\n"
    "title: jumped sections\n"
    "length: 1\n"
    "elements: 32\n"
    "stations: [[0, 1, 1, 0.2, 40, 40, 50, 0.1, 0.1, 0.2, 1],\n"
    "           [0.484, 1, 1, 0.2, 40, 40, 50, 0.1, 0.1, 0.2, 1],\n"
    "           [0.484, 1, 1, 0.8, 40, 40, 50, 0.1, 0.1, 0.2, 1],\n"
    "           [1, 1, 1, 0.8, 40, 40, 50, 0.1, 0.1, 0.2, 1]]\n"
    "first_end:\n"
    "  name: moved\n"
    "  turn: [0, 0, 0.3]\n"
    "  rotation: {name: product, terms: [{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}, "
    "{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}]}\n"
    "start: {equilibrium: false}\n"
    "loads: [{name: gravity, acceleration: [0, 0, 0]}]\n"
    "method: gauss-director\n"
    "duration: 3\n"
    "step: 0.00625\n";

static const wy_atlas_case jumped_sections_cases[] = {
    {"wave", ""},
    {"hinge at rest", "first_end=clamped; loads.0.acceleration=[1e-5, 0, 0]; start.equilibrium=true; duration=0.5; "
                      "stations=[[0, 0.02, 0.02, 0.02, 40, 40, 50, 0.1, 0.1, 0.2, 1],"
                      " [0.005, 0.02, 0.02, 0.02, 40, 40, 50, 0.1, 0.1, 0.2, 1],"
                      " [0.005, 10, 10, 10, 40, 40, 50, 0.1, 0.1, 0.2, 1],"
                      " [1, 10, 10, 10, 40, 40, 50, 0.1, 0.1, 0.2, 1]]"},
    {0},
};

/* theta = p(t - s/c1) + q(t + s/c1) before the jump at a and r(t - (s - a)/c2) + w(t + (s - a)/c2) behind it, with
 * the impedances Z = sqrt(GJ rhoJ) = 0.2 and 0.4: r = T p + R' w, q = R p + T' w at the jump, w what a free end
 * sends back, p + q the turn of the first end. */
static const double jumped_sections_first = 0.484, second = 0.516 / 2.0; /* times of travel, s */

static double forth(double t);

static double back(double t) { /* w at the jump */
    return t <= 2.0 * second ? 0.0 : forth(t - 2.0 * second);
}

static double begun(double t) { /* p at the first end */
    const double f = wy_sin(0.5 * WY_PI * t);
    if (t <= 0.0)
        return 0.0;
    return 0.3 * f * f * f * f + begun(t - 2.0 * jumped_sections_first) / 3.0 -
           4.0 / 3.0 * back(t - jumped_sections_first);
}

static double forth(double t) { /* r at the jump */
    return t <= 0.0 ? 0.0 : 2.0 / 3.0 * begun(t - jumped_sections_first) + back(t) / 3.0;
}

static wy_status jumped_sections_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[3] = {1.0, 2.0, 3.0};
    static const char *const names[3] = {"turn at 1 s", "turn at 2 s", "turn at 3 s"};
    if (case_run->number == 1) {
        const double q = 1e-5, a = 0.005, rest = 0.995 * 0.995 * 0.995 * 0.995;
        WY_READ_LAST(start, "position", 0, 3);
        WY_READ_LAST(end, "position", -1, 3);
        const double tip = q / 8.0 * ((1.0 - rest) / 0.02 + rest / 10.0) + q / 80.0;
        wy_check_value(case_run, "tip", start[0], tip, 0.0,
                       "m; q/8 ((1 - (1-a)^4)/EI1 + (1-a)^4/EI2) + q/(2 GA), a = %g m", a);
        wy_check_law(case_run, "stays", end[0], start[0], tip, "m: it is at rest");
        return WY_OK;
    }
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ_LAST(q, "orientation", (long)at, 4);
        wy_check_value(case_run, names[i], 2.0 * wy_atan2(q[3], q[0]), 2.0 * forth(times[i] - second), 0.3,
                       "rad; the waves that the jump and both ends send on and back");
    }
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Energy", .x_label = "time / s", .y_label = "J"});
    wy_case_draw_channel(case_run, figure, "work of the end", WY_LINES, "work", 0, 1.0, 1.0);
    wy_case_draw_channel(case_run, figure, "strain", WY_LINES, "strain_energy", 0, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_jumped_sections = {
    .entry = {.name = "jumped-sections",
              .doc = "A wave across a jump of the section, and a hinge narrower than an element."},
    .group = "waves and decay",
    .source = "d'Alembert with reflections, Euler and Bernoulli, closed forms",
    .scenario = jumped_sections_scenario,
    .levels = {"elements=8; step=0.025", "elements=16; step=0.0125", "elements=32; step=0.00625"},
    .order = 4.0,
    .cases = jumped_sections_cases,
    .evaluate = jumped_sections_evaluate,
};
