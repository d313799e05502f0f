/* What levels of a discretisation tell of its error: the one place where differences between runs become errors.
 * docs/math/certificate.md, "From differences to errors".
 *
 * An answer whose error falls like h^p: of the difference between two levels of the ratio q the finer one is off by
 * 1/(q^p - 1), the coarser one by 1/(1 - q^-p). A third level tells p. Internal. */
#ifndef WY_ESTIMATE_RICHARDSON_H
#define WY_ESTIMATE_RICHARDSON_H

#include <stdbool.h>

#include "base/lab_api.h"

/* Relative errors from here on, and those that are cut off there, are unknown: the levels do not bound them. */
#define WY_ERROR_UNKNOWN 1.0
static inline bool wy_error_is_known(double error) {
    return error >= 0.0 && error < WY_ERROR_UNKNOWN;
}

/* Above this an answer is called unsure. */
#define WY_WARNING_LEVEL 0.05
/* What a proposed mesh or step aims at: with as much from the other of the two, an estimate that is off by two stays
 * below the warning. */
#define WY_TARGET_LEVEL (0.2 * WY_WARNING_LEVEL)
/* By how much more is stated than levels show: half of the error is what the next term of the series may add. */
#define WY_ERROR_MARGIN 1.5
/* A run whose difference is above this part of the scale has lost the answer: phases are off by a radian and more. */
#define WY_LOST_LEVEL 0.3

/* An error, the parts of elements and step, and the order with which levels of them lower it. */
typedef struct wy_error_parts {
    double all, space, time;
    double order;
} wy_error_parts;

/* The order, from `least` to `most`, with which levels come together: q[0] the ratio of u to a, q[1] of a to b;
 * seen = |a - b| / |u - a|. (12.3) */
WY_LAB_API double wy_order_seen(double seen, const double q[2], double least, double most);

/* The parts of a difference between two levels of the ratio q, at the order p. */
WY_LAB_API double wy_part_of_finer(double q, double p);
double wy_part_of_coarser(double q, double p);

/* How many times finer, at the order p, an error comes down to `target`; 1 where it is there. */
double wy_refinement(double error, double target, double p);

/* An error in words: "by about 3.1 %", or "by an unknown amount". */
void wy_error_in_words(char *text, unsigned long size, double error);
/* A part of one: "3.14 %", or "unknown". */
void wy_error_part_in_words(char *text, unsigned long size, double error);

#endif
