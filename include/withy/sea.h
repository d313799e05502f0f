/* The load `sea` of a rod: water in waves and a current. docs/math/laws.md, "Waves". */
#ifndef WITHY_SEA_H
#define WITHY_SEA_H

#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_load_sea {
    wy_load_fluid fluid;     /* the water, the coefficients and the current */
    wy_samples waves;        /* rows (amplitude, period, phase, heading): m, s, rad, rad */
    double surface;          /* height of the water when it is still, along fluid.up, m */
    double depth;            /* of the water, m; NaN: deeper than any wave reaches */
    double towards[3];       /* where waves of heading 0 run; what it has along `up` is left out */
    wy_choice waves_in_time; /* what the waves are multiplied by */
} wy_load_sea;

#ifdef __cplusplus
}
#endif

#endif
