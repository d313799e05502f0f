/* The error of a run u that its distances from three coarser ones show. docs/math/certificate.md, "Coarse runs".
 *
 *   a: half of the elements, twice the step      c: those elements, four times the step
 *   b: about a quarter of the elements, not nested in a, four times the step                              (12.2)
 *
 * or, where u has few elements, a finer and a coarser one (12.9). Internal. */
#ifndef WY_ESTIMATE_COARSE_ERROR_H
#define WY_ESTIMATE_COARSE_ERROR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "estimate/richardson.h"

enum { WY_COARSE_A, WY_COARSE_C, WY_COARSE_B, WY_COARSE_RUNS };

/* Distances so far: maxima, or sums of squares times the time that they lasted. `ua_b` is ua for as long as there
 * was a b, `ua_c` a c. `fourth`: the fourth difference of the run's own values from step to step. */
typedef struct wy_coarse_gaps {
    double ua, ua_b, ua_c, ab, ac, cb, uc, fourth;
} wy_coarse_gaps;

/* How the runs differ from u, and for how long they were there. */
typedef struct wy_coarse_levels {
    bool refined_in_time;            /* few steps: the coarse runs' are not longer but shorter */
    bool coarser[2];                 /* a has fewer elements than u, b than a */
    bool b_was_lost;                 /* b failed, or cost too much */
    double ratio[2];                 /* of their elements: u by a, a by b */
    double order;                    /* that the method promises, the lower of space and time */
    double turn_per_step;            /* of the lowest frequency of the rod, rad */
    double last, lasted_b, lasted_c; /* how long there was a run, a b, and a c, s */
} wy_coarse_levels;

/* Motion faster than a radian a step has no order. `ringing` is what a fourth difference from step to step makes of
 * it, sqrt(2)/D of a value and sqrt(2) W/D of a mean over four steps (12.15); 0: such motion does not count. */
#define WY_RINGING_VALUE 0.1396
#define WY_RINGING_MEAN 0.0302

/* The worst of at most eight points, each judged by itself. `seconds`: the distances are sums over them; 0: maxima.
 * `size`: of the quantity; `promise`: its order, at most. */
wy_error_parts wy_coarse_error(const wy_coarse_levels *levels, const wy_coarse_gaps *points, int count, double seconds,
                               double size, double promise, double ringing);

/* What is small is extrapolated further than what is not: half as much again below a fifth of the warning, nothing at
 * the warning, cut off where it is unknown. (12.7) */
double wy_coarse_error_stated(double error);

/* The root of a mean square from its sum over so many seconds. */
static inline double wy_coarse_root_mean(double sum, double seconds) {
    return seconds > 0.0 ? sqrt(sum / seconds) : 0.0;
}

#endif
