/* A steel line in the sea between two horizontal clamps, at equilibrium. The elements are many times longer than the
 * bending layers at the clamps, lambda = sqrt(EI/T). The layers move the ends of the elastic catenary: with theta
 * its slope at the end, by 2 lambda (1 - cos(theta/2)) along it and 2 lambda sin(theta/2) across it, because
 * lambda^2 delta'' = sin delta in the layer. The rest is of the order of lambda/R, with R the radius of the catenary
 * there. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char flat_cable_scenario[] =
    "# A line of 1 km over 950 m, let go from an arc; its clamps are turned flat within 10 s.\n"
    "kind: dynamic\n"
    "title: a line between flat clamps\n"
    "length: 1000\n"
    "elements: 40\n"
    "section: {name: circle, radius: 0.038, E: 200e9, nu: 0.3, density: 7850}\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [0, 9.81*cos(0.551695), 9.81*sin(0.551695)]}\n"
    "  - {name: drag, linear: 20}\n"
    "start: {shape: {name: constant, strain: [2*0.551695/1000, 0, 0, 0, 0, 1]}}\n"
    "first_end: {name: moved, turn: [0.551695, 0, 0], rotation: {name: ramp, until: 10, high: 1, smooth: true}}\n"
    "last_end: {name: moved, turn: [-0.551695, 0, 0], rotation: {name: ramp, until: 10, high: 1, smooth: true}}\n"
    "method: gauss-director\n"
    "estimate: false\n"
    "duration: 60\n"
    "step: 0.2\n"
    "every: 300\n";

static const double flat_cable_L = 1000.0, a = 0.551695; /* half the angle of the arc of 1 km over 950 m */

typedef struct hang {
    double x, sag; /* of an end from the middle */
} hang;

static hang hangs(double H) {
    const double area = WY_PI * 0.038 * 0.038, EA = 200e9 * area, EI = 0.25 * EA * 0.038 * 0.038;
    const double w = 7850.0 * area * 9.81, V = 0.5 * w * flat_cable_L, T = sqrt(H * H + V * V), slope = wy_atan2(V, H);
    const double layer = sqrt(EI / T), along = 2.0 * layer * (1.0 - wy_cos(0.5 * slope)),
                 across = 2.0 * layer * wy_sin(0.5 * slope), r = V / H, asinh_r = wy_log(r + sqrt(1.0 + r * r));
    return (hang){H / w * asinh_r + 0.5 * H * flat_cable_L / EA - wy_cos(slope) * along + wy_sin(slope) * across,
                  (T - H) / w + 0.125 * w * flat_cable_L * flat_cable_L / EA - wy_sin(slope) * along -
                      wy_cos(slope) * across};
}

static double flat_cable_misses(double H, const void *half) {
    return hangs(H).x - *(const double *)half;
}

static wy_status flat_cable_evaluate(wy_case_run *case_run, wy_error *err) {
    const double half = 0.5 * flat_cable_L * wy_sin(a) / a, H = wy_atlas_root(flat_cable_misses, &half, 5e4, 5e5);
    size_t size;
    const double *x = wy_case_frame(case_run, "position", -1, &size, err);
    if (!x)
        return err->status;
    const size_t middle = 3 * ((size / 3) / 2);
    const double sag = x[middle + 1] * wy_cos(a) + x[middle + 2] * wy_sin(a);
    wy_check_printed(case_run, "sag", sag, hangs(H).sag, 1.0,
                     "m; to a thousandth of the length: layers of %.2g m in elements of %.3g m",
                     sqrt(200e9 * 0.25 * WY_PI * 0.038 * 0.038 * 0.038 * 0.038 / H),
                     flat_cable_L / (double)(size / 3 - 1));
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The line", .x_label = "z / m", .y_label = "y / m", .equal = true});
    wy_case_draw_shape(case_run, figure, "at the start", WY_LINES, 0, 2, 1, -1);
    wy_case_draw_shape(case_run, figure, "at rest", WY_LINES, -1, 2, 1, -1);
    return WY_OK;
}

const wy_problem wy_problem_flat_cable = {
    .entry = {.name = "flat-cable",
              .doc = "Line of steel between clamps turned flat, in elements much longer than its bending layers."},
    .group = "waves and decay",
    .source = "elastic catenary with bending layers at its ends (matched asymptotics), computed here",
    .scenario = flat_cable_scenario,
    .levels = {"elements=10", "elements=20", "elements=40"},
    .order = 2.0,
    .evaluate = flat_cable_evaluate,
};
