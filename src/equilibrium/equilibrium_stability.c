/* clang-format off */
/* Stability of a static rod: inertia and lowest eigenvalues of the second variation.
 *
 * Variations in space components: turn phi, displacement u, the change dn of the force n = R P, and p = dm - 1/2 phi x m,
 * where dm is the change of the moment m = R M. With K_M = R C_M^-1 R^T, K_P = R C_P^-1 R^T and the tangent t = x',
 * equation (3.1) linearised is the Hamiltonian system                                       docs/math (8.5)
 *   phi' = K_M (p - 1/2 phi x m)            u' = phi x t + K_P (dn - phi x n)
 *   dn'  = -mu (rhoA u + a (u - (u.d3) d3)),   a: the mass that water adds across the rod
 *   p'   = -u' x n - t x dn - 1/2 phi' x m + 1/2 phi x (t x n) - mu R rhoI R^T phi
 * where mu = omega^2 brings in the inertia of a vibration; mu = 0 is statics. The propagator over an element, by the
 * Gauss method of the solution, is exactly symplectic; it is turned into a stiffness between the variations of its two
 * ends (8.6): the Hessian of the element's energy with everything inside it at rest, or at mu its dynamic stiffness
 * K - mu M + O(mu^2 h^4). */
/* clang-format on */
#include "equilibrium/equilibrium_stability.h"

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

enum { D = WY_REST_DIM, V = 12, HALF = 6, STAGES = 3, MASSES = 5 };

struct beam_stability {
    size_t nodes, symmetries;
    wy_chain H, M, probe;         /* probe: the dynamic stiffness on the way to M */
    double *modes;                /* symmetries x nodes x 13, then x 6 */
    double *zero;                 /* symmetries x nodes x 6, in the scaled variables of the chain */
    double *heavy;                /* the mass matrix times them */
    double *work, *x, *y, *scale; /* scale: of each node's displacement */
    double asymmetry;
    bool has_mass;
    double edge[2][36]; /* what ties the nodes beside the ends to them, before the ends are held */
};

void wy_equilibrium_stability_free(beam_stability *s) {
    if (!s)
        return;
    free(s->H.A);
    free(s);
}

wy_status wy_equilibrium_stability_create(beam_stability **out, size_t most, wy_error *err) {
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
    beam_stability *s = calloc(1, sizeof *s);
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

/* ---- one element ---- */

/* R diag(d) R^T */
static void turned(double K[9], const double R[9], const double d[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            K[3 * i + j] =
                R[3 * i] * d[0] * R[3 * j] + R[3 * i + 1] * d[1] * R[3 * j + 1] + R[3 * i + 2] * d[2] * R[3 * j + 2];
}

/* The matrix of (8.5) in the order (phi, u, dm, dn). `mass` is (rhoI1, rhoI2, rhoJ, rhoA, what water
 * adds across d3). */
static void linear_field(double *A, const beam_place *p, const double *y, const double mass[MASSES], double mu) {
    enum { PHI = 0, U = 3, DM = 6, DN = 9 };
    double R[9], KM[9], KP[9], kn[9], n[3], m[3], t[3], nu[3];
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        double column[3];
        wy_equilibrium_rotate(column, y + WY_REST_Q, e);
        for (int i = 0; i < 3; i++)
            R[3 * i + j] = column[i];
        nu[j] = p->inv_CP[j] * y[WY_REST_P + j] + p->nu[j];
    }
    wy_equilibrium_rotate(n, y + WY_REST_Q, y + WY_REST_P);
    wy_equilibrium_rotate(m, y + WY_REST_Q, y + WY_REST_M);
    wy_equilibrium_rotate(t, y + WY_REST_Q, nu);
    turned(KM, R, p->inv_CM);
    turned(KP, R, p->inv_CP);
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
                                0.5 * (N[3 * i + k] * T[3 * k + j] + T[3 * i + k] * N[3 * k + j]);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) { /* q' = A q + B P, P' = C q - A^T P */
            A[V * (PHI + i) + PHI + j] = km[3 * i + j];
            A[V * (PHI + i) + DM + j] = KM[3 * i + j];
            A[V * (U + i) + PHI + j] = kn[3 * i + j] - T[3 * i + j];
            A[V * (U + i) + DN + j] = KP[3 * i + j];
            A[V * (DM + i) + PHI + j] = 0.5 * (C[3 * i + j] + C[3 * j + i]); /* symmetric but for round-off */
            A[V * (DM + i) + DM + j] = -km[3 * j + i];
            A[V * (DM + i) + DN + j] = -(kn[3 * j + i] - T[3 * j + i]);
        }
    if (p->varies) /* p' = ... - K q, K symmetric where the loads have a potential */
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                A[V * (DM + i) + PHI + j] -= 0.5 * (p->K[6 * i + j] + p->K[6 * j + i]);
    if (mu != 0.0) {
        double I[9];
        turned(I, R, mass);
        for (int i = 0; i < 3; i++) {
            A[V * (DN + i) + U + i] -= mu * mass[3];
            for (int j = 0; j < 3; j++) {
                A[V * (DM + i) + PHI + j] -= mu * I[3 * i + j];
                A[V * (DN + i) + U + j] -= mu * mass[4] * ((i == j) - R[3 * i + 2] * R[3 * j + 2]);
            }
        }
    }
}

typedef struct gauss {
    size_t stages, core;
    const double *a, *b, *c, *Z;
} gauss;

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

/* Mass of the section at s in units of rhoA at s = 0 and L; where a section has none, that of a material whose density is
 * one: rhoI = EI/EA. */
static void mass_at(double mass[MASSES], const beam_model *m, const beam_place *p, double s, size_t element) {
    const wy_section c = wy_equilibrium_model_section(m, s, element);
    const double first = m->rhoA, rows[4] = {c.rhoI1, c.rhoI2, c.rhoJ, c.rhoA};
    for (int i = 0; i < 4; i++)
        mass[i] = first > 0.0 ? rows[i] / first : 0.0;
    mass[4] = first > 0.0 ? wy_rod_added_mass(&m->rod->def, &c) / first : 0.0;
    for (int i = 0; i < 3; i++)
        mass[i] = first > 0.0 ? mass[i] / (m->L * m->L) : p->inv_CP[2] / p->inv_CM[i];
    if (!(first > 0.0))
        mass[3] = 1.0;
}

/* The propagator S (12 x 12) of (8.5) over element e. */
static bool propagate(double S[V * V], const beam_model *m, const gauss *g, const double *y, size_t e, double mu) {
    const size_t s = g->stages, n = s * V;
    double F[STAGES][V * V], A[STAGES * V * STAGES * V], X[STAGES * V * V];
    size_t pivots[STAGES * V];
    const double h = (m->s[e + 1] - m->s[e]) * m->ratio;
    for (size_t l = 0; l < s; l++) {
        double z[D], mass[MASSES];
        memcpy(z, y + e * D, sizeof z);
        for (size_t i = 0; i < g->core; i++)
            z[i] += g->Z[(e * s + l) * g->core + i];
        const double at = m->s[e] + g->c[l] * (m->s[e + 1] - m->s[e]);
        const beam_place place = wy_equilibrium_model_place(m, at, e, z);
        mass_at(mass, m, &place, at, e);
        linear_field(F[l], &place, z, mass, mu);
    }
    /* (I - h a x F) X = 1: the stages, for each unit start */
    for (size_t j = 0; j < s; j++)
        for (size_t i = 0; i < V; i++) {
            for (size_t l = 0; l < s; l++)
                for (size_t c = 0; c < V; c++)
                    A[(j * V + i) * n + l * V + c] =
                        (j == l && i == c ? 1.0 : 0.0) - h * g->a[j * s + l] * F[l][V * i + c];
            for (size_t c = 0; c < V; c++)
                X[(j * V + i) * V + c] = i == c ? 1.0 : 0.0;
        }
    if (!wy_lu_factor(A, pivots, n))
        return false;
    wy_lu_solve_many(X, V, A, pivots, n);
    for (size_t i = 0; i < V; i++)
        for (size_t c = 0; c < V; c++) {
            double sum = i == c ? 1.0 : 0.0;
            for (size_t l = 0; l < s; l++)
                for (size_t k = 0; k < V; k++)
                    sum += h * g->b[l] * F[l][V * i + k] * X[(l * V + k) * V + c];
            S[V * i + c] = sum;
        }
    return true;
}

/* With S = [Scc Scp; Spc Spp], c = (phi, u), p = (dm, dn):
 *   K_aa = Scp^-1 Scc,   K_ab = -Scp^-1,   K_ba = Spc - Spp Scp^-1 Scc,   K_bb = Spp Scp^-1                      (8.6)
 */
static bool stiffness(double Kaa[36], double Kba[36], double Kbb[36], const double S[V * V], double *asymmetry) {
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

/* ---- assembling ---- */

/* Frequency (squared) at which the mass of element e is probed: K(mu) = K - mu M + O(mu^2 h^4 ...), with mu small for the
 * element and large for round-off, so each has its own. */
static double probe_at(const beam_model *m, size_t e, const double *y) {
    const double h = (m->s[e + 1] - m->s[e]) * m->ratio;
    double mu = 3e-3 / (h * h * h * h) / m->scale;
    for (int i = 0; i < 2; i++) { /* nor may it come near the shear mode GA/rhoI of a section */
        double inertia[MASSES];
        const double at = m->s[e + (size_t)i];
        const beam_place place = wy_equilibrium_model_place(m, at, e, y + (e + (size_t)i) * D);
        mass_at(inertia, m, &place, at, e);
        for (int k = 0; k < 3; k++)
            if (inertia[k] > 0.0)
                mu = fmin(mu, 1e-3 * fmin(1.0 / place.inv_CP[0], 1.0 / place.inv_CP[1]) / inertia[k]);
    }
    return mu;
}

/* The dynamic stiffness at `centre`, which is the Hessian at 0; with `probe` not 0 that at so many times the probing frequency of each
 * element beside it, divided by twice that frequency. */
static bool assemble(wy_chain *H, beam_stability *s, const beam_model *m, const gauss *g, const double *y,
                     double centre, double probe) {
    memset(H->A, 0, s->nodes * 36 * sizeof *H->A);
    memset(H->B, 0, s->nodes * 36 * sizeof *H->B);
    for (size_t e = 0; e + 1 < s->nodes; e++) {
        double S[V * V], aa[36], ba[36], bb[36];
        const double mu = probe != 0.0 ? probe_at(m, e, y) : 0.0, unit = probe != 0.0 ? 0.5 / mu : 1.0;
        if (!propagate(S, m, g, y, e, centre + probe * mu) || !stiffness(aa, ba, bb, S, &s->asymmetry))
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

/* The same of held directions that are no axes of space: A becomes F A F + diagonal (I - F), F the projector on what is free. */
static void hold_part(wy_chain *H, size_t node, const beam_end *end, double diagonal) {
    double turn[9], displacement[9], F[36] = {0}, T[36];
    wy_hold_parts(displacement, turn, &end->hold);
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

/* Held variations are taken out: their rows and columns become zero, with `diagonal` on the diagonal. */
static void hold(wy_chain *H, size_t node, const beam_end *end, double diagonal) {
    if (beam_held_in_part(end, 0) || beam_held_in_part(end, 1))
        hold_part(H, node, end, diagonal);
    for (int i = 0; i < HALF; i++) {
        if (!beam_held(end, i < 3 ? WY_HOLDS_ROTATION : WY_HOLDS_POSITION))
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

/* What springs at an end adds its own stiffness, -K of its law. */
static void spring(wy_chain *H, const beam_stability *s, size_t node, const beam_model *m, const beam_end *end,
                   const double *y) {
    if (!end->law[0].end && !end->law[1].end)
        return;
    double space[6], body[6], K[36] = {0};
    wy_equilibrium_end_wrench(space, body, K, m, end, y);
    for (int i = 0; i < HALF; i++)
        for (int j = 0; j < HALF; j++)
            H->A[36 * node + (size_t)(6 * i + j)] -=
                0.5 * (K[6 * i + j] + K[6 * j + i]) * (i < 3 ? 1.0 : s->scale[node]) * (j < 3 ? 1.0 : s->scale[node]);
}

/* Rigid bodies on the rod: their mass and R J R^T at the node where they sit, into M and, at the centre of a dynamic stiffness, into H. */
static void weigh(beam_stability *s, const beam_model *m, const double *y, double centre) {
    const wy_rod_definition *d = &m->rod->def;
    for (size_t b = 0; b < d->bodies.rows && m->rhoA > 0.0; b++) {
        const double *body = d->bodies.values + WY_BODY_COLUMNS * b, place = fmin(body[0] / d->length, 1.0);
        size_t node = 0;
        while (node + 1 < s->nodes && fabs(m->s[node + 1] - place) <= fabs(m->s[node] - place))
            node++;
        double R[9], J[9], inertia[3], unit = 1.0 / (m->rhoA * m->L);
        for (int j = 0; j < 3; j++) {
            const double e[3] = {j == 0, j == 1, j == 2};
            double column[3];
            wy_equilibrium_rotate(column, y + node * D + WY_REST_Q, e);
            for (int i = 0; i < 3; i++)
                R[3 * i + j] = column[i];
            inertia[j] = body[2 + j] * unit / (m->L * m->L);
        }
        turned(J, R, inertia);
        for (int i = 0; i < 3; i++) {
            const size_t at = 36 * node + (size_t)(7 * (3 + i));
            const double mass = body[1] * unit * s->scale[node] * s->scale[node];
            s->H.A[at] -= centre * mass;
            s->M.A[at] += mass;
            for (int j = 0; j < 3; j++) {
                s->H.A[36 * node + (size_t)(6 * i + j)] -= centre * J[3 * i + j];
                s->M.A[36 * node + (size_t)(6 * i + j)] += J[3 * i + j];
            }
        }
    }
}

/* phi = 2 dq q*, u = dx, in the variables of the chain */
static void put_zero_modes(beam_stability *s, const beam_model *m, const double *y) {
    s->symmetries = wy_equilibrium_symmetry_modes(s->modes, y, m);
    for (size_t k = 0; k < s->symmetries; k++) {
        double norm = 0.0, *z = s->zero + k * s->nodes * HALF;
        for (size_t i = 0; i < s->nodes; i++) {
            const double *d = s->modes + (k * s->nodes + i) * D;
            double back[4], turn[4];
            wy_quat_conjugate(back, y + i * D + WY_REST_Q);
            wy_quat_product(turn, d + WY_REST_Q, back);
            for (int c = 0; c < 3; c++) {
                z[i * HALF + (size_t)c] = 2.0 * turn[1 + c];
                z[i * HALF + 3 + (size_t)c] = d[WY_REST_X + c] / s->scale[i];
            }
            for (size_t c = 0; c < HALF; c++)
                norm += z[i * HALF + c] * z[i * HALF + c];
        }
        for (size_t i = 0; i < s->nodes * HALF && norm > 0.0; i++)
            z[i] /= sqrt(norm);
    }
}

static gauss gauss_of(const wy_bvp_solver *collocation, double a[STAGES * STAGES]) {
    gauss g = {.core = collocation->bvp.core, .a = a};
    g.stages = wy_collocation_stages(collocation, &g.c, &g.b, &g.Z);
    gauss_matrix(a, g.c, g.stages);
    return g;
}

static wy_status assemble_at(beam_stability *s, const beam_model *m, const wy_bvp_solver *collocation, const double *y,
                             double centre, bool mass, wy_error *err) {
    double a[STAGES * STAGES];
    const gauss g = gauss_of(collocation, a);
    s->asymmetry = 0.0;
    s->nodes = s->H.n = s->M.n = s->probe.n = m->elements + 1;
    for (size_t i = 0; i < s->nodes; i++) {
        const double left = i > 0 ? m->s[i] - m->s[i - 1] : m->s[1] - m->s[0];
        const double right = i + 1 < s->nodes ? m->s[i + 1] - m->s[i] : left;
        s->scale[i] = 0.5 * (left + right) * m->ratio;
    }
    if (!assemble(&s->H, s, m, &g, y, centre, 0.0))
        return wy_fail(err, WY_NO_CONVERGENCE,
                       "the second variation has a conjugate point inside an element: more elements");
    s->has_mass = mass;
    if (mass) {
        if (!assemble(&s->M, s, m, &g, y, centre, -1.0) || !assemble(&s->probe, s, m, &g, y, centre, 1.0))
            return wy_fail(err, WY_NO_CONVERGENCE, "the mass matrix has a resonance inside an element: more elements");
        for (size_t i = 0; i < s->nodes * 36; i++) {
            s->M.A[i] -= s->probe.A[i];
            s->M.B[i] -= s->probe.B[i];
        }
        weigh(s, m, y, centre);
        hold(&s->M, 0, &m->control.left, 0.0);
        hold(&s->M, s->nodes - 1, &m->control.right, 0.0);
    }
    memcpy(s->edge[0], s->H.B + 36, sizeof s->edge[0]);
    memcpy(s->edge[1], s->H.B + 36 * (s->nodes - 1), sizeof s->edge[1]);
    spring(&s->H, s, 0, m, &m->control.left, y);
    spring(&s->H, s, s->nodes - 1, m, &m->control.right, y + (s->nodes - 1) * D);
    hold(&s->H, 0, &m->control.left, 1.0);
    hold(&s->H, s->nodes - 1, &m->control.right, 1.0);
    put_zero_modes(s, m, y);
    double largest = 0.0;
    for (size_t i = 0; i < s->nodes * 36 && mass; i++)
        largest = fmax(largest, fabs(s->M.A[i]));
    for (size_t k = 0; k < s->symmetries && mass; k++) {
        const size_t n = s->nodes * HALF;
        double *heavy = s->heavy + k * n, norm = 0.0;
        wy_chain_product(heavy, &s->M, s->zero + k * n);
        for (size_t i = 0; i < n; i++)
            norm += heavy[i] * heavy[i];
        if (!(sqrt(norm) > 1e-9 * largest)) /* a spin without rotary inertia: a zero of H and of M alike */
            memcpy(heavy, s->zero + k * n, n * sizeof *heavy);
    }
    return WY_OK;
}

wy_status wy_equilibrium_stability_assemble(beam_stability *s, const beam_model *m, const wy_bvp_solver *collocation,
                                            const double *y, bool mass, wy_error *err) {
    return assemble_at(s, m, collocation, y, 0.0, mass, err);
}

/* K(mu) near mu_0 as a pencil: H = K(mu_0) + mu_0 M, M = -K'(mu_0). Its eigenvalue near mu_0 is right to the square of the
 * distance; at the distance 0 it is that of K, whose error is of the order of the elements. Modes of K are orthogonal in the divided
 * difference of K: a zero mode z to the one at mu_0 by K(mu_0) z = 0, not by M z. (8.9a) */
static wy_status linearise(beam_stability *s, const beam_model *m, const wy_bvp_solver *collocation, const double *y,
                           double centre, wy_error *err) {
    const wy_status status = assemble_at(s, m, collocation, y, centre, true, err);
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

size_t wy_equilibrium_stability_symmetries(const beam_stability *s) {
    return s->symmetries;
}

double wy_equilibrium_stability_asymmetry(const beam_stability *s) {
    return s->asymmetry;
}

/* ---- counting ---- */

static wy_status degenerate(wy_error *err) {
    return wy_fail(err, WY_NO_CONVERGENCE, "the second variation is singular to the last bit");
}

/* By Haynsworth: the bordered matrix [H Z; Z^T 0] has as many negative eigenvalues as H and -Z^T H^-1 Z together; and
 * as many as H on the complement of Z, and one for each column of Z, whatever sign round-off gave the eigenvalue that
 * should be zero. For H - mu M the columns are M Z: the complement is that of the other modes. (8.8) */
static bool count_below(size_t *count, beam_stability *s, double mu) {
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

wy_status wy_equilibrium_stability_index(size_t *index, beam_stability *s, wy_error *err) {
    return count_below(index, s, 0.0) ? WY_OK : degenerate(err);
}

/* Inverse iteration at mu, orthogonal (in the mass) to what was found before. */
static void shape_at(double *shape, beam_stability *s, const double *before, size_t found) {
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

/* Back to plain displacements, largest number 1. */
static void plain(double *v, const beam_stability *s) {
    const size_t n = s->nodes * HALF;
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        v[i] *= i % HALF < 3 ? 1.0 : s->scale[i / HALF];
        most = fmax(most, fabs(v[i]));
    }
    for (size_t i = 0; i < n && most > 0.0; i++)
        v[i] /= most;
}

static const double tiny = 1e-9; /* of EI/(rho A L^4): what round-off leaves of a zero */

/* A number below all eigenvalues. */
static wy_status below_all(double *low, beam_stability *s, wy_error *err) {
    size_t below;
    if (!s->has_mass)
        return wy_fail(err, WY_BAD_INPUT, "eigenvalues need the mass matrix");
    for (*low = -1.0; *low > -1e30; *low *= 4.0) {
        if (!count_below(&below, s, *low))
            return degenerate(err);
        if (below == 0)
            return WY_OK;
    }
    return wy_fail(err, WY_NO_CONVERGENCE, "the mass matrix is not positive: more elements");
}

/* Eigenvalue number k lies between *a (not above it) and *b. */
static wy_status bisect(double *a, double *b, size_t k, double relative, beam_stability *s, wy_error *err) {
    size_t below;
    *b = tiny;
    if (!count_below(&below, s, *b))
        return degenerate(err);
    if (below <= k) /* not among the negative ones */
        for (*a = *b, *b = 50.0;; *a = *b, *b *= 4.0) {
            if (!count_below(&below, s, *b))
                return degenerate(err);
            if (below > k)
                break;
            if (*b > 1e30)
                return wy_fail(err, WY_NO_CONVERGENCE, "there are only %zu eigenvalues", below);
        }
    while (*b - *a > relative * fmax(fabs(*a), fabs(*b)) && *b - *a > tiny) {
        double mid = *a<-tiny && * b> tiny ? 0.0 : 0.5 * (*a + *b);
        if (!count_below(&below, s, mid) && !count_below(&below, s, mid += 0.01 * (*b - *a)))
            return degenerate(err);
        if (below > k)
            *b = mid;
        else
            *a = mid;
    }
    return WY_OK;
}

wy_status wy_equilibrium_stability_eigenvalue(double *value, size_t which, double relative, beam_stability *s,
                                              wy_error *err) {
    double a, b;
    wy_status status = below_all(&a, s, err);
    if (!status)
        status = bisect(&a, &b, which, relative, s, err);
    if (!status)
        *value = 0.5 * (a + b);
    return status;
}

/* What round-off makes of an eigenvalue: eps |x|.|H||x| / x.M x */
static double noise_of(const beam_stability *s, const double *x, double xMx) {
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

/* Dissipation of the mode x (variables of the chain) for unit velocity, by the trapezoidal rule: viscosity times the squared rates of the
 * strains C^-1 times the stress, and what loads that vary with the velocity take. Seconds times the unit of H. (8.9b) */
static bool dissipation(double *out, const beam_stability *s, const beam_model *m, const gauss *g, const double *y,
                        double mu, const double *x) {
    *out = 0.0;
    for (size_t e = 0; e + 1 < s->nodes; e++) {
        double S[V * V], K[4][36], c[2][HALF], ignored = 0.0; /* K: aa, ba, bb */
        if (!propagate(S, m, g, y, e, mu) || !stiffness(K[0], K[1], K[2], S, &ignored))
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
            const beam_place place = wy_equilibrium_model_place(m, m->s[e + k], e, at);
            wy_equilibrium_model_damping(viscosity, C, m, m->s[e + k], e, at);
            for (int half = 0; half < 2; half++) { /* R^T (p - 1/2 phi x m), R^T (dn - phi x n) */
                const double *stress = at + (half ? WY_REST_P : WY_REST_M);
                wy_equilibrium_rotate(here, at + WY_REST_Q, stress);
                v3_cross(turn, c[k], here);
                v3_axpy(here, p + 3 * half, half ? -1.0 : -0.5, turn);
                wy_equilibrium_rotate_back(here, at + WY_REST_Q, here);
                for (int i = 0; i < 3; i++) {
                    const double rate = here[i] * (half ? place.inv_CP[i] : place.inv_CM[i]);
                    size += viscosity[3 * half + i] * rate * rate;
                }
            }
            for (int i = 0; i < HALF; i++)
                for (int j = 0; j < HALF; j++)
                    size -= c[k][i] * C[6 * i + j] * c[k][j];
            *out += 0.5 * h * size;
        }
    }
    return true;
}

wy_status wy_equilibrium_stability_modes(double *values, double *noise, double *damping, double *shapes, size_t count,
                                         beam_stability *s, const beam_model *m, const wy_bvp_solver *collocation,
                                         const double *y, wy_error *err) {
    const size_t n = m->elements * HALF + HALF;
    double a[STAGES * STAGES];
    const gauss g = gauss_of(collocation, a);
    wy_status status = assemble_at(s, m, collocation, y, 0.0, true, err);
    if (!status)
        status = wy_equilibrium_stability_lowest(values, NULL, count, 1e-6, s, err);
    for (size_t k = 0; k < count && !status; k++) {
        double change = INFINITY;
        for (int it = 0; it < 8 && !status && change > 1e-12 * fabs(values[k]) + 2.0 * tiny; it++) {
            const double now = values[k];
            status = linearise(s, m, collocation, y, now, err);
            if (!status)
                status = wy_equilibrium_stability_eigenvalue(&values[k], k, 1e-13, s, err);
            change = fabs(values[k] - now);
        }
        if (status)
            break;
        size_t below;
        const double beside = values[k] + 1e-8 * fabs(values[k]) + tiny;
        if (!count_below(&below, s, beside) && !count_below(&below, s, beside + 1e-7 * fabs(beside) + tiny))
            return degenerate(err);
        double *x = shapes + k * n, xMx = 0.0, lost;
        shape_at(x, s, shapes, k);
        wy_chain_product(s->y, &s->M, x);
        for (size_t i = 0; i < n; i++)
            xMx += s->y[i] * x[i];
        if (!(xMx > 0.0))
            return wy_fail(err, WY_NO_CONVERGENCE, "mode %zu has no mass: more elements", k + 1);
        noise[k] = noise_of(s, x, xMx) + tiny;
        if (!dissipation(&lost, s, m, &g, y, values[k], x))
            return degenerate(err);
        damping[k] = lost / xMx;
    }
    for (size_t k = 0; k < count && !status; k++)
        plain(shapes + k * n, s);
    return status;
}

wy_status wy_equilibrium_stability_lowest(double *values, double *shapes, size_t count, double relative,
                                          beam_stability *s, wy_error *err) {
    const size_t n = s->nodes * HALF;
    size_t below;
    double low, b;
    wy_status status = below_all(&low, s, err);
    for (size_t k = 0; k < count && !status; k++) {
        status = bisect(&low, &b, k, relative, s, err);
        if (status)
            break;
        values[k] = 0.5 * (low + b);
        if (!shapes)
            continue;
        if (!count_below(&below, s, b + 1e-7 * fabs(b) + tiny) &&
            !count_below(&below, s, b + 1e-6 * fabs(b) + 3.0 * tiny))
            return degenerate(err);
        shape_at(shapes + k * n, s, shapes, k);
    }
    if (status)
        return status;
    for (size_t k = 0; k < count && shapes; k++)
        plain(shapes + k * n, s);
    return WY_OK;
}

/* K(mu) x = f at mu = omega^2, where f is a force at a node, or minus what an end that is moved pulls with at its neighbour. */
wy_status wy_equilibrium_stability_response(double *x, double *rhs, const beam_response *what, double mu,
                                            beam_stability *s, const beam_model *m, const wy_bvp_solver *collocation,
                                            const double *y, wy_error *err) {
    const wy_status status = assemble_at(s, m, collocation, y, mu, true, err);
    if (status)
        return status;
    const size_t n = s->nodes * HALF;
    size_t negative;
    memset(x, 0, n * sizeof *x);
    if (what->end < 0) {
        for (size_t c = 0; c < 3; c++)
            x[what->node * HALF + 3 + c] = what->direction[c] * s->scale[what->node];
    } else {
        const size_t node = what->end ? s->nodes - 1 : 0, beside = what->end ? node - 1 : 1;
        for (int i = 0; i < HALF; i++)
            for (int c = 0; c < 3; c++) {
                const double B = what->end ? s->edge[1][6 * (3 + c) + i] : s->edge[0][6 * i + 3 + c];
                x[beside * HALF + (size_t)i] -= B * what->direction[c] / s->scale[node];
            }
    }
    for (int end = 0; end < 2; end++) { /* a force on what is held goes into what holds it */
        const beam_end *at = end ? &m->control.right : &m->control.left;
        for (int i = 0; i < HALF; i++)
            if (beam_held(at, i < 3 ? WY_HOLDS_ROTATION : WY_HOLDS_POSITION))
                x[(end ? n - HALF : 0) + (size_t)i] = 0.0;
    }
    for (size_t i = 0; i < n; i++) /* by plain displacements, for products with shapes */
        rhs[i] = x[i] / (i % HALF < 3 ? 1.0 : s->scale[i / HALF]);
    if (!wy_chain_factor(&negative, &s->H, NULL, 0.0, s->work))
        return degenerate(err);
    wy_chain_solve(x, s->nodes, s->work);
    for (size_t i = 0; i < n; i++)
        x[i] *= i % HALF < 3 ? 1.0 : s->scale[i / HALF];
    if (what->end >= 0)
        for (size_t c = 0; c < 3; c++)
            x[(what->end ? n - HALF : 0) + 3 + c] = what->direction[c];
    return WY_OK;
}

wy_status wy_equilibrium_count_negative(long *negative, const wy_equilibrium *b, wy_error *err) {
    beam_stability *stability = NULL;
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
