/* A march with two coarser ones beside it, which tell its error. docs/math/certificate.md, "Bodies and shafts". Internal. */
#ifndef WY_BASE_BESIDE_H
#define WY_BASE_BESIDE_H

#include "base/march.h"

enum { WY_BESIDE = 2, WY_BESIDE_SIZES = 2 };

typedef struct wy_beside {
    const void *coarse[WY_BESIDE]; /* configurations of the same kind with longer steps; they outlive the run */
    int64_t
        factor[WY_BESIDE]; /* steps of the run in one of theirs, each a multiple of the one before; 0: no such run */
    int order;             /* of the method in time */
    /* Distances of two runs of the kind, and what they are relative to: the largest so far of each is taken. */
    void (*distance)(double distance[WY_BESIDE_SIZES], double size[WY_BESIDE_SIZES], void *run, void *coarser);
    /* One with the steps of the first of them and fewer (or more) elements, which tells the error of these; NULL: there are none, or they are exact.
     * `elements`: those of the run, and of that one. Its distance to the first, by the same sizes. */
    const void *other_elements;
    double elements[2];
    void (*across)(double distance[WY_BESIDE_SIZES], void *run, void *other);
    const char *note; /* what is said with a step that would do; NULL: nothing */
} wy_beside;

/* The row of a parameter table that asks for it. */
#define WY_BESIDE_PARAM(config, member)                                                                            \
    {                                                                                                              \
        .key = "estimate", .doc = "Let coarser runs go beside this one and tell its error; false saves the time.", \
        .type = WY_TYPE_BOOL, .fallback = "true", .offset = offsetof(config, member)                               \
    }

/* wy_march_run with channels that say how sure it is, and a complaint where it is not. */
wy_status wy_march_run_beside(const wy_kind *kind, const void *config, const wy_beside *beside, const wy_sink *sink,
                              wy_error *err);

#endif
