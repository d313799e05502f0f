/* Poses of sections: exponentials and logarithms along the rod, directors and quaternions. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/rod_internal.h"

void wy_directors_from_quat(double D[9], const double q[4]) {
    double R[9];
    wy_quat_to_matrix(R, q);
    for (int k = 0; k < 3; k++)
        v3_set(D + 3 * k, R[k], R[3 + k], R[6 + k]);
}

void wy_quat_from_directors(double q[4], const double D[9]) {
    const double R[9] = {D[0], D[3], D[6], D[1], D[4], D[7], D[2], D[5], D[8]};
    wy_quat_from_matrix(q, R);
}

/* cay(theta) d = d + theta x (d + 1/2 theta x d)/(1 + |theta|^2/4) */
void wy_directors_cayley(double D1[9], const double theta[3], const double D[9]) {
    const double f = 1.0 / (1.0 + 0.25 * v3_dot(theta, theta));
    for (int k = 0; k < 3; k++) {
        double a[3], b[3], d[3];
        v3_cross(a, theta, D + 3 * k);
        v3_axpy(d, D + 3 * k, 0.5, a);
        v3_cross(b, theta, d);
        v3_axpy(D1 + 3 * k, D + 3 * k, f, b);
    }
}

void wy_directors_cayley_inverse(double theta[3], const double D1[9], const double D[9]) {
    /* R = sum d1_k d_k^T; theta = 2 axl(R)/(1 + tr R) with axl the full antisymmetric part */
    double axial[3] = {0.0, 0.0, 0.0}, trace = 0.0;
    for (int k = 0; k < 3; k++) {
        double c[3];
        v3_cross(c, D + 3 * k, D1 + 3 * k);
        v3_add(axial, axial, c);
        trace += v3_dot(D + 3 * k, D1 + 3 * k);
    }
    v3_scale(theta, 2.0 / (1.0 + trace), axial);
}

/* Coefficients of the exponential: (1 - cos x)/x^2 and (x - sin x)/x^3. */
static void coefficients(double *A, double *B, double x2) {
    if (x2 < 1e-2) { /* six terms: 1e-2^6/14! */
        *A = 0.5 - x2 / 24.0 * (1.0 - x2 / 30.0 * (1.0 - x2 / 56.0 * (1.0 - x2 / 90.0)));
        *B = (1.0 - x2 / 20.0 * (1.0 - x2 / 42.0 * (1.0 - x2 / 72.0 * (1.0 - x2 / 110.0)))) / 6.0;
    } else {
        const double x = sqrt(x2), s = wy_sin(0.5 * x);
        *A = 2.0 * s * s / x2;
        *B = (x - wy_sin(x)) / (x2 * x);
    }
}

void wy_pose_exp(double p[3], double D[9], const double xi[6], double h) {
    double phi[3], v[3], a[3], b[3], A, B, q[4], d[9];
    v3_scale(phi, h, xi);
    v3_scale(v, h, xi + 3);
    coefficients(&A, &B, v3_dot(phi, phi));
    v3_cross(a, phi, v);
    v3_cross(b, phi, a);
    for (int i = 0; i < 3; i++)
        v[i] += A * a[i] + B * b[i];
    for (int i = 0; i < 3; i++)
        p[i] += D[i] * v[0] + D[3 + i] * v[1] + D[6 + i] * v[2];
    wy_quat_exp(q, phi);
    for (int k = 0; k < 3; k++) {
        double e[3] = {0.0, 0.0, 0.0};
        e[k] = 1.0;
        wy_quat_rotate(e, q, e);
        for (int i = 0; i < 3; i++)
            d[3 * k + i] = D[i] * e[0] + D[3 + i] * e[1] + D[6 + i] * e[2];
    }
    memcpy(D, d, sizeof d);
}

void wy_pose_log(double xi[6], const double pa[3], const double Da[9], const double pb[3], const double Db[9],
                 double h) {
    double Q[9], q[4], phi[3], dp[3], x[3], a[3], b[3];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            Q[3 * i + j] = v3_dot(Da + 3 * i, Db + 3 * j);
    wy_quat_from_matrix(q, Q);
    wy_quat_log(phi, q);
    v3_sub(dp, pb, pa);
    for (int i = 0; i < 3; i++)
        x[i] = v3_dot(Da + 3 * i, dp);
    /* V^-1 = I - 1/2 [phi] + g [phi]^2, g = (1 - (phi/2) cot(phi/2))/phi^2 */
    const double f2 = v3_dot(phi, phi), f = sqrt(f2);
    const double g = f2 < 1e-2 ? (1.0 + f2 / 60.0 * (1.0 + f2 / 42.0 * (1.0 + f2 / 40.0))) / 12.0
                               : (1.0 - 0.5 * f / wy_tan(0.5 * f)) / f2;
    v3_cross(a, phi, x);
    v3_cross(b, phi, a);
    for (int i = 0; i < 3; i++) {
        xi[i] = phi[i] / h;
        xi[3 + i] = (x[i] - 0.5 * a[i] + g * b[i]) / h;
    }
}

/* Fourth-order Magnus for g' = g xi^: Omega = h/2 (a + b) + sqrt(3)/12 h^2 ad_a b with a, b at the two Gauss points. */
void wy_shape_advance(double p[3], double D[9], const wy_shape *shape, const void *config, double s, double h,
                      double length, int substeps) {
    const double d = h / substeps, g = 0.28867513459481287 * d;
    for (int m = 0; m < substeps; m++) {
        double a[6], b[6], x[3], y[3], xi[6];
        const double middle = s + (m + 0.5) * d;
        shape->strain(a, config, middle - g, length);
        shape->strain(b, config, middle + g, length);
        const double f = 0.14433756729740643 * d;
        v3_cross(x, a, b);
        for (int i = 0; i < 3; i++)
            xi[i] = 0.5 * (a[i] + b[i]) + f * x[i];
        v3_cross(x, a + 3, b);
        v3_cross(y, a, b + 3);
        for (int i = 0; i < 3; i++)
            xi[3 + i] = 0.5 * (a[3 + i] + b[3 + i]) + f * (x[i] + y[i]);
        wy_pose_exp(p, D, xi, d);
    }
}
