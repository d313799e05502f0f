/* Least squares in logarithmic axes. */
#include "study/fit.h"

#include <math.h>

double wy_fit_rate(const double *step, const double *error, size_t count) {
    double mx = 0.0, my = 0.0, sxx = 0.0, sxy = 0.0;
    for (size_t i = 0; i < count; i++) {
        mx += log(step[i]) / (double)count;
        my += log(error[i]) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        sxx += (log(step[i]) - mx) * (log(step[i]) - mx);
        sxy += (log(step[i]) - mx) * (log(error[i]) - my);
    }
    return sxy / sxx;
}
