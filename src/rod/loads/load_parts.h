/* Shared by loads and loaded ends: a force or a moment, dead or following the section. */
#ifndef WY_LOAD_PARTS_H
#define WY_LOAD_PARTS_H

#include <stdbool.h>

#include <withy/rod.h>

#include "base/signal_value.h"

/* Offsets of the halves of a wrench. */
enum { WY_MOMENT = 0, WY_FORCE = 3 };

/* Adds scale F to one half of a wrench: in space components, or in the section's if it follows. */
void wy_wrench_add(wy_wrench *wrench, int half, const double F[3], double scale, bool following);

/* -scale F.x, the potential of a dead force; NaN for one that follows. */
double wy_dead_potential(const double F[3], double scale, bool following, const wy_material_point *at);

#endif
