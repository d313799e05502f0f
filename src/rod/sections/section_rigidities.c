/* Rigidities and inertias given as numbers. */
#include <stddef.h>

#include <withy/section.h>

#define NUMBER(field, rule_, unit_, text, default_)                                                               \
    {                                                                                                             \
        .key = #field, .doc = text, .unit = unit_, .type = WY_TYPE_REAL, .rule = rule_, .default_text = default_, \
        .offset = offsetof(wy_section, field)                                                                     \
    }

static const wy_param rigidities_params[] = {
    NUMBER(EI1, WY_RULE_POSITIVE, "N m^2", "Flexural rigidity about d1.", NULL),
    NUMBER(EI2, WY_RULE_POSITIVE, "N m^2", "Flexural rigidity about d2.", NULL),
    NUMBER(GJ, WY_RULE_POSITIVE, "N m^2", "Torsional rigidity.", NULL),
    NUMBER(GA1, WY_RULE_POSITIVE, "N", "Shear rigidity along d1, shear correction included.", NULL),
    NUMBER(GA2, WY_RULE_POSITIVE, "N", "Shear rigidity along d2, shear correction included.", NULL),
    NUMBER(EA, WY_RULE_POSITIVE, "N", "Extensional rigidity.", NULL),
    NUMBER(rhoI1, WY_RULE_NONNEGATIVE, "kg m", "Moment of inertia about d1 per unit length.", "0"),
    NUMBER(rhoI2, WY_RULE_NONNEGATIVE, "kg m", "Moment of inertia about d2 per unit length.", "0"),
    NUMBER(rhoJ, WY_RULE_NONNEGATIVE, "kg m", "Moment of inertia about d3 per unit length.", "0"),
    NUMBER(rhoA, WY_RULE_NONNEGATIVE, "kg/m", "Mass per unit length.", "0"),
    NUMBER(diameter, WY_RULE_NONNEGATIVE, "m", "Outer diameter, for self-contact; 0: contact is not searched for.",
           "0"),
    {0},
};

static wy_status rigidities_section(wy_section *section, const void *config, wy_error *err) {
    (void)err;
    *section = *(const wy_section *)config;
    return WY_OK;
}

/* The diameter for self-contact is that of a circle. */
static void rigidities_outline(wy_section_outline *outline, const void *config) {
    outline->half_width[0] = outline->half_width[1] = 0.5 * ((const wy_section *)config)->diameter;
}

const wy_section_shape wy_section_is_rigidities = {
    .entry = {.name = "rigidities",
              .doc = "Rigidities and inertias given as numbers.",
              .params = rigidities_params,
              .config_size = sizeof(wy_section)},
    .make = rigidities_section,
    .outline = rigidities_outline,
};
