/* A stiff rod thrown into the air: its centre goes along a parabola, its axis precesses about the angular momentum. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char rigid_flight_scenario[] =
    "# A stiff rod thrown with a spin about no axis of its own.\n"
    "kind: dynamic\n"
    "title: a thrown stick\n"
    "length: 1\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1e10, EI2: 1e10, GJ: 1e10, GA1: 1e11, GA2: 1e11, EA: 1e11, rhoA: 3, rhoI1: 0.1, "
    "rhoI2: 0.1, rhoJ: 0.2}\n"
    "first_end: free\n"
    "last_end: free\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [0, -9.81, 0]}\n"
    "start: {spin: [2, 1, 9], velocity: [1, 6, 0.5]}\n"
    "method: gauss-director\n"
    "duration: 1\n"
    "step: 0.00625\n";

static const wy_atlas_case rigid_flight_cases[] = {
    {"", ""},
    {"with two bodies", "elements=5; bodies=[[0.13, 0.7, 0.023, 0.023, 0.031], [0.77, 1.1, 0.03, 0.03, 0.05]]"},
    {0}};

static wy_status rigid_flight_evaluate(wy_case_run *case_run, wy_error *err) {
    /* Symmetric top: A = rho I L + rho A L^3/12 across, C = rho J L along, plus the inertia of the bodies, about the
     * centre of mass at m. h = (A w1, A w2, C w3) at the start, where the axis is e3. */
    const bool more = case_run->number == 1;
    const double m = more ? (3.0 * 0.5 + 0.7 * 0.13 + 1.1 * 0.77) / (3.0 + 0.7 + 1.1) : 0.5;
    const double A = 0.1 + 3.0 / 12.0 + 3.0 * (m - 0.5) * (m - 0.5) +
                     (more ? 0.053 + 0.7 * (m - 0.13) * (m - 0.13) + 1.1 * (m - 0.77) * (m - 0.77) : 0.0),
                 C = 0.2 + (more ? 0.081 : 0.0), w[3] = {2.0, 1.0, 9.0}, t = 1.0;
    const double h[3] = {A * w[0], A * w[1], C * w[2]}, size = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    const double a[3] = {h[0] / size, h[1] / size, h[2] / size}, c = wy_cos(size / A * t), s = wy_sin(size / A * t);
    const double axis[3] = {a[0] * a[2] * (1.0 - c) + a[1] * s, a[1] * a[2] * (1.0 - c) - a[0] * s,
                            c + a[2] * a[2] * (1.0 - c)};
    /* centre: starts at m e3 with the velocity of s = 0 and w x m e3 */
    const double centre[3] = {(1.0 + m * w[1]) * t, (6.0 - m * w[0]) * t - 0.5 * 9.81 * t * t, m + 0.5 * t};
    static const char *const name[3] = {"x of the end", "y of the end", "z of the end"};
    WY_READ(tip, "tip", -1);
    for (int i = 0; i < 3; i++)
        wy_check_value(case_run, name[i], tip[i], centre[i] + (1.0 - m) * axis[i], 1.0, "m after 1 s, of the length");
    WY_READ(first, "position", -1);
    wy_check_value(case_run, "length",
                   sqrt((tip[0] - first[0]) * (tip[0] - first[0]) + (tip[1] - first[1]) * (tip[1] - first[1]) +
                        (tip[2] - first[2]) * (tip[2] - first[2])),
                   1.0, 0.0, "m; stiff: stretched by the spin by less than 1e-9");
    /* The bodies lie on element boundaries; four equal elements lie between them, since an element is at most 1/5 m. */
    if (more) {
        WY_READ(s_of, "arc_length", -1);
        wy_check_law(case_run, "joint between the bodies", s_of[2], 0.13 + (0.77 - 0.13) / 4.0, 1.0, "m");
    }
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The flight", .x_label = "x / m", .y_label = "y / m", .equal = true});
    for (long i = 0; i <= 8; i++)
        wy_case_draw_shape(case_run, figure, NULL, WY_LINES, i * (long)(case_run->count - 1) / 8, 0, 1, -1);
    return WY_OK;
}

const wy_problem wy_problem_rigid_flight = {
    .entry = {.name = "rigid-flight", .doc = "Stiff rod thrown into the air: parabola and precession."},
    .group = "flight",
    .source = "the symmetric top, closed form",
    .scenario = rigid_flight_scenario,
    .levels = {"step=0.025", "step=0.0125", "step=0.00625"},
    .order = 4.0,
    .cases = rigid_flight_cases,
    .evaluate = rigid_flight_evaluate,
};
