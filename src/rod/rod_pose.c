/* Poses along a shape: the exponential of a constant strain, and the arc of one that varies. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/quadrature.h"
#include "math/vec3.h"
#include "rod/rod_definition.h"

/* Coefficients of the exponential: (1 - cos x)/x^2 and (x - sin x)/x^3. */
static void exponential_coefficients(double *A, double *B, double x2) {
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
    exponential_coefficients(&A, &B, v3_dot(phi, phi));
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

/* Fourth-order Magnus for g' = g xi^: Omega = h/2 (a + b) + sqrt(3)/12 h^2 ad_a b with a, b at the two Gauss points. */
static void smooth_arc(double p[3], double D[9], const wy_shape *shape, const void *config, double s, double h,
                       double length, int substeps) {
    const double d = h / substeps;
    for (int m = 0; m < substeps; m++) {
        double a[6], b[6], x[3], y[3], xi[6];
        shape->strain(a, config, s + (m + wy_gauss_at[1][0]) * d, 0, length);
        shape->strain(b, config, s + (m + wy_gauss_at[1][1]) * d, 0, length);
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

void wy_shape_advance(double p[3], double D[9], const wy_choice *choice, double s, double h, double length,
                      int substeps) {
    const wy_shape *shape = (const wy_shape *)(const void *)choice->entry;
    const double end = s + h;
    while (shape->next_break) {
        const double at = shape->next_break(choice->config, s);
        if (!(at < end))
            break;
        smooth_arc(p, D, shape, choice->config, s, at - s, length, substeps);
        s = at;
    }
    smooth_arc(p, D, shape, choice->config, s, s + h == end ? h : end - s, length, substeps);
}
