/* Strain, force and tangent of the two-node director element. docs/math/dynamics.md, "The element". */
#include "motion/exact_energy/director_element.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec3.h"

/* Weights of the half-angle tangent t in the strains: kappa = ((1-BK) s + 2 BK t)/h, nu^ = nu - BN t x (t x nu). With
 * 2/3 both agree with the exact logarithm of the relative pose up to the fourth power of the angle. */
static const double BK = 2.0 / 3.0, BN = 2.0 / 3.0;

/* nu = 1/2 (D_a + D_b)^T dp/h,   s = 1/2 axl(D_a^T D_b),   c = (tr(D_a^T D_b) - 1)/2                          (4.5)
 * t = s/(1+c),   a = t x nu                                                                                  (4.6)
 * kappa = (s + 4 t)/(3 h),   nu^ = nu - 2/3 t x a                                                            (4.7) */
void wy_director_strain_of(wy_director_strain *y, const double Da[9], const double Db[9], const double dp[3],
                           double h) {
    const double *a1 = Da, *a2 = Da + 3, *a3 = Da + 6, *b1 = Db, *b2 = Db + 3, *b3 = Db + 6;
    for (int k = 0; k < 3; k++)
        y->nu[k] = 0.5 / h * (v3_dot(Da + 3 * k, dp) + v3_dot(Db + 3 * k, dp));
    y->s[0] = 0.5 * (v3_dot(a3, b2) - v3_dot(a2, b3));
    y->s[1] = 0.5 * (v3_dot(a1, b3) - v3_dot(a3, b1));
    y->s[2] = 0.5 * (v3_dot(a2, b1) - v3_dot(a1, b2));
    y->c = 0.5 * (v3_dot(a1, b1) + v3_dot(a2, b2) + v3_dot(a3, b3) - 1.0);
    const double q = 1.0 / (1.0 + y->c);
    v3_scale(y->t, q, y->s);
    v3_cross(y->a, y->t, y->nu);
    double ta[3];
    v3_cross(ta, y->t, y->a);
    for (int i = 0; i < 3; i++) {
        y->eps[i] = ((1.0 - BK) * y->s[i] + 2.0 * BK * y->t[i]) / h;
        y->eps[3 + i] = y->nu[i] - BN * ta[i];
    }
}

void wy_director_stress(double sigma[6], const wy_director_element *e, const wy_director_strain *y0,
                        const wy_director_strain *y1, double inverse_dt) {
    for (int i = 0; i < 6; i++)
        sigma[i] =
            e->C[i] * (0.5 * (y0->eps[i] + y1->eps[i]) - e->ref[i]) + e->V[i] * inverse_dt * (y1->eps[i] - y0->eps[i]);
}

/* What the force needs besides the stress: means over the step. */
typedef struct means {
    double t[3], nu[3], a[3], q;
} means;

static inline means mean_of(const wy_director_strain *y0, const wy_director_strain *y1) {
    means m;
    for (int i = 0; i < 3; i++) {
        m.t[i] = 0.5 * (y0->t[i] + y1->t[i]);
        m.nu[i] = 0.5 * (y0->nu[i] + y1->nu[i]);
        m.a[i] = 0.5 * (y0->a[i] + y1->a[i]);
    }
    m.q = 1.0 / (1.0 + 0.5 * (y0->c + y1->c));
    return m;
}

/* z, conjugate to the change of (nu, s, c): z.(y1 - y0) = sigma.(eps1 - eps0), exactly, by the product rule of means.
 *   z_nu = n - 2/3 t x (t x n),   z_t = 2/3 (nu x (t x n) - a x n) + 4/3 m/h
 *   z_s = m/(3h) + q z_t,   z_c = -q t.z_t,   q = 1/(1+c)                                              (4.8)
 * with bars over t, nu, a, c left out; sigma = [m; n]. */
typedef struct conjugate {
    double nu[3], s[3], c;
    double tn[3], t[3], t_dot; /* t x n, z_t, t.z_t */
} conjugate;

static inline conjugate conjugate_of(const double sigma[6], const means *b, double h) {
    const double *m = sigma, *n = sigma + 3;
    conjugate z;
    double ttn[3], vtn[3], an[3];
    v3_cross(z.tn, b->t, n);
    v3_cross(ttn, b->t, z.tn);
    v3_cross(vtn, b->nu, z.tn);
    v3_cross(an, b->a, n);
    for (int i = 0; i < 3; i++) {
        z.nu[i] = n[i] - BN * ttn[i];
        z.t[i] = BN * (vtn[i] - an[i]) + 2.0 * BK / h * m[i];
        z.s[i] = (1.0 - BK) / h * m[i] + b->q * z.t[i];
    }
    z.t_dot = v3_dot(b->t, z.t);
    z.c = -b->q * z.t_dot;
    return z;
}

/* Rows that carry a turn theta_a - theta_b to the change of (s1, s2, s3, c):
 *   s_k: 1/2 (a_q x b_l - a_l x b_q), (k, l, q) cyclic;   c: 1/2 sum a_k x b_k */
static inline void turn_rows(double W[4][3], const double Da[9], const double Db[9]) {
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, q = (k + 2) % 3;
        double x[3], y[3];
        v3_cross(x, Da + 3 * q, Db + 3 * l);
        v3_cross(y, Da + 3 * l, Db + 3 * q);
        for (int i = 0; i < 3; i++)
            W[k][i] = 0.5 * (x[i] - y[i]);
    }
    double sum[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        double x[3];
        v3_cross(x, Da + 3 * k, Db + 3 * k);
        v3_add(sum, sum, x);
    }
    v3_scale(W[3], 0.5, sum);
}

/* y = D x for directors D: x in the frame, y in space */
static inline void frame_out(double y[3], const double D[9], const double x[3]) {
    for (int i = 0; i < 3; i++)
        y[i] = D[i] * x[0] + D[3 + i] * x[1] + D[6 + i] * x[2];
}

void wy_director_force(double f[9], const double sigma[6], const wy_director_strain *y0, const wy_director_strain *y1,
                       const double Da[9], const double Db[9], const double dp[3], double h) {
    const means b = mean_of(y0, y1);
    const conjugate z = conjugate_of(sigma, &b, h);
    double W[4][3], aN[3], bN[3], ta[3], tb[3];
    turn_rows(W, Da, Db);
    frame_out(aN, Da, z.nu);
    frame_out(bN, Db, z.nu);
    v3_cross(ta, aN, dp);
    v3_cross(tb, bN, dp);
    for (int i = 0; i < 3; i++) {
        const double mu = h * (W[0][i] * z.s[0] + W[1][i] * z.s[1] + W[2][i] * z.s[2] + W[3][i] * z.c);
        f[i] = 0.5 * (aN[i] + bN[i]);
        f[3 + i] = 0.5 * ta[i] + mu;
        f[6 + i] = 0.5 * tb[i] - mu;
    }
}

/* Six derivatives: by the change of nu (3) and by the turn phi_a - phi_b (3), at the new configuration. */
typedef double lanes[6];

/* out = x cross Y, lane by lane */
static inline void cross_lanes(lanes out[3], const double x[3], lanes Y[3]) {
    for (int j = 0; j < 6; j++) {
        out[0][j] = x[1] * Y[2][j] - x[2] * Y[1][j];
        out[1][j] = x[2] * Y[0][j] - x[0] * Y[2][j];
        out[2][j] = x[0] * Y[1][j] - x[1] * Y[0][j];
    }
}

/* Derivatives P of z_nu (3 rows) and Z of (z_s, z_c) (4 rows). W1: turn_rows of the new configuration. */
static inline void conjugate_derivative(lanes P[3], lanes Z[4], const wy_director_element *e, const double lagged[6],
                                        const wy_director_strain *y1, double W1[4][3], const means *b,
                                        const conjugate *z, double h, double half, double inverse_dt) {
    const double *n = lagged + 3, *t1 = y1->t, *nu1 = y1->nu, q1 = 1.0 / (1.0 + y1->c), q = b->q;
    lanes dT[3] = {{0}}, dN[3] = {{0}}, dA[3], dn[3], dm[3], x[3], y[3], dtn[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            dT[i][3 + j] = q1 * (W1[i][j] - t1[i] * W1[3][j]);
        dN[i][i] = 1.0;
    }
    for (int j = 0; j < 3; j++) { /* d(t x nu) = t x dnu - nu x dt */
        dA[0][3 + j] = nu1[2] * dT[1][3 + j] - nu1[1] * dT[2][3 + j];
        dA[1][3 + j] = nu1[0] * dT[2][3 + j] - nu1[2] * dT[0][3 + j];
        dA[2][3 + j] = nu1[1] * dT[0][3 + j] - nu1[0] * dT[1][3 + j];
    }
    dA[0][0] = dA[1][1] = dA[2][2] = 0.0;
    dA[0][1] = -t1[2];
    dA[0][2] = t1[1];
    dA[1][0] = t1[2];
    dA[1][2] = -t1[0];
    dA[2][0] = -t1[1];
    dA[2][1] = t1[0];
    cross_lanes(x, t1, dA);
    cross_lanes(y, y1->a, dT);
    for (int i = 0; i < 3; i++) {
        const double cn = half * e->C[3 + i] + e->V[3 + i] * inverse_dt,
                     cm = (half * e->C[i] + e->V[i] * inverse_dt) / h;
        for (int j = 0; j < 6; j++) {
            dn[i][j] = cn * (dN[i][j] - BN * (x[i][j] - y[i][j]));
            dm[i][j] = cm * 2.0 * BK * dT[i][j];
        }
        for (int j = 0; j < 3; j++)
            dm[i][3 + j] += cm * (1.0 - BK) * W1[i][j];
    }
    cross_lanes(x, b->t, dn);
    cross_lanes(y, n, dT);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++)
            dtn[i][j] = x[i][j] - half * y[i][j];
    cross_lanes(x, b->t, dtn);
    cross_lanes(y, z->tn, dT);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++)
            P[i][j] = dn[i][j] - BN * (x[i][j] - half * y[i][j]);
    lanes w1[3], w2[3], dot = {0};
    cross_lanes(x, b->nu, dtn);
    cross_lanes(y, z->tn, dN);
    cross_lanes(w1, b->a, dn);
    cross_lanes(w2, n, dA);
    const double dq = -half * q * q; /* by c */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 6; j++) {
            const double dzt = BN * (x[i][j] - half * y[i][j] - w1[i][j] + half * w2[i][j]) + 2.0 * BK / h * dm[i][j];
            Z[i][j] = (1.0 - BK) / h * dm[i][j] + q * dzt;
            dot[j] += b->t[i] * dzt + half * z->t[i] * dT[i][j];
        }
        for (int j = 0; j < 3; j++)
            Z[i][3 + j] += z->t[i] * dq * W1[3][j];
    }
    for (int j = 0; j < 6; j++)
        Z[3][j] = -q * dot[j];
    for (int j = 0; j < 3; j++)
        Z[3][3 + j] -= z->t_dot * dq * W1[3][j];
}

/* K += factor [v]x in the 3 x 3 block at (i, j) */
static inline void add_skew(double *K, int i, int j, double factor, const double v[3]) {
    double *k = K + 9 * i + j;
    k[1] -= factor * v[2];
    k[2] += factor * v[1];
    k[9] += factor * v[2];
    k[11] -= factor * v[0];
    k[18] -= factor * v[1];
    k[19] += factor * v[0];
}

/* Rows N (3 x 9) that carry x to the change of h nu: N_k = 1/2 (a_k + b_k | a_k x dp | b_k x dp) */
static inline void stretch_rows(double N[3][9], const double Da[9], const double Db[9], const double dp[3]) {
    for (int k = 0; k < 3; k++) {
        const double *a = Da + 3 * k, *b = Db + 3 * k;
        double x[3], y[3];
        v3_cross(x, a, dp);
        v3_cross(y, b, dp);
        for (int i = 0; i < 3; i++) {
            N[k][i] = 0.5 * (a[i] + b[i]);
            N[k][3 + i] = 0.5 * x[i];
            N[k][6 + i] = 0.5 * y[i];
        }
    }
}

/* The part of the tangent that comes from the turning of the rows themselves, with z held:
 *   X = h (z_c I - [z_s]x),  mu = 1/2 axl(D_b X D_a^T) */
static inline void geometric(double K[81], const conjugate *z, const double Da[9], const double Db[9],
                             const double dp[3], const double Da1[9], const double Db1[9], double h, double half) {
    const double g = 0.5 * half;
    double A1[3], B1[3], A[3], B[3];
    frame_out(A1, Da1, z->nu);
    frame_out(B1, Db1, z->nu);
    frame_out(A, Da, z->nu);
    frame_out(B, Db, z->nu);
    add_skew(K, 0, 3, -g, A1);
    add_skew(K, 0, 6, -g, B1);
    add_skew(K, 3, 0, g, A);
    add_skew(K, 6, 0, g, B);
    const double da = v3_dot(dp, A1), db = v3_dot(dp, B1);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) { /* [dp]x [v]x = v dp^T - (v.dp) I */
            K[9 * (3 + i) + 3 + j] += g * A1[i] * dp[j];
            K[9 * (6 + i) + 6 + j] += g * B1[i] * dp[j];
        }
        K[9 * (3 + i) + 3 + i] -= g * da;
        K[9 * (6 + i) + 6 + i] -= g * db;
    }
    const double m[3] = {h * z->s[0], h * z->s[1], h * z->s[2]}, e = h * z->c;
    const double X[3][3] = {{e, m[2], -m[1]}, {-m[2], e, m[0]}, {m[1], -m[0], e}};
    double P[9], Q[9]; /* P = Da1 X^T as directors, Q = Db1 X */
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            P[3 * k + i] = Da1[i] * X[k][0] + Da1[3 + i] * X[k][1] + Da1[6 + i] * X[k][2];
            Q[3 * k + i] = Db1[i] * X[0][k] + Db1[3 + i] * X[1][k] + Db1[6 + i] * X[2][k];
        }
    double G1[3][3], G2[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            G1[i][j] = P[i] * Db[j] + P[3 + i] * Db[3 + j] + P[6 + i] * Db[6 + j];
            G2[i][j] = Q[i] * Da[j] + Q[3 + i] * Da[3 + j] + Q[6 + i] * Da[6 + j];
        }
    const double t1 = G1[0][0] + G1[1][1] + G1[2][2], t2 = G2[0][0] + G2[1][1] + G2[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double ma = g * (G1[i][j] - (i == j ? t1 : 0.0)), mb = -g * (G2[i][j] - (i == j ? t2 : 0.0));
            K[9 * (3 + i) + 3 + j] += ma;
            K[9 * (3 + i) + 6 + j] += mb;
            K[9 * (6 + i) + 3 + j] -= ma;
            K[9 * (6 + i) + 6 + j] -= mb;
        }
}

/* f = N^T z_nu + (0 | I | -I)^T g, g = h W^T (z_s, z_c), with the rows N, W at the middle. The change of nu is N1 x/h, the
 * turn is (0 | I | -I) x. */
void wy_director_tangent(double K[81], const wy_director_element *e, const double lagged[6],
                         const wy_director_strain *y0, const wy_director_strain *y1, const double Da[9],
                         const double Db[9], const double dp[3], const double Da1[9], const double Db1[9],
                         const double dp1[3], double h, double half, double inverse_dt) {
    const means b = mean_of(y0, y1);
    const conjugate z = conjugate_of(lagged, &b, h);
    lanes P[3], Z[4];
    double N[3][9], N1[3][9], W[4][3], W1[4][3];
    stretch_rows(N, Da, Db, dp);
    stretch_rows(N1, Da1, Db1, dp1);
    turn_rows(W, Da, Db);
    turn_rows(W1, Da1, Db1);
    conjugate_derivative(P, Z, e, lagged, y1, W1, &b, &z, h, half, inverse_dt);
    double T[6][9]; /* derivatives of z_nu and g by x */
    const double ih = 1.0 / h;
    for (int i = 0; i < 6; i++) {
        double row[6];
        for (int j = 0; j < 6; j++)
            row[j] = i < 3 ? P[i][j]
                           : h * (W[0][i - 3] * Z[0][j] + W[1][i - 3] * Z[1][j] + W[2][i - 3] * Z[2][j] +
                                  W[3][i - 3] * Z[3][j]);
        for (int j = 0; j < 9; j++)
            T[i][j] = ih * (row[0] * N1[0][j] + row[1] * N1[1][j] + row[2] * N1[2][j]);
        for (int j = 0; j < 3; j++) {
            T[i][3 + j] += row[3 + j];
            T[i][6 + j] -= row[3 + j];
        }
    }
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            K[9 * i + j] = N[0][i] * T[0][j] + N[1][i] * T[1][j] + N[2][i] * T[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 9; j++) {
            K[9 * (3 + i) + j] += T[3 + i][j];
            K[9 * (6 + i) + j] -= T[3 + i][j];
        }
    geometric(K, &z, Da, Db, dp, Da1, Db1, h, half);
}

void wy_director_stress_change(double dsigma[6], const wy_director_element *e, const wy_director_strain *y1,
                               const double Da1[9], const double Db1[9], const double dp1[3], const double x[9],
                               double h, double half, double inverse_dt) {
    double N[3][9], W[4][3], dnu[3], ds[3], dc, dt[3], da[3], u[3], v[3];
    stretch_rows(N, Da1, Db1, dp1);
    turn_rows(W, Da1, Db1);
    double turn[3];
    v3_sub(turn, x + 3, x + 6);
    for (int k = 0; k < 3; k++) {
        double sum = 0.0;
        for (int j = 0; j < 9; j++)
            sum += N[k][j] * x[j];
        dnu[k] = sum / h;
        ds[k] = v3_dot(W[k], turn);
    }
    dc = v3_dot(W[3], turn);
    const double q = 1.0 / (1.0 + y1->c);
    for (int i = 0; i < 3; i++)
        dt[i] = q * (ds[i] - y1->t[i] * dc);
    v3_cross(u, dt, y1->nu);
    v3_cross(v, y1->t, dnu);
    v3_add(da, u, v);
    v3_cross(u, dt, y1->a);
    v3_cross(v, y1->t, da);
    for (int i = 0; i < 3; i++) {
        const double dkappa = ((1.0 - BK) * ds[i] + 2.0 * BK * dt[i]) / h, dn = dnu[i] - BN * (u[i] + v[i]);
        dsigma[i] = (half * e->C[i] + e->V[i] * inverse_dt) * dkappa;
        dsigma[3 + i] = (half * e->C[3 + i] + e->V[3 + i] * inverse_dt) * dn;
    }
}

/* |kappa| h = ((1-BK) sin phi + 2 BK tan(phi/2)) rises with the angle phi in (0, pi): Newton finds it. Then t is known,
 * and nu = (I - BN [t]x^2)^-1 nu^, dp = 2 h (D_a + D_b)^-T nu = 2 h D_a (I + Q)^-T nu. */
void wy_director_integrate(double Db[9], double dp[3], const double Da[9], const double eps[6], double h) {
    double k[3];
    v3_scale(k, h, eps);
    const double size = v3_norm(k);
    double phi = size < 2.0 ? size : 2.0; /* below the root's inflection: Newton climbs monotonically */
    for (int it = 0; it < 60 && size > 0.0; it++) {
        const double c2 = wy_cos(0.5 * phi);
        const double f = (1.0 - BK) * wy_sin(phi) + 2.0 * BK * wy_tan(0.5 * phi) - size;
        const double df = (1.0 - BK) * wy_cos(phi) + BK / (c2 * c2);
        double next = phi - f / df;
        if (!(next > 0.0))
            next = 0.5 * phi;
        if (next >= 3.141592653589793)
            next = 0.5 * (phi + 3.141592653589793);
        const double change = fabs(next - phi);
        phi = next;
        if (change <= 1e-16 * phi)
            break;
    }
    double t[3] = {0.0, 0.0, 0.0};
    if (size > 0.0)
        v3_scale(t, wy_tan(0.5 * phi) / size, k);
    /* Q = cay(2 t): b_j = D_a Q e_j */
    const double t2 = v3_dot(t, t), g = 2.0 / (1.0 + t2);
    for (int j = 0; j < 3; j++) {
        double e[3] = {0.0, 0.0, 0.0}, x[3], y[3];
        e[j] = 1.0;
        v3_cross(x, t, e);
        v3_cross(y, t, x);
        for (int i = 0; i < 3; i++)
            e[i] += g * (x[i] + y[i]);
        frame_out(Db + 3 * j, Da, e);
    }
    /* (I + BN (t2 I - t t^T)) nu = nu^ */
    const double *n = eps + 3;
    const double f = 1.0 / (1.0 + BN * t2), along = v3_dot(t, n) * BN * f;
    double nu[3], w[3], x[3];
    for (int i = 0; i < 3; i++)
        nu[i] = f * n[i] + along * t[i];
    /* (I + Q)/2 = (I + t t^T + [t]x)/(1 + t2); its transpose inverted is I + [t]x (check: (I + tt^T - [t]x)(I + [t]x) =
     * (1 + t2) I) */
    v3_cross(x, t, nu);
    v3_add(w, nu, x);
    v3_scale(w, h, w);
    frame_out(dp, Da, w);
}
