/* Shared by sections of one material: its parameters, and rigidities from geometry. Internal to src/rod/sections. */
#ifndef WY_SECTION_SOLID_H
#define WY_SECTION_SOLID_H

#include <stddef.h>

#include <withy/section.h>

typedef struct wy_section_solid {
    double E, G, nu, density, shear_correction;
    double a, b; /* the two lengths of the shape */
} wy_section_solid;

/* The geometry of a section: area, second moments about d1 and d2, torsion constant, shear corrections. */
typedef struct wy_section_geometry {
    double A, I1, I2, J, k1, k2, diameter;
} wy_section_geometry;

#define WY_SECTION_MATERIAL(field, rule_, low_, high_, unit_, text, default_)                                       \
    {                                                                                                               \
        .key = #field, .doc = text, .unit = unit_, .type = WY_TYPE_REAL, .rule = rule_, .low = low_, .high = high_, \
        .default_text = default_, .offset = offsetof(wy_section_solid, field)                                       \
    }
#define WY_SECTION_MATERIALS                                                                                         \
    WY_SECTION_MATERIAL(E, WY_RULE_POSITIVE, 0, 0, "Pa", "Young's modulus.", NULL),                                  \
        WY_SECTION_MATERIAL(G, WY_RULE_POSITIVE, 0, 0, "Pa", "Shear modulus; give this or nu.", ""),                 \
        WY_SECTION_MATERIAL(nu, WY_RULE_BETWEEN, -0.999999, 0.5, "1", "Poisson's ratio; give this or G.", ""),       \
        WY_SECTION_MATERIAL(density, WY_RULE_NONNEGATIVE, 0, 0, "kg/m^3", "Mass per volume.", "0"),                  \
        WY_SECTION_MATERIAL(shear_correction, WY_RULE_POSITIVE, 0, 0, "1",                                           \
                            "GA1 = GA2 = this times G times the area; left out: Cowper's coefficient of the shape.", \
                            "")
#define WY_SECTION_LENGTH(key_, field, text)                                                   \
    {                                                                                          \
        .key = key_, .doc = text, .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, \
        .offset = offsetof(wy_section_solid, field)                                            \
    }

/* G and nu of a material, one of which was given. */
wy_status wy_section_moduli(double *G, double *nu, const wy_section_solid *material, wy_error *err);

/* The section of that geometry and material. */
void wy_section_assemble(wy_section *section, const wy_section_solid *material, double G,
                         const wy_section_geometry *geometry);

/* Ring of inner and outer radius (0: the full circle). */
wy_section_geometry wy_section_ring(double inner, double outer, double nu);

#endif
