/* The cantilever with a dead force across its tip: the elastica of the textbooks. */
#include <math.h>
#include <stdio.h>

#include <withy/elliptic.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char elastica_tip_force_scenario[] =
    "# A thin cantilever, a dead force across its tip: P L^2/EI from 0 to 10.\n"
    "kind: static\n"
    "title: elastica, dead force at the tip\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e12, GA2: 1e12, EA: 1e12}\n"
    "last_end: {name: loaded, force: [1, 0, 0]}\n"
    "sweep: {number: last_end.force.0, from: 0, to: 10, frames: 11}\n";

/* sqrt(alpha) = K(k) - F(phi0, k), sin phi0 = 1/(k sqrt 2): the modulus that belongs to alpha = P L^2/EI. */
static double phi0(double k) {
    return wy_asin(fmin(1.0, 1.0 / (k * sqrt(2.0))));
}

static double elastica_tip_force_misses(double k, const void *alpha) {
    return wy_elliptic_K(k) - wy_elliptic_F(phi0(k), k) - sqrt(*(const double *)alpha);
}

static wy_status elastica_tip_force_evaluate(wy_case_run *case_run, wy_error *err) {
    static const int loads[4] = {1, 2, 5, 10};
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "P L^2/EI from 0 to 10", .x_label = "z / L", .y_label = "x / L", .equal = true});
    for (long i = 0; i <= 10; i++)
        wy_case_draw_shape(case_run, figure, i == 10 ? "withy" : NULL, i == 10 ? WY_SMOOTH : WY_FAINT, i, 2, 0, -1);
    double exact[2][4];
    for (int i = 0; i < 4; i++) {
        const double alpha = loads[i],
                     k = wy_atlas_root(elastica_tip_force_misses, &alpha, sqrt(0.5) + 1e-15, 1.0 - 1e-12);
        const double w = 1.0 - 2.0 * (wy_elliptic_E(k) - wy_elliptic_E_incomplete(phi0(k), k)) / sqrt(alpha);
        const double z = 2.0 * k * wy_cos(phi0(k)) / sqrt(alpha);
        char name[64];
        exact[0][i] = z;
        exact[1][i] = w;
        WY_READ_LAST(tip, "position", loads[i], 3);
        snprintf(name, sizeof name, "P L^2/EI = %d: across", loads[i]);
        wy_check_value(case_run, name, tip[0], w, 0.0, "w/L");
        snprintf(name, sizeof name, "P L^2/EI = %d: along", loads[i]);
        wy_check_value(case_run, name, 1.0 - tip[2], 1.0 - z, 0.0, "u/L");
    }
    wy_figure_errors(figure, "closed form, P L^2/EI = 1, 2, 5, 10", 4, exact[0], exact[1], exact[1], exact[1]);
    return WY_OK;
}

const wy_problem wy_problem_elastica_tip_force = {
    .entry = {.name = "elastica-tip-force", .doc = "Thin cantilever with a dead force across its tip."},
    .group = "statics",
    .source = "Bisshopp and Drucker 1945: elliptic integrals, computed here to round-off",
    .scenario = elastica_tip_force_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .evaluate = elastica_tip_force_evaluate,
};
