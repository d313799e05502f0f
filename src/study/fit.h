/* The straight line through points in logarithmic axes: a convergence rate. */
#ifndef WY_FIT_H
#define WY_FIT_H

#include <stddef.h>

/* The least-squares slope of log(error) against log(step), as `polyfit` of degree one gives it. */
double wy_fit_rate(const double *step, const double *error, size_t count);

#endif
