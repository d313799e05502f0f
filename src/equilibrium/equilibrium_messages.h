/* What is said of an equilibrium beside its numbers. Internal to src/equilibrium. */
#ifndef WY_EQUILIBRIUM_MESSAGES_H
#define WY_EQUILIBRIUM_MESSAGES_H

#include <withy/equilibrium.h>
#include <withy/kind.h>

typedef struct equilibrium_message_context {
    const wy_sink *sink;
    const char *where; /* "last_end.twist = 3: ", or nothing */
    const wy_equilibrium *solver;
    const wy_rod_definition *rod;
} equilibrium_message_context;

/* How large the errors of shape, force and moment are, where a picture would show one; and that forces or moments are out of balance by more than that. */
void wy_equilibrium_warn_error(const equilibrium_message_context *told, const wy_equilibrium_errors *errors);

/* That it was found from its energy, how far the two codes are apart, and which equilibrium was left for it; `potential` is its own. */
void wy_equilibrium_note_energy(const equilibrium_message_context *told, double potential);

/* That it is unstable, and what to do; returns whether it is. */
bool wy_equilibrium_warn_stability(const equilibrium_message_context *told);

/* That a closed rod has other turns than asked. */
void wy_equilibrium_warn_link(const equilibrium_message_context *told);

#endif
