/* An end on springs: with y = (phi, d), the rotation phi = log(R0^T R) and the displacement d = R0^T (x - x0) from the
 * anchor,
 *
 *   U = 1/2 y^T K y,   force R0 (-K y)_d,   moment R0 J(phi)^-T (-K y)_phi,   J^-1 = I - [phi]x/2 + c [phi]x^2
 *   c = (1 - x/2 cot(x/2))/x^2,   x = |phi|                                                                      (11.1)
 *
 * J is the left Jacobian of the rotation vector: a small rotation a in the anchor's frame changes phi by J^-1 a. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"
#include <withy/rod.h>

static const wy_param spring_params[] = {
    WY_PARAM(wy_end_spring, stiffness, .key = "stiffness",
             .doc = "About (3, N m/rad) and along (3, N/m) the axes of the anchor.", .type = WY_TYPE_VECTOR, .count = 6,
             .rule = WY_RULE_NONNEGATIVE, .default_text = "[0, 0, 0, 0, 0, 0]"),
    WY_PARAM(wy_end_spring, matrix, .key = "matrix", .doc = "Instead: 6 rows of 6 numbers, symmetric, rotations first.",
             .type = WY_TYPE_SAMPLES, .count = 6, .default_text = ""),
    WY_PARAM(
        wy_end_spring, damping, .key = "damping",
        .doc =
            "Against the angular velocity about (3, N m s) and the velocity along (3, N s/m) the axes of the anchor.",
        .type = WY_TYPE_VECTOR, .count = 6, .rule = WY_RULE_NONNEGATIVE, .default_text = "[0, 0, 0, 0, 0, 0]"),
    WY_PARAM(wy_end_spring, position, .key = "position",
             .doc =
                 "Of the anchor, where the springs are unstressed; left out: where the unstressed rod places the end.",
             .unit = "m", .type = WY_TYPE_VECTOR, .count = 3, .default_text = ""),
    WY_PARAM(wy_end_spring, orientation, .key = "orientation",
             .doc = "Of the anchor, a quaternion; left out: that of the unstressed rod.", .unit = "1",
             .type = WY_TYPE_VECTOR, .count = 4, .default_text = ""),
    {0},
};

static void spring_anchor(void *config, const double p[3], const double q[4]) {
    wy_end_spring *c = config;
    if (isnan(c->position[0]))
        memcpy(c->position, p, sizeof c->position);
    if (isnan(c->orientation[0]))
        memcpy(c->orientation, q, sizeof c->orientation);
}

static double spring_stiffness_entry(const wy_end_spring *c, int i, int j) {
    return c->matrix.rows ? c->matrix.values[6 * i + j] : i == j ? c->stiffness[i] : 0.0;
}

static wy_status spring_check(const void *config, wy_error *err) {
    const wy_end_spring *c = config;
    double A[36], largest = 0.0;
    if (c->matrix.rows && c->matrix.rows != 6)
        return wy_fail(err, WY_BAD_INPUT, "the matrix of an end on springs has %zu rows, expected 6", c->matrix.rows);
    for (int i = 0; i < 6; i++) {
        if (!(c->damping[i] >= 0.0) || !isfinite(c->damping[i]))
            return wy_fail(err, WY_BAD_INPUT,
                           "component %d of the damping is %g, expected a number that is not negative", i + 1,
                           c->damping[i]);
        for (int j = 0; j < 6; j++) {
            A[6 * i + j] = spring_stiffness_entry(c, i, j);
            if (!isfinite(A[6 * i + j]))
                return wy_fail(err, WY_BAD_INPUT,
                               "the stiffness of an end on springs has an entry %g, expected a number", A[6 * i + j]);
            if (i == j)
                largest = fmax(largest, fabs(A[7 * i]));
        }
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            if (fabs(A[6 * i + j] - A[6 * j + i]) > 1e-9 * largest)
                return wy_fail(err, WY_BAD_INPUT,
                               "the matrix of an end on springs is not symmetric: %g in row %d, column %d, %g across",
                               A[6 * i + j], i + 1, j + 1, A[6 * j + i]);
    for (int k = 0; k < 6; k++) { /* Cholesky: no pivot is negative */
        if (A[7 * k] < -1e-12 * largest)
            return wy_fail(err, WY_BAD_INPUT, "the springs of an end push away: their matrix is not positive (row %d)",
                           k + 1);
        for (int i = k + 1; i < 6 && A[7 * k] > 1e-12 * largest; i++)
            for (int j = k + 1; j < 6; j++)
                A[6 * i + j] -= A[6 * i + k] * A[6 * k + j] / A[7 * k];
    }
    return WY_OK;
}

static unsigned spring_varies(const void *config) {
    const wy_end_spring *c = config;
    for (int i = 0; i < 6; i++)
        if (c->damping[i] > 0.0)
            return WY_VARIES_POSITION | WY_VARIES_ROTATION | WY_VARIES_VELOCITY;
    return WY_VARIES_POSITION | WY_VARIES_ROTATION;
}

/* c and c'/x. */
static void spring_coefficients(double *c, double *slope, double x2) {
    if (x2 < 1e-3) {
        *c = 1.0 / 12.0 + x2 * (1.0 / 720.0 + x2 * (1.0 / 30240.0 + x2 / 1209600.0));
        *slope = 1.0 / 360.0 + x2 * (1.0 / 7560.0 + x2 / 201600.0);
        return;
    }
    const double x = sqrt(x2), s = wy_sin(0.5 * x), cot = wy_cos(0.5 * x) / s;
    *c = (1.0 - 0.5 * x * cot) / x2;
    *slope = (-2.0 / x2 + 0.5 * cot / x + 0.25 / (s * s)) / x2;
}

typedef struct stretched {
    double R[9];       /* axes of the anchor in space */
    double y[6], g[6]; /* (phi, d), K y */
    double c, slope;   /* of (11.1) */
    double moment[3];  /* J^-T g, in the anchor's frame */
} stretched;

static void measure_spring(stretched *s, const wy_end_spring *c, const wy_material_point *at) {
    double q[4], r[4], d[3], a[3], b[3], M[9];
    wy_quat_normalize(q, c->orientation);
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        wy_quat_rotate(s->R + 3 * k, q, e);
    }
    for (int i = 0; i < 3; i++) /* R0^T D, row major: directors may be a little short, the quaternion is normalised */
        for (int j = 0; j < 3; j++)
            M[3 * i + j] = v3_dot(s->R + 3 * i, at->D + 3 * j);
    wy_quat_from_matrix(r, M);
    wy_quat_normalize(r, r);
    wy_quat_log(s->y, r);
    v3_sub(d, at->x, c->position);
    for (int i = 0; i < 3; i++)
        s->y[3 + i] = v3_dot(s->R + 3 * i, d);
    for (int i = 0; i < 6; i++) {
        s->g[i] = 0.0;
        for (int j = 0; j < 6; j++)
            s->g[i] += spring_stiffness_entry(c, i, j) * s->y[j];
    }
    spring_coefficients(&s->c, &s->slope, v3_dot(s->y, s->y));
    v3_cross(a, s->y, s->g); /* J^-T g = g + phi x g/2 + c phi x (phi x g) */
    v3_cross(b, s->y, a);
    for (int i = 0; i < 3; i++)
        s->moment[i] = s->g[i] + 0.5 * a[i] + s->c * b[i];
}

/* Derivative of J^-T g by phi, along u, with g fixed. */
static void moment_derivative(double out[3], const stretched *s, const double u[3]) {
    double a[3], b[3], ug[3], d[3], e[3];
    v3_cross(a, s->y, s->g);
    v3_cross(b, s->y, a);
    v3_cross(ug, u, s->g);
    v3_cross(d, u, a);
    v3_cross(e, s->y, ug);
    const double f = s->slope * v3_dot(s->y, u);
    for (int i = 0; i < 3; i++)
        out[i] = 0.5 * ug[i] + s->c * (d[i] + e[i]) + f * b[i];
}

static void spring_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_end_spring *c = config;
    stretched s;
    measure_spring(&s, c, at);
    for (int i = 0; i < 3; i++) {
        const double *axis = s.R + 3 * i, turn = c->damping[i] * v3_dot(axis, at->omega),
                     move = c->damping[3 + i] * v3_dot(axis, at->v);
        for (int k = 0; k < 3; k++) {
            out->space[k] -= (s.moment[i] + turn) * axis[k];
            out->space[3 + k] -= (s.g[3 + i] + move) * axis[k];
            for (int l = 0; l < 3 && out->C; l++) {
                out->C[6 * k + l] -= c->damping[i] * axis[k] * axis[l];
                out->C[6 * (3 + k) + 3 + l] -= c->damping[3 + i] * axis[k] * axis[l];
            }
        }
    }
    if (!out->K)
        return;
    double K[36]; /* in the anchor's frame: rows moment, force; columns turn, displacement */
    for (int j = 0; j < 6; j++) {
        double dy[6] = {0.0}, dg[6] = {0.0}, a[3], b[3], more[3] = {0.0};
        if (j < 3) { /* a turn about axis j: dphi = a - phi x a/2 + c phi x (phi x a) */
            const double e[3] = {j == 0, j == 1, j == 2};
            v3_cross(a, s.y, e);
            v3_cross(b, s.y, a);
            for (int i = 0; i < 3; i++)
                dy[i] = e[i] - 0.5 * a[i] + s.c * b[i];
            moment_derivative(more, &s, dy);
        } else {
            dy[j] = 1.0;
        }
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++)
                dg[i] += spring_stiffness_entry(c, i, k) * dy[k];
        v3_cross(a, s.y, dg);
        v3_cross(b, s.y, a);
        for (int i = 0; i < 3; i++) {
            K[6 * i + j] = -(dg[i] + 0.5 * a[i] + s.c * b[i] + more[i]);
            K[6 * (3 + i) + j] = -dg[3 + i];
        }
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    out->K[6 * (k + i / 3 * 3) + l + j / 3 * 3] +=
                        K[6 * i + j] * s.R[3 * (i % 3) + k] * s.R[3 * (j % 3) + l];
}

static double spring_potential(const void *config, const wy_material_point *at) {
    stretched s;
    measure_spring(&s, config, at);
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += 0.5 * s.y[i] * s.g[i];
    return sum;
}

const wy_joint wy_end_is_spring = {
    .entry = {.name = "spring",
              .doc = "On springs and dampers against rotation and displacement (rotations of less than half a turn).",
              .params = spring_params,
              .config_size = sizeof(wy_end_spring)},
    .anchor = spring_anchor,
    .varies = spring_varies,
    .check = spring_check,
    .wrench = spring_wrench,
    .potential = spring_potential,
};
