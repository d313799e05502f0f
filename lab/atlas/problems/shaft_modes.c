/* A free shaft of N elements vibrates in one of its modes. Frequency and shape of the chain are known exactly, also
 * with the effect of the time step. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char shaft_modes_scenario[] =
    "# A free shaft of 8 elements, let go in its second mode, without damping.\n"
    "kind: shaft\n"
    "title: the second mode of a shaft\n"
    "n_elements: 8\n"
    "inertia: 10\n"
    "compliance: 1e-3\n"
    "gamma: 0\n"
    "angles: [cos(pi/8), cos(3*pi/8), cos(5*pi/8), cos(7*pi/8), cos(9*pi/8), cos(11*pi/8), cos(13*pi/8), "
    "cos(15*pi/8)]\n"
    "duration: 4\n"
    "step: 0.005\n";

static wy_status shaft_modes_evaluate(wy_case_run *case_run, wy_error *err) {
    /* N springs of compliance C/N and N masses of J/N: W = 2 sqrt(k/m) sin(i pi/(2 N)); the step h turns it to w =
     * (2/h) atan(h W/2) */
    const double N = 8.0, W = 2.0 * N / sqrt(10.0 * 1e-3) * wy_sin(2.0 * WY_PI / (2.0 * N));
    WY_READ(t, "time", 0);
    const double h = t[1] - t[0], w = 2.0 / h * wy_atan(0.5 * h * W);
    size_t size;
    const double *angles = wy_case_frame(case_run, "state/angle", 0, &size, err);
    if (!angles)
        return err->status;
    double worst = 0.0, off = 0.0;
    /* theta_n = c cos(w n h) + d sin(w n h) with one c, d for the whole run: from the first two steps */
    const double c = angles[0], d = (angles[size] - c * wy_cos(w * h)) / wy_sin(w * h);
    for (size_t i = 0; i < case_run->count; i++) {
        double s, k;
        wy_sincos(w * h * (double)i, &s, &k);
        worst = fmax(worst, fabs(angles[i * size] - (c * k + d * s)));
        for (size_t j = 0; j < size; j++) /* and it stays in its mode */
            off = fmax(off, fabs(angles[i * size + j] - angles[i * size] * angles[j] / angles[0]));
    }
    wy_check_law(case_run, "largest distance from cos w t", worst, 0.0, 1.0,
                 "rad; w = (2/h) atan(h W/2), W = %.9g rad/s", W);
    wy_check_law(case_run, "largest distance from the mode", off, 0.0, 1.0, "rad");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "First and last element", .x_label = "time / s", .y_label = "angle / rad"});
    wy_case_draw_channel(case_run, figure, "first", WY_LINES, "end_angle", 0, 1.0, 1.0);
    wy_case_draw_channel(case_run, figure, "last", WY_DASHES, "end_angle", 1, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_shaft_modes = {
    .entry = {.name = "shaft-modes",
              .doc = "Free shaft of lumps in its second mode: frequency of the chain and of the step."},
    .group = "shafts and bodies",
    .source = "closed form of the chain, and of the stepper (chapter on shafts)",
    .scenario = shaft_modes_scenario,
    .levels = {"step=0.02", "step=0.01", "step=0.005"},
    .order = 2.0,
    .evaluate = shaft_modes_evaluate,
};
