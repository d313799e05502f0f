/* The cross-section of a rod: rigidities, inertia per unit length, and shapes that give them. docs/math, "Statics". */
#ifndef WITHY_SECTION_H
#define WITHY_SECTION_H

#include <withy/param.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rigidities and inertias of a cross-section. Axes 1 and 2 lie in the section along d1 and d2, axis 3 is the tangent
 * d3 of the undeformed rod. EI1 resists bending ABOUT d1, GA1 resists shear ALONG d1. Plain numbers: set them
 * directly, or from a shape and a material by wy_section_make. */
typedef struct wy_section {
    double EI1, EI2;           /* bending rigidity about d1 and d2, N m^2 */
    double GJ;                 /* torsional rigidity about d3, N m^2 */
    double GA1, GA2;           /* shear rigidity along d1 and d2, shear correction included, N */
    double EA;                 /* extensional rigidity along d3, N */
    double rhoI1, rhoI2, rhoJ; /* moments of inertia per unit length about d1, d2, d3, kg m; statics ignores them */
    double rhoA;               /* mass per unit length, kg/m; statics uses it for gravity only */
    double diameter; /* smallest distance between two parts of the rod without contact, m; 0 = contact is not checked */
} wy_section;

/* Checks a section: the six rigidities must be finite and positive, the inertias and the diameter finite and not
 * negative. The error names the number. */
WY_API wy_status wy_section_check(const wy_section *section, wy_error *err);

/* The rigidities in the order of the strain, K = diag(EI1, EI2, GJ, GA1, GA2, EA), and the inertias in the order of the
 * velocity, diag(rhoI1, rhoI2, rhoJ, rhoA, rhoA, rhoA). Either output may be NULL. */
WY_API void wy_section_diagonals(double K[6], double inertia[6], const wy_section *section);

typedef enum wy_outline { WY_OUTLINE_ELLIPSE, WY_OUTLINE_RECTANGLE } wy_outline;

/* What is seen of a section. */
typedef struct wy_section_outline {
    wy_outline outline;
    double half_width[2]; /* along d1 and d2, m */
    double bore;          /* inner over outer radius of a tube; 0: solid */
} wy_section_outline;

/* A shape of a section: computes a wy_section from its parameters. */
typedef struct wy_section_shape {
    wy_entry entry;
    wy_status (*make)(wy_section *section, const void *config, wy_error *err);
    /* How the section is drawn; widths of 0: the parameters do not say. NULL: an ellipse with the section's EI/EA. */
    void (*outline)(wy_section_outline *outline, const void *config);
} wy_section_shape;

/* All shapes: `rigidities` (given as numbers), `circle`, `tube`, `rectangle`, `ellipse`. */
extern WY_API const wy_catalogue wy_section_shapes;

/* The section of a choice from wy_section_shapes, checked. */
WY_API wy_status wy_section_make(wy_section *section, const wy_choice *shape, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
