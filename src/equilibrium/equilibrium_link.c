/* Link of a closed rod: the twist Tw of the frame about the axis plus the writhe Wr of the closed axis, from the
 * solid angles of all pairs of sides of the polygon through the nodes. Tw + Wr differs from what the ends show by
 * whole turns, and changes by two where the rod passes through itself. Two sides that lie on each other, as in the
 * figure of eight, would count as a turn of either sign: they count as zero, and the rod has one more or one less. */
#include <math.h>

#include "rod/self_distance.h"
#include "equilibrium/equilibrium_solver.h"
#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

/* The solid angle of the triangle with these corners, from the origin. */
static double solid_angle(const double a[3], const double b[3], const double c[3]) {
    double normal[3];
    const double A = v3_norm(a), B = v3_norm(b), C = v3_norm(c);
    v3_cross(normal, b, c);
    return 2.0 * wy_atan2(v3_dot(a, normal), A * B * C + v3_dot(a, b) * C + v3_dot(b, c) * A + v3_dot(c, a) * B);
}

/* Sides nearer than this, in lengths of the rod, lie on each other. */
static const double touching = 1e-6;

/* Tw + Wr, and the number of self-crossings. */
static double link_and_crossings(double *crossings, const wy_equilibrium *b) {
    const equilibrium_model *m = b->model;
    const size_t N = m->elements;
    double sum = 0.0, crossed = 0.0;
    for (size_t i = 0; i < N; i++) {
        const double *y = b->y + i * D, *z = y + D;
        const equilibrium_coefficients a = wy_equilibrium_model_coefficients(m, m->s[i], i, y),
                                       c = wy_equilibrium_model_coefficients(m, m->s[i + 1], i, z);
        sum += 0.5 * (m->s[i + 1] - m->s[i]) * m->ratio *
               (a.inv_CM[2] * y[WY_STATIC_M + 2] + a.kappa[2] + c.inv_CM[2] * z[WY_STATIC_M + 2] + c.kappa[2]);
        for (size_t j = i + 1 == N ? 1 : 0; j + 1 < i; j++) { /* neighbours are coplanar */
            const double *u = b->y + j * D, *v = u + D;
            double A[3], B[3], C[3], E[3];
            v3_sub(A, y + WY_STATIC_X, u + WY_STATIC_X);
            v3_sub(B, y + WY_STATIC_X, v + WY_STATIC_X);
            v3_sub(C, z + WY_STATIC_X, v + WY_STATIC_X);
            v3_sub(E, z + WY_STATIC_X, u + WY_STATIC_X);
            double t, w;
            const double turned = solid_angle(A, B, C) + solid_angle(A, C, E);
            if (fabs(turned) > 0.1 && wy_segment_distance2(y + WY_STATIC_X, z + WY_STATIC_X, u + WY_STATIC_X,
                                                           v + WY_STATIC_X, &t, &w) < touching * touching)
                crossed += fabs(turned);
            else
                sum += turned;
        }
    }
    *crossings = floor(crossed / (2.0 * WY_PI) + 0.5);
    return sum;
}

double wy_equilibrium_link(const wy_equilibrium *b) {
    double crossings;
    return b->solved ? link_and_crossings(&crossings, b) : 0.0;
}

/* Rotation of the unstressed rod about d3, and by bending. */
static void reference_rotation(double *twist, double *bend, const equilibrium_model *m) {
    *twist = *bend = 0.0;
    enum { SAMPLE_POINTS = 200 };
    for (int i = 0; i < SAMPLE_POINTS; i++) {
        double xi[6];
        wy_rod_reference_at(xi, &m->rod->def, (i + 0.5) / SAMPLE_POINTS * m->rod->def.length, 1);
        *twist += xi[2] * m->rod->def.length / SAMPLE_POINTS;
        *bend += wy_hypot(xi[0], xi[1]) * m->rod->def.length / SAMPLE_POINTS;
    }
}

ring_link wy_equilibrium_ring_link(const wy_equilibrium *b, double asked) {
    const double whole = 2.0 * WY_PI;
    double twist, bend;
    reference_rotation(&twist, &bend, b->model);
    ring_link t = {.asked = asked + whole * floor(twist / whole + 0.5)};
    t.link = link_and_crossings(&t.crossings, b);
    t.off = floor((t.link - t.asked) / whole + 0.5);
    const double least = fmax(0.0, fabs(t.off) - t.crossings);
    t.off = t.off < 0.0 ? -least : least;
    /* closing a straight rod adds or removes a turn; a coiled reference has turns of its own. Crossings change two
     * at once. */
    const double away = fabs(t.link - asked - twist) / whole - t.crossings;
    t.right = away < fmax(1.0, floor(bend / whole + 0.5) - 1.0) + 0.75;
    return t;
}
