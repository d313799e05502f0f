/* Director elements of degree 3 at rest. Nodes j at Gauss-Lobatto points have a position p_j and a frame d_kj; both are
 * interpolated between them, d_k = sum L_j d_kj, p' = sum L_j' p_j, and at three Gauss points g of an element
 *
 *   kappa_a = 1/2 (d_c.d_b' - d_b.d_c'),  (a, b, c) cyclic,     nu_k = d_k.p'                                   (5.25)
 *   E = sum W_g 1/2 ((kappa - kappa*).C_M (kappa - kappa*) + (nu - nu*).C_P (nu - nu*)
 *                    + k_G (G_3^2 + G_12^2)) + loads                                                            (5.26)
 *   G_3 = (|d_3|^2 - 1)/2,     G_12 = (|d_1|^2 + |d_2|^2 - 2)/2,     k_G = max(10 F, 10 max(EI, GJ)/h^2)
 *
 * and for each element 1/2 h k_H (H_1^2 + H_2^2), H_k = sum_j c_j d_kj.p'(s_j), c_j = sqrt(3) w_j P_3(xi_j), k_H =
 * max(0, 10 F - 7.2 EI/h^2): (10.9), (10.25), with F the largest force. Without k_H the rotations of the nodes that
 * vanish at all Gauss points are unstable in a taut rod.
 *
 * All strains are bilinear in (p, d). A node rotates by phi: d -> exp([phi]) d = d + phi x d + 1/2 phi x (phi x d) +
 * ... With Y_kj the gradient by d_kj,
 *
 *   gradient by phi_j    = sum_k d_kj x Y_kj
 *   second derivative    = that of the bilinear forms
 *                          + on the node itself  sum_k (d_k Y_k^T + Y_k d_k^T)/2 - (d_k.Y_k) I                (5.27) */
#include "equilibrium/energy_rod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "math/elementary.h"
#include "math/quadrature.h"
#include "math/vec3.h"

enum { N = ENERGY_NODES, DOF = ENERGY_ELEMENT, G = ENERGY_POINTS, ROWS = 8 };

#define R5 2.2360679774997896964
#define HOURGLASS 0.14433756729740644113 /* sqrt(3)/12 */
static const double lobatto[N] = {0.0, 0.5 - 0.1 * R5, 0.5 + 0.1 * R5, 1.0};
static const double *const gauss_at = wy_gauss_at[G - 1], *const gauss_weight = wy_gauss_weight[G - 1];

void wy_energy_basis(double L[4], double slope[4], double u) {
    for (int j = 0; j < N; j++) {
        double below = 1.0, value = 1.0, sum = 0.0;
        for (int k = 0; k < N; k++) {
            if (k == j)
                continue;
            double part = 1.0;
            for (int i = 0; i < N; i++)
                if (i != j && i != k)
                    part *= u - lobatto[i];
            sum += part;
            value *= u - lobatto[k];
            below *= lobatto[j] - lobatto[k];
        }
        L[j] = value / below;
        slope[j] = sum / below;
    }
}

void wy_energy_rod_free(energy_rod *r) {
    wy_system_free(r->system);
    free(r->memory);
    *r = (energy_rod){0};
}

wy_status wy_energy_rod_create(energy_rod *r, equilibrium_model *m, size_t elements, wy_error *err) {
    const size_t nodes = 3 * elements + 1;
    const size_t sizes[] = {3 * nodes, 9 * nodes, 12 * G * elements, 6 * nodes, 6 * nodes};
    size_t total = 0;
    for (size_t i = 0; i < 5; i++)
        total += sizes[i];
    double *memory = wy_memory_take(total, sizeof *memory, err, "the energy of %zu elements", elements);
    if (!memory)
        return WY_NO_MEMORY;
    *r = (energy_rod){.model = m, .elements = elements, .nodes = nodes, .h = 1.0 / (double)elements, .memory = memory};
    double **const where[] = {&r->x, &r->d, &r->section, &r->dead, &r->g};
    for (size_t i = 0; i < 5; i++) {
        *where[i] = memory;
        memory += sizes[i];
    }
    const wy_status status = wy_energy_system(&r->system, r, WY_SYSTEM_DEFINITE, err);
    if (status) {
        wy_energy_rod_free(r);
        return status;
    }
    double y[WY_STATIC_DIM] = {0}, stiffest = 0.0;
    y[WY_STATIC_Q] = 1.0;
    const equilibrium_loads loads = m->control.load;
    m->control.load = (equilibrium_loads){0};
    for (size_t e = 0; e < elements; e++)
        for (int g = 0; g < G; g++) {
            const double s = ((double)e + gauss_at[g]) * r->h;
            const equilibrium_coefficients p =
                wy_equilibrium_model_coefficients(m, s, wy_equilibrium_model_element(m, s), y);
            double *out = r->section + 12 * (e * G + (size_t)g);
            for (int k = 0; k < 3; k++) {
                out[k] = 1.0 / p.inv_CM[k];
                out[3 + k] = 1.0 / p.inv_CP[k];
                out[6 + k] = p.kappa[k];
                out[9 + k] = p.nu[k];
                stiffest = fmax(stiffest, out[k]);
            }
        }
    m->control.load = loads;
    r->stiffest = stiffest;
    r->softest = INFINITY;
    wy_energy_rod_set_stabilisation(r, 0.0);
    return WY_OK;
}

void wy_energy_rod_set_stabilisation(energy_rod *r, double force) {
    const double bend = r->stiffest / (r->h * r->h), most = 0.3 * fmin(r->softest, r->model->stiffest);
    r->frame_stabilisation = fmax(10.0 * bend, fmin(10.0 * force, most));
    r->inner_stabilisation = fmin(fmax(0.0, 10.0 * force - 7.2 * bend), most);
}

void wy_energy_rod_constrain(energy_rod *r) {
    const equilibrium_end *const ends[2] = {&r->model->control.left, &r->model->control.right};
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int e = 0; e < 2; e++) {
        const equilibrium_end *end = ends[e];
        const unsigned bits = end->constraint.components & 63U;
        double *x = r->x + (e ? r->nodes - 1 : 0) * 3, *d = r->d + (e ? r->nodes - 1 : 0) * 9, apart[3], q[4];
        r->fixed[e] = bits;
        const bool parts = equilibrium_end_is_partial(end, 0) || equilibrium_end_is_partial(end, 1);
        memcpy(r->axes[e], parts ? end->constraint.frame : identity, sizeof identity);
        v3_sub(apart, end->position, x);
        for (int k = 0; k < 3; k++)
            if (bits >> k & 1U)
                v3_axpy(x, x, v3_dot(r->axes[e] + 3 * k, apart), r->axes[e] + 3 * k);
        if (!(bits >> 3))
            continue;
        wy_equilibrium_end_target(q, end);
        double to[9];
        for (int k = 0; k < 3; k++)
            wy_quat_rotate(to + 3 * k, q, identity + 3 * k);
        if (bits >> 3 == 7U) {
            memcpy(d, to, sizeof to);
            continue;
        }
        /* a hinge about axis a: of the rotations that it allows, the one nearest to the present one */
        for (int k = 0; k < 3; k++) {
            if (bits >> (3 + k) & 1U)
                continue;
            const double *a = r->axes[e] + 3 * k;
            double sine = 0.0, cosine = 0.0, turned[3];
            for (int i = 0; i < 3; i++) {
                double across[3], other[3];
                v3_axpy(across, to + 3 * i, -v3_dot(to + 3 * i, a), a);
                v3_axpy(other, d + 3 * i, -v3_dot(d + 3 * i, a), a);
                v3_cross(turned, across, other);
                sine += v3_dot(a, turned);
                cosine += v3_dot(across, other);
            }
            const double half = 0.5 * wy_atan2(sine, cosine),
                         about[4] = {wy_cos(half), wy_sin(half) * a[0], wy_sin(half) * a[1], wy_sin(half) * a[2]};
            for (int i = 0; i < 3; i++)
                wy_quat_rotate(d + 3 * i, about, to + 3 * i);
        }
    }
}

/* ---- one element ---- */

typedef struct point {
    double L[N], S[N];        /* the polynomials and their derivatives by s */
    double d[9], ds[9], p[3]; /* frame, its derivative, p' */
} point;

static point point_at(const energy_rod *r, size_t e, double u) {
    point at = {.p = {0}};
    wy_energy_basis(at.L, at.S, u);
    for (int j = 0; j < N; j++) {
        const double *d = r->d + 9 * (3 * e + (size_t)j), *x = r->x + 3 * (3 * e + (size_t)j);
        at.S[j] /= r->h;
        for (int i = 0; i < 9; i++) {
            at.d[i] += at.L[j] * d[i];
            at.ds[i] += at.S[j] * d[i];
        }
        v3_axpy(at.p, at.p, at.S[j], x);
    }
    return at;
}

/* Strains minus those of the unstressed rod, and their stiffness: kappa, nu, G_3, G_12. */
static void point_strains(double eps[ROWS], double K[ROWS], const energy_rod *r, size_t e, int g, const point *at) {
    const double *c = r->section + 12 * (e * G + (size_t)g);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        eps[a] = 0.5 * (v3_dot(at->d + 3 * d, at->ds + 3 * b) - v3_dot(at->d + 3 * b, at->ds + 3 * d)) - c[6 + a];
        eps[3 + a] = v3_dot(at->d + 3 * a, at->p) - c[9 + a];
        K[a] = c[a];
        K[3 + a] = fmin(c[3 + a], r->softest);
    }
    eps[6] = 0.5 * (v3_dot(at->d + 6, at->d + 6) - 1.0);
    eps[7] = 0.5 * (v3_dot(at->d, at->d) + v3_dot(at->d + 3, at->d + 3) - 2.0);
    K[6] = K[7] = r->frame_stabilisation;
}

static void add_block(double *H, int i, int j, const double block[9]) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            H[(i + a) * DOF + j + b] += block[3 * a + b];
}

/* c ((u.v) I - v u^T) at (phi_i, phi_j), of the form c (phi_i x u).(phi_j x v), and its transpose if `both` */
static void add_rotation_block(double *H, int i, int j, double c, const double u[3], const double v[3], bool both) {
    const double dot = v3_dot(u, v);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const double value = c * ((a == b ? dot : 0.0) - v[a] * u[b]);
            H[(6 * i + 3 + a) * DOF + 6 * j + 3 + b] += value;
            if (both)
                H[(6 * j + 3 + b) * DOF + 6 * i + 3 + a] += value;
        }
}

/* Second derivatives of the strains, with the stresses of a point. */
static void add_geometric_stiffness(double *H, const energy_rod *r, size_t e, const point *at,
                                    const double stress[ROWS]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double *di = r->d + 9 * (3 * e + (size_t)i), *dj = r->d + 9 * (3 * e + (size_t)j);
            double n[3] = {0.0, 0.0, 0.0};
            for (int a = 0; a < 3; a++) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                if (i != j)
                    add_rotation_block(H, i, j, 0.5 * stress[a] * (at->L[i] * at->S[j] - at->S[i] * at->L[j]),
                                       di + 3 * c, dj + 3 * b, true);
                v3_axpy(n, n, stress[3 + a], dj + 3 * a);
                add_rotation_block(H, i, j, (a == 2 ? stress[6] : stress[7]) * at->L[i] * at->L[j], di + 3 * a,
                                   dj + 3 * a, false);
            }
            v3_scale(n, at->S[i] * at->L[j], n); /* u_i.(phi_j x n) */
            const double block[9] = {0.0, n[2], -n[1], -n[2], 0.0, n[0], n[1], -n[0], 0.0},
                         back[9] = {0.0, -n[2], n[1], n[2], 0.0, -n[0], -n[1], n[0], 0.0};
            add_block(H, 6 * i, 6 * j + 3, block);
            add_block(H, 6 * j + 3, 6 * i, back);
        }
}

/* H_1 and H_2 of an element. */
static double hourglass_energy(const energy_rod *r, size_t e, double *g, double *H, double Y[N][9]) {
    static const double c[N] = {-1.0, R5, -R5, 1.0}; /* times sqrt(3)/12 */
    double slope[N][N], p[N][3] = {{0}}, energy = 0.0;
    for (int j = 0; j < N; j++) {
        double L[N];
        wy_energy_basis(L, slope[j], lobatto[j]);
        for (int m = 0; m < N; m++) {
            slope[j][m] /= r->h;
            v3_axpy(p[j], p[j], slope[j][m], r->x + 3 * (3 * e + (size_t)m));
        }
    }
    for (int k = 0; k < 2; k++) {
        double value = 0.0, B[DOF] = {0};
        for (int j = 0; j < N; j++)
            value += c[j] * HOURGLASS * v3_dot(r->d + 9 * (3 * e + (size_t)j) + 3 * k, p[j]);
        const double stress = r->h * r->inner_stabilisation * value;
        energy += 0.5 * stress * value;
        for (int j = 0; j < N && g; j++) {
            const double *d = r->d + 9 * (3 * e + (size_t)j) + 3 * k, factor_j = c[j] * HOURGLASS;
            double turn[3];
            v3_cross(turn, d, p[j]);
            v3_axpy(B + 6 * j + 3, B + 6 * j + 3, factor_j, turn);
            v3_axpy(Y[j] + 3 * k, Y[j] + 3 * k, stress * factor_j, p[j]);
            for (int m = 0; m < N; m++) {
                v3_axpy(B + 6 * m, B + 6 * m, factor_j * slope[j][m], d);
                double n[3];
                v3_scale(n, stress * factor_j * slope[j][m], d); /* u_m.(phi_j x n) */
                const double block[9] = {0.0, n[2], -n[1], -n[2], 0.0, n[0], n[1], -n[0], 0.0},
                             back[9] = {0.0, -n[2], n[1], n[2], 0.0, -n[0], -n[1], n[0], 0.0};
                if (H) {
                    add_block(H, 6 * m, 6 * j + 3, block);
                    add_block(H, 6 * j + 3, 6 * m, back);
                }
            }
        }
        for (int a = 0; a < DOF && g; a++) {
            g[a] += stress * B[a];
            for (int b = 0; b < DOF && H; b++)
                H[a * DOF + b] += r->h * r->inner_stabilisation * B[a] * B[b];
        }
    }
    return energy;
}

static double element_energy(const energy_rod *r, size_t e, double *g, double *H) {
    double energy = 0.0, Y[N][9] = {{0}};
    if (r->inner_stabilisation > 0.0)
        energy += hourglass_energy(r, e, g, H, Y);
    for (int q = 0; q < G; q++) {
        const double W = gauss_weight[q] * r->h;
        double eps[ROWS], K[ROWS], stress[ROWS];
        const point at = point_at(r, e, gauss_at[q]);
        point_strains(eps, K, r, e, q, &at);
        for (int i = 0; i < ROWS; i++) {
            stress[i] = W * K[i] * eps[i];
            energy += 0.5 * stress[i] * eps[i];
        }
        if (!g)
            continue;
        double B[ROWS][DOF] = {{0}};
        for (int j = 0; j < N; j++) {
            const double *d = r->d + 9 * (3 * e + (size_t)j);
            for (int a = 0; a < 3; a++) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                double by_c[3], by_b[3], by_nu[3], turn[3];
                for (int k = 0; k < 3; k++) {
                    by_c[k] = 0.5 * (at.L[j] * at.ds[3 * b + k] - at.S[j] * at.d[3 * b + k]);
                    by_b[k] = 0.5 * (at.S[j] * at.d[3 * c + k] - at.L[j] * at.ds[3 * c + k]);
                    by_nu[k] = at.L[j] * at.p[k];
                    B[3 + a][6 * j + k] = at.S[j] * at.d[3 * a + k];
                }
                v3_cross(B[a] + 6 * j + 3, d + 3 * c, by_c);
                v3_cross(turn, d + 3 * b, by_b);
                v3_add(B[a] + 6 * j + 3, B[a] + 6 * j + 3, turn);
                v3_cross(B[3 + a] + 6 * j + 3, d + 3 * a, by_nu);
                v3_cross(turn, d + 3 * a, at.d + 3 * a);
                v3_axpy(B[a == 2 ? 6 : 7] + 6 * j + 3, B[a == 2 ? 6 : 7] + 6 * j + 3, at.L[j], turn);
                v3_axpy(Y[j] + 3 * c, Y[j] + 3 * c, stress[a], by_c);
                v3_axpy(Y[j] + 3 * b, Y[j] + 3 * b, stress[a], by_b);
                v3_axpy(Y[j] + 3 * a, Y[j] + 3 * a, stress[3 + a], by_nu);
                v3_axpy(Y[j] + 3 * a, Y[j] + 3 * a, (a == 2 ? stress[6] : stress[7]) * at.L[j], at.d + 3 * a);
            }
        }
        for (int i = 0; i < ROWS; i++)
            for (int a = 0; a < DOF; a++) {
                g[a] += stress[i] * B[i][a];
                const double factor = W * K[i] * B[i][a];
                for (int b = 0; b < DOF && H && factor != 0.0; b++)
                    H[a * DOF + b] += factor * B[i][b];
            }
        if (H)
            add_geometric_stiffness(H, r, e, &at, stress);
    }
    for (int j = 0; j < N && H; j++)
        for (int k = 0; k < 3; k++) {
            const double *d = r->d + 9 * (3 * e + (size_t)j) + 3 * k, *y = Y[j] + 3 * k, dot = v3_dot(d, y);
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    H[(6 * j + 3 + a) * DOF + 6 * j + 3 + b] +=
                        0.5 * (d[a] * y[b] + y[a] * d[b]) - (a == b ? dot : 0.0);
        }
    return energy;
}

double wy_energy_of(const energy_rod *r) {
    double sum = wy_energy_ends(r, 0, NULL, NULL, NULL, NULL) + wy_energy_ends(r, 1, NULL, NULL, NULL, NULL);
    for (size_t e = 0; e < r->elements; e++)
        sum += element_energy(r, e, NULL, NULL) + wy_energy_loads(r, e, NULL, NULL, NULL, NULL);
    return sum;
}

/* Components of an end's node along its axes: g -> A g, H -> A H A^T with A = diag(axes, axes) there. */
static void rotate_to_end_axes(double *g, double *H, const double axes[9], int node) {
    for (int half = 0; half < 2; half++) {
        const int at = 6 * node + 3 * half;
        double v[3];
        for (int c = -1; c < DOF; c++) {
            double *const first = c < 0 ? g + at : H + at * DOF + c;
            const int stride = c < 0 ? 1 : DOF;
            for (int k = 0; k < 3; k++)
                v[k] = axes[3 * k] * first[0] + axes[3 * k + 1] * first[stride] + axes[3 * k + 2] * first[2 * stride];
            for (int k = 0; k < 3; k++)
                first[k * stride] = v[k];
        }
        for (int row = 0; row < DOF; row++) {
            double *w = H + row * DOF + at;
            for (int k = 0; k < 3; k++)
                v[k] = v3_dot(axes + 3 * k, w);
            v3_copy(w, v);
        }
    }
}

void wy_energy_dead_slope(const energy_rod *r, size_t e, double *T) {
    double g[DOF] = {0}, dead[DOF] = {0};
    wy_energy_loads(r, e, g, NULL, dead, T);
    for (int end = 0; end < 2; end++)
        if (e == (end ? r->elements - 1 : 0)) {
            wy_energy_ends(r, end, g, NULL, dead, T);
            rotate_to_end_axes(dead, T, r->axes[end], end ? N - 1 : 0);
        }
}

double wy_energy_add(energy_rod *r, wy_system_matrix *A, size_t first_block) {
    double sum = 0.0;
    memset(r->g, 0, 6 * r->nodes * sizeof *r->g);
    memset(r->dead, 0, 6 * r->nodes * sizeof *r->dead);
    for (size_t e = 0; e < r->elements; e++) {
        double g[DOF] = {0}, H[DOF * DOF] = {0}, dead[DOF] = {0}, *const second = A ? H : NULL;
        sum += element_energy(r, e, g, second) + wy_energy_loads(r, e, g, second, dead, NULL);
        for (int end = 0; end < 2; end++)
            if (e == (end ? r->elements - 1 : 0)) {
                sum += wy_energy_ends(r, end, g, second, dead, NULL);
                rotate_to_end_axes(g, H, r->axes[end], end ? N - 1 : 0);
                double unused[DOF * DOF] = {0};
                rotate_to_end_axes(dead, unused, r->axes[end], end ? N - 1 : 0);
            }
        for (int a = 0; a < DOF; a++) {
            const size_t row = 18 * e + (size_t)a;
            r->dead[row] += dead[a];
            r->g[row] += g[a] - dead[a];
            for (int b = 0; b < a && A; b++)
                H[a * DOF + b] = H[b * DOF + a] = 0.5 * (H[a * DOF + b] + H[b * DOF + a]);
        }
        if (A)
            wy_system_add(A, first_block + e, H);
    }
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < 6; k++) {
            const size_t i = (end ? 6 * (r->nodes - 1) : 0) + k;
            if (r->fixed[end] >> k & 1U)
                r->g[i] = r->dead[i] = 0.0;
        }
    return sum;
}

double wy_energy_linearise(energy_rod *r, wy_system_matrix *A) {
    if (A)
        wy_system_clear(A);
    return wy_energy_add(r, A, 0);
}

wy_status wy_energy_system(wy_system_matrix **out, const energy_rod *r, wy_system_form form, wy_error *err) {
    *out = NULL;
    size_t *nodes = malloc(r->nodes * sizeof *nodes);
    wy_system_block *blocks = malloc(r->elements * sizeof *blocks);
    wy_status status = WY_NO_MEMORY;
    if (nodes && blocks) {
        for (size_t j = 0; j < r->nodes; j++)
            nodes[j] = j;
        for (size_t e = 0; e < r->elements; e++)
            blocks[e] = (wy_system_block){nodes + 3 * e, N, false};
        const wy_system_definition d = {.nodes = r->nodes, .blocks = r->elements, .block = blocks};
        status = wy_system_create(out, &d, form, NULL, err);
    } else {
        status = wy_fail(err, WY_NO_MEMORY, "no memory for the energy of %zu elements", r->elements);
    }
    free(nodes);
    free(blocks);
    return status;
}

void wy_energy_system_constrain(wy_system_matrix *A, const energy_rod *r) {
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < 6; k++)
            wy_system_constrain(A, (end ? 6 * (r->nodes - 1) : 0) + k,
                                r->fixed[end] >> k & 1U ? WY_SYSTEM_FIXED : WY_SYSTEM_FREE);
}

double wy_energy_move(energy_rod *r, const double *p, double part) {
    double work = 0.0;
    for (size_t j = 0; j < r->nodes; j++) {
        double move[3], turn[3], q[4];
        const double *u = p + 6 * j;
        for (int k = 0; k < 6; k++)
            work += part * r->dead[6 * j + (size_t)k] * u[k];
        const int end = j == 0 ? 0 : j + 1 == r->nodes ? 1 : -1;
        for (int i = 0; i < 3; i++) {
            move[i] = end < 0 ? part * u[i] : 0.0;
            turn[i] = end < 0 ? part * u[3 + i] : 0.0;
            for (int k = 0; k < 3 && end >= 0; k++) {
                move[i] += part * r->axes[end][3 * k + i] * u[k];
                turn[i] += part * r->axes[end][3 * k + i] * u[3 + k];
            }
        }
        v3_add(r->x + 3 * j, r->x + 3 * j, move);
        wy_quat_exp(q, turn);
        for (int k = 0; k < 3; k++)
            wy_quat_rotate(r->d + 9 * j + 3 * k, q, r->d + 9 * j + 3 * k);
    }
    return work;
}

/* ---- results ---- */

double wy_energy_turn(const energy_rod *r) {
    double most = 0.0;
    for (size_t e = 0; e < r->elements; e++) {
        const point at = point_at(r, e, 0.5);
        double sum = 0.0;
        for (int i = 0; i < 9; i++)
            sum += at.ds[i] * at.ds[i];
        most = fmax(most, sqrt(0.5 * sum) * r->h);
    }
    return most;
}

double wy_energy_force(const energy_rod *r) {
    double most = 0.0;
    for (size_t e = 0; e < r->elements; e++)
        for (int g = 0; g < G; g++) {
            double eps[ROWS], K[ROWS], n[3];
            const point at = point_at(r, e, gauss_at[g]);
            point_strains(eps, K, r, e, g, &at);
            for (int k = 0; k < 3; k++)
                n[k] = K[3 + k] * eps[3 + k];
            most = fmax(most, v3_norm(n));
        }
    return most;
}

void wy_energy_state(double y[WY_STATIC_DIM], const energy_rod *r, double s) {
    const double position = fmin(fmax(s, 0.0), 1.0) * (double)r->elements;
    size_t e = (size_t)position;
    if (e >= r->elements)
        e = r->elements - 1;
    const double u = position - (double)e;
    const point at = point_at(r, e, u);
    double d1[3], d2[3], d3[3], x[3] = {0.0, 0.0, 0.0}, q[4];
    for (int j = 0; j < N; j++)
        v3_axpy(x, x, at.L[j], r->x + 3 * (3 * e + (size_t)j));
    v3_scale(d3, 1.0 / v3_norm(at.d + 6), at.d + 6);
    v3_axpy(d1, at.d, -v3_dot(at.d, d3), d3);
    v3_scale(d1, 1.0 / v3_norm(d1), d1);
    v3_cross(d2, d3, d1);
    const double R[9] = {d1[0], d2[0], d3[0], d1[1], d2[1], d3[1], d1[2], d2[2], d3[2]};
    wy_quat_from_matrix(q, R);
    double stress[6] = {0};
    for (int g = 0; g < G; g++) { /* through the values at the Gauss points */
        const point here = point_at(r, e, gauss_at[g]);
        double eps[ROWS], K[ROWS], weight = 1.0;
        point_strains(eps, K, r, e, g, &here);
        for (int k = 0; k < G; k++)
            if (k != g)
                weight *= (u - gauss_at[k]) / (gauss_at[g] - gauss_at[k]);
        for (int k = 0; k < 6; k++)
            stress[k] += weight * K[k] * eps[k];
    }
    v3_copy(y + WY_STATIC_P, stress + 3);
    v3_copy(y + WY_STATIC_M, stress);
    memcpy(y + WY_STATIC_Q, q, sizeof q);
    v3_copy(y + WY_STATIC_X, x);
}
