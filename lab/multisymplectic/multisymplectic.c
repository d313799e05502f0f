/* One step of the multi-symplectic rod: RATTLE and symplectic Euler, each with its exact tangent. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <withy/multisymplectic.h>
#include <withy/rotation.h>

#include "base/given.h"
#include "linalg/lu.h"
#include "math/vec3.h"
#include "equilibrium/equilibrium_model.h"

enum { D14 = WY_MS_DIM, X = WY_MS_X, Q = WY_MS_Q, VX = WY_MS_VX, V = WY_MS_V, MOST = 14 };

const char *const wy_ms_schemes[] = {[WY_MS_RATTLE] = "rattle",
                                     [WY_MS_EULER] = "symplectic-euler",
                                     [WY_MS_EULER_REDUCED] = "symplectic-euler-index-reduced",
                                     [WY_MS_RATTLE_PRINTED] = "rattle-as-printed",
                                     NULL};

void wy_ms_from_static(double z[WY_MS_DIM], const double y[WY_STATIC_DIM]) {
    const double M[4] = {0.0, y[WY_STATIC_M], y[WY_STATIC_M + 1], y[WY_STATIC_M + 2]};
    double out[D14];
    v3_copy(out + X, y + WY_STATIC_X);
    memcpy(out + Q, y + WY_STATIC_Q, 4 * sizeof *out);
    wy_equilibrium_rotate(out + VX, y + WY_STATIC_Q, y + WY_STATIC_P);
    v3_scale(out + VX, -1.0, out + VX);
    wy_quat_product(out + V, y + WY_STATIC_Q, M);
    for (int i = 0; i < 4; i++)
        out[V + i] *= -2.0;
    memcpy(z, out, sizeof out);
}

void wy_ms_to_static(double y[WY_STATIC_DIM], const double z[WY_MS_DIM]) {
    double out[WY_STATIC_DIM], back[4], X4[4];
    wy_equilibrium_rotate_back(out + WY_STATIC_P, z + Q, z + VX);
    v3_scale(out + WY_STATIC_P, -1.0, out + WY_STATIC_P);
    wy_quat_conjugate(back, z + Q);
    wy_quat_product(X4, back, z + V);
    v3_scale(out + WY_STATIC_M, -0.5, X4 + 1);
    memcpy(out + WY_STATIC_Q, z + Q, 4 * sizeof *out);
    v3_copy(out + WY_STATIC_X, z + X);
    memcpy(y, out, sizeof out);
}

/* 4 x 4 matrices of the product: left_matrix(a) x = a x, right_matrix_of(a) x = x a. */
static void left_matrix(double A[16], const double a[4]) {
    const double out[16] = {a[0], -a[1], -a[2], -a[3], a[1], a[0],  -a[3], a[2],
                            a[2], a[3],  a[0],  -a[1], a[3], -a[2], a[1],  a[0]};
    memcpy(A, out, sizeof out);
}

static void right_matrix_of(double A[16], const double a[4]) {
    const double out[16] = {a[0], -a[1], -a[2], -a[3], a[1], a[0], a[3],  -a[2],
                            a[2], -a[3], a[0],  a[1],  a[3], a[2], -a[1], a[0]};
    memcpy(A, out, sizeof out);
}

static void multiply_4x4(double C[16], const double A[16], const double B[16]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += A[4 * i + k] * B[4 * k + j];
            C[4 * i + j] = sum;
        }
}

/* The kinetic half: T(a, c) = a (C~^-1 (a* c)) and its derivatives; f = -T(q, v)/4, and the first part of g is T(v,
 * q)/4. */
static void twist_part(double t[4], double by_a[16], double by_c[16], const double inv[4], const double a[4],
                       const double c[4]) {
    double back[4], u[4], A[16], B[16], R[16];
    wy_quat_conjugate(back, a);
    wy_quat_product(u, back, c);
    for (int i = 0; i < 4; i++)
        u[i] *= inv[i];
    wy_quat_product(t, a, u);
    left_matrix(A, a);
    left_matrix(B, back);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            B[4 * i + j] *= inv[i];
    multiply_4x4(by_c, A, B);
    /* by a: the outer factor, right_matrix_of(u), and the inner one, (da)* c */
    right_matrix_of(B, c);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            B[4 * i + j] *= inv[i] * (j ? -1.0 : 1.0);
    multiply_4x4(by_a, A, B);
    right_matrix_of(R, u);
    for (int i = 0; i < 16; i++)
        by_a[i] += R[i];
}

/* Everything at (q, v, v_x): f = S_v = q' and g = -S_q, xi = x', and their derivatives. */
typedef struct forces {
    double f[4], fq[16], fv[16];
    double g[4], gq[16], gv[16], gx[12]; /* gx: by v_x, 4 x 3 */
    double xi[3], xq[12], xx[9];
    double wb, wbq[4], wbx[3]; /* w.b, which gives lambda */
} forces;

static void evaluate_forces(forces *o, const wy_ms_rod *rod, const double q[4], const double v[4], const double vx[3]) {
    const double inv[4] = {1.0 / rod->alpha, rod->inv_CM[0], rod->inv_CM[1], rod->inv_CM[2]};
    double t[4], a[16], c[16];
    twist_part(t, a, c, inv, q, v);
    for (int i = 0; i < 4; i++)
        o->f[i] = -0.25 * t[i];
    for (int i = 0; i < 16; i++) {
        o->fq[i] = -0.25 * a[i];
        o->fv[i] = -0.25 * c[i];
    }
    twist_part(t, a, c, inv, v, q);
    for (int i = 0; i < 4; i++)
        o->g[i] = 0.25 * t[i];
    for (int i = 0; i < 16; i++) {
        o->gv[i] = 0.25 * a[i];
        o->gq[i] = 0.25 * c[i];
    }
    /* w = R^T v_x, b = nu* - C_P^-1 w, and 2 (0, v_x) q (0, b) */
    double w[3], wq[12], b[4] = {0.0}, p[4], qb[4], Lx[16], Rb[16], Lp[16], back[9];
    const double x4[4] = {0.0, vx[0], vx[1], vx[2]};
    wy_equilibrium_rotate_back(w, q, vx);
    wy_equilibrium_rotate_back_dq(wq, q, vx);
    for (int j = 0; j < 3; j++) { /* columns of R^T */
        const double e[3] = {j == 0, j == 1, j == 2};
        double column[3];
        wy_equilibrium_rotate_back(column, q, e);
        for (int i = 0; i < 3; i++)
            back[3 * i + j] = column[i];
    }
    for (int i = 0; i < 3; i++)
        b[1 + i] = (i == 2 ? rod->stretch : 0.0) - rod->inv_CP[i] * w[i];
    wy_quat_product(p, x4, q);
    wy_quat_product(qb, q, b);
    double add[4];
    wy_quat_product(add, p, b);
    left_matrix(Lx, x4);
    right_matrix_of(Rb, b);
    left_matrix(Lp, p);
    double LR[16], Rqb[16];
    multiply_4x4(LR, Lx, Rb);
    right_matrix_of(Rqb, qb);
    for (int i = 0; i < 4; i++) {
        o->g[i] += 2.0 * add[i];
        for (int j = 0; j < 4; j++) {
            double sum = LR[4 * i + j];
            for (int k = 0; k < 3; k++) /* db = -C_P^-1 dw */
                sum -= Lp[4 * i + 1 + k] * rod->inv_CP[k] * wq[4 * k + j];
            o->gq[4 * i + j] += 2.0 * sum;
        }
        for (int j = 0; j < 3; j++) {
            double sum = Rqb[4 * i + 1 + j];
            for (int k = 0; k < 3; k++)
                sum -= Lp[4 * i + 1 + k] * rod->inv_CP[k] * back[3 * k + j];
            o->gx[3 * i + j] = 2.0 * sum;
        }
    }
    /* x' = R b */
    double bq[12];
    wy_equilibrium_rotate(o->xi, q, b + 1);
    wy_equilibrium_rotate_dq(bq, q, b + 1);
    o->wb = v3_dot(w, b + 1);
    for (int j = 0; j < 4; j++)
        o->wbq[j] = 0.0;
    for (int j = 0; j < 3; j++)
        o->wbx[j] = 0.0;
    for (int i = 0; i < 3; i++) {
        const double slope = b[1 + i] - rod->inv_CP[i] * w[i]; /* d(w.b)/dw */
        for (int j = 0; j < 4; j++) {
            double sum = bq[4 * i + j];
            for (int k = 0; k < 3; k++) /* R = (R^T)^T */
                sum -= back[3 * k + i] * rod->inv_CP[k] * wq[4 * k + j];
            o->xq[4 * i + j] = sum;
            o->wbq[j] += slope * wq[4 * i + j];
        }
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum -= back[3 * k + i] * rod->inv_CP[k] * back[3 * k + j];
            o->xx[3 * i + j] = sum;
            o->wbx[j] += slope * back[3 * i + j];
        }
    }
}

double wy_ms_hamiltonian(const wy_ms_rod *rod, const double z[WY_MS_DIM]) {
    double w[3], back[4], u[4], S = 0.0;
    wy_equilibrium_rotate_back(w, z + Q, z + VX);
    wy_quat_conjugate(back, z + Q);
    wy_quat_product(u, back, z + V);
    for (int i = 0; i < 3; i++)
        S += -0.5 * rod->inv_CP[i] * w[i] * w[i] - 0.125 * rod->inv_CM[i] * u[1 + i] * u[1 + i];
    return S + w[2] * rod->stretch - 0.125 * u[0] * u[0] / rod->alpha;
}

/* ---- the equations of a step ----
 *
 * RATTLE, unknowns U = (v^, lambda, q+), 9 equations; c = h/2:
 *   v^ - v - c (g(q, v^) - 2 lambda q) = 0,    q+ - q - c (f(q, v^) + f(q+, v^)) = 0,    |q+|^2 = 1,
 * then x+ = x + c (xi(q) + xi(q+)) and v+ = the part of v^ + c g(q+, v^) that is orthogonal to q+.
 * Symplectic Euler: c = h, q+ = q + h f(q, v^), x+ = x + h xi(q), v+ = the part of v^ orthogonal to q+. Index-reduced:
 * lambda = -w.b/|q|^2 at q, and v+ = v^. */

typedef struct step_data {
    const wy_ms_rod *rod;
    int scheme;
    double h;
    const double *z; /* the start */
} step_data;

enum { UNKNOWNS = 9 };

static bool is_rattle(int scheme) {
    return scheme == WY_MS_RATTLE || scheme == WY_MS_RATTLE_PRINTED;
}

/* Residual r and its derivative A by U; with `by_z` (9 x 14) also by z. */
static void step_equations(double r[UNKNOWNS], double A[UNKNOWNS * UNKNOWNS], double *by_z, const step_data *d,
                           const double U[UNKNOWNS]) {
    const double *q = d->z + Q, *v = d->z + V, *vx = d->z + VX, *vh = U, lambda = U[4], *qn = U + 5;
    const double c = is_rattle(d->scheme) ? 0.5 * d->h : d->h;
    forces a, b;
    evaluate_forces(&a, d->rod, q, vh, vx);
    memset(A, 0, sizeof(double[UNKNOWNS * UNKNOWNS]));
    if (by_z)
        memset(by_z, 0, sizeof(double[UNKNOWNS * D14]));
    for (int i = 0; i < 4; i++) {
        r[i] = vh[i] - v[i] - c * (a.g[i] - 2.0 * lambda * q[i]);
        for (int j = 0; j < 4; j++)
            A[UNKNOWNS * i + j] = (i == j) - c * a.gv[4 * i + j];
        A[UNKNOWNS * i + 4] = 2.0 * c * q[i];
        if (by_z) {
            for (int j = 0; j < 4; j++) {
                by_z[D14 * i + V + j] = -(double)(i == j);
                by_z[D14 * i + Q + j] = -c * (a.gq[4 * i + j] - 2.0 * lambda * (i == j));
            }
            for (int j = 0; j < 3; j++)
                by_z[D14 * i + VX + j] = -c * a.gx[3 * i + j];
        }
    }
    /* q+ */
    if (is_rattle(d->scheme))
        evaluate_forces(&b, d->rod, qn, vh, vx);
    else
        memset(&b, 0, sizeof b);
    for (int i = 0; i < 4; i++) {
        const int row = 5 + i;
        r[row] = qn[i] - q[i] - c * (a.f[i] + b.f[i]);
        for (int j = 0; j < 4; j++) {
            A[UNKNOWNS * row + j] = -c * (a.fv[4 * i + j] + b.fv[4 * i + j]);
            A[UNKNOWNS * row + 5 + j] = (i == j) - c * b.fq[4 * i + j];
            if (by_z)
                by_z[D14 * row + Q + j] = -(double)(i == j) - c * a.fq[4 * i + j];
        }
    }
    /* the multiplier */
    double *row = A + (size_t)4 * UNKNOWNS;
    if (d->scheme == WY_MS_EULER_REDUCED) {
        double qq = 0.0;
        for (int i = 0; i < 4; i++)
            qq += q[i] * q[i];
        r[4] = lambda + a.wb / qq;
        row[4] = 1.0;
        for (int j = 0; j < 4 && by_z; j++)
            by_z[D14 * 4 + Q + j] = a.wbq[j] / qq - 2.0 * a.wb / (qq * qq) * q[j];
        for (int j = 0; j < 3 && by_z; j++)
            by_z[D14 * 4 + VX + j] = a.wbx[j] / qq;
    } else if (d->scheme == WY_MS_RATTLE_PRINTED) { /* |q + (h/2) f(q, v^)|^2 = 1 */
        double half[4];
        r[4] = -1.0;
        for (int i = 0; i < 4; i++) {
            half[i] = q[i] + c * a.f[i];
            r[4] += half[i] * half[i];
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                row[j] += 2.0 * half[i] * c * a.fv[4 * i + j];
                if (by_z)
                    by_z[D14 * 4 + Q + j] += 2.0 * half[i] * ((i == j) + c * a.fq[4 * i + j]);
            }
    } else {
        r[4] = -1.0;
        for (int i = 0; i < 4; i++) {
            r[4] += qn[i] * qn[i];
            row[5 + i] = 2.0 * qn[i];
        }
    }
}

/* Newton to round-off. v and q differ in size by C_M, so each part is measured by its own scale: v^ by the terms of
 * its equation, v, c g and 2 c lambda q. At an inflection v and v^ vanish, and the other terms balance. */
static wy_status solve_step_equations(double U[UNKNOWNS], const step_data *d, wy_error *err) {
    double r[UNKNOWNS], A[UNKNOWNS * UNKNOWNS], previous = INFINITY;
    const double c = is_rattle(d->scheme) ? 0.5 * d->h : d->h;
    size_t pivots[UNKNOWNS];
    memcpy(U, d->z + V, 4 * sizeof *U);
    U[4] = 0.0;
    memcpy(U + 5, d->z + Q, 4 * sizeof *U);
    for (int it = 0; it < 50; it++) {
        step_equations(r, A, NULL, d, U);
        if (!wy_lu_factor(A, pivots, UNKNOWNS))
            return wy_fail(err, WY_NO_CONVERGENCE, "the equations of the step of %g are singular at iteration %d", d->h,
                           it + 1);
        wy_lu_solve(r, A, pivots, UNKNOWNS);
        double v2 = 0.0, dv2 = 0.0, dq2 = 0.0;
        for (int i = 0; i < UNKNOWNS; i++)
            U[i] -= r[i];
        for (int i = 0; i < 4; i++) {
            const double before = d->z[V + i], pushed = 2.0 * c * U[4] * d->z[Q + i];
            dv2 += r[i] * r[i];
            v2 += U[i] * U[i] + before * before + pushed * pushed;
            dq2 += r[5 + i] * r[5 + i];
        }
        const double change = fmax(sqrt(dv2 / (v2 > 0.0 ? v2 : 1.0)), sqrt(dq2));
        if (!isfinite(change))
            return wy_fail(err, WY_NOT_FINITE, "the step of %g ran away at iteration %d", d->h, it + 1);
        if (change <= 4 * DBL_EPSILON || (change <= 1e-11 && change >= 0.25 * previous))
            return WY_OK;
        previous = change;
    }
    return wy_fail(err, WY_NO_CONVERGENCE, "the step of %g did not converge: change %.3g after 50 iterations", d->h,
                   previous);
}

/* From the solved equations to z+, and dz+ = F_z dz + F_U dU. `dU` is 9 x columns. */
static void conclude_step(double out[D14], const step_data *d, const double U[UNKNOWNS], const double *dz,
                          const double *dU, double *D, size_t columns) {
    const double *z = d->z, *vh = U, *qn = U + 5;
    const double c = is_rattle(d->scheme) ? 0.5 * d->h : d->h;
    forces a, b;
    evaluate_forces(&a, d->rod, z + Q, vh, z + VX);
    evaluate_forces(&b, d->rod, qn, vh, z + VX);
    memcpy(out, z, D14 * sizeof *out);
    memcpy(out + Q, qn, 4 * sizeof *out);
    double pre[4], along = 0.0, qq = 0.0;
    for (int i = 0; i < 4; i++) {
        pre[i] = vh[i] + (is_rattle(d->scheme) ? c * b.g[i] : 0.0);
        along += qn[i] * pre[i];
        qq += qn[i] * qn[i];
    }
    /* (4.7) assumes |q+| = 1, which the printed scheme does not satisfy */
    const bool projected = d->scheme != WY_MS_EULER_REDUCED;
    if (d->scheme == WY_MS_RATTLE_PRINTED)
        qq = 1.0;
    const double mu = projected ? along / qq : 0.0;
    for (int i = 0; i < 4; i++)
        out[V + i] = pre[i] - mu * qn[i];
    for (int i = 0; i < 3; i++)
        out[X + i] += c * (a.xi[i] + (is_rattle(d->scheme) ? b.xi[i] : 0.0));
    for (size_t k = 0; k < columns; k++) {
        double dvh[4], dq[4], dqn[4], dvx[3], dpre[4], dalong = 0.0, dqq = 0.0;
        for (int i = 0; i < 4; i++) {
            dvh[i] = dU[(size_t)i * columns + k];
            dqn[i] = dU[(size_t)(5 + i) * columns + k];
            dq[i] = dz[(size_t)(Q + i) * columns + k];
        }
        for (int i = 0; i < 3; i++)
            dvx[i] = dz[(size_t)(VX + i) * columns + k];
        for (int i = 0; i < 4; i++) {
            dpre[i] = dvh[i];
            if (is_rattle(d->scheme)) {
                for (int j = 0; j < 4; j++)
                    dpre[i] += c * (b.gq[4 * i + j] * dqn[j] + b.gv[4 * i + j] * dvh[j]);
                for (int j = 0; j < 3; j++)
                    dpre[i] += c * b.gx[3 * i + j] * dvx[j];
            }
            dalong += dqn[i] * pre[i] + qn[i] * dpre[i];
            dqq += 2.0 * qn[i] * dqn[i];
        }
        if (d->scheme == WY_MS_RATTLE_PRINTED)
            dqq = 0.0;
        const double dmu = projected ? dalong / qq - along / (qq * qq) * dqq : 0.0;
        for (int i = 0; i < 3; i++) {
            double dx = dz[(size_t)(X + i) * columns + k];
            for (int j = 0; j < 4; j++)
                dx += c * (a.xq[4 * i + j] * dq[j] + (is_rattle(d->scheme) ? b.xq[4 * i + j] * dqn[j] : 0.0));
            for (int j = 0; j < 3; j++)
                dx += c * (a.xx[3 * i + j] + (is_rattle(d->scheme) ? b.xx[3 * i + j] : 0.0)) * dvx[j];
            D[(size_t)(X + i) * columns + k] = dx;
        }
        for (int i = 0; i < 4; i++) {
            D[(size_t)(Q + i) * columns + k] = dqn[i];
            D[(size_t)(V + i) * columns + k] = dpre[i] - dmu * qn[i] - mu * dqn[i];
        }
    }
}

wy_status wy_ms_step(const wy_ms_rod *rod, int scheme, double h, double z[WY_MS_DIM], double *D, size_t columns,
                     wy_error *err) {
    WY_GIVEN(rod && z && (D || !columns), err);
    if (scheme < WY_MS_RATTLE || scheme > WY_MS_RATTLE_PRINTED || columns > MOST)
        return wy_fail(err, WY_BAD_INPUT,
                       "scheme %d with %zu columns: there are the schemes 0 to %d and at most %d columns", scheme,
                       columns, WY_MS_RATTLE_PRINTED, MOST);
    if (!isfinite(h))
        return wy_fail(err, WY_NOT_FINITE, "the step is %g", h);
    const step_data d = {rod, scheme, h, z};
    double U[UNKNOWNS], out[D14], r[UNKNOWNS], A[UNKNOWNS * UNKNOWNS], by_z[UNKNOWNS * D14], dU[UNKNOWNS * MOST],
        dz[D14 * MOST];
    const wy_status s = solve_step_equations(U, &d, err);
    if (s)
        return s;
    if (!D) {
        conclude_step(out, &d, U, NULL, NULL, NULL, 0);
    } else {
        size_t pivots[UNKNOWNS];
        step_equations(r, A, by_z, &d, U);
        if (!wy_lu_factor(A, pivots, UNKNOWNS))
            return wy_fail(err, WY_NO_CONVERGENCE, "the tangent of the step of %g is singular", h);
        for (int i = 0; i < UNKNOWNS; i++)
            for (size_t k = 0; k < columns; k++) {
                double sum = 0.0;
                for (int j = 0; j < D14; j++)
                    sum -= by_z[D14 * i + j] * D[(size_t)j * columns + k];
                dU[(size_t)i * columns + k] = sum;
            }
        wy_lu_solve_many(dU, columns, A, pivots, UNKNOWNS);
        memcpy(dz, D, D14 * columns * sizeof *dz);
        conclude_step(out, &d, U, dz, dU, D, columns);
    }
    memcpy(z, out, sizeof out);
    return WY_OK;
}
