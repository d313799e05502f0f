/* Rigid motions. exp [kappa; nu] = (exp kappa, V nu), with a = |kappa|:
 *
 *   V      = I + (1 - cos a)/a^2 [kappa]x + (a - sin a)/a^3 [kappa]x^2
 *   V^{-1} = I - 1/2 [kappa]x + (1 - (a/2) cot(a/2))/a^2 [kappa]x^2
 *
 * Below a = 1/2 the coefficients of [kappa]x^2 are power series, truncated below round-off. */
#include <withy/se3.h>

#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"

/* (a - sin a)/a^3 = 1/3! - a^2/5! + a^4/7! - ... */
static double sine_remainder(double a) {
    if (a >= 0.5)
        return (a - wy_sin(a)) / (a * a * a);
    const double b = a * a;
    return (1.0 - b / 20.0 *
                      (1.0 - b / 42.0 * (1.0 - b / 72.0 * (1.0 - b / 110.0 * (1.0 - b / 156.0 * (1.0 - b / 210.0)))))) /
           6.0;
}

/* (1 - (a/2) cot(a/2))/a^2 = sum |B_2k| a^(2k-2)/(2k)!, with the Bernoulli numbers B_2k. */
static double cotangent_remainder(double a) {
    if (a >= 0.5) {
        const double half = 0.5 * a;
        return (1.0 - half * wy_cos(half) / wy_sin(half)) / (a * a);
    }
    static const double c[] = {1.0 / 12.0,          1.0 / 720.0,
                               1.0 / 30240.0,       1.0 / 1209600.0,
                               1.0 / 47900160.0,    691.0 / 1307674368000.0,
                               1.0 / 74724249600.0, 3617.0 / 10670622842880000.0};
    const double b = a * a;
    double sum = 0.0;
    for (int k = 7; k >= 0; k--)
        sum = sum * b + c[k];
    return sum;
}

/* y = v + first kappa x v + second kappa x (kappa x v). */
static void apply_v_series(double y[3], const double kappa[3], double first, double second, const double v[3]) {
    double once[3], twice[3];
    v3_cross(once, kappa, v);
    v3_cross(twice, kappa, once);
    for (int i = 0; i < 3; i++)
        y[i] = v[i] + first * once[i] + second * twice[i];
}

void wy_se3_exp(double q[4], double x[3], const double xi[6]) {
    const double kappa[3] = {xi[0], xi[1], xi[2]}, nu[3] = {xi[3], xi[4], xi[5]};
    const double a = v3_norm(kappa), half = 0.5 * a;
    const double sinc = a > 0.0 ? wy_sin(half) / half : 1.0;
    apply_v_series(x, kappa, 0.5 * sinc * sinc, sine_remainder(a), nu);
    wy_quat_exp(q, kappa);
}

void wy_se3_log(double xi[6], const double q[4], const double x[3]) {
    double kappa[3], nu[3];
    wy_quat_log(kappa, q);
    apply_v_series(nu, kappa, -0.5, cotangent_remainder(v3_norm(kappa)), x);
    v3_copy(xi, kappa);
    v3_copy(xi + 3, nu);
}

void wy_se3_product(double q[4], double x[3], const double qa[4], const double xa[3], const double qb[4],
                    const double xb[3]) {
    double turned[3];
    wy_quat_rotate(turned, qa, xb);
    for (int i = 0; i < 3; i++)
        x[i] = turned[i] + xa[i];
    wy_quat_product(q, qa, qb);
}

void wy_se3_inverse(double q[4], double x[3], const double qa[4], const double xa[3]) {
    double back[3];
    wy_quat_rotate_back(back, qa, xa);
    wy_quat_conjugate(q, qa);
    for (int i = 0; i < 3; i++)
        x[i] = -back[i];
}

void wy_se3_adjoint(double y[6], const double q[4], const double x[3], const double eta[6]) {
    double omega[3], v[3], lever[3];
    wy_quat_rotate(omega, q, eta);
    wy_quat_rotate(v, q, eta + 3);
    v3_cross(lever, x, omega);
    for (int i = 0; i < 3; i++) {
        y[i] = omega[i];
        y[3 + i] = lever[i] + v[i];
    }
}

void wy_se3_adjoint_transpose(double y[6], const double q[4], const double x[3], const double s[6]) {
    double lever[3], m[3], n[3];
    v3_cross(lever, x, s + 3);
    v3_sub(m, s, lever);
    v3_copy(n, s + 3);
    wy_quat_rotate_back(y, q, m);
    wy_quat_rotate_back(y + 3, q, n);
}

void wy_se3_ad(double y[6], const double xi[6], const double eta[6]) {
    double a[3], b[3], c[3];
    v3_cross(a, xi, eta);
    v3_cross(b, xi + 3, eta);
    v3_cross(c, xi, eta + 3);
    for (int i = 0; i < 3; i++) {
        y[i] = a[i];
        y[3 + i] = b[i] + c[i];
    }
}

void wy_se3_ad_transpose(double y[6], const double xi[6], const double s[6]) {
    double a[3], b[3], c[3];
    v3_cross(a, xi, s);
    v3_cross(b, xi + 3, s + 3);
    v3_cross(c, xi, s + 3);
    for (int i = 0; i < 3; i++) {
        y[i] = -a[i] - b[i];
        y[3 + i] = -c[i];
    }
}
