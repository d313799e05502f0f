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

size_t wy_gauss_coupled_size(const wy_gauss *m) {
    enum { MOST = 2000000 }; /* numbers; longer rods do without */
    const size_t S6 = 6 * (size_t)m->time.S, n = S6 * m->nodes, band = S6 * ((size_t)m->space.P + 1) - 1;
    const size_t size = wy_band_size(n, band, band) + 2 * n + (Q_WIDTH * Q_WIDTH + PATH_NUMBERS) * m->nodes;
    return size > MOST || m->bdf ? 0 : size;
}

/* Q of a node by elimination with row exchanges; false: singular. */
static bool make_Q(double *Q, const wy_gauss *m, const wy_gauss_work *work, double dt, size_t j) {
    const int S = m->time.S, n = 3 * S;
    double M[Q_WIDTH][2 * Q_WIDTH] = {{0.0}};
    for (int i = 0; i < S; i++)
        for (int l = 0; l < S; l++) {
            double w[3];
            const double a = dt * m->time.A[i][l];
            wy_gauss_get(w, work->w[l], m, 3, j);
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
 * not quite orthonormal is sum d_k x dd_k/2. And the water that moves along, as the frozen tangent has it. */
static void load_change(double r[6], const wy_gauss *m, const wy_gauss_work *w, double dt, size_t j, int i,
                        const wy_gauss_node_change *by) {
    const double *K = w->load_K + 36 * j, *C = w->load_C + 36 * j;
    double D[9], x[6] = {by->X[i][0], by->X[i][1], by->X[i][2], 0.0, 0.0, 0.0}, turn[3] = {0.0}, across[3];
    wy_gauss_get(D, w->X[i] + 3 * m->row, m, 9, j);
    for (int c = 0; c < 3; c++) {
        double rate = 0.0;
        for (int l = 0; l < m->time.S; l++)
            rate += m->time.inverse[i][l] / dt * by->V[l][c];
        across[c] = m->added_mass[j] * rate;
    }
    const double along = v3_dot(across, D + 6);
    for (int c = 0; c < 3; c++)
        r[c] += across[c] - along * D[6 + c];
    if (!w->loaded)
        return;
    for (int d = 0; d < 3; d++)
        v3_add_cross(turn, D + 3 * d, by->X[i] + 3 + 3 * d);
    for (int c = 0; c < 3; c++)
        x[3 + c] = 0.5 * turn[c];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            r[a] += K[6 * a + b] * x[b] + C[6 * a + b] * (b < 3 ? by->V[i][b] : by->omega[i][b - 3]);
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

/* Of the residuals by the strains of element e, into the matrix. */
static void add_coupled_element(wy_band *A, const wy_gauss *m, const wy_gauss_work *w, double dt, size_t e) {
    static const double still[12] = {0.0}, as_stiff[2] = {0.0};
    const size_t P = (size_t)m->space.P, S = (size_t)m->time.S, S6 = 6 * S;
    wy_gauss_element el;
    wy_gauss_element_change by = {.start = {{0.0}}};
    wy_gauss_take_element(&el, m, w, dt, e);
    for (size_t j = 0; j <= P; j++) {
        double X[STAGES][12][NODES] = {{{0.0}}}, V[STAGES][12][NODES] = {{{0.0}}}, F[STAGES][12][NODES];
        const double *const rows[STAGES] = {X[0][0], X[1][0], X[2][0]}, *const rates[STAGES] = {V[0][0], V[1][0],
                                                                                                V[2][0]};
        for (size_t u = 0; u < S6; u++) {
            double one[6 * STAGES] = {0.0};
            wy_gauss_node_change node;
            one[u] = 1.0;
            wy_gauss_change_stages(&node, m, w, dt, e * P + j, still, one);
            for (size_t i = 0; i < S; i++)
                for (size_t c = 0; c < 12; c++) {
                    X[i][c][j] = node.X[i][c];
                    V[i][c][j] = node.V[i][c];
                }
            wy_gauss_change_rates(&by, &el, rows, rates, NODES, (int)j);
            wy_gauss_change_gradients(F, &by, &el, rows, NODES, as_stiff);
            for (size_t n = 0; n <= P; n++)
                for (size_t i = 0; i < S; i++) {
                    double D[9], r[6];
                    wy_gauss_get(D, w->X[i] + 3 * m->row, m, 9, e * P + n);
                    element_force_on_node(D, F[i][0] + n, NODES, r);
                    for (size_t c = 0; c < 6; c++)
                        *wy_band_at(A, S6 * (e * P + n) + 6 * i + c, S6 * (e * P + j) + u) += r[c];
                }
        }
    }
}

bool wy_gauss_coupled_factor(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, double t, double dt,
                             const double *roll_stiffness) {
    static const double still[12] = {0.0};
    wy_band A = band_of(m, w->coupled);
    double *Q = rhs_of(m, w->coupled) + A.n;
    const int S = m->time.S;
    const size_t S6 = 6 * (size_t)S;
    memset(A.a, 0, wy_band_size(A.n, A.lower, A.upper) * sizeof *A.a);
    for (size_t j = 0; j < m->nodes; j++)
        if (!make_Q(Q + Q_WIDTH * Q_WIDTH * j, m, w, dt, j))
            return false;
    for (size_t e = 0; e < m->elements; e++)
        add_coupled_element(&A, m, w, dt, e);
    for (int i = 0; i < S; i++) {
        if (w->loaded)
            wy_gauss_load_tangents(rod, m, w, w->X[i], w->origin, w->V[i], w->w[i], t + m->time.c[i] * dt);
        for (size_t j = 0; j < m->nodes; j++)
            for (size_t u = 0; u < S6; u++) {
                double one[6 * STAGES] = {0.0}, r[6];
                wy_gauss_node_change node;
                one[u] = 1.0;
                wy_gauss_change_stages(&node, m, w, dt, j, still, one);
                wy_gauss_change_node(r, m, w, dt, j, i, &node, still);
                load_change(r, m, w, dt, j, i, &node);
                for (size_t c = 0; c < 6; c++)
                    *wy_band_at(&A, S6 * j + 6 * (size_t)i + c, S6 * j + u) += r[c];
            }
    }
    for (size_t j = 0; roll_stiffness && j < m->nodes; j++)
        for (size_t i = 0; i < (size_t)S; i++)
            for (size_t l = 0; l < (size_t)S; l++) {
                double a[3], b[3];
                wy_gauss_get(a, w->X[i] + 9 * m->row, m, 3, j);
                wy_gauss_get(b, w->X[l] + 9 * m->row, m, 3, j);
                const double by =
                    roll_stiffness[((size_t)S * j + i) * (size_t)S + l] / sqrt(v3_dot(a, a) * v3_dot(b, b));
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
    static const double still[12] = {0.0};
    const size_t S = (size_t)m->time.S, S6 = 6 * S, P = (size_t)m->space.P;
    double sum = 0.0;
    for (size_t e = 0; e < m->elements; e++) {
        wy_gauss_element el;
        wy_gauss_element_change by;
        double X[STAGES][12][NODES], V[STAGES][12][NODES];
        const double *const rows[STAGES] = {X[0][0], X[1][0], X[2][0]}, *const rates[STAGES] = {V[0][0], V[1][0],
                                                                                                V[2][0]};
        wy_gauss_take_element(&el, m, w, dt, e);
        for (size_t j = 0; j <= P; j++) {
            wy_gauss_node_change node;
            wy_gauss_change_stages(&node, m, w, dt, e * P + j, still, u + S6 * (e * P + j));
            for (size_t i = 0; i < S; i++)
                for (size_t c = 0; c < 12; c++) {
                    X[i][c][j] = node.X[i][c];
                    V[i][c][j] = node.V[i][c];
                }
        }
        wy_gauss_change_rates(&by, &el, rows, rates, NODES, -1);
        for (size_t i = 0; i < S; i++)
            for (size_t q = 0; q < 8 * P + (w->uses_H ? 2 : 0); q++) {
                const size_t g = q / 8, c = q % 8, at = wy_element_at(P, g, c);
                double x = w->strain_residual[(e * S + i) * m->block + at];
                for (size_t l = 0; l < S; l++)
                    x += dt * m->time.A[i][l] * by.rate[l][g][c];
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
