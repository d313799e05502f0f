/* An angle modulo pi/2, as a sum of two doubles: docs/math (9.7), (9.8). */
#ifndef WY_MATH_ANGLE_REDUCTION_H
#define WY_MATH_ANGLE_REDUCTION_H

#include <math.h>

#include "math/error_free.h"
#include "math/tables/angle.inc"

typedef struct wy_quarter_turn {
    wy_pair rest;      /* x - (quadrant + 4 n) pi/2, at most pi/4 up to round-off */
    unsigned quadrant; /* 0 to 3 */
} wy_quarter_turn;

/* For finite |x| >= 2^20. */
wy_quarter_turn wy_reduce_large_angle(double x);

/* (9.7) Cody and Waite: x - k pi/2 with pi/2 in four pieces, of which three have exact multiples; |k| <= 2^20. No
 * double below 2^21 is nearer to a multiple of pi/2 than 2^-62, so that the remainder has 70 correct bits. If the
 * remainder is larger than 2^-16 and |k| < 1024, two pieces suffice. */
static inline wy_quarter_turn wy_subtract_quarters(double x) {
    const double shifted = x * TWO_OVER_PI + 0x1.8p52, k = shifted - 0x1.8p52, first = x - k * HALF_PI_1;
    const unsigned quadrant = (unsigned)wy_bits(shifted) & 3u;
    if (fabs(first) > 0x1p-16 && fabs(k) < 1024.0)
        return (wy_quarter_turn){wy_ordered_sum(first, -k * HALF_PI_REST), quadrant};
    const wy_pair a = wy_two_sum(first, -k * HALF_PI_2), b = wy_two_sum(a.high, -k * HALF_PI_3);
    return (wy_quarter_turn){wy_ordered_sum(b.high, (a.low + b.low) - k * HALF_PI_4), quadrant};
}

/* For any finite x. */
static inline wy_quarter_turn wy_reduce_angle(double x) {
    const double a = fabs(x);
    if (a <= 0x1.921fb54442d18p-1)
        return (wy_quarter_turn){{x, 0.0}, 0};
    return a < 0x1p20 ? wy_subtract_quarters(x) : wy_reduce_large_angle(x);
}

#endif
