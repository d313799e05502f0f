/* A helix deformed into another helix: Kirchhoff's exact solution for a spring at any size of deformation.
 *
 * Unstressed curvature (0, k0, t0), stressed (0, k, t), both constant. M = (0, B (k - k0), C (t - t0)) and P = F (0,
 * k, t)/w, w^2 = k^2 + t^2, are in equilibrium, M x kappa + P x e3 = 0, if F = w (C (t - t0) k - B (k - k0) t)/k. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

/* B = 1, C = 0.7; from (0, 12, 4) to (0, 9, 8). */
static const char helix_wrench_scenario[] =
    "# A helix of curvature 12 and torsion 4 per metre, drawn out to one of 9 and 8 by the wrench that Kirchhoff's "
    "theory asks for.\n"
    "kind: static\n"
    "title: a helix drawn out\n"
    "length: 1\n"
    "elements: 96\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e12, GA2: 1e12, EA: 1e12}\n"
    "reference: {name: constant, strain: [0, 12, 4, 0, 0, 1]}\n"
    "last_end:\n"
    "  name: loaded\n"
    "  following: true\n"
    "  moment: [0, 9-12, 0.7*(8-4)]\n"
    "  force: [0, 9*(0.7*(8-4)*9-(9-12)*8)/9, 8*(0.7*(8-4)*9-(9-12)*8)/9]\n";

static wy_status helix_wrench_evaluate(wy_case_run *case_run, wy_error *err) {
    static const char *const name[3] = {"x of the tip", "y of the tip", "z of the tip"};
    const double k = 9.0, t = 8.0, L = 1.0, w = sqrt(k * k + t * t), a[3] = {0.0, k / w, t / w};
    const double c = a[2], sine = wy_sin(w * L) / w, versed = (1.0 - wy_cos(w * L)) / w;
    /* x = a (a.e3) L + (e3 - a (a.e3)) sin(w L)/w + (a x e3) (1 - cos(w L))/w */
    const double exact[3] = {a[1] * versed, a[1] * c * L - a[1] * c * sine, c * c * L + (1.0 - c * c) * sine};
    WY_READ_LAST(tip, "position", -1, 3);
    for (int i = 0; i < 3; i++)
        wy_check_value(case_run, name[i], tip[i], exact[i], L, "m, of the length");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "A helix drawn out",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .space = true,
                                                              .equal = true});
    wy_case_draw_shape(case_run, figure, "withy", WY_SMOOTH, -1, 0, 1, 2);
    wy_figure_curve(figure, "closed form", WY_POINTS, 1, &exact[0], &exact[1], &exact[2]);
    return WY_OK;
}

const wy_problem wy_problem_helix_wrench = {
    .entry = {.name = "helix-wrench", .doc = "Helical spring drawn out far, by the wrench that keeps it a helix."},
    .group = "statics",
    .source = "Kirchhoff's helix, closed form (Love, art. 270)",
    .scenario = helix_wrench_scenario,
    .levels = {"elements=24", "elements=48", "elements=96"},
    .order = 6.0,
    .evaluate = helix_wrench_evaluate,
};
