/* A pulse shorter than any step: a torque acts on the free end for less than a millisecond. The reference is the
 * modal response to a triangle in time, the sum of three ramps. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char short_pulse_scenario[] =
    "# A moment of up to 400 N m from 0.3003 s until 0.3011 s; V = tau K with tau = 0.02 s.\n"
    "kind: dynamic\n"
    "title: a blow\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 5, EI2: 5, GJ: 0.8, GA1: 50, GA2: 50, EA: 90, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "damping: {name: proportional, time: 0.02}\n"
    "last_end: {name: loaded, moment: [0, 0, 400], in_time: {name: pulse, from: 0.3003, peak: 0.3006, until: 0.3011}}\n"
    "method: {name: gauss-director, dissipative: true}\n"
    "duration: 3\n"
    "step: 0.003125\n";

/* q'' + 2 d q' + w^2 q = t from rest, d = tau w^2/2. */
static double ramp(double w, double d, double t) {
    if (!(t > 0.0))
        return 0.0;
    const double w2 = w * w, A = 2.0 * d / (w2 * w2), r2 = w2 - d * d;
    if (r2 > 0.0) {
        const double r = sqrt(r2), B = (d * A - 1.0 / w2) / r;
        return t / w2 - A + wy_exp(-d * t) * (A * wy_cos(r * t) + B * wy_sin(r * t));
    }
    const double r = sqrt(-r2), a = d + r, b = w2 / a, C = (1.0 / w2 - b * A) / (a - b);
    return t / w2 - A + C * wy_exp(-a * t) + (A - C) * wy_exp(-b * t);
}

/* theta(L, t) = sum 2/(rho J L) q_n(t), w = (2n - 1) pi c/(2 L), c = 2. */
static double turn_at(double t) {
    const double from = 0.3003, peak = 0.3006, until = 0.3011, up = 400.0 / (peak - from),
                 down = 400.0 / (until - peak);
    double sum = 0.0;
    for (int n = 1; n <= 2000; n++) { /* the fastest modes creep back, as e^{-t/tau} */
        const double w = (2.0 * n - 1.0) * WY_PI, d = 0.01 * w * w;
        sum += 10.0 * (up * ramp(w, d, t - from) - (up + down) * ramp(w, d, t - peak) + down * ramp(w, d, t - until));
    }
    return sum;
}

static wy_status short_pulse_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[3] = {1.0, 2.0, 3.0};
    static const char *const names[3] = {"turn at 1 s", "turn at 2 s", "turn at 3 s"};
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ_LAST(q, "orientation", (long)at, 4);
        wy_check_value(case_run, names[i], 2.0 * wy_atan2(q[3], q[0]), turn_at(times[i]), 0.5,
                       "rad, of the 0.5 at most");
    }
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Turn of the end", .x_label = "time / s", .y_label = "turn / rad"});
    double t[31], y[31], z[31];
    for (size_t i = 0; i < 31 && figure; i++) {
        const size_t at = i * (case_run->count - 1) / 30;
        WY_READ_LAST(q, "orientation", (long)at, 4);
        WY_READ(time, "time", (long)at);
        t[i] = time[0];
        y[i] = 2.0 * wy_atan2(q[3], q[0]);
        z[i] = turn_at(time[0]);
    }
    if (figure) {
        wy_figure_curve(figure, "withy", WY_LINES, 31, t, y, NULL);
        wy_figure_errors(figure, "sum of modes", 31, t, z, z, z);
    }
    return WY_OK;
}

const wy_problem wy_problem_short_pulse = {
    .entry = {.name = "short-pulse", .doc = "A blow shorter than a step on the end of a rod."},
    .group = "waves and decay",
    .source = "the answer of each mode to a triangle in time",
    .scenario = short_pulse_scenario,
    .levels = {"elements=4; step=0.0125", "elements=8; step=0.00625", "elements=16; step=0.003125"},
    .order = 3.0,
    .evaluate = short_pulse_evaluate,
};
