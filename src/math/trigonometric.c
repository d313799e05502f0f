/* sin and cos: docs/math (9.9), (9.10). */
#include <math.h>

#include "math/angle_reduction.h"
#include "math/elementary.h"
#include "math/tables/sine_cosine.inc"

/* Sine and cosine at a + rest, 0 <= a <= pi/4, as the unevaluated sum head + tail, so that the sum rounds once.
 * (9.9)  sin(j/128 + d) = S + (C sin d - S (1 - cos d)),  cos(j/128 + d) = C - (S sin d + C (1 - cos d)),
 *   |d| <= 1/256. */
typedef struct sum_pair {
    double head, tail;
} sum_pair;

typedef struct table_angle {
    const double *row;
    double sine, versine; /* sin d, 1 - cos d */
} table_angle;

static inline table_angle nearest_table_angle(double a, double rest) {
    const int j = (int)(a * 128.0 + 0.5);
    const double d = (a - j * 0.0078125) + rest, z = d * d;
    return (table_angle){sin_cos_table[j], d - d * z * (1.0 / 6.0 - z * (1.0 / 120.0)),
                         z * (0.5 - z * (1.0 / 24.0 - z * (1.0 / 720.0)))};
}

static inline sum_pair cosine_from_table(table_angle n) {
    return (sum_pair){n.row[2], n.row[3] - (n.row[0] * n.sine + n.row[2] * n.versine)};
}

static inline sum_pair sine_from_table(table_angle n) {
    return (sum_pair){n.row[0], n.row[1] + (n.row[2] * n.sine - n.row[0] * n.versine)};
}

/* Below 1/16 the table's S is too small relative to C sin d: the series (9.10) in a. */
static inline sum_pair sine_series(double a, double rest) {
    const double z = a * a, z2 = z * z;
    const double p = (-1.0 / 6.0 + z * (1.0 / 120.0)) + z2 * (-1.0 / 5040.0 + z * (1.0 / 362880.0));
    return (sum_pair){a, rest + a * z * p};
}

/* |x| < 1/8, which covers most angles of short elements: the series directly, with one more term. */
static inline double small_sine(double x) {
    const double z = x * x, z2 = z * z;
    const double p =
        (-1.0 / 6.0 + z * (1.0 / 120.0)) + z2 * ((-1.0 / 5040.0 + z * (1.0 / 362880.0)) - z2 * (1.0 / 39916800.0));
    return copysign(x + x * z * p, x); /* keeps -0 */
}

/* sin(x + quarters pi/2). In the table formula cos a follows from sin a by (S, C) -> (C, -S). */
static inline double sine_of_shifted(double x, unsigned quarters) {
    if (!(fabs(x) <= DBL_MAX))
        return x - x;
    const wy_quarter_turn q = wy_reduce_angle(x);
    const unsigned quadrant = q.quadrant + quarters, odd = quadrant & 1u;
    const double sign = quadrant & 2u ? -1.0 : 1.0;
    const double a = fabs(q.rest.high), rest = copysign(1.0, q.rest.high) * q.rest.low;
    if (a < 0.0625 && !odd) {
        const sum_pair u = sine_series(q.rest.high, q.rest.low);
        return sign * (u.head + u.tail);
    }
    const table_angle n = nearest_table_angle(a, rest);
    const double *same = n.row + 2u * odd, other = n.row[2u - 2u * odd] * (odd ? -1.0 : 1.0);
    const double value = same[0] + (same[1] + (other * n.sine - same[0] * n.versine));
    return sign * (odd ? value : copysign(value, q.rest.high));
}

double wy_sin(double x) {
    if (fabs(x) < 0.125)
        return small_sine(x);
    return sine_of_shifted(x, 0);
}

double wy_cos(double x) {
    return sine_of_shifted(x, 1);
}

void wy_sincos(double x, double *sine, double *cosine) {
    if (!(fabs(x) <= DBL_MAX)) {
        *sine = *cosine = x - x;
        return;
    }
    const wy_quarter_turn q = wy_reduce_angle(x);
    const double a = fabs(q.rest.high), rest = copysign(1.0, q.rest.high) * q.rest.low;
    const table_angle n = nearest_table_angle(a, rest);
    const sum_pair s = a < 0.0625 ? sine_series(a, rest) : sine_from_table(n), c = cosine_from_table(n);
    const double sin_rest = fabs(x) < 0.125 ? small_sine(x) : copysign(s.head + s.tail, q.rest.high),
                 cos_rest = c.head + c.tail;
    const double first = q.quadrant & 1u ? cos_rest : sin_rest, second = q.quadrant & 1u ? sin_rest : cos_rest;
    *sine = q.quadrant & 2u ? -first : first;
    *cosine = (q.quadrant + 1u) & 2u ? -second : second;
}
