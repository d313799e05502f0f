/* What modes are good for: the answer of a rod to shaking, and the whirl of a rod that spins. docs/math/branches.md, "Shaking and spinning". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/branches.h>
#include <withy/rotation.h>

#include "equilibrium/equilibrium_stability.h"
#include "equilibrium/equilibrium_solver.h"
#include "linalg/symmetric.h"
#include "math/vec3.h"
#include "rod/rod_along.h"

enum { D = WY_REST_DIM };

/* Weights of the nodes: Simpson's where two elements are as long, as after a mesh was cut in two, the trapezoid's elsewhere. */
static void weights(double *w, const double *s, size_t nodes) {
    memset(w, 0, nodes * sizeof *w);
    for (size_t i = 0; i + 1 < nodes;) {
        const double h = s[i + 1] - s[i];
        if (i + 2 < nodes && fabs(s[i + 2] - s[i + 1] - h) < 1e-6 * h) {
            w[i] += h / 3.0;
            w[i + 1] += 4.0 * h / 3.0;
            w[i + 2] += h / 3.0;
            i += 2;
        } else {
            w[i] += 0.5 * h;
            w[i + 1] += 0.5 * h;
            i++;
        }
    }
}

static double in_frame(const double q[4], const double inertia[3], const double a[3], const double b[3]) {
    double x[3], y[3];
    wy_equilibrium_rotate_back(x, q, a);
    wy_equilibrium_rotate_back(y, q, b);
    return inertia[0] * x[0] * y[0] + inertia[1] * x[1] * y[1] + inertia[2] * x[2] * y[2];
}

/* d3.(a x b) */
static double about(const double q[4], const double a[3], const double b[3]) {
    const double e3[3] = {0.0, 0.0, 1.0};
    double d3[3], c[3];
    wy_equilibrium_rotate(d3, q, e3);
    v3_cross(c, a, b);
    return v3_dot(d3, c);
}

static size_t nearest(const double *s, size_t nodes, double at) {
    size_t node = 0;
    while (node + 1 < nodes && fabs(s[node + 1] - at) <= fabs(s[node] - at))
        node++;
    return node;
}

/* Masses of the modes (count) and, unless NULL, what couples them when the rod spins once a second times 2 pi (count x count), kg m^2:
 * m_k = int rhoA |u|^2 + phi.R rhoI R^T phi and what water adds across d3,   G_kl = int rhoJ d3.(phi_k x phi_l),  bodies too. */
static wy_status reduce(double *mass, double *G, const wy_mode_table *t, const wy_rod_definition *rod, wy_error *err) {
    const size_t n = t->nodes;
    double *w = malloc(n * sizeof *w);
    if (!w)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    weights(w, t->s, n);
    for (size_t k = 0; k < t->count; k++)
        for (size_t l = 0; l < (G ? t->count : k + 1); l++) {
            double sum = 0.0, turn = 0.0;
            for (size_t i = 0; i < n; i++) {
                const double *a = t->shapes + (k * n + i) * 6, *b = t->shapes + (l * n + i) * 6,
                             *q = t->states + i * D + WY_REST_Q;
                wy_section c;
                wy_rod_section_at(&c, rod, t->s[i], i + 1 < n ? 1 : -1);
                const double inertia[3] = {c.rhoI1, c.rhoI2, c.rhoJ};
                const double added = wy_rod_added_mass(rod, &c), L2 = rod->length * rod->length,
                             across[3] = {added * L2, added * L2, 0.0};
                if (k == l)
                    sum += w[i] * (c.rhoA * L2 * v3_dot(a + 3, b + 3) + in_frame(q, across, a + 3, b + 3) +
                                   in_frame(q, inertia, a, b));
                turn += w[i] * c.rhoJ * about(q, a, b);
            }
            for (size_t m = 0; m < rod->bodies.rows; m++) {
                const double *body = rod->bodies.values + WY_BODY_COLUMNS * m;
                const size_t i = nearest(t->s, n, body[0]);
                const double *a = t->shapes + (k * n + i) * 6, *b = t->shapes + (l * n + i) * 6,
                             *q = t->states + i * D + WY_REST_Q;
                if (k == l)
                    sum += body[1] * rod->length * rod->length * v3_dot(a + 3, b + 3) + in_frame(q, body + 2, a, b);
                turn += body[4] * about(q, a, b);
            }
            if (k == l)
                mass[k] = sum;
            if (G)
                G[k * t->count + l] = turn;
        }
    free(w);
    return WY_OK;
}

/* ---- shaking ---- */

wy_status wy_equilibrium_shaken(double *answer, double *force_at, double *look_at, const double *frequencies,
                                size_t count, const wy_equilibrium_shake *shake, const wy_mode_table *t,
                                wy_equilibrium *b, wy_error *err) {
    if (!b || !t || !shake || !b->solved || t->nodes != b->model->elements + 1)
        return wy_fail(err, WY_BAD_INPUT, "shaking needs the solver that the modes were found with, and its modes");
    const beam_model *m = b->model;
    const size_t n = t->nodes, node = nearest(t->s, n, shake->s), look = nearest(t->s, n, shake->look);
    const beam_response what = {
        .end = shake->end, .node = node, .direction = {shake->direction[0], shake->direction[1], shake->direction[2]}};
    if (shake->end >= 0 && !beam_held(shake->end ? &m->control.right : &m->control.left, WY_HOLDS_POSITION))
        return wy_fail(err, WY_BAD_INPUT, "the %s end is not held, so it cannot be moved: shake it with a force",
                       shake->end ? "last" : "first");
    const double unit = m->force / (m->L * m->L * m->rhoA), size = shake->end < 0 ? m->L / m->force : 1.0;
    beam_stability *stability = NULL;
    double *x = malloc((12 * n + t->count) * sizeof *x), *rhs = x ? x + 6 * n : NULL, *mass = x ? rhs + 6 * n : NULL;
    wy_status s = x ? wy_equilibrium_stability_create(&stability, m->elements, err)
                    : wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    if (!s)
        s = reduce(mass, NULL, t, &m->rod->def, err);
    if (!s && !wy_collocation_relax(b->solver, b->y))
        s = wy_fail(err, WY_NO_CONVERGENCE, "the stages of the solution were lost");
    *force_at = t->s[node];
    *look_at = t->s[look];
    for (size_t i = 0; i < count && !s; i++) {
        const double omega = 6.283185307179586 * frequencies[i], o2 = omega * omega;
        double *out = answer + 6 * i, beside = o2;
        /* Near a resonance the stiffness is singular and modes have the answer: the rest is taken from a little beside it. */
        for (size_t k = 0; k < t->count; k++)
            if (fabs(beside - t->eigenvalues[k]) < 1e-3 * fabs(t->eigenvalues[k]))
                beside = 1.001 * t->eigenvalues[k];
        s = wy_equilibrium_stability_response(x, rhs, &what, beside / unit, stability, m, b->solver, b->y, err);
        for (size_t c = 0; c < 3 && !s; c++) {
            out[2 * c] = x[6 * look + 3 + c];
            out[2 * c + 1] = 0.0;
        }
        /* q of each mode with its damping less q without, there: that is where damping matters */
        for (size_t k = 0; k < t->count && !s; k++) {
            const double *shape = t->shapes + k * n * 6;
            double part = 0.0;
            for (size_t j = 0; j < 6 * n; j++)
                part += rhs[j] * shape[j];
            part *= unit * m->rhoA * m->L * m->L * m->L / mass[k];
            const double away = t->eigenvalues[k] - o2, c = t->damping[k] * omega,
                         below = fmax(away * away + c * c, 1e-300);
            for (size_t a = 0; a < 3; a++) {
                out[2 * a] += part * (away / below - 1.0 / (t->eigenvalues[k] - beside)) * shape[6 * look + 3 + a];
                out[2 * a + 1] -= part * c / below * shape[6 * look + 3 + a];
            }
        }
        for (size_t c = 0; c < 6 && !s; c++)
            out[c] *= size;
    }
    wy_equilibrium_stability_free(stability);
    free(x);
    return s;
}

/* ---- spinning ---- */

wy_status wy_equilibrium_whirl(double *omega, double *sense, const wy_mode_table *t, const wy_rod_definition *rod,
                               double spin, wy_error *err) {
    if (!omega || !sense || !t || !rod)
        return wy_fail(err, WY_BAD_INPUT, "whirl needs modes, their rod, and somewhere to put it: NULL");
    for (int i = 0; i <= 16; i++) {
        wy_section c;
        double xi[6];
        const double at = i / 16.0 * rod->length;
        wy_rod_section_at(&c, rod, at, i < 16 ? 1 : -1);
        wy_rod_reference_at(xi, rod, at, i < 16 ? 1 : -1);
        if (!(fabs(c.EI1 - c.EI2) <= 1e-12 * c.EI1) || !(fabs(c.rhoI1 - c.rhoI2) <= 1e-12 * c.rhoI1) ||
            v3_norm(xi) * rod->length > 1e-12)
            return wy_fail(err, WY_UNSUPPORTED,
                           "a rod that spins about its own line in a shape at rest has a round section and is straight "
                           "when unstressed: this one is not at s = %g m",
                           at);
    }
    const size_t n = t->count, n2 = 2 * n;
    if (t->negative > 0 || !(t->eigenvalues[0] > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "whirl is about a stable equilibrium: this one has %ld negative directions",
                       t->negative);
    double *mass = malloc((n + n * n + 3 * n2 * n2 + 2 * n2) * sizeof *mass);
    if (!mass)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu modes", n);
    double *G = mass + n, *A = G + n * n, *S = A + n2 * n2, *V = S + n2 * n2, *values = V + n2 * n2,
           *other = values + n2;
    const wy_status s = reduce(mass, G, t, rod, err);
    if (s) {
        free(mass);
        return s;
    }
    /* y = (sqrt(lambda) q, q'),  y' = A y,  A = [0 sqrt(lambda); -sqrt(lambda) -spin G] is skew, -A^2 symmetric (8.25) */
    memset(A, 0, n2 * n2 * sizeof *A);
    for (size_t k = 0; k < n; k++) {
        A[k * n2 + n + k] = sqrt(t->eigenvalues[k]);
        A[(n + k) * n2 + k] = -sqrt(t->eigenvalues[k]);
        for (size_t l = 0; l < n; l++)
            A[(n + k) * n2 + n + l] = -spin * G[k * n + l] / sqrt(mass[k] * mass[l]);
    }
    for (size_t i = 0; i < n2; i++)
        for (size_t j = 0; j < n2; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n2; k++)
                sum += A[k * n2 + i] * A[k * n2 + j];
            S[i * n2 + j] = sum;
        }
    wy_symmetric_eigen(values, V, S, n2);
    for (size_t k = 0; k < n; k++) {
        omega[k] = sqrt(fmax(0.0, 0.5 * (values[2 * k] + values[2 * k + 1])));
        sense[k] = 0.0;
        if (!(omega[k] > 0.0))
            continue;
        for (size_t i = 0; i < n2; i++) {
            other[i] = 0.0;
            for (size_t j = 0; j < n2; j++)
                other[i] += A[i * n2 + j] * V[j * n2 + 2 * k] / omega[k];
        }
        /* y(t) = V cos wt + other sin wt: which way round does the line go? */
        double round = 0.0, size = 0.0, turned = 0.0;
        for (size_t i = 0; i < t->nodes; i++) {
            double u[3] = {0.0, 0.0, 0.0}, v[3] = {0.0, 0.0, 0.0}, phi[3] = {0.0, 0.0, 0.0};
            for (size_t l = 0; l < n; l++) {
                const double f = 1.0 / sqrt(t->eigenvalues[l] * mass[l]),
                             *shape = t->shapes + (l * t->nodes + i) * 6 + 3;
                v3_axpy(u, u, f * V[l * n2 + 2 * k], shape);
                v3_axpy(v, v, f * other[l], shape);
                v3_axpy(phi, phi, f * V[l * n2 + 2 * k], shape - 3);
            }
            turned += v3_dot(phi, phi);
            round += about(t->states + i * D + WY_REST_Q, u, v);
            size += 0.5 * (v3_dot(u, u) + v3_dot(v, v));
        }
        sense[k] = size > 1e-6 * turned ? round / size * (spin < 0.0 ? -1.0 : 1.0) : 0.0;
    }
    free(mass);
    return WY_OK;
}
