/* What the companions of a run may cost: half of it. docs/math/certificate.md, "Cost". */
#ifndef WY_CERTIFICATE_THRIFT_H
#define WY_CERTIFICATE_THRIFT_H

#include <stdbool.h>

#include "motion/certificate/companions.h"

/* Steps: runs of fewer take no time. */
enum { WY_SHORT_RUN = 100 };

/* What has been spent so far, in iterations of an element, and by whom. */
typedef struct wy_thrift {
    double run, elements;  /* by the run itself, which has so many elements ... */
    double taken, planned; /* ... and has taken so many of its steps */
    double spent[WY_COMPANIONS];
    double usual[WY_COMPANIONS]; /* a companion's elements and steps by the run's */
    bool alive[WY_COMPANIONS];
    bool few; /* (12.9): few elements, for which a has more of them */
} wy_thrift;

/* What is left for companion i: below 0 it is not worth going on with. */
double wy_thrift_left(const wy_thrift *thrift, int i);

#endif
