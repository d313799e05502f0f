/* Rotations: unit quaternions, matrices, rotation vectors, Euler angles, the Cayley map, and conversions between
 * them.
 *
 * A quaternion is q = (q0, q1, q2, q3), scalar first, with Hamilton's product. It represents the rotation that maps
 * body components to space components: R(q) = I + 2 q0 [qv]x + 2 [qv]x^2. q and -q are the same rotation. Matrices
 * are nine doubles, row after row. Outputs come first and may be the same memory as inputs. These functions do not
 * fail for finite input; singular formulas are replaced by their limits. */
#ifndef WITHY_ROTATION_H
#define WITHY_ROTATION_H

#include <withy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* r = p q, Hamilton's product (1.6). */
WY_API void wy_quat_product(double r[4], const double p[4], const double q[4]);

/* r = the conjugate (q0, -qv), the inverse of a unit quaternion. */
WY_API void wy_quat_conjugate(double r[4], const double q[4]);

/* r = q / |q|. The zero quaternion becomes the identity. Safe against overflow and underflow. */
WY_API void wy_quat_normalize(double r[4], const double q[4]);

/* r = q or -q, whichever lies nearer to `near`: the continuous choice of sign along a path. */
WY_API void wy_quat_align(double r[4], const double q[4], const double near[4]);

/* y = R(q) x, without forming the matrix. For a unit quaternion. */
WY_API void wy_quat_rotate(double y[3], const double q[4], const double x[3]);

/* y = R(q)^T x. For a unit quaternion. */
WY_API void wy_quat_rotate_back(double y[3], const double q[4], const double x[3]);

/* R = I + 2 q0 [qv]x + 2 [qv]x^2, the Euler-Rodrigues map (1.7), of a unit quaternion. */
WY_API void wy_quat_to_matrix(double R[9], const double q[4]);

/* q from a rotation matrix by Shepperd's method (the largest of the four components first, so no digits are lost at any
 * angle), with q0 >= 0, and the first nonzero component positive where q0 = 0. For a continuous sign follow with
 * wy_quat_align. */
WY_API void wy_quat_from_matrix(double q[4], const double R[9]);

/* q = exp(phi): rotation by the angle |phi| in rad about the axis phi/|phi|. */
WY_API void wy_quat_exp(double q[4], const double phi[3]);

/* phi = log q: the rotation vector in rad with |phi| <= pi (q and -q give the same rotation vector, except at |phi| =
 * pi, where phi and -phi are the same rotation). */
WY_API void wy_quat_log(double phi[3], const double q[4]);

/* q = cay(c) = (1, c/2)/sqrt(1 + |c|^2/4): rotation by 2 atan(|c|/2) about c. All rotations except those by pi. */
WY_API void wy_quat_cayley(double q[4], const double c[3]);

/* c with cay(c) = q, or with a length of at most 1e300 where the angle is pi and c would be infinite. */
WY_API void wy_quat_cayley_inverse(double c[3], const double q[4]);

/* Euler angles z-x-z in rad: first alpha about z, then beta about the new x, then gamma about the new z, so that R =
 * Rz(alpha) Rx(beta) Rz(gamma) maps body to space. (Matrix Lambda = A B C of `002`, section 1.4, is R transposed.) */
WY_API void wy_quat_from_euler(double q[4], const double alpha_beta_gamma[3]);

/* alpha in (-pi, pi], beta in [0, pi], gamma in (-pi, pi]. If beta is 0 or pi only alpha + gamma or alpha - gamma is
 * determined, and gamma = 0. */
WY_API void wy_quat_to_euler(double alpha_beta_gamma[3], const double q[4]);

#ifdef __cplusplus
}
#endif

#endif
