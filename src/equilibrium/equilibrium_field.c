/* The equations of the static rod and their derivative. */
#include <string.h>

#include "math/vec3.h"
#include "equilibrium/equilibrium_model.h"

/* R v = (q0^2 - |qv|^2) v + 2 (qv.v) qv + 2 q0 qv x v = q v q*. Homogeneous in q: R(r q) = R(r) R(q) for every q and
 * unit r, so that a rotation of the whole rod also rotates the stages of a method, for which |q| != 1. The
 * Euler-Rodrigues map (1.7) of the thesis, v + 2 q0 qv x v + 2 qv x (qv x v), is larger by (1 - |q|^2) v and does
 * not have that property: a rod computed with it depends on its orientation in space, by the error of the method. */
void wy_equilibrium_rotate(double w[3], const double q[4], const double v[3]) {
    double a[3];
    v3_cross(a, q + 1, v);
    const double dot = v3_dot(q + 1, v), c = q[0] * q[0] - v3_dot(q + 1, q + 1);
    const double out[3] = {c * v[0] + 2.0 * (dot * q[1] + q[0] * a[0]), c * v[1] + 2.0 * (dot * q[2] + q[0] * a[1]),
                           c * v[2] + 2.0 * (dot * q[3] + q[0] * a[2])};
    v3_copy(w, out);
}

void wy_equilibrium_rotate_back(double w[3], const double q[4], const double v[3]) {
    const double c[4] = {-q[0], q[1], q[2], q[3]};
    wy_equilibrium_rotate(w, c, v);
}

/* d/dq0 = 2 (q0 v + qv x v),   d/dqv = 2 ((qv.v) I + qv v^T - v qv^T - q0 [v]x) */
void wy_equilibrium_rotate_dq(double D[12], const double q[4], const double v[3]) {
    double a[3];
    v3_cross(a, q + 1, v);
    const double dot = v3_dot(q + 1, v);
    const double V[9] = {0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0};
    for (size_t i = 0; i < 3; i++) {
        D[4 * i] = 2.0 * (q[0] * v[i] + a[i]);
        for (size_t j = 0; j < 3; j++)
            D[4 * i + 1 + j] = 2.0 * (-q[0] * V[3 * i + j] + (i == j ? dot : 0.0) + q[1 + i] * v[j] - v[i] * q[1 + j]);
    }
}

void wy_equilibrium_rotate_back_dq(double D[12], const double q[4], const double v[3]) {
    const double c[4] = {-q[0], q[1], q[2], q[3]};
    wy_equilibrium_rotate_dq(D, c, v);
    for (size_t i = 0; i < 3; i++)
        D[4 * i] = -D[4 * i];
}

void wy_equilibrium_turn_dq(double T[12], const double q[4]) {
    const double f = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double rows[12] = {-q[1], q[0], -q[3], q[2], -q[2], q[3], q[0], -q[1], -q[3], -q[2], q[1], q[0]};
    for (int i = 0; i < 12; i++)
        T[i] = f * rows[i];
}

static double quaternion_square(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

static void strains_at(double kappa[3], double nu[3], const equilibrium_coefficients *p, const double y[13]) {
    for (int i = 0; i < 3; i++) {
        kappa[i] = p->inv_CM[i] * y[WY_STATIC_M + i] + p->kappa[i];
        nu[i] = p->inv_CP[i] * y[WY_STATIC_P + i] + p->nu[i];
    }
}

/*   P' = P x kappa - R^T f - f_body             M' = M x kappa + P x nu - R^T c - c_body
 *   q' = 1/2 q (0, kappa)                       x' = R nu                                            (5.1) */
void wy_equilibrium_model_field(double dy[13], const equilibrium_coefficients *p, const double y[13]) {
    const double *P = y + WY_STATIC_P, *M = y + WY_STATIC_M, *q = y + WY_STATIC_Q;
    double kappa[3], nu[3], a[3], b[3];
    strains_at(kappa, nu, p, y);
    v3_cross(a, P, kappa);
    wy_equilibrium_rotate_back(b, q, p->f);
    for (int i = 0; i < 3; i++)
        dy[WY_STATIC_P + i] = a[i] - b[i] - p->f_body[i];
    v3_cross(a, M, kappa);
    v3_cross(b, P, nu);
    v3_add(a, a, b);
    wy_equilibrium_rotate_back(b, q, p->c);
    for (int i = 0; i < 3; i++)
        dy[WY_STATIC_M + i] = a[i] - b[i] - p->c_body[i];
    double *dq = dy + WY_STATIC_Q;
    dq[0] = -0.5 * v3_dot(q + 1, kappa);
    v3_cross(a, q + 1, kappa);
    for (int i = 0; i < 3; i++)
        dq[1 + i] = 0.5 * (q[0] * kappa[i] + a[i]);
    wy_equilibrium_rotate(dy + WY_STATIC_X, q, nu);
    for (int i = 0; i < 3 && p->literal; i++)
        dy[WY_STATIC_X + i] += (1.0 - quaternion_square(q)) * nu[i];
}

/* J[r.., c..] += t [v]x */
static void add_skew(double *J, int row, int col, double t, const double v[3]) {
    J[13 * row + col + 1] -= t * v[2];
    J[13 * row + col + 2] += t * v[1];
    J[13 * (row + 1) + col] += t * v[2];
    J[13 * (row + 1) + col + 2] -= t * v[0];
    J[13 * (row + 2) + col] -= t * v[1];
    J[13 * (row + 2) + col + 1] += t * v[0];
}

/* J[r.., c..] += [v]x diag(d) */
static void add_skew_diagonal(double *J, int row, int col, const double v[3], const double d[3]) {
    J[13 * row + col + 1] -= v[2] * d[1];
    J[13 * row + col + 2] += v[1] * d[2];
    J[13 * (row + 1) + col] += v[2] * d[0];
    J[13 * (row + 1) + col + 2] -= v[0] * d[2];
    J[13 * (row + 2) + col] -= v[1] * d[0];
    J[13 * (row + 2) + col + 1] += v[0] * d[1];
}

/* Loads that depend on position and orientation: -R^T (K_rotation phi + K_position dx), phi the rotation of dq. */
static void add_varying_loads(double *J, const equilibrium_coefficients *p, const double q[4]) {
    double T[12];
    wy_equilibrium_turn_dq(T, q);
    for (int half = 0; half < 2; half++) { /* moment, force */
        const int row = half ? WY_STATIC_P : WY_STATIC_M;
        for (int c = 0; c < 7; c++) { /* by q, then by x */
            double change[3], body[3];
            for (int i = 0; i < 3; i++) {
                const double *K = p->K + 6 * (3 * half + i);
                change[i] = c < 4 ? K[0] * T[c] + K[1] * T[4 + c] + K[2] * T[8 + c] : K[3 + c - 4];
            }
            wy_equilibrium_rotate_back(body, q, change);
            for (int i = 0; i < 3; i++)
                J[13 * (row + i) + (c < 4 ? WY_STATIC_Q + c : WY_STATIC_X + c - 4)] -= body[i];
        }
    }
}

void wy_equilibrium_model_jacobian(double J[169], const equilibrium_coefficients *p, const double y[13]) {
    const double *P = y + WY_STATIC_P, *M = y + WY_STATIC_M, *q = y + WY_STATIC_Q;
    double kappa[3], nu[3], D[12];
    strains_at(kappa, nu, p, y);
    memset(J, 0, 169 * sizeof *J);
    /* P x kappa = -[kappa]x P, and by kappa: [P]x */
    add_skew(J, WY_STATIC_P, WY_STATIC_P, -1.0, kappa);
    add_skew_diagonal(J, WY_STATIC_P, WY_STATIC_M, P, p->inv_CM);
    add_skew(J, WY_STATIC_M, WY_STATIC_M, -1.0, kappa);
    add_skew_diagonal(J, WY_STATIC_M, WY_STATIC_M, M, p->inv_CM);
    add_skew(J, WY_STATIC_M, WY_STATIC_P, -1.0, nu);
    add_skew_diagonal(J, WY_STATIC_M, WY_STATIC_P, P, p->inv_CP);
    wy_equilibrium_rotate_back_dq(D, q, p->f);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            J[13 * (WY_STATIC_P + i) + WY_STATIC_Q + j] -= D[4 * i + j];
    wy_equilibrium_rotate_back_dq(D, q, p->c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            J[13 * (WY_STATIC_M + i) + WY_STATIC_Q + j] -= D[4 * i + j];
    /* q' = 1/2 q (0, kappa): linear in q, and by kappa the last three columns of L(q)/2 */
    const double K[16] = {0.0,      -kappa[0], -kappa[1], -kappa[2], kappa[0], 0.0,      kappa[2],  -kappa[1],
                          kappa[1], -kappa[2], 0.0,       kappa[0],  kappa[2], kappa[1], -kappa[0], 0.0};
    const double L[12] = {-q[1], -q[2], -q[3], q[0], -q[3], q[2], q[3], q[0], -q[1], -q[2], q[1], q[0]};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            J[13 * (WY_STATIC_Q + i) + WY_STATIC_Q + j] += 0.5 * K[4 * i + j];
        for (int j = 0; j < 3; j++)
            J[13 * (WY_STATIC_Q + i) + WY_STATIC_M + j] += 0.5 * L[3 * i + j] * p->inv_CM[j];
    }
    wy_equilibrium_rotate_dq(D, q, nu);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            J[13 * (WY_STATIC_X + i) + WY_STATIC_Q + j] += D[4 * i + j];
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        double column[3];
        wy_equilibrium_rotate(column, q, e);
        for (int i = 0; i < 3; i++)
            J[13 * (WY_STATIC_X + i) + WY_STATIC_P + j] += column[i] * p->inv_CP[j];
    }
    for (int i = 0; i < 3 && p->literal; i++) {
        for (int j = 0; j < 4; j++)
            J[13 * (WY_STATIC_X + i) + WY_STATIC_Q + j] -= 2.0 * nu[i] * q[j];
        J[13 * (WY_STATIC_X + i) + WY_STATIC_P + i] += (1.0 - quaternion_square(q)) * p->inv_CP[i];
    }
    if (p->varies)
        add_varying_loads(J, p, q);
}
