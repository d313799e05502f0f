/* What the coarse runs of a run may cost: half of it. docs/math/certificate.md, "Cost budget". */
#ifndef WY_ESTIMATE_COST_BUDGET_H
#define WY_ESTIMATE_COST_BUDGET_H

#include <stdbool.h>

#include "estimate/coarse_error.h"

/* Steps: runs of fewer take no time. */
enum { WY_SHORT_RUN = 100 };

/* What has been spent so far, in iterations of an element, and by whom. */
typedef struct wy_cost_budget {
    double run, elements;  /* by the run itself, which has so many elements ... */
    double taken, planned; /* ... and has taken so many of its steps */
    double spent[WY_COARSE_RUNS];
    double usual[WY_COARSE_RUNS]; /* a coarse run's elements and steps by the run's */
    bool alive[WY_COARSE_RUNS];
    bool few; /* (12.9): few elements, for which a has more of them */
} wy_cost_budget;

/* What is left for coarse run i: below 0 it is not worth going on with. */
double wy_cost_budget_left(const wy_cost_budget *budget, int i);

#endif
