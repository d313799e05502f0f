/* Two flywheels on a shaft, one of them driven by a torque from rest: their mean speed grows while they vibrate
 * against each other. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char shaft_ringing_scenario[] =
    "# Two flywheels of 1 kg m^2, a joint of 50 N m/rad with a little damping, and 1 N m.\n"
    "kind: shaft\n"
    "title: two flywheels\n"
    "n_elements: 2\n"
    "inertia: 2\n"
    "compliance: 0.04\n"
    "gamma: 0.01\n"
    "end2: {torque: {name: constant, value: 1}}\n"
    "duration: 1\n"
    "step: 5e-5\n"
    "every: 200\n";

static const wy_atlas_case shaft_ringing_cases[] = {{"", ""}, {"eliminated", "form=eliminated"}, {0}};

/* The mean: t^2/4; the difference d'' + 2 gamma d' + 2 K d = 1 from rest. */
static double apart(double t) {
    const double g = 0.01, w = sqrt(100.0 - g * g);
    return 0.01 * (1.0 - wy_exp(-g * t) * (wy_cos(w * t) + g / w * wy_sin(w * t)));
}

static wy_status shaft_ringing_evaluate(wy_case_run *case_run, wy_error *err) {
    /* the stepper's angles are those of half a step later (6.12): taken back by what that makes */
    const double t = 1.0, later = t + 0.5 * 2e-4 / (double)(1 << case_run->level);
    WY_READ(ends, "end_angle", -1);
    wy_check_value(case_run, "mean", 0.5 * (ends[0] + ends[1]) - 0.25 * (later * later - t * t), 0.25 * t * t, 0.0,
                   "rad after 1 s");
    wy_check_value(case_run, "apart", ends[1] - ends[0] - (apart(later) - apart(t)), apart(t), 0.02, "rad after 1 s");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The flywheels", .x_label = "time / s", .y_label = "angle / rad"});
    wy_case_draw_channel(case_run, figure, case_run->number ? NULL : "first", WY_LINES, "end_angle", 0, 1.0, 1.0);
    wy_case_draw_channel(case_run, figure, case_run->number ? NULL : "last", WY_LINES, "end_angle", 1, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_shaft_ringing = {
    .entry = {.name = "shaft-ringing", .doc = "Two flywheels that ring against each other."},
    .group = "shafts and bodies",
    .source = "closed form: a damped oscillator",
    .scenario = shaft_ringing_scenario,
    .levels = {"step=2e-4; every=50", "step=1e-4; every=100", "step=5e-5; every=200"},
    .order = 2.0,
    .cases = shaft_ringing_cases,
    .evaluate = shaft_ringing_evaluate,
};
