/* A free rod pushed by a force of every shape in time: the momentum it gets is the integral. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char scenario[] =
    "# A free rod pushed by 3 N, let in by a smooth ramp from 0.2 s to 0.8 s.\n"
    "kind: dynamic\n"
    "title: an impulse\n"
    "length: 0.5\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 1, GA1: 100, GA2: 100, EA: 100, rhoA: 2, rhoI1: 0.1, rhoI2: 0.1, rhoJ: 0.2}\n"
    "first_end: free\n"
    "last_end: {name: loaded, force: [0, 0, 3], in_time: {name: ramp, from: 0.2, until: 0.8, smooth: true}}\n"
    "method: gauss-director\n"
    "duration: 1\n"
    "step: 0.025\n";

static const wy_atlas_case cases[] = {
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
    {0}};

static wy_status look(wy_sight *sight, wy_error *err) {
    const double w = 1.4 * WY_PI;
    const double integral[] = {0.3 + 0.2,
                               -0.2 + 0.5 * 0.6 + 2.0 * 0.2,
                               0.5 * 0.6 * 2.0,
                               0.1 + 2.0 * (wy_cos(0.3) - wy_cos(w + 0.3)) / w,
                               0.3 - 1.0,
                               0.2 + 0.0 + 0.2 + 0.6,
                               0.1 * (0.5 * (1.0 + 1.0) + 2.0 - 1.0 + 4.0 + 0.0 + 3.0 + 1.0 - 2.0 + 5.0 + 2.0),
                               0.5 - 1.0 / 3.0,
                               0.5 + 0.25};
    WY_SEE(P, "linear_momentum", -1);
    wy_found(sight, "", P[2], 3.0 * integral[sight->number], 3.0, "kg m/s, of 3 N s");
    wy_figure *figure =
        wy_sight_figure(sight, &(wy_figure){.title = "Momentum", .x_label = "time / s", .y_label = "kg m/s"});
    wy_sight_trace(sight, figure, sight->at->label, WY_LINES, "linear_momentum", 2, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_signals = {
    .entry = {.name = "signals", .doc = "Free rod pushed by a force of every shape in time."},
    .group = "flight",
    .source = "the integral of each signal, closed form",
    .scenario = scenario,
    .levels = {"step=0.1", "step=0.05", "step=0.025"},
    .order = 4.0,
    .cases = cases,
    .look = look,
};
