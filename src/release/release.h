/* Release of a rod from an equilibrium: common declarations. Internal to src/release. */
#ifndef WY_RELEASE_INTERNAL_H
#define WY_RELEASE_INTERNAL_H

#include <withy/release.h>

#include "motion/motion_run.h"

struct wy_release {
    wy_arena *arena;
    wy_release_options options;
    wy_equilibrium *solver; /* of the caller: has the initial equilibrium */
    wy_motion_gauss_director method;
    wy_motion_definition definition;
    wy_motion_plan plan;
    wy_motion_instance moving; /* the rod in its present state */
    double *rows;              /* initial nodes of the present rod, if it is a refined one */
    bool round, uniform;
    wy_release_result result;
};

/* release_rod.c: sets definition, round and uniform from the solver's rod; the caller sets start and damping. */
wy_status wy_release_prepare(wy_release *release, wy_error *err);

#endif
