/* Poses of sections: exponentials and logarithms along the rod, directors and quaternions. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/motion_internal.h"

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

/* omega of the rotation vector a(t): a. + (1 - cos x)/x^2 a x a. + (x - sin x)/x^3 a x (a x a.) */
void wy_motion_spin_of(double omega[3], const double a[3], const double rate[3]) {
    const double x2 = v3_dot(a, a), x = sqrt(x2);
    const double B = x < 1e-3 ? 0.5 - x2 / 24.0 : (1.0 - wy_cos(x)) / x2;
    const double C = x < 1e-2 ? 1.0 / 6.0 - x2 / 120.0 : (x - wy_sin(x)) / (x2 * x);
    double b[3], c[3];
    v3_cross(b, a, rate);
    v3_cross(c, a, b);
    for (int i = 0; i < 3; i++)
        omega[i] = rate[i] + B * b[i] + C * c[i];
}

/* a. = omega - a x omega/2 + (1/x^2 - (1 + cos x)/(2 x sin x)) a x (a x omega) */
void wy_motion_rate_of(double rate[3], const double a[3], const double omega[3]) {
    const double x2 = v3_dot(a, a), x = sqrt(x2);
    const double C = x < 1e-2 ? 1.0 / 12.0 + x2 / 720.0 : 1.0 / x2 - (1.0 + wy_cos(x)) / (2.0 * x * wy_sin(x));
    double b[3], c[3];
    v3_cross(b, a, omega);
    v3_cross(c, a, b);
    for (int i = 0; i < 3; i++)
        rate[i] = omega[i] - 0.5 * b[i] + C * c[i];
}
