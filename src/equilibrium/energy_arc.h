/* Continuation of director elements along a load path by its arc length. Internal to src/equilibrium. */
#ifndef WY_ENERGY_ARC_H
#define WY_ENERGY_ARC_H

#include "equilibrium/energy_rod.h"

typedef struct energy_arc {
    bool arrived;
    double carried; /* the largest fraction of ends and loads that was reached */
    int64_t folds, iterations;
    char culprit[160]; /* the load that does most work where the rod buckles: "load 2, gravity, from s = 0 to 1 m" */
} energy_arc;

/* From the equilibrium next to the present configuration, at `from`, to `to`; the rod stays where the path arrives or
 * ends. With `from` equal to `to`: Newton only. */
wy_status wy_energy_follow(energy_arc *arc, energy_rod *rod, const equilibrium_control *from,
                           const equilibrium_control *to, wy_error *err);

/* Names the load, or the end, that does most work along a direction: into culprit. */
void wy_energy_find_culprit(energy_arc *arc, energy_rod *rod, const double *direction);

/* Adds to J, which contains the second derivative of the last wy_energy_linearise, the rest of the derivative of
 * r->g by rotations in space (5.31). */
void wy_energy_jacobian(wy_system_matrix *J, const energy_rod *rod);

#endif
