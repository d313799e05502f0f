/* Least squares in logarithmic axes. */
#include "study/fit.h"

#include "math/elementary.h"

double wy_fit_rate(const double *step, const double *error, size_t count) {
    double mx = 0.0, my = 0.0, sxx = 0.0, sxy = 0.0;
    for (size_t i = 0; i < count; i++) {
        mx += wy_log(step[i]) / (double)count;
        my += wy_log(error[i]) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        sxx += (wy_log(step[i]) - mx) * (wy_log(step[i]) - mx);
        sxy += (wy_log(step[i]) - mx) * (wy_log(error[i]) - my);
    }
    return sxy / sxx;
}
