/* The same with twist: a moment at the end that comes and goes smoothly. Twist is linear in this model, at any size. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char torsional_wave_scenario[] =
    "# A rod of torsional wave speed 2 m/s, turned at its free end by 0.6 sin^4(pi t) N m.\n"
    "kind: dynamic\n"
    "title: waves of twist\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 5, EI2: 5, GJ: 0.8, GA1: 50, GA2: 50, EA: 90, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "last_end:\n"
    "  name: loaded\n"
    "  moment: [0, 0, 0.6]\n"
    "  in_time: {name: product, terms: [{name: sine, amplitude: -0.5, frequency: 1, phase: pi/2, offset: 0.5}, "
    "{name: sine, amplitude: -0.5, frequency: 1, phase: pi/2, offset: 0.5}]}\n"
    "method: gauss-director\n"
    "duration: 2.25\n"
    "step: 0.00625\n";

/* Integral of sin^4(pi t). */
static double torsional_wave_impulse(double t) {
    const double w = 2.0 * WY_PI;
    return t <= 0.0 ? 0.0 : 0.375 * t - wy_sin(w * t) / (2.0 * w) + wy_sin(2.0 * w * t) / (16.0 * w);
}

/* rho J c = 0.4 */
static double turn_at(double t) {
    return 0.6 / 0.4 *
           (torsional_wave_impulse(t) - 2.0 * torsional_wave_impulse(t - 1.0) + 2.0 * torsional_wave_impulse(t - 2.0));
}

static wy_status torsional_wave_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[3] = {0.75, 1.5, 2.25};
    static const char *const names[3] = {"turn at 0.75 s", "turn at 1.5 s, after one reflection",
                                         "turn at 2.25 s, after three"};
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ_LAST(q, "orientation", (long)at, 4);
        wy_check_value(case_run, names[i], 2.0 * wy_atan2(q[3], q[0]), turn_at(times[i]), 0.5625,
                       "rad, of the largest turn; G(t) - 2 G(t - 2 L/c) + ...");
    }
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Turn of the end", .x_label = "time / s", .y_label = "sine of half the turn"});
    double t[46], y[46], z[46];
    for (size_t i = 0; i < 46 && figure; i++) {
        const size_t at = i * (case_run->count - 1) / 45;
        WY_READ_LAST(q, "orientation", (long)at, 4);
        WY_READ(time, "time", (long)at);
        t[i] = time[0];
        y[i] = q[0] < 0.0 ? -q[3] : q[3];
        z[i] = wy_sin(0.5 * turn_at(time[0]));
    }
    if (figure) {
        wy_figure_curve(figure, "withy", WY_LINES, 46, t, y, NULL);
        wy_figure_errors(figure, "d'Alembert", 46, t, z, z, z);
    }
    return WY_OK;
}

const wy_problem wy_problem_torsional_wave = {
    .entry = {.name = "torsional-wave", .doc = "Waves of twist in a rod that is turned at its end."},
    .group = "waves and decay",
    .source = "d'Alembert, closed form",
    .scenario = torsional_wave_scenario,
    .levels = {"elements=4; step=0.025", "elements=8; step=0.0125", "elements=16; step=0.00625"},
    .order = 4.0,
    .evaluate = torsional_wave_evaluate,
};
