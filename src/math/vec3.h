/* Vectors in R^3 and 3 x 3 matrices (row major) as plain arrays. Outputs come first and may alias inputs. */
#ifndef WY_VEC3_H
#define WY_VEC3_H

#include <math.h>

static inline void v3_set(double a[3], double x, double y, double z) {
    a[0] = x;
    a[1] = y;
    a[2] = z;
}
static inline void v3_copy(double a[3], const double b[3]) {
    v3_set(a, b[0], b[1], b[2]);
}
static inline void v3_add(double a[3], const double b[3], const double c[3]) {
    v3_set(a, b[0] + c[0], b[1] + c[1], b[2] + c[2]);
}
static inline void v3_sub(double a[3], const double b[3], const double c[3]) {
    v3_set(a, b[0] - c[0], b[1] - c[1], b[2] - c[2]);
}
static inline void v3_scale(double a[3], double t, const double b[3]) {
    v3_set(a, t * b[0], t * b[1], t * b[2]);
}
/* a = b + t c */
static inline void v3_axpy(double a[3], const double b[3], double t, const double c[3]) {
    v3_set(a, b[0] + t * c[0], b[1] + t * c[1], b[2] + t * c[2]);
}
static inline double v3_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double v3_norm(const double a[3]) {
    return sqrt(v3_dot(a, a));
}
static inline void v3_cross(double a[3], const double b[3], const double c[3]) {
    v3_set(a, b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]);
}
/* a += b x c */
static inline void v3_add_cross(double a[3], const double b[3], const double c[3]) {
    v3_set(a, a[0] + (b[1] * c[2] - b[2] * c[1]), a[1] + (b[2] * c[0] - b[0] * c[2]),
           a[2] + (b[0] * c[1] - b[1] * c[0]));
}
/* a = A b */
static inline void m3_apply(double a[3], const double A[9], const double b[3]) {
    v3_set(a, A[0] * b[0] + A[1] * b[1] + A[2] * b[2], A[3] * b[0] + A[4] * b[1] + A[5] * b[2],
           A[6] * b[0] + A[7] * b[1] + A[8] * b[2]);
}
/* a = A^T b */
static inline void m3_apply_transposed(double a[3], const double A[9], const double b[3]) {
    v3_set(a, A[0] * b[0] + A[3] * b[1] + A[6] * b[2], A[1] * b[0] + A[4] * b[1] + A[7] * b[2],
           A[2] * b[0] + A[5] * b[1] + A[8] * b[2]);
}

#endif
