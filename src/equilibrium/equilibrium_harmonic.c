/* Harmonic response of a damped rod, at the order of the elements: docs/math/branches.md (8.24).
 *
 * (8.5) with e^(i omega t): mu becomes omega^2 - i omega alpha (mass damping), the rigidities C become C + i omega V
 * (viscosity), and i omega times the derivative of the loads by velocity is added to that by position. Propagator
 * and stiffness of an element are those of (8.6), complex; real and imaginary parts of the assembled matrix are the
 * chains H and M of an equilibrium_stability. */
#include "equilibrium/equilibrium_variation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/lu.h"
#include "equilibrium/equilibrium_solver.h"

enum { D = WY_STATIC_DIM, V = VARIATION, STAGE_ROWS = STAGES * V, TWICE = 2 * HALF };

/* ---- complex matrices as two real ones, row after row ---- */

/* Replaces B (n x m) by A^-1 B, by elimination with pivots; A is overwritten. False if A is singular. */
static bool complex_solve(double *Ar, double *Ai, double *Br, double *Bi, size_t n, size_t m) {
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        double most = 0.0;
        for (size_t i = k; i < n; i++) {
            const double size = fabs(Ar[i * n + k]) + fabs(Ai[i * n + k]);
            if (size > most) {
                most = size;
                best = i;
            }
        }
        if (!(most > 0.0) || !isfinite(most))
            return false;
        double *const rows[4] = {Ar, Ai, Br, Bi};
        for (int r = 0; r < 4 && best != k; r++) {
            const size_t width = r < 2 ? n : m;
            for (size_t j = 0; j < width; j++) {
                const double keep = rows[r][k * width + j];
                rows[r][k * width + j] = rows[r][best * width + j];
                rows[r][best * width + j] = keep;
            }
        }
        const double pr = Ar[k * n + k], pi = Ai[k * n + k], size = pr * pr + pi * pi, vr = pr / size, vi = -pi / size;
        for (size_t i = k + 1; i < n; i++) {
            const double ar = Ar[i * n + k], ai = Ai[i * n + k], lr = ar * vr - ai * vi, li = ar * vi + ai * vr;
            if (lr == 0.0 && li == 0.0)
                continue;
            for (size_t j = k + 1; j < n; j++) {
                Ar[i * n + j] -= lr * Ar[k * n + j] - li * Ai[k * n + j];
                Ai[i * n + j] -= lr * Ai[k * n + j] + li * Ar[k * n + j];
            }
            for (size_t j = 0; j < m; j++) {
                Br[i * m + j] -= lr * Br[k * m + j] - li * Bi[k * m + j];
                Bi[i * m + j] -= lr * Bi[k * m + j] + li * Br[k * m + j];
            }
        }
    }
    for (size_t k = n; k-- > 0;) {
        const double pr = Ar[k * n + k], pi = Ai[k * n + k], size = pr * pr + pi * pi, vr = pr / size, vi = -pi / size;
        for (size_t j = 0; j < m; j++) {
            double sr = Br[k * m + j], si = Bi[k * m + j];
            for (size_t i = k + 1; i < n; i++) {
                sr -= Ar[k * n + i] * Br[i * m + j] - Ai[k * n + i] * Bi[i * m + j];
                si -= Ar[k * n + i] * Bi[i * m + j] + Ai[k * n + i] * Br[i * m + j];
            }
            Br[k * m + j] = sr * vr - si * vi;
            Bi[k * m + j] = sr * vi + si * vr;
        }
    }
    return true;
}

/* ---- one element ---- */

typedef struct harmonic_element {
    double Fr[STAGES][V * V], Fi[STAGES][V * V];
    double Ar[STAGE_ROWS * STAGE_ROWS], Ai[STAGE_ROWS * STAGE_ROWS];
    double Xr[STAGE_ROWS * V], Xi[STAGE_ROWS * V];
    double Sr[V * V], Si[V * V];
} harmonic_element;

/* The matrix of (8.5) at stage l of element e. */
static void harmonic_stage_matrix(harmonic_element *w, size_t l, const equilibrium_model *m, const gauss *g,
                                  const double *y, size_t e, double omega) {
    double z[D], mass[MASSES], viscosity[6], C[36], inv[2][2][3]; /* inv: real, imaginary; moments, forces */
    wy_collocation_stage(z, g->of, y, e, l);
    const double at = m->s[e] + g->c[l] * (m->s[e + 1] - m->s[e]);
    const equilibrium_coefficients coefficients = wy_equilibrium_model_coefficients(m, at, e, z);
    wy_variation_mass(mass, m, &coefficients, at, e, z);
    wy_equilibrium_model_damping(viscosity, C, m, at, e, z);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 3; i++) { /* 1/(C + i omega V) */
            const double c = half ? coefficients.inv_CP[i] : coefficients.inv_CM[i],
                         v = omega * viscosity[3 * half + i] * c, size = 1.0 + v * v;
            inv[0][half][i] = c / size;
            inv[1][half][i] = -c * v / size;
        }
    for (int i = 0; i < 36; i++)
        C[i] *= omega;
    const double unit = m->force / (m->L * m->L * m->rhoA);
    wy_variation_field(w->Fr[l], &coefficients, inv[0][0], inv[0][1], coefficients.varies ? coefficients.K : NULL, z,
                       mass, omega * omega / unit, true);
    wy_variation_field(w->Fi[l], &coefficients, inv[1][0], inv[1][1], C, z, mass,
                       -omega * m->rod->def.mass_damping / unit, false);
}

/* Propagator of element e by the Gauss method of the solution. */
static bool propagate_harmonic(harmonic_element *w, const equilibrium_model *m, const gauss *g, const double *y,
                               size_t e, double omega) {
    const size_t s = g->stages, n = s * V;
    const double h = (m->s[e + 1] - m->s[e]) * m->ratio;
    for (size_t l = 0; l < s; l++)
        harmonic_stage_matrix(w, l, m, g, y, e, omega);
    memset(w->Xi, 0, sizeof w->Xi);
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < V; i++) {
            for (size_t l = 0; l < s; l++)
                for (size_t c = 0; c < V; c++) {
                    const size_t at = (j * V + i) * n + l * V + c;
                    w->Ar[at] = (j == l && i == c ? 1.0 : 0.0) - h * g->a[j * s + l] * w->Fr[l][V * i + c];
                    w->Ai[at] = -h * g->a[j * s + l] * w->Fi[l][V * i + c];
                }
            for (size_t c = 0; c < V; c++)
                w->Xr[(j * V + i) * V + c] = i == c ? 1.0 : 0.0;
        }
    if (!complex_solve(w->Ar, w->Ai, w->Xr, w->Xi, n, V))
        return false;
    for (size_t i = 0; i < V; i++)
        for (size_t c = 0; c < V; c++) {
            double sr = i == c ? 1.0 : 0.0, si = 0.0;
            for (size_t l = 0; l < s; l++)
                for (size_t k = 0; k < V; k++) {
                    const double fr = h * g->b[l] * w->Fr[l][V * i + k], fi = h * g->b[l] * w->Fi[l][V * i + k],
                                 xr = w->Xr[(l * V + k) * V + c], xi = w->Xi[(l * V + k) * V + c];
                    sr += fr * xr - fi * xi;
                    si += fr * xi + fi * xr;
                }
            w->Sr[V * i + c] = sr;
            w->Si[V * i + c] = si;
        }
    return true;
}

/* (8.6): K_aa, K_ba = K_ab^T and K_bb, real parts in K[0..2], imaginary in K[3..5]. */
static bool harmonic_stiffness(double K[6][36], const harmonic_element *w) {
    double Ar[36], Ai[36], Xr[HALF * V], Xi[HALF * V];
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++) {
            Ar[HALF * i + j] = w->Sr[V * i + HALF + j];
            Ai[HALF * i + j] = w->Si[V * i + HALF + j];
            Xr[V * i + j] = w->Sr[V * i + j];
            Xi[V * i + j] = w->Si[V * i + j];
            Xr[V * i + HALF + j] = i == j ? 1.0 : 0.0;
            Xi[V * i + HALF + j] = 0.0;
        }
    if (!complex_solve(Ar, Ai, Xr, Xi, HALF, V))
        return false;
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++) {
            double br = 0.0, bi = 0.0;
            for (int k = 0; k < HALF; k++) {
                const double sr = w->Sr[V * (HALF + i) + HALF + k], si = w->Si[V * (HALF + i) + HALF + k],
                             xr = Xr[V * k + HALF + j], xi = Xi[V * k + HALF + j];
                br += sr * xr - si * xi;
                bi += sr * xi + si * xr;
            }
            K[0][HALF * i + j] = Xr[V * i + j];
            K[3][HALF * i + j] = Xi[V * i + j];
            K[1][HALF * j + i] = -Xr[V * i + HALF + j]; /* symmetric: K_ab has lost fewer digits */
            K[4][HALF * j + i] = -Xi[V * i + HALF + j];
            K[2][HALF * i + j] = br;
            K[5][HALF * i + j] = bi;
        }
    return true;
}

/* ---- the rod ---- */

static bool assemble_harmonic(equilibrium_stability *s, harmonic_element *w, const equilibrium_model *m, const gauss *g,
                              const double *y, double omega) {
    wy_chain *const parts[2] = {&s->H, &s->M};
    for (int part = 0; part < 2; part++) {
        memset(parts[part]->A, 0, s->nodes * 36 * sizeof(double));
        memset(parts[part]->B, 0, s->nodes * 36 * sizeof(double));
    }
    for (size_t e = 0; e + 1 < s->nodes; e++) {
        double K[6][36];
        if (!propagate_harmonic(w, m, g, y, e, omega) || !harmonic_stiffness(K, w))
            return false;
        for (int part = 0; part < 2; part++)
            for (int i = 0; i < HALF; i++)
                for (int j = 0; j < HALF; j++) {
                    const double ia = i < 3 ? 1.0 : s->scale[e], ja = j < 3 ? 1.0 : s->scale[e],
                                 ib = i < 3 ? 1.0 : s->scale[e + 1], jb = j < 3 ? 1.0 : s->scale[e + 1];
                    const size_t at = (size_t)(6 * i + j);
                    parts[part]->A[36 * e + at] += ia * ja * K[3 * part][at];
                    parts[part]->A[36 * (e + 1) + at] += ib * jb * K[3 * part + 2][at];
                    parts[part]->B[36 * (e + 1) + at] = ib * ja * K[3 * part + 1][at];
                }
    }
    return true;
}

/* Block n of the chain as a real matrix on (real, imaginary) parts. */
static void widen_complex_block(double W[TWICE * TWICE], const double *Kr, const double *Ki) {
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++) {
            W[TWICE * i + j] = W[TWICE * (HALF + i) + HALF + j] = Kr[HALF * i + j];
            W[TWICE * (HALF + i) + j] = Ki[HALF * i + j];
            W[TWICE * i + HALF + j] = -Ki[HALF * i + j];
        }
}

/* Solves (H + iM) x = f by elimination from the first node to the last; on entry x is f (nodes x 12: real,
 * imaginary). `scratch`: nodes x (144 + 12) x 2 numbers. */
static bool solve_complex_chain(double *x, const equilibrium_stability *s, double *scratch) {
    size_t pivots[TWICE];
    double diagonal[TWICE * TWICE], B[TWICE * TWICE];
    for (size_t n = 0; n < s->nodes; n++) {
        double *across = scratch + n * TWICE * (TWICE + 1), *part = across + TWICE * TWICE; /* D^-1 B_(n+1)^T, D^-1 f */
        widen_complex_block(diagonal, s->H.A + 36 * n, s->M.A + 36 * n);
        memcpy(part, x + TWICE * n, TWICE * sizeof *part);
        if (n > 0) {
            const double *before = across - TWICE * (TWICE + 1), *solved = before + TWICE * TWICE;
            widen_complex_block(B, s->H.B + 36 * n, s->M.B + 36 * n);
            for (int i = 0; i < TWICE; i++)
                for (int k = 0; k < TWICE; k++) {
                    part[i] -= B[TWICE * i + k] * solved[k];
                    for (int j = 0; j < TWICE; j++)
                        diagonal[TWICE * i + j] -= B[TWICE * i + k] * before[TWICE * k + j];
                }
        }
        if (!wy_lu_factor(diagonal, pivots, TWICE))
            return false;
        wy_lu_solve(part, diagonal, pivots, TWICE);
        if (n + 1 == s->nodes)
            break;
        double Tr[36], Ti[36]; /* complex symmetric: the transpose, not the adjoint */
        for (int i = 0; i < 36; i++) {
            Tr[i] = s->H.B[36 * (n + 1) + (size_t)(6 * (i % 6) + i / 6)];
            Ti[i] = s->M.B[36 * (n + 1) + (size_t)(6 * (i % 6) + i / 6)];
        }
        widen_complex_block(across, Tr, Ti);
        wy_lu_solve_many(across, TWICE, diagonal, pivots, TWICE);
    }
    for (size_t n = s->nodes; n-- > 0;) {
        const double *across = scratch + n * TWICE * (TWICE + 1), *part = across + TWICE * TWICE;
        for (int i = 0; i < TWICE; i++) {
            double sum = part[i];
            for (int k = 0; k < TWICE && n + 1 < s->nodes; k++)
                sum -= across[TWICE * i + k] * x[TWICE * (n + 1) + (size_t)k];
            x[TWICE * n + (size_t)i] = sum;
        }
    }
    return true;
}

/* The force on a node; or, for a moved end, minus the force that its unit motion exerts on its neighbour and on its
 * own free rotations. edge: the complex coupling of the moved end. */
static void set_harmonic_load(double *f, const equilibrium_harmonic_load *what, const equilibrium_stability *s,
                              double edge[2][2][36]) {
    memset(f, 0, s->nodes * TWICE * sizeof *f);
    if (what->end < 0) {
        for (size_t c = 0; c < 3; c++)
            f[what->node * TWICE + 3 + c] = what->direction[c] * s->scale[what->node];
        return;
    }
    const size_t node = what->end ? s->nodes - 1 : 0, neighbour = what->end ? node - 1 : 1;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < HALF; i++)
            for (int c = 0; c < 3; c++) {
                const double u = what->direction[c] / s->scale[node],
                             B = what->end ? edge[part][0][6 * (3 + c) + i] : edge[part][0][6 * i + 3 + c];
                f[neighbour * TWICE + (size_t)(HALF * part + i)] -= B * u;
                f[node * TWICE + (size_t)(HALF * part + i)] -= edge[part][1][6 * i + 3 + c] * u;
            }
}

/* Round-off error of the response z, where `other` is the response to a unit force at the observed node: eps
 * |other|.(|H||z| + |f|). The force f of a moved end has the round-off of the matrix. */
static double response_round_off(const equilibrium_stability *s, const double *z, const double *other,
                                 const double *f) {
    double sum = 0.0;
    for (size_t i = 0; i < s->nodes * TWICE; i++)
        sum += 8.0 * fabs(other[i] * f[i]);
    for (size_t n = 0; n < s->nodes; n++)
        for (size_t i = 0; i < HALF; i++)
            for (size_t j = 0; j < HALF; j++) {
                const double *zi = z + n * TWICE, *oi = other + n * TWICE;
                const double A = fabs(s->H.A[36 * n + 6 * i + j]), B = n ? fabs(s->H.B[36 * n + 6 * i + j]) : 0.0,
                             here = fabs(zi[i]) + fabs(zi[HALF + i]), there = fabs(oi[i]) + fabs(oi[HALF + i]);
                sum += there * A * (fabs(zi[j]) + fabs(zi[HALF + j]));
                if (n > 0)
                    sum += there * B * (fabs(zi[j - TWICE]) + fabs(zi[HALF + j - TWICE])) +
                           here * B * (fabs(oi[j - TWICE]) + fabs(oi[HALF + j - TWICE]));
            }
    return DBL_EPSILON * sum;
}

wy_status wy_equilibrium_harmonic(double *x, double *noise, const equilibrium_harmonic_load *what, double omega,
                                  equilibrium_stability *s, const equilibrium_model *m,
                                  const wy_bvp_solver *collocation, const double *y, wy_error *err) {
    double a[STAGES * STAGES], C[36], edge[2][2][36];
    const gauss g = wy_variation_gauss(collocation, a);
    wy_variation_scales(s, m);
    const size_t n = s->nodes;
    const double unit = m->force / (m->L * m->L * m->rhoA), alpha = m->rod->def.mass_damping;
    harmonic_element *w = malloc(sizeof *w);
    double *f = malloc(n * TWICE * (TWICE + 4) * sizeof *f), *other = f ? f + n * TWICE * (TWICE + 2) : NULL,
           *given = f ? other + n * TWICE : NULL;
    wy_status status = w && f ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for the response of %zu nodes", n);
    if (!status && !assemble_harmonic(s, w, m, &g, y, omega))
        status = wy_fail(err, WY_NO_CONVERGENCE, "at %g rad/s an element is in resonance: use more elements", omega);
    if (!status) {
        wy_variation_add_bodies(s, m, y, omega * omega / unit, omega * alpha / unit);
        for (int end = 0; end < 2; end++) {
            const size_t node = end ? n - 1 : 0;
            const equilibrium_end *at = end ? &m->control.right : &m->control.left;
            wy_variation_spring(&s->H, s, node, m, at, y + node * D);
            wy_equilibrium_end_damping(C, m, end, y + node * D);
            for (size_t i = 0; i < 36; i++)
                s->M.A[36 * node + i] -=
                    omega * C[i] * (i / 6 < 3 ? 1.0 : s->scale[node]) * (i % 6 < 3 ? 1.0 : s->scale[node]);
        }
        const size_t moved = what->end == 1 ? n - 1 : 0, tie = what->end == 1 ? n - 1 : 1;
        for (int part = 0; part < 2; part++) {
            memcpy(edge[part][0], (part ? s->M.B : s->H.B) + 36 * tie, sizeof edge[part][0]);
            memcpy(edge[part][1], (part ? s->M.A : s->H.A) + 36 * moved, sizeof edge[part][1]);
        }
        set_harmonic_load(f, what, s, edge);
        for (int end = 0; end < 2; end++) {
            const size_t node = end ? n - 1 : 0;
            const equilibrium_end *at = end ? &m->control.right : &m->control.left;
            wy_variation_constrain(&s->H, node, at, 1.0);
            wy_variation_constrain(&s->M, node, at, 0.0);
            for (size_t i = 0; i < TWICE; i++) /* a force on a constrained component goes into the support */
                if (equilibrium_end_constrains(at, i % HALF < 3 ? WY_CONSTRAINS_ROTATION : WY_CONSTRAINS_POSITION))
                    f[node * TWICE + i] = 0.0;
        }
        memcpy(given, f, n * TWICE * sizeof *given);
        if (!solve_complex_chain(f, s, f + n * TWICE))
            status = wy_fail(err, WY_NO_CONVERGENCE,
                             "the response at %g rad/s is singular: a resonance without damping", omega);
    }
    if (!status) { /* a unit force at the observed node, in its direction of motion */
        const double *at = f + what->observed * TWICE + 3;
        double size = 0.0;
        memset(other, 0, n * TWICE * sizeof *other);
        for (size_t c = 0; c < 3; c++)
            size = fmax(size, fabs(at[c]) + fabs(at[HALF + c]));
        for (size_t c = 0; c < 3 && size > 0.0; c++)
            other[what->observed * TWICE + 3 + c] =
                (fabs(at[c]) + fabs(at[HALF + c])) / size * s->scale[what->observed];
        *noise = solve_complex_chain(other, s, f + n * TWICE) ? 2.0 * response_round_off(s, f, other, given) : 0.0;
    }
    for (size_t i = 0; i < n && !status; i++)
        for (size_t part = 0; part < 2; part++)
            for (size_t c = 0; c < HALF; c++)
                x[(part * n + i) * HALF + c] = f[i * TWICE + part * HALF + c] * (c < 3 ? 1.0 : s->scale[i]);
    if (!status && what->end >= 0)
        for (size_t c = 0; c < 3; c++)
            x[(what->end ? n - 1 : 0) * HALF + 3 + c] = what->direction[c];
    free(w);
    free(f);
    return status;
}
