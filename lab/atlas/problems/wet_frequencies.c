/* A cantilever that stands in water: what the water adds is mass across it, where it is wet. And ends that slide. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char wet_frequencies_scenario[] =
    "# A cantilever under water that takes 0.8 of its mass along across the rod. `withy modes` of this file prints "
    "the frequencies.\n"
    "kind: continuation\n"
    "title: a cantilever under water\n"
    "length: 1\n"
    "elements: 48\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 1, EI2: 100, GJ: 100, GA1: 1e4, GA2: 1e4, EA: 25, rhoA: 1, rhoI1: 1e-4, "
    "rhoI2: 1e-4, rhoJ: 1e-3}\n"
    "loads:\n"
    "  - {name: distributed-force, density: [0, 0, 0]}\n"
    "  - {name: sea, density: 3200/pi, diameter: 0.05, added_mass: 0.4, normal: 0, surface: 10}\n"
    "parameter: {number: loads.0.density.0, from: 0, to: 1e-9}\n"
    "follow: {branches: 1, points: 1}\n";

#define SLIDES "loads.1.added_mass=0; last_end={name: held, rotations: [1, 1, 1], translations: "

static const wy_atlas_case wet_frequencies_cases[] = {
    {"under water", "loads.1.density=1280/pi; loads.1.added_mass=1"},
    {"to 0.4 of its length", "loads.1.surface=0.4; loads.1.added_mass=1"},
    {"and in the bed", "loads.1.surface=0.8; loads.1.added_mass=1; loads.1.depth=0.25"},
    {"dry, the end slides across", SLIDES "[1, 0, 1]}"},
    {"dry, the end slides along", SLIDES "[1, 1, 0]}"},
    {0}};

/* Timoshenko's beam swinging with omega, y = (w, theta, M, V), from the clamp on. */
typedef struct beam {
    size_t number;
    double omega, middle;
} beam;

static double wet_fraction(size_t number, double s) {
    const double d = 0.05,
                 surface = number == 0   ? 10.0
                           : number == 1 ? 0.4
                                         : 0.8,
                 a = fmin(fmax(0.5 - (s - surface) / d, 0.0), 1.0),
                 b = number == 2 ? fmin(fmax(2.0 + (s - surface + 0.25) / d, 0.0), 1.0) : 1.0;
    return number > 2 ? 0.0 : a * b;
}

static void wet_frequencies_field(double *dy, double s, const double *y, const void *context) {
    const beam *b = context;
    const double water = b->number == 0 ? 0.8 : 2.0;
    dy[0] = y[1] + y[3] / 1e4;
    dy[1] = y[2];
    dy[2] = -y[3] - 1e-4 * b->omega * b->omega * y[1];
    dy[3] = -(1.0 + water * wet_fraction(b->number, s)) * b->omega * b->omega * y[0];
}

/* Free: M = V = 0; sliding across: theta = V = 0; along: w = theta = 0. */
static double condition(double f, const void *context) {
    static const double at[] = {0.0, 0.375, 0.425, 0.45, 0.5, 0.775, 0.825, 1.0}; /* kinks of what is wet */
    const size_t number = *(const size_t *)context;
    const beam b = {.number = number, .omega = 2.0 * WY_PI * f};
    double u[4] = {0.0, 0.0, 1.0, 0.0}, v[4] = {0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < 7; i++) {
        wy_atlas_march(u, 4, wet_frequencies_field, &b, at[i], at[i + 1]);
        wy_atlas_march(v, 4, wet_frequencies_field, &b, at[i], at[i + 1]);
    }
    return number == 3   ? u[1] * v[3] - u[3] * v[1]
           : number == 4 ? u[0] * v[1] - u[1] * v[0]
                         : u[2] * v[3] - u[3] * v[2];
}

static wy_status wet_frequencies_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double within[5][2] = {{0.3, 0.55}, {0.4, 0.56}, {0.2, 0.56}, {0.8, 1.0}, {3.0, 4.0}};
    const size_t number = case_run->number;
    double f[2], e[2];
    const wy_status s = wy_case_frequencies(f, e, 2, case_run, err);
    if (s)
        return s;
    const double bends = wy_atlas_root(condition, &number, within[number][0], within[number][1]);
    /* in the last case stretch is the lower of the two: the end slides along, and stretches as a free one does */
    wy_check_value(case_run, "bends", f[number == 4], bends, 0.0, "Hz");
    wy_check_stated_error(case_run, e[number == 4]);
    const double stretches = number == 3 ? 2.5 : 1.25; /* both ends held along, or one */
    wy_check_value(case_run, "stretches", f[number != 4], stretches, 0.0,
                   "Hz; sqrt(EA/rhoA)/(4 L), no water moves along");
    wy_check_stated_error(case_run, e[number != 4]);
    return WY_OK;
}

const wy_problem wy_problem_wet_frequencies = {
    .entry = {.name = "wet-frequencies", .doc = "Frequencies of a cantilever in water, and with an end that slides."},
    .group = "vibrations",
    .source = "Timoshenko's beam marched by extrapolation (Gragg), here, to 1e-13; d'Alembert for stretch",
    .scenario = wet_frequencies_scenario,
    .levels = {"elements=12", "elements=24", "elements=48"},
    .order = 6.0,
    .cases = wet_frequencies_cases,
    .evaluate = wet_frequencies_evaluate,
};
