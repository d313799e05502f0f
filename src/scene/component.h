/* What the numbers of a channel are called, one by one, and their units. Shared by pictures and exports. */
#ifndef WY_COMPONENT_H
#define WY_COMPONENT_H

#include <withy/kind.h>

/* How many components a row of the channel has: the columns of a table, the length of a vector. */
size_t wy_component_count(const wy_channel *channel);

/* The name of component k: x, y, z in space, d1, d2, d3 in the body frame, kappa1 ... nu3 where the description
 * begins with [kappa; nu], first and last for the two ends, otherwise its number. Returns `buffer`. */
const char *wy_component_name(char *buffer, size_t size, const wy_channel *channel, size_t k);

/* Its unit: "rad/m, 1" is one for each half of the components. Returns `buffer`. */
const char *wy_component_unit(char *buffer, size_t size, const wy_channel *channel, size_t k);

#endif
