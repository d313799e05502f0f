/* A rod that is let go: what its files share. Internal to src/release. */
#ifndef WY_RELEASE_INTERNAL_H
#define WY_RELEASE_INTERNAL_H

#include <withy/release.h>

#include "motion/motion_run.h"

struct wy_release {
    wy_arena *arena;
    wy_release_options options;
    wy_equilibrium *solver; /* the caller's: holds the start */
    wy_motion_gauss_director method;
    wy_motion_definition definition;
    wy_motion_plan plan;
    wy_motion_instance moving; /* the rod as it is now */
    double *rows;              /* what the present rod was made of, where it is a finer one */
    bool round, uniform;
    wy_release_result result;
};

/* release_rod.c: fills in definition, round and uniform from the solver's rod; start and damping are the caller's. */
wy_status wy_release_prepare(wy_release *release, wy_error *err);

#endif
