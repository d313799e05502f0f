/* A damped cantilever falls, swings and reaches its static equilibrium: the dynamic solver against the equation of
 * the elastica. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char settling_scenario[] =
    "# A thin cantilever let go level under its weight, q L^3/EI = 20, damped: where does it come to rest?\n"
    "kind: dynamic\n"
    "title: a cantilever comes to rest\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e8, GA2: 1e8, EA: 1e8, rhoA: 2, rhoI1: 1e-8, "
    "rhoI2: 1e-8, rhoJ: 2e-8}\n"
    "mass_damping: 6\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [-10, 0, 0]}\n"
    "method: {name: gauss-director, dissipative: true}\n"
    "duration: 16\n"
    "step: 0.1\n";

static void settling_field(double *dy, double u, const double *y, const void *unused) {
    (void)unused;
    dy[0] = y[1];
    dy[1] = -20.0 * u * wy_cos(y[0]);
    dy[2] = wy_cos(y[0]);
    dy[3] = wy_sin(y[0]);
}

static void rod(double y[4], double slope) {
    y[0] = slope;
    y[1] = y[2] = y[3] = 0.0;
    wy_atlas_march(y, 4, settling_field, NULL, 0.0, 1.0);
}

static double settling_level(double slope, const void *unused) {
    (void)unused;
    double y[4];
    rod(y, slope);
    return y[0];
}

static wy_status settling_evaluate(wy_case_run *case_run, wy_error *err) {
    double y[4];
    rod(y, wy_atlas_root(settling_level, NULL, 1e-3, 0.5 * WY_PI));
    WY_READ(tip, "tip", -1);
    wy_check_value(case_run, "sag", -tip[0], y[3], 0.0, "of the tip, in lengths");
    wy_check_value(case_run, "reach", tip[2], y[2], 0.0, "of the tip, in lengths");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "The tip", .x_label = "time / s", .y_label = "x / L"});
    wy_case_draw_channel(case_run, figure, "withy", WY_LINES, "tip", 0, 1.0, 1.0);
    const double t[2] = {0.0, 16.0}, x[2] = {-y[3], -y[3]};
    wy_figure_curve(figure, "statics", WY_DASHES, 2, t, x, NULL);
    return WY_OK;
}

const wy_problem wy_problem_settling = {
    .entry = {.name = "settling", .doc = "Cantilever that falls, swings and comes to rest."},
    .group = "waves and decay",
    .source = "the elastica's equation marched from the tip by extrapolation, here, to 1e-13",
    .scenario = settling_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .evaluate = settling_evaluate,
};
