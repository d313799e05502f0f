/* A rod laid along a catenary: mesh, frames, bending in layers at the clamps. docs/math/statics.md 5.10. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_catenary.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

/* The rotation from a to b as a vector. */
static void rotation_vector_between(double w[3], const double a[3], const double b[3]) {
    double axis[3];
    v3_cross(axis, a, b);
    const double sine = v3_norm(axis), angle = wy_atan2(sine, v3_dot(a, b));
    if (sine > 1e-12)
        v3_scale(w, angle / sine, axis);
    else
        v3_set(w, angle > 1.0 ? angle : 0.0, 0.0, 0.0);
}

static void rotate_by_fraction(double v[3], const double w[3], double fraction) {
    double part[3], q[4];
    v3_scale(part, fraction, w);
    wy_quat_exp(q, part);
    wy_quat_rotate(v, q, v);
}

/* Nodes: most of them evenly, and at each end a fifth of them for its layer exp(-s/layer). A method of order 6 has
 * equal errors there if the node density falls like exp(-s/7 layer). */
static void grade_mesh(double *s, const equilibrium_model *m, const double layer[2]) {
    enum { FINE = 4000 };
    const size_t N = m->elements;
    double total = 0.0, sum = 0.0, goal;
    size_t made = 1;
    for (int pass = 0; pass < 2; pass++) {
        sum = 0.0;
        for (int i = 0; i < FINE && made < N; i++) {
            /* u is denser towards both ends, to resolve the layers */
            const double u0 = (double)i / FINE, u1 = (double)(i + 1) / FINE;
            const double a = u0 * u0 * u0 * (10.0 - 15.0 * u0 + 6.0 * u0 * u0),
                         b = u1 * u1 * u1 * (10.0 - 15.0 * u1 + 6.0 * u1 * u1);
            const double mid = 0.5 * (a + b);
            double density = 1.0;
            for (int e = 0; e < 2; e++)
                if (layer[e] > 0.0) {
                    const double away = (e ? 1.0 - mid : mid) / (7.0 * layer[e]);
                    density += 0.3 / (7.0 * layer[e]) * wy_exp(-away);
                }
            const double piece = density * (b - a);
            if (pass == 0) {
                total += piece;
                continue;
            }
            while (made < N && sum + piece >= (goal = total * (double)made / (double)N))
                s[made++] = a + (b - a) * (goal - sum) / piece;
            sum += piece;
        }
    }
    s[0] = 0.0;
    s[N] = 1.0;
    for (size_t i = 1; i < N; i++)
        if (!(s[i] > s[i - 1]) || i >= made)
            s[i] = s[i - 1] + 0.5 * (1.0 - s[i - 1]) / (double)(N - i + 1);
}

/* Number of nodes before s, for a catenary with kinks at[] = (s, layer): a fifth of the nodes for each kink, on both
 * its sides. */
static double nodes_before(double s, const double layer[2], const double (*at)[2], size_t kinks) {
    double sum = s;
    for (int e = 0; e < 2; e++)
        if (layer[e] > 0.0) {
            const double near = wy_exp(-(e ? 1.0 - s : s) / (7.0 * layer[e]));
            sum += 0.3 * (e ? near : 1.0 - near);
        }
    for (size_t k = 0; k < kinks; k++) {
        const double far = 1.0 - wy_exp(-fabs(s - at[k][0]) / (7.0 * at[k][1]));
        sum += 0.15 * (s < at[k][0] ? 1.0 - far : 1.0 + far);
    }
    return sum;
}

/* The same if the rod or its loads jump: the nearest node moves to each jump. If that fails, the mesh stays as it
 * was. */
static void grade_mesh_in_pieces(const catenary *c, const double layer[2]) {
    enum { MOST_KINKS = 12 };
    equilibrium_model *m = c->m;
    const size_t N = m->elements;
    double *s = malloc((N + 1) * sizeof *s), at[MOST_KINKS][2];
    size_t node = 0, kinks = 0, *piece = malloc(N * sizeof *piece);
    bool good = s && piece && m->pieces <= N;
    for (size_t k = 1; k < m->pieces && good && kinks < MOST_KINKS; k++) {
        double before[3], after[3], x[3], w[3];
        wy_catenary_at(before, x, c, m->breaks[k] - 2.0 / CATENARY_STEPS);
        wy_catenary_at(after, x, c, m->breaks[k] + 2.0 / CATENARY_STEPS);
        rotation_vector_between(w, before, after);
        if (v3_norm(w) > 0.02 && !(kinks > 0 && m->breaks[k] - at[kinks - 1][0] < 1e-6)) {
            at[kinks][0] = m->breaks[k];
            at[kinks++][1] = sqrt(fmax(m->CM[0], m->CM[1]) / v3_norm(before));
        }
    }
    const double least = nodes_before(0.0, layer, (const double(*)[2])at, kinks),
                 all = nodes_before(1.0, layer, (const double(*)[2])at, kinks) - least;
    for (size_t i = 0; i <= N && good; i++) {
        double low = 0.0, high = 1.0;
        for (int it = 0; it < 60; it++) {
            const double mid = 0.5 * (low + high);
            *(nodes_before(mid, layer, (const double(*)[2])at, kinks) - least < all * (double)i / (double)N ? &low
                                                                                                            : &high) =
                mid;
        }
        s[i] = i == 0 ? 0.0 : i == N ? 1.0 : high;
    }
    for (size_t k = 1; k < m->pieces && good; k++) {
        const double here = m->breaks[k];
        const size_t last = N - (m->pieces - k); /* one node for each of the remaining jumps */
        for (node++; node < last && fabs(s[node + 1] - here) < fabs(s[node] - here);)
            node++;
        s[node] = here;
    }
    for (size_t e = 0, k = 0; e < N && good; e++) {
        good = s[e + 1] > s[e];
        while (k + 1 < m->pieces && 0.5 * (s[e] + s[e + 1]) > m->breaks[k + 1])
            k++;
        piece[e] = k;
        good = good && s[e] >= m->breaks[k] && s[e + 1] <= m->breaks[k + 1];
    }
    if (good)
        wy_equilibrium_model_mesh(m, N, s, piece);
    free(s);
    free(piece);
}

/* Sets t along n; at the unloaded tip of a hanging cable t stays. */
static void tangent_of(double t[3], const double n[3], const catenary *c) {
    const double T = v3_norm(n);
    if (T > 1e-9 * v3_norm(c->pull))
        v3_scale(t, 1.0 / T, n);
}

/* The rod's state on the catenary: tangents turned at clamps, frames transported along, curvature from their
 * rotation. */
void wy_catenary_put_rod(double *y, const catenary *c, const equilibrium_control *target, const double layer[2]) {
    const equilibrium_model *m = c->m;
    const size_t N = m->elements;
    double off[2][3] = {{0}}, ends[2][4], t[3], n[3], x[3], last[3] = {0, 0, 0};
    const equilibrium_end *const held[2] = {&target->left, &target->right};
    const double e3[3] = {0.0, 0.0, 1.0};
    v3_scale(t, (c->hangs == CABLE_FROM_LAST ? -1.0 : 1.0) / v3_norm(c->pull), c->pull);
    for (int e = 0; e < 2; e++) {
        wy_catenary_at(n, x, c, e);
        tangent_of(t, n, c);
        wy_catenary_frame(ends[e], t);
        if (equilibrium_end_constrains(held[e], WY_CONSTRAINS_ROTATION) && layer[e] > 0.0) {
            double d3[3];
            wy_equilibrium_end_target(ends[e], held[e]);
            wy_quat_rotate(d3, ends[e], e3);
            rotation_vector_between(off[e], t, d3);
        }
    }
    wy_catenary_at(n, x, c, 1e-3);
    tangent_of(t, n, c);
    for (size_t i = 0; i <= N; i++) {
        double *yi = y + i * D;
        wy_catenary_at(n, x, c, m->s[i]);
        tangent_of(t, n, c);
        for (int e = 0; e < 2; e++)
            if (layer[e] > 0.0 && equilibrium_end_constrains(held[e], WY_CONSTRAINS_ROTATION))
                rotate_by_fraction(t, off[e], wy_exp(-(e ? 1.0 - m->s[i] : m->s[i]) / layer[e]));
        if (i == 0) {
            memcpy(yi + WY_STATIC_Q, ends[0], sizeof ends[0]);
        } else {
            double w[3], turn[4];
            rotation_vector_between(w, last, t);
            wy_quat_exp(turn, w);
            wy_quat_product(yi + WY_STATIC_Q, turn, yi - D + WY_STATIC_Q);
            wy_quat_normalize(yi + WY_STATIC_Q, yi + WY_STATIC_Q);
        }
        v3_copy(last, t);
        v3_copy(yi + WY_STATIC_X, x);
    }
    if (equilibrium_end_constrains(&target->left, WY_CONSTRAINS_ROTATION) &&
        equilibrium_end_constrains(&target->right, WY_CONSTRAINS_ROTATION) && layer[0] > 0.0) {
        double back[4], turned[4]; /* the remaining rotation about d3 is distributed along the rod */
        wy_quat_conjugate(back, y + N * D + WY_STATIC_Q);
        wy_quat_product(turned, back, ends[1]);
        const double twist = 2.0 * wy_atan2(turned[3], turned[0]);
        for (size_t i = 1; i <= N; i++) {
            const double angle = 0.5 * twist * m->s[i], turn[4] = {wy_cos(angle), 0.0, 0.0, wy_sin(angle)};
            wy_quat_product(y + i * D + WY_STATIC_Q, y + i * D + WY_STATIC_Q, turn);
        }
    }
    for (size_t i = 0; i <= N; i++) {
        double *yi = y + i * D, kappa[3] = {0, 0, 0};
        const size_t a = i > 0 ? i - 1 : 0, b = i < N ? i + 1 : N;
        double back[4], turned[4], log[3];
        wy_quat_conjugate(back, y + a * D + WY_STATIC_Q);
        wy_quat_product(turned, back, y + b * D + WY_STATIC_Q);
        if (turned[0] < 0.0)
            for (int k = 0; k < 4; k++)
                turned[k] = -turned[k];
        wy_quat_log(log, turned);
        v3_scale(kappa, 1.0 / (m->s[b] - m->s[a]), log);
        wy_catenary_at(n, x, c, m->s[i]);
        wy_equilibrium_rotate_back(yi + WY_STATIC_P, yi + WY_STATIC_Q, n);
        const equilibrium_coefficients p = wy_equilibrium_model_coefficients(m, m->s[i], i < N ? i : N - 1, yi);
        for (int k = 0; k < 3; k++)
            yi[WY_STATIC_M + k] = (kappa[k] - p.kappa[k]) / p.inv_CM[k];
    }
    for (int e = 0; e < 2; e++)
        if (!equilibrium_end_constrains(held[e], WY_CONSTRAINS_ROTATION))
            v3_set(y + (e ? N : 0) * D + WY_STATIC_M, 0.0, 0.0, 0.0);
}

void wy_catenary_grade_mesh(const catenary *c, const double layer[2]) {
    if (c->m->pieces == 1)
        grade_mesh(c->m->s, c->m, layer);
    else
        grade_mesh_in_pieces(c, layer);
}
