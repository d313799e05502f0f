/* BDF-alpha in steps of several lengths, as a program takes them: a stiff free rod against the closed form of the
 * top, and a rod that rotates about its own axis, whose rotation follows the formula of the method (chapter 10,
 * "BDF-alpha") and whose length does not change. With z = exp(i phi), f = i w z, m the mean rate over the last step,
 * and x the ratio of this step to the last one,
 *
 *   z+ = exp(i atan(a h w)) b/|b|,   b = z + h (theta (f + x (m - f)) - a d1 f);
 *
 * the first step has two stages, z+ = exp(i atan(g h w)) b/|b|, b = z + (1 - g) h i w exp(i atan(g h w)) z. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char uneven_steps_scenario[] =
    "# A stiff stick thrown with a spin about no axis of its own.\n"
    "kind: dynamic\n"
    "title: steps of several lengths by BDF-alpha\n"
    "length: 1\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1e6, EI2: 1e6, GJ: 1e6, GA1: 1e7, GA2: 1e7, EA: 1e7, rhoA: 3, rhoI1: 0.1, "
    "rhoI2: 0.1, rhoJ: 0.2}\n"
    "first_end: free\n"
    "last_end: free\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [0, -9.81, 0]}\n"
    "start: {spin: [0.2, 0.1, 0.6], velocity: [1, 6, 0.5]}\n"
    "method: bdf-alpha\n"
    "duration: 1\n"
    "step: 0.001\n";

#define ALPHA -0.1

static const wy_atlas_case uneven_steps_cases[] = {
    {"stick", ""},
    {"spindle",
     "loads=[]; start={spin: [0, 0, 0.9]}; method={name: bdf-alpha, alpha: -0.1}; "
     "section={name: rigidities, EI1: 1, EI2: 1, GJ: 1, GA1: 10, GA2: 10, EA: 10, rhoA: 3, rhoI1: 0.1, rhoI2: 0.1, "
     "rhoJ: 0.2}"},
    {0}};

enum { PATTERN = 5 };
static const double uneven_steps_lengths[PATTERN] = {1.0, 1.5, 0.8, 1.1, 0.6};

/* The place of the stick's last end, as in slow-flight. */
static void thrown(double tip[3], double t) {
    const double A = 0.1 + 3.0 / 12.0, C = 0.2, w[3] = {0.2, 0.1, 0.6};
    const double h[3] = {A * w[0], A * w[1], C * w[2]}, size = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    const double a[3] = {h[0] / size, h[1] / size, h[2] / size}, c = wy_cos(size / A * t), s = wy_sin(size / A * t);
    tip[0] = (1.0 + 0.5 * w[1]) * t + 0.5 * (a[0] * a[2] * (1.0 - c) + a[1] * s);
    tip[1] = (6.0 - 0.5 * w[0]) * t - 0.5 * 9.81 * t * t + 0.5 * (a[1] * a[2] * (1.0 - c) - a[0] * s);
    tip[2] = 0.5 + 0.5 * t + 0.5 * (c + a[2] * a[2] * (1.0 - c));
}

/* The formula of the method for a turn about a fixed axis, step by step. */
typedef struct spindle {
    double z[2], m[2], last;
} spindle;

static void turned(double z[2], double angle) {
    double s, c;
    wy_sincos(angle, &s, &c);
    const double x = z[0] * c - z[1] * s;
    z[1] = z[0] * s + z[1] * c;
    z[0] = x;
}

static void turn_on(spindle *k, double w, double h) {
    const double g = 1.0 - sqrt(0.5), theta = (0.5 + ALPHA) / (1.5 + ALPHA), a = (1.0 + ALPHA) / (1.5 + ALPHA),
                 d1 = ALPHA / (1.0 + ALPHA);
    const double f[2] = {-w * k->z[1], w * k->z[0]};
    double b[2];
    if (k->last > 0.0) {
        const double x = h / k->last;
        for (int i = 0; i < 2; i++)
            b[i] = k->z[i] + h * (theta * (f[i] + x * (k->m[i] - f[i])) - a * d1 * f[i]);
    } else {
        double first[2] = {k->z[0], k->z[1]};
        turned(first, wy_atan(g * h * w));
        b[0] = k->z[0] - (1.0 - g) * h * w * first[1];
        b[1] = k->z[1] + (1.0 - g) * h * w * first[0];
    }
    const double size = sqrt(b[0] * b[0] + b[1] * b[1]);
    b[0] /= size;
    b[1] /= size;
    turned(b, wy_atan((k->last > 0.0 ? a : g) * h * w));
    for (int i = 0; i < 2; i++) {
        k->m[i] = (b[i] - k->z[i]) / h;
        k->z[i] = b[i];
    }
    k->last = h;
}

static wy_status uneven_steps_evaluate(wy_case_run *case_run, wy_error *err) {
    const int count = 250 << case_run->level;
    const double h = 1.0 / count, w = 0.9;
    spindle k = {.z = {1.0, 0.0}};
    double t = 0.0, off = 0.0, turn = 0.0, tip[3] = {0.0}, end[3];
    wy_march march;
    wy_status s = wy_case_open(&march, case_run, err);
    for (int n = 0; n < count && !s; n++) {
        const double dt = uneven_steps_lengths[n % PATTERN] * h, *x = NULL, *q = NULL;
        s = march.step_external(march.run, t, dt, err);
        t += dt;
        if (!s)
            s = wy_case_now(&x, &march, "tip", err);
        if (!s)
            s = wy_case_now(&q, &march, "orientation", err);
        if (s)
            break;
        for (int i = 0; i < 3; i++)
            tip[i] = x[i];
        turn_on(&k, w, dt);
        turn = 2.0 * wy_atan2(q[3], q[0]);
        off = fmax(off, fabs(turn - wy_atan2(k.z[1], k.z[0])));
    }
    wy_case_close(&march);
    if (s)
        return s;
    if (case_run->number == 1) {
        wy_check_law(case_run, "largest distance from the formula", off, 0.0, 1.0, "rad, of its turn");
        wy_check_law(case_run, "length", tip[2], 1.0, 0.0, "m; nothing pulls it");
        wy_check_value(case_run, "turn", turn, w, 0.0, "rad after 1 s");
        return WY_OK;
    }
    static const char *const name[3] = {"x of the end", "y of the end", "z of the end"};
    thrown(end, 1.0);
    for (int i = 0; i < 3; i++)
        wy_check_value(case_run, name[i], tip[i], end[i], 1.0, "m after 1 s, of the length");
    return WY_OK;
}

const wy_problem wy_problem_uneven_steps = {
    .entry = {.name = "uneven-steps", .doc = "BDF-alpha in steps of several lengths: a stick in flight, a spindle."},
    .group = "flight",
    .source = "the symmetric top, closed form; the method's formula for a turn about a fixed axis",
    .scenario = uneven_steps_scenario,
    .levels = {"step=0.004", "step=0.002", "step=0.001"},
    .order = 2.0,
    .cases = uneven_steps_cases,
    .evaluate = uneven_steps_evaluate,
};
