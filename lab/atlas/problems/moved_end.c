/* One end is moved and rotated along a path, the other is free: the wave arrives there with twice the amplitude and
 * is reflected. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char moved_end_scenario[] =
    "# The first end is moved to and fro by 0.1 m along the rod within 2 s, and turned by 1 rad about it within 4 s.\n"
    "kind: dynamic\n"
    "title: a moved end\n"
    "length: 1\n"
    "elements: 32\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.2, GA1: 1, GA2: 1, EA: 1, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "first_end:\n"
    "  name: moved\n"
    "  displacement: [0, 0, 0.1]\n"
    "  translation: {name: product, terms: [{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}, "
    "{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}]}\n"
    "  turn: [0, 0, 1]\n"
    "  rotation: {name: product, terms: [{name: sine, amplitude: -0.5, frequency: 0.25, phase: pi/2, offset: 0.5}, "
    "{name: sine, amplitude: -0.5, frequency: 0.25, phase: pi/2, offset: 0.5}]}\n"
    "method: gauss-director\n"
    "duration: 3.5\n"
    "step: 0.00625\n";

/* sin^4(pi t/period) from t = 0 on. */
static double path(double t, double period) {
    const double x = t <= 0.0 ? 0.0 : wy_sin(WY_PI * t / period);
    return x * x * x * x;
}

/* Both waves have the speed 1: f(t - 1) arrives with twice the amplitude and is reflected with the opposite sign at
 * the constrained end. A damper of rho A c, rho J c absorbs it. */
static double arrived(double t, double period, bool swallowed) {
    return swallowed ? path(t - 1.0, period) : 2.0 * (path(t - 1.0, period) - path(t - 3.0, period));
}

static const wy_atlas_case moved_end_cases[] = {
    {"", ""},
    {"path not from 0",
     "first_end.translation={name: sum, terms: [{name: constant, value: 0.7}, "
     "{name: product, terms: [{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}, "
     "{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}]}]}"},
    {"a damper that swallows the waves",
     "last_end={name: spring, stiffness: [0, 0, 0, 0, 0, 0], damping: [0, 0, 0.2, 0, 0, 1]}"},
    {"carried", "first_end={name: carried, x3: {name: product, terms: [{name: constant, value: 0.1}, "
                "{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}, "
                "{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}]}, "
                "r3: {name: product, terms: [{name: sine, amplitude: -0.5, frequency: 0.25, phase: pi/2, offset: 0.5}, "
                "{name: sine, amplitude: -0.5, frequency: 0.25, phase: pi/2, offset: 0.5}]}}"},
    {0}};

static wy_status moved_end_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[3] = {1.5, 2.0, 3.5};
    static const char *const names[3][2] = {
        {"place at 1.5 s", "turn at 1.5 s"}, {"place at 2 s", "turn at 2 s"}, {"place at 3.5 s", "turn at 3.5 s"}};
    const bool swallowed = case_run->number == 2;
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ(tip, "tip", (long)at);
        WY_READ_LAST(q, "orientation", (long)at, 4);
        wy_check_value(case_run, names[i][0], tip[2] - 1.0, 0.1 * arrived(times[i], 2.0, swallowed), 0.2,
                       swallowed ? "m; f(t - 1)" : "m; 2 (f(t - 1) - f(t - 3))");
        wy_check_value(case_run, names[i][1], 2.0 * wy_atan2(q[3], q[0]), arrived(times[i], 4.0, swallowed), 2.0,
                       swallowed ? "rad; f(t - 1)" : "rad; 2 (f(t - 1) - f(t - 3))");
    }
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "The free end", .x_label = "time / s", .y_label = "z / m"});
    wy_case_draw_channel(case_run, figure, case_run->number ? NULL : "withy", WY_LINES, "tip", 2, 1.0, 1.0);
    if (case_run->number)
        return WY_OK;
    double t[15], z[15];
    for (int i = 0; i < 15; i++)
        z[i] = 1.0 + 0.1 * arrived(t[i] = 0.25 * i, 2.0, false);
    wy_figure_errors(figure, "d'Alembert", 15, t, z, z, z);
    return WY_OK;
}

const wy_problem wy_problem_moved_end = {
    .entry = {.name = "moved-end", .doc = "Waves sent out by an end that is moved along a path and turned."},
    .group = "waves and decay",
    .source = "d'Alembert, closed form",
    .scenario = moved_end_scenario,
    .levels = {"elements=8; step=0.025", "elements=16; step=0.0125", "elements=32; step=0.00625"},
    .order = 4.0,
    .cases = moved_end_cases,
    .evaluate = moved_end_evaluate,
};
