/* Whether an equilibrium of a rod can be solved for. Internal to the library. */
#ifndef WY_EQUILIBRIUM_CHECK_H
#define WY_EQUILIBRIUM_CHECK_H

#include <withy/rod.h>

/* wy_equilibrium_check for a rod frozen at t = 0: time-dependent loads and ends are accepted. */
wy_status wy_equilibrium_check_at_start(const wy_rod_definition *definition, wy_error *err);

#endif
