/* Integrals over mode shapes. docs/math/branches.md, "Shaking and spinning". */
#include "branches/modal.h"

#include <math.h>
#include <stdlib.h>

#include "equilibrium/equilibrium_model.h"
#include "math/vec3.h"
#include "rod/rod_along.h"
#include "rod/rod_definition.h"

enum { D = WY_STATIC_DIM };

size_t wy_modal_nearest(const double *s, size_t nodes, double at) {
    size_t node = 0;
    while (node + 1 < nodes && fabs(s[node + 1] - at) <= fabs(s[node] - at))
        node++;
    return node;
}

double wy_modal_about(const double q[4], const double a[3], const double b[3]) {
    const double e3[3] = {0.0, 0.0, 1.0};
    double d3[3], c[3];
    wy_equilibrium_rotate(d3, q, e3);
    v3_cross(c, a, b);
    return v3_dot(d3, c);
}

static void add_modal_point(modal_sums *m, const wy_rod_definition *rod, const wy_mode_table *t, size_t node,
                            double weight, int side) {
    wy_section c;
    wy_rod_section_at(&c, rod, t->s[node], side);
    m->points[m->count++] = (modal_point){.node = node,
                                          .weight = weight,
                                          .rhoA = c.rhoA,
                                          .water = wy_rod_added_mass(rod, &c, t->states + node * D + WY_STATIC_X),
                                          .inertia = {c.rhoI1, c.rhoI2, c.rhoJ}};
}

/* Simpson's rule for two elements of any lengths, the trapezoidal rule for a remaining one; the ends of a pair use
 * the section on the inner side. */
static void set_modal_points(modal_sums *m, const wy_rod_definition *rod, const wy_mode_table *t, modal_rule rule,
                             size_t stride) {
    const double *s = t->s;
    const size_t nodes = t->nodes;
    for (size_t i = 0; i + 1 < nodes;) {
        const size_t j = i + stride < nodes ? i + stride : nodes - 1, k = i + 2 * stride;
        const double h = s[j] - s[i];
        if (rule == MODAL_SIMPSON && k < nodes) {
            const double g = s[k] - s[j], sum = (h + g) / 6.0;
            add_modal_point(m, rod, t, i, sum * (2.0 - g / h), 1);
            add_modal_point(m, rod, t, j, sum * (h + g) * (h + g) / (h * g), -1);
            add_modal_point(m, rod, t, k, sum * (2.0 - h / g), -1);
            i = k;
        } else {
            add_modal_point(m, rod, t, i, 0.5 * h, 1);
            add_modal_point(m, rod, t, j, 0.5 * h, -1);
            i = j;
        }
    }
}

wy_status wy_modal_sums_create(modal_sums *m, const wy_mode_table *t, const wy_rod_definition *rod, modal_rule rule,
                               size_t stride, wy_error *err) {
    const size_t n = t->nodes;
    *m = (modal_sums){0};
    m->points = calloc(3 * n + rod->bodies.rows, sizeof *m->points);
    m->mass = calloc(t->count, sizeof *m->mass);
    if (!m->points || !m->mass) {
        wy_modal_sums_free(m);
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    }
    set_modal_points(m, rod, t, rule, stride);
    for (size_t b = 0; b < rod->bodies.rows; b++) {
        const double *body = rod->bodies.values + WY_BODY_COLUMNS * b;
        m->points[m->count++] = (modal_point){.node = wy_modal_nearest(t->s, n, body[0]),
                                              .weight = 1.0,
                                              .rhoA = body[1],
                                              .inertia = {body[2], body[3], body[4]}};
    }
    for (size_t i = 0; i < m->count; i++) {
        const modal_point *p = &m->points[i];
        for (size_t k = 0; k < t->count; k++) {
            const double *x = t->shapes + (k * n + p->node) * 6;
            double turn[3], move[3];
            wy_equilibrium_rotate_back(turn, t->states + p->node * D + WY_STATIC_Q, x);
            wy_equilibrium_rotate_back(move, t->states + p->node * D + WY_STATIC_Q, x + 3);
            m->mass[k] +=
                p->weight * (rod->length * rod->length *
                                 (p->rhoA * v3_dot(move, move) + p->water * (move[0] * move[0] + move[1] * move[1])) +
                             p->inertia[0] * turn[0] * turn[0] + p->inertia[1] * turn[1] * turn[1] +
                             p->inertia[2] * turn[2] * turn[2]);
        }
    }
    return WY_OK;
}

void wy_modal_sums_free(modal_sums *m) {
    free(m->points);
    free(m->mass);
    *m = (modal_sums){0};
}

void wy_modal_gyroscopic(double *G, const modal_sums *m, const wy_mode_table *t) {
    const size_t n = t->count;
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l <= k; l++) {
            double sum = 0.0;
            for (size_t i = 0; i < m->count; i++) {
                const modal_point *p = &m->points[i];
                sum += p->weight * p->inertia[2] *
                       wy_modal_about(t->states + p->node * D + WY_STATIC_Q, t->shapes + (k * t->nodes + p->node) * 6,
                                      t->shapes + (l * t->nodes + p->node) * 6);
            }
            G[k * n + l] = k == l ? 0.0 : sum / sqrt(m->mass[k] * m->mass[l]);
            G[l * n + k] = -G[k * n + l];
        }
}

void wy_modal_gyroscopic_moments(double *loads, double factor, const double *x, const modal_sums *m,
                                 const wy_mode_table *t) {
    const double e3[3] = {0.0, 0.0, 1.0};
    for (size_t i = 0; i < m->count; i++) {
        const modal_point *p = &m->points[i];
        double d3[3], moment[3], *load = loads + 6 * p->node;
        wy_equilibrium_rotate(d3, t->states + p->node * D + WY_STATIC_Q, e3);
        v3_cross(moment, x + 6 * p->node, d3);
        v3_axpy(load, load, factor * p->weight * p->inertia[2], moment);
    }
}
