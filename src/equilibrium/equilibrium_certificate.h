/* The resolution of an equilibrium's mesh, as channels. Internal to src/equilibrium and src/branches. */
#ifndef WY_EQUILIBRIUM_CERTIFICATE_H
#define WY_EQUILIBRIUM_CERTIFICATE_H

#include <withy/equilibrium.h>

/* Rows of a table of channels from `first` on. */
enum { WY_STATIC_CERTIFICATE = 3 };
#define WY_STATIC_CERTIFICATE_ROWS(first)                                                                        \
    [first] = {.group = "certificate",                                                                           \
               .name = "turn_per_element",                                                                       \
               .unit = "rad",                                                                                    \
               .doc = "Largest bend or twist within an element."},                                               \
    [first + 1] = {.group = "certificate",                                                                       \
                   .name = "element_to_layer_ratio",                                                             \
                   .unit = "1",                                                                                  \
                   .doc = "Largest length of an element, relative to the bending layer sqrt(EI/T) there; 0: no " \
                          "tension."},                                                                           \
    [first + 2] = {.group = "certificate", .name = "layer_at", .unit = "m", .doc = "Arc length of that element."}

/* The same for the distance of the rod from itself. */
enum { WY_STATIC_CONTACT = 3 };
#define WY_STATIC_CONTACT_ROWS(first)                                                                                 \
    [first] = {.group = "contact",                                                                                    \
               .name = "self_distance",                                                                               \
               .unit = "m",                                                                                           \
               .doc =                                                                                                 \
                   "Smallest distance of the centre line from itself, without neighbours; -1: it does not come near " \
                   "itself."},                                                                                        \
    [first + 1] = {.group = "contact",                                                                                \
                   .name = "self_distance_at",                                                                        \
                   .unit = "m",                                                                                       \
                   .doc = "s of the two nearest points; -1 if there are none.",                                       \
                   .rank = 1,                                                                                         \
                   .dims = {2}},                                                                                      \
    [first + 2] = {.group = "contact",                                                                                \
                   .name = "passes_through_itself",                                                                   \
                   .unit = "1",                                                                                       \
                   .doc = "1 if that distance is less than the diameter.",                                            \
                   .whole = true}
void wy_equilibrium_contact_values(double *const values[WY_STATIC_CONTACT], const wy_equilibrium_contact *contact);

/* Values of the certificate rows for the states (13 numbers) at `count` nodes s. */
void wy_equilibrium_certificate(double *const values[WY_STATIC_CERTIFICATE], const wy_rod_definition *rod,
                                const double *s, const double *states, size_t count);

#endif
