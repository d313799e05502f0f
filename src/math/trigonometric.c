/* sin and cos: docs/math (9.9), (9.10). */
#include <math.h>

#include "math/angle_reduction.h"
#include "math/elementary.h"
#include "math/tables/sine_cosine.inc"

/* Both functions at a + rest, 0 <= a <= pi/4: head + tail, not yet added up, so that the sum rounds once.
 * (9.9)  sin(j/128 + d) = S + (C sin d - S (1 - cos d)),  cos(j/128 + d) = C - (S sin d + C (1 - cos d)),  |d| <= 1/256. */
typedef struct unsummed {
    double head, tail;
} unsummed;

typedef struct small_angle {
    const double *row;
    double sine, versine; /* sin d, 1 - cos d */
} small_angle;

static inline small_angle near_table(double a, double rest) {
    const int j = (int)(a * 128.0 + 0.5);
    const double d = (a - j * 0.0078125) + rest, z = d * d;
    return (small_angle){sin_cos_table[j], d - d * z * (1.0 / 6.0 - z * (1.0 / 120.0)),
                         z * (0.5 - z * (1.0 / 24.0 - z * (1.0 / 720.0)))};
}

static inline unsummed cosine_from(small_angle n) {
    return (unsummed){n.row[2], n.row[3] - (n.row[0] * n.sine + n.row[2] * n.versine)};
}

static inline unsummed sine_from(small_angle n) {
    return (unsummed){n.row[0], n.row[1] + (n.row[2] * n.sine - n.row[0] * n.versine)};
}

/* Below 1/16 the table's S is too small against C sin d: the series (9.10) from a itself. */
static inline unsummed sine_series(double a, double rest) {
    const double z = a * a, z2 = z * z;
    const double p = (-1.0 / 6.0 + z * (1.0 / 120.0)) + z2 * (-1.0 / 5040.0 + z * (1.0 / 362880.0));
    return (unsummed){a, rest + a * z * p};
}

/* |x| < 1/8, where most angles of thin elements are: at once, with a term more. */
static inline double small_sine(double x) {
    const double z = x * x, z2 = z * z;
    const double p =
        (-1.0 / 6.0 + z * (1.0 / 120.0)) + z2 * ((-1.0 / 5040.0 + z * (1.0 / 362880.0)) - z2 * (1.0 / 39916800.0));
    return copysign(x + x * z * p, x); /* so that -0 stays */
}

/* sin of x + quarters pi/2. By the table, cos a is what sin a becomes for (S, C) -> (C, -S). */
static inline double sine_after(double x, unsigned quarters) {
    if (!(fabs(x) <= DBL_MAX))
        return x - x;
    const wy_quarter_turn q = wy_reduce_angle(x);
    const unsigned quadrant = q.quadrant + quarters, odd = quadrant & 1u;
    const double sign = quadrant & 2u ? -1.0 : 1.0;
    const double a = fabs(q.rest.high), rest = copysign(1.0, q.rest.high) * q.rest.low;
    if (a < 0.0625 && !odd) {
        const unsummed u = sine_series(q.rest.high, q.rest.low);
        return sign * (u.head + u.tail);
    }
    const small_angle n = near_table(a, rest);
    const double *own = n.row + 2u * odd, other = n.row[2u - 2u * odd] * (odd ? -1.0 : 1.0);
    const double value = own[0] + (own[1] + (other * n.sine - own[0] * n.versine));
    return sign * (odd ? value : copysign(value, q.rest.high));
}

double wy_sin(double x) {
    if (fabs(x) < 0.125)
        return small_sine(x);
    return sine_after(x, 0);
}

double wy_cos(double x) {
    return sine_after(x, 1);
}

void wy_sincos(double x, double *sine, double *cosine) {
    if (!(fabs(x) <= DBL_MAX)) {
        *sine = *cosine = x - x;
        return;
    }
    const wy_quarter_turn q = wy_reduce_angle(x);
    const double a = fabs(q.rest.high), rest = copysign(1.0, q.rest.high) * q.rest.low;
    const small_angle n = near_table(a, rest);
    const unsummed s = a < 0.0625 ? sine_series(a, rest) : sine_from(n), c = cosine_from(n);
    const double sin_rest = fabs(x) < 0.125 ? small_sine(x) : copysign(s.head + s.tail, q.rest.high),
                 cos_rest = c.head + c.tail;
    const double first = q.quadrant & 1u ? cos_rest : sin_rest, second = q.quadrant & 1u ? sin_rest : cos_rest;
    *sine = q.quadrant & 2u ? -first : first;
    *cosine = (q.quadrant + 1u) & 2u ? -second : second;
}
