/* `kind: shaft`: its keys, and their check. */
#include "shaft/shaft_scenario.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const drives[] = {
    [WY_DRIVE_SPRING] = "spring", [WY_DRIVE_HARD_SPEED] = "hard-speed", [WY_DRIVE_HARD_ANGLE] = "hard-angle", NULL};
static const char *const forms[] = {[WY_SHAFT_MULTIPLIER] = "multiplier", [WY_SHAFT_ELIMINATED] = "eliminated", NULL};
static const char *const input_words[] = {[CONSTANT_INPUT] = "hold", [EXTRAPOLATE] = "extrapolate", NULL};

static const wy_param end_params[] = {
    WY_PARAM(
        end_config, drive, .key = "drive",
        .doc =
            "How the end is coupled: by a spring and a damper (both may be 0), or hard to the driver's speed or angle.",
        .type = WY_TYPE_NAME, .names = drives, .default_text = "spring"),
    WY_PARAM(end_config, stiffness, .key = "stiffness", .tunable = true, .doc = "Stiffness of the driver spring.",
             .unit = "N m/rad", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    WY_PARAM(end_config, damping, .key = "damping", .tunable = true, .doc = "Constant of the driver damper.",
             .unit = "N m s/rad", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    WY_PARAM(end_config, integrate, .key = "integrate",
             .doc = "The spring feels the integrated difference of the speeds instead of the difference of the angles.",
             .type = WY_TYPE_BOOL, .default_text = "true"),
    WY_PARAM(end_config, reversed, .key = "reversed",
             .doc = "The partner's axis points the other way: torque, angle and speed change sign at this end.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    WY_PARAM(end_config, torque, .key = "torque", .tunable = true, .doc = "Torque on the end, N m.",
             .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = ""),
    WY_PARAM(end_config, angle, .key = "angle", .tunable = true, .doc = "Angle of the driver, rad.",
             .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = ""),
    WY_PARAM(end_config, speed, .key = "speed", .tunable = true, .doc = "Speed of the driver, rad/s.",
             .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = ""),
    {0},
};

const wy_param wy_shaft_scenario_params[] = {
    WY_PARAM(shaft_config, elements, .key = "n_elements", .doc = "Number of rigid elements.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_POSITIVE, .default_text = "10"),
    WY_PARAM(shaft_config, inertia, .key = "inertia", .doc = "Moment of inertia of the whole shaft about its axis.",
             .unit = "kg m^2", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = "10"),
    WY_PARAM(shaft_config, compliance, .key = "compliance", .doc = "Compliance of the whole shaft; 0 is rigid.",
             .unit = "rad/(N m)", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "1e-4"),
    WY_PARAM(
        shaft_config, D, .key = "D", .tunable = true,
        .doc =
            "Damping of the joints as rho/step, which changes with the step; 2 where neither gamma nor relaxation is "
            "given.",
        .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = ""),
    WY_PARAM(shaft_config, gamma, .key = "gamma", .tunable = true,
             .doc =
                 "Damping of the joints as the constant of a damper in each, not per length: gamma = rho K, which is "
                 "relaxation "
                 "n_elements/compliance.",
             .unit = "N m s/rad", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = ""),
    WY_PARAM(shaft_config, relaxation, .key = "relaxation",
             .doc = "Damping of the joints as the time rho, which neither the number of elements nor the step changes.",
             .unit = "s", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = ""),
    WY_PARAM(shaft_config, form, .key = "form",
             .doc = "The system that a step solves: with the joint torques as unknowns (9), or without (11).",
             .type = WY_TYPE_NAME, .names = forms, .default_text = "multiplier"),
    WY_PARAM(shaft_config, end[0], .key = "end1", .doc = "The end of the first element.", .type = WY_TYPE_GROUP,
             .group = end_params),
    WY_PARAM(shaft_config, end[1], .key = "end2", .doc = "The end of the last element.", .type = WY_TYPE_GROUP,
             .group = end_params),
    WY_PARAM(shaft_config, theta0, .key = "theta0", .doc = "Initial angles of the two ends, linear in between.",
             .unit = "rad", .type = WY_TYPE_VECTOR, .count = 2, .default_text = "[0, 0]"),
    WY_PARAM(shaft_config, omega0, .key = "omega0", .doc = "Initial speeds of the two ends, linear in between.",
             .unit = "rad/s", .type = WY_TYPE_VECTOR, .count = 2, .default_text = "[0, 0]"),
    WY_PARAM(shaft_config, angles, .key = "angles",
             .doc = "Initial angle of each element; left out: linear from theta0.", .unit = "rad",
             .type = WY_TYPE_SAMPLES, .count = 1, .default_text = ""),
    WY_PARAM(shaft_config, speeds, .key = "speeds",
             .doc = "Initial speed of each element; left out: linear from omega0.", .unit = "rad/s",
             .type = WY_TYPE_SAMPLES, .count = 1, .default_text = ""),
    WY_PARAM(shaft_config, project, .key = "project",
             .doc = "Replace a stretched start that a rigid shaft cannot have by its mean, instead of refusing it.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    WY_PARAM(shaft_config, inputs, .key = "inputs",
             .doc = "Between two communication points the inputs keep their last value, or follow the line "
                    "through the last two.",
             .type = WY_TYPE_NAME, .names = input_words, .default_text = "hold"),
    WY_PARAM(shaft_config, communication_step, .key = "communication_step",
             .doc = "How often the inputs are read; 0 = every step. Must be a multiple of the step.", .unit = "s",
             .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    WY_TIME_GRID_PARAMS(shaft_config, grid, NULL),
    WY_RICHARDSON_PARAM(shaft_config, estimate),
    {0},
};

wy_shaft_config wy_shaft_scenario_library(const shaft_config *c) {
    wy_shaft_config s;
    wy_shaft_config_init(&s);
    s.elements = c->elements;
    s.inertia = c->inertia;
    s.compliance = c->compliance;
    s.viscous = !isnan(c->gamma) || !isnan(c->relaxation);
    if (!isnan(c->relaxation)) /* rho K; a rigid joint has no K, and nothing to damp */
        s.damping = c->compliance > 0.0 ? c->relaxation * (double)c->elements / c->compliance : 0.0;
    else if (s.viscous)
        s.damping = c->gamma;
    else if (!isnan(c->D))
        s.damping = c->D;
    s.form = c->form;
    s.project = c->project;
    for (int e = 0; e < 2; e++) {
        s.end[e] = (wy_shaft_end){.drive = c->end[e].drive,
                                  .stiffness = c->end[e].stiffness,
                                  .damping = c->end[e].damping,
                                  .integrate = c->end[e].integrate,
                                  .sign = c->end[e].reversed ? -1.0 : 1.0};
        s.angle[e] = c->theta0[e];
        s.speed[e] = c->omega0[e];
    }
    return s;
}

int64_t wy_shaft_scenario_between(const shaft_config *c) {
    return c->communication_step > 0.0 ? (int64_t)llround(c->communication_step / c->grid.step) : 1;
}

static wy_status check_profile(const wy_samples *samples, int64_t elements, const char *name, const char **key,
                               wy_error *err) {
    if (!samples->values || samples->rows == (size_t)elements)
        return WY_OK;
    *key = name;
    return wy_fail(err, WY_BAD_INPUT, "'%s' has %zu values for %lld elements", name, samples->rows,
                   (long long)elements);
}

wy_status wy_shaft_scenario_check(const void *config, const char **key, wy_error *err) {
    static const char *const ends[] = {"end1", "end2"};
    const shaft_config *c = config;
    if (!isnan(c->D) + !isnan(c->gamma) + !isnan(c->relaxation) > 1) {
        *key = isnan(c->relaxation) ? "gamma" : "relaxation";
        if (!isnan(c->D) && !isnan(c->gamma))
            return wy_fail(err, WY_BAD_INPUT,
                           "'gamma' %g and 'D' %g both say how strong the damping is: give one of them", c->gamma,
                           c->D);
        return wy_fail(err, WY_BAD_INPUT,
                       "'relaxation' %g and '%s' both say how strong the damping is: give one of them", c->relaxation,
                       isnan(c->D) ? "gamma" : "D");
    }
    if (wy_time_grid_check(&c->grid, key, err))
        return WY_BAD_INPUT;
    const double ratio = c->communication_step / c->grid.step;
    if (ratio > 0.0 && !(ratio < 1e15 && llround(ratio) >= 1 && fabs(ratio - (double)llround(ratio)) <= 1e-9 * ratio)) {
        *key = "communication_step";
        return wy_fail(err, WY_BAD_INPUT, "'communication_step' %g s is not a multiple of the step %g s",
                       c->communication_step, c->grid.step);
    }
    for (int e = 0; e < 2; e++) {
        *key = ends[e];
        const wy_choice *signals[] = {&c->end[e].torque, &c->end[e].angle, &c->end[e].speed};
        for (int k = 0; k < 3; k++)
            if (wy_signal_check(signals[k], err))
                return WY_BAD_INPUT;
    }
    wy_status s = check_profile(&c->angles, c->elements, "angles", key, err);
    if (!s)
        s = check_profile(&c->speeds, c->elements, "speeds", key, err);
    if (s)
        return s;
    const wy_shaft_config library = wy_shaft_scenario_library(c);
    const char *blamed;
    s = wy_shaft_check(&library, &blamed, err);
    *key = blamed && strcmp(blamed, "drive") == 0 ? "end2" : blamed;
    return s;
}
