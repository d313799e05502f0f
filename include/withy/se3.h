/* Rigid motions, SE(3), and their velocities: exponential, logarithm, adjoints.
 *
 * A motion g is a unit quaternion q (scalar first, body to space) and a position x: it maps a point y to R(q) y + x.
 * A twist xi = [kappa; nu] is six numbers, the angular part first: kappa in rad (per length, per second, or of the
 * whole motion), nu in the unit of x. A wrench [moment; force] is its dual. A rod of constant strain xi from s to s +
 * h has g(s + h) = g(s) exp(h xi). Outputs come first and may be the same memory as inputs. These functions do not
 * fail for finite input. docs/math, chapter "Rotations". */
#ifndef WITHY_SE3_H
#define WITHY_SE3_H

#include <withy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* (q, x) = exp(xi): the screw motion xi over unit time. */
WY_API void wy_se3_exp(double q[4], double x[3], const double xi[6]);

/* xi = log(q, x), with an angle of at most pi (q and -q are the same motion). */
WY_API void wy_se3_log(double xi[6], const double q[4], const double x[3]);

/* (q, x) = (qa, xa) (qb, xb): first b, then a. */
WY_API void wy_se3_product(double q[4], double x[3], const double qa[4], const double xa[3], const double qb[4],
                           const double xb[3]);

/* (q, x) = (qa, xa)^-1. */
WY_API void wy_se3_inverse(double q[4], double x[3], const double qa[4], const double xa[3]);

/* y = Ad_g eta = [R omega; x x R omega + R v]: a body twist in space components, about the origin. */
WY_API void wy_se3_adjoint(double y[6], const double q[4], const double x[3], const double eta[6]);

/* y = Ad_g^T s = [R^T (m - x x n); R^T n]: a space wrench [m; n] about the origin, in the body. */
WY_API void wy_se3_adjoint_transpose(double y[6], const double q[4], const double x[3], const double s[6]);

/* y = ad_xi eta = [kappa x omega; nu x omega + kappa x v], the bracket of two twists. */
WY_API void wy_se3_ad(double y[6], const double xi[6], const double eta[6]);

/* y = ad_xi^T s = -[kappa x m + nu x n; kappa x n] of a wrench [m; n]. */
WY_API void wy_se3_ad_transpose(double y[6], const double xi[6], const double s[6]);

#ifdef __cplusplus
}
#endif

#endif
