/* A smooth curve through poses.
 *
 * A rod with constant strain xi = [kappa; nu] from node a to node b, h apart, has  g_b = g_a exp(h xi), so
 *   h kappa = log(R_a^T R_b) = phi,   h nu = V(phi)^-1 R_a^T (x_b - x_a),
 *   V(phi)^-1 = I - 1/2 [phi]x + (1 - (|phi|/2) cot(|phi|/2))/|phi|^2 [phi]x^2.
 * The tangent at a node is R nu with the weighted mean of nu of the adjacent elements; between nodes the centre line is
 * a cubic Hermite polynomial. */
#include <withy/curve.h>

#include <math.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"

size_t wy_pose_curve_points(size_t nodes, size_t pieces) {
    return nodes ? (nodes - 1) * pieces + 1 : 0;
}

static double node_spacing(const double *s, size_t a) {
    const double h = s ? s[a + 1] - s[a] : 1.0;
    return h > 0.0 ? h : 1.0;
}

/* phi of the element from node a to node a + 1. */
static void element_rotation(double phi[3], const double *q, size_t a) {
    double back[4], between[4];
    wy_quat_conjugate(back, q + 4 * a);
    wy_quat_product(between, back, q + 4 * (a + 1));
    wy_quat_log(phi, between);
}

/* nu of the element from node a to node a + 1, in the frame of either node (equal components: constant strain). */
static void element_stretch(double nu[3], const double *s, const double *x, const double *q, size_t a) {
    double phi[3], d[3], c1[3], c2[3];
    v3_sub(d, x + 3 * (a + 1), x + 3 * a);
    wy_quat_rotate_back(d, q + 4 * a, d);
    element_rotation(phi, q, a);
    const double angle = v3_norm(phi), half = 0.5 * angle;
    const double factor = angle < 1e-3 ? 1.0 / 12.0 : (1.0 - half / wy_tan(half)) / (angle * angle);
    v3_cross(c1, phi, d);
    v3_cross(c2, phi, c1);
    const double h = node_spacing(s, a);
    for (int k = 0; k < 3; k++)
        nu[k] = (d[k] - 0.5 * c1[k] + factor * c2[k]) / h;
}

/* dx/ds at a node, in space. */
static void node_tangent(double t[3], size_t nodes, const double *s, const double *x, const double *q, size_t j) {
    double sides[2][3], h[2];
    const size_t first = j ? j - 1 : 0, last = j + 1 < nodes ? j : j - 1; /* adjacent elements; equal at an end */
    const size_t elements[2] = {first, last};
    for (int i = 0; i < 2; i++) {
        h[i] = node_spacing(s, elements[i]);
        if (q) {
            element_stretch(sides[i], s, x, q, elements[i]);
        } else {
            v3_sub(sides[i], x + 3 * (elements[i] + 1), x + 3 * elements[i]);
            v3_scale(sides[i], 1.0 / h[i], sides[i]);
        }
    }
    for (int k = 0; k < 3; k++)
        t[k] = (h[1] * sides[0][k] + h[0] * sides[1][k]) / (h[0] + h[1]);
    if (q)
        wy_quat_rotate(t, q + 4 * j, t);
}

void wy_pose_curve(double *x_curve, double *q_curve, size_t pieces, size_t nodes, const double *s, const double *x,
                   const double *q) {
    if (nodes == 0)
        return;
    v3_copy(x_curve, x);
    for (int k = 0; k < 4 && q && q_curve; k++)
        q_curve[k] = q[k];
    double t0[3], t1[3];
    if (nodes > 1)
        node_tangent(t0, nodes, s, x, q, 0);
    size_t at = 1;
    for (size_t j = 0; j + 1 < nodes; j++) {
        const double h = node_spacing(s, j);
        double phi[3] = {0};
        node_tangent(t1, nodes, s, x, q, j + 1);
        if (q)
            element_rotation(phi, q, j);
        for (size_t i = 1; i <= pieces; i++, at++) {
            const double t = (double)i / (double)pieces, u = 1.0 - t;
            const double a = u * u * (1.0 + 2.0 * t), b = t * t * (3.0 - 2.0 * t), c = h * t * u * u,
                         d = -h * t * t * u;
            for (int k = 0; k < 3; k++)
                x_curve[3 * at + k] = i == pieces ? x[3 * (j + 1) + k]
                                                  : a * x[3 * j + k] + b * x[3 * (j + 1) + k] + c * t0[k] + d * t1[k];
            if (q && q_curve) {
                double step[3], turn[4];
                v3_scale(step, t, phi);
                wy_quat_exp(turn, step);
                wy_quat_product(q_curve + 4 * at, q + 4 * j, turn);
                wy_quat_normalize(q_curve + 4 * at, q_curve + 4 * at);
            }
        }
        v3_copy(t0, t1);
    }
}
