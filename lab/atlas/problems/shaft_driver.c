/* One rigid element between two drivers with springs and dampers, a torque, and both signals: each step against the
 * formula of the method.
 *
 *   (J + sum (K h^2/4 + h D)) w+ = J w + h tau + sum (-h K d + (h^2 K/4) w + h D w~),
 *   d += h (w+ - w~),   theta += h w+ */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char shaft_driver_scenario[] =
    "# A flywheel between two couplings: one driven at a speed that swings, the other held, with a torque.\n"
    "kind: shaft\n"
    "title: a flywheel between couplings\n"
    "n_elements: 1\n"
    "inertia: 3\n"
    "compliance: 0\n"
    "D: 0\n"
    "end1: {stiffness: 40, damping: 2, speed: {name: sine, frequency: 0.5, amplitude: 2}}\n"
    "end2: {stiffness: 15, damping: 1, torque: {name: line, value: 1, rate: 0.5}}\n"
    "duration: 4\n"
    "step: 0.0125\n";

/* Parts that hardly turn against each other go the same way, whichever equations are solved. */
static const wy_atlas_case shaft_driver_cases[] = {
    {"", ""},
    {"forty parts", "n_elements=40; compliance=1e-9"},
    {"three parts, eliminated", "n_elements=3; compliance=1e-9; form=eliminated"},
    {0}};

static wy_status shaft_driver_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(t, "time", 0);
    size_t size;
    const double *angle = wy_case_frame(case_run, "end_angle", 0, &size, err);
    if (!angle)
        return err->status;
    const double h = t[1] - t[0], K[2] = {40.0, 15.0}, D[2] = {2.0, 1.0};
    double w = 0.0, theta = 0.0, d[2] = {0.0, 0.0}, worst = 0.0;
    for (size_t n = 1; n < case_run->count; n++) {
        const double now = t[n - 1], asked[2] = {2.0 * wy_sin(WY_PI * now), 0.0}, torque = 1.0 + 0.5 * now;
        double mass = 3.0, right = 3.0 * w + h * torque;
        for (int e = 0; e < 2; e++) {
            mass += 0.25 * K[e] * h * h + h * D[e];
            right += -h * K[e] * d[e] + 0.25 * h * h * K[e] * w + h * D[e] * asked[e];
        }
        w = right / mass;
        theta += h * w;
        for (int e = 0; e < 2; e++)
            d[e] += h * (w - asked[e]);
        worst = fmax(worst, fabs(angle[n * size] - theta));
    }
    if (case_run->number)
        wy_check_printed(case_run, "largest distance from the formula", worst, 0.0, 1e-7, "rad over 4 s");
    else
        wy_check_law(case_run, "largest distance from the formula", worst, 0.0, 1.0, "rad over 4 s");
    wy_show_value(case_run, "angle at 4 s", angle[(case_run->count - 1) * size], NAN,
                  "rad; of first order in the step: inputs are held");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The flywheel", .x_label = "time / s", .y_label = "angle / rad"});
    wy_case_draw_channel(case_run, figure, "withy", WY_LINES, "end_angle", 0, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_shaft_driver = {
    .entry = {.name = "shaft-driver", .doc = "Flywheel between two couplings, driven."},
    .group = "shafts and bodies",
    .source = "the stepper's formula for one element (chapter on shafts), worked out here",
    .scenario = shaft_driver_scenario,
    .levels = {"step=0.05", "step=0.025", "step=0.0125"},
    .order = 1.0,
    .cases = shaft_driver_cases,
    .evaluate = shaft_driver_evaluate,
};
