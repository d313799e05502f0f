/* What acts on a rod of director elements, summed along it by a rule of its own. docs/math/certificate.md,
 * "Balance". */
#include <math.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"
#include "rod/rod_along.h"

/* Gauss' rule of three points. */
static const double gauss_at[3] = {0.1127016653792583, 0.5, 0.8872983346207417},
                    gauss_weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

typedef struct summing {
    const wy_motion *rod;
    const wy_gauss *m;
    wy_gauss_reading s;
    double t;
    const double *about;
    double *force, *moment; /* added to */
} summing;

typedef struct quadrature_point {
    double p[3], D[9], v[3], omega[3];
} quadrature_point;

/* The element's polynomials at x in [0, 1] of element e. */
static void quadrature_point_at(quadrature_point *at, const summing *a, size_t e, double x) {
    const wy_gauss *m = a->m;
    const size_t P = (size_t)m->space.P;
    double weight[WY_ELEMENT_DEGREE + 1];
    wy_element_basis_nodal(weight, &m->space, x);
    *at = (quadrature_point){0};
    for (size_t i = 0; i <= P; i++) {
        const size_t j = e * P + i;
        double D[9], spin[3];
        wy_gauss_get(D, a->s.D, m, 9, j);
        wy_gauss_get(spin, a->s.spin, m, 3, j);
        for (int c = 0; c < 9; c++)
            at->D[c] += weight[i] * D[c];
        for (size_t c = 0; c < 3; c++) {
            at->p[c] += weight[i] * (a->s.p[c * m->row + j] + a->s.low[c * m->row + j]);
            at->v[c] += weight[i] * a->s.v[c * m->row + j];
            at->omega[c] += weight[i] * (D[c] * spin[0] + D[3 + c] * spin[1] + D[6 + c] * spin[2]);
        }
    }
}

static void add_at(const summing *a, const double p[3], const double force[3], const double moment[3], double factor) {
    double arm[3], m[3];
    v3_sub(arm, p, a->about);
    v3_cross(m, arm, force);
    v3_axpy(a->force, a->force, factor, force);
    v3_axpy(a->moment, a->moment, factor, m);
    if (moment)
        v3_axpy(a->moment, a->moment, factor, moment);
}

typedef void law(wy_wrench *wrench, const void *config, const wy_material_point *at);

static void add_law(const summing *a, size_t e, double x, double s, law *wrench, const void *config, double factor) {
    static const double none[3] = {0.0, 0.0, 0.0};
    quadrature_point at;
    wy_section section;
    wy_wrench w = {0};
    double force[3], moment[3];
    quadrature_point_at(&at, a, e, x);
    wy_rod_section_at(&section, &a->rod->def, s, 0);
    const wy_material_point here = {.s = s,
                                    .length = a->m->length,
                                    .t = a->t,
                                    .section = &section,
                                    .x = at.p,
                                    .D = at.D,
                                    .v = at.v,
                                    .omega = at.omega,
                                    .a = none};
    wrench(&w, config, &here);
    for (int i = 0; i < 3; i++) {
        moment[i] = w.space[i] + at.D[i] * w.body[0] + at.D[3 + i] * w.body[1] + at.D[6 + i] * w.body[2];
        force[i] = w.space[3 + i] + at.D[i] * w.body[3] + at.D[3 + i] * w.body[4] + at.D[6 + i] * w.body[5];
    }
    add_at(a, at.p, force, moment, factor);
}

/* A load: in every element three parts of equal length, and those between its breaks, each by three points. */
static void add_load(const summing *a, const wy_load *load, const void *config) {
    enum { PARTS = 3 };
    const wy_gauss *m = a->m;
    double from = 0.0, until = m->length;
    if (load->span)
        load->span(&from, &until, config, m->length);
    if (from == until) {
        const double at = wy_gauss_element_coordinate(m, from),
                     e = fmin(fmax(floor(at), 0.0), (double)m->elements - 1.0);
        add_law(a, (size_t)e, at - e, from, load->wrench, config, 1.0);
        return;
    }
    for (size_t e = 0; e < m->elements; e++) {
        const double begin = wy_gauss_arc_length(m, e, 0.0), h = wy_gauss_length(m, e), part = h / PARTS,
                     end = fmin(begin + h, until);
        double s = fmax(begin, from);
        while (s < end) {
            const double sliver = 1e-9 * h;
            double next = fmin(end, begin + part * (floor((s - begin) / part + 1e-9) + 1.0));
            if (load->next_break)
                next = fmin(next, load->next_break(config, s));
            if (end - next < sliver)
                next = end;
            for (int g = 0; g < 3; g++) {
                const double at = s + (next - s) * gauss_at[g];
                add_law(a, e, (at - begin) / h, fmin(at, m->length), load->wrench, config,
                        (next - s) * gauss_weight[g]);
            }
            s = next > s ? next : end;
        }
    }
}

/* Weight and the damping of the mass: of the rod, and of the bodies on it. */
static void add_mass(const summing *a, const quadrature_point *at, const double M[4], double factor) {
    double force[3], moment[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < 3; c++)
        force[c] = M[3] * (a->m->gravity[c] - a->m->mass_damping * at->v[c]);
    for (int c = 0; c < 3 && a->m->mass_damping > 0.0; c++)
        v3_axpy(moment, moment, -a->m->mass_damping * M[c] * v3_dot(at->D + 3 * c, at->omega), at->D + 3 * c);
    add_at(a, at->p, force, moment, factor);
}

static void add_masses(const summing *a) {
    const wy_gauss *m = a->m;
    const wy_rod_definition *d = &a->rod->def;
    quadrature_point at;
    if (!a->rod->has_gravity && !(m->mass_damping > 0.0))
        return;
    for (size_t e = 0; e < m->elements; e++)
        for (int g = 0; g < 3; g++) {
            wy_section section;
            double K[6], M[6];
            wy_rod_section_at(&section, d, wy_gauss_arc_length(m, e, gauss_at[g]), 0);
            wy_section_diagonals(K, M, &section);
            quadrature_point_at(&at, a, e, gauss_at[g]);
            add_mass(a, &at, (double[4]){M[0], M[1], M[2], M[5]}, wy_gauss_length(m, e) * gauss_weight[g]);
        }
    for (size_t i = 0; i < d->bodies.rows; i++) {
        const double *body = d->bodies.values + WY_BODY_COLUMNS * i, s = wy_gauss_element_coordinate(m, body[0]),
                     e = fmin(fmax(floor(s), 0.0), (double)m->elements - 1.0);
        quadrature_point_at(&at, a, (size_t)e, s - e);
        add_mass(a, &at, (double[4]){body[2], body[3], body[4], body[1]}, 1.0);
    }
}

bool wy_gauss_acting(double force[3], double moment[3], const wy_motion *rod, const double *x, const double about[3]) {
    const wy_gauss *m = rod->method_data;
    const summing a = {.rod = rod,
                       .m = m,
                       .s = wy_gauss_reading_of(x, m),
                       .t = x[WY_STATE_TIME],
                       .about = about,
                       .force = force,
                       .moment = moment};
    v3_set(force, 0.0, 0.0, 0.0);
    v3_set(moment, 0.0, 0.0, 0.0);
    if (m->has_added_mass)
        return false;
    add_masses(&a);
    for (size_t i = 0; i < rod->def.loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)rod->def.loads.items[i].entry;
        if (!load->acceleration)
            add_load(&a, load, rod->def.loads.items[i].config);
    }
    for (int e = 0; e < 2; e++) {
        const double *push = x + WY_STATE_PUSH + 6 * e;
        const size_t last = e ? m->elements - 1 : 0;
        quadrature_point at;
        if (rod->ends[e]->wrench)
            add_law(&a, last, e, e ? m->length : 0.0, rod->ends[e]->wrench, rod->def.ends[e].config, 1.0);
        quadrature_point_at(&at, &a, last, e);
        add_at(&a, at.p, push, push + 3, 1.0);
    }
    return true;
}
