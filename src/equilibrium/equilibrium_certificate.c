/* The resolution of an equilibrium's mesh. docs/math/certificate.md. */
#include "equilibrium/equilibrium_certificate.h"

#include <math.h>

#include <withy/rotation.h>

#include "math/vec3.h"

void wy_equilibrium_certify(wy_static_certificate *values, const wy_rod_definition *rod, const double *s,
                            const double *states, size_t count, const wy_equilibrium_contact *contact) {
    wy_resolution worst = {0};
    for (size_t e = 0; e + 1 < count; e++) {
        const double h = s[e + 1] - s[e], middle = 0.5 * (s[e] + s[e + 1]);
        if (!(h > 0.0)) /* a point on a coarser mesh than others of its archive repeats its last node */
            continue;
        double bend = 0.0, tension = 0.0, kappa[3], nu[3];
        for (size_t i = e; i < e + 2; i++) {
            wy_equilibrium_strains(kappa, nu, rod, i == e ? s[i] : middle + 0.5 * h * (1.0 - 1e-12),
                                   states + i * WY_STATIC_DIM);
            bend += 0.5 * h * v3_norm(kappa);
            tension = fmax(tension, states[i * WY_STATIC_DIM + WY_STATIC_P + 2]);
        }
        wy_section section;
        wy_rod_section_at(&section, rod, middle, 0);
        wy_resolution_add(&worst, h, middle, bend, fmin(section.EI1, section.EI2), tension);
    }
    *values = (wy_static_certificate){
        .resolution = worst,
        .distance = contact->found ? contact->distance : -1.0,
        .distance_at = {contact->found ? contact->s[0] : -1.0, contact->found ? contact->s[1] : -1.0},
        .through = contact->through};
}

/* What is cut free at s acts on the part before it with R P and R M. */
void wy_equilibrium_end_forces(wy_end_forces forces, const double *states, size_t count) {
    for (int e = 0; e < 2; e++) {
        const double *y = states + (e ? count - 1 : 0) * WY_STATIC_DIM, sign = e ? 1.0 : -1.0;
        for (int i = 0; i < 2; i++) {
            double *to = forces[e] + 3 * i;
            wy_quat_rotate(to, y + WY_STATIC_Q, y + (i ? WY_STATIC_M : WY_STATIC_P));
            v3_scale(to, sign, to);
        }
    }
}
