/* Static corrections of thin rods, without loss of digits. docs/math/cantilever.md, "Thin rods".
 *
 * Condensing the strains first, as the steps in time do, makes the matrix of a displacement method: its condition grows
 * like (GA L^2/EI) N^2, and at r/L = 1e-5 nothing is left. Here stresses stay unknowns and the rod is eliminated from
 * the clamp outwards, velocities and stresses of an element together: flexibilities add, and shear and stretch may be
 * as stiff as they like. With sigma = K dxi, twists eta of the nodes and the carried block D of the element's first
 * node: D eta_0 + sum_g w Q_g0 sigma_g = r_0,   K^-1 sigma_g - sum_j B_gj eta_j = 0,   sum_g w Q_gi sigma_g - F_i eta_i
 * = r_i Q_gi = D_gi + N_gi (ad_xi^T + S K^-1),   B_gj = D_gj + N_gj ad_xi (7.12) In units of EI/L, EI/L^2, L and 1 rad
 * every entry is of the order of the number of elements or below. */
#include <math.h>
#include <string.h>

#include "linalg/lu.h"
#include "math/vec3.h"
#include "motion/velocity_strain/high_order_thin.h"

enum { SIZE = 12 * WY_DEGREE_MAX };

size_t wy_high_order_thin_size(const wy_high_order *m) {
    return m->elements * 7 * 12 * (size_t)m->space.p; /* for each element: W (12 p x 6) and y (12 p) */
}

/* ad_x e and ad_x^T s. */
static void ad(double out[6], const double x[6], const double e[6]) {
    double a[3], b[3];
    v3_cross(out, x, e);
    v3_cross(a, x + 3, e);
    v3_cross(b, x, e + 3);
    v3_add(out + 3, a, b);
}
static void ad_transposed(double out[6], const double x[6], const double s[6]) {
    double a[3], b[3];
    v3_cross(a, s, x);
    v3_cross(b, s + 3, x + 3);
    v3_cross(out + 3, s + 3, x);
    v3_add(out, a, b);
}

/* One Gauss point: B_gj = d I + n A and Q_gi = d I + n P, row major. */
typedef struct point {
    double A[36], P[36];
} point;

static void point_of(point *pt, const wy_high_order *m, size_t g, const double *gamma, const double unit_s[6],
                     const double unit_e[6], double L) {
    double xi[6], s[6];
    for (size_t i = 0; i < 6; i++) {
        xi[i] = m->ref[WY_VEC * g + i] + gamma[WY_VEC * g + i];
        s[i] = m->K[i] * gamma[WY_VEC * g + i];
    }
    for (int k = 0; k < 6; k++) {
        double e[6] = {0}, a[6], b[6], c[6];
        e[k] = unit_e[k];
        ad(a, xi, e);
        e[k] = unit_s[k];
        ad_transposed(b, xi, e);
        e[k] = unit_s[k] / m->K[k];
        ad_transposed(c, e, s);
        for (int i = 0; i < 6; i++) {
            pt->A[6 * i + k] = a[i] * (i < 3 ? L : 1.0);      /* strain rows: per 1/L and 1 */
            pt->P[6 * i + k] = (b[i] + c[i]) * L / unit_s[i]; /* balance rows: per length */
        }
    }
}

bool wy_high_order_thin_solve(double *e, double *x, double *store, const wy_high_order *m, const double *gamma,
                              const double *pull, double length) {
    const int P = m->space.p, n = 12 * P;
    const double EI = fmin(m->K[0], m->K[1]), L = length, ih = 1.0 / m->h;
    const double unit_s[6] = {EI / L, EI / L, EI / L, EI / (L * L), EI / (L * L), EI / (L * L)};
    const double unit_e[6] = {1.0, 1.0, 1.0, L, L, L};
    double carry[36] = {0}, r[6] = {0};
    for (int i = 0; i < 6; i++) /* the clamp: eta_0 = 0 */
        carry[(size_t)7 * (size_t)i] = 1.0;
    for (size_t k = 0; k < m->elements; k++) {
        double A[SIZE * SIZE] = {0}, W[SIZE * 6] = {0}, y[SIZE] = {0}, last[6 * SIZE] = {0};
        size_t pivots[SIZE];
        point pt[WY_DEGREE_MAX];
        /* unknowns: eta_0, sigma_1 .. sigma_p, eta_1 .. eta_{p-1} */
        for (int i = 0; i < 6; i++) {
            for (int c = 0; c < 6; c++)
                A[i * n + c] = carry[6 * i + c];
            y[i] = r[i];
        }
        for (int g = 0; g < P; g++) {
            point_of(&pt[g], m, k * (size_t)P + (size_t)g, gamma, unit_s, unit_e, L);
            const int at = 6 + 6 * g;
            const double w = m->space.gauss_weight[g] * m->h / L;
            for (int i = 0; i < 6; i++)
                A[(at + i) * n + at + i] = unit_s[i] / m->K[i] * (i < 3 ? L : 1.0);
            for (int j = 0; j <= P; j++) {
                const double d = m->space.D[g][j] * ih * L, s = m->space.N[g][j];
                const int col = j == 0 ? 0 : 6 + 6 * P + 6 * (j - 1);
                for (int i = 0; i < 6; i++)
                    for (int c = 0; c < 6; c++) {
                        const double B = (i == c ? d : 0.0) + s * pt[g].A[6 * i + c];
                        const double Q = w * ((i == c ? d : 0.0) + s * pt[g].P[6 * i + c]);
                        if (j == P) {
                            W[6 * (at + i) + c] = -B;
                            last[i * n + at + c] = Q;
                        } else {
                            A[(at + i) * n + col + c] = -B;
                            if (j > 0 || k > 0)
                                A[(col + i) * n + at + c] += Q;
                        }
                    }
            }
        }
        double own[36] = {0};
        for (int j = 1; j <= P; j++) { /* right sides, and the turning of the load: -force x turn */
            const size_t node = k * (size_t)P + (size_t)j;
            const double *f = pull + 3 * node;
            double F[36] = {0};
            for (int c = 0; c < 3; c++) {
                const int a = (c + 1) % 3, b = (c + 2) % 3;
                F[6 * (3 + a) + c] = -f[b] / unit_s[3];
                F[6 * (3 + b) + c] = f[a] / unit_s[3];
            }
            if (j == P) { /* a node between two elements is counted once: by the element before it */
                memcpy(own, F, sizeof own);
                for (int i = 0; i < 6; i++)
                    r[i] = e[WY_VEC * node + (size_t)i] / unit_s[i];
                continue;
            }
            const int at = 6 + 6 * P + 6 * (j - 1);
            for (int i = 0; i < 6; i++) {
                for (int c = 0; c < 6; c++)
                    A[(at + i) * n + at + c] += F[6 * i + c];
                y[at + i] = e[WY_VEC * node + (size_t)i] / unit_s[i];
            }
        }
        if (!wy_lu_factor(A, pivots, (size_t)n))
            return false;
        wy_lu_solve(y, A, pivots, (size_t)n);
        wy_lu_solve_many(W, 6, A, pivots, (size_t)n);
        for (int i = 0; i < 6; i++) {
            for (int c = 0; c < 6; c++) {
                carry[6 * i + c] = own[6 * i + c];
                for (int q = 0; q < n; q++)
                    carry[6 * i + c] -= last[i * n + q] * W[6 * q + c];
            }
            for (int q = 0; q < n; q++)
                r[i] -= last[i * n + q] * y[q];
        }
        double *to = store + k * 7 * (size_t)n;
        memcpy(to, W, 6 * (size_t)n * sizeof *to);
        memcpy(to + 6 * (size_t)n, y, (size_t)n * sizeof *to);
    }
    size_t pivots[6];
    if (!wy_lu_factor(carry, pivots, 6))
        return false;
    wy_lu_solve(r, carry, pivots, 6);
    for (size_t k = m->elements; k-- > 0;) {
        const double *W = store + k * 7 * (size_t)n, *y = W + 6 * (size_t)n;
        double u[SIZE] = {0};
        for (int q = 0; q < n; q++) {
            u[q] = y[q];
            for (int c = 0; c < 6; c++)
                u[q] -= W[6 * q + c] * r[c];
        }
        for (int i = 0; i < 6; i++)
            e[WY_VEC * ((k + 1) * (size_t)P) + (size_t)i] = r[i] * unit_e[i];
        for (int j = 1; j < P; j++)
            for (int i = 0; i < 6; i++)
                e[WY_VEC * (k * (size_t)P + (size_t)j) + (size_t)i] = u[6 + 6 * P + 6 * (j - 1) + i] * unit_e[i];
        for (int g = 0; g < P; g++)
            for (int i = 0; i < 6; i++)
                x[WY_VEC * (k * (size_t)P + (size_t)g) + (size_t)i] = u[6 + 6 * g + i] * unit_s[i] / m->K[i];
        memcpy(r, u, sizeof r);
    }
    memset(e, 0, 6 * sizeof *e);
    return true;
}
