/* hypot: docs/math (9.16). */
#include <math.h>

#include "math/elementary.h"
#include "math/error_free.h"

/* (9.16)  s = a^2 + b^2 as a pair, h = sqrt(s.high), and one Newton step: h + (s - h^2)/(2 h). */
double wy_hypot(double x, double y) {
    const double u = fabs(x), v = fabs(y);
    if (!(u <= DBL_MAX && v <= DBL_MAX))
        return u == INFINITY || v == INFINITY ? INFINITY : u + v;
    double a = u > v ? u : v, b = u > v ? v : u;
    if (b <= a * 0x1p-54)
        return a + b;
    double scale = 1.0, inverse_scale = 1.0;
    if (a > 0x1p500) {
        scale = 0x1p-600;
        inverse_scale = 0x1p600;
    } else if (b < 0x1p-450) {
        scale = 0x1p600;
        inverse_scale = 0x1p-600;
    }
    a *= scale;
    b *= scale;
    const wy_pair a2 = wy_square(a), b2 = wy_square(b), s = wy_ordered_sum(a2.high, b2.high);
    const double h = sqrt(s.high);
    const wy_pair h2 = wy_square(h);
    const double rest = ((s.high - h2.high) - h2.low) + (s.low + (a2.low + b2.low));
    return (h + rest / (2.0 * h)) * inverse_scale;
}
