/* What two runs of the same rod are compared by: where five places of it are, and what holds its ends. */
#ifndef WY_CERTIFICATE_PROBE_H
#define WY_CERTIFICATE_PROBE_H

#include "motion/motion_internal.h"

enum { WY_PROBE_PLACES = 5, WY_PROBE_HOLDS = 4 /* force and moment on each end */ };

typedef struct wy_probe {
    double start[WY_PROBE_PLACES][3]; /* positions at t = 0, and how far they have moved since, m */
    double moved[WY_PROBE_PLACES][3];
    double hold[2][6]; /* force and moment on each end, mean over the last window, space; 0 where nothing holds it */
    double sum[2][6], seconds; /* of the window that is open */
} wy_probe;

/* Distances of two probes: of the start, of the ways from there (both m, the largest of the places), of the forces on the
 * ends (N; moments count by the length). */
typedef struct wy_probe_gap {
    double start, way, force;
    double moment; /* of the moments alone, by the length, N */
} wy_probe_gap;

/* The same for each place and each hold. */
typedef struct wy_probe_gaps {
    double start[WY_PROBE_PLACES], way[WY_PROBE_PLACES], force[WY_PROBE_HOLDS];
} wy_probe_gaps;
#define WY_PROBE_MOMENT(end) (2 * (end) + 1) /* which of the holds is the moment on an end */

/* `nodes` is scratch of 3 numbers for each node, for methods that cannot be asked for a place. */
void wy_probe_begin(wy_probe *probe, const wy_motion *rod, const wy_motion_state *state, double *nodes);
/* After each step: what held the ends during it. */
void wy_probe_step(wy_probe *probe, const wy_motion *rod, const wy_motion_state *state, double dt);
/* At the end of a window. */
void wy_probe_close(wy_probe *probe, const wy_motion *rod, const wy_motion_state *state, double *nodes);

wy_probe_gaps wy_probe_apart(const wy_probe *a, const wy_probe *b, double length);
wy_probe_gap wy_probe_between(const wy_probe *a, const wy_probe *b, double length);
/* The longest way, and the largest force on an end: what gaps are measured by. */
wy_probe_gap wy_probe_size(const wy_probe *probe, double length);

#endif
