/* A rod run for what it shows of its own error: one trial of a discretisation. docs/math/certificate.md, "Accuracy". */
#ifndef WY_MOTION_TRIAL_H
#define WY_MOTION_TRIAL_H

#include <withy/kind.h>

#include "motion/estimate/coarse_runs.h"
#include "motion/motion_layers.h"

enum { WY_TRIAL_SAMPLES = 32 /* divide the steps */ };

typedef struct wy_motion_trial {
    wy_estimated_error error; /* unknown where the run breaks down, or without coarse runs */
    wy_motion_layers layers;
    double estimate; /* of a step by itself, mean; like step^power */
    int power;
    bool started, done;                                 /* what the run could do */
    double moved[WY_TRIAL_SAMPLES][WY_PROBE_POINTS][3]; /* displacements at equal times, m */
} wy_motion_trial;

/* How a trial is run: in steps of one length, or cut into parts for the tolerance of a step. */
typedef struct wy_motion_trial_plan {
    double step; /* s */
    int64_t steps;
    double tolerance; /* 0: even steps */
    bool estimate;    /* with coarse runs */
} wy_motion_trial_plan;

/* A run that breaks down is no error: it is not done, and nothing of it is right. */
wy_status wy_motion_trial_run(wy_motion_trial *trial, const wy_motion_definition *definition,
                              const wy_motion_trial_plan *plan, const wy_sink *sink, wy_error *err);

/* How far two trials are apart: root of the mean square over time of the worst point, m; and the largest, relative to
 * the longest displacement of b. */
double wy_motion_trial_gap(double *shape, const wy_motion_trial *a, const wy_motion_trial *b);

#endif
