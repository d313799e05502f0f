/* A soft rod spins about an axis across it through its middle. It stretches, and internal damping brings it to
 * equilibrium in the rotating frame.
 *
 * There EA x'' + rho A W^2 x = 0, x' = 1 at the ends: x = sin(b s)/(b cos(b L/2)), b = W sqrt(rho A/EA). W follows
 * from the angular momentum, which the internal damping does not change. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char spinning_rod_scenario[] =
    "# A soft rod spinning across its middle, with damping inside.\n"
    "kind: dynamic\n"
    "title: a spinning soft rod\n"
    "length: 1\n"
    "elements: 8\n"
    "section: {name: rigidities, EI1: 20, EI2: 20, GJ: 20, GA1: 40, GA2: 40, EA: 50, rhoA: 1, rhoI1: 0.01, "
    "rhoI2: 0.01, rhoJ: 0.02}\n"
    "first_end: free\n"
    "last_end: free\n"
    "damping: {name: proportional, time: 0.05}\n"
    "start: {spin: [4, 0, 0], velocity: [0, 2, 0]}\n"
    "method: gauss-director\n"
    "duration: 6\n"
    "step: 0.0125\n"
    "every: 16\n";

/* Angular momentum at the speed W less that of the start, 4 (1/12 + 0.01). */
static double spinning_rod_misses(double W, const void *unused) {
    (void)unused;
    const double b = W / sqrt(50.0), c = wy_cos(0.5 * b);
    const double squares = (0.5 - wy_sin(b) / (2.0 * b)) / (b * b * c * c);
    return W * (squares + 0.01) - 4.0 * (1.0 / 12.0 + 0.01);
}

static wy_status spinning_rod_evaluate(wy_case_run *case_run, wy_error *err) {
    const double W = wy_atlas_root(spinning_rod_misses, NULL, 2.0, 4.1), b = W / sqrt(50.0),
                 radius = wy_tan(0.5 * b) / b;
    WY_READ(tip, "tip", -1);
    WY_READ(first, "position", -1);
    WY_READ(v, "velocity", -1);
    double d[3] = {tip[0] - first[0], tip[1] - first[1], tip[2] - first[2]};
    wy_check_value(case_run, "length", sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), 2.0 * radius, 0.0,
                   "m; 2 tan(b L/2)/b");
    wy_check_value(case_run, "speed", v[0], W, 0.0, "rad/s");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Energy of stretching", .x_label = "time / s", .y_label = "strain energy / J"});
    wy_case_draw_channel(case_run, figure, "withy", WY_LINES, "strain_energy", 0, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_spinning_rod = {
    .entry = {.name = "spinning-rod", .doc = "Soft rod spinning across its middle: how long it becomes."},
    .group = "flight",
    .source = "closed form, the speed from the angular momentum",
    .scenario = spinning_rod_scenario,
    .levels = {"elements=2; step=0.05; every=4", "elements=4; step=0.025; every=8",
               "elements=8; step=0.0125; every=16"},
    .order = 4.0,
    .evaluate = spinning_rod_evaluate,
};
