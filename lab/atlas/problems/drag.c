/* A free rod falls through something thick, spinning: it reaches its terminal velocity, and its spin dies out. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char drag_scenario[] =
    "# A free rod falls through oil, spinning about its axis.\n"
    "kind: dynamic\n"
    "title: falling with drag\n"
    "length: 0.5\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 1, GA1: 100, GA2: 100, EA: 100, rhoA: 2, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "first_end: free\n"
    "last_end: free\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [-9.81, 0, 0]}\n"
    "  - {name: drag, linear: 3, angular: 0.1}\n"
    "mass_damping: 0\n"
    "start: {spin: [0, 0, 5], velocity: [0, 1, 0]}\n"
    "method: gauss-director\n"
    "duration: 1\n"
    "step: 0.025\n";

static const wy_atlas_case drag_cases[] = {
    {"drag", ""}, {"mass damping", "loads.1.linear=0; loads.1.angular=0; mass_damping=1.5"}, {0}};

static wy_status drag_evaluate(wy_case_run *case_run, wy_error *err) {
    /* both cases: 1.5 per second for the velocity; the spin loses 0.1/0.2 by drag, 1.5 by mass damping */
    const double k = 1.5, g = 9.81, t = 1.0, e = wy_exp(-k * t), spin = 5.0 * wy_exp(-(case_run->number ? k : 0.5) * t);
    WY_READ(tip, "tip", -1);
    WY_READ(P, "linear_momentum", -1);
    WY_READ(v, "velocity", -1);
    wy_check_value(case_run, "fallen", -tip[0], g / k * (t - (1.0 - e) / k), 0.0, "m");
    wy_check_value(case_run, "drifted", tip[1], (1.0 - e) / k, 0.0, "m");
    wy_check_value(case_run, "speed", -P[0], g / k * (1.0 - e), 0.0, "m/s, momentum over 1 kg");
    wy_check_value(case_run, "spin", v[2], spin, 0.0, "rad/s");
    const double fallen = g / k * (t - (1.0 - e) / k), fast = g / k * (1.0 - e),
                 kinetic = 0.5 * (fast * fast + e * e) + 0.5 * 0.1 * spin * spin;
    WY_READ(lost, "dissipated", -1);
    wy_check_value(case_run, "dissipated", lost[0], 0.5 + 0.5 * 0.1 * 25.0 + g * fallen - kinetic, 0.0,
                   "J; what 1 kg has not any more");
    WY_READ(low, "gravity", -1);
    WY_READ(high, "gravity", 0);
    wy_check_value(case_run, "weight", high[0] - low[0], g * fallen, 0.0, "J; what 1 kg of weight has done");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Falling", .x_label = "time / s", .y_label = "x / m"});
    wy_case_draw_channel(case_run, figure, case_run->at->label, case_run->number ? WY_DASHES : WY_LINES, "tip", 0, 1.0,
                         1.0);
    return WY_OK;
}

const wy_problem wy_problem_drag = {
    .entry = {.name = "drag", .doc = "Free rod that falls with drag, and with mass damping, and loses its spin."},
    .group = "waves and decay",
    .source = "closed form: exponentials",
    .scenario = drag_scenario,
    .levels = {"step=0.1", "step=0.05", "step=0.025"},
    .order = 4.0,
    .cases = drag_cases,
    .evaluate = drag_evaluate,
};
