/* A cantilever under a tension so large that it bends only near its clamp, with a small force across its tip: with l
 * = sqrt(EI/T),
 *
 *   y(L) = F/T (L - l tanh(L/l)),   moment of the clamp F l tanh(L/l).
 *
 * The mesh is fine in the bending layer: elements in proportion to 0.01 + 0.99 s/L have the boundaries s_j =
 * (100^(j/N) - 1)/99 L. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char taut_cantilever_scenario[] =
    "# A cantilever pulled by 10 kN and pushed across by a millinewton: it bends in its first centimetres.\n"
    "kind: static\n"
    "title: a taut cantilever\n"
    "length: 1\n"
    "elements: 32\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 1, GA1: 1e13, GA2: 1e13, EA: 1e13}\n"
    "last_end: {name: loaded, force: [1e-3, 0, 1e4]}\n"
    "mesh: [[0, 0.01], [1, 1]]\n";

static wy_status taut_cantilever_evaluate(wy_case_run *case_run, wy_error *err) {
    const double T = 1e4, F = 1e-3, l = 0.01, e = wy_exp(-2.0 / l), tanh_L = (1.0 - e) / (1.0 + e);
    WY_READ_LAST(tip, "position", 0, 3);
    WY_READ(M, "left_moment", 0);
    wy_check_value(case_run, "tip", tip[0], F / T * (1.0 - l * tanh_L) + F / 1e13, 0.0,
                   "m across; F/T (L - l tanh(L/l)) + F L/GA");
    wy_check_value(case_run, "moment of the clamp", M[1], F * l * tanh_L, 0.0, "N m; F l tanh(L/l)");
    size_t size;
    const double *s = wy_case_frame(case_run, "arc_length", 0, &size, err);
    if (!s)
        return err->status;
    wy_check_law(case_run, "node in the middle", s[size / 2], 9.0 / 99.0, 1.0, "m; (100^(1/2) - 1)/99 L");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The first tenth bends", .x_label = "z / m", .y_label = "x / m"});
    wy_case_draw_shape(case_run, figure, NULL, WY_LINES, 0, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_taut_cantilever = {
    .entry = {.name = "taut-cantilever",
              .doc = "Taut cantilever that bends near its clamp only, on a mesh that is fine there."},
    .group = "statics",
    .source = "closed form: the beam's equation with tension",
    .scenario = taut_cantilever_scenario,
    .levels = {"elements=8", "elements=16", "elements=32"},
    .order = 6.0,
    .evaluate = taut_cantilever_evaluate,
};
