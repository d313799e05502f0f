/* Where an error comes from, and what would lower it to the level that is aimed at. docs/math/certificate.md, "What an
 * estimate says". Internal. */
#ifndef WY_ESTIMATE_REMEDY_H
#define WY_ESTIMATE_REMEDY_H

#include "estimate/richardson.h"

typedef enum wy_error_cause {
    WY_CAUSE_NONE, /* neither of its parts matters */
    WY_CAUSE_MESH,
    WY_CAUSE_STEP,
    WY_CAUSE_BOTH,
    WY_CAUSE_MODEL,  /* no refinement lowers it: elements that are meant to be few, a scheme without an order */
    WY_CAUSE_UNKNOWN /* no level bounds it */
} wy_error_cause;

typedef struct wy_remedy {
    wy_error_cause cause;
    bool known;        /* how much finer is known: the levels converge */
    double mesh, step; /* times as many elements, times as many steps; 1: as they are */
} wy_remedy;

/* `refines`: the method has an order. */
wy_remedy wy_remedy_for(const wy_error_parts *error, bool refines);

#endif
