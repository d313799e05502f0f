/* Arguments for tests of the elementary functions: every size, every hard place. */
#ifndef WY_TEST_ARGUMENTS_H
#define WY_TEST_ARGUMENTS_H

#include <float.h>

#include "math/elementary.h"
#include "math/error_free.h"
#include "support/suite.h"

typedef double draw(uint64_t *seed);

/* Any bit pattern, so every size alike, with numbers below the smallest normal one. */
static inline double any(uint64_t *seed) {
    double x;
    do
        x = wy_from_bits(random_bits(seed));
    while (!isfinite(x));
    return x;
}

/* Of any size between 2^-40 and 2^40, either sign. */
static inline double middling(uint64_t *seed) {
    const uint64_t r = random_bits(seed);
    const double x = (1.0 + (double)(r >> 12) * 0x1p-52) * wy_power_of_two((int64_t)(random_bits(seed) % 81) - 40);
    return r & 1 ? -x : x;
}

static inline double turn(uint64_t *seed) {
    return random_in(seed, -7.0, 7.0);
}

static inline double many_turns(uint64_t *seed) {
    return random_in(seed, -2e6, 2e6);
}

/* The double beside a multiple of pi/2, where sin, cos or tan lose most. */
static inline double near_a_quarter(uint64_t *seed) {
    const uint64_t digits = random_bits(seed), size = random_bits(seed) % 50;
    const double k = (double)(digits >> (12 + size));
    return (double)((long double)k * 1.57079632679489661923132169163975144L) *
           (1.0 + (double)((int64_t)(random_bits(seed) % 5) - 2) * DBL_EPSILON);
}

static inline double within_one(uint64_t *seed) {
    return random_in(seed, -1.0, 1.0);
}

static inline double small(uint64_t *seed) {
    const double x = middling(seed);
    return fabs(x) > 1.0 ? 1.0 / x : x;
}

static inline double near_one(uint64_t *seed) {
    const double x = fabs(small(seed));
    return random_bits(seed) & 1 ? 1.0 - x : x - 1.0;
}

static inline double exponent(uint64_t *seed) {
    return random_in(seed, -746.0, 710.0);
}

/* Where exp leaves the normal numbers, and where it leaves the numbers. */
static inline double vanishing(uint64_t *seed) {
    return random_bits(seed) & 1 ? random_in(seed, -708.4, -708.39) : random_in(seed, -745.5, -708.0);
}

static inline double positive(uint64_t *seed) {
    return fabs(any(seed));
}

static inline double about_one(uint64_t *seed) {
    return random_in(seed, 0.5, 2.0);
}

static inline double just_about_one(uint64_t *seed) {
    return fabs(1.0 + 0.25 * small(seed));
}

/* A function of one argument, and four ways to draw it. */
typedef struct one_argument_function {
    const char *name;
    double (*ours)(double);
    draw *draws[4];
    double worst; /* error in ulp, promised in docs/math chapter 9 */
} one_argument_function;

static const one_argument_function functions[] = {
    {"exp", wy_exp, {exponent, small, turn, vanishing}, 0.52},
    {"log", wy_log, {positive, about_one, just_about_one, positive}, 0.52},
    {"sin", wy_sin, {any, turn, many_turns, near_a_quarter}, 0.6},
    {"cos", wy_cos, {any, turn, many_turns, near_a_quarter}, 0.6},
    {"tan", wy_tan, {any, turn, many_turns, near_a_quarter}, 0.6},
    {"asin", wy_asin, {within_one, small, near_one, within_one}, 0.66},
    {"acos", wy_acos, {within_one, small, near_one, within_one}, 0.66},
    {"atan", wy_atan, {any, middling, turn, small}, 0.58},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

#endif
