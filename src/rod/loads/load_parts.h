/* Pieces that loads and loaded ends share: a force and a moment, dead or turning with the section, with their tangents. */
#ifndef WY_LOAD_PARTS_H
#define WY_LOAD_PARTS_H

#include <stdbool.h>

#include <withy/rod.h>

#include "base/signal_value.h"

/* Adds factor * F to the force (row 0) or the moment (row 3) of the point. A following vector is in the body frame: it
 * acts as D F, and turning by phi at the end of the step changes it by half phi x (D1 F). */
void wy_load_add(wy_load_point *point, int row, const double F[3], double factor, bool following);

/* Scale of a load by its signal at the point's time. */
static inline double wy_load_scale(const wy_choice *in_time, const wy_load_point *point) {
    return wy_signal_value(in_time, point->t);
}

#endif
