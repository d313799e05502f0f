/* Steps that follow the motion: shorter where it is violent, longer where it is slow. docs/math/certificate.md,
 * "Accuracy". */
#ifndef WY_MOTION_STEP_CONTROL_H
#define WY_MOTION_STEP_CONTROL_H

#include "motion/motion_internal.h"

/* Plain data. */
typedef struct wy_step_control {
    double
        /* what the method's own estimate of a step is to be, wy_motion_estimate.size; 0: steps of one length */
        tolerance;
    double base; /* the step that was chosen for the whole, s */
    double step; /* what a step should be now, s */
    double mean; /* of the estimates over step^power, running; 0: none yet */
} wy_step_control;

/* Into how many equal steps a time is cut. */
int64_t wy_step_control_parts(const wy_step_control *step_control, double time);

/* After a step of `dt`. */
void wy_step_control_update(wy_step_control *step_control, const wy_motion *rod, const wy_motion_state *state,
                            double dt);

#endif
