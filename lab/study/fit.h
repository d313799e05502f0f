/* Convergence rate: slope of a straight line through points in logarithmic axes. */
#ifndef WY_FIT_H
#define WY_FIT_H

#include <stddef.h>

/* Least-squares slope of log(error) against log(step), as `polyfit` of degree one computes it. */
double wy_fit_rate(const double *step, const double *error, size_t count);

#endif
