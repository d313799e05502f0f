/* The resolution of an equilibrium's mesh, as channels. Internal to src/equilibrium and src/branches. */
#ifndef WY_EQUILIBRIUM_CERTIFICATE_H
#define WY_EQUILIBRIUM_CERTIFICATE_H

#include <stddef.h>

#include <withy/equilibrium.h>

#include "estimate/resolution.h"
#include "rod/end_forces.h"

/* Values of the certificate and of the distance of the rod from itself, and their rows in a table of channels;
 * `member`: the values in the run. */
typedef struct wy_static_certificate {
    wy_resolution resolution;
    double distance, distance_at[2], through;
} wy_static_certificate;

#define WY_STATIC_CONTACT_ROWS(run, member)                                                                           \
    WY_CHANNEL(run, member.distance, .group = "contact", .name = "self_distance", .unit = "m",                        \
               .doc =                                                                                                 \
                   "Smallest distance of the centre line from itself, without neighbours; -1: it does not come near " \
                   "itself."),                                                                                        \
        WY_CHANNEL(run, member.distance_at, .group = "contact", .name = "self_distance_at", .unit = "m",              \
                   .doc = "s of the two nearest points; -1 if there are none.", .rank = 1, .dims = {2}),              \
        WY_CHANNEL(run, member.through, .group = "contact", .name = "passes_through_itself", .unit = "1",             \
                   .doc = "1 if that distance is less than the diameter.", .whole = true)

/* The forces on the ends of the states at `count` nodes. */
void wy_equilibrium_end_forces(wy_end_forces forces, const double *states, size_t count);

/* The values for the states (13 numbers) at `count` nodes s. */
void wy_equilibrium_certify(wy_static_certificate *values, const wy_rod_definition *rod, const double *s,
                            const double *states, size_t count, const wy_equilibrium_contact *contact);

#endif
