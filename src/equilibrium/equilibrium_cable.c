/* Cables: rods so long or so heavy that they hang almost like catenaries, with bending in thin layers at clamps only.
 * docs/math/statics.md 5.10.
 *
 * The first guess is the cable without bending stiffness under the same loads,
 *
 *   n' = -f(s, x, t),     x' = (nu3* + |n|/EA) t,     t = n/|n|,     x(0), x(L) given,                         (5.20)
 *
 * integrated by RK4 and closed by Newton on n(0), which starts from the catenary's well-known estimate. A clamp turns
 * the tangent within the length sqrt(EI/|n|). Forces are of the order of the loads, and so are the units. Newton on all
 * nodes then needs no homotopy, and the nodes are redistributed by the error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_error.h"
#include "equilibrium/equilibrium_solver.h"
#include "linalg/lu.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "solve/mesh.h"

enum { D = WY_STATIC_DIM, STEPS = 800 };

typedef struct catenary {
    equilibrium_model *m;
    double x0[3], x1[3], pull[3]; /* ends, and the mean load per length */
    cable_support hangs;          /* from one end alone; force on the other: */
    double tip[3];
    double across, longer, EA; /* load across the chord; unloaded length minus chord; mean stretch rigidity */
    double n[STEPS + 1][3], x[STEPS + 1][3];
} catenary;

/* ---- whether a rod is a cable ---- */

/* Frame with d3 = t: the shortest rotation from e3. */
static void frame_along(double q[4], const double t[3]) {
    q[0] = 1.0 + t[2];
    v3_set(q + 1, -t[1], t[0], 0.0);
    if (!(q[0] > 1e-9))
        q[1] = 1.0;
    wy_quat_normalize(q, q);
}

/* Whether a piece is that of a force on a point, spread over WY_STATIC_POINT_WIDTH: for the catenary it is a jump. */
static bool is_point_piece(const equilibrium_model *m, size_t piece) {
    return m->breaks[piece + 1] - m->breaks[piece] < 0.1 / STEPS;
}

/* Load per length in space components on a cable with tangent t at x, and EA and nu3 there. */
static void cable_load_on_element(double f[3], double *EA, double *nu3, const equilibrium_model *m, double s,
                                  size_t element, const double x[3], const double t[3]) {
    double y[D] = {0}, turned[3];
    frame_along(y + WY_STATIC_Q, t);
    v3_copy(y + WY_STATIC_X, x);
    const equilibrium_coefficients p = wy_equilibrium_model_coefficients(m, s, element, y);
    v3_set(f, 0.0, 0.0, 0.0);
    if (wy_equilibrium_control_loaded(&m->control)) {
        wy_equilibrium_rotate(turned, y + WY_STATIC_Q, p.f_body);
        v3_add(f, p.f, turned);
    }
    *EA = 1.0 / p.inv_CP[2];
    *nu3 = p.nu[2];
}

/* ... without forces on points. */
static void cable_load_at(double f[3], double *EA, double *nu3, const equilibrium_model *m, double s, const double x[3],
                          const double t[3]) {
    size_t e = wy_equilibrium_model_element(m, s);
    while (is_point_piece(m, m->piece[e]) && e + 1 < m->elements)
        e++;
    cable_load_on_element(f, EA, nu3, m, s, e, x, t);
}

/* Subtracts from n the forces on points between two integration steps; sign -1 on a backward integration. */
static void subtract_point_forces(double n[3], const equilibrium_model *m, double from, double to, const double x[3],
                                  double sign) {
    for (size_t e = 0; e < m->elements && m->pieces > 1; e++) {
        const size_t k = m->piece[e];
        const double mid = 0.5 * (m->breaks[k] + m->breaks[k + 1]), T = v3_norm(n);
        if (!is_point_piece(m, k) || !(mid > from && mid <= to) || (e > 0 && m->piece[e - 1] == k))
            continue;
        double f[3], t[3], EA, nu3;
        v3_scale(t, T > 0.0 ? 1.0 / T : 0.0, n);
        cable_load_on_element(f, &EA, &nu3, m, mid, e, x, t);
        v3_axpy(n, n, -sign * (m->breaks[k + 1] - m->breaks[k]), f);
    }
}

/* The largest force of the cable in the units of the model: its weight, or the force that stretches it. */
static double cable_force_scale(catenary *c, const equilibrium_control *target) {
    equilibrium_model *m = c->m;
    double chord[3], t[3], natural = 0.0, soft = 0.0, weight = 0.0;
    v3_copy(c->x0, target->left.position);
    v3_copy(c->x1, target->right.position);
    v3_copy(c->tip, c->hangs == CABLE_FROM_LAST ? target->left.force : target->right.force);
    if (c->hangs == CABLE_FROM_FIRST)
        v3_copy(c->x1, c->x0);
    else if (c->hangs == CABLE_FROM_LAST)
        v3_copy(c->x0, c->x1);
    v3_sub(chord, c->x1, c->x0);
    const double length = v3_norm(chord);
    v3_set(t, 0.0, 0.0, 1.0);
    if (length > 0.0)
        v3_scale(t, 1.0 / length, chord);
    v3_set(c->pull, 0.0, 0.0, 0.0);
    enum { SAMPLE_POINTS = 64 };
    for (int i = 0; i < SAMPLE_POINTS; i++) {
        const double s = (i + 0.5) / SAMPLE_POINTS;
        double x[3], f[3], EA, nu3;
        v3_axpy(x, c->x0, s, chord);
        cable_load_at(f, &EA, &nu3, m, s, x, t);
        v3_axpy(c->pull, c->pull, 1.0 / SAMPLE_POINTS, f);
        weight += v3_norm(f) / SAMPLE_POINTS;
        natural += nu3 / SAMPLE_POINTS;
        soft += 1.0 / EA / SAMPLE_POINTS;
    }
    if (c->hangs)
        return weight + v3_norm(c->tip);
    v3_axpy(t, c->pull, -v3_dot(c->pull, t), t);
    c->across = v3_norm(t);
    c->longer = fmax(0.0, natural - length);
    c->EA = 1.0 / soft;
    return fmax(weight, length > natural ? (length - natural) / soft : 0.0);
}

/* Forces above which a rod bends in layers of less than a thirtieth of its length, about its weaker axis. */
static double least_cable_force(const equilibrium_model *m) {
    return 1e3 * fmin(m->CM[0], m->CM[1]);
}

/* The tension T of a shallow cable of length 1 under the load w across its chord, longer than the chord by l:
 *   T^3/EA + l T^2 = w^2/24                                                                                 (5.21a) */
static double shallow_tension(const catenary *c) {
    double low = 0.0, high = 1.0 + c->EA + c->across; /* the left-hand side is larger there */
    for (int i = 0; i < 200; i++) {
        const double T = 0.5 * (low + high);
        *(T * T * (T / c->EA + c->longer) < c->across * c->across / 24.0 ? &low : &high) = T;
    }
    return high;
}

bool wy_equilibrium_is_cable(double *scale, const wy_equilibrium *b, const equilibrium_control *target) {
    if (b->method.solver != WY_COLLOCATION || !equilibrium_end_constrains(&target->left, WY_CONSTRAINS_POSITION) ||
        !equilibrium_end_constrains(&target->right, WY_CONSTRAINS_POSITION))
        return false;
    catenary c; /* only ends and load are used: no allocation for a rod that is not a cable */
    c.m = b->model;
    c.hangs = CABLE_BETWEEN_ENDS;
    *scale = cable_force_scale(&c, target);
    *scale = fmax(*scale, shallow_tension(&c));
    return v3_norm(c.pull) > 0.0 && *scale > least_cable_force(b->model);
}

cable_support wy_equilibrium_cable_support(double *scale, const wy_equilibrium *b, const equilibrium_control *target) {
    const bool first = equilibrium_end_constrains(&target->left, WY_CONSTRAINS_POSITION),
               last = equilibrium_end_constrains(&target->right, WY_CONSTRAINS_POSITION);
    const equilibrium_end *tip = first ? &target->right : &target->left;
    if (b->method.solver != WY_COLLOCATION || first == last || tip->constraint.components != 0 || tip->law[0].end ||
        tip->law[1].end || v3_norm(tip->body_force) > 0.0)
        return CABLE_BETWEEN_ENDS;
    catenary c;
    c.m = b->model;
    c.hangs = first ? CABLE_FROM_FIRST : CABLE_FROM_LAST;
    *scale = cable_force_scale(&c, target);
    return v3_norm(c.pull) > 0.0 && *scale > least_cable_force(b->model) ? c.hangs : CABLE_BETWEEN_ENDS;
}

/* ---- the catenary ---- */

static void catenary_slope(double dn[3], double dx[3], const equilibrium_model *m, double s, const double n[3],
                           const double x[3]) {
    double t[3], f[3], EA, nu3;
    const double T = v3_norm(n);
    v3_scale(t, T > 0.0 ? 1.0 / T : 0.0, n);
    cable_load_at(f, &EA, &nu3, m, s, x, t);
    v3_scale(dn, -1.0, f);
    v3_scale(dx, nu3 + T / EA, t);
}

/* Integrates from n0 and x0 at the first end, or backwards from the last. */
static void integrate_catenary_from(catenary *c, const double n0[3], const double x0[3], bool backwards) {
    const double h = (backwards ? -1.0 : 1.0) / STEPS;
    const int begin = backwards ? STEPS : 0;
    v3_copy(c->n[begin], n0);
    v3_copy(c->x[begin], x0);
    for (int j = 0; j < STEPS; j++) {
        const int i = backwards ? STEPS - j : j, next = backwards ? i - 1 : i + 1;
        double kn[4][3], kx[4][3], n[3], x[3];
        static const double at[4] = {0.0, 0.5, 0.5, 1.0}, fraction[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (int k = 0; k < 4; k++) {
            v3_copy(n, c->n[i]);
            v3_copy(x, c->x[i]);
            if (k > 0) {
                v3_axpy(n, n, at[k] * h, kn[k - 1]);
                v3_axpy(x, x, at[k] * h, kx[k - 1]);
            }
            catenary_slope(kn[k], kx[k], c->m, (double)i / STEPS + at[k] * h, n, x);
        }
        v3_copy(c->n[next], c->n[i]);
        v3_copy(c->x[next], c->x[i]);
        for (int k = 0; k < 4; k++) {
            v3_axpy(c->n[next], c->n[next], h * fraction[k], kn[k]);
            v3_axpy(c->x[next], c->x[next], h * fraction[k], kx[k]);
        }
        subtract_point_forces(c->n[next], c->m, (double)(backwards ? next : i) / STEPS,
                              (double)(backwards ? i : next) / STEPS, c->x[next], backwards ? -1.0 : 1.0);
    }
}

static void integrate_catenary(catenary *c, const double n0[3]) {
    integrate_catenary_from(c, n0, c->x0, false);
}

/* The force n at a tip without a force is zero; its direction is that in which the load is along the cable: t =
 * +-f(t)/|f|. A load that depends on the direction, such as that of a stream, is evaluated repeatedly. Returns a tiny
 * force in that direction. (5.21b) */
static void unloaded_tip_force(double n[3], const catenary *c, const double x[3]) {
    const bool last = c->hangs == CABLE_FROM_FIRST;
    const double s = last ? 1.0 : 0.0, sign = last ? 1.0 : -1.0;
    double t[3], f[3], EA, nu3;
    v3_scale(t, sign / v3_norm(c->pull), c->pull);
    for (int it = 0; it < 300; it++) {
        cable_load_at(f, &EA, &nu3, c->m, s, x, t);
        const double size = v3_norm(f);
        if (!(size > 0.0))
            break;
        v3_axpy(t, t, 0.5 * sign / size, f);
        v3_scale(t, 1.0 / fmax(v3_norm(t), 1e-300), t);
    }
    v3_scale(n, 1e-9 * v3_norm(c->pull), t);
}

/* n(0) of an inextensible catenary, approximately: with span l across the load and h against it, H = w l/(2 lambda) and
 * V(L) = w/2 (h/tanh lambda + L), lambda^2 = 3 ((L^2 - h^2)/l^2 - 1); a taut cable uses lambda = 0.2. (5.21) */
static void estimate_catenary_force(double n0[3], const catenary *c, double stretch) {
    double chord[3], down[3], across[3];
    const double w = v3_norm(c->pull);
    v3_sub(chord, c->x1, c->x0);
    v3_scale(down, 1.0 / w, c->pull);
    const double h = -v3_dot(chord, down);
    v3_axpy(across, chord, h, down);
    const double l = v3_norm(across);
    const double excess = l > 0.0 ? (1.0 - h * h) / (l * l) - 1.0 : 1e9;
    const double lambda = excess > 1e-9 ? fmin(sqrt(3.0 * excess), 20.0) : 0.2;
    const double H = fmax(w * l / (2.0 * lambda), 1e-3 * w), e2 = wy_exp(-2.0 * lambda);
    const double V = 0.5 * w * (h * (1.0 + e2) / (1.0 - e2) + 1.0);
    if (stretch > 0.0 && l > 0.0 &&
        stretch * l / v3_norm(chord) > H) { /* taut: the tension along the chord, and half the weight */
        v3_scale(n0, stretch / v3_norm(chord), chord);
        v3_axpy(n0, n0, 0.5 * w, down);
        return;
    }
    v3_scale(n0, l > 0.0 ? H / l : 0.0, across);
    v3_axpy(n0, n0, -V + w, down);
}

/* The distance of the integrated end from its support. */
static double catenary_miss(double r[3], const catenary *c) {
    const bool first = c->hangs == CABLE_FROM_FIRST;
    v3_sub(r, c->x[first ? 0 : STEPS], first ? c->x0 : c->x1);
    return v3_norm(r);
}

/* A hanging cable: n at its tip is the force there; the whole cable is then shifted to its support. */
static bool hang_catenary(catenary *c) {
    const bool last = c->hangs == CABLE_FROM_FIRST; /* the tip is the last end */
    double n[3], r[3], x[3];
    v3_copy(x, last ? c->x0 : c->x1);
    v3_scale(n, last ? 1.0 : -1.0, c->tip);
    for (int it = 0; it < 20; it++) {
        if (!(v3_norm(c->tip) > 1e-9 * v3_norm(c->pull)))
            unloaded_tip_force(n, c, x);
        integrate_catenary_from(c, n, x, last);
        if (catenary_miss(r, c) < 1e-10)
            return true;
        v3_sub(x, x, r);
    }
    return catenary_miss(r, c) < 1e-6;
}

/* Newton on n(0), with steps halved until the residual decreases. */
static bool close_catenary(catenary *c, double stretch) {
    double n0[3], r[3], J[9];
    if (c->hangs)
        return hang_catenary(c);
    estimate_catenary_force(n0, c, stretch);
    integrate_catenary(c, n0);
    double miss = catenary_miss(r, c);
    for (int it = 0; it < 60 && miss > 1e-10; it++) {
        size_t pivots[3];
        const double size = v3_norm(n0);
        for (int k = 0; k < 3; k++) {
            double up[3], moved[3];
            v3_copy(up, n0);
            up[k] += 1e-7 * size;
            integrate_catenary(c, up);
            catenary_miss(moved, c);
            for (int i = 0; i < 3; i++)
                J[3 * i + k] = (moved[i] - r[i]) / (1e-7 * size);
        }
        if (!wy_lu_factor(J, pivots, 3))
            return false;
        double step[3] = {-r[0], -r[1], -r[2]}, trial[3], next = INFINITY;
        wy_lu_solve(step, J, pivots, 3);
        const double longest = v3_norm(step);
        for (double cut = longest > 0.7 * size ? 0.7 * size / longest : 1.0; cut > 1e-6; cut *= 0.5) {
            v3_axpy(trial, n0, cut, step);
            integrate_catenary(c, trial);
            next = catenary_miss(r, c);
            if (next < miss)
                break;
        }
        if (!(next < miss)) { /* round-off, or no descent */
            integrate_catenary(c, n0);
            catenary_miss(r, c);
            break;
        }
        v3_copy(n0, trial);
        miss = next;
    }
    return miss < 1e-6;
}

/* ---- from the catenary to the rod ---- */

static void catenary_at(double n[3], double x[3], const catenary *c, double s) {
    double dn0[3], dx0[3], dn1[3], dx1[3];
    int i = (int)floor(s * STEPS);
    i = i < 0 ? 0 : i > STEPS - 1 ? STEPS - 1 : i;
    const double h = 1.0 / STEPS, u = fmin(1.0, fmax(0.0, s * STEPS - i)), v = 1.0 - u;
    catenary_slope(dn0, dx0, c->m, i * h, c->n[i], c->x[i]);
    catenary_slope(dn1, dx1, c->m, (i + 1) * h, c->n[i + 1], c->x[i + 1]);
    const double a = v * v * (1.0 + 2.0 * u), b = h * u * v * v, A = u * u * (1.0 + 2.0 * v), B = -h * v * u * u;
    for (int k = 0; k < 3; k++) {
        n[k] = a * c->n[i][k] + b * dn0[k] + A * c->n[i + 1][k] + B * dn1[k];
        x[k] = a * c->x[i][k] + b * dx0[k] + A * c->x[i + 1][k] + B * dx1[k];
    }
}

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
        catenary_at(before, x, c, m->breaks[k] - 2.0 / STEPS);
        catenary_at(after, x, c, m->breaks[k] + 2.0 / STEPS);
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
static void put_rod_on_catenary(double *y, const catenary *c, const equilibrium_control *target,
                                const double layer[2]) {
    const equilibrium_model *m = c->m;
    const size_t N = m->elements;
    double off[2][3] = {{0}}, ends[2][4], t[3], n[3], x[3], last[3] = {0, 0, 0};
    const equilibrium_end *const held[2] = {&target->left, &target->right};
    const double e3[3] = {0.0, 0.0, 1.0};
    v3_scale(t, (c->hangs == CABLE_FROM_LAST ? -1.0 : 1.0) / v3_norm(c->pull), c->pull);
    for (int e = 0; e < 2; e++) {
        catenary_at(n, x, c, e);
        tangent_of(t, n, c);
        frame_along(ends[e], t);
        if (equilibrium_end_constrains(held[e], WY_CONSTRAINS_ROTATION) && layer[e] > 0.0) {
            double d3[3];
            wy_equilibrium_end_target(ends[e], held[e]);
            wy_quat_rotate(d3, ends[e], e3);
            rotation_vector_between(off[e], t, d3);
        }
    }
    catenary_at(n, x, c, 1e-3);
    tangent_of(t, n, c);
    for (size_t i = 0; i <= N; i++) {
        double *yi = y + i * D;
        catenary_at(n, x, c, m->s[i]);
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
        catenary_at(n, x, c, m->s[i]);
        wy_equilibrium_rotate_back(yi + WY_STATIC_P, yi + WY_STATIC_Q, n);
        const equilibrium_coefficients p = wy_equilibrium_model_coefficients(m, m->s[i], i < N ? i : N - 1, yi);
        for (int k = 0; k < 3; k++)
            yi[WY_STATIC_M + k] = (kappa[k] - p.kappa[k]) / p.inv_CM[k];
    }
    for (int e = 0; e < 2; e++)
        if (!equilibrium_end_constrains(held[e], WY_CONSTRAINS_ROTATION))
            v3_set(y + (e ? N : 0) * D + WY_STATIC_M, 0.0, 0.0, 0.0);
}

/* ---- the solution ---- */

/* Redistributes the elements by the error and solves again, as long as the error decreases. In the elements between
 * the layers, which are much longer than sqrt(EI/|n|), the estimate contains undamped remains of the layers: the
 * mesh with the least error is kept. */
static void redistribute_cable_mesh(wy_equilibrium *b) {
    equilibrium_model *m = b->model;
    const size_t N = m->elements, nodes = N + 1;
    double *scratch = malloc(nodes * (2 * D + 3) * sizeof *scratch), unit[D], least = INFINITY;
    size_t *piece = malloc(2 * nodes * sizeof *piece);
    if (!scratch || !piece) {
        free(scratch);
        free(piece);
        return;
    }
    double *local = scratch, *next = local + nodes * D, *monitor = next + nodes * D, *measure = monitor + nodes,
           *s = measure + nodes;
    double *old = b->si, *old_s = b->s_si; /* used as scratch: published later */
    size_t *old_piece = piece + nodes;
    for (int round = 0; round < 5; round++) {
        double sum = INFINITY;
        wy_mesh_need need = {0};
        if (wy_collocation_relax(b->solver, b->y) && !wy_collocation_local_error(b->solver, b->y, false, local, NULL)) {
            wy_equilibrium_error_units(unit, m, b->y, nodes);
            wy_equilibrium_error_monitor(monitor, local, unit, N);
            need = wy_mesh_weigh(measure, monitor, &b->solver->bvp, b->method.order + 1);
            sum = need.sum;
        }
        if (!(sum < least) && round > 0) { /* worse than before */
            memcpy(b->y, old, nodes * D * sizeof *old);
            wy_equilibrium_model_mesh(m, N, old_s, old_piece);
            break;
        }
        least = sum;
        if (!isfinite(sum) || sum < 2.0 * need.evenly || sum < 1e-11 ||
            wy_mesh_equidistribute(s, piece, N, N, measure, &b->solver->bvp, m->piece) != N)
            break;
        size_t e = 0;
        for (size_t i = 0; i < nodes; i++) {
            e = wy_mesh_find(&b->solver->bvp, s[i], e);
            wy_mesh_solution(next + i * D, &b->solver->bvp, b->y, e, s[i]);
            wy_quat_normalize(next + i * D + WY_STATIC_Q, next + i * D + WY_STATIC_Q);
        }
        memcpy(old, b->y, nodes * D * sizeof *old);
        memcpy(old_s, m->s, nodes * sizeof *s);
        memcpy(old_piece, m->piece, N * sizeof *piece);
        wy_equilibrium_model_mesh(m, N, s, piece);
        wy_bvp_stats now = {0};
        const wy_newton newton = {.max_iterations = 20, .tolerance = 1e-11, .limit = 1.0};
        if (wy_bvp_solver_correct(b->solver, &newton, next, &now, NULL)) {
            wy_equilibrium_model_mesh(m, N, old_s, old_piece);
            break;
        }
        memcpy(b->y, next, nodes * D * sizeof *next);
        b->stats.total_iterations += now.iterations;
        b->stats.points++;
    }
    free(scratch);
    free(piece);
}

/* Newton for a rod with a fraction of its bending and torsional rigidity, which then grows to 1; uniform rods only. */
static wy_status stiffen_cable(wy_equilibrium *b, const catenary *c, const equilibrium_control *target, wy_error *err) {
    equilibrium_model *m = b->model;
    const size_t n = (m->elements + 1) * D;
    const double none[2] = {0.0, 0.0}, CM[3] = {m->CM[0], m->CM[1], m->CM[2]};
    const wy_newton newton = {.max_iterations = 25, .tolerance = 1e-9, .limit = 0.5};
    double *trial = malloc(n * sizeof *trial), fraction = 1e-3, ratio = 3.0;
    wy_bvp_stats now = {0};
    wy_status s = WY_OK;
    if (!trial)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", m->elements + 1);
    v3_scale(m->CM, fraction, CM);
    put_rod_on_catenary(b->y, c, target, none);
    s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
    while (!s && fraction < 1.0) {
        const double next = fmin(1.0, fraction * ratio);
        v3_scale(m->CM, next, CM);
        memcpy(trial, b->y, n * sizeof *trial);
        for (size_t i = 0; i < n; i += D)
            v3_scale(trial + i + WY_STATIC_M, next / fraction, trial + i + WY_STATIC_M);
        now = (wy_bvp_stats){0};
        const wy_status here = wy_bvp_solver_correct(b->solver, &newton, trial, &now, err);
        b->stats.total_iterations += now.iterations;
        b->stats.points++;
        if (here) {
            ratio = sqrt(ratio);
            if (ratio < 1.01)
                s = here;
            continue;
        }
        memcpy(b->y, trial, n * sizeof *trial);
        fraction = next;
        if (now.iterations <= 6)
            ratio = fmin(10.0, ratio * 1.5);
    }
    memcpy(m->CM, CM, sizeof CM);
    free(trial);
    return s;
}

/* Turns the clamps in steps from the directions of the catenary, where there are no layers, to their targets. */
static wy_status turn_cable_clamps(wy_equilibrium *b, const catenary *c, const equilibrium_control *target,
                                   wy_error *err) {
    equilibrium_model *m = b->model;
    const size_t n = (m->elements + 1) * D;
    const double none[2] = {0.0, 0.0};
    const wy_newton newton = {.max_iterations = 25, .tolerance = 1e-9, .limit = 0.5};
    equilibrium_control from = *target;
    double *scratch = calloc(3 * n, sizeof *scratch), *last = scratch, *trial = scratch ? scratch + n : NULL,
           *rest = scratch ? scratch + 2 * n : NULL;
    if (!scratch)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", m->elements + 1);
    put_rod_on_catenary(b->y, c, target, none);
    memcpy(from.left.orientation, b->y + WY_STATIC_Q, 4 * sizeof(double));
    memcpy(from.right.orientation, b->y + n - D + WY_STATIC_Q, 4 * sizeof(double));
    from.left.twist = from.right.twist = 0.0;
    equilibrium_control to = *target;
    double q[4];
    wy_equilibrium_end_target(q, &target->left);
    wy_quat_align(to.left.orientation, q, from.left.orientation);
    wy_equilibrium_end_target(q, &target->right);
    wy_quat_align(to.right.orientation, q, from.right.orientation);
    to.left.twist = to.right.twist = 0.0;
    wy_bvp_stats now = {0};
    m->control = from;
    wy_status s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
    if (s == WY_NO_CONVERGENCE && m->uniform)
        s = stiffen_cable(b, c, target, err);
    double at = 0.0, before = 0.0, dt = 0.25;
    bool secant = false;
    while (!s && at < 1.0) {
        const double next = fmin(1.0, at + dt), ahead = secant ? (next - at) / (at - before) : 0.0;
        m->control = wy_equilibrium_control_between(&from, &to, next);
        for (size_t i = 0; i < n; i++)
            trial[i] = b->y[i] + ahead * (b->y[i] - last[i]);
        memcpy(rest, b->y, n * sizeof *rest);
        now = (wy_bvp_stats){0};
        const wy_status here = wy_bvp_solver_correct(b->solver, &newton, trial, &now, err);
        b->stats.total_iterations += now.iterations;
        b->stats.points++;
        if (here) {
            b->stats.rejected++;
            dt *= 0.4;
            if (dt < 1e-4)
                s = here;
            continue;
        }
        memcpy(last, rest, n * sizeof *last);
        memcpy(b->y, trial, n * sizeof *trial);
        before = at;
        at = next;
        secant = true;
        if (now.iterations <= 6)
            dt *= 1.6;
    }
    m->control = *target;
    if (!s) {
        now = (wy_bvp_stats){0};
        s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
        b->stats.iterations = now.iterations;
    }
    free(scratch);
    return s;
}

/* ---- on a sea bed ---- */

/* The rod without loads that depend on position, such as a bed: on a bed the integration of the catenary grows like
 * exp(s sqrt(k/|n|)). NULL if there are none. */
static wy_status create_rod_without_bed(equilibrium_rod **out, const equilibrium_rod *rod, wy_error *err) {
    const wy_list *loads = &rod->def.loads;
    wy_rod_definition bare = rod->def;
    *out = NULL;
    wy_choice *items = calloc(loads->count ? loads->count : 1, sizeof *items);
    if (!items)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu loads", loads->count);
    bare.loads.count = 0;
    for (size_t i = 0; i < loads->count; i++) {
        const wy_load *load = (const wy_load *)(const void *)loads->items[i].entry;
        if (!load->varies || !(load->varies(loads->items[i].config) & WY_VARIES_POSITION))
            items[bare.loads.count++] = loads->items[i];
    }
    wy_status s = WY_OK;
    if (bare.loads.count < loads->count) {
        bare.loads.items = items;
        bare.bodies.rows = 0; /* their weight is already one of the loads */
        s = wy_equilibrium_rod_create(out, &bare, NULL, err);
    }
    free(items);
    return s;
}

/* From the cable without its bed to the cable on it: the bed's stiffness grows by factors, and the nodes follow the
 * touch-down point. */
static wy_status lay_cable_on_bed(wy_equilibrium *b, const equilibrium_control *bare, const equilibrium_control *target,
                                  wy_error *err) {
    equilibrium_model *m = b->model;
    const size_t n = (m->elements + 1) * D;
    const wy_newton newton = {.max_iterations = 40, .tolerance = 1e-9, .limit = 0.3};
    double *trial = malloc(n * sizeof *trial), fraction = 0.0, next = 1e-7, ratio = 3.0;
    wy_status s = WY_OK;
    if (!trial)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", m->elements + 1);
    while (!s && fraction < 1.0) {
        wy_bvp_stats now = {0};
        m->control = wy_equilibrium_control_between(bare, target, next);
        memcpy(trial, b->y, n * sizeof *trial);
        const wy_status here = wy_bvp_solver_correct(b->solver, &newton, trial, &now, err);
        b->stats.total_iterations += now.iterations;
        b->stats.points++;
        if (here) {
            b->stats.rejected++;
            ratio = sqrt(ratio);
            if (ratio < 1.002 || fraction == 0.0)
                s = wy_fail_at(err, here, "the cable converged only up to %.3g of its bed's stiffness", fraction);
            next = fmin(1.0, fraction * ratio);
            continue;
        }
        memcpy(b->y, trial, n * sizeof *trial);
        fraction = next;
        redistribute_cable_mesh(b);
        if (now.iterations <= 8)
            ratio = fmin(10.0, ratio * ratio);
        next = fmin(1.0, fraction * ratio);
    }
    m->control = *target;
    free(trial);
    return s;
}

/* The catenary under the cable's loads; if a bed spoils the integration, that without the bed, and `bare` is the rod
 * without it. */
static wy_status find_catenary(catenary *c, equilibrium_rod **bare, const equilibrium_control *target, wy_error *err) {
    equilibrium_model *m = c->m;
    double r[3], miss = INFINITY;
    *bare = NULL;
    for (int bed = 0; bed < 2; bed++) {
        const double force = cable_force_scale(c, &m->control),
                     stretch = fmax(0.0, force > v3_norm(c->pull) ? force : 0.0);
        if (v3_norm(c->pull) > 0.0 && close_catenary(c, stretch))
            return WY_OK;
        miss = bed ? miss : catenary_miss(r, c);
        const wy_status s = bed ? WY_OK : create_rod_without_bed(bare, m->rod, err);
        if (s || !*bare)
            return s ? s
                     : wy_fail(err, WY_NO_CONVERGENCE,
                               "the first guess, a catenary without bending stiffness, misses the last end by %.3g of "
                               "the length",
                               miss);
        m->control = bed ? *target : wy_equilibrium_model_control(m, *bare);
    }
    return wy_fail(err, WY_NO_CONVERGENCE,
                   "the first guess, a catenary without bending stiffness or bed, misses the last end");
}

wy_status wy_equilibrium_solve_cable(wy_equilibrium *b, double scale, cable_support hangs, wy_error *err) {
    catenary *c = calloc(1, sizeof *c);
    if (!c)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a catenary");
    c->hangs = hangs;
    if (b->model->scale == 1.0)
        wy_equilibrium_model_rescale(b->model, scale);
    equilibrium_model *m = c->m = b->model;
    const equilibrium_control target = wy_equilibrium_model_control(m, m->rod);
    m->control = target;
    equilibrium_rod *bare;
    wy_status s = find_catenary(c, &bare, &target, err);
    if (s) {
        m->control = target;
        wy_equilibrium_rod_free(bare);
        free(c);
        return s;
    }
    const equilibrium_control first = m->control; /* the target, or the target without its bed */
    wy_bvp_stats now = {0};
    double layer[2];
    for (int e = 0; e < 2; e++)
        layer[e] = sqrt(fmax(m->CM[0], m->CM[1]) / fmax(v3_norm(c->n[e ? STEPS : 0]), 1e-12));
    const int tip = hangs == CABLE_FROM_FIRST;
    if (hangs) /* layer at the tip, where the tension grows from zero */
        layer[tip] = fmin(layer[tip], wy_pow(fmax(m->CM[0], m->CM[1]) / v3_norm(c->pull), 1.0 / 3.0));
    if (m->pieces == 1)
        grade_mesh(m->s, m, layer);
    else
        grade_mesh_in_pieces(c, layer);
    const wy_newton newton = {.max_iterations = 60, .tolerance = 1e-10, .limit = 0.5};
    put_rod_on_catenary(b->y, c, &first, layer);
    s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
    b->stats.iterations = now.iterations;
    b->stats.total_iterations += now.iterations;
    b->stats.points++;
    if (s == WY_NO_CONVERGENCE)
        s = turn_cable_clamps(b, c, &first, err);
    free(c);
    if (!s)
        redistribute_cable_mesh(b);
    if (!s && bare)
        s = lay_cable_on_bed(b, &first, &target, err);
    m->control = target;
    wy_equilibrium_rod_free(bare);
    if (s)
        return wy_fail_at(err, s, "from the catenary");
    b->homotopy.at = target;
    b->cable = true;
    return WY_OK;
}
