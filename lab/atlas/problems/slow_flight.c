/* A stiff stick thrown with a slow spin, by BDF-alpha. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char slow_flight_scenario[] =
    "# A stiff stick thrown with a spin about no axis of its own.\n"
    "kind: dynamic\n"
    "title: a thrown stick by BDF-alpha\n"
    "length: 1\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1e6, EI2: 1e6, GJ: 1e6, GA1: 1e7, GA2: 1e7, EA: 1e7, rhoA: 3, rhoI1: 0.1, "
    "rhoI2: 0.1, rhoJ: 0.2}\n"
    "first_end: free\n"
    "last_end: free\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [0, -9.81, 0]}\n"
    "start: {spin: [0.2, 0.1, 0.6], velocity: [1, 6, 0.5]}\n"
    "method: bdf-alpha\n"
    "duration: 1\n"
    "step: 0.001\n";

static wy_status slow_flight_evaluate(wy_case_run *case_run, wy_error *err) {
    /* as in rigid-flight: A across, C along, h the angular momentum, about which the axis goes round */
    const double A = 0.1 + 3.0 / 12.0, C = 0.2, w[3] = {0.2, 0.1, 0.6}, t = 1.0;
    const double h[3] = {A * w[0], A * w[1], C * w[2]}, size = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    const double a[3] = {h[0] / size, h[1] / size, h[2] / size}, c = wy_cos(size / A * t), s = wy_sin(size / A * t);
    const double axis[3] = {a[0] * a[2] * (1.0 - c) + a[1] * s, a[1] * a[2] * (1.0 - c) - a[0] * s,
                            c + a[2] * a[2] * (1.0 - c)};
    const double centre[3] = {(1.0 + 0.5 * w[1]) * t, (6.0 - 0.5 * w[0]) * t - 0.5 * 9.81 * t * t, 0.5 + 0.5 * t};
    static const char *const name[3] = {"x of the end", "y of the end", "z of the end"};
    WY_READ(tip, "tip", -1);
    for (int i = 0; i < 3; i++)
        wy_check_value(case_run, name[i], tip[i], centre[i] + 0.5 * axis[i], 1.0, "m after 1 s, of the length");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The flight", .x_label = "x / m", .y_label = "y / m", .equal = true});
    for (long i = 0; i <= 8; i++)
        wy_case_draw_shape(case_run, figure, NULL, WY_LINES, i * (long)(case_run->count - 1) / 8, 0, 1, -1);
    return WY_OK;
}

const wy_problem wy_problem_slow_flight = {
    .entry = {.name = "slow-flight", .doc = "Stiff stick thrown into the air, by BDF-alpha."},
    .group = "flight",
    .source = "the symmetric top, closed form",
    .scenario = slow_flight_scenario,
    .levels = {"step=0.004", "step=0.002", "step=0.001"},
    .order = 2.0,
    .evaluate = slow_flight_evaluate,
};
