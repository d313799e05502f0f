/* Cables without bending stiffness. docs/math/statics.md 5.10.
 *
 * The first guess of a cable is the cable without bending stiffness under the same loads,
 *
 *   n' = -f(s, x, t),     x' = (nu3* + |n|/EA) t,     t = n/|n|,     x(0), x(L) given,                         (5.20)
 *
 * integrated by RK4 and closed by Newton on n(0), which starts from the catenary's well-known estimate. */
#include "equilibrium/equilibrium_catenary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "linalg/lu.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

/* ---- whether a rod is a cable ---- */

/* Frame with d3 = t: the shortest rotation from e3. */
void wy_catenary_frame(double q[4], const double t[3]) {
    q[0] = 1.0 + t[2];
    v3_set(q + 1, -t[1], t[0], 0.0);
    if (!(q[0] > 1e-9))
        q[1] = 1.0;
    wy_quat_normalize(q, q);
}

/* Whether a piece is that of a force on a point, spread over WY_STATIC_POINT_WIDTH: for the catenary it is a jump. */
bool wy_catenary_point_piece(const equilibrium_model *m, size_t piece) {
    return m->breaks[piece + 1] - m->breaks[piece] < 0.1 / CATENARY_STEPS;
}

/* Load per length in space components on a cable with tangent t at x, and EA and nu3 there. */
static void cable_load_on_element(double f[3], double *EA, double *nu3, const equilibrium_model *m, double s,
                                  size_t element, const double x[3], const double t[3]) {
    double y[D] = {0}, turned[3];
    wy_catenary_frame(y + WY_STATIC_Q, t);
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
    while (wy_catenary_point_piece(m, m->piece[e]) && e + 1 < m->elements)
        e++;
    cable_load_on_element(f, EA, nu3, m, s, e, x, t);
}

/* Subtracts from n the forces on points between two integration steps; sign -1 on a backward integration. */
static void subtract_point_forces(double n[3], const equilibrium_model *m, double from, double to, const double x[3],
                                  double sign) {
    for (size_t e = 0; e < m->elements && m->pieces > 1; e++) {
        const size_t k = m->piece[e];
        const double mid = 0.5 * (m->breaks[k] + m->breaks[k + 1]), T = v3_norm(n);
        if (!wy_catenary_point_piece(m, k) || !(mid > from && mid <= to) || (e > 0 && m->piece[e - 1] == k))
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
    const double h = (backwards ? -1.0 : 1.0) / CATENARY_STEPS;
    const int begin = backwards ? CATENARY_STEPS : 0;
    v3_copy(c->n[begin], n0);
    v3_copy(c->x[begin], x0);
    for (int j = 0; j < CATENARY_STEPS; j++) {
        const int i = backwards ? CATENARY_STEPS - j : j, next = backwards ? i - 1 : i + 1;
        double kn[4][3], kx[4][3], n[3], x[3];
        static const double at[4] = {0.0, 0.5, 0.5, 1.0}, fraction[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (int k = 0; k < 4; k++) {
            v3_copy(n, c->n[i]);
            v3_copy(x, c->x[i]);
            if (k > 0) {
                v3_axpy(n, n, at[k] * h, kn[k - 1]);
                v3_axpy(x, x, at[k] * h, kx[k - 1]);
            }
            catenary_slope(kn[k], kx[k], c->m, (double)i / CATENARY_STEPS + at[k] * h, n, x);
        }
        v3_copy(c->n[next], c->n[i]);
        v3_copy(c->x[next], c->x[i]);
        for (int k = 0; k < 4; k++) {
            v3_axpy(c->n[next], c->n[next], h * fraction[k], kn[k]);
            v3_axpy(c->x[next], c->x[next], h * fraction[k], kx[k]);
        }
        subtract_point_forces(c->n[next], c->m, (double)(backwards ? next : i) / CATENARY_STEPS,
                              (double)(backwards ? i : next) / CATENARY_STEPS, c->x[next], backwards ? -1.0 : 1.0);
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
    v3_sub(r, c->x[first ? 0 : CATENARY_STEPS], first ? c->x0 : c->x1);
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

void wy_catenary_at(double n[3], double x[3], const catenary *c, double s) {
    double dn0[3], dx0[3], dn1[3], dx1[3];
    int i = (int)floor(s * CATENARY_STEPS);
    i = i < 0 ? 0 : i > CATENARY_STEPS - 1 ? CATENARY_STEPS - 1 : i;
    const double h = 1.0 / CATENARY_STEPS, u = fmin(1.0, fmax(0.0, s * CATENARY_STEPS - i)), v = 1.0 - u;
    catenary_slope(dn0, dx0, c->m, i * h, c->n[i], c->x[i]);
    catenary_slope(dn1, dx1, c->m, (i + 1) * h, c->n[i + 1], c->x[i + 1]);
    const double a = v * v * (1.0 + 2.0 * u), b = h * u * v * v, A = u * u * (1.0 + 2.0 * v), B = -h * v * u * u;
    for (int k = 0; k < 3; k++) {
        n[k] = a * c->n[i][k] + b * dn0[k] + A * c->n[i + 1][k] + B * dn1[k];
        x[k] = a * c->x[i][k] + b * dx0[k] + A * c->x[i + 1][k] + B * dx1[k];
    }
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

/* The catenary under the cable's loads; if a bed spoils the integration, that without the bed, and `bare` is the rod
 * without it. */
wy_status wy_catenary_find(catenary *c, equilibrium_rod **bare, const equilibrium_control *target, wy_error *err) {
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
