/* The stabilising strains G and H: how stiff they are, and how they become stiffer without adding energy.
 * docs/math/motion.md, "Cable-like rods".
 *
 * Rotations of an element's nodes like Legendre's polynomial of degree P vanish at its Gauss points: nu does not see
 * them. Bending holds them while the axial force is below T_c; beyond it the interpolated frame would shrink and the
 * rod run out as if cut.  G_3 = (|d3_h|^2 - 1)/2, G_12 = (|d1_h|^2 + |d2_h|^2 - 2)/2 measure the frame, H_k the
 * rotations (10.8), (10.9).
 *
 *   T_c = 2 P^2 (P + 1) EI/h^2                                                                            (10.24)
 *   k_G = max(c F, 10 max(EI, GJ)/h^2),   k_H = max(0, c F - T_c/10),   both at most 0.3 EA               (10.25)
 *
 * F is the largest force met so far; when 2 F > c F_used both are raised to 4 F: the stress is kept, the value
 * without stress moves, so that the energy stored only drops; later that value comes back where that too lowers the
 * energy. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"

static double critical_force(const wy_gauss *m, double h) {
    const double P = m->space.P;
    return 2.0 * P * P * (P + 1.0) * m->EI_least / (h * h);
}

void wy_gauss_stabilisation_of(double k[2], const wy_gauss *m, size_t e, double F) {
    const double c = m->config->stabiliser, most = 0.3 * m->EA_least, h = wy_gauss_length(m, e);
    k[0] = c == 0.0 ? 0.0 : fmin(most, fmax(c * F, 10.0 * m->rigid_most / (h * h)));
    k[1] = c == 0.0 ? 0.0 : fmin(most, fmax(0.0, c * F - 0.1 * critical_force(m, h)));
}

static void set_stabilisation(const wy_gauss *m, wy_gauss_state *s) {
    s->numbers[WY_GAUSS_USES_H] = 0.0;
    for (size_t e = 0; e < m->elements; e++) {
        wy_gauss_stabilisation_of(s->stabilisation + 2 * e, m, e, s->numbers[WY_GAUSS_FORCE_USED]);
        if (s->stabilisation[2 * e + 1] > 0.0)
            s->numbers[WY_GAUSS_USES_H] = 1.0;
    }
}

void wy_gauss_stiffness(double *KW, double *VW, const wy_gauss *m, const wy_gauss_reading *s) {
    const size_t groups = (size_t)m->space.groups, plain = 24 * groups;
    for (size_t e = 0; e < m->elements; e++) {
        double *K = KW + e * m->block, *V = VW + e * m->block;
        const double stretch = wy_gauss_stretch(m, e);
        memcpy(K, m->K + e * m->block, plain * sizeof *K);
        memcpy(V, m->V + e * m->block, plain * sizeof *V);
        for (size_t g = 0; g < groups; g++)
            for (size_t q = 0; q < 4; q++) {
                const double k = s->stabilisation[2 * e] * m->space.W[g][q] * stretch;
                K[plain + 4 * g + q] = K[plain + 4 * (groups + g) + q] = k;
                V[plain + 4 * g + q] = V[plain + 4 * (groups + g) + q] = m->viscous_time * k;
            }
        double *KH = K + plain + 8 * groups, *VH = V + plain + 8 * groups;
        KH[0] = KH[1] = m->h * s->stabilisation[2 * e + 1] / stretch;
        VH[0] = VH[1] = m->viscous_time * KH[0];
        KH[2] = KH[3] = VH[2] = VH[3] = 0.0;
    }
}

double wy_gauss_stabilisation_energy(const wy_gauss *m, const wy_gauss_reading *s, size_t *where) {
    const size_t groups = (size_t)m->space.groups, plain = 24 * groups;
    double sum = 0.0, most = -1.0;
    for (size_t e = 0; e < m->elements; e++) {
        const double *x = s->eps + e * m->block + plain, *r = s->reference + e * m->block + plain;
        double G = 0.0, H = 0.0;
        for (size_t g = 0; g < groups; g++)
            for (size_t q = 0; q < 4; q++) {
                const double a = x[4 * g + q] - r[4 * g + q], b = x[4 * (groups + g) + q] - r[4 * (groups + g) + q];
                G += m->space.W[g][q] * (a * a + b * b);
            }
        for (size_t q = 8 * groups; q < 8 * groups + 2; q++)
            H += (x[q] - r[q]) * (x[q] - r[q]);
        const double stretch = wy_gauss_stretch(m, e), part = 0.5 * (s->stabilisation[2 * e] * G * stretch +
                                                                     m->h * s->stabilisation[2 * e + 1] * H / stretch);
        if (where && part > most) {
            most = part;
            *where = e;
        }
        sum += part;
    }
    return sum;
}

/* Largest force in the mean stress of the last step. */
static double largest_force(const wy_gauss *m, const wy_gauss_reading *s) {
    double most = 0.0;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t g = 0; g < (size_t)m->space.P; g++) {
            double sum = 0.0;
            for (size_t c = 3; c < 6; c++) {
                const double n = wy_gauss_stress(m, s->mean_stress, e, g, c);
                sum += n * n;
            }
            most = fmax(most, sum);
        }
    return sqrt(most);
}

void wy_gauss_stabiliser_start(const wy_motion *rod, const wy_gauss *m, const double *head, wy_gauss_state *s,
                               wy_gauss_work *w) {
    double *X = w->X[0], *load = w->load[0], F = 0.0, origin[3];
    wy_gauss_configuration(X, m, &s->read);
    wy_gauss_origin(origin, m, &s->read);
    wy_gauss_static_loads(load, rod, m, head, X, origin, 0.0, 1.0);
    for (size_t j = 0; j < m->nodes; j++) {
        double f[3];
        wy_gauss_get(f, load, m, 3, j);
        F += v3_norm(f);
    }
    s->numbers[WY_GAUSS_FORCE_USED] = fmax(fmax(F, m->start_force), largest_force(m, &s->read));
    memcpy(s->reference, m->ref, m->elements * m->block * sizeof *s->reference);
    set_stabilisation(m, s);
}

/* Lets the values without stress return to the reference, 5 % a step, where that lowers the energy. */
static void let_return(const wy_gauss *m, wy_gauss_state *s) {
    const size_t plain = (size_t)(24 * m->space.groups);
    for (size_t e = 0; e < m->elements; e++)
        for (size_t q = plain; q < m->block; q++) {
            const double x = s->eps[e * m->block + q], home = m->ref[e * m->block + q];
            double *r = s->reference + e * m->block + q;
            if ((x - *r) * (home - *r) > 0.0) {
                const double d = 0.05 * (home - *r);
                *r += fabs(d) < fabs(x - *r) ? d : x - *r;
            }
        }
}

/* New stiffness, old stress. */
static void raise(const wy_gauss *m, wy_gauss_state *s, wy_gauss_work *w, double F) {
    const size_t groups = (size_t)m->space.groups, plain = 24 * groups;
    const double before = s->numbers[WY_GAUSS_FORCE_USED];
    const bool used = s->numbers[WY_GAUSS_USES_H] != 0.0;
    s->numbers[WY_GAUSS_FORCE_USED] = 4.0 * F / m->config->stabiliser;
    set_stabilisation(m, s);
    if (!used && s->numbers[WY_GAUSS_USES_H] != 0.0) { /* H is measured from now on */
        wy_gauss_configuration(w->X[0], m, &s->read);
        wy_gauss_loops_of(m)->strains(s->eps, m, w->X[0], true);
        for (size_t e = 0; e < m->elements; e++)
            for (int i = 0; i < m->time.S; i++)
                memcpy(s->stage + (e * (size_t)m->time.S + (size_t)i) * m->block + plain + 8 * groups,
                       s->eps + e * m->block + plain + 8 * groups, 4 * sizeof(double));
    }
    for (size_t e = 0; e < m->elements; e++) {
        double old[2];
        wy_gauss_stabilisation_of(old, m, e, before);
        for (size_t q = plain; q < m->block; q++) {
            const bool G = q < plain + 8 * groups;
            const double k = s->stabilisation[2 * e + (G ? 0 : 1)], fraction = k > 0.0 ? old[G ? 0 : 1] / k : 0.0;
            const double x = s->eps[e * m->block + q];
            double *r = s->reference + e * m->block + q;
            *r = x - (x - *r) * fraction;
        }
    }
    s->numbers[WY_GAUSS_RAISES] += 1.0;
    s->frozen[WY_FROZEN_DT] = 0.0; /* factors are of the old stiffness */
}

/* What G and H store is energy that the motion should have had: the error of the shape is one to three times its share,
 * which falls about like the element's length. */
bool wy_gauss_resolution_warning(char *text, size_t size, const wy_motion *rod, const double *x) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    const double fraction = s.numbers[WY_GAUSS_STABILISATION], enough = 0.008;
    if (!(fraction > enough))
        return false;
    const double wanted = ceil((double)m->elements * wy_pow(fraction / (0.5 * enough), 1.0 / 1.2));
    snprintf(
        text, size,
        "the elements are too long for what happened, most of all near s = %.3g m: %.2g of the energy is stored in "
        "what "
        "holds their inside, the shape may be off by up to three times that; about %.0f elements would do",
        wy_gauss_arc_length(m, (size_t)s.numbers[WY_GAUSS_STABILISATION_AT], 0.5), fraction, wanted);
    return true;
}

void wy_gauss_stabiliser_follow(const wy_gauss *m, double *head, wy_gauss_state *s, wy_gauss_work *w) {
    const double c = m->config->stabiliser;
    if (c == 0.0)
        return;
    const double F = largest_force(m, &s->read);
    size_t where = 0;
    const double energy = fmax(head[WY_STATE_LARGEST], 0.5 * m->weight * m->length);
    const double fraction = energy > 0.0 ? wy_gauss_stabilisation_energy(m, &s->read, &where) / energy : 0.0;
    if (fraction > s->numbers[WY_GAUSS_STABILISATION]) {
        s->numbers[WY_GAUSS_STABILISATION] = fraction;
        s->numbers[WY_GAUSS_STABILISATION_AT] = (double)where;
    }
    s->numbers[WY_GAUSS_FORCE_SEEN] = fmax(s->numbers[WY_GAUSS_FORCE_SEEN], F);
    const bool more =
        2.0 * F > c * s->numbers[WY_GAUSS_FORCE_USED] && c * s->numbers[WY_GAUSS_FORCE_USED] < 0.3 * m->EA_least;
    if (!more && s->numbers[WY_GAUSS_RAISES] == 0.0)
        return;
    const double before = wy_gauss_stabilisation_energy(m, &s->read, NULL);
    if (s->numbers[WY_GAUSS_RAISES] > 0.0)
        let_return(m, s);
    if (more)
        raise(m, s, w, F);
    const double change = wy_gauss_stabilisation_energy(m, &s->read, NULL) - before;
    wy_energy_balance_add(s->numbers, WY_GAUSS_STIFFENING_ENERGY, change);
    wy_energy_balance_add(head, WY_STATE_NUMERICAL, -change);
}
