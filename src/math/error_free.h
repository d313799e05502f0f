/* Sums and products of doubles as a rounded value and its exact rounding error: docs/math (9.1), (9.2). */
#ifndef WY_MATH_ERROR_FREE_H
#define WY_MATH_ERROR_FREE_H

#include <float.h>
#include <stdint.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "withy needs arithmetic that rounds every operation to double (x86: SSE2)"
#endif

/* high + low, |low| at most half an ulp of high. */
typedef struct wy_pair {
    double high, low;
} wy_pair;

/* a + b exactly (9.1): Knuth. */
static inline wy_pair wy_two_sum(double a, double b) {
    const double s = a + b, t = s - a;
    return (wy_pair){s, (a - (s - t)) + (b - t)};
}

/* The same for |a| >= |b| or a = 0: Dekker. */
static inline wy_pair wy_ordered_sum(double a, double b) {
    const double s = a + b;
    return (wy_pair){s, b - (s - a)};
}

/* a in two halves of 26 bits; |a| below 2^996 (Veltkamp). */
static inline wy_pair wy_halves(double a) {
    const double t = 134217729.0 * a, high = t - (t - a);
    return (wy_pair){high, a - high};
}

/* a b exactly (9.2), unless parts of the product are below the smallest double: Dekker. */
static inline wy_pair wy_two_product(double a, double b) {
    const double p = a * b;
    const wy_pair x = wy_halves(a), y = wy_halves(b);
    return (wy_pair){p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

static inline wy_pair wy_square(double a) {
    const double p = a * a;
    const wy_pair x = wy_halves(a);
    return (wy_pair){p, ((x.high * x.high - p) + 2.0 * x.high * x.low) + x.low * x.low};
}

static inline uint64_t wy_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double wy_from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^e for e in [-1022, 1023]. */
static inline double wy_power_of_two(int64_t e) {
    return wy_from_bits((uint64_t)(e + 1023) << 52);
}

#endif
