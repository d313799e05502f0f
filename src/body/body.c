/* The free rigid body in two forms: (M, q) and the canonical (p, q). */
#include <withy/body.h>

#include <string.h>

#include <withy/rotation.h>

#include "math/vec3.h"

/*   M' = M x Omega,   q' = 1/2 q (0, Omega),   Omega = I^-1 M                docs/math (3.1)
 * (`002` (2.1) prints Omega x M: its spatial momentum R M then turns instead of standing still.) */
static void quaternion_field(double *dy, const double *y, const void *context) {
    const wy_body *body = context;
    const double *M = y, *q = y + 3;
    double Omega[4] = {0.0, M[0] / body->inertia[0], M[1] / body->inertia[1], M[2] / body->inertia[2]};
    v3_cross(dy, M, Omega + 1);
    wy_quat_product(dy + 3, q, Omega);
    for (int i = 3; i < 7; i++)
        dy[i] *= 0.5;
}

static void quaternion_jacobian(double *J, const double *y, const void *context) {
    const wy_body *body = context;
    const double *M = y, *q = y + 3;
    const double a[3] = {1.0 / body->inertia[0], 1.0 / body->inertia[1], 1.0 / body->inertia[2]};
    memset(J, 0, 49 * sizeof *J);
    /* d(M x aM) = dM x aM + M x a dM */
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        /* (M x Omega)_j = M_k a_l M_l - M_l a_k M_k = (a_l - a_k) M_k M_l */
        J[j * 7 + k] = (a[l] - a[k]) * M[l];
        J[j * 7 + l] = (a[l] - a[k]) * M[k];
    }
    /* q' is bilinear: columns by M_j are 1/2 q (0, a_j e_j), columns by q_j are 1/2 e_j (0, Omega) */
    double column[4];
    for (int j = 0; j < 3; j++) {
        double e[4] = {0.0, 0.0, 0.0, 0.0};
        e[1 + j] = 0.5 * a[j];
        wy_quat_product(column, q, e);
        for (int i = 0; i < 4; i++)
            J[(3 + i) * 7 + j] = column[i];
    }
    const double Omega[4] = {0.0, a[0] * M[0], a[1] * M[1], a[2] * M[2]};
    for (int j = 0; j < 4; j++) {
        double e[4] = {0.0, 0.0, 0.0, 0.0};
        e[j] = 0.5;
        wy_quat_product(column, e, Omega);
        for (int i = 0; i < 4; i++)
            J[(3 + i) * 7 + 3 + j] = column[i];
    }
}

/*   M' = M x Omega + T,   T' given,   T'' = 0                                   docs/math (3.1) with a torque */
static void driven_field(double *dy, const double *y, const void *context) {
    quaternion_field(dy, y, context);
    for (int i = 0; i < 3; i++) {
        dy[i] += y[7 + i];
        dy[7 + i] = y[10 + i];
        dy[10 + i] = 0.0;
    }
}

static void driven_jacobian(double *J, const double *y, const void *context) {
    double free[49];
    quaternion_jacobian(free, y, context);
    memset(J, 0, 169 * sizeof *J);
    for (int i = 0; i < 7; i++)
        memcpy(J + i * 13, free + i * 7, 7 * sizeof *J);
    for (int i = 0; i < 3; i++)
        J[i * 13 + 7 + i] = J[(7 + i) * 13 + 10 + i] = 1.0;
}

static void inverse_inertia(double d[4], const wy_body *body) {
    const double mean = (body->inertia[0] + body->inertia[1] + body->inertia[2]) / 3.0;
    d[0] = 1.0 / (body->alpha != 0.0 ? body->alpha : mean);
    for (int i = 0; i < 3; i++)
        d[1 + i] = 1.0 / body->inertia[i];
}

/* out = L(a) D L(a)^T b = a (D (a* b)), D diagonal */
static void sandwich(double out[4], const double a[4], const double D[4], const double b[4]) {
    double t[4];
    wy_quat_conjugate(t, a);
    wy_quat_product(t, t, b);
    for (int i = 0; i < 4; i++)
        t[i] *= D[i];
    wy_quat_product(out, a, t);
}

/*   p' = -1/4 L(p) D L(p)^T q,   q' = 1/4 L(q) D L(q)^T p,   D = diag(alpha, I)^-1      docs/math (3.4) */
static void hamiltonian_field(double *dy, const double *y, const void *context) {
    const double *p = y, *q = y + 4;
    double D[4], dp[4], dq[4];
    inverse_inertia(D, context);
    sandwich(dp, p, D, q);
    sandwich(dq, q, D, p);
    for (int i = 0; i < 4; i++) {
        dy[i] = -0.25 * dp[i];
        dy[4 + i] = 0.25 * dq[i];
    }
}

/* The change of a (D (a* b)) when a changes by da and b by db. */
static void sandwich_change(double out[4], const double a[4], const double D[4], const double b[4], const double da[4],
                            const double db[4]) {
    double ca[4], cda[4], t[4], u[4], v[4];
    wy_quat_conjugate(ca, a);
    wy_quat_conjugate(cda, da);
    wy_quat_product(t, ca, b);
    wy_quat_product(u, cda, b);
    wy_quat_product(v, ca, db);
    for (int i = 0; i < 4; i++) {
        t[i] *= D[i];
        u[i] = D[i] * (u[i] + v[i]);
    }
    wy_quat_product(t, da, t);
    wy_quat_product(u, a, u);
    for (int i = 0; i < 4; i++)
        out[i] = t[i] + u[i];
}

static void hamiltonian_jacobian(double *J, const double *y, const void *context) {
    const double *p = y, *q = y + 4, zero[4] = {0.0, 0.0, 0.0, 0.0};
    double D[4], column[4];
    inverse_inertia(D, context);
    for (int j = 0; j < 8; j++) {
        double e[4] = {0.0, 0.0, 0.0, 0.0};
        e[j % 4] = 1.0;
        const double *dp = j < 4 ? e : zero, *dq = j < 4 ? zero : e;
        sandwich_change(column, p, D, q, dp, dq);
        for (int i = 0; i < 4; i++)
            J[i * 8 + j] = -0.25 * column[i];
        sandwich_change(column, q, D, p, dq, dp);
        for (int i = 0; i < 4; i++)
            J[(4 + i) * 8 + j] = 0.25 * column[i];
    }
}

wy_system wy_body_quaternion_system(const wy_body *body) {
    static const wy_block blocks[] = {{0, 3, true}, {3, 4, true}};
    return (wy_system){.dim = 7,
                       .field = quaternion_field,
                       .jacobian = quaternion_jacobian,
                       .blocks = blocks,
                       .block_count = 2,
                       .context = body};
}

wy_system wy_body_driven_system(const wy_body *body) {
    static const wy_block blocks[] = {{0, 3, false}, {3, 4, false}, {7, 3, false}, {10, 3, false}};
    return (wy_system){.dim = 13,
                       .field = driven_field,
                       .jacobian = driven_jacobian,
                       .blocks = blocks,
                       .block_count = 4,
                       .context = body};
}

/* g(q) = |q|^2 - 1: the motion keeps it by itself, methods do not. */
static void unit_length(double *g, const double *q, const void *context) {
    (void)context;
    g[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0;
}

static void unit_length_gradient(double *G, const double *q, const void *context) {
    (void)context;
    for (int i = 0; i < 4; i++)
        G[i] = 2.0 * q[i];
}

wy_system wy_body_hamiltonian_system(const wy_body *body) {
    static const wy_block blocks[] = {{0, 4, false}, {4, 4, false}};
    static const wy_constraint sphere = {1, unit_length, unit_length_gradient};
    return (wy_system){.dim = 8,
                       .field = hamiltonian_field,
                       .jacobian = hamiltonian_jacobian,
                       .blocks = blocks,
                       .block_count = 2,
                       .context = body,
                       .canonical = true,
                       .constraint = &sphere};
}

void wy_body_to_hamiltonian(double pq[8], const double Mq[7]) {
    const double M[4] = {0.0, 2.0 * Mq[0], 2.0 * Mq[1], 2.0 * Mq[2]};
    const double q[4] = {Mq[3], Mq[4], Mq[5], Mq[6]};
    wy_quat_product(pq, q, M);
    memcpy(pq + 4, q, sizeof q);
}

void wy_body_from_hamiltonian(double Mq[7], const double pq[8]) {
    double q[4], M[4];
    memcpy(q, pq + 4, sizeof q);
    wy_quat_conjugate(M, q);
    wy_quat_product(M, M, pq);
    v3_scale(Mq, 0.5, M + 1);
    memcpy(Mq + 3, q, sizeof q);
}

double wy_body_energy(const wy_body *body, const double M[3]) {
    return 0.5 * (M[0] * M[0] / body->inertia[0] + M[1] * M[1] / body->inertia[1] + M[2] * M[2] / body->inertia[2]);
}

void wy_body_spatial_momentum(double m[3], const double Mq[7]) {
    wy_quat_rotate(m, Mq + 3, Mq);
}
