/* Rotations as unit quaternions, and conversions. docs/math, chapter "Rotations". */
#include <withy/rotation.h>

#include <math.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"

void wy_quat_product(double r[4], const double p[4], const double q[4]) {
    const double a = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    const double b = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    const double c = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    const double d = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
    r[0] = a;
    r[1] = b;
    r[2] = c;
    r[3] = d;
}

void wy_quat_conjugate(double r[4], const double q[4]) {
    r[0] = q[0];
    v3_scale(r + 1, -1.0, q + 1);
}

void wy_quat_normalize(double r[4], const double q[4]) {
    double largest = 0.0;
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, fabs(q[i]));
    if (largest == 0.0) {
        r[0] = 1.0;
        v3_set(r + 1, 0.0, 0.0, 0.0);
        return;
    }
    /* scaled by a power of two, which is exact: no overflow or underflow in the squares */
    int exponent;
    frexp(largest, &exponent);
    double s[4], sum = 0.0;
    for (int i = 0; i < 4; i++) {
        s[i] = ldexp(q[i], -exponent);
        sum += s[i] * s[i];
    }
    for (int i = 0; i < 4; i++)
        r[i] = s[i] / sqrt(sum);
}

void wy_quat_align(double r[4], const double q[4], const double near[4]) {
    const double dot = q[0] * near[0] + q[1] * near[1] + q[2] * near[2] + q[3] * near[3];
    const double sign = dot < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++)
        r[i] = sign * q[i];
}

/* y = x + 2 q0 (qv x x) + 2 qv x (qv x x); q0 -> -q0 for the inverse rotation */
static void rotate_by_parts(double y[3], double q0, const double qv[3], const double x[3]) {
    double t[3], u[3];
    v3_cross(t, qv, x);
    v3_cross(u, qv, t);
    v3_set(y, x[0] + 2.0 * (q0 * t[0] + u[0]), x[1] + 2.0 * (q0 * t[1] + u[1]), x[2] + 2.0 * (q0 * t[2] + u[2]));
}

void wy_quat_rotate(double y[3], const double q[4], const double x[3]) {
    rotate_by_parts(y, q[0], q + 1, x);
}

void wy_quat_rotate_back(double y[3], const double q[4], const double x[3]) {
    rotate_by_parts(y, -q[0], q + 1, x);
}

void wy_quat_to_matrix(double R[9], const double q[4]) {
    const double q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
    R[0] = 1.0 - 2.0 * (q2 * q2 + q3 * q3);
    R[1] = 2.0 * (q1 * q2 - q0 * q3);
    R[2] = 2.0 * (q1 * q3 + q0 * q2);
    R[3] = 2.0 * (q1 * q2 + q0 * q3);
    R[4] = 1.0 - 2.0 * (q1 * q1 + q3 * q3);
    R[5] = 2.0 * (q2 * q3 - q0 * q1);
    R[6] = 2.0 * (q1 * q3 - q0 * q2);
    R[7] = 2.0 * (q2 * q3 + q0 * q1);
    R[8] = 1.0 - 2.0 * (q1 * q1 + q2 * q2);
}

/* Sign of the pair {q, -q}: q0 > 0, or the first nonzero component positive. */
static void canonical_sign(double q[4]) {
    int i = 0;
    while (i < 3 && q[i] == 0.0)
        i++;
    if (q[i] < 0.0)
        for (int j = 0; j < 4; j++)
            q[j] = -q[j];
}

/* (1.8), (1.9) of `002`: z = 2 q, T = tr R, z_i^2 = 1 + 2 R_ii - T, and products of pairs from the off-diagonals. */
void wy_quat_from_matrix(double q[4], const double R[9]) {
    const double T = R[0] + R[4] + R[8];
    const double diagonal[4] = {T, R[0], R[4], R[8]};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (diagonal[i] > diagonal[largest])
            largest = i;
    const double z = sqrt(fmax(0.0, 1.0 + 2.0 * diagonal[largest] - T));
    const double z01 = R[7] - R[5], z02 = R[2] - R[6], z03 = R[3] - R[1];
    const double z23 = R[7] + R[5], z31 = R[2] + R[6], z12 = R[3] + R[1];
    const double products[4][4] = {
        {z * z, z01, z02, z03}, {z01, z * z, z12, z31}, {z02, z12, z * z, z23}, {z03, z31, z23, z * z}};
    for (int i = 0; i < 4; i++)
        q[i] = i == largest ? 0.5 * z : 0.5 * products[largest][i] / z;
    wy_quat_normalize(q, q);
    canonical_sign(q);
}

void wy_quat_exp(double q[4], const double phi[3]) {
    const double half = wy_hypot(wy_hypot(0.5 * phi[0], 0.5 * phi[1]), 0.5 * phi[2]); /* halved first: no overflow */
    /* sin(half)/(2 half) -> 1/2 */
    double s, c;
    wy_sincos(half, &s, &c);
    v3_scale(q + 1, half > 1e-8 ? 0.5 * s / half : 0.5 - half * half / 12.0,
             phi); /* before q[0], which may be phi[0] */
    q[0] = c;
}

void wy_quat_log(double phi[3], const double q[4]) {
    const double s = wy_hypot(wy_hypot(q[1], q[2]), q[3]);
    /* the smaller angle: q0 < 0 means -q */
    const double half = q[0] < 0.0 ? -wy_atan2(s, -q[0]) : wy_atan2(s, q[0]);
    const double f = s > 0.0 ? 2.0 * half / s : (q[0] < 0.0 ? -2.0 : 2.0);
    v3_scale(phi, f, q + 1);
}

void wy_quat_cayley(double q[4], const double c[3]) {
    const double tangent = wy_hypot(wy_hypot(0.5 * c[0], 0.5 * c[1]), 0.5 * c[2]); /* of half the angle */
    const double q0 = 1.0 / wy_hypot(1.0, tangent);
    /* at very large |c| q0 underflows while q0 c stays finite: normalise the direction first */
    const double f = tangent > 1.0 ? 0.5 / tangent / wy_hypot(1.0, 1.0 / tangent) : 0.5 * q0;
    v3_scale(q + 1, f, c); /* before q[0], which may be c[0] */
    q[0] = q0;
}

void wy_quat_cayley_inverse(double c[3], const double q[4]) {
    const double s = wy_hypot(wy_hypot(q[1], q[2]), q[3]);
    /* |c| = 2 s/|q0| */
    if (2.0 * s < 1e300 * fabs(q[0]))
        v3_scale(c, 2.0 / q[0], q + 1);
    else
        v3_scale(c, 1e300 / s, q + 1);
}

/* q = exp(alpha e3) exp(beta e1) exp(gamma e3) */
void wy_quat_from_euler(double q[4], const double abg[3]) {
    const double s = 0.5 * (abg[0] + abg[2]), d = 0.5 * (abg[0] - abg[2]), b = 0.5 * abg[1];
    double sb, cb, ss, cs, sd, cd;
    wy_sincos(b, &sb, &cb);
    wy_sincos(s, &ss, &cs);
    wy_sincos(d, &sd, &cd);
    q[0] = cb * cs;
    q[1] = sb * cd;
    q[2] = sb * sd;
    q[3] = cb * ss;
}

static double wrap_angle(double angle) {
    while (angle > WY_PI)
        angle -= 2.0 * WY_PI;
    while (angle <= -WY_PI)
        angle += 2.0 * WY_PI;
    return angle;
}

/* (q0, q3) = cos(beta/2) (cos s, sin s),  (q1, q2) = sin(beta/2) (cos d, sin d),  s, d = (alpha +- gamma)/2 */
void wy_quat_to_euler(double abg[3], const double q[4]) {
    const double c = wy_hypot(q[0], q[3]), r = wy_hypot(q[1], q[2]);
    const double s = wy_atan2(q[3], q[0]), d = wy_atan2(q[2], q[1]);
    abg[1] = 2.0 * wy_atan2(r, c);
    if (r == 0.0) { /* beta = 0: only alpha + gamma is defined */
        abg[0] = wrap_angle(2.0 * s);
        abg[2] = 0.0;
    } else if (c == 0.0) { /* beta = pi: only alpha - gamma is defined */
        abg[0] = wrap_angle(2.0 * d);
        abg[2] = 0.0;
    } else {
        abg[0] = wrap_angle(s + d);
        abg[2] = wrap_angle(s - d);
    }
}
