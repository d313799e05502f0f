/* What two runs of the same rod are compared by: where five places of it are, and what holds its ends. */
#ifndef WY_ESTIMATE_PROBE_H
#define WY_ESTIMATE_PROBE_H

#include "motion/motion_internal.h"

enum { WY_PROBE_POINTS = 5, WY_PROBE_REACTIONS = 4 /* force and moment on each end */ };

typedef struct wy_probe {
    double start[WY_PROBE_POINTS][3]; /* positions at t = 0, and how far they have moved since, m */
    double displacement[WY_PROBE_POINTS][3];
    double reaction[2]
                   [6]; /* force and moment on each end, mean over the last window, space; 0 where nothing holds it */
    double reaction_integral[2][6], seconds; /* of the window that is open */
} wy_probe;

/* Distances of two probes: of the start, of the ways from there (both m, the largest of the places), of the forces
 * on the ends (N; moments count by the length). */
typedef struct wy_probe_distance {
    double start, displacement, force;
    double moment; /* of the moments alone, by the length, N */
} wy_probe_distance;

/* The same for each place and each hold. */
typedef struct wy_probe_distances {
    double start[WY_PROBE_POINTS], displacement[WY_PROBE_POINTS], force[WY_PROBE_REACTIONS];
} wy_probe_distances;
#define WY_PROBE_MOMENT(end) (2 * (end) + 1) /* which of the holds is the moment on an end */

/* `nodes` is scratch of 3 numbers for each node, for methods that cannot be asked for a place. */
void wy_probe_begin(wy_probe *probe, const wy_motion *rod, const wy_motion_state *state, double *nodes);
/* After each step: what held the ends during it. */
void wy_probe_step(wy_probe *probe, const wy_motion *rod, const wy_motion_state *state, double dt);
/* At the end of a window. */
void wy_probe_close(wy_probe *probe, const wy_motion *rod, const wy_motion_state *state, double *nodes);

wy_probe_distances wy_probe_distances_between(const wy_probe *a, const wy_probe *b, double length);
wy_probe_distance wy_probe_distance_between(const wy_probe *a, const wy_probe *b, double length);
/* The longest way, and the largest force on an end: what gaps are measured by. */
wy_probe_distance wy_probe_scale(const wy_probe *probe, double length);

#endif
