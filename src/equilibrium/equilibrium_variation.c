/* clang-format off */
/* Stability of a static rod: inertia and lowest eigenvalues of the second variation.
 *
 * Variations in space components: rotation phi, displacement u, the change dn of the force n = R P, and
 * p = dm - 1/2 phi x m, where dm is the change of the moment m = R M. With K_M = R C_M^-1 R^T, K_P = R C_P^-1 R^T and
 * the tangent t = x', equation (3.1) linearised is the Hamiltonian system                  docs/math/branches.md (8.5)
 *   phi' = K_M (p - 1/2 phi x m)            u' = phi x t + K_P (dn - phi x n)
 *   dn'  = -mu (rhoA u + a (u - (u.d3) d3)),   a: added mass across the rod
 *   p'   = -u' x n - t x dn - 1/2 phi' x m + 1/2 phi x (t x n) - mu R rhoI R^T phi
 * where mu = omega^2 adds the inertia of a vibration; mu = 0 is statics. The propagator over an element, by the
 * Gauss method of the solution, is exactly symplectic. It is converted to a stiffness between the variations of its
 * two ends (8.6): the Hessian of the element's energy with its inside in equilibrium, or at mu its dynamic stiffness
 * K - mu M + O(mu^2 h^4). */
/* clang-format on */
#include "equilibrium/equilibrium_variation.h"

#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "linalg/lu.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "rod/rod_along.h"
#include "rod/rod_definition.h"
#include "equilibrium/equilibrium_solver.h"

enum { D = WY_STATIC_DIM, V = VARIATION };

/* ---- one element ---- */

/* R diag(d) R^T */
static void rotate_diagonal(double K[9], const double R[9], const double d[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            K[3 * i + j] =
                R[3 * i] * d[0] * R[3 * j] + R[3 * i + 1] * d[1] * R[3 * j + 1] + R[3 * i + 2] * d[2] * R[3 * j + 2];
}

void wy_variation_field(double *A, const equilibrium_coefficients *p, const double inv_CM[3], const double inv_CP[3],
                        const double *K, const double *y, const double mass[MASSES], double mu, bool rest) {
    enum { PHI = 0, U = 3, DM = 6, DN = 9 };
    double R[9], KM[9], KP[9], kn[9], n[3], m[3], t[3], nu[3];
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        double column[3];
        wy_equilibrium_rotate(column, y + WY_STATIC_Q, e);
        for (int i = 0; i < 3; i++)
            R[3 * i + j] = column[i];
        nu[j] = p->inv_CP[j] * y[WY_STATIC_P + j] + p->nu[j];
    }
    wy_equilibrium_rotate(n, y + WY_STATIC_Q, y + WY_STATIC_P);
    wy_equilibrium_rotate(m, y + WY_STATIC_Q, y + WY_STATIC_M);
    wy_equilibrium_rotate(t, y + WY_STATIC_Q, nu);
    rotate_diagonal(KM, R, inv_CM);
    rotate_diagonal(KP, R, inv_CP);
    memset(A, 0, V * V * sizeof *A);
    /* [v]x as a matrix, for products */
    const double N[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0},
                 T[9] = {0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0};
    const double Mx[9] = {0, -m[2], m[1], m[2], 0, -m[0], -m[1], m[0], 0};
    double km[9], C[9]; /* C: p' by phi */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            km[3 * i + j] = kn[3 * i + j] = 0.0;
            for (int k = 0; k < 3; k++) {
                km[3 * i + j] += 0.5 * KM[3 * i + k] * Mx[3 * k + j];
                kn[3 * i + j] += KP[3 * i + k] * N[3 * k + j];
            }
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = 0.0;
            for (int k = 0; k < 3; k++)
                C[3 * i + j] += N[3 * i + k] * kn[3 * k + j] + 0.5 * Mx[3 * i + k] * km[3 * k + j] -
                                (rest ? 0.5 : 0.0) * (N[3 * i + k] * T[3 * k + j] + T[3 * i + k] * N[3 * k + j]);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) { /* q' = A q + B P, P' = C q - A^T P */
            A[V * (PHI + i) + PHI + j] = km[3 * i + j];
            A[V * (PHI + i) + DM + j] = KM[3 * i + j];
            A[V * (U + i) + PHI + j] = kn[3 * i + j] - (rest ? T[3 * i + j] : 0.0);
            A[V * (U + i) + DN + j] = KP[3 * i + j];
            A[V * (DM + i) + PHI + j] = 0.5 * (C[3 * i + j] + C[3 * j + i]); /* symmetric except for round-off */
            A[V * (DM + i) + DM + j] = -km[3 * j + i];
            A[V * (DM + i) + DN + j] = -(kn[3 * j + i] - (rest ? T[3 * j + i] : 0.0));
        }
    if (K) /* p' = ... - K q, K symmetric if the loads have a potential */
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                A[V * (DM + i) + PHI + j] -= 0.5 * (K[6 * i + j] + K[6 * j + i]);
    if (mu != 0.0) {
        double I[9];
        rotate_diagonal(I, R, mass);
        for (int i = 0; i < 3; i++) {
            A[V * (DN + i) + U + i] -= mu * mass[3];
            for (int j = 0; j < 3; j++) {
                A[V * (DM + i) + PHI + j] -= mu * I[3 * i + j];
                A[V * (DN + i) + U + j] -= mu * mass[4] * ((i == j) - R[3 * i + 2] * R[3 * j + 2]);
            }
        }
    }
}

/* The Gauss coefficients a_jl from the abscissae: the integral from 0 to c_j of the Lagrange polynomial l of the c. */
static void gauss_matrix(double *a, const double *c, size_t s) {
    for (size_t l = 0; l < s; l++) {
        double p[STAGES + 1] = {1.0}, scale = 1.0; /* product of (x - c_k), k != l: ascending powers */
        size_t degree = 0;
        for (size_t k = 0; k < s; k++) {
            if (k == l)
                continue;
            for (size_t i = ++degree; i > 0; i--)
                p[i] = p[i - 1] - c[k] * p[i];
            p[0] *= -c[k];
            scale *= c[l] - c[k];
        }
        for (size_t j = 0; j < s; j++) {
            double sum = 0.0, power = c[j];
            for (size_t i = 0; i <= degree; i++, power *= c[j])
                sum += p[i] * power / (double)(i + 1);
            a[j * s + l] = sum / scale;
        }
    }
}

void wy_variation_mass(double mass[MASSES], const equilibrium_model *m, const equilibrium_coefficients *p, double s,
                       size_t element, const double *y) {
    double x[3];
    const wy_section c = wy_equilibrium_model_section(m, s, element);
    const double first = m->rhoA, rows[4] = {c.rhoI1, c.rhoI2, c.rhoJ, c.rhoA};
    for (int i = 0; i < 4; i++)
        mass[i] = first > 0.0 ? rows[i] / first : 0.0;
    v3_scale(x, m->L, y + WY_STATIC_X);
    mass[4] = first > 0.0 ? wy_rod_added_mass(&m->rod->def, &c, x) / first : 0.0;
    for (int i = 0; i < 3; i++)
        mass[i] = first > 0.0 ? mass[i] / (m->L * m->L) : p->inv_CP[2] / p->inv_CM[i];
    if (!(first > 0.0))
        mass[3] = 1.0;
}

bool wy_variation_propagate(double S[V * V], const equilibrium_model *m, const gauss *g, const double *y, size_t e,
                            double mu) {
    const size_t s = g->stages, n = s * V;
    double F[STAGES][V * V], A[STAGES * V * STAGES * V], X[STAGES * V * V];
    size_t pivots[STAGES * V];
    const double h = (m->s[e + 1] - m->s[e]) * m->ratio;
    for (size_t l = 0; l < s; l++) {
        double z[D], mass[MASSES];
        wy_collocation_stage(z, g->of, y, e, l);
        const double at = m->s[e] + g->c[l] * (m->s[e + 1] - m->s[e]);
        const equilibrium_coefficients coefficients = wy_equilibrium_model_coefficients(m, at, e, z);
        wy_variation_mass(mass, m, &coefficients, at, e, z);
        wy_variation_field(F[l], &coefficients, coefficients.inv_CM, coefficients.inv_CP,
                           coefficients.varies ? coefficients.K : NULL, z, mass, mu, true);
    }
    /* (I - h a x F) X = 1: the stages, for each unit start */
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < V; i++) {
            for (size_t l = 0; l < s; l++) {
                const double ha = h * g->a[j * s + l], *f = F[l] + V * i;
                double *row = A + (j * V + i) * n + l * V;
                for (size_t c = 0; c < V; c++)
                    row[c] = 0.0 - ha * f[c];
                if (j == l)
                    row[i] = 1.0 - ha * f[i];
            }
            for (size_t c = 0; c < V; c++)
                X[(j * V + i) * V + c] = i == c ? 1.0 : 0.0;
        }
    if (!wy_lu_factor(A, pivots, n))
        return false;
    wy_lu_solve_many(X, V, A, pivots, n);
    for (size_t i = 0; i < V; i++) {
        double *row = S + V * i;
        for (size_t c = 0; c < V; c++)
            row[c] = i == c ? 1.0 : 0.0;
        for (size_t l = 0; l < s; l++)
            for (size_t k = 0; k < V; k++) {
                const double f = h * g->b[l] * F[l][V * i + k], *x = X + (l * V + k) * V;
                if (f == 0.0)
                    continue;
                for (size_t c = 0; c < V; c++)
                    row[c] += f * x[c];
            }
    }
    return true;
}

/* With S = [Scc Scp; Spc Spp], c = (phi, u), p = (dm, dn):
 *   K_aa = Scp^-1 Scc,   K_ab = -Scp^-1,   K_ba = Spc - Spp Scp^-1 Scc,   K_bb = Spp Scp^-1                      (8.6)
 */
bool wy_variation_stiffness(double Kaa[36], double Kba[36], double Kbb[36], const double S[V * V], double *asymmetry) {
    double A[36], X[HALF * V], Kab[36];
    size_t pivots[HALF];
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++) {
            A[HALF * i + j] = S[V * i + HALF + j];
            X[V * i + j] = S[V * i + j];
            X[V * i + HALF + j] = i == j ? 1.0 : 0.0;
        }
    if (!wy_lu_factor(A, pivots, HALF))
        return false;
    wy_lu_solve_many(X, V, A, pivots, HALF);
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++) {
            double bb = 0.0, ba = S[V * (HALF + i) + j];
            for (int k = 0; k < HALF; k++) {
                bb += S[V * (HALF + i) + HALF + k] * X[V * k + HALF + j];
                ba -= S[V * (HALF + i) + HALF + k] * X[V * k + j];
            }
            Kaa[HALF * i + j] = X[V * i + j];
            Kab[HALF * i + j] = -X[V * i + HALF + j];
            Kba[HALF * i + j] = ba;
            Kbb[HALF * i + j] = bb;
        }
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++) {
            worst = fmax(worst, fabs(Kba[HALF * i + j] - Kab[HALF * j + i]));
            size = fmax(size, fabs(Kab[HALF * i + j]));
        }
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++)
            Kba[HALF * i + j] = Kab[HALF * j + i]; /* K_ab has lost fewer digits */
    *asymmetry = fmax(*asymmetry, worst / size);
    return true;
}

/* ---- assembly ---- */

/* Frequency (squared) at which the mass of element e is evaluated: K(mu) = K - mu M + O(mu^2 h^4 ...), with mu small
 * for the element and large compared with round-off, so each element has its own. */
static double probe_frequency(const equilibrium_model *m, size_t e, const double *y) {
    const double h = (m->s[e + 1] - m->s[e]) * m->ratio;
    double mu = 3e-3 / (h * h * h * h) / m->scale;
    for (int i = 0; i < 2; i++) { /* and far below the shear mode GA/rhoI of a section */
        double inertia[MASSES];
        const double at = m->s[e + (size_t)i];
        const equilibrium_coefficients coefficients =
            wy_equilibrium_model_coefficients(m, at, e, y + (e + (size_t)i) * D);
        wy_variation_mass(inertia, m, &coefficients, at, e, y + (e + (size_t)i) * D);
        for (int k = 0; k < 3; k++)
            if (inertia[k] > 0.0)
                mu = fmin(mu, 1e-3 * fmin(1.0 / coefficients.inv_CP[0], 1.0 / coefficients.inv_CP[1]) / inertia[k]);
    }
    return mu;
}

/* The dynamic stiffness at `centre` (the Hessian at 0). If `probe` is not 0: at `centre` plus `probe` times each
 * element's probing frequency, divided by twice that frequency. */
static bool assemble_dynamic_stiffness(wy_chain *H, equilibrium_stability *s, const equilibrium_model *m,
                                       const gauss *g, const double *y, double centre, double probe) {
    memset(H->A, 0, s->nodes * 36 * sizeof *H->A);
    memset(H->B, 0, s->nodes * 36 * sizeof *H->B);
    for (size_t e = 0; e + 1 < s->nodes; e++) {
        double S[V * V], aa[36], ba[36], bb[36];
        const double mu = probe != 0.0 ? probe_frequency(m, e, y) : 0.0, unit = probe != 0.0 ? 0.5 / mu : 1.0;
        if (!wy_variation_propagate(S, m, g, y, e, centre + probe * mu) ||
            !wy_variation_stiffness(aa, ba, bb, S, &s->asymmetry))
            return false;
        for (int i = 0; i < HALF; i++) /* displacements in units of the element, so that all entries are moments */
            for (int j = 0; j < HALF; j++) {
                const double ia = unit * (i < 3 ? 1.0 : s->scale[e]), ja = j < 3 ? 1.0 : s->scale[e],
                             ib = unit * (i < 3 ? 1.0 : s->scale[e + 1]), jb = j < 3 ? 1.0 : s->scale[e + 1];
                H->A[36 * e + (size_t)(6 * i + j)] += ia * ja * aa[6 * i + j];
                H->A[36 * (e + 1) + (size_t)(6 * i + j)] += ib * jb * bb[6 * i + j];
                H->B[36 * (e + 1) + (size_t)(6 * i + j)] = ib * ja * ba[6 * i + j];
            }
    }
    return true;
}

/* The same for constrained directions that are not axes of space: A becomes F A F + diagonal (I - F), F the
 * projector on the free directions. */
static void constrain_partly(wy_chain *H, size_t node, const equilibrium_end *end, double diagonal) {
    double turn[9], displacement[9], F[36] = {0}, T[36];
    wy_constraint_mask_projectors(displacement, turn, &end->constraint);
    for (int i = 0; i < 9; i++) {
        F[6 * (i / 3) + i % 3] = (i / 3 == i % 3) - turn[i];
        F[6 * (3 + i / 3) + 3 + i % 3] = (i / 3 == i % 3) - displacement[i];
    }
    double *const blocks[3] = {H->A + 36 * node, H->B + 36 * node, node + 1 < H->n ? H->B + 36 * (node + 1) : NULL};
    for (int b = 0; b < 3; b++) {
        if (!blocks[b])
            continue;
        for (int side = b == 2; side < (b == 1 ? 1 : 2); side++) { /* from the left, from the right */
            for (int i = 0; i < 36; i++) {
                T[i] = 0.0;
                for (int k = 0; k < 6; k++)
                    T[i] += side ? blocks[b][6 * (i / 6) + k] * F[6 * k + i % 6]
                                 : F[6 * (i / 6) + k] * blocks[b][6 * k + i % 6];
            }
            memcpy(blocks[b], T, sizeof T);
        }
    }
    for (int i = 0; i < 36; i++)
        H->A[36 * node + (size_t)i] += diagonal * ((i % 7 == 0) - F[i]);
}

/* Constrained variations: their rows and columns become zero, with `diagonal` on the diagonal. */
void wy_variation_constrain(wy_chain *H, size_t node, const equilibrium_end *end, double diagonal) {
    if (equilibrium_end_is_partial(end, 0) || equilibrium_end_is_partial(end, 1))
        constrain_partly(H, node, end, diagonal);
    for (int i = 0; i < HALF; i++) {
        if (!equilibrium_end_constrains(end, i < 3 ? WY_CONSTRAINS_ROTATION : WY_CONSTRAINS_POSITION))
            continue;
        for (int j = 0; j < HALF; j++) {
            H->A[36 * node + (size_t)(6 * i + j)] = H->A[36 * node + (size_t)(6 * j + i)] = 0.0;
            H->B[36 * node + (size_t)(6 * i + j)] = 0.0;
            if (node + 1 < H->n)
                H->B[36 * (node + 1) + (size_t)(6 * j + i)] = 0.0;
        }
        H->A[36 * node + (size_t)(7 * i)] = diagonal;
    }
}

/* A spring at an end adds its stiffness, -K of its law. */
void wy_variation_spring(wy_chain *H, const equilibrium_stability *s, size_t node, const equilibrium_model *m,
                         const equilibrium_end *end, const double *y) {
    if (!end->law[0].end && !end->law[1].end)
        return;
    double space[6], body[6], K[36] = {0};
    wy_equilibrium_end_wrench(space, body, K, m, end, y);
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++)
            H->A[36 * node + (size_t)(6 * i + j)] -=
                0.5 * (K[6 * i + j] + K[6 * j + i]) * (i < 3 ? 1.0 : s->scale[node]) * (j < 3 ? 1.0 : s->scale[node]);
}

/* Rigid bodies on the rod: their mass and R J R^T at their node, into M and, at the centre of a dynamic stiffness,
 * into H. */
void wy_variation_add_bodies(equilibrium_stability *s, const equilibrium_model *m, const double *y, double centre,
                             double into_M) {
    const wy_rod_definition *d = &m->rod->def;
    for (size_t b = 0; b < d->bodies.rows && m->rhoA > 0.0; b++) {
        const double *body = d->bodies.values + WY_BODY_COLUMNS * b, at_s = fmin(body[0] / d->length, 1.0);
        size_t node = 0;
        while (node + 1 < s->nodes && fabs(m->s[node + 1] - at_s) <= fabs(m->s[node] - at_s))
            node++;
        double R[9], J[9], inertia[3], unit = 1.0 / (m->rhoA * m->L);
        for (int j = 0; j < 3; j++) {
            const double e[3] = {j == 0, j == 1, j == 2};
            double column[3];
            wy_equilibrium_rotate(column, y + node * D + WY_STATIC_Q, e);
            for (int i = 0; i < 3; i++)
                R[3 * i + j] = column[i];
            inertia[j] = body[2 + j] * unit / (m->L * m->L);
        }
        rotate_diagonal(J, R, inertia);
        for (int i = 0; i < 3; i++) {
            const size_t at = 36 * node + (size_t)(7 * (3 + i));
            const double mass = body[1] * unit * s->scale[node] * s->scale[node];
            s->H.A[at] -= centre * mass;
            s->M.A[at] += into_M * mass;
            for (int j = 0; j < 3; j++) {
                s->H.A[36 * node + (size_t)(6 * i + j)] -= centre * J[3 * i + j];
                s->M.A[36 * node + (size_t)(6 * i + j)] += into_M * J[3 * i + j];
            }
        }
    }
}

/* phi = 2 dq q*, u = dx, in the variables of the chain */
static void set_zero_modes(equilibrium_stability *s, const equilibrium_model *m, const double *y) {
    s->symmetries = wy_equilibrium_symmetry_modes(s->modes, y, m);
    for (size_t k = 0; k < s->symmetries; k++) {
        double norm = 0.0, *z = s->zero + k * s->nodes * HALF;
        for (size_t i = 0; i < s->nodes; i++) {
            const double *d = s->modes + (k * s->nodes + i) * D;
            double back[4], turn[4];
            wy_quat_conjugate(back, y + i * D + WY_STATIC_Q);
            wy_quat_product(turn, d + WY_STATIC_Q, back);
            for (int c = 0; c < 3; c++) {
                z[i * HALF + (size_t)c] = 2.0 * turn[1 + c];
                z[i * HALF + 3 + (size_t)c] = d[WY_STATIC_X + c] / s->scale[i];
            }
            for (size_t c = 0; c < HALF; c++)
                norm += z[i * HALF + c] * z[i * HALF + c];
        }
        for (size_t i = 0; i < s->nodes * HALF && norm > 0.0; i++)
            z[i] /= sqrt(norm);
    }
}

gauss wy_variation_gauss(const wy_bvp_solver *collocation, double a[STAGES * STAGES]) {
    gauss g = {.of = collocation, .a = a};
    g.stages = wy_collocation_stages(collocation, &g.c, &g.b);
    gauss_matrix(a, g.c, g.stages);
    return g;
}

void wy_variation_scales(equilibrium_stability *s, const equilibrium_model *m) {
    s->asymmetry = 0.0;
    s->tiny = 1e-9 * wy_equilibrium_model_softness(m);
    s->nodes = s->H.n = s->M.n = s->probe.n = m->elements + 1;
    for (size_t i = 0; i < s->nodes; i++) {
        const double left = i > 0 ? m->s[i] - m->s[i - 1] : m->s[1] - m->s[0];
        const double right = i + 1 < s->nodes ? m->s[i + 1] - m->s[i] : left;
        s->scale[i] = 0.5 * (left + right) * m->ratio;
    }
}

/* Whether an element between clamps might buckle by itself: H would not count that (8.7). A clamped element buckles
 * at a compression of 4 pi^2 EI/h^2 or a twisting moment of about 9 EI/h; the limit is a third of that. Tension is
 * harmless. `wave` is raised to the phase by which a buckling wave advances over the element. (8.7b) */
static bool may_buckle_inside(const equilibrium_model *m, const double *y, size_t e, double *wave) {
    const double h = (m->s[e + 1] - m->s[e]) * m->ratio;
    double worst = 0.0;
    for (size_t i = e; i < e + 2; i++) {
        const double *P = y + i * D + WY_STATIC_P, *M = y + i * D + WY_STATIC_M;
        const equilibrium_coefficients p = wy_equilibrium_model_coefficients(m, m->s[i], e, y + i * D);
        const double soft[2] = {1.0 / fmax(p.inv_CM[0], p.inv_CM[1]), 1.0 / p.inv_CM[2]},
                     stiff = 1.0 / fmin(p.inv_CM[0], p.inv_CM[1]);
        /* bending about the stiff axis buckles a strip laterally at 2 pi sqrt(EI GJ)/h; not in a plane, nor with equal
         * rigidities */
        const double lateral = wy_hypot(M[0], M[1]) / sqrt(soft[0] * soft[1]) * (1.0 - soft[0] / stiff);
        const double pressed = 0.5 * (v3_norm(P) - P[2]) * h * h / soft[0],
                     turned = h * (fabs(M[2]) / soft[0] + lateral);
        worst = fmax(worst, pressed + 3.0 * turned);
        *wave = fmax(*wave, wy_hypot(sqrt(pressed), turned));
    }
    return worst > 12.0;
}

wy_status wy_variation_assemble(equilibrium_stability *s, const equilibrium_model *m, const wy_bvp_solver *collocation,
                                const double *y, double centre, bool mass, wy_error *err) {
    double a[STAGES * STAGES];
    const gauss g = wy_variation_gauss(collocation, a);
    wy_variation_scales(s, m);
    s->coarse = false;
    s->wave = 0.0;
    for (size_t e = 0; e + 1 < s->nodes; e++)
        s->coarse = may_buckle_inside(m, y, e, &s->wave) || s->coarse;
    if (!assemble_dynamic_stiffness(&s->H, s, m, &g, y, centre, 0.0))
        return wy_fail(err, WY_NO_CONVERGENCE,
                       "the second variation has a conjugate point inside an element: use more elements");
    s->has_mass = mass;
    if (mass) {
        if (!assemble_dynamic_stiffness(&s->M, s, m, &g, y, centre, -1.0) ||
            !assemble_dynamic_stiffness(&s->probe, s, m, &g, y, centre, 1.0))
            return wy_fail(err, WY_NO_CONVERGENCE,
                           "the mass matrix has a resonance inside an element: use more elements");
        for (size_t i = 0; i < s->nodes * 36; i++) {
            s->M.A[i] -= s->probe.A[i];
            s->M.B[i] -= s->probe.B[i];
        }
    }
    if (mass || centre != 0.0)
        wy_variation_add_bodies(s, m, y, centre, 1.0);
    if (mass) {
        wy_variation_constrain(&s->M, 0, &m->control.left, 0.0);
        wy_variation_constrain(&s->M, s->nodes - 1, &m->control.right, 0.0);
    }
    memcpy(s->edge[0], s->H.B + 36, sizeof s->edge[0]);
    memcpy(s->edge[1], s->H.B + 36 * (s->nodes - 1), sizeof s->edge[1]);
    wy_variation_spring(&s->H, s, 0, m, &m->control.left, y);
    wy_variation_spring(&s->H, s, s->nodes - 1, m, &m->control.right, y + (s->nodes - 1) * D);
    wy_variation_constrain(&s->H, 0, &m->control.left, 1.0);
    wy_variation_constrain(&s->H, s->nodes - 1, &m->control.right, 1.0);
    set_zero_modes(s, m, y);
    double largest = 0.0;
    for (size_t i = 0; i < s->nodes * 36 && mass; i++)
        largest = fmax(largest, fabs(s->M.A[i]));
    for (size_t k = 0; k < s->symmetries && mass; k++) {
        const size_t n = s->nodes * HALF;
        double *heavy = s->heavy + k * n, norm = 0.0;
        wy_chain_product(heavy, &s->M, s->zero + k * n);
        for (size_t i = 0; i < n; i++)
            norm += heavy[i] * heavy[i];
        if (!(sqrt(norm) > 1e-9 * largest)) /* a spin without rotary inertia: zero for H and for M */
            memcpy(heavy, s->zero + k * n, n * sizeof *heavy);
    }
    return WY_OK;
}
