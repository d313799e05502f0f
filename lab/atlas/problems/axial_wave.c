/* A clamped rod is pulled at its free end by a smooth pulse of force: waves run along it and are reflected. Stretch
 * is linear in this model at any amplitude, so d'Alembert's solution is exact. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char axial_wave_scenario[] =
    "# A rod of wave speed 1 m/s, pulled at its free end by 0.2 sin^4(pi t/2) N.\n"
    "kind: dynamic\n"
    "title: waves of stretch\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 1, GA1: 1, GA2: 1, EA: 1, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "last_end:\n"
    "  name: loaded\n"
    "  force: [0, 0, 0.2]\n"
    "  in_time: {name: product, terms: [{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}, "
    "{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}]}\n"
    "method: gauss-director\n"
    "duration: 4.5\n"
    "step: 0.0125\n";

/* Integral of sin^4(pi t/2). */
static double axial_wave_impulse(double t) {
    const double w = WY_PI;
    return t <= 0.0 ? 0.0 : 0.375 * t - wy_sin(w * t) / (2.0 * w) + wy_sin(2.0 * w * t) / (16.0 * w);
}

static double tip_at(double t) {
    return 0.2 * (axial_wave_impulse(t) - 2.0 * axial_wave_impulse(t - 2.0) + 2.0 * axial_wave_impulse(t - 4.0));
}

static wy_status axial_wave_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[3] = {1.5, 3.0, 4.5};
    static const char *const names[3] = {"tip at 1.5 s", "tip at 3 s, after one reflection",
                                         "tip at 4.5 s, after three"};
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ(tip, "tip", (long)at);
        wy_check_value(case_run, names[i], tip[2] - 1.0, tip_at(times[i]), 0.2,
                       "m; G(t) - 2 G(t - 2 L/c) + ..., G the impulse over rho A c");
    }
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The end of the rod", .x_label = "time / s", .y_label = "z / m"});
    wy_case_draw_channel(case_run, figure, "withy", WY_LINES, "tip", 2, 1.0, 1.0);
    double t[19], z[19];
    for (int i = 0; i < 19; i++)
        z[i] = 1.0 + tip_at(t[i] = 0.25 * i);
    wy_figure_errors(figure, "d'Alembert", 19, t, z, z, z);
    return WY_OK;
}

const wy_problem wy_problem_axial_wave = {
    .entry = {.name = "axial-wave", .doc = "Waves of stretch in a rod that is pulled at its end."},
    .group = "waves and decay",
    .source = "d'Alembert, closed form",
    .scenario = axial_wave_scenario,
    .levels = {"elements=4; step=0.05", "elements=8; step=0.025", "elements=16; step=0.0125"},
    .order = 4.0,
    .evaluate = axial_wave_evaluate,
};
