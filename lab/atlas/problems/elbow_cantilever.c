/* The elbow cantilever of Simo and Vu-Quoc: two legs at a right angle, hit at the elbow out of their plane. */
#include <math.h>

#include "atlas/atlas.h"

static const char elbow_cantilever_scenario[] =
    "# Simo and Vu-Quoc's elbow cantilever: two legs of 10, a force out of the plane at the elbow, "
    "a triangle in time with its peak of 50 at 1.\n"
    "kind: dynamic\n"
    "title: the elbow cantilever\n"
    "length: 20\n"
    "elements: 80\n"
    "section: {name: rigidities, EI1: 1e3, EI2: 1e3, GJ: 1e3, GA1: 1e6, GA2: 1e6, EA: 1e6, rhoA: 1, rhoI1: 10, "
    "rhoI2: 10, rhoJ: 20}\n"
    "reference: {name: piecewise, strain: [[0, 0, 0, 0, 0, 0, 1], [9.9995, 0, pi/2/0.001, 0, 0, 0, 1], "
    "[10.0005, 0, 0, 0, 0, 0, 1]]}\n"
    "loads:\n"
    "  - {name: point-force, force: [0, 50, 0], at: 10, in_time: {name: pulse, peak: 1, until: 2}}\n"
    "method: gauss-director\n"
    "duration: 18\n"
    "step: 0.025\n";

/* The largest sign * value between two times, by the parabola through the largest frame and its neighbours. */
static void peak(double *value, double *when, const double *t, const double *y, size_t count, size_t size,
                 size_t component, double from, double to, double sign) {
    size_t best = 1;
    for (size_t i = 1; i + 1 < count; i++)
        if (t[i] >= from && t[i] <= to &&
            (t[best] < from || sign * y[i * size + component] > sign * y[best * size + component]))
            best = i;
    const double a = y[(best - 1) * size + component], b = y[best * size + component],
                 c = y[(best + 1) * size + component];
    const double x = 0.5 * (a - c) / (a - 2.0 * b + c);
    *when = t[best] + x * (t[best] - t[best - 1]);
    *value = b - 0.25 * (a - c) * x;
}

static wy_status elbow_cantilever_evaluate(wy_case_run *case_run, wy_error *err) {
    size_t size;
    WY_READ(t, "time", 0);
    WY_READ(tip, "tip", 0);
    const double *x = wy_case_frame(case_run, "position", 0, &size, err);
    if (!x)
        return err->status;
    const size_t elbow = 3 * (size / 6) + 1;
    double value[3], when[3];
    peak(&value[0], &when[0], t, tip, case_run->count, 3, 1, 5.0, 10.0, 1.0);
    peak(&value[1], &when[1], t, tip, case_run->count, 3, 1, 13.0, 17.9, -1.0);
    peak(&value[2], &when[2], t, x, case_run->count, size, elbow, 9.0, 13.0, -1.0);
    wy_check_printed(case_run, "tip: largest", value[0], 8.25, 0.01, "as one code printed it");
    wy_show_value(case_run, "tip: when", when[0], 7.44, "s; as one code printed it");
    wy_show_value(case_run, "tip: least", value[1], -9.73,
                  "as one code printed it; the corner converges slowly, see the estimate");
    wy_show_value(case_run, "tip: when least", when[1], 15.87, "s");
    wy_show_value(case_run, "elbow: least", value[2], -4.06, "as one code printed it");
    wy_show_value(case_run, "elbow: when least", when[2], 10.87, "s");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Out of the plane", .x_label = "time / s", .y_label = "displacement"});
    wy_case_draw_channel(case_run, figure, "tip", WY_LINES, "tip", 1, 1.0, 1.0);
    wy_case_draw_channel(case_run, figure, "elbow", WY_LINES, "position", elbow, 1.0, 1.0);
    static const double times[3] = {7.44, 15.87, 10.87}, printed[3] = {8.25, -9.73, -4.06};
    wy_figure_errors(figure, "printed", 3, times, printed, printed, printed);
    return WY_OK;
}

const wy_problem wy_problem_elbow_cantilever = {
    .entry = {.name = "elbow-cantilever", .doc = "Two legs at a right angle, hit at the elbow out of their plane."},
    .group = "waves and decay",
    .source = "Simo and Vu-Quoc 1988 (the problem, curves); numbers printed by one code",
    .scenario = elbow_cantilever_scenario,
    .levels = {"elements=20; step=0.1", "elements=40; step=0.05", "elements=80; step=0.025"},
    .order = 1.0,
    .evaluate = elbow_cantilever_evaluate,
};
