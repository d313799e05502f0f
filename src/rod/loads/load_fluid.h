/* Shared by water and wind: the keys, and Morison's force. Internal to the library. */
#ifndef WY_LOAD_FLUID_H
#define WY_LOAD_FLUID_H

#include <stddef.h>

#include <withy/rod.h>

/* The rows for the member of type wy_load_fluid of a load's configuration. */
/* clang-format off */
#define WY_FLUID_PARAMS(config_, member) \
    WY_PARAM(config_, member.density, .key = "density", \
             .doc = "Of the fluid: about 1025 for the sea, 1.2 for wind.", .unit = "kg/m^3", .type = WY_TYPE_REAL, \
             .rule = WY_RULE_NONNEGATIVE), \
    WY_PARAM(config_, member.diameter, .key = "diameter", \
             .doc = "Outer diameter of the rod in the fluid; left out: that of the section.", .unit = "m", \
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""), \
    WY_PARAM(config_, member.normal, .key = "normal", .tunable = true, \
             .doc = "Drag coefficient across the rod, for the projected area.", .unit = "1", .type = WY_TYPE_REAL, \
             .rule = WY_RULE_NONNEGATIVE, .default_text = "1.2"), \
    WY_PARAM(config_, member.tangential, .key = "tangential", .tunable = true, \
             .doc = "Drag coefficient along the rod, for the surface area.", .unit = "1", .type = WY_TYPE_REAL, \
             .rule = WY_RULE_NONNEGATIVE, .default_text = "0"), \
    WY_PARAM(config_, member.added_mass, .key = "added_mass", \
             .doc = "Added-mass coefficient across the rod: 1 for a circle.", .unit = "1", .type = WY_TYPE_REAL, \
             .rule = WY_RULE_NONNEGATIVE, .default_text = "0"), \
    WY_PARAM(config_, member.velocity, .key = "velocity", .tunable = true, \
             .doc = "Of the fluid, in space: current or wind.", .unit = "m/s", .type = WY_TYPE_VECTOR, .count = 3, \
             .default_text = "[0, 0, 0]"), \
    WY_PARAM(config_, member.profile, .key = "profile", \
             .doc = "Rows of height (m) and the factor of the velocity there; linear in between, constant " \
             "outside.", .type = WY_TYPE_SAMPLES, .count = 2, .default_text = ""), \
    WY_PARAM(config_, member.up, .key = "up", \
             .doc = "Direction in which heights are measured; its length is set to 1.", .unit = "1", \
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 1]"), \
    WY_PARAM(config_, member.in_time, .key = "in_time", .tunable = true, \
             .doc = "Factor of the fluid velocity in time.", .type = WY_TYPE_CHOICE, .from = &wy_signals, \
             .default_text = "constant")
/* clang-format on */

/* Motion of water at a point besides the current: velocity, acceleration, and the derivatives of component i of both by
 * x_j at 3 i + j. */
typedef struct wy_water {
    double w[3], a[3];
    double dw[9], da[9];
} wy_water;

wy_status wy_fluid_check(const wy_load_fluid *fluid, wy_error *err);
unsigned wy_fluid_varies(const wy_load_fluid *fluid);

/* Adds (11.2) to the wrench; `water` may be NULL: no motion besides the current. */
void wy_fluid_act(wy_wrench *out, const wy_load_fluid *fluid, const wy_material_point *at, const wy_water *water);
double wy_fluid_added_mass(const wy_load_fluid *fluid, const wy_section *section);

#endif
