/* A rod that lies along the crests of waves, free to go with them: it goes as one, by two equations. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char waves_scenario[] =
    "# A free rod of 30 kg/m along e3, up being e1, under waves that run along e2: drag, added mass, "
    "the push of the water.\n"
    "kind: dynamic\n"
    "title: a rod under waves\n"
    "length: 0.5\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 100, EI2: 100, GJ: 100, GA1: 1e4, GA2: 1e4, EA: 1e4, rhoA: 30, rhoI1: 1, "
    "rhoI2: 1, rhoJ: 2, diameter: 0.2}\n"
    "first_end: free\n"
    "last_end: free\n"
    "start: {position: [-0.2, 0.1, 0]}\n"
    "loads:\n"
    "  - {name: sea, density: 1000, added_mass: 0.9, normal: 1.2, up: [1, 0, 0], towards: [0, 1, 0], "
    "velocity: [0, 0.3, 0], waves: [[0.05, 1, 0.4, 0]]}\n"
    "method: gauss-director\n"
    "duration: 1\n"
    "step: 0.0125\n";

static const wy_atlas_case waves_cases[] = {
    {"deep", ""},
    {"shallow, from the right",
     "loads.0.depth=0.45; loads.0.towards=[0, cos(0.3), -sin(0.3)]; loads.0.waves=[[0.03, 1, 0.4, 0.3]]"},
    {"at the surface", "start.position=[-0.03, 0.1, 0]; section.rhoA=3000"},
    {"let in smoothly", "loads.0.waves_in_time={name: ramp, from: 0.2, until: 0.8, smooth: true}"},
    {"a pulse", "loads.0.waves_in_time={name: pulse, from: 0.2, peak: 0.4, until: 0.8, height: 1.5}"},
    {"to and fro", "loads.0.waves_in_time={name: sine, amplitude: 0.8, frequency: 0.7, phase: 0.3, offset: 0.1}"},
    {"a product", "loads.0.waves_in_time={name: product, terms: [{name: line, value: 0.2, rate: 1}, "
                  "{name: line, value: 1.1, rate: -0.7}]}"},
    {"a sheared current", "loads.0.profile=[[-1, 0.2], [-0.5, 0.5], [-0.1, 1.7], [1, 1]]"},
    {"pushed along itself", "last_end={name: loaded, force: [0, 0, 5]}"},
    {0}};

/* What the waves are multiplied by, and its rate. */
static void grown(double *f, double *rate, size_t number, double t) {
    const double x = (t - 0.2) / 0.6, w = 1.4 * WY_PI;
    *f = 1.0;
    *rate = 0.0;
    if (number == 3 && x < 1.0) {
        *f = x < 0.0 ? 0.0 : x * x * (3.0 - 2.0 * x);
        *rate = x < 0.0 ? 0.0 : 6.0 * x * (1.0 - x) / 0.6;
    } else if (number == 4) {
        *f = t < 0.2 || t > 0.8 ? 0.0 : t < 0.4 ? 7.5 * (t - 0.2) : 3.75 * (0.8 - t);
        *rate = t < 0.2 || t > 0.8 ? 0.0 : t < 0.4 ? 7.5 : -3.75;
    } else if (number == 5) {
        *f = 0.1 + 0.8 * wy_sin(w * t + 0.3);
        *rate = 0.8 * w * wy_cos(w * t + 0.3);
    } else if (number == 6) {
        *f = (0.2 + t) * (1.1 - 0.7 * t);
        *rate = (1.1 - 0.7 * t) - 0.7 * (0.2 + t);
    }
}

typedef struct sea {
    size_t number;
    double k, middle; /* wave number; of the piece of time that is marched through */
} sea;

static double dispersion(double k, const void *context) {
    const double omega = 2.0 * WY_PI, y = k * *(const double *)context;
    return 9.80665 * k * (wy_exp(y) - wy_exp(-y)) / (wy_exp(y) + wy_exp(-y)) - omega * omega;
}

/* y = (height, way along the waves, and their rates). */
static void waves_field(double *dy, double t, const double *y, const void *context) {
    const sea *s = context;
    const double omega = 2.0 * WY_PI, k = s->k, z = y[0], rho = 1000.0, d = 0.2, Ca = 0.9, A = 0.25 * WY_PI * d * d,
                 amplitude = s->number == 1 ? 0.03 : 0.05;
    double f, rate, high = wy_exp(k * z), deep = high;
    grown(&f, &rate, s->number, fmin(fmax(t, s->middle - 0.0999999), s->middle + 0.0999999));
    if (s->number == 1) { /* cosh and sinh k(z + h), over sinh kh */
        const double h = 0.45, whole = wy_exp(k * h) - wy_exp(-k * h);
        high = (wy_exp(k * (z + h)) - wy_exp(-k * (z + h))) / whole;
        deep = (wy_exp(k * (z + h)) + wy_exp(-k * (z + h))) / whole;
    }
    const double phase = k * y[1] - omega * t + 0.4, U = amplitude * omega, sine = wy_sin(phase),
                 cosine = wy_cos(phase), up = U * high * sine, along = U * deep * cosine,
                 wet = s->number == 2 ? 0.5 - (z - f * amplitude * cosine) / d : 1.0,
                 mass = s->number == 2 ? 3000.0 : 30.0,
                 current = 0.3 * (s->number == 7 ? 0.5 + 1.2 * (z + 0.5) / 0.4 : 1.0);
    const double a[2] = {-f * omega * U * high * cosine + rate * up, f * omega * U * deep * sine + rate * along},
                 u[2] = {y[2] - f * up, y[3] - f * along - current}, size = sqrt(u[0] * u[0] + u[1] * u[1]);
    for (int i = 0; i < 2; i++) {
        dy[i] = y[2 + i];
        dy[2 + i] =
            wet * (rho * A * (1.0 + Ca) * a[i] - 0.5 * rho * 1.2 * d * size * u[i]) / (mass + wet * rho * A * Ca);
    }
}

static wy_status waves_evaluate(wy_case_run *case_run, wy_error *err) {
    const size_t number = case_run->number;
    const double depth = 0.45;
    sea s = {number, 4.0 * WY_PI * WY_PI / 9.80665, 0.0};
    if (number == 1)
        s.k = wy_atlas_root(dispersion, &depth, 1.0, 20.0);
    double y[4] = {number == 2 ? -0.03 : -0.2, 0.1, 0.0, 0.0};
    const double start[2] = {y[0], y[1]};
    for (int i = 0; i < 5; i++) { /* signals have their kinks between these */
        s.middle = 0.1 + 0.2 * i;
        wy_atlas_march(y, 4, waves_field, &s, 0.2 * i, 0.2 * (i + 1));
    }
    WY_READ_LAST(tip, "position", -1, 3);
    wy_check_value(case_run, "up", tip[0] - start[0], y[0] - start[0], 0.0, "m after 1 s");
    wy_check_value(case_run, "along", tip[1] - start[1], y[1] - start[1], 0.0, "m after 1 s");
    if (number == 8) {
        WY_READ(P, "linear_momentum", -1);
        wy_check_value(case_run, "momentum", P[2], 5.0, 0.0, "kg m/s after 5 N s: no water goes along");
    }
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Height", .x_label = "time / s", .y_label = "m"});
    if (number != 2) /* another height, and it hardly moves */
        wy_case_draw_channel(case_run, figure, case_run->at->label, WY_LINES, "tip", 0, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_waves = {
    .entry = {.name = "waves", .doc = "Free rod carried by waves of the sea that grow in many ways."},
    .group = "flight",
    .source = "linear (Airy) waves and Morison's force on a body, marched by extrapolation (Gragg), here, to 1e-13",
    .scenario = waves_scenario,
    .levels = {"step=0.05", "step=0.025", "step=0.0125"},
    .order = 4.0,
    .cases = waves_cases,
    .evaluate = waves_evaluate,
};
