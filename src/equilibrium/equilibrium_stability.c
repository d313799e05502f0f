/* Stability and vibrations of a static rod: the number of negative directions of the second variation
 * (equilibrium_variation.c), its lowest eigenvalues, modes. */
#include "equilibrium/equilibrium_variation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "linalg/lu.h"
#include "linalg/symmetric.h"
#include "math/vec3.h"
#include "rod/rod_along.h"
#include "equilibrium/equilibrium_solver.h"

enum { D = WY_STATIC_DIM, V = VARIATION };

void wy_equilibrium_stability_free(equilibrium_stability *s) {
    if (!s)
        return;
    free(s->H.A);
    free(s);
}

wy_status wy_equilibrium_stability_create(equilibrium_stability **out, size_t most, wy_error *err) {
    *out = NULL;
    const size_t n = most + 1, block = HALF * HALF;
    const size_t sizes[] = {n * block,
                            n * block,
                            n * block,
                            n * block,
                            n * block,
                            n * block,
                            WY_BVP_SYMMETRIES * n * D,
                            WY_BVP_SYMMETRIES * n * HALF,
                            WY_BVP_SYMMETRIES * n * HALF,
                            wy_chain_work(n),
                            n * HALF,
                            n * HALF,
                            n};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        total += sizes[i];
    equilibrium_stability *s = calloc(1, sizeof *s);
    double *memory = wy_memory_take(total, sizeof *memory, err, "the stability of %zu nodes", n);
    if (!s || !memory) {
        const wy_status none =
            memory ? wy_fail(err, WY_NO_MEMORY, "no memory for the stability of %zu nodes", n) : WY_NO_MEMORY;
        free(s);
        free(memory);
        return none;
    }
    double **where[] = {&s->H.A,  &s->H.B,   &s->M.A,  &s->M.B, &s->probe.A, &s->probe.B, &s->modes,
                        &s->zero, &s->heavy, &s->work, &s->x,   &s->y,       &s->scale};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *where[i] = memory;
        memory += sizes[i];
    }
    *out = s;
    return WY_OK;
}

/* ---- assembly ---- */

wy_status wy_equilibrium_stability_assemble(equilibrium_stability *s, const equilibrium_model *m,
                                            const wy_bvp_solver *collocation, const double *y, bool mass,
                                            wy_error *err) {
    return wy_variation_assemble(s, m, collocation, y, 0.0, mass, err);
}

/* K(mu) near mu_0 as a pencil: H = K(mu_0) + mu_0 M, M = -K'(mu_0). The error of its eigenvalue near mu_0 is of the
 * square of the distance; at the distance 0 it is the eigenvalue of K, whose error is that of the elements. Modes of
 * K are orthogonal in the divided difference of K: a zero mode z to the one at mu_0 by K(mu_0) z = 0, not by M z.
 * (8.9a) */
static wy_status linearise_stiffness_at(equilibrium_stability *s, const equilibrium_model *m,
                                        const wy_bvp_solver *collocation, const double *y, double centre,
                                        wy_error *err) {
    const wy_status status = wy_variation_assemble(s, m, collocation, y, centre, true, err);
    if (status)
        return status;
    const size_t n = s->nodes * HALF;
    for (size_t k = 0; k < s->symmetries && fabs(centre) > 1.0; k++) {
        double *heavy = s->heavy + k * n;
        wy_chain_product(heavy, &s->H, s->zero + k * n);
        for (size_t i = 0; i < n; i++)
            heavy[i] /= -centre;
    }
    for (size_t i = 0; i < s->nodes * 36; i++) {
        s->H.A[i] += centre * s->M.A[i];
        s->H.B[i] += centre * s->M.B[i];
    }
    return WY_OK;
}

bool wy_equilibrium_stability_coarse(const equilibrium_stability *s) {
    return s->coarse;
}

double wy_equilibrium_stability_wave(const equilibrium_stability *s) {
    return s->wave;
}

size_t wy_equilibrium_stability_symmetries(const equilibrium_stability *s) {
    return s->symmetries;
}

/* ---- counting ---- */

static wy_status fail_singular_variation(wy_error *err) {
    return wy_fail(err, WY_NO_CONVERGENCE, "the second variation is singular to the last bit");
}

/* By Haynsworth: the bordered matrix [H Z; Z^T 0] has as many negative eigenvalues as H and -Z^T H^-1 Z together;
 * and as many as H on the complement of Z, and one for each column of Z, for any sign of the round-off of a zero
 * eigenvalue. For H - mu M the columns are M Z: the complement is that of the other modes. (8.8) */
static bool count_below(size_t *count, equilibrium_stability *s, double mu) {
    size_t negative;
    const size_t k = s->symmetries, n = s->nodes * HALF;
    if (!wy_chain_factor(&negative, &s->H, mu != 0.0 ? &s->M : NULL, mu, s->work))
        return false;
    double G[WY_BVP_SYMMETRIES * WY_BVP_SYMMETRIES], values[WY_BVP_SYMMETRIES],
        vectors[WY_BVP_SYMMETRIES * WY_BVP_SYMMETRIES];
    const double *Z = s->has_mass ? s->heavy : s->zero;
    for (size_t j = 0; j < k; j++) {
        memcpy(s->x, Z + j * n, n * sizeof *s->x);
        wy_chain_solve(s->x, s->nodes, s->work);
        for (size_t i = 0; i < k; i++) {
            double sum = 0.0;
            for (size_t c = 0; c < n; c++)
                sum += Z[i * n + c] * s->x[c];
            G[i * k + j] = -sum;
        }
    }
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < i; j++)
            G[i * k + j] = G[j * k + i] = 0.5 * (G[i * k + j] + G[j * k + i]);
    if (k > 0)
        wy_symmetric_eigen(values, vectors, G, k);
    for (size_t i = 0; i < k; i++)
        negative += values[i] < 0.0;
    *count = negative >= k ? negative - k : 0;
    return true;
}

wy_status wy_equilibrium_stability_index(size_t *index, equilibrium_stability *s, wy_error *err) {
    if (s->coarse)
        return wy_fail(err, WY_NO_CONVERGENCE, "elements are too long to count negative directions: use more elements");
    return count_below(index, s, 0.0) ? WY_OK : fail_singular_variation(err);
}

void wy_equilibrium_stability_remember(equilibrium_stability *s) {
    memcpy(s->probe.A, s->H.A, s->nodes * 36 * sizeof *s->H.A);
    memcpy(s->probe.B, s->H.B, s->nodes * 36 * sizeof *s->H.B);
}

wy_status wy_equilibrium_stability_linear(double *x, double by, double most, equilibrium_stability *s,
                                          const equilibrium_model *m, const wy_bvp_solver *collocation, const double *y,
                                          wy_error *err) {
    *x = INFINITY;
    wy_status status = wy_variation_assemble(s, m, collocation, y, 0.0, false, err);
    size_t at_start, there;
    if (!status && !count_below(&at_start, s, 0.0))
        status = fail_singular_variation(err);
    if (status)
        return status;
    for (size_t i = 0; i < s->nodes * 36; i++) {
        s->M.A[i] = (s->H.A[i] - s->probe.A[i]) / by;
        s->M.B[i] = (s->H.B[i] - s->probe.B[i]) / by;
    }
    double a = 0.0, b = by;
    for (; b < most && (!count_below(&there, s, b) || there == at_start); b *= 1.25)
        a = b;
    if (!(b < most))
        return WY_OK;
    for (int it = 0; it < 60 && b - a > 1e-10 * b; it++) {
        const double mid = 0.5 * (a + b);
        if (count_below(&there, s, mid) && there == at_start)
            a = mid;
        else
            b = mid;
    }
    *x = b;
    return WY_OK;
}

/* Inverse iteration at mu, orthogonal (in the mass) to the shapes found before. */
static void iterate_mode_shape(double *shape, equilibrium_stability *s, const double *before, size_t found) {
    const size_t n = s->nodes * HALF;
    for (size_t i = 0; i < n; i++)
        s->x[i] = wy_bvp_probe(i + 31 * found);
    for (int round = 0; round < 4; round++) {
        for (size_t f = 0; f < found; f++) { /* a double eigenvalue must give two shapes */
            double dot = 0.0, size = 0.0;
            wy_chain_product(s->y, &s->M, before + f * n);
            for (size_t i = 0; i < n; i++) {
                dot += s->y[i] * s->x[i];
                size += s->y[i] * before[f * n + i];
            }
            for (size_t i = 0; i < n && size > 0.0; i++)
                s->x[i] -= dot / size * before[f * n + i];
        }
        wy_chain_product(s->y, &s->M, s->x);
        wy_chain_solve(s->y, s->nodes, s->work);
        double most = 0.0;
        for (size_t i = 0; i < n; i++)
            most = fmax(most, fabs(s->y[i]));
        for (size_t i = 0; i < n; i++)
            s->x[i] = most > 0.0 ? s->y[i] / most : 0.0;
    }
    memcpy(shape, s->x, n * sizeof *shape);
}

/* W of node `node` for rotations and, in the variables of the chain, displacements; 0 at the ends, which may be
 * constrained: their variations follow from the others. */
static double node_weight(const equilibrium_stability *s, size_t node, int i) {
    const double h = node > 0 && node + 1 < s->nodes ? s->scale[node] : 0.0;
    return i < 3 ? h : h * s->scale[node] * s->scale[node];
}

static double weighted_product(const equilibrium_stability *s, const double *a, const double *b) {
    double sum = 0.0;
    for (size_t node = 1; node + 1 < s->nodes; node++)
        for (int i = 0; i < HALF; i++)
            sum += node_weight(s, node, i) * a[node * HALF + (size_t)i] * b[node * HALF + (size_t)i];
    return sum;
}

/* Removes the component of `a` along `b`. */
static void orthogonalise_to(double *a, const equilibrium_stability *s, const double *b) {
    const double size = weighted_product(s, b, b), along = size > 0.0 ? weighted_product(s, a, b) / size : 0.0;
    for (size_t i = 0; i < s->nodes * HALF; i++)
        a[i] -= along * b[i];
}

/* s->x = H^-1 W z, without symmetries. */
static void apply_compliance(equilibrium_stability *s, const double *z) {
    const size_t n = s->nodes * HALF;
    memcpy(s->x, z, n * sizeof *s->x);
    for (size_t k = 0; k < s->symmetries; k++)
        orthogonalise_to(s->x, s, s->zero + k * n);
    for (size_t i = 0; i < n; i++)
        s->x[i] *= node_weight(s, i / HALF, (int)(i % HALF));
    wy_chain_solve(s->x, s->nodes, s->work);
    for (size_t k = 0; k < s->symmetries; k++)
        orthogonalise_to(s->x, s, s->zero + k * n);
}

/* G = Z^T W H^-1 W Z for the `count` columns Z of `shapes`. */
static void condensed_compliance(double *G, const double *shapes, size_t count, equilibrium_stability *s) {
    for (size_t j = 0; j < count; j++) {
        apply_compliance(s, shapes + j * s->nodes * HALF);
        for (size_t i = 0; i < count; i++)
            G[i * count + j] = weighted_product(s, shapes + i * s->nodes * HALF, s->x);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            G[i * count + j] = G[j * count + i] = 0.5 * (G[i * count + j] + G[j * count + i]);
}

void wy_equilibrium_stability_condense(double *Q, const double *shapes, size_t count, equilibrium_stability *s) {
    double G[WY_NEAREST * WY_NEAREST], values[WY_NEAREST], turn[WY_NEAREST * WY_NEAREST];
    condensed_compliance(G, shapes, count, s);
    wy_symmetric_eigen(values, turn, G, count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            Q[i * count + j] = 0.0;
            for (size_t k = 0; k < count; k++)
                Q[i * count + j] += turn[i * count + k] * turn[j * count + k] / values[k];
        }
}

/* Inverse iteration of several directions at once. */
static void iterate_nearest(double *shapes, equilibrium_stability *s) {
    enum { ITERATIONS = 6 };
    const size_t n = s->nodes * HALF;
    uint64_t noise = 1; /* pseudo-random start */
    for (size_t i = 0; i < WY_NEAREST * n; i++) {
        noise = noise * 6364136223846793005u + 1442695040888963407u;
        shapes[i] = (double)(noise >> 40) / (double)(1 << 24) - 0.5;
    }
    for (int it = 0; it < ITERATIONS; it++)
        for (size_t k = 0; k < WY_NEAREST; k++) {
            double *z = shapes + k * n;
            apply_compliance(s, z);
            memcpy(z, s->x, n * sizeof *z);
            for (int again = 0; again < 2; again++)
                for (size_t j = 0; j < k; j++)
                    orthogonalise_to(z, s, shapes + j * n);
            const double size = sqrt(weighted_product(s, z, z));
            for (size_t i = 0; i < n; i++)
                z[i] = size > 0.0 ? z[i] / size : 0.0;
        }
}

size_t wy_equilibrium_stability_nearest(double values[WY_NEAREST], double *shapes, equilibrium_stability *s) {
    const size_t n = s->nodes * HALF;
    double G[WY_NEAREST * WY_NEAREST], turn[WY_NEAREST * WY_NEAREST], soft[WY_NEAREST];
    size_t count = 0;
    iterate_nearest(shapes, s);
    condensed_compliance(G, shapes, WY_NEAREST, s);
    wy_symmetric_eigen(soft, turn, G, WY_NEAREST);
    for (size_t i = 0; i < n; i++) {
        double z[WY_NEAREST] = {0};
        for (size_t j = 0; j < WY_NEAREST; j++)
            for (size_t k = 0; k < WY_NEAREST; k++)
                z[j] += shapes[k * n + i] * turn[k * WY_NEAREST + j];
        for (size_t j = 0; j < WY_NEAREST; j++)
            shapes[j * n + i] = z[j];
    }
    for (size_t k = 0; k < WY_NEAREST; k++) { /* leaves out mixtures, which respond in other directions too */
        apply_compliance(s, shapes + k * n);
        if (!(weighted_product(s, s->x, s->x) < 1.01 * soft[k] * soft[k]))
            continue;
        memmove(shapes + count * n, shapes + k * n, n * sizeof *shapes);
        values[count++] = 1.0 / soft[k];
    }
    return count;
}

/* Converts to displacements in L, largest number 1. */
static void normalise_shape(double *v, const equilibrium_stability *s) {
    const size_t n = s->nodes * HALF;
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        v[i] *= i % HALF < 3 ? 1.0 : s->scale[i / HALF];
        most = fmax(most, fabs(v[i]));
    }
    for (size_t i = 0; i < n && most > 0.0; i++)
        v[i] /= most;
}

/* A number below all eigenvalues. */
static wy_status find_lower_bound(double *low, equilibrium_stability *s, wy_error *err) {
    size_t below;
    if (!s->has_mass)
        return wy_fail(err, WY_BAD_INPUT, "eigenvalues need the mass matrix");
    for (*low = -1.0; *low > -1e30; *low *= 4.0) {
        if (!count_below(&below, s, *low))
            return fail_singular_variation(err);
        if (below == 0)
            return WY_OK;
    }
    return wy_fail(err, WY_NO_CONVERGENCE, "the mass matrix is not positive: use more elements");
}

/* Eigenvalue number k lies between *a (not above it) and *b. */
static wy_status bisect_eigenvalue(double *a, double *b, size_t k, double relative, equilibrium_stability *s,
                                   wy_error *err) {
    size_t below;
    *b = s->tiny;
    if (!count_below(&below, s, *b))
        return fail_singular_variation(err);
    if (below <= k) /* not among the negative ones */
        for (*a = *b, *b = 50.0;; *a = *b, *b *= 4.0) {
            if (!count_below(&below, s, *b))
                return fail_singular_variation(err);
            if (below > k)
                break;
            if (*b > 1e30)
                return wy_fail(err, WY_NO_CONVERGENCE, "there are only %zu eigenvalues", below);
        }
    while (*b - *a > relative * fmax(fabs(*a), fabs(*b)) && *b - *a > s->tiny) {
        double mid = *a<-s->tiny && * b> s->tiny ? 0.0 : 0.5 * (*a + *b);
        if (!count_below(&below, s, mid) && !count_below(&below, s, mid += 0.01 * (*b - *a)))
            return fail_singular_variation(err);
        if (below > k)
            *b = mid;
        else
            *a = mid;
    }
    return WY_OK;
}

wy_status wy_equilibrium_stability_eigenvalue(double *value, size_t which, double relative, equilibrium_stability *s,
                                              wy_error *err) {
    double a, b;
    wy_status status = find_lower_bound(&a, s, err);
    if (!status)
        status = bisect_eigenvalue(&a, &b, which, relative, s, err);
    if (!status)
        *value = 0.5 * (a + b);
    return status;
}

/* Round-off error of an eigenvalue: eps |x|.|H||x| / x.M x */
static double eigenvalue_round_off(const equilibrium_stability *s, const double *x, double xMx) {
    double sum = 0.0;
    for (size_t node = 0; node < s->nodes; node++)
        for (int i = 0; i < HALF; i++)
            for (int j = 0; j < HALF; j++) {
                const double *xi = x + node * HALF;
                sum += fabs(xi[i] * s->H.A[36 * node + (size_t)(6 * i + j)] * xi[j]);
                if (node > 0)
                    sum += 2.0 * fabs(xi[i] * s->H.B[36 * node + (size_t)(6 * i + j)] * xi[j - HALF]);
            }
    return DBL_EPSILON * sum / xMx;
}

/* Dissipation of the mode x (variables of the chain) for unit velocity, by the trapezoidal rule: viscosity times the
 * squared rates of the strains C^-1 times the stress, and the power of loads and ends that vary with the velocity.
 * Seconds times the unit of H. (8.9b) */
static bool mode_dissipation(double *out, const equilibrium_stability *s, const equilibrium_model *m, const gauss *g,
                             const double *y, double mu, const double *x) {
    *out = 0.0;
    for (size_t e = 0; e + 1 < s->nodes; e++) {
        double S[V * V], K[4][36], c[2][HALF], ignored = 0.0; /* K: aa, ba, bb */
        if (!wy_variation_propagate(S, m, g, y, e, mu) || !wy_variation_stiffness(K[0], K[1], K[2], S, &ignored))
            return false;
        for (int i = 0; i < HALF; i++)
            for (size_t k = 0; k < 2; k++)
                c[k][i] = x[(e + k) * HALF + (size_t)i] * (i < 3 ? 1.0 : s->scale[e + k]);
        const double h = (m->s[e + 1] - m->s[e]) * m->ratio;
        for (size_t k = 0; k < 2; k++) {
            double p[HALF] = {0}, turn[3], here[3], viscosity[6], C[36] = {0}, size = 0.0;
            for (int i = 0; i < HALF; i++)
                for (int j = 0; j < HALF; j++)
                    p[i] += k ? K[1][6 * i + j] * c[0][j] + K[2][6 * i + j] * c[1][j]
                              : -K[0][6 * i + j] * c[0][j] - K[1][6 * j + i] * c[1][j];
            const double *at = y + (e + k) * D;
            const equilibrium_coefficients coefficients = wy_equilibrium_model_coefficients(m, m->s[e + k], e, at);
            wy_equilibrium_model_damping(viscosity, C, m, m->s[e + k], e, at);
            for (int half = 0; half < 2; half++) { /* R^T (p - 1/2 phi x m), R^T (dn - phi x n) */
                const double *stress = at + (half ? WY_STATIC_P : WY_STATIC_M);
                wy_equilibrium_rotate(here, at + WY_STATIC_Q, stress);
                v3_cross(turn, c[k], here);
                v3_axpy(here, p + 3 * half, half ? -1.0 : -0.5, turn);
                wy_equilibrium_rotate_back(here, at + WY_STATIC_Q, here);
                for (int i = 0; i < 3; i++) {
                    const double rate = here[i] * (half ? coefficients.inv_CP[i] : coefficients.inv_CM[i]);
                    size += viscosity[3 * half + i] * rate * rate;
                }
            }
            for (int i = 0; i < HALF; i++)
                for (int j = 0; j < HALF; j++)
                    size -= c[k][i] * C[6 * i + j] * c[k][j];
            *out += 0.5 * h * size;
        }
    }
    for (int end = 0; end < 2; end++) {
        const size_t node = end ? s->nodes - 1 : 0;
        double C[36];
        wy_equilibrium_end_damping(C, m, end, y + node * D);
        for (size_t i = 0; i < HALF; i++)
            for (size_t j = 0; j < HALF; j++)
                *out -= x[node * HALF + i] * C[6 * i + j] * x[node * HALF + j] * (i < 3 ? 1.0 : s->scale[node]) *
                        (j < 3 ? 1.0 : s->scale[node]);
    }
    return true;
}

wy_status wy_equilibrium_stability_modes(double *values, double *noise, double *damping, double *shapes, size_t count,
                                         equilibrium_stability *s, const equilibrium_model *m,
                                         const wy_bvp_solver *collocation, const double *y, wy_error *err) {
    const size_t n = m->elements * HALF + HALF;
    double a[STAGES * STAGES];
    const gauss g = wy_variation_gauss(collocation, a);
    wy_status status = wy_variation_assemble(s, m, collocation, y, 0.0, true, err);
    if (!status)
        status = wy_equilibrium_stability_lowest(values, NULL, count, 1e-6, s, err);
    for (size_t k = 0; k < count && !status; k++) {
        double change = INFINITY;
        for (int it = 0; it < 8 && !status && change > 1e-12 * fabs(values[k]) + 2.0 * s->tiny; it++) {
            const double now = values[k];
            status = linearise_stiffness_at(s, m, collocation, y, now, err);
            if (!status)
                status = wy_equilibrium_stability_eigenvalue(&values[k], k, 1e-13, s, err);
            change = fabs(values[k] - now);
        }
        if (status)
            break;
        size_t below;
        const double above = values[k] + 1e-8 * fabs(values[k]) + s->tiny;
        if (!count_below(&below, s, above) && !count_below(&below, s, above + 1e-7 * fabs(above) + s->tiny))
            return fail_singular_variation(err);
        double *x = shapes + k * n, xMx = 0.0, lost;
        iterate_mode_shape(x, s, shapes, k);
        wy_chain_product(s->y, &s->M, x);
        for (size_t i = 0; i < n; i++)
            xMx += s->y[i] * x[i];
        if (!(xMx > 0.0))
            return wy_fail(err, WY_NO_CONVERGENCE, "mode %zu has no mass: use more elements", k + 1);
        noise[k] = eigenvalue_round_off(s, x, xMx) + s->tiny;
        if (!mode_dissipation(&lost, s, m, &g, y, values[k], x))
            return fail_singular_variation(err);
        damping[k] = lost / xMx;
    }
    for (size_t k = 0; k < count && !status; k++)
        normalise_shape(shapes + k * n, s);
    return status;
}

wy_status wy_equilibrium_stability_lowest(double *values, double *shapes, size_t count, double relative,
                                          equilibrium_stability *s, wy_error *err) {
    const size_t n = s->nodes * HALF;
    size_t below;
    double low, b;
    wy_status status = find_lower_bound(&low, s, err);
    for (size_t k = 0; k < count && !status; k++) {
        status = bisect_eigenvalue(&low, &b, k, relative, s, err);
        if (status)
            break;
        values[k] = 0.5 * (low + b);
        if (!shapes)
            continue;
        if (!count_below(&below, s, b + 1e-7 * fabs(b) + s->tiny) &&
            !count_below(&below, s, b + 1e-6 * fabs(b) + 3.0 * s->tiny))
            return fail_singular_variation(err);
        iterate_mode_shape(shapes + k * n, s, shapes, k);
    }
    if (status)
        return status;
    for (size_t k = 0; k < count && shapes; k++)
        normalise_shape(shapes + k * n, s);
    return WY_OK;
}

/* A force on a constrained component goes into the support. */
static void zero_constrained_loads(double *x, const equilibrium_stability *s, const equilibrium_model *m) {
    for (int end = 0; end < 2; end++) {
        const equilibrium_end *at = end ? &m->control.right : &m->control.left;
        for (int i = 0; i < HALF; i++)
            if (equilibrium_end_constrains(at, i < 3 ? WY_CONSTRAINS_ROTATION : WY_CONSTRAINS_POSITION))
                x[(end ? s->nodes - 1 : 0) * HALF + (size_t)i] = 0.0;
    }
}

/* Between displacements in L and the variables of the chain; forces transform inversely. */
static void rescale_displacements(double *x, const equilibrium_stability *s, bool to_plain) {
    for (size_t i = 0; i < s->nodes * HALF; i++)
        if (i % HALF >= 3)
            x[i] = to_plain ? x[i] * s->scale[i / HALF] : x[i] / s->scale[i / HALF];
}

wy_status wy_equilibrium_stability_loaded(double *x, size_t columns, double mu, equilibrium_stability *s,
                                          const equilibrium_model *m, const wy_bvp_solver *collocation, const double *y,
                                          wy_error *err) {
    const wy_status status = wy_variation_assemble(s, m, collocation, y, mu, false, err);
    size_t negative;
    if (status)
        return status;
    if (!wy_chain_factor(&negative, &s->H, NULL, 0.0, s->work))
        return fail_singular_variation(err);
    for (size_t c = 0; c < columns; c++, x += s->nodes * HALF) {
        rescale_displacements(x, s, true);
        zero_constrained_loads(x, s, m);
        wy_chain_solve(x, s->nodes, s->work);
        rescale_displacements(x, s, true);
    }
    return WY_OK;
}

wy_status wy_equilibrium_count_negative(long *negative, const wy_equilibrium *b, wy_error *err) {
    equilibrium_stability *stability = NULL;
    size_t count = 0;
    *negative = -1;
    if (!b->solved || b->method.solver != WY_COLLOCATION || !wy_equilibrium_is_conservative(b->model) ||
        !wy_collocation_relax(b->solver, b->y))
        return WY_OK;
    const wy_status s = wy_equilibrium_stability_create(&stability, b->model->elements, err);
    if (s)
        return s;
    if (!wy_equilibrium_stability_assemble(stability, b->model, b->solver, b->y, false, NULL) &&
        !wy_equilibrium_stability_index(&count, stability, NULL))
        *negative = (long)count;
    wy_equilibrium_stability_free(stability);
    return WY_OK;
}

long wy_equilibrium_negative_directions(const wy_equilibrium *b) {
    long negative;
    return wy_equilibrium_count_negative(&negative, b, NULL) ? -1 : negative;
}
