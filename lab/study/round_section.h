/* A round section of one material, without shear correction: the section of the rods in studies and benchmarks. */
#ifndef WY_ROUND_SECTION_H
#define WY_ROUND_SECTION_H

#include <withy/section.h>

#include "math/constants.h"

static inline wy_section wy_round_section(double radius, double E, double G, double density) {
    const double A = WY_PI * radius * radius, I = 0.25 * A * radius * radius;
    return (wy_section){.EI1 = E * I,
                        .EI2 = E * I,
                        .GJ = 2.0 * G * I,
                        .GA1 = G * A,
                        .GA2 = G * A,
                        .EA = E * A,
                        .rhoI1 = density * I,
                        .rhoI2 = density * I,
                        .rhoJ = 2.0 * density * I,
                        .rhoA = density * A};
}

/* Section of the soft rod of `000` and `004`: D = 1 cm, E = 1 MPa, G = E/3, 1000 kg/m^3 (`000` prints g/cm^3). The rod
 * is 10 cm long. */
static inline wy_section wy_soft_rod_section(void) {
    return wy_round_section(0.005, 1e6, 1e6 / 3.0, 1000.0);
}

#endif
