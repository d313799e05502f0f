/* Following director elements along the arc of a load path. Internal to src/equilibrium. */
#ifndef WY_ENERGY_ARC_H
#define WY_ENERGY_ARC_H

#include "equilibrium/energy_rod.h"

typedef struct energy_arc {
    bool arrived;
    double carried; /* the largest part of ends and loads on the way */
    int64_t folds, iterations;
    char culprit[160]; /* what does the work where the rod gives way: "load 2, gravity, from s = 0 to 1 m" */
} energy_arc;

/* From the equilibrium near which the rod is, at `from`, to `to`; left where it arrives or ends. From and to the same: Newton only. */
wy_status wy_energy_follow(energy_arc *arc, energy_rod *rod, const equilibrium_control *from,
                           const equilibrium_control *to, wy_error *err);

/* Names the load, or the end, that does most work along a direction: into culprit. */
void wy_energy_find_culprit(energy_arc *arc, energy_rod *rod, const double *direction);

/* Adds to J, in which the last wy_energy_linearise has left the second derivative, what it lacks to be the derivative of r->g by turns in space (5.31). */
void wy_energy_jacobian(wy_system_matrix *J, const energy_rod *rod);

#endif
