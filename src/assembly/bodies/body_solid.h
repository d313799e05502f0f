/* What the solid shapes of rigid bodies have in common: a mass, or a density. */
#ifndef WY_BODY_SOLID_H
#define WY_BODY_SOLID_H

#include <withy/assembly.h>

/* Of shapes; not all use both lengths, or the size. */
typedef struct wy_body_solid {
    double mass, density; /* one of them; NaN: the other */
    double radius, length, size[3];
} wy_body_solid;

/* clang-format off */
#define WY_BODY_MASS \
    WY_PARAM(wy_body_solid, mass, .key = "mass", .doc = "Mass; left out: density times volume.", .unit = "kg", \
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""), \
    WY_PARAM(wy_body_solid, density, .key = "density", .doc = "Density, instead of the mass.", .unit = "kg/m^3", \
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = "")
#define WY_BODY_LENGTH(member, text) \
    WY_PARAM(wy_body_solid, member, .key = #member, .doc = text, .unit = "m", .type = WY_TYPE_REAL, \
             .rule = WY_RULE_POSITIVE)
/* clang-format on */

/* The mass of a solid of this volume. */
wy_status wy_body_solid_mass(double *mass, const wy_body_solid *solid, double volume, wy_error *err);

#endif
