/* Smooth curves through poses: exact for what a cubic can be, of third order and more for arcs and helices, in any
 * units. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <withy/curve.h>
#include <withy/rotation.h>

#include "support/suite.h"

enum { MOST = 400 };

/* A rod of constant strain: the pose at s. */
static void pose(double x[3], double q[4], const double kappa[3], const double nu[3], double s) {
    enum { STEPS = 2000 };
    double h = s / STEPS, p[4] = {1, 0, 0, 0}, turn[4], half[3], full[3], d[3];
    x[0] = x[1] = x[2] = 0.0;
    for (int k = 0; k < 3; k++) {
        half[k] = 0.5 * h * kappa[k];
        full[k] = h * kappa[k];
    }
    for (int i = 0; i < STEPS; i++) { /* the middle of each small step */
        double m[4];
        wy_quat_exp(turn, half);
        wy_quat_product(m, p, turn);
        wy_quat_rotate(d, m, nu);
        for (int k = 0; k < 3; k++)
            x[k] += h * d[k];
        wy_quat_exp(turn, full);
        wy_quat_product(p, p, turn);
    }
    memcpy(q, p, sizeof p);
}

/* The largest distance of the curve from the rod, and of its orientation. */
static double error_of(size_t nodes, const double kappa[3], const double nu[3], double length, bool turned,
                       double *angle) {
    double s[MOST], x[3 * MOST], q[4 * MOST], cx[3 * MOST], cq[4 * MOST], far = 0.0;
    const size_t pieces = 3;
    *angle = 0.0;
    for (size_t j = 0; j < nodes; j++) { /* unevenly spread */
        const double t = (double)j / (double)(nodes - 1);
        s[j] = length * (t + 0.1 * t * (1.0 - t));
        pose(x + 3 * j, q + 4 * j, kappa, nu, s[j]);
    }
    wy_pose_curve(cx, cq, pieces, nodes, s, x, turned ? q : NULL);
    for (size_t i = 0; i < wy_pose_curve_points(nodes, pieces); i++) {
        const size_t j = i / pieces;
        const double t = (double)(i % pieces) / (double)pieces;
        double at[3], p[4];
        pose(at, p, kappa, nu, t > 0.0 ? (1.0 - t) * s[j] + t * s[j + 1] : s[j]);
        far = fmax(far, hypot(hypot(cx[3 * i] - at[0], cx[3 * i + 1] - at[1]), cx[3 * i + 2] - at[2]));
        if (turned) {
            double dot = 0.0, norm = 0.0;
            for (int k = 0; k < 4; k++) {
                dot += p[k] * cq[4 * i + k];
                norm += cq[4 * i + k] * cq[4 * i + k];
            }
            ck_assert_double_lt(fabs(norm - 1.0), 1e-12);
            *angle = fmax(*angle, sqrt(fmax(0.0, 1.0 - dot * dot)));
        }
        if (i % pieces == 0) /* nodes are met to the last bit */
            ck_assert_mem_eq(cx + 3 * i, x + 3 * j, 3 * sizeof *cx);
    }
    return far;
}

START_TEST(helix_with_shear_and_stretch) {
    const double kappa[3] = {3.1, -1.7, 2.3}, nu[3] = {0.2, -0.1, 1.1};
    double angle, angle2;
    const double coarse = error_of(11, kappa, nu, 1.3, true, &angle),
                 fine = error_of(21, kappa, nu, 1.3, true, &angle2);
    ck_assert_double_lt(coarse, 2e-4);
    ck_assert_double_gt(log2(coarse / fine), 3.7); /* Hermite's cubic: fourth order */
    ck_assert_double_lt(angle, 1e-6);              /* constant strain: q turns evenly indeed */
    ck_assert_double_lt(angle2, 1e-6);
}
END_TEST

START_TEST(without_orientations) {
    const double kappa[3] = {0, 4.0, 0}, nu[3] = {0, 0, 1};
    double angle;
    const double coarse = error_of(16, kappa, nu, 1.0, false, &angle),
                 fine = error_of(31, kappa, nu, 1.0, false, &angle);
    ck_assert_double_lt(coarse, 2e-3);
    ck_assert_double_gt(log2(coarse / fine), 1.8);
}
END_TEST

START_TEST(straight_and_small) {
    double x[6] = {0, 0, 0, 0, 0, 2}, q[8] = {1, 0, 0, 0, 1, 0, 0, 0}, cx[15], cq[20];
    wy_pose_curve(cx, cq, 4, 2, NULL, x, q);
    for (int i = 0; i < 5; i++)
        ck_assert_double_lt(fabs(cx[3 * i + 2] - 0.5 * i) + fabs(cx[3 * i]) + fabs(cx[3 * i + 1]), 1e-15);
    wy_pose_curve(cx, NULL, 4, 1, NULL, x + 3, NULL); /* one node: itself */
    ck_assert_double_eq(cx[2], 2.0);
    ck_assert_uint_eq(wy_pose_curve_points(0, 4), 0);
    ck_assert_uint_eq(wy_pose_curve_points(7, 4), 25);
    const double s[2] = {1, 1}; /* nodes at one place do no harm */
    wy_pose_curve(cx, cq, 4, 2, s, x, q);
    for (int i = 0; i < 15; i++)
        ck_assert(isfinite(cx[i]));
}
END_TEST

SUITE("pose curve", helix_with_shear_and_stretch, without_orientations, straight_and_small)
