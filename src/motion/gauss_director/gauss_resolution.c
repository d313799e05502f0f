/* What `gauss-director` tells of its own resolution. docs/math/certificate.md. */
#include <math.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"

void wy_gauss_order(int *space, int *time, const wy_motion *rod) {
    const wy_gauss *m = rod->method_data;
    *space = 2 * m->space.P;
    *time = m->time.order;
}

void wy_gauss_position_at(double p[3], const wy_motion *rod, const double *x, double s) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading at = wy_gauss_reading_of(x, m);
    const double y = wy_gauss_element_coordinate(m, s), most = (double)m->elements - 1.0,
                 e = fmin(most, fmax(0.0, floor(y)));
    double weight[WY_ELEMENT_DEGREE + 1];
    wy_element_basis_nodal(weight, &m->space, fmin(1.0, fmax(0.0, y - e)));
    v3_set(p, 0.0, 0.0, 0.0);
    for (size_t i = 0; i <= (size_t)m->space.P; i++) {
        const size_t j = (size_t)e * (size_t)m->space.P + i;
        for (size_t c = 0; c < 3; c++)
            p[c] += weight[i] * (at.p[c * m->row + j] + at.low[c * m->row + j]);
    }
}

/* exp(i omega t) through the stages c_i, taken at 0, is off by (omega dt)^S prod c_i / S!. */
void wy_gauss_resolution(wy_motion_resolution *r, const wy_motion *rod, const double *x) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    const double dt = s.numbers[WY_GAUSS_LAST_DT], estimate = s.numbers[WY_GAUSS_ESTIMATE];
    const double speed = dt > 0.0 ? estimate * m->length / dt : 0.0; /* root of the mean square along the rod */
    double factor = 1.0, mass = 0.0;
    for (int i = 0; i < m->time.S; i++)
        factor *= m->time.c[i] / (i + 1);
    for (size_t j = 0; j < m->nodes; j++)
        mass += m->tributary_length[j] * m->inertia[3 * m->row + j];
    *r = (wy_motion_resolution){.missed_kinetic = 0.5 * mass * speed * speed,
                                .factor = factor,
                                .power = m->time.S,
                                .local = estimate,
                                .stabilisation = s.numbers[WY_GAUSS_STABILISATION],
                                .work_units = s.numbers[WY_GAUSS_WORK_UNITS],
                                .stabilisation_at =
                                    wy_gauss_arc_length(m, (size_t)s.numbers[WY_GAUSS_STABILISATION_AT], 0.5)};
}
