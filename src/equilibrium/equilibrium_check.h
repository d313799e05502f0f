/* Whether a rod has an equilibrium that can be asked for. Internal to the library. */
#ifndef WY_EQUILIBRIUM_CHECK_H
#define WY_EQUILIBRIUM_CHECK_H

#include <withy/rod.h>

/* wy_equilibrium_check for a rod that is taken as it is at t = 0: what varies in time is not refused. */
wy_status wy_equilibrium_check_at_start(const wy_rod_definition *definition, wy_error *err);

#endif
