/* What is said of an equilibrium beside its numbers. Internal to src/equilibrium. */
#ifndef WY_REST_REMARKS_H
#define WY_REST_REMARKS_H

#include <withy/equilibrium.h>
#include <withy/kind.h>

typedef struct beam_told {
    const wy_sink *sink;
    const char *where; /* "last_end.twist = 3: ", or nothing */
    const wy_equilibrium *solver;
    const wy_rod_definition *rod;
} beam_told;

/* How large the errors of shape, force and moment are, where a picture would show one; and that forces or moments are out of balance by more than that. */
void wy_equilibrium_tell_error(const beam_told *told, const wy_equilibrium_errors *errors);

/* That it was found from its energy, how far the two codes are apart, and which equilibrium was left for it; `potential` is its own. */
void wy_equilibrium_tell_energy(const beam_told *told, double potential);

/* That it is unstable, and what to do; returns whether it is. */
bool wy_equilibrium_tell_stability(const beam_told *told);

/* That a closed rod has other turns than asked. */
void wy_equilibrium_tell_link(const beam_told *told);

#endif
