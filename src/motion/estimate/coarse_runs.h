/* Coarser runs of the same rod beside a run, and the error that they show. docs/math/certificate.md, "Coarse runs". */
#ifndef WY_ESTIMATE_COARSE_RUNS_H
#define WY_ESTIMATE_COARSE_RUNS_H

#include "estimate/coarse_error.h"
#include "motion/estimate/coarse_mesh.h"
#include "motion/estimate/probe.h"

typedef struct wy_coarse_runs wy_coarse_runs;

/* Relative errors: of the ways of the rod's places by the longest way so far, the largest; of the forces on its
 * ends, root of the mean square over time, by the largest. */
typedef struct wy_estimated_error {
    wy_error_parts shape, reaction;
    wy_error_parts moment;     /* of the moments on its ends alone, by the largest of them */
    wy_error_parts path;       /* of the ways, root of the mean square over time, relative to the length */
    double space, time, order; /* of the larger of shape and reaction */
    double trusted;            /* the last time at which `shape` was below the limit, s */
    double reaction_step;      /* of forces and moments from step to step, not as means */
} wy_estimated_error;

enum { WY_COARSE_BLOCKS = WY_COARSE_RUNS + 3 };

/* What the run is going to be. `trial`: one from which a discretisation is chosen, for an error that may be a small
 * one. */
typedef struct wy_coarse_plan {
    int64_t steps;
    double step; /* s, the first one */
    bool trial;
} wy_coarse_plan;

/* Makes the coarse runs of a rod that was made from `definition` and has been started. NULL, without an error, where
 * no coarser mesh can be started. */
wy_status wy_coarse_runs_create(wy_coarse_runs **coarse_runs, const wy_motion_definition *definition,
                                const wy_motion *rod, const wy_motion_state *state, const wy_coarse_plan *plan,
                                wy_error *err);
void wy_coarse_runs_free(wy_coarse_runs *coarse_runs);

/* After each step of the rod, which is that of `create`; `last`: no other follows. Coarse runs that fail are left
 * behind: that is no error. True: they are compared again, which is so every few steps, and `error` is what they show
 * now. `error` NULL: they may follow on a second core, until something below asks for what they show. */
bool wy_coarse_runs_step(wy_estimated_error *error, wy_coarse_runs *coarse_runs, const wy_motion *rod,
                         const wy_motion_state *state, double dt, bool last);

/* The errors at the last comparison; false: there was none yet. */
bool wy_coarse_runs_read(wy_estimated_error *error, wy_coarse_runs *coarse_runs);
/* The same, where a run ends before its first comparison also. */
wy_estimated_error wy_coarse_runs_error(wy_coarse_runs *coarse_runs);

/* What follows is of the last comparison that was read. */

/* Without its first coarse run nothing is known of a run's error: the errors above are 1. */
bool wy_coarse_runs_failed(const wy_coarse_runs *coarse_runs);

/* The longest way of any place so far and the largest force on an end (at least what stands for nothing): their
 * scales. */
wy_probe_distance wy_coarse_runs_scale(const wy_coarse_runs *coarse_runs);

/* What all coarse runs have cost so far. */
double wy_coarse_runs_cost(wy_coarse_runs *coarse_runs);

/* What the rest of a run depends on. */
void wy_coarse_runs_blocks(wy_checkpoint_block parts[WY_COARSE_BLOCKS], wy_coarse_runs *coarse_runs);

#endif
