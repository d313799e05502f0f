/* What the coarse runs and the error that they show have in common. Internal to src/motion/estimate. */
#ifndef WY_ESTIMATE_COARSE_INTERNAL_H
#define WY_ESTIMATE_COARSE_INTERNAL_H

#include <math.h>

#include "motion/estimate/coarse_runs.h"

enum { WINDOW_STEPS = WY_PREDICTOR_STEPS, MOST_HALVINGS = 3 };

/* Distances so far: maxima, or sums of squares times the time that they lasted. `ua_b` is ua for as long as there
 * was a b, `ua_c` a c. `fourth`: the fourth difference of the run's own values from step to step. */
typedef struct distances {
    double ua, ua_b, ua_c, ab, ac, cb, uc, fourth;
} distances;

/* Values of the run after its last steps, the newest first: five places, and the means of what holds its ends. */
enum { PAST = 4, PAST_NUMBERS = 3 * WY_PROBE_POINTS + 12 };
typedef struct past_positions {
    double values[PAST][PAST_NUMBERS];
    double known, step; /* how many of them, of equal steps; that step, s */
} past_positions;

typedef struct coarse_run {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    bool borrows_rod; /* the rod of another one of the same mesh */
    bool bisect_only; /* option of its steps */
} coarse_run;

/* All that is not a coarse run's state: one part of a checkpoint. */
typedef struct estimator_state {
    wy_probe run, of[WY_COARSE_RUNS];
    distances start[WY_PROBE_POINTS], displacement[WY_PROBE_POINTS],
        path[WY_PROBE_POINTS]; /* path: the ways as sums of squares */
    distances force[WY_PROBE_REACTIONS];
    past_positions past;
    double largest_displacement, largest_force; /* way and force of the run, m and N */
    double largest_moment;                      /* moment on an end, by the length, N */
    double times[WINDOW_STEPS + 1];             /* where the steps in the window begin and end, s */
    double parted;                    /* 1: a was left behind where it had nothing to do with the run any more, ... */
    double apart[WY_PROBE_REACTIONS]; /* ... and by how much their forces differed in the worst window, N */
    double alive[WY_COARSE_RUNS];
    double shape;                                     /* its error after the last window, relative */
    double trusted, window, last, lasted_b, lasted_c; /* the last two: how long there was a b, and a c, s */
    int64_t steps;                                    /* in the window */
} estimator_state;

struct wy_coarse_runs {
    coarse_run of[WY_COARSE_RUNS];
    size_t *count[WY_COARSE_RUNS]; /* elements in each piece of the rod */
    int per[WY_COARSE_RUNS];       /* steps in a window of four */
    bool refined_in_time;          /* few steps: the coarse runs' are not longer but shorter */
    bool coarser[2];               /* a has fewer elements than u, b than a */
    double ratio[2];               /* of their elements: u by a, a by b */
    double length, deflection, least_displacement, least_force, least_moment;
    double
        /* that the method promises, the lower of space and time. deflection: what a gap of the starts is measured by */
        order;
    double rounded;       /* by how much rounding a place moves strains and these the rod, in a second, 1/s */
    double swings;        /* the lowest frequency of the straight rod between its ends, rad/s */
    double step, planned; /* of the run, s; how many it will take */
    bool trial;           /* for an error that may be a small one */
    double force_order;   /* that of the forces on its ends, at most */
    double *nodes;
    size_t mean_velocity_size; /* numbers of the mean velocities of a step, ... */
    double *mean_velocities;   /* ... and these, for the steps of the window */
    estimator_state now;
};

/* The root of a mean square from its sum over so many seconds. */
static inline double wy_coarse_root_mean(double sum, double seconds) {
    return seconds > 0.0 ? sqrt(sum / seconds) : 0.0;
}

#endif
