/* A strain without stress that is driven in time: its values and rates at the stages, so chosen that the work
 * of the actuation closes the energy balance exactly. docs/math/motion.md, "Actuation". */
#include <string.h>

#include "motion/gauss_director/gauss_director.h"

/* Calls the law at every point of every element; what G and H measure is not driven. */
static void actuated_strains(double *out, const wy_motion *rod, const wy_gauss *m, double t, double factor) {
    for (size_t e = 0; e < m->elements; e++)
        for (size_t g = 0; g < (size_t)m->space.P; g++) {
            double xi[6] = {0.0};
            wy_rod_actuation_at(xi, &rod->def, wy_gauss_arc_length(m, e, m->space.point[g]), 0, t);
            for (size_t c = 0; c < 6; c++)
                out[wy_gauss_strain_index(m, e, g, c)] += factor * wy_gauss_stretch(m, e) * xi[c];
        }
}

void wy_gauss_actuated_reference(double *out, const wy_motion *rod, const wy_gauss *m, const double *rest, double t,
                                 double scale) {
    memcpy(out, rest, m->elements * m->block * sizeof *out);
    if (m->actuated)
        actuated_strains(out, rod, m, t, scale);
}

double wy_gauss_actuated_energy(const wy_motion *rod, const wy_gauss *m, const wy_gauss_reading *s, double t) {
    double sum = 0.0;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t g = 0; g < (size_t)m->space.P; g++) {
            double xi[6] = {0.0};
            wy_rod_actuation_at(xi, &rod->def, wy_gauss_arc_length(m, e, m->space.point[g]), 0, t);
            for (size_t c = 0; c < 6; c++) {
                const size_t q = wy_gauss_strain_index(m, e, g, c);
                const double d = s->eps[q] - s->reference[q] - wy_gauss_stretch(m, e) * xi[c];
                sum += 0.5 * m->K[q] * d * d;
            }
        }
    return sum;
}

/* The rate at the stages is that of the polynomial through the values at the start, the stages and the end of the
 * step, and the value at a stage is what the stages' own rule makes of the rates: then the energy of eps - eps*(t)
 * changes by dt sum b_i sigma_i (eps._i - eps*._i) exactly. (10.31) */
void wy_gauss_actuate(wy_gauss_work *w, const wy_motion *rod, const wy_gauss *m, const double *rest, double t,
                      double dt) {
    const size_t all = m->elements * m->block;
    double at[WY_GAUSS_STAGES + 2], slope[WY_GAUSS_STAGES + 2];
    const int n = wy_gauss_step_times(at, m), S = m->time.S;
    if (!m->actuated) {
        for (int i = 0; i < S; i++)
            w->ref[i] = rest;
        return;
    }
    memset(w->actuated_rate, 0, (size_t)S * all * sizeof *w->actuated_rate);
    for (int k = 0; k < n; k++) {
        double *value = w->actuated_ref[0]; /* scratch until the last loop */
        memset(value, 0, all * sizeof *value);
        actuated_strains(value, rod, m, t + at[k] * dt, 1.0);
        for (int i = 0; i < S; i++) {
            wy_gauss_slopes(slope, at, n, m->time.c[i]);
            for (size_t q = 0; q < all; q++)
                w->actuated_rate[(size_t)i * all + q] += slope[k] / dt * value[q];
        }
    }
    for (int i = 0; i < S; i++) {
        memcpy(w->actuated_ref[i], rest, all * sizeof *rest);
        actuated_strains(w->actuated_ref[i], rod, m, t, 1.0);
        for (int l = 0; l < S; l++)
            for (size_t q = 0; q < all; q++)
                w->actuated_ref[i][q] += dt * m->time.A[i][l] * w->actuated_rate[(size_t)l * all + q];
        w->ref[i] = w->actuated_ref[i];
    }
}

double wy_gauss_actuation_work(const wy_gauss_work *w, const wy_gauss *m, double dt) {
    const size_t all = m->elements * m->block, S = (size_t)m->time.S;
    double sum = 0.0;
    for (size_t i = 0; i < S && m->actuated; i++)
        for (size_t e = 0; e < m->elements; e++)
            for (size_t q = e * m->block; q < (e + 1) * m->block; q++)
                sum -= dt * m->time.b[i] * w->KW[q] * w->actuated_rate[i * all + q] *
                       (w->eps[(e * S + i) * m->block + q - e * m->block] - w->ref[i][q]);
    return sum;
}
