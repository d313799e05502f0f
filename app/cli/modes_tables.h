/* What `withy modes` prints. */
#ifndef WITHY_MODES_TABLES_H
#define WITHY_MODES_TABLES_H

#include <withy/modes.h>

/* Frequencies with errors and damping; the same of a singular solution, without. `where`: what they are of. */
void modes_print(const wy_modes *modes, const char *where);
void modes_print_singular(const char *where, const wy_equilibrium_modes *modes, size_t count);

/* The answer to shaking as CSV, or its peaks; whirl and critical speeds. */
void modes_print_response(const wy_modes *modes);
void modes_print_peaks(const wy_modes *modes);
void modes_print_whirl(const wy_modes *modes);

#endif
