/* Thin strips pushed together between clamps: the first two loads at which they buckle, about either axis, with
 * shear and extension. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char thin_strips_scenario[] =
    "# A strip of spring steel between clamps that are moved together: where does it buckle?\n"
    "kind: continuation\n"
    "title: thin strips\n"
    "length: 0.3\n"
    "elements: 32\n"
    "tolerance: 0\n"
    "section: {name: rectangle, width: 0.001, height: 0.02, E: 206e9, nu: 0.3, density: 7850}\n"
    "last_end: {name: coaxial, shortening: 0}\n"
    "parameter: {number: last_end.shortening, from: 0, to: 0.3}\n"
    "follow: {branches: 1, negative: 2}\n";

static const double thin_strips_thick[] = {1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3};

#define STRIP(t)                                                              \
    {t " mm, soft along d1", "section.width=" t "e-3"}, {                     \
        t " mm, soft along d2", "section.width=0.02; section.height=" t "e-3" \
    }
static const wy_atlas_case thin_strips_cases[] = {STRIP("0.1"), STRIP("0.2"), STRIP("0.5"), STRIP("1"),
                                                  STRIP("2"),   STRIP("5"),   {0}};

typedef struct strip {
    double L, EI, GA, EA;
} strip;

/* Between clamps, theta = A (cos k s - cos k L/2) from the middle, v' = (1 - F/EA + F/GA) theta + V/GA, V = F A cos
 * k L/2; v is zero at the clamps. */
static double antisymmetric(double F, const void *context) {
    const strip *c = context;
    const double kappa = 1.0 - F / c->EA + F / c->GA, h = 0.5 * c->L * sqrt(F * kappa / c->EI);
    return wy_sin(h) - h * wy_cos(h) * (1.0 - F / (c->GA * kappa));
}

static wy_status thin_strips_evaluate(wy_case_run *case_run, wy_error *err) {
    const double t = thin_strips_thick[case_run->number / 2], E = 206e9, nu = 0.3, A = 0.02 * t;
    const strip c = {.L = 0.3,
                     .EI = E * A * t * t / 12.0,
                     .GA = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu) * E / (2.0 * (1.0 + nu)) * A,
                     .EA = E * A};
    const double b = 1.0 / c.GA - 1.0 / c.EA, unit = c.EI / (c.L * c.L), euler = 4.0 * WY_PI * WY_PI * unit,
                 loads[2] = {(sqrt(1.0 + 4.0 * b * euler) - 1.0) / (2.0 * b),
                             wy_atlas_root(antisymmetric, &c, 70.0 * unit, 85.0 * unit)};
    static const char *const names[] = {"first buckling load", "second buckling load"},
                             *const notes[] = {"N; symmetric: k L = 2 pi, F (1 + (1/GA - 1/EA) F) = k^2 EI",
                                               "N; antisymmetric, tan(k L/2) next to k L/2"};
    for (int k = 0; k < 2; k++) {
        size_t at;
        const wy_status s = wy_case_branch_point(&at, case_run, k + 1, err);
        if (s)
            return s;
        WY_READ(F, "thrust", (long)at);
        wy_check_value(case_run, names[k], F[0], loads[k], 0.0, "%s", notes[k]);
    }
    return WY_OK;
}

const wy_problem wy_problem_thin_strips = {
    .entry = {.name = "thin-strips", .doc = "Strips of 0.1 to 5 mm pushed together: their first two buckling loads."},
    .group = "stability",
    .source = "Euler 1744, with shear and extension (Reissner's beam), closed form",
    .scenario = thin_strips_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .cases = thin_strips_cases,
    .evaluate = thin_strips_evaluate,
};
