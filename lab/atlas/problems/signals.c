/* A free rod pushed by a force of every shape in time: the momentum it gets is the integral. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char signals_scenario[] =
    "# A free rod pushed by 3 N, let in by a smooth ramp from 0.2 s to 0.8 s.\n"
    "kind: dynamic\n"
    "title: an impulse\n"
    "length: 0.5\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 1, GA1: 100, GA2: 100, EA: 100, rhoA: 2, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "first_end: free\n"
    "last_end: {name: loaded, force: [0, 0, 3], in_time: {name: ramp, from: 0.2, until: 0.8, smooth: true}}\n"
    "method: gauss-director\n"
    "duration: 1\n"
    "step: 0.025\n";

static const wy_atlas_case signals_cases[] = {
    {"smooth ramp", ""},
    {"ramp", "last_end.in_time={name: ramp, from: 0.2, until: 0.8, low: -1, high: 2}"},
    {"pulse", "last_end.in_time={name: pulse, from: 0.2, peak: 0.4, until: 0.8, height: 2}"},
    {"sine", "last_end.in_time={name: sine, amplitude: 2, frequency: 0.7, phase: 0.3, offset: 0.1}"},
    {"line", "last_end.in_time={name: line, value: 0.3, rate: -2}"},
    {"samples", "last_end.in_time={name: sampled, values: [[0.2, 1], [0.4, -1], [0.6, 3], [1, 0]]}"},
    {"many samples",
     "last_end.in_time={name: sampled, values: [[0, 1], [0.1, 2], [0.2, -1], [0.3, 4], [0.4, 0], [0.5, 3], [0.6, 1], "
     "[0.7, -2], [0.8, 5], [0.9, 2], [1, 1]]}"},
    {"product", "last_end.in_time={name: product, terms: [{name: line, rate: 1}, {name: line, value: 1, rate: -1}]}"},
    {"sum", "last_end.in_time={name: sum, terms: [{name: line, rate: 1}, {name: constant, value: 0.25}]}"},
    {"chirp", "last_end.in_time={name: chirp, duration: 0.8, low: 0.5, high: 2.5, amplitude: 2, phase: 0.3}"},
    {"smooth samples",
     "last_end.in_time={name: smooth, values: [[0, 0], [0.1, 0.0001], [0.2, 0.0016], [0.3, 0.0081], [0.4, 0.0256], "
     "[0.5, 0.0625], "
     "[0.6, 0.1296], [0.7, 0.2401], [0.8, 0.4096], [0.9, 0.6561], [1, 1]]}"},
    {"many samples in a moment",
     "duration=0.01; step=2.5e-4; last_end.in_time={name: sampled, values: [[0, 1], [0.001, 2], [0.002, -1], "
     "[0.003, 4], [0.004, 0], "
     "[0.005, 3], [0.006, 1], [0.007, -2], [0.008, 5], [0.009, 2], [0.01, 1]]}"},
    {"guided aslant",
     "last_end={name: held, translations: [1, 1, 0], rotations: [1, 1, 1], frame: [cos(0.2), 0, sin(0.2), 0], "
     "force: [1, 0, 3], "
     "in_time: {name: sine, amplitude: 2, frequency: 0.7, phase: 0.3, offset: 0.1}}"},
    {"on a part of the rod",
     "last_end=free; loads=[{name: distributed-force, density: [0, 0, 3], from: 0.13, until: 0.41}]"},
    {"on a part, graded mesh",
     "last_end=free; mesh=[[0, 1], [0.5, 3]]; loads=[{name: distributed-force, density: [0, 0, 3], "
     "from: 0.13, until: 0.41}]"},
    {0}};

static double chirp(double t, const void *unused) {
    (void)unused;
    const double turns = t < 0.8 ? 0.5 * t + 1.25 * t * t : 0.4 + 0.8 + 2.5 * (t - 0.8);
    return 2.0 * wy_sin(2.0 * WY_PI * turns + 0.3);
}

static wy_status signals_evaluate(wy_case_run *case_run, wy_error *err) {
    const double w = 1.4 * WY_PI;
    /* t^4 up to 0.9, then the polynomial of degree 5 that ends at rest */
    const double smooth_end = 0.1 * (0.5 * 1.6561 + 0.1 * 2.916 / 10.0 + 0.01 * 9.72 / 120.0);
    const double integral[] = {0.3 + 0.2,
                               -0.2 + 0.5 * 0.6 + 2.0 * 0.2,
                               0.5 * 0.6 * 2.0,
                               0.1 + 2.0 * (wy_cos(0.3) - wy_cos(w + 0.3)) / w,
                               0.3 - 1.0,
                               0.2 + 0.0 + 0.2 + 0.6,
                               0.1 * (0.5 * (1.0 + 1.0) + 2.0 - 1.0 + 4.0 + 0.0 + 3.0 + 1.0 - 2.0 + 5.0 + 2.0),
                               0.5 - 1.0 / 3.0,
                               0.5 + 0.25,
                               wy_atlas_integral(chirp, NULL, 0.0, 0.8, 20) +
                                   wy_atlas_integral(chirp, NULL, 0.8, 1.0, 10),
                               0.2 * 0.59049 + smooth_end,
                               0.001 * (0.5 * (1.0 + 1.0) + 2.0 - 1.0 + 4.0 + 0.0 + 3.0 + 1.0 - 2.0 + 5.0 + 2.0),
                               0.1 + 2.0 * (wy_cos(0.3) - wy_cos(w + 0.3)) / w,
                               0.41 - 0.13,
                               0.41 - 0.13};
    WY_READ(P, "linear_momentum", -1);
    const int number = (int)case_run->number;
    if (number == 12) { /* only what pulls along the guide */
        const double sine = wy_sin(0.4), cosine = wy_cos(0.4);
        wy_check_value(case_run, "", sine * P[0] + cosine * P[2], (sine + 3.0 * cosine) * integral[number], 3.0,
                       "kg m/s along the guide");
    } else {
        wy_check_value(case_run, "", P[2], 3.0 * integral[number], number == 11 ? 0.03 : 3.0, "kg m/s, of 3 N s");
    }
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Momentum", .x_label = "time / s", .y_label = "kg m/s"});
    if (number != 11)
        wy_case_draw_channel(case_run, figure, case_run->at->label, WY_LINES, "linear_momentum", 2, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_signals = {
    .entry = {.name = "signals", .doc = "Free rod pushed by a force of every shape in time."},
    .group = "flight",
    .source = "the integral of each signal, closed form",
    .scenario = signals_scenario,
    .levels = {"step=0.1", "step=0.05", "step=0.025"},
    .order = 4.0,
    .cases = signals_cases,
    .evaluate = signals_evaluate,
};
