/* A clamped rod whose free end is loaded by a program with a force and a moment that are constant in each step, the
 * means of smooth pulses. Waves run along the rod and are reflected: d'Alembert's solution. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char pushed_rod_scenario[] =
    "# A rod on which nothing acts but a program, which pulls it with 0.2 sin^4(pi t/2) N and turns it with 0.1 "
    "sin^4(pi t/2) N m.\n"
    "kind: dynamic\n"
    "title: a rod that is pushed from outside\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.2, GA1: 1, GA2: 1, EA: 1, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "method: gauss-director\n"
    "duration: 3\n"
    "step: 0.0015625\n";

static const wy_atlas_case pushed_rod_cases[] = {
    {"the last end", ""}, {"the first end", "first_end=free; last_end=clamped"}, {0}};

/* Integral of sin^4(pi t/2). */
static double pushed_rod_impulse(double t) {
    const double w = WY_PI;
    return t <= 0.0 ? 0.0 : 0.375 * t - wy_sin(w * t) / (2.0 * w) + wy_sin(2.0 * w * t) / (16.0 * w);
}

/* Both waves have the speed 1; rho A c = 1, rho J c = 0.2. */
static double answer(double t) {
    return pushed_rod_impulse(t) - 2.0 * pushed_rod_impulse(t - 2.0);
}

static wy_status pushed_rod_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[2] = {1.5, 3.0};
    static const char *const names[2][2] = {{"place at 1.5 s", "turn at 1.5 s"},
                                            {"place at 3 s, after one reflection", "turn at 3 s"}};
    static const char *const inputs[2][2] = {{"last_end.push.force.z", "last_end.push.moment.z"},
                                             {"first_end.push.force.z", "first_end.push.moment.z"}};
    const bool first = case_run->number == 1;
    const int half = 240 << case_run->level;
    const double h = 1.5 / half;
    size_t force = 0, moment = 0, nodes = 0;
    wy_march march;
    wy_status s = wy_case_open(&march, case_run, err);
    if (!s)
        s = wy_case_input(&force, &march, inputs[first][0], err);
    if (!s)
        s = wy_case_input(&moment, &march, inputs[first][1], err);
    if (!s)
        wy_case_frame(case_run, "position", 0, &nodes, err);
    nodes /= 3;
    double t[49], z[49], ref[49], displacement[2] = {0.0}, turn[2] = {0.0};
    int drawn = 0;
    for (int n = 0; n < 2 * half && !s; n++) {
        const double mean = (pushed_rod_impulse((n + 1) * h) - pushed_rod_impulse(n * h)) / h;
        *march.inputs[force].value = 0.2 * mean;
        *march.inputs[moment].value = 0.1 * mean;
        s = march.step_external(march.run, n * h, h, err);
        const double *x = NULL, *q = NULL;
        if (!s)
            s = wy_case_now(&x, &march, "position", err);
        if (!s)
            s = wy_case_now(&q, &march, "orientation", err);
        if (s)
            break;
        const size_t j = first ? 0 : nodes - 1;
        const double moved = x[3 * j + 2] - (first ? 0.0 : 1.0);
        if ((n + 1) % half == 0) {
            displacement[(n + 1) / half - 1] = moved;
            turn[(n + 1) / half - 1] = 2.0 * wy_atan2(q[4 * j + 3], q[4 * j]);
        }
        if ((n + 1) % (half / 24) == 0 && drawn < 49) {
            t[drawn] = (n + 1) * h;
            z[drawn] = moved;
            ref[drawn] = 0.2 * answer(t[drawn]);
            drawn++;
        }
    }
    wy_case_close(&march);
    if (s)
        return s;
    for (int i = 0; i < 2; i++) {
        wy_check_value(case_run, names[i][0], displacement[i], 0.2 * answer(times[i]), 0.2,
                       "m; G(t) - 2 G(t - 2 L/c), G the impulse over rho A c");
        wy_check_value(case_run, names[i][1], turn[i], 0.5 * answer(times[i]), 0.5, "rad; the same over rho J c");
    }
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Way of the pushed end", .x_label = "time / s", .y_label = "m"});
    if (figure && !first) {
        wy_figure_curve(figure, "withy", WY_LINES, (size_t)drawn, t, z, NULL);
        wy_figure_errors(figure, "d'Alembert", (size_t)drawn, t, ref, ref, ref);
    }
    return WY_OK;
}

const wy_problem wy_problem_pushed_rod = {
    .entry = {.name = "pushed-rod", .doc = "Waves in a rod whose end a program pushes and turns, step by step."},
    .group = "waves and decay",
    .source = "d'Alembert, closed form",
    .scenario = pushed_rod_scenario,
    .levels = {"elements=4; step=0.00625", "elements=8; step=0.003125", "elements=16; step=0.0015625"},
    .order = 2.0,
    .cases = pushed_rod_cases,
    .evaluate = pushed_rod_evaluate,
};
