/* A rod with `accuracy` instead of elements and steps: the stated error against the true error. The waves of stretch
 * are those of axial-wave, for which d'Alembert's solution is exact. The error is that of the free end: root mean
 * square over time, relative to the length. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char accuracy_scenario[] =
    "# A rod of wave speed 1 m/s, pulled at its free end by 0.2 sin^4(pi t/2) N, asked for an error of 1e-4.\n"
    "kind: dynamic\n"
    "title: an accuracy that is asked for\n"
    "length: 1\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 1, GA1: 1, GA2: 1, EA: 1, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "last_end:\n"
    "  name: loaded\n"
    "  force: [0, 0, 0.2]\n"
    "  in_time: {name: product, terms: [{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}, "
    "{name: sine, amplitude: -0.5, frequency: 0.5, phase: pi/2, offset: 0.5}]}\n"
    "duration: 4.5\n"
    "accuracy: 1e-4\n";

/* Integral of sin^4(pi t/2). */
static double accuracy_impulse(double t) {
    const double w = WY_PI;
    return t <= 0.0 ? 0.0 : 0.375 * t - wy_sin(w * t) / (2.0 * w) + wy_sin(2.0 * w * t) / (16.0 * w);
}

static double accuracy_displacement(double t) {
    return 0.2 * (accuracy_impulse(t) - 2.0 * accuracy_impulse(t - 2.0) + 2.0 * accuracy_impulse(t - 4.0));
}

static wy_status accuracy_evaluate(wy_case_run *case_run, wy_error *err) {
    const double asked = 4e-4 / (double)(1 << case_run->level);
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_motion_definition d;
    wy_motion_accuracy chosen;
    wy_motion_definition_init(&d);
    d.rod = *wy_scenario_rod(case_run->scenario);
    const wy_status s = wy_motion_for_accuracy(&chosen, &d, asked, 4.5, arena, NULL, err);
    wy_arena_free(arena);
    if (s)
        return s;
    WY_READ(t, "time", 0);
    WY_READ(tip, "tip", 0);
    double sum = 0.0;
    for (size_t n = 0; n < case_run->count; n++) {
        const double off = tip[3 * n + 2] - 1.0 - accuracy_displacement(t[n]);
        sum += off * off / (double)case_run->count;
    }
    const double error = sqrt(sum), two = wy_log(2.0);
    wy_check_printed(case_run, "true error over the one that is told", wy_log(error / chosen.estimate) / two, 0.0, 2.0,
                     "powers of 2; true %.3g, told %.3g, asked for %.3g", error, chosen.estimate, asked);
    wy_check_printed(case_run, "true error beyond the one that is asked for", fmax(0.0, wy_log(error / asked) / two),
                     0.0, 1.0, "powers of 2");
    return WY_OK;
}

const wy_problem wy_problem_accuracy = {
    .entry = {.name = "accuracy", .doc = "A rod asked for an accuracy: the error that it tells against its true one."},
    .group = "waves and decay",
    .source = "d'Alembert, closed form",
    .scenario = accuracy_scenario,
    .levels = {"accuracy=4e-4", "accuracy=2e-4", "accuracy=1e-4"},
    .order = 1.0,
    .evaluate = accuracy_evaluate,
};
