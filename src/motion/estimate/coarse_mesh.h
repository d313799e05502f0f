/* What the coarse runs of a motion are made of. Internal to the library. */
#ifndef WY_COARSE_MESH_H
#define WY_COARSE_MESH_H

#include "motion/motion_internal.h"

/* The rod's method with few halvings and a tolerance of at least that; `made` is to be freed. */
wy_status wy_coarse_method(wy_choice *method, wy_motion_newton **made, const wy_motion *rod, double tolerance,
                           wy_error *err);

/* Of the straight rod that bends between its ends, roughly, rad/s. */
double wy_coarse_lowest_frequency(const wy_motion *rod);

/* Elements of each piece in the runs a and b; `fewer`: a has fewer than the rod, else more. */
void wy_coarse_meshes(size_t *a, size_t *b, const wy_motion *rod, bool fewer);

/* By how much rounding a point of the rod moves strains, and these the rod, in a second, 1/s. */
double wy_coarse_rounding(const wy_motion *rod);

/* What a run has cost so far: iterations times elements, and what takes as long. */
double wy_run_cost(const wy_motion *rod, const wy_motion_state *state);

#endif
