/* Sections of one material: from moduli and geometry to rigidities and inertias. */
#include "rod/sections/section_solid.h"

#include <math.h>

#include "math/constants.h"

wy_status wy_section_moduli(double *G, double *nu, const wy_section_solid *c, wy_error *err) {
    const bool has_G = !isnan(c->G), has_nu = !isnan(c->nu);
    if (has_G == has_nu)
        return wy_fail(err, WY_BAD_INPUT,
                       "a section needs one of 'G' and 'nu' (the other follows from E = 2 G (1 + nu)); %s",
                       has_G ? "both are given" : "neither is given");
    *nu = has_nu ? c->nu : c->E / (2.0 * c->G) - 1.0;
    *G = has_G ? c->G : c->E / (2.0 * (1.0 + c->nu));
    return WY_OK;
}

void wy_section_assemble(wy_section *s, const wy_section_solid *c, double G, const wy_section_geometry *g) {
    const double k1 = isnan(c->shear_correction) ? g->k1 : c->shear_correction,
                 k2 = isnan(c->shear_correction) ? g->k2 : c->shear_correction;
    *s = (wy_section){
        .EI1 = c->E * g->I1,
        .EI2 = c->E * g->I2,
        .GJ = G * g->J,
        .GA1 = k1 * G * g->A,
        .GA2 = k2 * G * g->A,
        .EA = c->E * g->A,
        .rhoI1 = c->density * g->I1,
        .rhoI2 = c->density * g->I2,
        .rhoJ = c->density * (g->I1 + g->I2), /* polar moment, not the torsion constant */
        .rhoA = c->density * g->A,
        .diameter = g->diameter,
    };
}

/* Ring of outer radius b and inner radius a = m b (m = 0: the full circle). Cowper (1966):
 *   k = 6 (1+nu) (1+m^2)^2 / ((7+6nu)(1+m^2)^2 + (20+12nu) m^2)                                  */
wy_section_geometry wy_section_ring(double inner, double outer, double nu) {
    const double m2 = (inner / outer) * (inner / outer), p = (1.0 + m2) * (1.0 + m2);
    const double A = WY_PI * (outer - inner) * (outer + inner);
    const double I = 0.25 * A * (outer * outer + inner * inner);
    const double k = 6.0 * (1.0 + nu) * p / ((7.0 + 6.0 * nu) * p + (20.0 + 12.0 * nu) * m2);
    return (wy_section_geometry){.A = A, .I1 = I, .I2 = I, .J = 2.0 * I, .k1 = k, .k2 = k, .diameter = 2.0 * outer};
}
