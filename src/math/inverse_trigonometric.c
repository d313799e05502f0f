/* asin, acos, atan and atan2: docs/math (9.12)-(9.15). */
#include <math.h>

#include "math/elementary.h"
#include "math/error_free.h"
#include "math/tables/inverse_trigonometric.inc"

/* atan(q + rest), 0 <= q <= 1, as an unevaluated sum.
 * (9.12)  atan q = atan c + atan t,  t = (q - c)/(1 + q c),  c = j/128 the nearest;  below 1/8 the series of q. */
static inline wy_pair atan_pair(double q, double rest) {
    if (q < 0.125) {
        const double z = q * q, z2 = z * z, z4 = z2 * z2;
        const double a = (-1.0 / 3.0 + z * (1.0 / 5.0)) + z2 * (-1.0 / 7.0 + z * (1.0 / 9.0)),
                     b = (-1.0 / 11.0 + z * (1.0 / 13.0)) + z2 * (-1.0 / 15.0 + z * (1.0 / 17.0));
        return (wy_pair){q, rest + q * z * (a + z4 * (b - z4 * (1.0 / 19.0)))};
    }
    const int j = (int)(q * 128.0 + 0.5);
    const double c = j * 0.0078125, t = ((q - c) + rest) / (1.0 + q * c), z = t * t;
    return (wy_pair){atan_table[j][0],
                     atan_table[j][1] + (t + t * z * (-1.0 / 3.0 + z * (1.0 / 5.0 - z * (1.0 / 7.0))))};
}

/* high + low - p, rounded once; p at most high. */
static inline double subtract_pair(double high, double low, wy_pair p) {
    const wy_pair s = wy_ordered_sum(high, -p.high);
    return s.high + ((s.low + low) - p.low);
}

/* (9.13)  atan x = pi/2 - atan(1/x) for x > 1, with the remainder of the division. */
double wy_atan(double x) {
    const double a = fabs(x);
    if (a <= 1.0) {
        const wy_pair p = atan_pair(a, 0.0);
        return copysign(p.high + p.low, x);
    }
    if (a > 0x1p66)
        return copysign(HALF_PI_HIGH + HALF_PI_LOW, x);
    if (isnan(x))
        return x + x;
    const double q = 1.0 / a;
    const wy_pair back = wy_two_product(q, a);
    return copysign(subtract_pair(HALF_PI_HIGH, HALF_PI_LOW, atan_pair(q, ((1.0 - back.high) - back.low) * q)), x);
}

/* (9.14)  The angle of (x, y): atan of the smaller over the larger coordinate, measured from the nearer axis. */
double wy_atan2(double y, double x) {
    if (isnan(x) || isnan(y))
        return x + y;
    double u = fabs(x), v = fabs(y);
    double angle;
    if (v == 0.0 || (u == INFINITY && v < INFINITY))
        angle = x < 0.0 || (x == 0.0 && signbit(x)) ? PI_HIGH : 0.0;
    else if (u == 0.0 || (v == INFINITY && u < INFINITY))
        angle = HALF_PI_HIGH;
    else if (u == INFINITY)
        angle = x < 0.0 ? 0x1.2d97c7f3321d2p+1 : 0x1.921fb54442d18p-1; /* 3 pi/4, pi/4 */
    else {
        const double larger = u > v ? u : v, unit = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-500 ? 0x1p600 : 1.0;
        const double n = (u > v ? v : u) * unit, d = larger * unit;
        const double q = n / d;
        if (q < 0x1p-66) {
            if (u > v)
                angle = x < 0.0 ? PI_HIGH : v / u; /* a subnormal quotient is rounded once */
            else
                angle = HALF_PI_HIGH;
            return copysign(angle, y);
        }
        const wy_pair back = wy_two_product(q, d);
        const wy_pair p = atan_pair(q, ((n - back.high) - back.low) / d);
        if (u > v)
            angle = x < 0.0 ? subtract_pair(PI_HIGH, PI_LOW, p) : p.high + p.low;
        else if (x < 0.0) {
            const wy_pair s = wy_ordered_sum(HALF_PI_HIGH, p.high);
            angle = s.high + (s.low + (HALF_PI_LOW + p.low));
        } else
            angle = subtract_pair(HALF_PI_HIGH, HALF_PI_LOW, p);
    }
    return copysign(angle, y);
}

/* s z (c0 + c1 z + ...) = asin s - s, z = s^2 at most 1/4. c0 is added last: at most a quarter of the round-off of the
 * other terms enters. */
static inline double asin_remainder(double s, double z) {
    const double *c = asin_rest, z2 = z * z, z4 = z2 * z2;
    const double p = (c[1] + c[2] * z) + z2 * (c[3] + c[4] * z), q = (c[5] + c[6] * z) + z2 * (c[7] + c[8] * z),
                 u = (c[9] + c[10] * z) + z2 * (c[11] + c[12] * z), v = (c[13] + c[14] * z) + z2 * c[15];
    return s * z * (c[0] + z * ((p + z4 * q) + z4 * z4 * (u + z4 * v)));
}

/* (9.15)  asin x = pi/2 - 2 asin sqrt((1 - x)/2) for x > 1/2. Returns 2 s and 2 (asin s - s), s = sqrt z rounded. *lost
 * is the contribution of the rounding error d of the root, which is too small to be added to the second part before the
 * first has cancelled: 2 asin(s + d) = 2 asin s + 2 d (asin s)/s, because only the factor s of the series has an error,
 * z has none. */
static inline wy_pair twice_asin_of_root(double z, double *lost) {
    const double s = sqrt(z);
    const wy_pair back = wy_square(s);
    const double d = s > 0.0 ? ((z - back.high) - back.low) / s : 0.0;
    *lost = d + d * z * (1.0 / 6.0 + 0.09 * z);
    return (wy_pair){2.0 * s, 2.0 * asin_remainder(s, z)};
}

double wy_asin(double x) {
    const double a = fabs(x);
    if (a <= 0.5)
        return x + asin_remainder(x, x * x);
    if (!(a <= 1.0))
        return isnan(x) ? x + x : NAN;
    double lost;
    const wy_pair p = twice_asin_of_root(0.5 * (1.0 - a), &lost);
    return copysign(subtract_pair(HALF_PI_HIGH, HALF_PI_LOW - lost, p), x);
}

double wy_acos(double x) {
    const double a = fabs(x);
    if (a <= 0.5)
        return subtract_pair(HALF_PI_HIGH, HALF_PI_LOW, (wy_pair){x, asin_remainder(x, x * x)});
    if (!(a <= 1.0))
        return isnan(x) ? x + x : NAN;
    double lost;
    const wy_pair p = twice_asin_of_root(0.5 * (1.0 - a), &lost);
    return x > 0.0 ? p.high + (p.low + lost) : subtract_pair(PI_HIGH, PI_LOW - lost, p);
}
