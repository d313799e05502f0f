/* A pulse shorter than any step on one of two flywheels: they receive its whole impulse and vibrate against each
 * other. */
#include "atlas/atlas.h"

static const char shaft_pulse_scenario[] =
    "# Two flywheels of 1 kg m^2, a joint of 50 N m/rad, and up to 5000 N m for 0.4 ms.\n"
    "kind: shaft\n"
    "title: a blow on two flywheels\n"
    "n_elements: 2\n"
    "inertia: 2\n"
    "compliance: 0.04\n"
    "gamma: 0.01\n"
    "end2: {torque: {name: pulse, from: 0.30011, peak: 0.30019, until: 0.30051, height: 5000}}\n"
    "duration: 1\n"
    "step: 1e-3\n";

static wy_status shaft_pulse_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(momentum, "momentum", -1);
    wy_check_law(case_run, "momentum", momentum[0], 0.5 * 5000.0 * 0.0004, 0.0, "N m s: the area of the pulse");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The flywheels", .x_label = "time / s", .y_label = "speed / (rad/s)"});
    wy_case_draw_channel(case_run, figure, "first", WY_LINES, "end_speed", 0, 1.0, 1.0);
    wy_case_draw_channel(case_run, figure, "last", WY_LINES, "end_speed", 1, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_shaft_pulse = {
    .entry = {.name = "shaft-pulse", .doc = "A blow shorter than a step on one of two flywheels."},
    .group = "shafts and bodies",
    .source = "conservation of momentum",
    .scenario = shaft_pulse_scenario,
    .levels = {"step=4e-3", "step=2e-3", "step=1e-3"},
    .order = 2.0,
    .evaluate = shaft_pulse_evaluate,
};
