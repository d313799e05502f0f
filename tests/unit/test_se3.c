/* Rigid motions: exp and log are inverse at every angle, exp is a subgroup along a line, Ad and ad are what they should
 * be to each other. */
#include <math.h>

#include <withy/rotation.h>
#include <withy/se3.h>

#include "support/suite.h"

static unsigned long long seed = 12345;
static double number(void) { /* between -1 and 1 */
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 4503599627370496.0 - 1.0;
}

static void twist(double xi[6], double angle, double length) {
    double n = 0.0;
    for (int i = 0; i < 3; i++) {
        xi[i] = number();
        n += xi[i] * xi[i];
        xi[3 + i] = length * number();
    }
    for (int i = 0; i < 3; i++)
        xi[i] *= angle / sqrt(n);
}

static void near(const double *a, const double *b, int count, double tolerance) {
    for (int i = 0; i < count; i++)
        ck_assert_double_eq_tol(a[i], b[i], tolerance);
}

START_TEST(exp_and_log) {
    static const double angles[] = {0.0, 1e-300, 1e-9, 1e-4, 0.3, 0.49999, 0.50001, 1.7, 3.0, 3.1415926};
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < 20; i++) {
            double xi[6], q[4], x[3], back[6];
            twist(xi, angles[k], 2.0);
            wy_se3_exp(q, x, xi);
            wy_se3_log(back, q, x);
            near(back, xi, 6, 2e-15 * (k > 8 ? 10.0 : 3.0)); /* V is worst conditioned at pi */
        }
}
END_TEST

/* exp((a + b) xi) = exp(a xi) exp(b xi), also over many turns; and exp(-xi) is the inverse. */
START_TEST(a_line_is_a_subgroup) {
    for (int i = 0; i < 50; i++) {
        double xi[6], whole[6], first[6], second[6], q[4], x[3], qa[4], xa[3], qb[4], xb[3], R[9], S[9];
        twist(xi, 5.0 * number() * number(), 1.3);
        const double a = 2.0 * number(), b = 3.0 * number();
        for (int j = 0; j < 6; j++) {
            whole[j] = (a + b) * xi[j];
            first[j] = a * xi[j];
            second[j] = b * xi[j];
        }
        wy_se3_exp(q, x, whole);
        wy_se3_exp(qa, xa, first);
        wy_se3_exp(qb, xb, second);
        wy_se3_product(qa, xa, qa, xa, qb, xb); /* in place */
        wy_quat_to_matrix(R, q);
        wy_quat_to_matrix(S, qa);
        near(S, R, 9, 4e-14);
        near(xa, x, 3, 4e-14);
        wy_se3_inverse(qa, xa, q, x);
        for (int j = 0; j < 6; j++)
            whole[j] = -whole[j];
        wy_se3_exp(q, x, whole);
        near(xa, x, 3, 4e-14);
        wy_quat_align(qa, qa, q);
        near(qa, q, 4, 4e-15);
    }
}
END_TEST

/* The end of a helix, whose place is known: kappa = (0, k, t), nu = e3. */
START_TEST(a_helix) {
    const double k = 9.0, t = 8.0, w = sqrt(k * k + t * t), a[3] = {0.0, k / w, t / w};
    const double xi[6] = {0.0, k, t, 0.0, 0.0, 1.0};
    const double sine = sin(w) / w, versed = (1.0 - cos(w)) / w;
    const double exact[3] = {a[1] * versed, a[1] * a[2] * (1.0 - sine), a[2] * a[2] + (1.0 - a[2] * a[2]) * sine};
    double q[4], x[3];
    wy_se3_exp(q, x, xi);
    near(x, exact, 3, 1e-15);
}
END_TEST

/* d/dt exp(t xi) at t is exp(t xi) xi: R nu for the place. d/dt Ad_exp(t xi) eta at 0 is ad_xi eta. Central
 * differences. */
START_TEST(derivatives) {
    for (int i = 0; i < 30; i++) {
        double xi[6], eta[6], q[4], x[3], q1[4], x1[3], x2[3], up[6], down[6], exact[6], step[6], v[3];
        twist(xi, 2.0, 1.0);
        twist(eta, 1.0, 1.0);
        const double t = number(), h = 1e-5;
        for (int j = 0; j < 6; j++)
            step[j] = t * xi[j];
        wy_se3_exp(q, x, step);
        wy_quat_rotate(v, q, xi + 3);
        for (int s = 0; s < 2; s++) {
            for (int j = 0; j < 6; j++)
                step[j] = (s ? t - h : t + h) * xi[j];
            wy_se3_exp(q1, s ? x2 : x1, step);
        }
        for (int j = 0; j < 3; j++)
            ck_assert_double_eq_tol((x1[j] - x2[j]) / (2.0 * h), v[j], 1e-9);
        for (int s = 0; s < 2; s++) {
            for (int j = 0; j < 6; j++)
                step[j] = (s ? -h : h) * xi[j];
            wy_se3_exp(q1, x1, step);
            wy_se3_adjoint(s ? down : up, q1, x1, eta);
        }
        wy_se3_ad(exact, xi, eta);
        for (int j = 0; j < 6; j++)
            ck_assert_double_eq_tol((up[j] - down[j]) / (2.0 * h), exact[j], 1e-9);
    }
}
END_TEST

static double dot(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

START_TEST(adjoints) {
    for (int i = 0; i < 50; i++) {
        double xi[6], eta[6], s[6], q[4], x[3], qb[4], xb[3], y[6], z[6], there[6], both[6];
        twist(xi, 1.9, 2.0);
        twist(eta, 0.7, 2.0);
        twist(s, 1.1, 3.0);
        wy_se3_exp(q, x, xi);
        wy_se3_exp(qb, xb, s);
        /* dual pairs */
        wy_se3_adjoint(y, q, x, eta);
        wy_se3_adjoint_transpose(z, q, x, s);
        ck_assert_double_eq_tol(dot(s, y), dot(z, eta), 2e-14);
        wy_se3_ad(y, xi, eta);
        wy_se3_ad_transpose(z, xi, s);
        ck_assert_double_eq_tol(dot(s, y), dot(z, eta), 2e-14);
        /* ad is antisymmetric */
        wy_se3_ad(z, eta, xi);
        for (int j = 0; j < 6; j++)
            ck_assert_double_eq_tol(y[j], -z[j], 1e-15);
        /* Ad of a product, in place */
        wy_se3_adjoint(there, qb, xb, eta);
        wy_se3_adjoint(there, q, x, there);
        wy_se3_product(qb, xb, q, x, qb, xb);
        wy_se3_adjoint(both, qb, xb, eta);
        near(there, both, 6, 2e-14);
        /* g exp(eta) g^-1 = exp(Ad_g eta) */
        double qe[4], xe[3], qi[4], x_inverse[3], moved[6];
        wy_se3_exp(qe, xe, eta);
        wy_se3_product(qe, xe, q, x, qe, xe);
        wy_se3_inverse(qi, x_inverse, q, x);
        wy_se3_product(qe, xe, qe, xe, qi, x_inverse);
        wy_se3_log(moved, qe, xe);
        wy_se3_adjoint(y, q, x, eta);
        near(moved, y, 6, 5e-14);
    }
}
END_TEST

SUITE("se3", exp_and_log, a_line_is_a_subgroup, a_helix, derivatives, adjoints)
