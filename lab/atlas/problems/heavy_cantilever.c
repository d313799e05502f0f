/* A thin cantilever that sags under its own weight: level at the clamp, hanging at the tip. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char heavy_cantilever_scenario[] =
    "# A thin cantilever under its own weight, q L^3/EI = 20.\n"
    "kind: static\n"
    "title: a heavy cantilever\n"
    "length: 1\n"
    "elements: 24\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e12, GA2: 1e12, EA: 1e12, rhoA: 2}\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [-10, 0, 0]}\n";

static const wy_atlas_case heavy_cantilever_cases[] = {{"q L^3/EI = 2", "loads.0.acceleration=[-1, 0, 0]"},
                                                       {"q L^3/EI = 20", ""},
                                                       {"q L^3/EI = 100", "loads.0.acceleration=[-50, 0, 0]"},
                                                       {0}};

/* From the tip, u = L - s: theta'' = -q u cos theta. y = (theta, theta', z, x), z and x from the tip. */
static void heavy_cantilever_field(double *dy, double u, const double *y, const void *q) {
    dy[0] = y[1];
    dy[1] = -*(const double *)q * u * wy_cos(y[0]);
    dy[2] = wy_cos(y[0]);
    dy[3] = wy_sin(y[0]);
}

static void rod(double y[4], double slope, const double *q) {
    y[0] = slope;
    y[1] = y[2] = y[3] = 0.0;
    wy_atlas_march(y, 4, heavy_cantilever_field, q, 0.0, 1.0);
}

static double heavy_cantilever_level(double slope, const void *q) {
    double y[4];
    rod(y, slope, q);
    return y[0];
}

static wy_status heavy_cantilever_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double loads[3] = {2.0, 20.0, 100.0};
    const double *q = &loads[case_run->number];
    double y[4];
    rod(y, wy_atlas_root(heavy_cantilever_level, q, 1e-3, 0.5 * WY_PI), q);
    WY_READ_LAST(tip, "position", -1, 3);
    wy_check_value(case_run, "sag", -tip[0], y[3], 0.0, "of the tip, in lengths");
    wy_check_value(case_run, "reach", tip[2], y[2], 0.0, "of the tip, in lengths");
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "Cantilevers under their weight", .x_label = "z / L", .y_label = "x / L", .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, -1, 2, 0, -1);
    const double x = -y[3];
    wy_figure_errors(figure, case_run->number == 2 ? "reference" : NULL, 1, &y[2], &x, &x, &x);
    return WY_OK;
}

const wy_problem wy_problem_heavy_cantilever = {
    .entry = {.name = "heavy-cantilever", .doc = "Thin cantilever sagging under its own weight."},
    .group = "statics",
    .source = "the elastica's equation marched from the tip by extrapolation (Gragg), here, to 1e-13",
    .scenario = heavy_cantilever_scenario,
    .levels = {"elements=6", "elements=12", "elements=24"},
    .order = 6.0,
    .cases = heavy_cantilever_cases,
    .evaluate = heavy_cantilever_evaluate,
};
