/* The static rod in canonical variables: the force n = O P and v = q (0, M), with O = R(q)/|q|^2 the rotation of q for
 * any |q|.
 *   n' = -f - O f_body                           v' = 1/2 v (0, kappa) + q (0, P x nu - O^T c - c_body)/|q|^2
 *   q' = 1/2 q (0, kappa)                        x' = O nu                                                     (5.34)
 * with P = O^T n and M = Im(q* v)/|q|^2. n is linear, |q|^2, R M + x x n = Im(v q*) + x x n and M3 = Im(q* v)_3 are
 * quadratic: Gauss collocation conserves them exactly on any mesh. In (P, M, q, x) the force R P is cubic and is not
 * conserved. */
#include <math.h>
#include <string.h>

#include "equilibrium/equilibrium_model.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM, Z = WY_STATIC_CHART, V = WY_STATIC_CHART_V, Q = WY_STATIC_CHART_Q, X = WY_STATIC_CHART_X };

static double quaternion_norm_squared(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

/* E(q) u = q (0, u), 4 x 3. */
static void product_matrix(double E[12], const double q[4]) {
    const double e[12] = {-q[1], -q[2], -q[3], q[0], -q[3], q[2], q[3], q[0], -q[1], -q[2], q[1], q[0]};
    memcpy(E, e, sizeof e);
}

/* K(u) q = q (0, u), 4 x 4. */
static void right_matrix(double K[16], const double u[3]) {
    const double k[16] = {0.0,  -u[0], -u[1], -u[2], u[0], 0.0,  u[2],  -u[1],
                          u[1], -u[2], 0.0,   u[0],  u[2], u[1], -u[0], 0.0};
    memcpy(K, k, sizeof k);
}

/* E^T v */
static void apply_transposed(double u[3], const double E[12], const double v[4]) {
    for (int j = 0; j < 3; j++)
        u[j] = E[j] * v[0] + E[3 + j] * v[1] + E[6 + j] * v[2] + E[9 + j] * v[3];
}

/* O v and O^T v, and their derivatives by q (3 x 4): that of R, and of 1/|q|^2. */
static void apply_rotation(double w[3], double dq[12], const double q[4], const double v[3], bool back) {
    const double rho = quaternion_norm_squared(q);
    (back ? wy_equilibrium_rotate_back : wy_equilibrium_rotate)(w, q, v);
    v3_scale(w, 1.0 / rho, w);
    if (!dq)
        return;
    (back ? wy_equilibrium_rotate_back_dq : wy_equilibrium_rotate_dq)(dq, q, v);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            dq[4 * i + j] = (dq[4 * i + j] - 2.0 * w[i] * q[j]) / rho;
}

/* M = Im(q* v)/|q|^2 = E(q)^T v/|q|^2 and its derivative by q (3 x 4). */
static void chart_moment(double M[3], double dq[12], const double q[4], const double v[4]) {
    const double rho = quaternion_norm_squared(q);
    double E[12];
    product_matrix(E, q);
    apply_transposed(M, E, v);
    v3_scale(M, 1.0 / rho, M);
    if (!dq)
        return;
    const double S[12] = {v[1], -v[0], -v[3], v[2], v[2], v[3], -v[0], -v[1], v[3], -v[2], v[1], -v[0]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            dq[4 * i + j] = (S[4 * i + j] - 2.0 * M[i] * q[j]) / rho;
}

void wy_equilibrium_to_chart(double *z, double *A, const double *y) {
    const double *q = y + WY_STATIC_Q, *M = y + WY_STATIC_M;
    double dq[12], E[12], K[16];
    apply_rotation(z, A ? dq : NULL, q, y + WY_STATIC_P, false);
    product_matrix(E, q);
    for (int i = 0; i < 4; i++)
        z[V + i] = E[3 * i] * M[0] + E[3 * i + 1] * M[1] + E[3 * i + 2] * M[2];
    memcpy(z + Q, q, 7 * sizeof *z);
    if (!A)
        return;
    memset(A, 0, Z * D * sizeof *A);
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        double column[3];
        apply_rotation(column, NULL, q, e, false);
        for (int i = 0; i < 3; i++)
            A[D * i + WY_STATIC_P + j] = column[i];
    }
    right_matrix(K, M);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) {
            A[D * j + WY_STATIC_Q + i] = dq[4 * j + i];
            A[D * (V + i) + WY_STATIC_M + j] = E[3 * i + j];
        }
        for (int j = 0; j < 4; j++)
            A[D * (V + i) + WY_STATIC_Q + j] = K[4 * i + j];
    }
    for (int i = 0; i < 7; i++)
        A[D * (Q + i) + WY_STATIC_Q + i] = 1.0;
}

void wy_equilibrium_from_chart(double *y, const double *z) {
    const double *q = z + Q, size = sqrt(quaternion_norm_squared(q));
    apply_rotation(y + WY_STATIC_P, NULL, q, z, true);
    chart_moment(y + WY_STATIC_M, NULL, q, z + V);
    for (int i = 0; i < 4; i++)
        y[WY_STATIC_Q + i] = q[i] / size;
    v3_copy(y + WY_STATIC_X, z + X);
}

void wy_equilibrium_from_chart_jacobian(double *B, const double *z) {
    const double *q = z + Q, rho = quaternion_norm_squared(q);
    double P[3], M[3], dP[12], dM[12], E[12];
    apply_rotation(P, dP, q, z, true);
    chart_moment(M, dM, q, z + V);
    product_matrix(E, q);
    memset(B, 0, D * Z * sizeof *B);
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        double column[3];
        apply_rotation(column, NULL, q, e, true);
        for (int i = 0; i < 3; i++)
            B[Z * (WY_STATIC_P + i) + j] = column[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            B[Z * (WY_STATIC_P + i) + Q + j] = dP[4 * i + j];
            B[Z * (WY_STATIC_M + i) + Q + j] = dM[4 * i + j];
            B[Z * (WY_STATIC_M + i) + V + j] = E[3 * j + i] / rho;
        }
    for (int i = 0; i < 7; i++)
        B[Z * (WY_STATIC_Q + i) + Q + i] = 1.0;
}

/* The terms of (5.34). */
typedef struct terms {
    double rho, P[3], M[3], kappa[3], nu[3], u[3], E[12], Ev[12], K[16];
} terms;

static void find_terms(terms *t, double dP[12], double dM[12], double dc[12], const equilibrium_coefficients *p,
                       const double *z) {
    const double *q = z + Q;
    double c[3];
    t->rho = quaternion_norm_squared(q);
    apply_rotation(t->P, dP, q, z, true);
    chart_moment(t->M, dM, q, z + V);
    for (int i = 0; i < 3; i++) {
        t->kappa[i] = p->inv_CM[i] * t->M[i] + p->kappa[i];
        t->nu[i] = p->inv_CP[i] * t->P[i] + p->nu[i];
    }
    apply_rotation(c, dc, q, p->c, true);
    v3_cross(t->u, t->P, t->nu);
    for (int i = 0; i < 3; i++)
        t->u[i] -= c[i] + p->c_body[i];
    product_matrix(t->E, q);
    product_matrix(t->Ev, z + V);
    right_matrix(t->K, t->kappa);
}

void wy_equilibrium_chart_field(double *dz, const equilibrium_coefficients *p, const double *z) {
    terms t;
    find_terms(&t, NULL, NULL, NULL, p, z);
    apply_rotation(dz, NULL, z + Q, p->f_body, false);
    for (int i = 0; i < 3; i++)
        dz[i] = -dz[i] - p->f[i];
    for (int i = 0; i < 4; i++) {
        dz[V + i] = dz[Q + i] = 0.0;
        for (int j = 0; j < 3; j++) {
            dz[V + i] += 0.5 * t.Ev[3 * i + j] * t.kappa[j] + t.E[3 * i + j] * t.u[j] / t.rho;
            dz[Q + i] += 0.5 * t.E[3 * i + j] * t.kappa[j];
        }
    }
    apply_rotation(dz + X, NULL, z + Q, t.nu, false);
}

/* J[row.., col..] += S T, S rows x 3, T 3 x cols */
static void add_chart_product(double *J, int row, int col, double scale, const double *S, int rows, const double *T,
                              int cols) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < cols; j++)
                J[Z * (row + i) + col + j] += scale * S[3 * i + k] * T[cols * k + j];
}

static void add_chart_block(double *J, int row, int col, double scale, const double *S, int rows, int cols) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            J[Z * (row + i) + col + j] += scale * S[cols * i + j];
}

/* Loads that depend on position and orientation: their derivatives by q and x, in space (moment: 0, force: 1). */
static void varying_load_derivative(double dq[12], double dx[9], const equilibrium_coefficients *p, const double q[4],
                                    int half) {
    double T[12];
    wy_equilibrium_turn_dq(T, q);
    for (int i = 0; i < 3; i++) {
        const double *K = p->K + 6 * (3 * half + i);
        for (int j = 0; j < 4; j++)
            dq[4 * i + j] = K[0] * T[j] + K[1] * T[4 + j] + K[2] * T[8 + j];
        for (int j = 0; j < 3; j++)
            dx[3 * i + j] = K[3 + j];
    }
}

void wy_equilibrium_chart_jacobian(double *J, const equilibrium_coefficients *p, const double *z) {
    const double *q = z + Q;
    terms t;
    double dP[12], dM[12], dc[12], O[9], Ot[9], w[3], dw[12];
    find_terms(&t, dP, dM, dc, p, z);
    memset(J, 0, Z * Z * sizeof *J);
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        apply_rotation(Ot + 3 * j, NULL, q, e, false); /* columns of O are rows of O^T */
    }
    for (int i = 0; i < 9; i++)
        O[i] = Ot[3 * (i % 3) + i / 3];
    /* by kappa: M = Im(q* v)/rho */
    double MV[12], CM[12];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            MV[4 * i + j] = p->inv_CM[i] * t.E[3 * j + i] / t.rho;
            CM[4 * i + j] = p->inv_CM[i] * dM[4 * i + j];
        }
    add_chart_block(J, V, V, 0.5, t.K, 4, 4);
    add_chart_block(J, Q, Q, 0.5, t.K, 4, 4);
    add_chart_product(J, V, V, 0.5, t.Ev, 4, MV, 4);
    add_chart_product(J, Q, V, 0.5, t.E, 4, MV, 4);
    add_chart_product(J, V, Q, 0.5, t.Ev, 4, CM, 4);
    add_chart_product(J, Q, Q, 0.5, t.E, 4, CM, 4);
    /* by u = P x nu - O^T c - c_body: U = du/dP = [P]x C_P^-1 - [nu]x, along with q/rho */
    const double *P = t.P, *nu = t.nu, *b = p->inv_CP;
    const double U[9] = {0.0, -P[2] * b[1] + nu[2], P[1] * b[2] - nu[1],  P[2] * b[0] - nu[2],
                         0.0, -P[0] * b[2] + nu[0], -P[1] * b[0] + nu[1], P[0] * b[1] - nu[0],
                         0.0};
    double Un[9] = {0}, Uq[12] = {0}, Ku[16], Eu[4];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++)
                Un[3 * i + j] += U[3 * i + k] * Ot[3 * k + j];
            for (int j = 0; j < 4; j++)
                Uq[4 * i + j] += U[3 * i + k] * dP[4 * k + j];
        }
    for (int i = 0; i < 12; i++)
        Uq[i] -= dc[i];
    if (p->varies) {
        double dq[12], dx[9], back[9] = {0};
        varying_load_derivative(dq, dx, p, q, 0);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                for (int j = 0; j < 4; j++)
                    Uq[4 * i + j] -= Ot[3 * i + k] * dq[4 * k + j];
                for (int j = 0; j < 3; j++)
                    back[3 * i + j] -= Ot[3 * i + k] * dx[3 * k + j];
            }
        add_chart_product(J, V, X, 1.0 / t.rho, t.E, 4, back, 3);
        varying_load_derivative(dq, dx, p, q, 1);
        add_chart_block(J, 0, Q, -1.0, dq, 3, 4);
        add_chart_block(J, 0, X, -1.0, dx, 3, 3);
    }
    add_chart_product(J, V, 0, 1.0 / t.rho, t.E, 4, Un, 3);
    add_chart_product(J, V, Q, 1.0 / t.rho, t.E, 4, Uq, 4);
    right_matrix(Ku, t.u);
    add_chart_block(J, V, Q, 1.0 / t.rho, Ku, 4, 4);
    for (int i = 0; i < 4; i++) {
        Eu[i] = t.E[3 * i] * t.u[0] + t.E[3 * i + 1] * t.u[1] + t.E[3 * i + 2] * t.u[2];
        for (int j = 0; j < 4; j++)
            J[Z * (V + i) + Q + j] -= 2.0 * Eu[i] * q[j] / (t.rho * t.rho);
    }
    if (p->f_body[0] != 0.0 || p->f_body[1] != 0.0 || p->f_body[2] != 0.0) {
        apply_rotation(w, dw, q, p->f_body, false);
        add_chart_block(J, 0, Q, -1.0, dw, 3, 4);
    }
    /* x' = O nu */
    double Cn[9], Cq[12];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            Cn[3 * i + j] = b[i] * Ot[3 * i + j];
        for (int j = 0; j < 4; j++)
            Cq[4 * i + j] = b[i] * dP[4 * i + j];
    }
    apply_rotation(w, dw, q, nu, false);
    add_chart_block(J, X, Q, 1.0, dw, 3, 4);
    add_chart_product(J, X, 0, 1.0, O, 3, Cn, 3);
    add_chart_product(J, X, Q, 1.0, O, 3, Cq, 4);
}
