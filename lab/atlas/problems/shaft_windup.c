/* A shaft held at one end by a spring and turned at the other by a torque, damped: it winds up and stays. */
#include "atlas/atlas.h"

static const char shaft_windup_scenario[] = "# A shaft on a spring, turned by 5 N m: how far do its ends turn?\n"
                                            "kind: shaft\n"
                                            "title: a shaft wound up\n"
                                            "n_elements: 40\n"
                                            "inertia: 10\n"
                                            "compliance: 1e-3\n"
                                            "gamma: 4000\n"
                                            "end1: {stiffness: 1000, damping: 200}\n"
                                            "end2: {torque: {name: ramp, until: 1, high: 5}}\n"
                                            "duration: 20\n"
                                            "step: 0.01\n";

static const wy_atlas_case shaft_windup_cases[] = {
    {"with joint torques", ""},
    {"eliminated", "form=eliminated"},
    {"held at the other end",
     "form=eliminated; end1={torque: {name: ramp, until: 1, high: 5}}; end2={stiffness: 1000, damping: 200}"},
    {0}};

static wy_status shaft_windup_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(ends, "end_angle", -1);
    /* 40 elements have 39 joints of compliance C/40 */
    const size_t held = case_run->number == 2;
    wy_check_value(case_run, "held end", ends[held], 5.0 / 1000.0, 0.0, "rad; torque over the stiffness of the spring");
    wy_check_value(case_run, "windup", ends[1 - held] - ends[held], 5.0 * 1e-3 * 39.0 / 40.0, 0.0,
                   "rad; torque times the compliance of 39 joints");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "The ends", .x_label = "time / s", .y_label = "angle / rad"});
    wy_case_draw_channel(case_run, figure, "first", WY_LINES, "end_angle", 0, 1.0, 1.0);
    wy_case_draw_channel(case_run, figure, "last", WY_LINES, "end_angle", 1, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_shaft_windup = {
    .entry = {.name = "shaft-windup", .doc = "Shaft on a spring, wound up by a torque."},
    .group = "shafts and bodies",
    .source = "closed form: springs in a row",
    .scenario = shaft_windup_scenario,
    .levels = {"step=0.04", "step=0.02", "step=0.01"},
    .order = 2.0,
    .cases = shaft_windup_cases,
    .evaluate = shaft_windup_evaluate,
};
