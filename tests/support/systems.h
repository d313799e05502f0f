/* Systems to try integrators on, with untidy numbers, Jacobians and what each of them keeps. */
#ifndef WY_TEST_SYSTEMS_H
#define WY_TEST_SYSTEMS_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/body.h>
#include <withy/integrator.h>

#include "math/vec3.h"

/* ---- a pendulum with a second harmonic, y = (q, p): H = p^2/(2 m) - b cos q + c sin 2q. Canonical, not polynomial
 * ---- */

static const double pendulum_m = 1.37, pendulum_b = 2.11, pendulum_c = 0.31;

static inline void pendulum_field(double *dy, const double *y, const void *context) {
    (void)context;
    dy[0] = y[1] / pendulum_m;
    dy[1] = -pendulum_b * sin(y[0]) - 2.0 * pendulum_c * cos(2.0 * y[0]);
}
static inline void pendulum_jacobian(double *J, const double *y, const void *context) {
    (void)context;
    J[0] = 0.0, J[1] = 1.0 / pendulum_m;
    J[2] = -pendulum_b * cos(y[0]) + 4.0 * pendulum_c * sin(2.0 * y[0]), J[3] = 0.0;
}
static inline wy_system pendulum_system(void) {
    return (wy_system){.dim = 2, .field = pendulum_field, .jacobian = pendulum_jacobian};
}
static const double pendulum_start[2] = {1.23, -0.57};

/* ---- three species, cyclic: x' = x(a y - b z), y' = y(c z - a x), z' = z(b x - c y). Quadratic. Keeps x + y + z
 * (linear) and x^c y^b z^a ---- */

static const double species_a = 1.13, species_b = 0.71, species_c = 0.94;

static inline void species_field(double *dy, const double *y, const void *context) {
    (void)context;
    dy[0] = y[0] * (species_a * y[1] - species_b * y[2]);
    dy[1] = y[1] * (species_c * y[2] - species_a * y[0]);
    dy[2] = y[2] * (species_b * y[0] - species_c * y[1]);
}
static inline void species_jacobian(double *J, const double *y, const void *context) {
    (void)context;
    const double full[9] = {species_a * y[1] - species_b * y[2], species_a * y[0], -species_b * y[0], -species_a * y[1],
                            species_c * y[2] - species_a * y[0], species_c * y[1], species_b * y[2],  -species_c * y[2],
                            species_b * y[0] - species_c * y[1]};
    memcpy(J, full, sizeof full);
}
static inline wy_system species_system(void) {
    return (wy_system){.dim = 3, .field = species_field, .jacobian = species_jacobian};
}
static const double species_start[3] = {0.83, 1.29, 0.47};

/* ---- a general quadratic field in four unknowns: z' = Q(z) + B z + b ---- */

enum { QUADRATIC = 4 };
typedef struct quadratic {
    double Q[QUADRATIC][QUADRATIC][QUADRATIC], B[QUADRATIC][QUADRATIC], b[QUADRATIC];
} quadratic;

/* The symmetric bilinear form that belongs to Q. */
static inline void quadratic_form(double *out, const quadratic *f, const double *u, const double *v) {
    for (int i = 0; i < QUADRATIC; i++) {
        out[i] = 0.0;
        for (int j = 0; j < QUADRATIC; j++)
            for (int k = 0; k < QUADRATIC; k++)
                out[i] += f->Q[i][j][k] * 0.5 * (u[j] * v[k] + u[k] * v[j]);
    }
}
static inline void quadratic_field(double *dy, const double *y, const void *context) {
    const quadratic *f = context;
    quadratic_form(dy, f, y, y);
    for (int i = 0; i < QUADRATIC; i++) {
        for (int j = 0; j < QUADRATIC; j++)
            dy[i] += f->B[i][j] * y[j];
        dy[i] += f->b[i];
    }
}
static inline void quadratic_jacobian(double *J, const double *y, const void *context) {
    const quadratic *f = context;
    for (int j = 0; j < QUADRATIC; j++) {
        double e[QUADRATIC] = {0}, column[QUADRATIC];
        e[j] = 2.0;
        quadratic_form(column, f, y, e);
        for (int i = 0; i < QUADRATIC; i++)
            J[i * QUADRATIC + j] = column[i] + f->B[i][j];
    }
}
static inline wy_system quadratic_system(const quadratic *f) {
    return (wy_system){.dim = QUADRATIC, .field = quadratic_field, .jacobian = quadratic_jacobian, .context = f};
}

/* ---- a linear Hamiltonian system in six unknowns, z = (q, p): z' = J S z, S symmetric. Keeps z.S z ---- */

enum { LINEAR = 6 };
typedef struct linear {
    double S[LINEAR][LINEAR];
} linear;

static inline void linear_jacobian(double *J, const double *y, const void *context) {
    const linear *f = context;
    (void)y;
    for (int i = 0; i < LINEAR; i++)
        for (int j = 0; j < LINEAR; j++)
            J[i * LINEAR + j] = i < LINEAR / 2 ? f->S[i + LINEAR / 2][j] : -f->S[i - LINEAR / 2][j];
}
static inline void linear_field(double *dy, const double *y, const void *context) {
    double J[LINEAR * LINEAR];
    linear_jacobian(J, y, context);
    for (int i = 0; i < LINEAR; i++) {
        dy[i] = 0.0;
        for (int j = 0; j < LINEAR; j++)
            dy[i] += J[i * LINEAR + j] * y[j];
    }
}
static inline wy_system linear_system(const linear *f) {
    return (wy_system){.dim = LINEAR, .field = linear_field, .jacobian = linear_jacobian, .context = f};
}
static inline double linear_energy(const linear *f, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < LINEAR; i++)
        for (int j = 0; j < LINEAR; j++)
            sum += 0.5 * y[i] * f->S[i][j] * y[j];
    return sum;
}

/* ---- three spins of different length: w_i' = w_i x grad_i H, H = sum_i 1/2 w_i.A_i w_i + sum_{i<j} c_ij w_i.w_j. On a
 * product of spheres. With A = 0 it keeps the total spin (linear); always |w_i|^2 and H (quadratic) ---- */

enum { SPINS = 3 };
typedef struct spins {
    double anisotropy[SPINS][3], coupling[SPINS][SPINS];
} spins;

static inline void spins_gradient(double g[3], const spins *s, const double *w, int i) {
    for (int k = 0; k < 3; k++) {
        g[k] = s->anisotropy[i][k] * w[3 * i + k];
        for (int j = 0; j < SPINS; j++)
            if (j != i)
                g[k] += s->coupling[i][j] * w[3 * j + k];
    }
}
static inline void spins_field(double *dy, const double *w, const void *context) {
    for (int i = 0; i < SPINS; i++) {
        double g[3];
        spins_gradient(g, context, w, i);
        v3_cross(dy + 3 * i, w + 3 * i, g);
    }
}
static inline void spins_jacobian(double *J, const double *w, const void *context) {
    const spins *s = context;
    const int n = 3 * SPINS;
    for (int column = 0; column < n; column++) {
        double e[3 * SPINS] = {0};
        e[column] = 1.0;
        for (int i = 0; i < SPINS; i++) {
            double g[3], dg[3], a[3], b[3];
            spins_gradient(g, s, w, i);
            spins_gradient(dg, s, e, i); /* the gradient is linear */
            v3_cross(a, e + 3 * i, g);
            v3_cross(b, w + 3 * i, dg);
            for (int k = 0; k < 3; k++)
                J[(3 * i + k) * n + column] = a[k] + b[k];
        }
    }
}
static inline double spins_energy(const spins *s, const double *w) {
    double sum = 0.0;
    for (int i = 0; i < SPINS; i++) {
        for (int k = 0; k < 3; k++)
            sum += 0.5 * s->anisotropy[i][k] * w[3 * i + k] * w[3 * i + k];
        for (int j = 0; j < i; j++)
            sum += s->coupling[i][j] * v3_dot(w + 3 * i, w + 3 * j);
    }
    return sum;
}
static inline wy_system spins_system(const spins *s) {
    static const wy_block blocks[SPINS] = {{0, 3, true}, {3, 3, true}, {6, 3, true}};
    return (wy_system){.dim = 3 * SPINS,
                       .field = spins_field,
                       .jacobian = spins_jacobian,
                       .blocks = blocks,
                       .block_count = SPINS,
                       .context = s};
}
static const spins heisenberg = {.coupling = {{0, 0.81, -0.37}, {0.81, 0, 0.56}, {-0.37, 0.56, 0}}};
static const spins anisotropic = {.anisotropy = {{0.9, -0.4, 0.15}, {-0.3, 0.7, 0.2}, {0.5, 0.1, -0.6}},
                                  .coupling = {{0, 0.81, -0.37}, {0.81, 0, 0.56}, {-0.37, 0.56, 0}}};
static const double spins_start[9] = {0.61, -0.33, 0.72, 1.21, 0.44, -0.58, -0.17, 0.39, 0.28};

/* ---- a rigid body and where it starts ---- */

static const wy_body untidy_body = {.inertia = {1.73, 0.92, 1.31}};
static const double body_start[7] = {0.71, -0.43, 0.97, 0.76, -0.24, 0.39, 0.46};

#endif
