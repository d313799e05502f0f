/* Maxima that propagate NaN: fmax ignores NaN, and a comparison that accepts NaN lets the next number replace it. */
#ifndef WY_MATH_LARGEST_H
#define WY_MATH_LARGEST_H

#include <math.h>
#include <stddef.h>

/* The larger of a and |b|; NaN if either is NaN. */
static inline double wy_larger(double a, double b) {
    return isnan(a) || fabs(b) <= a ? a : fabs(b);
}

/* The largest |x_i| of n numbers; NaN if one of them is NaN. */
static inline double wy_largest(const double *x, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = wy_larger(most, x[i]);
    return most;
}

#endif
