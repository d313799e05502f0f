/* The whirl of a spinning rod. docs/math/branches.md, "Shaking and spinning". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "branches/modal.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"
#include "linalg/symmetric.h"
#include "math/vec3.h"
#include "rod/rod_along.h"

enum { D = WY_STATIC_DIM };

static wy_status check_round(const wy_rod_definition *rod, wy_error *err) {
    for (int i = 0; i <= 16; i++) {
        wy_section c;
        double xi[6];
        const double at = i / 16.0 * rod->length;
        wy_rod_section_at(&c, rod, at, i < 16 ? 1 : -1);
        wy_rod_reference_at(xi, rod, at, i < 16 ? 1 : -1);
        if (!(fabs(c.EI1 - c.EI2) <= 1e-12 * c.EI1) || !(fabs(c.rhoI1 - c.rhoI2) <= 1e-12 * c.rhoI1) ||
            v3_norm(xi) * rod->length > 1e-12)
            return wy_fail(err, WY_UNSUPPORTED,
                           "whirl needs a round section and a rod that is straight when unstressed: this one is not at "
                           "s = %g m",
                           at);
    }
    return WY_OK;
}

/* The modes of a table of the spinning rod: y = (sqrt(lambda) q, q'), y' = A y. */
typedef struct spinning {
    const wy_mode_table *t;
    modal_sums sums, loads[2]; /* loads: smooth weights, at every node and at every second one */
    double spin;
    double *G, *A, *S, *V, *values, *other; /* V: eigenvectors in columns; other: A V/omega of one of them */
    double *x, *f, *y; /* of one whirl, nodes x 6: two columns, real and imaginary, of x; of f and y with both loads */
} spinning;

static wy_status create_spinning(spinning *w, const wy_mode_table *t, const wy_rod_definition *rod, size_t stride,
                                 double spin, wy_error *err) {
    const size_t n = t->count, n2 = 2 * n;
    *w = (spinning){.t = t, .spin = spin};
    wy_status s = wy_modal_sums_create(&w->sums, t, rod, MODAL_SIMPSON, stride, err);
    for (size_t i = 0; i < 2 && !s; i++)
        s = wy_modal_sums_create(&w->loads[i], t, rod, MODAL_TRAPEZOID, i + 1, err);
    if (s)
        return s;
    w->G = malloc((n * n + 3 * n2 * n2 + 2 * n2 + 60 * t->nodes) * sizeof *w->G);
    if (!w->G)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu modes", n);
    w->A = w->G + n * n;
    w->S = w->A + n2 * n2;
    w->V = w->S + n2 * n2;
    w->values = w->V + n2 * n2;
    w->other = w->values + n2;
    w->x = w->other + n2;
    w->f = w->x + 12 * t->nodes;
    w->y = w->f + 24 * t->nodes;
    /* A = [0 sqrt(lambda); -sqrt(lambda) -spin G] is skew, -A^2 symmetric (8.25) */
    wy_modal_gyroscopic(w->G, &w->sums, t);
    memset(w->A, 0, n2 * n2 * sizeof *w->A);
    for (size_t k = 0; k < n; k++) {
        w->A[k * n2 + n + k] = sqrt(t->eigenvalues[k]);
        w->A[(n + k) * n2 + k] = -sqrt(t->eigenvalues[k]);
        for (size_t l = 0; l < n; l++)
            w->A[(n + k) * n2 + n + l] = -spin * w->G[k * n + l];
    }
    for (size_t i = 0; i < n2; i++)
        for (size_t j = 0; j < n2; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n2; k++)
                sum += w->A[k * n2 + i] * w->A[k * n2 + j];
            w->S[i * n2 + j] = sum;
        }
    wy_symmetric_eigen(w->values, w->V, w->S, n2);
    return WY_OK;
}

static void free_spinning(spinning *w) {
    wy_modal_sums_free(&w->sums);
    wy_modal_sums_free(&w->loads[0]);
    wy_modal_sums_free(&w->loads[1]);
    free(w->G);
}

static double whirl_frequency(const spinning *w, size_t k) {
    return sqrt(fmax(0.0, 0.5 * (w->values[2 * k] + w->values[2 * k + 1])));
}

/* Whirl k as a motion of the rod: x(t) = x_0 cos wt + x_1 sin wt, and its modal coordinates q_0 and q_1 in `q` (2 x
 * count). */
static void set_whirl_motion(spinning *w, double *q, size_t k, double omega) {
    const wy_mode_table *t = w->t;
    const size_t n = t->count, n2 = 2 * n, size = 6 * t->nodes;
    for (size_t i = 0; i < n2; i++) {
        w->other[i] = 0.0;
        for (size_t j = 0; j < n2; j++)
            w->other[i] += w->A[i * n2 + j] * w->V[j * n2 + 2 * k] / omega;
    }
    memset(w->x, 0, 2 * size * sizeof *w->x);
    for (size_t l = 0; l < n; l++) {
        const double *shape = t->shapes + l * size, root = 1.0 / sqrt(t->eigenvalues[l]);
        q[l] = w->V[l * n2 + 2 * k] * root;
        q[n + l] = w->other[l] * root;
        for (size_t i = 0; i < size; i++) {
            w->x[i] += q[l] / sqrt(w->sums.mass[l]) * shape[i];
            w->x[size + i] += q[n + l] / sqrt(w->sums.mass[l]) * shape[i];
        }
    }
}

/* The sense of rotation of the centre line: 1 as the spin, -1 against it; 0 where it oscillates in a plane, 2 where
 * it hardly moves while the rod twists or stretches. */
static double whirl_sense(const spinning *w) {
    const double e3[3] = {0.0, 0.0, 1.0};
    const size_t n = w->t->nodes;
    double round = 0.0, across = 0.0, along = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double *q = w->t->states + i * D + WY_STATIC_Q;
        double d3[3];
        wy_equilibrium_rotate(d3, q, e3);
        round += wy_modal_about(q, w->x + 6 * i + 3, w->x + 6 * (n + i) + 3);
        for (size_t c = 0; c < 2; c++) {
            const double *phi = w->x + 6 * (c * n + i), *u = phi + 3, twist = v3_dot(phi, d3), stretch = v3_dot(u, d3);
            across += 0.5 * (v3_dot(u, u) - stretch * stretch);
            along += 0.5 * (twist * twist + stretch * stretch);
        }
    }
    return across > 1e-3 * along ? round / across * (w->spin < 0.0 ? -1.0 : 1.0) : WY_WHIRL_ALONG;
}

static double vector_product(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The change by the modes that are not in the table, by f^H y/D' with the gyroscopic moments f of the whirl and the
 * response y of the rest of the rod (8.26); `error`: its remainder, and the contribution of the eigenvalues' errors
 * to the frequency. */
static wy_status correct_whirl(double *change, double *error, spinning *w, const double *q, double omega,
                               equilibrium_stability *stability, wy_equilibrium *b, wy_error *err) {
    const wy_mode_table *t = w->t;
    const equilibrium_model *m = b->model;
    const size_t n = t->count, size = 6 * t->nodes;
    const double unit = m->force / (m->L * m->L * m->rhoA);
    double weight = 0.0, turning = 0.0, uncertain = 0.0, mu = omega * omega;
    for (size_t k = 0; k < n; k++) {
        const double part = q[k] * q[k] + q[n + k] * q[n + k];
        weight += part;
        uncertain += part * t->errors[k];
        for (size_t l = 0; l < n; l++)
            turning += q[k] * w->G[k * n + l] * q[n + l];
        if (fabs(mu - t->eigenvalues[k]) < 0.02 * t->eigenvalues[k])
            mu = 1.02 * t->eigenvalues[k];
    }
    /* x = Re (x_0 - i x_1) e^(iwt): x^H iG x = 2 x_0.G x_1 */
    const double slope = fabs(-2.0 * omega * weight + 2.0 * w->spin * turning);
    *change = 0.0;
    *error = uncertain / slope;
    if (w->spin == 0.0)
        return WY_OK;
    memset(w->f, 0, 4 * size * sizeof *w->f);
    for (size_t c = 0; c < 4; c++) /* only products of a column with itself are used: factors i do not matter */
        wy_modal_gyroscopic_moments(w->f + c * size, omega * w->spin, w->x + c % 2 * size, &w->loads[c / 2], t);
    for (size_t i = 0; i < 4 * size; i++)
        w->y[i] = w->f[i] / (m->force * m->L);
    const wy_status s = wy_equilibrium_stability_loaded(w->y, 4, mu / unit, stability, m, b->solver, b->y, err);
    if (s)
        return s;
    double changes[2] = {0.0, 0.0};
    for (size_t c = 0; c < 4; c++) {
        double *y = w->y + c * size;
        for (size_t k = 0; k < n; k++) {
            const double *shape = t->shapes + k * size, part = vector_product(shape, w->f + c * size, size) /
                                                               w->sums.mass[k] / (t->eigenvalues[k] - mu);
            for (size_t i = 0; i < size; i++)
                y[i] -= part * shape[i];
        }
        changes[c / 2] -= vector_product(w->f + c * size, y, size) / slope;
    }
    memset(w->f, 0, size * sizeof *w->f);
    wy_modal_gyroscopic_moments(w->f, omega * w->spin, w->y + size, &w->sums, t);
    /* nodal moments instead of moments along the rod: an error of second order; then y^H iG y, the next term of a
     * geometric series */
    const double less = changes[0] - changes[1], second = changes[0] + less / 3.0,
                 third = 2.0 * vector_product(w->y, w->f, size) / slope, ratio = fmin(1.0, fabs(third / second));
    *change = second + third;
    *error += 1e-3 * fabs(second) + fabs(less) / 30.0 + 2.0 * ratio * fabs(third);
    return WY_OK;
}

wy_status wy_equilibrium_whirl(double *omega, double *errors, double *sense, size_t count, const wy_mode_table *t,
                               wy_equilibrium *b, double spin, wy_error *err) {
    if (!omega || !errors || !sense || !t || !b || !b->solved || t->nodes != b->model->elements + 1)
        return wy_fail(err, WY_BAD_INPUT,
                       "whirl needs modes, the solver that they were computed with, and space for the results");
    if (count > t->count)
        return wy_fail(err, WY_BAD_INPUT, "%zu frequencies of whirl out of %zu modes", count, t->count);
    wy_status s = check_round(&b->model->rod->def, err);
    if (s)
        return s;
    if (t->negative > 0 || !(t->eigenvalues[0] > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "whirl needs a stable equilibrium: this one has %ld negative directions",
                       t->negative);
    spinning fine = {0}, coarse = {0};
    equilibrium_stability *stability = NULL;
    double *q = malloc(2 * t->count * sizeof *q);
    s = q ? create_spinning(&fine, t, &b->model->rod->def, 1, spin, err) : wy_fail(err, WY_NO_MEMORY, "no memory");
    if (!s)
        s = create_spinning(&coarse, t, &b->model->rod->def, 2, spin, err);
    if (!s)
        s = wy_equilibrium_stability_create(&stability, b->model->elements, err);
    if (!s && !wy_collocation_relax(b->solver, b->y))
        s = wy_fail(err, WY_NO_CONVERGENCE, "the stages of the solution were lost");
    for (size_t k = 0; k < count && !s; k++) {
        const double plain = whirl_frequency(&fine, k);
        double change = 0.0;
        omega[k] = plain;
        errors[k] = fabs(plain - whirl_frequency(&coarse, k)) / 4.0 + 1e-12 * plain;
        sense[k] = 0.0;
        if (!(plain > 0.0))
            continue;
        double more;
        set_whirl_motion(&fine, q, k, plain);
        sense[k] = whirl_sense(&fine);
        s = correct_whirl(&change, &more, &fine, q, plain, stability, b, err);
        omega[k] += change;
        errors[k] += more;
    }
    wy_equilibrium_stability_free(stability);
    free_spinning(&fine);
    free_spinning(&coarse);
    free(q);
    return s;
}
