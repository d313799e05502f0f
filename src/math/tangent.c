/* tan: docs/math (9.11). */
#include <math.h>

#include "math/angle_reduction.h"
#include "math/elementary.h"
#include "math/tables/tangent.inc"

/* tan(a + rest), 0 <= a <= pi/4, as an unevaluated sum.
 * (9.11)  tan(j/128 + d) = T + (1 + T^2) t/(1 - T t),  t = tan d,  |d| <= 1/256;  below 1/8 the series of a. */
static inline wy_pair tan_pair(double a, double rest) {
    if (a < 0.125) {
        const double z = a * a, z2 = z * z, z4 = z2 * z2;
        const double p = (1.0 / 3.0 + z * (2.0 / 15.0)) + z2 * (17.0 / 315.0 + z * (62.0 / 2835.0)),
                     q = (1382.0 / 155925.0 + z * (21844.0 / 6081075.0)) +
                         z2 * (929569.0 / 638512875.0 + z * (6404582.0 / 10854718875.0));
        return wy_ordered_sum(a, rest * (1.0 + z) + a * z * (p + z4 * q));
    }
    const int j = (int)(a * 128.0 + 0.5);
    const double T = tan_table[j][0], d = (a - j * 0.0078125) + rest, z = d * d;
    const double t = d + d * z * (1.0 / 3.0 + z * (2.0 / 15.0 + z * (17.0 / 315.0)));
    return wy_ordered_sum(T, tan_table[j][1] + (1.0 + T * T) * t / (1.0 - T * t));
}

double wy_tan(double x) {
    if (!(fabs(x) <= DBL_MAX))
        return x - x;
    const wy_quarter_turn q = wy_reduce_angle(x);
    const wy_pair p = tan_pair(fabs(q.rest.high), copysign(1.0, q.rest.high) * q.rest.low);
    double value = p.high;
    if (q.quadrant & 1u) { /* -1/tan, with the remainder of the division */
        const double inverse = 1.0 / p.high;
        const wy_pair back = wy_two_product(inverse, p.high);
        value = -(inverse + (((1.0 - back.high) - back.low) - inverse * p.low) * inverse);
    }
    return q.rest.high < 0.0 || (q.rest.high == 0.0 && signbit(q.rest.high)) ? -value : value;
}
