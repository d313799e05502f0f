/* A bar shaken along itself at its first end, with damping inside, by its mass and by a damper: one complex wave. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char shaken_rod_scenario[] =
    "# A bar with viscosity, mass damping and a damper at its end. `withy modes --shake first:0:0:1 --response 0.1:2` "
    "of this file shakes it.\n"
    "kind: continuation\n"
    "title: a shaken bar\n"
    "length: 1\n"
    "elements: 32\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 20, EI2: 20, GJ: 1, GA1: 1e3, GA2: 1e3, EA: 4, rhoA: 1, rhoI1: 0.05, "
    "rhoI2: 0.05, rhoJ: 0.05}\n"
    "damping: {name: proportional, time: 0.03}\n"
    "mass_damping: 0.7\n"
    "last_end: {name: spring, stiffness: [0, 0, 0, 0, 0, 0], damping: [0, 0, 0, 0, 0, 0.9]}\n"
    "loads:\n"
    "  - {name: distributed-force, density: [0, 0, 0]}\n"
    "parameter: {number: loads.0.density.0, from: 0, to: 1e-9}\n"
    "follow: {branches: 1, points: 1}\n";

/* What holds a bar back that moves along itself, alike from all around, is damping by its mass. */
static const wy_atlas_case shaken_rod_cases[] = {
    {"", ""},
    {"held back by what is around it",
     "mass_damping=0; loads=[{name: distributed-force, density: [0, 0, 0]}, {name: drag, linear: 0.7, angular: 0.3}]"},
    {0}};

typedef struct complex {
    double re, im;
} complex;

static complex times(complex a, complex b) {
    return (complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static complex over(complex a, complex b) {
    const double size = b.re * b.re + b.im * b.im;
    return (complex){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

/* EA (1 + i w tau) u'' + rho A (w^2 - i w alpha) u = 0, u(0) = 1, EA (1 + i w tau) u'(L) = -i w c u(L):
 *   u(L) = 1/(cos k + i w c/(EA (1 + i w tau) k) sin k),   k^2 = rho A (w^2 - i w alpha)/(EA (1 + i w tau)). */
static complex answer_at(double f) {
    const double w = 2.0 * WY_PI * f;
    const complex EA = {4.0, 4.0 * 0.03 * w}, square = over((complex){w * w, -0.7 * w}, EA);
    const double size = sqrt(sqrt(square.re * square.re + square.im * square.im)),
                 angle = 0.5 * wy_atan2(square.im, square.re);
    const complex k = {size * wy_cos(angle), size * wy_sin(angle)};
    const double up = wy_exp(k.im), down = wy_exp(-k.im), C = 0.5 * (up + down), S = 0.5 * (up - down);
    const complex cosine = {wy_cos(k.re) * C, -wy_sin(k.re) * S}, sine = {wy_sin(k.re) * C, wy_cos(k.re) * S};
    const complex more = times(over((complex){0.0, 0.9 * w}, times(EA, k)), sine);
    return over((complex){1.0, 0.0}, (complex){cosine.re + more.re, cosine.im + more.im});
}

static wy_status shaken_rod_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double at[3] = {0.2, 0.5, 1.7};
    static const char *const name[3][2] = {{"0.2 Hz, in phase", "0.2 Hz, behind"},
                                           {"0.5 Hz, in phase", "0.5 Hz, behind"},
                                           {"1.7 Hz, in phase", "1.7 Hz, behind"}};
    const wy_equilibrium_excitation shake = {.end = 0, .direction = {0.0, 0.0, 1.0}, .response_at = 1.0};
    double f, e, damping, answer[6], errors[3], size[3];
    wy_status s = wy_case_damped_frequencies(&f, &e, &damping, 1, case_run, err);
    if (s)
        return s;
    wy_check_value(case_run, "stretches", f, 0.5, 0.0, "Hz, without its damping");
    wy_check_stated_error(case_run, e);
    const double w = WY_PI;
    wy_check_value(case_run, "loses", damping, 0.03 * w * w + 0.7 + 2.0 * 0.9, 0.0,
                   "1/s; tau w^2 + alpha + 2 c/(rho A L)");
    wy_check_stated_error(case_run, e / f * damping); /* the mode's own error */
    for (int i = 0; i < 3; i++) {
        s = wy_case_frequency_response(answer, errors, at[i], &shake, case_run, err);
        if (s)
            return s;
        const complex u = answer_at(at[i]);
        size[i] = sqrt(answer[4] * answer[4] + answer[5] * answer[5]);
        wy_check_value(case_run, name[i][0], answer[4], u.re, 1.0, "of the motion of the first end");
        wy_check_stated_error(case_run, errors[2]);
        wy_check_value(case_run, name[i][1], answer[5], u.im, 1.0, "of the motion of the first end");
        wy_check_stated_error(case_run, errors[2]);
    }
    if (case_run->number > 0)
        return WY_OK;
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The free end", .x_label = "frequency / Hz", .y_label = "amplitude"});
    double x[101], y[101];
    for (int i = 0; i <= 100; i++) {
        const complex u = answer_at(x[i] = 0.02 + 0.02 * i);
        y[i] = sqrt(u.re * u.re + u.im * u.im);
    }
    wy_figure_curve(figure, "closed form", WY_SMOOTH, 101, x, y, NULL);
    wy_figure_errors(figure, "withy", 3, at, size, size, size);
    return WY_OK;
}

const wy_problem wy_problem_shaken_rod = {
    .entry = {.name = "shaken-rod", .doc = "Bar shaken along itself, damped in three ways."},
    .group = "vibrations",
    .source = "one complex wave, closed form",
    .scenario = shaken_rod_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .cases = shaken_rod_cases,
    .evaluate = shaken_rod_evaluate,
};
