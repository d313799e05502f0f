/* exp, log and pow: docs/math (9.3)-(9.6). */
#include <math.h>
#include <stdbool.h>

#include "math/elementary.h"
#include "math/error_free.h"
#include "math/tables/exponential.inc"
#include "math/tables/logarithm.inc"

#define ROUNDER 0x1.8p52 /* x + this - this is x rounded to an integer, for |x| < 2^51 */

/* 2^e (head + tail), head in [1, 2), where the plain product would round twice or overflow. */
static double scale_near_range_limit(double head, double tail, int64_t e) {
    if (e > 1000) /* e = 1024 is possible with a sum below 1 */
        return (head + tail) * 0x1p1000 * wy_power_of_two(e - 1000);
    if (e < -1078)
        e = -1078; /* well below half the smallest double: the result is 0 */
    /* One rounding to a multiple of 2^-1074: the last digit of `anchor` has this value. */
    const double anchor = e < -1022 ? wy_power_of_two(-1022 - e) : head + tail < 1.0 ? 1.0 : 0.0;
    const wy_pair sum = wy_ordered_sum(anchor, head);
    return (sum.high + (sum.low + tail) - anchor) * 0x1p-500 * wy_power_of_two(e + 500);
}

/* exp(x + rest), |x| below 746, rest a few ulp of x at most (9.3):
 *   x = k ln2/128 + r,  exp x = 2^(k/128) (1 + r + r^2/2 + ... + r^5/120),  |r| <= ln2/256 */
static double exp_of_sum(double x, double rest) {
    const double shifted = x * EXP_STEPS_PER_ONE + ROUNDER, k = shifted - ROUNDER;
    const int64_t step = (int64_t)wy_bits(shifted) - (int64_t)wy_bits(ROUNDER), i = step & 127, e = (step - i) / 128;
    const double r = ((x - k * EXP_STEP_HIGH) - k * EXP_STEP_LOW) + rest, r2 = r * r;
    const double p = r + r2 * ((0.5 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0)));
    const double head = exp_table[i][0], tail = exp_table[i][1] + head * p;
    if (e < -1021 || e > 1022)
        return scale_near_range_limit(head, tail, e);
    return (head + tail) * wy_power_of_two(e);
}

double wy_exp(double x) {
    if (!(fabs(x) < 708.0)) {
        if (isnan(x))
            return x + x;
        if (x > 709.79)
            return INFINITY;
        if (x < -745.14)
            return 0.0;
    }
    return exp_of_sum(x, 0.0);
}

/* x = 2^k z with z in [11/16, 11/8), which lies in cell i of log_table. */
typedef struct log_argument {
    double k, z;
    unsigned i;
} log_argument;

static log_argument reduce_log_argument(uint64_t bits, int64_t shift) {
    const uint64_t from = 0x3fe6000000000000u, beyond = bits - from;
    const uint64_t exponent = beyond & 0xfff0000000000000u;
    const int64_t k = (int64_t)(exponent >> 52) - (int64_t)(exponent >> 63) * 4096;
    return (log_argument){(double)(k + shift), wy_from_bits(bits - exponent), (unsigned)(beyond >> 45) & 127u};
}

/* r = z/c - 1 exactly: 1/c has 24 bits, z is split into two halves. */
static wy_pair table_remainder(double z, double inverse) {
    const double high = wy_from_bits(wy_bits(z) & ~(uint64_t)0x7ffffff), low = z - high;
    return wy_two_sum(high * inverse - 1.0, low * inverse);
}

/* r^3 (1/3 - r/4 + r^2/5 - ...), |r| < 2^-7. */
static double log_tail(double r, double r2) {
    const double a = 1.0 / 3.0 - r * 0.25, b = 0.2 - r * (1.0 / 6.0), c = 1.0 / 7.0 - r * 0.125;
    return r * r2 * (a + r2 * (b + r2 * (c + r2 * (1.0 / 9.0 - r * 0.1))));
}

/* Returns true with the answer for zero, negative, infinite and NaN x. Scales a subnormal x by 2^-shift. */
static bool log_special(double *x, int64_t *shift, double *answer) {
    *shift = 0;
    if (*x >= DBL_MIN && *x <= DBL_MAX)
        return false;
    if (isnan(*x) || *x == INFINITY)
        *answer = *x + *x;
    else if (*x == 0.0)
        *answer = -INFINITY;
    else if (*x < 0.0)
        *answer = NAN;
    else {
        *x *= 0x1p52;
        *shift = -52;
        return false;
    }
    return true;
}

/* (9.4)  log x = k ln2 + log c + log(1 + r);  near 1, k = 0 and c = 1. */
double wy_log(double x) {
    int64_t shift;
    double answer;
    if (log_special(&x, &shift, &answer))
        return answer;
    const log_argument n = reduce_log_argument(wy_bits(x), shift);
    const double *row = log_table[n.i];
    const wy_pair r = table_remainder(n.z, row[0]);
    const double r2 = r.high * r.high;
    const wy_pair sum = wy_ordered_sum(n.k * LN2_HIGH + row[1], r.high);
    const double small = sum.low + (n.k * LN2_LOW + row[2] + r.low);
    return sum.high + (small + (log_tail(r.high, r2) - 0.5 * r2));
}

/* log x to 68 bits (9.5), x positive, normal or scaled to normal. */
static wy_pair log_pair(double x, int64_t shift) {
    const log_argument n = reduce_log_argument(wy_bits(x), shift);
    const double *row = log_table[n.i];
    const wy_pair r = table_remainder(n.z, row[0]), r2 = wy_square(r.high);
    const wy_pair first = wy_ordered_sum(n.k * LN2_HIGH + row[1], r.high),
                  second = wy_ordered_sum(first.high, -0.5 * r2.high);
    const double small = (first.low + second.low) + (n.k * LN2_LOW + row[2] + (r.low - r.high * r.low)) - 0.5 * r2.low;
    return wy_ordered_sum(second.high, small + log_tail(r.high, r2.high));
}

/* 0: y is not an integer, 1: odd, 2: even. */
static int integer_parity(double y) {
    const double a = fabs(y);
    if (a >= 0x1p53)
        return 2;
    if (floor(a) != a)
        return 0;
    return floor(0.5 * a) == 0.5 * a ? 2 : 1;
}

/* Annex F.10.4.4, line by line. */
static double pow_special(double x, double y) {
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (isnan(x) || isnan(y))
        return x + y;
    if (isinf(y)) {
        const double a = fabs(x);
        return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    }
    if (x == 0.0 || isinf(x)) {
        const double size = (x == 0.0) == (y > 0.0) ? 0.0 : INFINITY;
        return integer_parity(y) == 1 ? copysign(size, x) : size;
    }
    return NAN; /* x < 0, y not an integer */
}

/* (9.6)  x^y = exp(y log x), with the product to 68 bits. */
double wy_pow(double x, double y) {
    double sign = 1.0;
    if (!(x > 0.0 && x <= DBL_MAX && fabs(y) <= DBL_MAX) || y == 0.0) {
        const int whole = x < 0.0 && x >= -DBL_MAX && fabs(y) <= DBL_MAX && y != 0.0 ? integer_parity(y) : 0;
        if (!whole)
            return pow_special(x, y);
        sign = whole == 1 ? -1.0 : 1.0;
        x = -x;
    }
    if (x == 1.0)
        return sign;
    int64_t shift = 0;
    if (x < DBL_MIN) {
        x *= 0x1p52;
        shift = -52;
    }
    const wy_pair log = log_pair(x, shift);
    const double size = y * log.high;
    if (!(fabs(size) < 746.0))
        return sign * (size > 0.0 ? INFINITY : 0.0);
    if (fabs(size) < 0x1p-60)
        return sign * (1.0 + size);
    const wy_pair product = wy_two_product(y, log.high); /* |y| < 746 2^53: no overflow in the product */
    const double rest = product.low + y * log.low;
    return sign * exp_of_sum(product.high, rest);
}
