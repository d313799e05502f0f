/* A flywheel whose torque, or whose prescribed speed, a program changes linearly within each step: the impulse of a
 * step, and the rotation of an end at the prescribed speed, are those of the value at its middle. */
#include <math.h>

#include "atlas/atlas.h"

static const char shaft_ramps_scenario[] =
    "# A flywheel of 3 kg m^2, turned by a program with a torque that grows by 0.7 N m/s.\n"
    "kind: shaft\n"
    "title: a flywheel turned faster and faster\n"
    "n_elements: 1\n"
    "inertia: 3\n"
    "compliance: 0\n"
    "D: 0\n"
    "duration: 4\n"
    "step: 0.0125\n";

static const wy_atlas_case shaft_ramps_cases[] = {{"torque", ""}, {"speed", "end1={drive: hard-speed}"}, {0}};

static wy_status shaft_ramps_evaluate(wy_case_run *case_run, wy_error *err) {
    const bool speed = case_run->number == 1;
    const int count = 80 << case_run->level;
    const double h = 4.0 / count, rate = 0.7, J = 3.0;
    double worst = 0.0, size = 0.0, last = 0.0, t[81], y[81], right[81];
    size_t input, drawn = 0;
    wy_march march;
    wy_status s = wy_case_open(&march, case_run, err);
    if (!s)
        s = wy_case_input(&input, &march, speed ? "end1.speed" : "end1.torque", err);
    for (int n = 0; n < count && !s; n++) {
        const double *seen = NULL, end = (n + 1) * h;
        *march.inputs[input].value = rate * n * h;
        *march.inputs[input].rate = rate;
        s = march.step_external(march.run, n * h, h, err);
        if (!s)
            s = wy_case_now(&seen, &march, speed ? "end_angle" : "end_speed", err);
        if (s)
            break;
        const double reference = 0.5 * rate * end * end / (speed ? 1.0 : J);
        worst = fmax(worst, fabs(seen[0] - reference));
        size = fmax(size, reference);
        last = seen[0];
        if ((n + 1) % (count / 80) == 0 && drawn < 81) {
            t[drawn] = end;
            y[drawn] = seen[0];
            right[drawn++] = reference;
        }
    }
    wy_case_close(&march);
    if (s)
        return s;
    wy_check_law(case_run, speed ? "angle at 4 s" : "speed at 4 s", last, 8.0 * rate / (speed ? 1.0 : J), 0.0,
                 speed ? "rad; rate t^2/2" : "rad/s; rate t^2/(2 J)");
    wy_check_law(case_run, "largest distance from it", worst, 0.0, size, "all along");
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "Speed by a torque, angle by a speed", .x_label = "time / s", .y_label = "rad/s, rad"});
    if (figure) {
        wy_figure_curve(figure, case_run->at->label, WY_LINES, drawn, t, y, NULL);
        wy_figure_errors(figure, speed ? NULL : "closed form", drawn / 4, t, right, right, right);
    }
    return WY_OK;
}

const wy_problem wy_problem_shaft_ramps = {
    .entry = {.name = "shaft-ramps", .doc = "Flywheel whose torque or speed a program lets grow within each step."},
    .group = "shafts and bodies",
    .source = "closed form",
    .scenario = shaft_ramps_scenario,
    .levels = {"step=0.05", "step=0.025", "step=0.0125"},
    .order = 2.0,
    .cases = shaft_ramps_cases,
    .evaluate = shaft_ramps_evaluate,
};
