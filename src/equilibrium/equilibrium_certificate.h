/* What the mesh of an equilibrium can show, beside the error of what it shows. Internal to src/equilibrium and src/branches. */
#ifndef WY_REST_CERTIFICATE_H
#define WY_REST_CERTIFICATE_H

#include <withy/equilibrium.h>

/* Rows of a table of channels from `first` on. */
enum { WY_REST_CERTIFICATE = 3 };
#define WY_REST_CERTIFICATE_ROWS(first)                                                                          \
    [first] = {.group = "certificate",                                                                           \
               .name = "turn_per_element",                                                                       \
               .unit = "rad",                                                                                    \
               .doc = "Largest bend or twist within an element."},                                               \
    [first + 1] = {.group = "certificate",                                                                       \
                   .name = "element_by_layer",                                                                   \
                   .unit = "1",                                                                                  \
                   .doc = "Largest length of an element, relative to the bending layer sqrt(EI/T) there; 0: no " \
                          "tension."},                                                                           \
    [first + 2] = {.group = "certificate", .name = "layer_at", .unit = "m", .doc = "Where that is."}

/* Their values for the states (13 numbers) at `count` nodes s. */
void wy_equilibrium_certificate(double *const values[WY_REST_CERTIFICATE], const wy_rod_definition *rod,
                                const double *s, const double *states, size_t count);

#endif
