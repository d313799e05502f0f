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
    double surface;          /* height of the still water, along fluid.up, m */
    double depth;            /* of the water, m; NaN: infinitely deep */
    double towards[3];       /* propagation direction of waves of heading 0; its component along `up` is ignored */
    wy_choice waves_in_time; /* factor of the waves */
} wy_load_sea;

#ifdef __cplusplus
}
#endif

#endif
