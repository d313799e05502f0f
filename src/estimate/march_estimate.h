/* A march with two coarser ones beside it, which tell its error. docs/math/certificate.md, "Bodies and shafts".
 * Internal. */
#ifndef WY_ESTIMATE_MARCH_H
#define WY_ESTIMATE_MARCH_H

#include "base/march.h"

enum { WY_RICHARDSON_RUNS = 2, WY_RICHARDSON_NORMS = 2 };

typedef struct wy_richardson {
    const void
        *coarse[WY_RICHARDSON_RUNS]; /* configurations of the same kind with longer steps; they outlive the run */
    int64_t factor
        [WY_RICHARDSON_RUNS]; /* steps of the run in one of theirs, each a multiple of the one before; 0: no such run */
    int order;                /* of the method in time */
    /* Distances of two runs of the kind, and what they are relative to: the largest so far of each is taken. */
    void (*distance)(double distance[WY_RICHARDSON_NORMS], double size[WY_RICHARDSON_NORMS], void *run, void *coarser);
    /* One with the steps of the first of them and fewer (or more) elements, which tells the error of these; NULL:
     * there are none, or they are exact. `elements`: those of the run, and of that one. Its distance to the first,
     * by the same sizes. */
    const void *other_mesh;
    double elements[2];
    void (*distance_in_space)(double distance[WY_RICHARDSON_NORMS], void *run, void *other);
    /* What the run misses of its inputs within its last step, from t - dt to t, and still has to show of the steps
     * before, in the units of `distance`: coarse runs do not see it between the times at which they meet. NULL:
     * nothing. (12.18) */
    void (*missed)(double missed[WY_RICHARDSON_NORMS], void *run, double t, double dt);
    const char *note; /* what is said with a step that would do; NULL: nothing */
} wy_richardson;

/* The row of a parameter table that asks for it. */
#define WY_RICHARDSON_PARAM(config, member)                                                                        \
    {                                                                                                              \
        .key = "estimate", .doc = "Let coarser runs go beside this one and tell its error; false saves the time.", \
        .type = WY_TYPE_BOOL, .default_text = "true", .offset = offsetof(config, member)                           \
    }

/* wy_march_run with channels of its estimated error, and a warning where that is large or unknown. */
wy_status wy_march_run_estimated(const wy_kind *kind, const void *config, const wy_richardson *richardson,
                                 const wy_sink *sink, wy_error *err);

#endif
