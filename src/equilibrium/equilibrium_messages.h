/* Notes and warnings about an equilibrium. Internal to src/equilibrium. */
#ifndef WY_EQUILIBRIUM_MESSAGES_H
#define WY_EQUILIBRIUM_MESSAGES_H

#include <withy/equilibrium.h>
#include <withy/kind.h>

typedef struct equilibrium_message_context {
    const wy_sink *sink;
    const char *where; /* prefix: "last_end.twist = 3: ", or empty */
    const wy_equilibrium *solver;
    const wy_rod_definition *rod;
} equilibrium_message_context;

/* Warns of errors of shape, force and moment that a plot would show, and of forces or moments out of balance by more
 * than the error. */
void wy_equilibrium_warn_error(const equilibrium_message_context *context, const wy_equilibrium_errors *errors);

/* Notes that the equilibrium was found by its energy, the difference of the two codes, and the equilibrium that was
 * left for it; `potential` is that of the solution. */
void wy_equilibrium_note_energy(const equilibrium_message_context *context, double potential);

/* Warns that the equilibrium is unstable, and what to do; returns whether it is. */
bool wy_equilibrium_warn_stability(const equilibrium_message_context *context);

/* Warns that a closed rod has another link than requested. */
void wy_equilibrium_warn_link(const equilibrium_message_context *context);

#endif
