/* A rod wound up evenly and let go, with damping inside: a sum of modes, each dying at its own rate. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char torsional_decay_scenario[] =
    "# A rod wound up by 0.8 rad and let go; V = tau K with tau = 0.2 s.\n"
    "kind: dynamic\n"
    "title: decay of twist\n"
    "length: 1\n"
    "elements: 8\n"
    "section: {name: rigidities, EI1: 5, EI2: 5, GJ: 0.8, GA1: 50, GA2: 50, EA: 90, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "damping: {name: proportional, time: 0.2}\n"
    "start: {shape: {name: constant, strain: [0, 0, 0.8, 0, 0, 1]}}\n"
    "method: {name: gauss-director, dissipative: true}\n"
    "duration: 3\n"
    "step: 0.0125\n";

/* theta(L, t) = sum 8 k L/((2n-1) pi)^2 q_n(t), q'' + tau w^2 q' + w^2 q = 0, q = 1, q' = 0, w = (2n-1) pi c/(2 L),
 * c = 2. */
static double turn_at(double t) {
    double sum = 0.0, left = 1.0; /* the fastest modes creep back together, as e^{-t/tau} */
    for (int n = 1; n <= 4000; n++) {
        const double m = (2.0 * n - 1.0) * WY_PI, w = m, d = 0.1 * w * w, r2 = w * w - d * d;
        double q;
        if (r2 > 0.0) {
            const double r = sqrt(r2);
            q = wy_exp(-d * t) * (wy_cos(r * t) + d / r * wy_sin(r * t));
        } else { /* (a e^{-b t} - b e^{-a t})/(a - b) with a + b = 2 d, a b = w^2 */
            const double r = sqrt(-r2), a = d + r, b = w * w / a;
            q = (a * wy_exp(-b * t) - b * wy_exp(-a * t)) / (a - b);
        }
        sum += 8.0 * 0.8 / (m * m) * q;
        left -= 8.0 / (m * m);
    }
    return sum + 0.8 * left * wy_exp(-t / 0.2);
}

static wy_status torsional_decay_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[3] = {0.5, 1.0, 3.0};
    static const char *const names[3] = {"turn at 0.5 s", "turn at 1 s", "turn at 3 s"};
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ_LAST(q, "orientation", (long)at, 4);
        wy_check_value(case_run, names[i], 2.0 * wy_atan2(q[3], q[0]), turn_at(times[i]), 0.8,
                       "rad, of the 0.8 at the start");
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

const wy_problem wy_problem_torsional_decay = {
    .entry = {.name = "torsional-decay", .doc = "Wound-up rod let go, with damping inside."},
    .group = "waves and decay",
    .source = "Fourier: the sum of all modes",
    .scenario = torsional_decay_scenario,
    .levels = {"elements=2; step=0.05", "elements=4; step=0.025", "elements=8; step=0.0125"},
    .order = 4.0,
    .evaluate = torsional_decay_evaluate,
};
