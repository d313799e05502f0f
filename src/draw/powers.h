/* Powers of ten, for axes and bounds. Internal to src/draw. */
#ifndef WY_POWERS_H
#define WY_POWERS_H

#include "math/elementary.h"

/* Right to about 1e-15 of the power: take care at whole ones. */
static inline double log_ten(double x) {
    return wy_log(x) / 2.30258509299404568402;
}

static inline double ten_to(double power) {
    return wy_pow(10.0, power);
}

#endif
