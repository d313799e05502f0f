/* A rod is drawn at a constant rate, uniformly from the start, while the pulled end starts to rotate impulsively.
 * The run subdivides its steps while the front passes. Twist and stretch are uncoupled: the force is EA a t along
 * the whole rod at time t after the start, and the recorded force of a step is its mean, EA a (t - h/2). The moments
 * of both ends give the angular momentum, sum h (M_0 + M_1) = H, step by step, apart from the first step, in which
 * the node of the end itself is accelerated.
 *
 * A bar with viscosity is stopped in flight by its clamp: until the wave from the other end arrives, the force there
 * is
 *
 *   sqrt(EA rho A) v (erf sqrt(t/tau) + sqrt(tau/(pi t)) exp(-t/tau)),
 *
 * recorded as the mean over a step, apart from the first step, in which elements are longer than the front. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char struck_rod_scenario[] =
    "# A rod drawn out evenly by 0.3 m/s, whose end is set turning by 0.4 rad/s with a jerk.\n"
    "kind: dynamic\n"
    "title: a rod struck at its end\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.2, GA1: 10, GA2: 10, EA: 5, rhoA: 1, rhoI1: 0.1, rhoI2: 0.1, "
    "rhoJ: 0.2}\n"
    "last_end: {name: moved, displacement: [0, 0, 0.3], translation: {name: line, rate: 1}, turn: [0, 0, 0.4], "
    "rotation: {name: line, rate: 1}}\n"
    "start: {velocities: [[0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0.3, 0, 0, 0]]}\n"
    "method: gauss-director\n"
    "duration: 0.25\n"
    "step: 0.0125\n";

static const wy_atlas_case struck_rod_cases[] = {
    {"", ""},
    {"dissipative stages", "method={name: gauss-director, dissipative: true}"},
    {"stopped bar",
     "last_end=free; section.EA=4; start={velocity: [0, 0, 0.1]}; damping={name: proportional, time: 0.01}; "
     "elements=32; step=0.05; duration=0.4"},
    {0}};

static double bell(double x, const void *unused) {
    (void)unused;
    return wy_exp(-x * x);
}

/* The force of the clamp at the time t, over that without viscosity. */
static double front(double t, const void *tau) {
    const double x = sqrt(t / *(const double *)tau), root = sqrt(WY_PI);
    return 2.0 / root * wy_atlas_integral(bell, NULL, 0.0, x, 16) + wy_exp(-x * x) / (root * x);
}

static wy_status stopped(wy_case_run *case_run, wy_error *err) {
    const double h = 0.05, tau = 0.01, c = sqrt(4.0 * 1.0);
    double most = 0.0;
    for (long n = 2; n <= 8; n++) {
        WY_READ(w, "wrench", n);
        most = fmax(most,
                    fabs(w[5] / (c * 0.1) - wy_atlas_integral(front, &tau, (double)(n - 1) * h, (double)n * h, 8) / h));
    }
    wy_check_printed(
        case_run, "force near the clamp", most, 0.0, 2e-3,
        "largest distance from the closed form, of sqrt(EA rho A) v; to what a front leaves in such steps");
    return WY_OK;
}

static wy_status struck_rod_evaluate(wy_case_run *case_run, wy_error *err) {
    if (case_run->number == 2)
        return stopped(case_run, err);
    const double a = 0.3, EA = 5.0, h = 0.05 / (double)(1 << case_run->level), t = 0.25 - 0.5 * h;
    const int steps = 5 << case_run->level;
    wy_march march;
    size_t force[2], moment[2];
    wy_status s = wy_case_open(&march, case_run, err);
    if (!s)
        s = wy_case_output(&force[0], &march, "first_end.force.z", err);
    if (!s)
        s = wy_case_output(&force[1], &march, "last_end.force.z", err);
    if (!s)
        s = wy_case_output(&moment[0], &march, "first_end.moment.z", err);
    if (!s)
        s = wy_case_output(&moment[1], &march, "last_end.moment.z", err);
    const double *H = NULL;
    double before = 0.0, after = 0.0, given = 0.0, held[2] = {0.0, 0.0};
    for (int n = 0; n < steps && !s; n++) {
        s = march.step_external(march.run, n * h, h, err);
        if (!s)
            s = wy_case_now(&H, &march, "angular_momentum", err);
        if (s)
            break;
        after = H[2];
        if (n == 0)
            before = after;
        for (int e = 0; e < 2; e++) {
            given += n > 0 ? h * *march.outputs[moment[e]].value : 0.0;
            held[e] = *march.outputs[force[e]].value;
        }
    }
    wy_case_close(&march);
    if (s)
        return s;
    WY_READ(w, "wrench", -1);
    WY_READ_LAST(v, "wrench", -1, 6);
    wy_check_value(case_run, "force near the first end", w[5] - EA * a * (t - 0.25), EA * a * 0.25, 0.0,
                   "N, mean over the last step; shifted to its end");
    wy_check_value(case_run, "force near the last end", v[5] - EA * a * (t - 0.25), EA * a * 0.25, 0.0,
                   "N, mean over the last step; shifted to its end");
    wy_check_value(case_run, "force of the first end", held[0] + EA * a * (t - 0.25), -EA * a * 0.25, 0.0,
                   "N, mean over the last step; shifted to its end");
    wy_check_value(case_run, "force of the last end", held[1] - EA * a * (t - 0.25), EA * a * 0.25, 0.0,
                   "N, mean over the last step; shifted to its end");
    wy_check_law(case_run, "impulse of both ends", given, after - before, 0.02,
                 "N m s about the axis since the first step: angular momentum");
    wy_show_value(case_run, "its mean moment", given / (0.25 - h), 0.4 * 0.2,
                  "N m; sqrt(GJ rhoJ) times the rate, of a front");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Force inside", .x_label = "time / s", .y_label = "N"});
    wy_case_draw_channel(case_run, figure, case_run->number ? NULL : "withy", WY_LINES, "wrench", 5, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_struck_rod = {
    .entry = {.name = "struck-rod",
              .doc = "Rod drawn out evenly whose end is set turning with a jerk: steps in parts."},
    .group = "waves and decay",
    .source = "closed form: uniform strain; conservation of angular momentum",
    .scenario = struck_rod_scenario,
    .levels = {"elements=4; step=0.05", "elements=8; step=0.025", "elements=16; step=0.0125"},
    .order = 4.0,
    .cases = struck_rod_cases,
    .evaluate = struck_rod_evaluate,
};
