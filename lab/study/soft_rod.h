/* The soft rod of the sources `000` and `004`: its motion sampled in time, for two studies. */
#ifndef WY_SOFT_ROD_H
#define WY_SOFT_ROD_H

#include <withy/rod.h>
#include <withy/study.h>

enum { SOFT_ROD_REFERENCE = 101, SOFT_ROD_MOST = 1001, SOFT_ROD_NODES = 401 };

extern const double wy_soft_rod_release[SOFT_ROD_REFERENCE][2], wy_soft_rod_fall[SOFT_ROD_REFERENCE][2];

/* Rod and method of a run. The literal method is `midpoint-shooting` with both switches of `004` on. */
typedef struct wy_soft_rod_run {
    bool literal;
    int elements;
    double dt, duration;
    bool bent, gravity; /* start from curvature pi/(4 L); gravity towards -x */
    double mu;          /* Pa s */
    double every;       /* seconds between two points of the trace; a multiple of dt */
} wy_soft_rod_run;

/* Points of a run, the start first.~ */
typedef struct wy_soft_rod_trace {
    int count; /* points reached */
    double t[SOFT_ROD_MOST], tip_x[SOFT_ROD_MOST], tip_z[SOFT_ROD_MOST];
    double energy[SOFT_ROD_MOST]; /* kinetic and strain */
    double total[SOFT_ROD_MOST];  /* with the potential of gravity */
    double drift;                 /* largest change of the energy balance, relative to the largest energy */
    bool failed;
    double failed_at;
    long iterations, halvings;
} wy_soft_rod_trace;

/* Runs the rod. A literal run that breaks down does not fail the call: the trace records it. `shape`, if not NULL, is
 * called with the node positions at every point. */
wy_status wy_soft_rod_follow(wy_soft_rod_trace *out, const wy_soft_rod_run *run,
                             void (*shape)(void *context, int point, const double *positions, size_t nodes),
                             void *context, wy_error *err);

/* Root mean square distance in m of the tip from a reference table, over the common points after t = 0. */
double wy_soft_rod_rms(const wy_soft_rod_trace *trace, const double reference[SOFT_ROD_REFERENCE][2]);

#endif
