/* One step of `velocity-strain`: implicit midpoint for (eta, xi), solved by Newton with the interleaved elimination
 * eta_0, xi_0, eta_1, xi_1, ... that adds where the Schur complement in eta would cancel. docs/math/dynamics.md, (4.21)-(4.24).
 *
 * With z = dt/2, stage values E, X, a = (E_e + E_(e+1))/2 and s = K (X - xi*) + V (X - xi)/z:
 *   X_e = xi_e + z ((E_(e+1) - E_e)/h + ad_X a)
 *   m M E_j = m M eta_j + z (m ad_E^T M E - m alpha M E + [s_e - h/2 ad_X^T s_e]_right - [s_e + h/2 ad_X^T s_e]_left + W_j) */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "linalg/block6.h"
#include "math/vec3.h"
#include "motion/velocity_strain/velocity_strain.h"

/* Factors of one element's pair (eta_e, xi_e). */
typedef struct pair {
    double Di[36], Ti[36], Q0[36], Q1[36], B0[36], B1[36];
} pair;
enum { PAIR = sizeof(pair) / sizeof(double) };

typedef struct stepping {
    const wy_motion *rod;
    double *x;
    wy_vs_state s;
    double *E, *X, *q; /* stage: velocities, strains, orientations (normalised) */
    double *rE, *rX;   /* residuals, then corrections */
    double *load;      /* nodes x 6: wrench of loads in the body frame [moment; force] */
    double *K;         /* nodes x 36: their derivative, zero where there are none but gravity */
    pair *f;
    double tip[36];
    double *backup;
    size_t node;
    double change;
    int iterations;
    double failed_at, failed_dt;
} stepping;

wy_vs_state wy_vs_state_of(double *x, const wy_motion *rod) {
    const size_t n = rod->nodes, e = rod->elements;
    double *a = x + WY_STATE_HEAD;
    return (wy_vs_state){a, a + 6 * n, a + 6 * n + 6 * e, a + 10 * n + 6 * e};
}

size_t wy_vs_state_size(const wy_motion *rod) {
    return 13 * rod->nodes + 6 * rod->elements;
}

size_t wy_vs_work_size(const wy_motion *rod) {
    return rod->nodes * (6 + 4 + 6 + 6 + 36) + rod->elements * (6 + 6 + PAIR) + WY_STATE_HEAD + wy_vs_state_size(rod);
}

static stepping stepping_of(const wy_motion *rod, double *x, double *w) {
    const size_t n = rod->nodes, e = rod->elements;
    stepping k = {.rod = rod, .x = x, .s = wy_vs_state_of(x, rod)};
    k.E = w;
    k.q = k.E + 6 * n;
    k.rE = k.q + 4 * n;
    k.load = k.rE + 6 * n;
    k.K = k.load + 6 * n;
    k.X = k.K + 36 * n;
    k.rX = k.X + 6 * e;
    k.f = (pair *)(void *)(k.rX + 6 * e);
    k.backup = k.rX + 6 * e + PAIR * e;
    return k;
}

/* ad_x = [[kappa] 0; [nu] [kappa]], row major */
static void ad_matrix(double A[36], const double x[6]) {
    memset(A, 0, 36 * sizeof *A);
    for (int b = 0; b < 2; b++) { /* [kappa] on both diagonal blocks */
        double *a = A + 21 * b;
        a[1] = -x[2];
        a[2] = x[1];
        a[6] = x[2];
        a[8] = -x[0];
        a[12] = -x[1];
        a[13] = x[0];
    }
    double *a = A + 18;
    a[1] = -x[5];
    a[2] = x[4];
    a[6] = x[5];
    a[8] = -x[3];
    a[12] = -x[4];
    a[13] = x[3];
}

static void ad(double out[6], const double x[6], const double e[6]) {
    double a[3], b[3], c[3];
    v3_cross(a, x, e);
    v3_cross(b, x + 3, e);
    v3_cross(c, x, e + 3);
    v3_copy(out, a);
    v3_add(out + 3, b, c);
}

static void ad_transposed(double out[6], const double x[6], const double s[6]) {
    double a[3], b[3], c[3];
    v3_cross(a, s, x);
    v3_cross(b, s + 3, x + 3);
    v3_cross(c, s + 3, x);
    v3_add(out, a, b);
    v3_copy(out + 3, c);
}

/* A += f [v]x in the 3 x 3 block at (i, j) of a 6 x 6 matrix */
static void add_skew(double *A, int i, int j, double f, const double v[3]) {
    double *a = A + 6 * i + j;
    a[1] -= f * v[2];
    a[2] += f * v[1];
    a[6] += f * v[2];
    a[8] -= f * v[0];
    a[12] -= f * v[1];
    a[13] += f * v[0];
}

/* y += f A x */
static void apply(double y[6], double f, const double A[36], const double x[6]) {
    for (int i = 0; i < 6; i++) {
        double sum = 0.0;
        for (int j = 0; j < 6; j++)
            sum += A[6 * i + j] * x[j];
        y[i] += f * sum;
    }
}

/* The stage's orientation: Q = q (1, w) / |...|, w = dt/4 omega, which is the midpoint rule for q. = q (0, omega)/2. */
static void stage_quaternion(double Q[4], const double q[4], const double omega[3], double dt) {
    const double c[4] = {1.0, 0.25 * dt * omega[0], 0.25 * dt * omega[1], 0.25 * dt * omega[2]};
    wy_quat_product(Q, q, c);
    wy_quat_normalize(Q, Q);
}

/* H: the turn of the stage, in its body frame, for a change of omega. R = R0 cay(c), c = dt/2 omega:
 *   H = dt/2 (I - [c]x/2)/(1 + |c|^2/4) */
static void stage_turn(double H[9], const double omega[3], double dt) {
    double c[3];
    v3_scale(c, 0.5 * dt, omega);
    const double f = 0.5 * dt / (1.0 + 0.25 * v3_dot(c, c));
    const double h[9] = {
        f, 0.5 * f * c[2], -0.5 * f * c[1], -0.5 * f * c[2], f, 0.5 * f * c[0], 0.5 * f * c[1], -0.5 * f * c[0], f};
    memcpy(H, h, sizeof h);
}

/* Minus the derivative of R^T w by omega, which is [R^T w]x H, into rows `row` ... of A. */
static void add_turned(double *A, int row, const double w[3], const double H[9]) {
    for (int c = 0; c < 3; c++) {
        const double h[3] = {H[c], H[3 + c], H[6 + c]};
        double x[3];
        v3_cross(x, w, h);
        for (int i = 0; i < 3; i++)
            A[6 * (row + i) + c] -= x[i];
    }
}

/* C = A B */
static void multiply(double *restrict C, const double *restrict A, const double *restrict B) {
    for (int i = 0; i < 6; i++) {
        double row[6] = {0};
        for (int l = 0; l < 6; l++)
            for (int j = 0; j < 6; j++)
                row[j] += A[6 * i + l] * B[6 * l + j];
        memcpy(C + 6 * i, row, sizeof row);
    }
}

/* Loads at node j with the stage's pose and velocity, in the body frame, and (at K) minus their derivative by E. */
static void node_load(stepping *k, size_t j, double dt, double out[6], double *K, double *power, double *drag) {
    const wy_motion *rod = k->rod;
    double D[9], u[3], theta[3], pm[3], local[36] = {0};
    const double *E = k->E + 6 * j;
    wy_directors_from_quat(D, k->q + 4 * j);
    for (int i = 0; i < 3; i++) {
        theta[i] = dt * (D[i] * E[0] + D[3 + i] * E[1] + D[6 + i] * E[2]);
        u[i] = dt * (D[i] * E[3] + D[3 + i] * E[4] + D[6 + i] * E[5]);
        pm[i] = k->s.p[3 * j + (size_t)i] + 0.5 * u[i];
    }
    wy_node_load point = {.t = k->x[WY_STATE_TIME] + 0.5 * dt,
                          .inverse_dt = 1.0 / dt,
                          .half = 0.5,
                          .p = pm,
                          .D = D,
                          .D1 = D,
                          .u = u,
                          .theta = theta,
                          .K = K ? local : NULL};
    wy_motion_load_node(rod, k->x, j, &point);
    for (int i = 0; i < 3; i++) {
        out[i] = v3_dot(D + 3 * i, point.moment);
        out[3 + i] = v3_dot(D + 3 * i, point.force);
    }
    if (power) {
        *power += v3_dot(point.force, u) + v3_dot(point.moment, theta);
        for (size_t i = 0; i < rod->def.loads.count; i++) {
            const wy_load *load = (const wy_load *)(const void *)rod->def.loads.items[i].entry;
            if (load->ledger != WY_LEDGER_DISSIPATED)
                continue;
            wy_node_load one = point;
            one.K = NULL;
            v3_set(one.force, 0.0, 0.0, 0.0);
            v3_set(one.moment, 0.0, 0.0, 0.0);
            wy_node_add_load(&one, rod, i, j);
            *drag -= v3_dot(one.force, u) + v3_dot(one.moment, theta);
        }
    }
    if (!K)
        return;
    /* A change of E turns the stage by phi = D H d omega: u and theta follow as vectors of the body, u also by dt D dv. The
     * loads' own derivative is by u and by the turn at the end of the step, twice that of the stage. */
    double H[9], T[36] = {0};
    stage_turn(H, E, dt);
    for (int c = 0; c < 3; c++) {
        double phi[3] = {0.0, 0.0, 0.0}, x[3];
        for (int l = 0; l < 3; l++)
            v3_axpy(phi, phi, H[3 * l + c], D + 3 * l);
        v3_cross(x, phi, u);
        for (int i = 0; i < 3; i++) {
            T[6 * i + c] = x[i];
            T[6 * (3 + i) + c] = 2.0 * phi[i];
            T[6 * i + 3 + c] = dt * D[3 * c + i];
        }
    }
    double P[36];
    multiply(P, local, T);
    for (int c = 0; c < 6; c++)
        for (int i = 0; i < 3; i++) { /* rows to the body frame, angular first */
            K[6 * i + c] = D[3 * i] * P[18 + c] + D[3 * i + 1] * P[24 + c] + D[3 * i + 2] * P[30 + c];
            K[6 * (3 + i) + c] = D[3 * i] * P[c] + D[3 * i + 1] * P[6 + c] + D[3 * i + 2] * P[12 + c];
        }
    add_turned(K, 0, out, H);
    add_turned(K, 3, out + 3, H);
}

static void stress(double s[6], const wy_motion *rod, size_t e, const double *X, const double *xi, double z) {
    for (size_t i = 0; i < 6; i++)
        s[i] = rod->stiffness[6 * e + i] * (X[i] - rod->xi_ref[6 * e + i]) +
               rod->viscosity[6 * e + i] * (X[i] - xi[i]) / z;
}

static void residual(stepping *k, double dt, bool tangent) {
    const wy_motion *rod = k->rod;
    const double z = 0.5 * dt, h = rod->h, alpha = rod->def.mass_damping;
    for (size_t j = 0; j < rod->nodes; j++) {
        const double *M = rod->inertia + 6 * j, *E = k->E + 6 * j, m = wy_vs_share(rod, j);
        double *r = k->rE + 6 * j, *load = k->load + 6 * j, Me[6], a[6];
        stage_quaternion(k->q + 4 * j, k->s.q + 4 * j, E, dt);
        for (int i = 0; i < 6; i++)
            Me[i] = M[i] * E[i];
        ad_transposed(a, E, Me);
        for (int i = 0; i < 6; i++)
            r[i] = m * (M[i] * (k->s.eta[6 * j + (size_t)i] - E[i]) + z * (a[i] - alpha * Me[i]));
        double g[3] = {0.0, 0.0, 0.0};
        if (rod->has_gravity)
            wy_quat_rotate_back(g, k->q + 4 * j, rod->gravity);
        for (int i = 0; i < 3; i++)
            r[3 + i] += z * m * M[5] * g[i];
        memset(load, 0, 6 * sizeof *load);
        if (tangent)
            memset(k->K + 36 * j, 0, 36 * sizeof *k->K);
        if (rod->has_loads || j == 0 || j + 1 == rod->nodes) {
            node_load(k, j, dt, load, tangent ? k->K + 36 * j : NULL, NULL, NULL);
            for (int i = 0; i < 6; i++)
                r[i] += z * load[i];
        }
        if (tangent && rod->has_gravity) {
            double w[3], H[9];
            v3_scale(w, m * M[5], g);
            stage_turn(H, E, dt);
            add_turned(k->K + 36 * j, 3, w, H);
        }
    }
    for (size_t e = 0; e < rod->elements; e++) {
        const double *X = k->X + 6 * e, *xi = k->s.xi + 6 * e, *Ea = k->E + 6 * e, *Eb = Ea + 6;
        double s[6], b[6], a[6], t[6], *ra = k->rE + 6 * e, *rb = ra + 6, *rX = k->rX + 6 * e;
        stress(s, rod, e, X, xi, z);
        ad_transposed(b, X, s);
        for (int i = 0; i < 6; i++)
            a[i] = 0.5 * (Ea[i] + Eb[i]);
        ad(t, X, a);
        for (int i = 0; i < 6; i++) {
            ra[i] += z * (s[i] - 0.5 * h * b[i]);
            rb[i] -= z * (s[i] + 0.5 * h * b[i]);
            rX[i] = xi[i] - X[i] + z * ((Eb[i] - Ea[i]) / h + t[i]);
        }
    }
    for (size_t j = 0; j < rod->nodes; j += rod->nodes - 1)
        if (wy_vs_held(rod, j))
            memset(k->rE + 6 * j, 0, 6 * sizeof *k->rE);
}

/* m M - z m G(E) + z m alpha M + z K, with G the derivative of ad_E^T M E: columns [M w]x - [w]x M ... */
static void node_block(double A[36], const stepping *k, size_t j, double z) {
    const wy_motion *rod = k->rod;
    const double *M = rod->inertia + 6 * j, *E = k->E + 6 * j, m = wy_vs_share(rod, j), alpha = rod->def.mass_damping;
    /* ad_E^T M E = [ (J w) x w + (rho A v) x v ; rho A v x w ]; the second term of the moment is zero */
    double Jw[3], v[3];
    for (int i = 0; i < 3; i++) {
        Jw[i] = M[i] * E[i];
        v[i] = M[5] * E[3 + i];
    }
    double G[36] = {0};
    /* d(Jw x w) = -[w]x J dw + [Jw]x dw */
    add_skew(G, 0, 0, 1.0, Jw);
    double S[36] = {0};
    add_skew(S, 0, 0, -1.0, E);
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < 3; l++)
            G[6 * i + l] += S[6 * i + l] * M[l];
    /* d(v x w) rho A = -[w]x rho A dv + [rho A v]x dw */
    add_skew(G, 3, 0, 1.0, v);
    add_skew(G, 3, 3, -M[5], E);
    for (int i = 0; i < 36; i++)
        A[i] += -z * m * G[i] + z * k->K[36 * j + (size_t)i];
    for (int i = 0; i < 6; i++)
        A[7 * i] += m * M[i] * (1.0 + z * alpha);
}

static bool factor(stepping *k, double dt) {
    const wy_motion *rod = k->rod;
    const double z = 0.5 * dt, h = rod->h;
    double D[36] = {0};
    for (size_t e = 0; e < rod->elements; e++) {
        pair *f = &k->f[e];
        node_block(D, k, e, z);
        if (wy_vs_held(rod, e))
            memset(D, 0, sizeof D);
        else if (!wy_inverse6(D)) {
            k->node = e;
            return false;
        }
        memcpy(f->Di, D, sizeof D);
        const double *X = k->X + 6 * e, *Ea = k->E + 6 * e, *Eb = Ea + 6;
        double s[6], a[6], P[36], A[36], T[36], W[36];
        stress(s, rod, e, X, k->s.xi + 6 * e, z);
        ad_matrix(A, X);
        for (int i = 0; i < 6; i++)
            for (int l = 0; l < 6; l++) /* ad^T (K + V/z) */
                P[6 * i + l] =
                    A[6 * l + i] * (rod->stiffness[6 * e + (size_t)l] + rod->viscosity[6 * e + (size_t)l] / z);
        /* derivative of ad_X^T s by X: [m x kappa + n x nu; n x kappa] */
        add_skew(P, 0, 0, 1.0, s);
        add_skew(P, 0, 3, 1.0, s + 3);
        add_skew(P, 3, 0, 1.0, s + 3);
        for (int i = 0; i < 36; i++) {
            f->B0[i] = 0.5 * z * A[i];
            f->B1[i] = 0.5 * z * A[i];
            f->Q0[i] = 0.5 * h * z * P[i];
            f->Q1[i] = 0.5 * h * z * P[i];
        }
        for (int i = 0; i < 6; i++) {
            const double kk = z * (rod->stiffness[6 * e + (size_t)i] + rod->viscosity[6 * e + (size_t)i] / z);
            f->B0[7 * i] -= z / h;
            f->B1[7 * i] += z / h;
            f->Q0[7 * i] -= kk;
            f->Q1[7 * i] += kk;
            a[i] = 0.5 * z * (Ea[i] + Eb[i]);
        }
        ad_matrix(T, a);
        for (int i = 0; i < 6; i++)
            T[7 * i] += 1.0;
        multiply(W, f->Di, f->Q0);
        multiply(A, f->B0, W);
        for (int i = 0; i < 36; i++)
            T[i] += A[i];
        if (!wy_inverse6(T)) {
            k->node = e;
            return false;
        }
        memcpy(f->Ti, T, sizeof T);
        multiply(W, T, f->B1);
        multiply(D, f->Q1, W);
    }
    node_block(D, k, rod->nodes - 1, z);
    if (wy_vs_held(rod, rod->nodes - 1))
        memset(D, 0, sizeof D);
    else if (!wy_inverse6(D)) {
        k->node = rod->nodes - 1;
        return false;
    }
    memcpy(k->tip, D, sizeof D);
    return true;
}

static void solve(stepping *k) {
    const wy_motion *rod = k->rod;
    for (size_t e = 0; e < rod->elements; e++) {
        const pair *f = &k->f[e];
        double t[6] = {0}, u[6] = {0};
        apply(t, 1.0, f->Di, k->rE + 6 * e);
        apply(k->rX + 6 * e, 1.0, f->B0, t);
        apply(u, 1.0, f->Ti, k->rX + 6 * e);
        apply(k->rE + 6 * e + 6, -1.0, f->Q1, u);
    }
    double t[6] = {0}, *last = k->rE + 6 * rod->elements;
    apply(t, 1.0, k->tip, last);
    memcpy(last, t, sizeof t);
    for (size_t e = rod->elements; e-- > 0;) {
        const pair *f = &k->f[e];
        double d[6] = {0}, r[6], y[6] = {0};
        apply(k->rX + 6 * e, 1.0, f->B1, k->rE + 6 * e + 6);
        apply(d, 1.0, f->Ti, k->rX + 6 * e);
        memcpy(k->rX + 6 * e, d, sizeof d);
        memcpy(r, k->rE + 6 * e, sizeof r);
        apply(r, -1.0, f->Q0, d);
        apply(y, 1.0, f->Di, r);
        memcpy(k->rE + 6 * e, y, sizeof y);
    }
}

/* Newton. The size of a correction is that of the motion it makes in the step: dt v/L, dt omega, and L kappa, nu. */
static bool newton(stepping *k, double dt) {
    const wy_motion *rod = k->rod;
    const wy_motion_newton *settings = wy_motion_newton_of(rod);
    const size_t n = rod->nodes, e = rod->elements;
    const double L = rod->def.length;
    memcpy(k->E, k->s.eta, 6 * n * sizeof *k->E);
    memcpy(k->X, k->s.xi, 6 * e * sizeof *k->X);
    double before = HUGE_VAL;
    for (k->iterations = 1; k->iterations <= settings->max_iterations; k->iterations++) {
        residual(k, dt, true);
        if (!factor(k, dt))
            return false;
        solve(k);
        double most = 0.0;
        for (size_t i = 0; i < 6 * n; i++) {
            const double size = fabs(k->rE[i]) * dt * (i % 6 < 3 ? 1.0 : 1.0 / L);
            k->E[i] += k->rE[i];
            if (!(size <= most)) {
                most = isfinite(size) ? size : HUGE_VAL;
                k->node = i / 6;
            }
        }
        for (size_t i = 0; i < 6 * e; i++) {
            const double size = fabs(k->rX[i]) * (i % 6 < 3 ? L : 1.0);
            k->X[i] += k->rX[i];
            if (!(size <= most)) {
                most = isfinite(size) ? size : HUGE_VAL;
                k->node = i / 6;
            }
        }
        k->change = most;
        if (!(most < 1e8))
            return false;
        const double ratio = most / before;
        if (most <= settings->tolerance || (k->iterations > 1 && ratio < 0.5 && most * ratio <= settings->tolerance) ||
            (ratio >= 0.5 && most <= 1e-12))
            return true;
        before = most;
    }
    k->iterations--;
    return false;
}

static void accept(stepping *k, double dt) {
    const wy_motion *rod = k->rod;
    const double z = 0.5 * dt;
    double work = 0.0, lost = 0.0, lost_to_drag = 0.0;
    for (size_t j = 0; j < rod->nodes; j++) {
        double *q = k->s.q + 4 * j, Q[4], v[3], w[6];
        const double *E = k->E + 6 * j, *M = rod->inertia + 6 * j;
        stage_quaternion(k->q + 4 * j, q, E, dt);
        if (rod->has_loads || j == 0 || j + 1 == rod->nodes)
            node_load(k, j, dt, w, NULL, &work, &lost_to_drag);
        for (int i = 0; i < 6; i++)
            lost += dt * rod->def.mass_damping * wy_vs_share(rod, j) * M[i] * E[i] * E[i];
        wy_quat_rotate(v, k->q + 4 * j, E + 3);
        v3_axpy(k->s.p + 3 * j, k->s.p + 3 * j, dt, v);
        /* q+ = q (1, w)^2/(1 + |w|^2): twice the half turn of the stage */
        const double c[4] = {1.0, 0.25 * dt * E[0], 0.25 * dt * E[1], 0.25 * dt * E[2]};
        wy_quat_product(Q, q, c);
        wy_quat_product(Q, Q, c);
        wy_quat_normalize(q, Q);
        for (int i = 0; i < 6; i++)
            k->s.eta[6 * j + (size_t)i] = wy_vs_held(rod, j) ? 0.0 : 2.0 * E[i] - k->s.eta[6 * j + (size_t)i];
    }
    for (size_t i = 0; i < 6 * rod->elements; i++) {
        const double rate = (k->X[i] - k->s.xi[i]) / z;
        lost += rod->h * dt * rod->viscosity[i] * rate * rate;
        k->s.xi[i] = 2.0 * k->X[i] - k->s.xi[i];
    }
    wy_book(k->x, WY_STATE_WORK, work + lost_to_drag);
    wy_book(k->x, WY_STATE_DISSIPATED, lost + lost_to_drag);
    k->x[WY_STATE_TIME] += dt;
}

static bool advance(stepping *k, double dt, int64_t halvings) {
    const bool ok = newton(k, dt);
    k->x[WY_STATE_ITERATIONS] += k->iterations;
    if (ok) {
        accept(k, dt);
        return true;
    }
    k->failed_at = k->x[WY_STATE_TIME];
    k->failed_dt = dt;
    if (halvings <= 0)
        return false;
    k->x[WY_STATE_RETRIES] += 1.0;
    k->x[WY_STATE_HALVINGS] += 1.0;
    return advance(k, 0.5 * dt, halvings - 1) && advance(k, 0.5 * dt, halvings - 1);
}

wy_status wy_vs_step(const wy_motion *rod, double *x, double *work, double dt, wy_error *err) {
    stepping k = stepping_of(rod, x, work);
    const size_t bytes = (WY_STATE_HEAD + wy_vs_state_size(rod)) * sizeof *x;
    memcpy(k.backup, x, bytes);
    const double before = x[WY_STATE_TIME];
    if (advance(&k, dt, wy_motion_newton_of(rod)->halvings)) {
        x[WY_STATE_TIME] = before + dt;
        return WY_OK;
    }
    const long long step = (long long)x[WY_STATE_STEPS] + 1;
    memcpy(x, k.backup, bytes);
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "t = %.9g s, step %lld: Newton fails even for a step of %.3g s (correction %.3g after %d iterations, "
        "largest at node %zu of %zu)",
        k.failed_at, step, k.failed_dt, k.change, k.iterations, k.node, rod->nodes);
}
