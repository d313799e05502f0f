/* Coarser runs of the same rod beside a run, and the error that they show. docs/math/certificate.md, "Companions". */
#ifndef WY_CERTIFICATE_COMPANIONS_H
#define WY_CERTIFICATE_COMPANIONS_H

#include "motion/certificate/probe.h"

typedef struct wy_companions wy_companions;

/* Relative errors: of the ways of the rod's places by the longest way so far, the largest; of the forces on its ends, root of
 * the mean square over time, by the largest. */
typedef struct wy_companion_error {
    double shape, reaction;                   /* in space and time together */
    double moment, moment_space, moment_time; /* of the moments on its ends alone, by the largest of them */
    double shape_space, shape_time;
    double path, path_space, path_time; /* of the ways, root of the mean square over time, relative to the length */
    double space, time;                 /* the larger of shape and reaction, by its source */
    double trusted;                     /* the last time at which `shape` was below the limit, s */
    double rate, moment_rate;           /* by which a level (half the element, half the step) lowers them, as seen */
} wy_companion_error;

enum { WY_COMPANION_A, WY_COMPANION_C, WY_COMPANION_B, WY_COMPANIONS, WY_COMPANION_PARTS = WY_COMPANIONS + 2 };

/* The limit above which an answer is called unsure. */
#define WY_UNSURE 0.05

/* What the run is going to be. `trial`: one from which a discretisation is chosen, for an error that may be a small one. */
typedef struct wy_companion_plan {
    int64_t steps;
    double step; /* s, the first one */
    bool trial;
} wy_companion_plan;

/* Makes the companions of a rod that was made from `definition` and has been started. NULL, without an error, where no coarser mesh can be started. */
wy_status wy_companions_create(wy_companions **companions, const wy_motion_definition *definition, const wy_motion *rod,
                               const wy_motion_state *state, const wy_companion_plan *plan, wy_error *err);
void wy_companions_free(wy_companions *companions);

/* After each step of the rod; `last`: no other follows. Companions that fail are left behind: that is no error. True: they have been
 * compared again, which is so every few steps, and `error` is what they show now. */
bool wy_companions_follow(wy_companion_error *error, wy_companions *companions, const wy_motion *rod,
                          const wy_motion_state *state, double dt, bool last);

/* The errors so far. */
wy_companion_error wy_companions_error(const wy_companions *companions);

/* Without its first companion nothing is known of a run's error: the errors above are 1. */
bool wy_companions_lost(const wy_companions *companions);

/* The longest way of any place so far and the largest force on an end (at least what stands for nothing): their scales. */
wy_probe_gap wy_companions_scale(const wy_companions *companions);

/* What all companions have cost so far, and what a run has: iterations times elements, and what takes as long. */
double wy_companions_cost(const wy_companions *companions);
double wy_companions_run_cost(const wy_motion *rod, const wy_motion_state *state);

/* What the rest of a run depends on. */
void wy_companions_parts(wy_part parts[WY_COMPANION_PARTS], wy_companions *companions);

#endif
