/* The exact linearisation of a step of `gauss-director`: all stages at once, 6 S unknowns a node, strains kept as
 * unknowns. docs/math/motion.md, "The coupled iteration".
 *
 * Unknowns at a node: y_m = dt dv_m, theta_m = dt domega_m. With Q = (1 - dt A x [omega])^-1 dt A, 3 S x 3 S,
 *
 *  dp_i = sum_m a_im y_m,  dd_ki = sum_m Q_im (domega_m x d_km),  dd._ki = domega_i x d_ki + omega_i x dd_ki (10.33)
 *   deps_i = dt sum_l a_il drate_l,      ds_i = K deps_i + V drate_i                                            (10.34)
 *
 * where the rate is bilinear in q and q., and the gradient in q and the stress: their derivatives are the same forms
 * with one argument replaced by its change. */
#include <math.h>
#include <string.h>

#include "linalg/band.h"
#include "math/vec3.h"
#include "motion/gauss_director/gauss_tangent.h"

enum {
    PATH_NUMBERS = WY_GAUSS_STAGES * WY_GAUSS_STAGES
}; /* numbers a node for the path to a solution: gauss_globalise.c */

typedef struct coupled {
    const wy_gauss *m;
    const wy_gauss_work *w;
    double dt;
    int S, P;
} coupled;

size_t wy_gauss_coupled_size(const wy_gauss *m) {
    enum { MOST = 2000000 }; /* numbers; longer rods do without */
    const size_t S6 = 6 * (size_t)m->time.S, n = S6 * m->nodes, band = S6 * ((size_t)m->space.P + 1) - 1;
    const size_t size = wy_band_size(n, band, band) + 2 * n + (Q_WIDTH * Q_WIDTH + PATH_NUMBERS) * m->nodes;
    return size > MOST || m->bdf ? 0 : size;
}

/* ---- a node: Q, and the changes of its stages by one unknown ---- */

/* Q of a node by elimination with row exchanges; false: singular. */
static bool make_Q(double *Q, const coupled *k, size_t j) {
    const int S = k->S, n = 3 * S;
    double M[Q_WIDTH][2 * Q_WIDTH] = {{0.0}};
    for (int i = 0; i < S; i++)
        for (int l = 0; l < S; l++) {
            double w[3];
            const double a = k->dt * k->m->time.A[i][l];
            wy_gauss_get(w, k->w->w[l], k->m, 3, j);
            const double cross[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) {
                    M[3 * i + r][3 * l + c] = (i == l && r == c ? 1.0 : 0.0) - a * cross[3 * r + c];
                    M[3 * i + r][n + 3 * l + c] = r == c ? a : 0.0;
                }
        }
    for (int q = 0; q < n; q++) {
        int p = q;
        for (int r = q + 1; r < n; r++)
            if (fabs(M[r][q]) > fabs(M[p][q]))
                p = r;
        if (!(fabs(M[p][q]) > 0.0) || !isfinite(M[p][q]))
            return false;
        for (int c = 0; c < 2 * n; c++) {
            const double t = M[q][c];
            M[q][c] = M[p][c];
            M[p][c] = t;
        }
        const double inverse = 1.0 / M[q][q];
        for (int c = 0; c < 2 * n; c++)
            M[q][c] *= inverse;
        for (int r = 0; r < n; r++) {
            const double f = M[r][q];
            for (int c = 0; r != q && c < 2 * n; c++)
                M[r][c] -= f * M[q][c];
        }
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            Q[Q_WIDTH * r + c] = M[r][n + c];
    return true;
}

/* Changes of X and V (12 each) at every stage of node j by y (3) and theta (3) at stage m; added. (10.33) */
static void add_change(double X[][12], double V[][12], const coupled *k, const double *Q, size_t j, int m,
                       const double y[3], const double theta[3]) {
    double D[9], turn[9] = {0.0}, omega[3] = {theta[0] / k->dt, theta[1] / k->dt, theta[2] / k->dt};
    wy_gauss_get(D, k->w->X[m] + 3 * k->m->row, k->m, 9, j);
    for (int d = 0; d < 3; d++)
        v3_add_cross(turn + 3 * d, omega, D + 3 * d);
    for (int i = 0; i < k->S; i++) {
        double w[3], change[9];
        wy_gauss_get(w, k->w->w[i], k->m, 3, j);
        for (int d = 0; d < 3; d++)
            for (int r = 0; r < 3; r++) {
                const double *q = Q + Q_WIDTH * (3 * i + r) + 3 * m;
                change[3 * d + r] = v3_dot(q, turn + 3 * d);
            }
        for (int c = 0; c < 3; c++) {
            X[i][c] += k->m->time.A[i][m] * y[c];
            V[i][c] += i == m ? y[c] / k->dt : 0.0;
        }
        for (int c = 0; c < 9; c++) {
            X[i][3 + c] += change[c];
            V[i][3 + c] += i == m ? turn[c] : 0.0;
        }
        for (int d = 0; d < 3; d++)
            v3_add_cross(V[i] + 3 + 3 * d, w, change + 3 * d);
    }
}

/* Change of a node's own residual (space) at stage i, its gradients F kept: inertia, turning, damping. */
static void nodal_residual_change(double r[6], const coupled *k, size_t j, int i, double X[][12], double V[][12],
                                  double omega[][3]) {
    const wy_gauss *m = k->m;
    const size_t row = m->row;
    const double tributary = m->tributary_length[j], mass = tributary * m->inertia[3 * row + j],
                 alpha = m->mass_damping;
    double D[9], w[3], F[12], L[3] = {0.0}, dL[3] = {0.0};
    wy_gauss_get(D, k->w->X[i] + 3 * row, m, 9, j);
    wy_gauss_get(w, k->w->w[i], m, 3, j);
    wy_gauss_get(F, k->w->F[i], m, 12, j);
    memset(r, 0, 6 * sizeof *r);
    double across[3] = {0.0};
    for (int c = 0; c < 3; c++) {
        double rate = 0.0;
        for (int l = 0; l < k->S; l++)
            rate += m->time.inverse[i][l] / k->dt * V[l][c];
        r[c] = mass * (rate + alpha * V[i][c]);
        across[c] = m->added_mass[j] * rate;
    }
    const double along = v3_dot(across, D + 6);
    for (int c = 0; c < 3; c++) /* the water that moves along, as the frozen tangent has it */
        r[c] += across[c] - along * D[6 + c];
    for (size_t a = 0; a < 3; a++) {
        const double J = tributary * m->inertia[a * row + j];
        double W = 0.0, dW = 0.0, spin = 0.0, change = 0.0, o0 = k->w->spin0[a * row + j];
        for (int l = 0; l < k->S; l++) {
            double d[3], o[3];
            wy_gauss_get(d, k->w->X[l] + (3 + 3 * a) * row, m, 3, j);
            wy_gauss_get(o, k->w->w[l], m, 3, j);
            const double x = v3_dot(o, d), dx = v3_dot(omega[l], d) + v3_dot(o, X[l] + 3 + 3 * a);
            spin += m->time.inverse[i][l] / k->dt * (x - o0);
            change += m->time.inverse[i][l] / k->dt * dx;
            if (l == i) {
                W = x;
                dW = dx;
            }
        }
        spin = J * (spin + alpha * W);
        change = J * (change + alpha * dW);
        for (size_t c = 0; c < 3; c++) {
            r[3 + c] += change * D[3 * a + c] + spin * X[i][3 + 3 * a + c];
            L[c] += J * W * D[3 * a + c];
            dL[c] += J * (dW * D[3 * a + c] + W * X[i][3 + 3 * a + c]);
        }
        v3_add_cross(r + 3, X[i] + 3 + 3 * a, F + 3 + 3 * a);
    }
    v3_add_cross(r + 3, omega[i], L);
    v3_add_cross(r + 3, w, dL);
}

/* ---- an element ---- */

typedef struct element {
    element_point_fields q[STAGES][POINTS], v[STAGES][POINTS];
    double s[STAGES][POINTS][8], KW[POINTS][8], VW[POINTS][8];
    const double *X[STAGES], *V[STAGES];                      /* rows from its first node on */
    double slope[STAGES][NODES][3], vslope[STAGES][NODES][3]; /* p' and v' at the nodes, for H */
    double sH[STAGES][2], KH, VH;
} element;

double wy_gauss_stage_stress(const wy_gauss *m, const wy_gauss_work *w, double dt, size_t e, int i, size_t q) {
    const size_t S = (size_t)m->time.S, at = e * m->block + q;
    const double *x = w->eps + e * S * m->block + q;
    double s = (x[(size_t)i * m->block] - w->ref[i][at]) * w->KW[at], rate = 0.0;
    for (size_t l = 0; m->damped && l < S; l++)
        rate += (x[l * m->block] - w->eps0[at]) * m->time.inverse[i][l];
    return s + rate * w->VW[at] / dt;
}

static double stage_stress(const coupled *k, size_t e, int i, size_t q) {
    return wy_gauss_stage_stress(k->m, k->w, k->dt, e, i, q);
}

static void take_element(element *el, const coupled *k, size_t e) {
    const wy_gauss *m = k->m;
    const size_t groups = (size_t)m->space.groups, first = e * (size_t)k->P;
    for (int g = 0; g < k->P; g++)
        for (size_t c = 0; c < 8; c++) {
            const size_t q = 4 * (c * groups + (size_t)g / 4) + (size_t)g % 4;
            el->KW[g][c] = k->w->KW[e * m->block + q];
            el->VW[g][c] = m->damped ? k->w->VW[e * m->block + q] : 0.0;
            for (int i = 0; i < k->S; i++)
                el->s[i][g][c] = stage_stress(k, e, i, q);
        }
    for (int i = 0; i < k->S; i++) {
        el->X[i] = k->w->X[i] + first;
        el->V[i] = k->w->V[i] + first;
        for (int g = 0; g < k->P; g++) {
            element_fields(k->P, &m->space, g, el->X[i], m->row, &el->q[i][g]);
            element_fields(k->P, &m->space, g, el->V[i], m->row, &el->v[i][g]);
        }
        for (size_t c = 0; c < 2; c++)
            el->sH[i][c] = k->w->uses_H ? stage_stress(k, e, i, 32 * groups + c) : 0.0;
        element_nodal_slopes(k->P, &m->space, el->X[i], m->row, el->slope[i]);
        element_nodal_slopes(k->P, &m->space, el->V[i], m->row, el->vslope[i]);
    }
    const size_t H = e * m->block + 32 * groups;
    el->KH = k->w->uses_H ? k->w->KW[H] : 0.0;
    el->VH = k->w->uses_H && m->damped ? k->w->VW[H] : 0.0;
}

/* The rows of an element of which only node j has anything, x (12), and their slopes. */
static void rows_of_node(double rows[12][NODES], double slope[NODES][3], const coupled *k, int j, const double x[12]) {
    memset(rows, 0, 12 * sizeof *rows);
    for (int c = 0; c < 12; c++)
        rows[c][j] = x[c];
    for (int a = 0; a <= k->P; a++)
        v3_scale(slope[a], k->m->space.slope[a][j], x);
}

/* Changes of the strains' rates by changes X, V of local node j. */
static void node_rates(double rate[STAGES][POINTS][8], double H[STAGES][2], const coupled *k, element *el, int j,
                       double X[][12], double V[][12]) {
    const wy_element_basis *space = &k->m->space;
    for (int l = 0; l < k->S; l++) {
        for (int g = 0; g < k->P; g++) {
            element_point_fields x, v;
            double by_v[8];
            element_fields_of_node(space, g, j, X[l], &x);
            element_fields_of_node(space, g, j, V[l], &v);
            element_rate_of(&x, &el->v[l][g], rate[l][g]);
            element_rate_of(&el->q[l][g], &v, by_v);
            for (int c = 0; c < 8; c++)
                rate[l][g][c] += by_v[c];
        }
        if (!k->w->uses_H)
            continue;
        double x[12][NODES], v[12][NODES], slope[NODES][3], vslope[NODES][3];
        rows_of_node(x, slope, k, j, X[l]);
        rows_of_node(v, vslope, k, j, V[l]);
        for (int q = 0; q < 2; q++)
            H[l][q] = element_hourglass_of(k->P, space, v[0], NODES, el->slope[l], q) +
                      element_hourglass_of(k->P, space, x[0], NODES, el->vslope[l], q) +
                      element_hourglass_of(k->P, space, el->V[l], k->m->row, slope, q) +
                      element_hourglass_of(k->P, space, el->X[l], k->m->row, vslope, q);
    }
}

/* Changes of the gradients F (rows of an element) of all stages, by the change X, V of local node j. */
static void gradient_change(double F[STAGES][12][NODES], const coupled *k, element *el, int j, double X[][12],
                            double V[][12]) {
    const wy_gauss *m = k->m;
    const wy_element_basis *space = &m->space;
    double rate[STAGES][POINTS][8], H[STAGES][2];
    node_rates(rate, H, k, el, j, X, V);
    memset(F, 0, STAGES * sizeof *F);
    for (int i = 0; i < k->S; i++) {
        for (int g = 0; g < k->P; g++) {
            double s[8];
            for (int c = 0; c < 8; c++) {
                double eps = 0.0;
                for (int l = 0; l < k->S; l++)
                    eps += k->dt * m->time.A[i][l] * rate[l][g][c];
                s[c] = el->KW[g][c] * eps + el->VW[g][c] * rate[i][g][c];
            }
            element_point_fields x, by_x, by_s;
            element_fields_of_node(space, g, j, X[i], &x);
            element_gradient_of(&x, el->s[i][g], &by_x);
            element_gradient_of(&el->q[i][g], s, &by_s);
            element_add_fields(&by_x, &by_s);
            element_add_to_nodes(k->P, space, g, &by_x, F[i][0], NODES);
        }
        if (!k->w->uses_H)
            continue;
        double s[2], x[12][NODES], slope[NODES][3];
        for (int q = 0; q < 2; q++) {
            s[q] = el->VH * H[i][q];
            for (int l = 0; l < k->S; l++)
                s[q] += el->KH * k->dt * m->time.A[i][l] * H[l][q];
        }
        rows_of_node(x, slope, k, j, X[i]);
        element_push_hourglass(k->P, space, el->X[i], m->row, el->slope[i], s, F[i][0], NODES);
        element_push_hourglass(k->P, space, x[0], NODES, slope, el->sH[i], F[i][0], NODES);
    }
}

/* ---- the matrix ---- */

static wy_band band_of(const wy_gauss *m, double *memory) {
    const size_t S6 = 6 * (size_t)m->time.S, n = S6 * m->nodes, width = S6 * ((size_t)m->space.P + 1) - 1;
    wy_band A = {.n = n, .lower = width, .upper = width, .a = memory};
    A.pivots = (size_t *)(void *)(memory + wy_band_size(n, width, width));
    return A;
}

static double *rhs_of(const wy_gauss *m, double *memory) {
    const wy_band A = band_of(m, memory);
    return memory + wy_band_size(A.n, A.lower, A.upper) + A.n;
}

static bool coupled_is_constrained(const wy_gauss *m, size_t node, int a) {
    const unsigned bit = a < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION;
    return (node == 0 && (m->constrains[0] & bit)) || (node + 1 == m->nodes && (m->constrains[1] & bit));
}

/* Minus the loads' derivatives at stage i: their tangents know displacement and turn; the turn of directors that are
 * not quite orthonormal is sum d_k x dd_k/2. */
static void load_change(double r[6], const coupled *k, size_t j, int i, double X[][12], double V[][12],
                        double omega[][3]) {
    double D[9], x[6] = {X[i][0], X[i][1], X[i][2], 0.0, 0.0, 0.0}, turn[3] = {0.0};
    const double *K = k->w->load_K + 36 * j, *C = k->w->load_C + 36 * j;
    wy_gauss_get(D, k->w->X[i] + 3 * k->m->row, k->m, 9, j);
    for (int d = 0; d < 3; d++)
        v3_add_cross(turn, D + 3 * d, X[i] + 3 + 3 * d);
    for (int c = 0; c < 3; c++)
        x[3 + c] = 0.5 * turn[c];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            r[a] += K[6 * a + b] * x[b] + C[6 * a + b] * (b < 3 ? V[i][b] : omega[i][b - 3]);
}

/* An end of which some components are held, P of them: (1 - P) of what is missing is none, P of the velocities is
 * none. */
static void coupled_constrain_part(wy_band *A, const wy_gauss *m, int end) {
    const size_t S6 = 6 * (size_t)m->time.S, j = end ? m->nodes - 1 : 0;
    for (size_t i = 0; i < (size_t)m->time.S; i++) {
        const size_t row = S6 * j + 6 * i, from = row + 5 > A->lower ? row + 5 - A->lower : 0,
                     until = row + A->upper < A->n ? row + A->upper : A->n - 1;
        for (size_t q = from; q <= until; q++) {
            double column[6], one[6] = {0.0};
            for (size_t c = 0; c < 6; c++)
                column[c] = *wy_band_at(A, row + c, q);
            wy_gauss_remove_constrained(column, m, end);
            if (q >= row && q < row + 6) {
                one[q - row] = 1.0;
                wy_gauss_remove_constrained(one, m, end);
                for (size_t c = 0; c < 6; c++)
                    column[c] += (c == q - row ? 1.0 : 0.0) - one[c];
            }
            for (size_t c = 0; c < 6; c++)
                *wy_band_at(A, row + c, q) = column[c];
        }
    }
}

bool wy_gauss_coupled_factor(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, double t, double dt,
                             const double *roll_stiffness) {
    coupled k = {.m = m, .w = w, .dt = dt, .S = m->time.S, .P = m->space.P};
    wy_band A = band_of(m, w->coupled);
    double *Q = rhs_of(m, w->coupled) + A.n;
    const size_t S6 = 6 * (size_t)k.S;
    memset(A.a, 0, wy_band_size(A.n, A.lower, A.upper) * sizeof *A.a);
    for (size_t j = 0; j < m->nodes; j++)
        if (!make_Q(Q + Q_WIDTH * Q_WIDTH * j, &k, j))
            return false;
    for (size_t e = 0; e < m->elements; e++) {
        element el;
        take_element(&el, &k, e);
        for (int j = 0; j <= k.P; j++)
            for (int u = 0; u < 6 * k.S; u++) {
                const size_t node = e * (size_t)k.P + (size_t)j;
                double X[STAGES][12] = {{0.0}}, V[STAGES][12] = {{0.0}}, F[STAGES][12][NODES];
                double one[6] = {0.0};
                one[u % 6] = 1.0;
                add_change(X, V, &k, Q + Q_WIDTH * Q_WIDTH * node, node, u / 6, one, one + 3);
                gradient_change(F, &k, &el, j, X, V);
                for (int n = 0; n <= k.P; n++)
                    for (int i = 0; i < k.S; i++) {
                        const size_t to = e * (size_t)k.P + (size_t)n;
                        double D[9], r[6];
                        wy_gauss_get(D, w->X[i] + 3 * m->row, m, 9, to);
                        element_force_on_node(D, F[i][0] + n, NODES, r);
                        for (int c = 0; c < 6; c++)
                            *wy_band_at(&A, S6 * to + (size_t)(6 * i + c), S6 * node + (size_t)u) += r[c];
                    }
            }
    }
    for (int i = 0; i < k.S; i++) {
        if (w->loaded)
            wy_gauss_load_tangents(rod, m, w, w->X[i], w->origin, w->V[i], w->w[i], t + m->time.c[i] * dt);
        for (size_t j = 0; j < m->nodes; j++)
            for (int u = 0; u < 6 * k.S; u++) {
                double X[STAGES][12] = {{0.0}}, V[STAGES][12] = {{0.0}}, omega[STAGES][3] = {{0.0}}, one[6] = {0.0},
                       r[6];
                one[u % 6] = 1.0;
                add_change(X, V, &k, Q + Q_WIDTH * Q_WIDTH * j, j, u / 6, one, one + 3);
                for (int c = 0; c < 3; c++)
                    omega[u / 6][c] = one[3 + c] / dt;
                nodal_residual_change(r, &k, j, i, X, V, omega);
                if (w->loaded)
                    load_change(r, &k, j, i, X, V, omega);
                for (int c = 0; c < 6; c++)
                    *wy_band_at(&A, S6 * j + (size_t)(6 * i + c), S6 * j + (size_t)u) += r[c];
            }
    }
    for (size_t j = 0; roll_stiffness && j < m->nodes; j++)
        for (size_t i = 0; i < (size_t)k.S; i++)
            for (size_t l = 0; l < (size_t)k.S; l++) {
                double a[3], b[3];
                wy_gauss_get(a, w->X[i] + 9 * m->row, m, 3, j);
                wy_gauss_get(b, w->X[l] + 9 * m->row, m, 3, j);
                const double by =
                    roll_stiffness[((size_t)k.S * j + i) * (size_t)k.S + l] / sqrt(v3_dot(a, a) * v3_dot(b, b));
                for (size_t r = 0; r < 3; r++)
                    for (size_t c = 0; c < 3; c++)
                        *wy_band_at(&A, S6 * j + 6 * i + 3 + r, S6 * j + 6 * l + 3 + c) += by * a[r] * b[c];
            }
    for (size_t end = 0; end < 2; end++)
        for (size_t c = 0; c < S6; c++) {
            const size_t j = end ? m->nodes - 1 : 0, row = S6 * j + c;
            if (!coupled_is_constrained(m, j, (int)(c % 6)))
                continue;
            const size_t from = row > A.lower ? row - A.lower : 0,
                         until = row + A.upper < A.n ? row + A.upper : A.n - 1;
            for (size_t q = from; q <= until; q++)
                *wy_band_at(&A, row, q) = q == row ? 1.0 : 0.0;
        }
    for (int end = 0; end < 2; end++)
        if (m->partial_constraint[end])
            coupled_constrain_part(&A, m, end);
    return wy_band_factor(&A);
}

const double *wy_gauss_coupled_turns(const wy_gauss *m, const wy_gauss_work *w, size_t j) {
    return rhs_of(m, w->coupled) + 6 * (size_t)m->time.S * m->nodes + Q_WIDTH * Q_WIDTH * j;
}

double *wy_gauss_coupled_scratch(const wy_gauss *m, const wy_gauss_work *w) {
    return rhs_of(m, w->coupled) + (6 * (size_t)m->time.S + Q_WIDTH * Q_WIDTH) * m->nodes;
}

void wy_gauss_coupled_solve(double *b, const wy_gauss *m, const wy_gauss_work *w) {
    const wy_band A = band_of(m, w->coupled);
    wy_band_solve(b, &A);
}

void wy_gauss_coupled_residual(double *r, const wy_gauss *m, wy_gauss_work *w, double dt) {
    const wy_gauss_loops *loops = wy_gauss_loops_of(m);
    const size_t S6 = 6 * (size_t)m->time.S;
    for (size_t j = 0; j < m->nodes; j++)
        for (int i = 0; i < m->time.S; i++) {
            double *to = r + S6 * j + 6 * (size_t)i;
            loops->residual(to, m, w, dt, j, i);
            for (int c = 0; c < 6; c++)
                if (coupled_is_constrained(m, j, c))
                    to[c] = 0.0;
        }
}

/* Adds what the solution u (6 S a node) changes, `part` of it: v, omega, eps += miss + B u. Answers the square of
 * the energy norm of the whole of it. */
static double correct_step(const wy_gauss *m, wy_gauss_work *w, double dt, const double *u, double part) {
    coupled k = {.m = m, .w = w, .dt = dt, .S = m->time.S, .P = m->space.P};
    const size_t S = (size_t)k.S, S6 = 6 * S, groups = (size_t)m->space.groups;
    const double *Q = rhs_of(m, w->coupled) + S6 * m->nodes;
    double sum = 0.0;
    for (size_t e = 0; e < m->elements; e++) {
        element el;
        double rate[STAGES][POINTS][8] = {{{0.0}}}, H[STAGES][2] = {{0.0}};
        take_element(&el, &k, e);
        for (int j = 0; j <= k.P; j++) {
            const size_t node = e * (size_t)k.P + (size_t)j;
            double X[STAGES][12] = {{0.0}}, V[STAGES][12] = {{0.0}}, r[STAGES][POINTS][8], h[STAGES][2];
            for (int i = 0; i < k.S; i++)
                add_change(X, V, &k, Q + Q_WIDTH * Q_WIDTH * node, node, i, u + S6 * node + 6 * (size_t)i,
                           u + S6 * node + 6 * (size_t)i + 3);
            node_rates(r, h, &k, &el, j, X, V);
            for (int i = 0; i < k.S; i++) {
                for (int g = 0; g < k.P; g++)
                    for (int c = 0; c < 8; c++)
                        rate[i][g][c] += r[i][g][c];
                H[i][0] += h[i][0];
                H[i][1] += h[i][1];
            }
        }
        for (size_t i = 0; i < S; i++)
            for (size_t q = 0; q < 8 * (size_t)k.P + 2; q++) {
                const size_t g = q / 8, c = q % 8;
                const bool last = g == (size_t)k.P;
                const size_t at = last ? 32 * groups + c : 4 * (c * groups + g / 4) + g % 4;
                if (last && !w->uses_H)
                    continue;
                double x = w->strain_residual[(e * S + i) * m->block + at];
                for (size_t l = 0; l < S; l++)
                    x += dt * m->time.A[i][l] * (last ? H[l][c] : rate[l][g][c]);
                w->eps[(e * S + i) * m->block + at] += part * x;
                sum += w->KW[e * m->block + at] * x * x;
            }
    }
    for (size_t j = 0; j < m->nodes; j++)
        for (size_t i = 0; i < S; i++) {
            const double *x = u + S6 * j + 6 * i;
            double D[9], v[3], o[3];
            wy_gauss_get(v, w->V[i], m, 3, j);
            wy_gauss_get(o, w->w[i], m, 3, j);
            wy_gauss_get(D, w->X[i] + 3 * m->row, m, 9, j);
            sum += m->tributary_length[j] * m->inertia[3 * m->row + j] * v3_dot(x, x) / (dt * dt);
            for (size_t c = 0; c < 3; c++) {
                const double turn = v3_dot(D + 3 * c, x + 3) / dt;
                sum += m->tributary_length[j] * m->inertia[c * m->row + j] * turn * turn;
                v[c] += part * x[c] / dt;
                o[c] += part * x[3 + c] / dt;
            }
            wy_gauss_put(w->V[i], v, m, 3, j);
            wy_gauss_put(w->w[i], o, m, 3, j);
        }
    return sum;
}

double wy_gauss_coupled_correct(const wy_gauss *m, wy_gauss_work *w, double dt) {
    const wy_band A = band_of(m, w->coupled);
    double *u = rhs_of(m, w->coupled), turn = 0.0;
    for (size_t i = 0; i < A.n; i++)
        u[i] = -u[i];
    wy_band_solve(u, &A);
    for (size_t i = 0; i < A.n; i++) {
        if (!isfinite(u[i]))
            return HUGE_VAL;
        turn = fmax(turn, i % 6 < 3 ? fabs(u[i]) / m->length : fabs(u[i]));
    }
    return correct_step(m, w, dt, u, turn > 1.0 ? 1.0 / turn : 1.0);
}

double wy_gauss_coupled_apply(const wy_gauss *m, wy_gauss_work *w, double dt, const double *u, double part) {
    return correct_step(m, w, dt, u, part);
}

double *wy_gauss_coupled_rhs(const wy_gauss *m, wy_gauss_work *w) {
    return rhs_of(m, w->coupled);
}
