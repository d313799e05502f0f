/* The bilinear forms of `gauss-director` at one Gauss point, and the fields that they take: rates of the strains and
 * gradients of the energy. With one argument replaced by its change they are their own derivatives.
 * docs/math/motion.md, (10.3), (10.7). */
#ifndef WY_GAUSS_FORMS_H
#define WY_GAUSS_FORMS_H

#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"

/* Most stages, Gauss points and nodes of an element, and the numbers in a row of a node's Q. */
enum { STAGES = WY_GAUSS_STAGES, POINTS = WY_GAUSS_DEGREE, NODES = WY_GAUSS_DEGREE + 1, Q_WIDTH = 3 * WY_GAUSS_STAGES };

/* Fields at a point: D_h (9), p_h' and D_h' (12). */
typedef struct form_fields {
    double d[9], dp[12];
} form_fields;

static inline void add_cross(double *out, const double *a, const double *b) {
    out[0] += a[1] * b[2] - a[2] * b[1];
    out[1] += a[2] * b[0] - a[0] * b[2];
    out[2] += a[0] * b[1] - a[1] * b[0];
}

/* rate += 2 S(q, r): (10.3), bilinear. */
static inline void add_rate(double rate[8], const form_fields *q, const form_fields *r) {
    static const int pair[3][2] = {{2, 1}, {0, 2}, {1, 0}};
    for (int k = 0; k < 3; k++) {
        const int a = 3 * pair[k][0], b = 3 * pair[k][1];
        rate[k] += 0.5 * (v3_dot(r->d + a, q->dp + 3 + b) + v3_dot(q->d + a, r->dp + 3 + b) -
                          v3_dot(r->d + b, q->dp + 3 + a) - v3_dot(q->d + b, r->dp + 3 + a));
        rate[3 + k] += v3_dot(r->d + 3 * k, q->dp) + v3_dot(q->d + 3 * k, r->dp);
    }
    rate[6] += v3_dot(r->d + 6, q->d + 6);
    rate[7] += v3_dot(r->d, q->d) + v3_dot(r->d + 3, q->d + 3);
}

/* Gradients at d (9) and at p', d' (12) of a stress (times weight): (10.7), bilinear. */
static inline void add_gradient(double a[9], double b[12], const form_fields *q, const double s[8]) {
    const double *p = q->dp, m1 = 0.5 * s[0], m2 = 0.5 * s[1], m3 = 0.5 * s[2];
    const double *e1 = q->dp + 3, *e2 = q->dp + 6, *e3 = q->dp + 9, *d1 = q->d, *d2 = q->d + 3, *d3 = q->d + 6;
    for (int i = 0; i < 3; i++) {
        a[i] += s[3] * p[i] + m2 * e3[i] - m3 * e2[i] + s[7] * d1[i];
        a[3 + i] += s[4] * p[i] + m3 * e1[i] - m1 * e3[i] + s[7] * d2[i];
        a[6 + i] += s[5] * p[i] + m1 * e2[i] - m2 * e1[i] + s[6] * d3[i];
        b[i] += s[3] * d1[i] + s[4] * d2[i] + s[5] * d3[i];
        b[3 + i] += m3 * d2[i] - m2 * d3[i];
        b[6 + i] += m1 * d3[i] - m3 * d1[i];
        b[9 + i] += m2 * d1[i] - m1 * d2[i];
    }
}

/* Fields of rows at point g of element e; of one node's change x (12). */
static inline void fields_of(form_fields *out, const wy_gauss *m, const double *rows, size_t e, int g) {
    memset(out, 0, sizeof *out);
    const size_t first = e * (size_t)m->space.P;
    for (int j = 0; j <= m->space.P; j++) {
        const double N = m->space.N[g / 4][j][g % 4], D = m->space.D[g / 4][j][g % 4];
        for (size_t c = 0; c < 12; c++) {
            const double x = rows[c * m->row + first + (size_t)j];
            out->dp[c] += D * (c < 3 ? x - rows[c * m->row + first] : x);
            if (c >= 3)
                out->d[c - 3] += N * x;
        }
    }
}

static inline void field_of_node(form_fields *out, const wy_gauss *m, const double x[12], int j, int g) {
    const double N = m->space.N[g / 4][j][g % 4], D = m->space.D[g / 4][j][g % 4];
    for (int c = 0; c < 12; c++) {
        out->dp[c] = D * x[c];
        if (c >= 3)
            out->d[c - 3] = N * x[c];
    }
}

#endif
