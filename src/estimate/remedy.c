/* Where an error comes from, and what would lower it. */
#include "estimate/remedy.h"

#include <math.h>

/* Levels that converge faster than with the first order, which is also what is taken where they do not converge at
 * all, and have not lost the answer. */
static bool extrapolates(const wy_error_parts *e) {
    return e->order > 1.0 + 1e-9 && fmax(e->space, e->time) < WY_LOST_LEVEL;
}

/* What is worth a change is worth one of a fifth; orders above 4 are not extrapolated. */
static double finer(double error, double order) {
    return error > WY_TARGET_LEVEL ? fmax(1.2, wy_refinement(error, WY_TARGET_LEVEL, fmin(4.0, order))) : 1.0;
}

wy_remedy wy_remedy_for(const wy_error_parts *e, bool refines) {
    const bool mesh = e->space > WY_TARGET_LEVEL, step = e->time > WY_TARGET_LEVEL;
    wy_remedy r = {.cause = !refines                    ? WY_CAUSE_MODEL
                            : mesh && step              ? WY_CAUSE_BOTH
                            : mesh                      ? WY_CAUSE_MESH
                            : step                      ? WY_CAUSE_STEP
                            : wy_error_is_known(e->all) ? WY_CAUSE_NONE
                                                        : WY_CAUSE_UNKNOWN,
                   .known = refines && extrapolates(e),
                   .mesh = 1.0,
                   .step = 1.0};
    if (r.known) {
        r.mesh = finer(e->space, e->order);
        r.step = finer(e->time, e->order);
    }
    return r;
}
