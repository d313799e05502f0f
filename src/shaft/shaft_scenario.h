/* The configuration of `kind: shaft`. Internal to src/shaft. */
#ifndef WY_SHAFT_SCENARIO_H
#define WY_SHAFT_SCENARIO_H

#include <withy/kind.h>
#include <withy/shaft.h>
#include <withy/signal.h>

#include "estimate/march_estimate.h"

typedef struct end_config {
    int drive;
    double stiffness, damping;
    bool integrate, reversed;
    wy_choice torque, angle, speed;
} end_config;

typedef struct shaft_config {
    int64_t elements;
    double inertia, compliance, D, gamma, relaxation;
    int form;
    end_config end[2];
    double theta0[2], omega0[2];
    wy_samples angles, speeds;
    bool project;
    int inputs;
    double communication_step;
    wy_time_grid grid;
    bool estimate;
    int reading; /* not of a scenario: how torques and speeds are read */
} shaft_config;

enum { READ_AS_FITS, READ_VALUES, READ_MEANS };

enum { CONSTANT_INPUT, EXTRAPOLATE }; /* inputs within a communication step */

extern const wy_param wy_shaft_scenario_params[];
wy_status wy_shaft_scenario_check(const void *config, const char **key, wy_error *err);
/* The configuration of the shaft itself. */
wy_shaft_config wy_shaft_scenario_library(const shaft_config *config);
/* How many steps make a communication step. */
int64_t wy_shaft_scenario_between(const shaft_config *config);

#endif
