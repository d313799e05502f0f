/* RATTLE and symplectic Euler on canonical systems with and without a constraint: order, constraints, the symplectic
 * form, reversal, and what else they keep. docs/math/integrators.md, section 2.6. */
#include <float.h>

#include <withy/body.h>
#include <withy/integrator.h>

#include "math/vec3.h"
#include "support/suite.h"

static const char *const names[] = {"rattle", "symplectic-euler"};
static const wy_body body = {.inertia = {1.73, 0.92, 1.31}};
static const double body_at[7] = {0.71, -0.43, 0.88, 0.5, -0.5, 0.7, 0.1};

/* A mass on the unit sphere with a drag-free field that needs the multiplier: H = |p|^2/2 + a.q + (b.q)^2/2. */
static const double tilt[3] = {0.3, -0.4, 1.9}, twist[3] = {0.9, 0.2, -0.6};
static void sphere_field(double *dy, const double *y, const void *context) {
    (void)context;
    for (int i = 0; i < 3; i++) {
        dy[i] = -tilt[i] - v3_dot(twist, y + 3) * twist[i];
        dy[3 + i] = y[i];
    }
}
static void sphere_jacobian(double *J, const double *y, const void *context) {
    (void)y, (void)context;
    memset(J, 0, 36 * sizeof *J);
    for (int i = 0; i < 3; i++) {
        J[6 * (3 + i) + i] = 1.0;
        for (int j = 0; j < 3; j++)
            J[6 * i + 3 + j] = -twist[i] * twist[j];
    }
}
static void sphere_value(double *g, const double *q, const void *context) {
    (void)context;
    g[0] = v3_dot(q, q) - 1.0;
}
static void sphere_gradient(double *G, const double *q, const void *context) {
    (void)context;
    v3_scale(G, 2.0, q);
}
static const wy_constraint sphere = {1, sphere_value, sphere_gradient};
static const wy_system on_sphere = {
    .dim = 6, .field = sphere_field, .jacobian = sphere_jacobian, .canonical = true, .constraint = &sphere};
static const double sphere_start[6] = {0.48, 0.36, -0.8, 0.6, -0.8, 0.0}; /* p.q = 0 */
static double sphere_energy(const double *y) {
    const double b = v3_dot(twist, y + 3);
    return 0.5 * v3_dot(y, y) + v3_dot(tilt, y + 3) + 0.5 * b * b;
}

/* The same without the constraint: an oscillator that is pushed. */
static wy_system unbound(void) {
    wy_system s = on_sphere;
    s.constraint = NULL;
    return s;
}

static void march(double *y, const char *name, const wy_system *system, double h, long steps) {
    wy_stepper *stepper;
    wy_error err = {0};
    wy_status s = wy_stepper_create(&stepper, wy_integrator_find(name), NULL, system, &err);
    for (long n = 0; n < steps && !s; n++)
        s = wy_stepper_step(stepper, h, y, &err);
    wy_stepper_free(stepper);
    ck_assert_msg(!s, "%s: %s", name, err.text);
}

static double apart(const double *a, const double *b, size_t n) {
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* The order, against the accurate motion: GL6 for what it can do, fine RATTLE extrapolated where there is a
 * constraint. */
START_TEST(orders) {
    const wy_system free_body = wy_body_hamiltonian_system(&body), unconstrained = unbound();
    for (int s = 0; s < 3; s++) {
        const wy_system *system = s == 0 ? &free_body : s == 1 ? &on_sphere : &unconstrained;
        double start[8], truth[8], coarse[8];
        if (s == 0)
            wy_body_to_hamiltonian(start, body_at);
        else
            memcpy(start, sphere_start, sizeof sphere_start);
        memcpy(truth, start, sizeof start);
        if (s == 1) { /* Richardson: an error in even powers of h */
            memcpy(coarse, start, sizeof start);
            march(coarse, "rattle", system, 1.0 / 2000, 2000);
            march(truth, "rattle", system, 1.0 / 4000, 4000);
            for (size_t i = 0; i < 6; i++)
                truth[i] += (truth[i] - coarse[i]) / 3.0;
        } else {
            march(truth, "gauss-legendre-6", system, 1.0 / 200, 200);
        }
        for (int k = 0; k < 2; k++) {
            double e[2];
            for (int f = 0; f < 2; f++) {
                double y[8];
                memcpy(y, start, sizeof start);
                march(y, names[k], system, 1.0 / (100 << f), 100 << f);
                e[f] = apart(y, truth, system->dim);
            }
            const double order = log2(e[0] / e[1]);
            const double expected = k && s > 0 ? 1.0 : 2.0; /* on the free body H_p.H_q = 0: no error of first order */
            ck_assert_msg(fabs(order - expected) < 0.05, "%s on system %d: order %g", names[k], s, order);
        }
    }
}
END_TEST

/* Both constraints to round-off, the energy in a band, and for the body the momentum in space, which is bilinear in (p,
 * q). */
START_TEST(what_they_keep) {
    const wy_system free_body = wy_body_hamiltonian_system(&body);
    for (int k = 0; k < 2; k++) {
        double y[8], M[7], m0[3], m[3], band = 0.0, moved = 0.0, off = 0.0;
        wy_body_to_hamiltonian(y, body_at);
        wy_body_from_hamiltonian(M, y);
        const double H = wy_body_energy(&body, M);
        wy_body_spatial_momentum(m0, M);
        for (int n = 0; n < 3000; n++) {
            march(y, names[k], &free_body, 0.03, 1);
            wy_body_from_hamiltonian(M, y);
            wy_body_spatial_momentum(m, M);
            band = fmax(band, fabs(wy_body_energy(&body, M) / H - 1.0));
            moved = fmax(moved, apart(m, m0, 3));
            off = fmax(off, fabs(y[4] * y[4] + y[5] * y[5] + y[6] * y[6] + y[7] * y[7] - 1.0));
            off = fmax(off, fabs(y[0] * y[4] + y[1] * y[5] + y[2] * y[6] + y[3] * y[7]));
        }
        ck_assert_msg(off < 100 * DBL_EPSILON, "%s leaves the manifold by %g", names[k], off);
        ck_assert_msg(moved < 3000 * 10 * DBL_EPSILON, "%s moves the spatial momentum by %g", names[k], moved);
        ck_assert_msg(band < (k ? 0.05 : 1e-3) && band > 1e-8, "%s: energy within %g", names[k], band);
        double z[6];
        memcpy(z, sphere_start, sizeof z);
        const double E = sphere_energy(z);
        band = off = 0.0;
        for (int n = 0; n < 3000; n++) {
            march(z, names[k], &on_sphere, 0.02, 1);
            band = fmax(band, fabs(sphere_energy(z) - E));
            off = fmax(off, fmax(fabs(v3_dot(z + 3, z + 3) - 1.0), fabs(v3_dot(z, z + 3))));
        }
        ck_assert_msg(off < 100 * DBL_EPSILON, "%s leaves the sphere by %g", names[k], off);
        ck_assert_msg(band < (k ? 0.1 : 2e-3), "%s: energy of the mass on the sphere within %g", names[k], band);
    }
}
END_TEST

/* A point of the manifold near y: q moved and normalised, p moved and made orthogonal to it. */
static void moved_on(double out[6], const double y[6], const double direction[6], double eps) {
    for (int i = 0; i < 6; i++)
        out[i] = y[i] + eps * direction[i];
    v3_scale(out + 3, 1.0 / v3_norm(out + 3), out + 3);
    v3_axpy(out, out, -v3_dot(out, out + 3), out + 3);
}

/* dp ^ dq on the manifold is what it was: two ways from the start, carried along by differences. */
START_TEST(symplectic_on_the_manifold) {
    static const double directions[2][6] = {{0.3, -0.7, 0.2, 0.5, 0.9, -0.4}, {-0.6, 0.1, 0.8, 0.2, -0.3, 0.7}};
    for (int k = 0; k < 2; k++) {
        double area[2] = {0.0, 0.0}, before[2][6], after[2][6];
        for (int w = 0; w < 2; w++) {
            double up[2][6];
            const double eps = 1e-5;
            moved_on(up[0], sphere_start, directions[w], eps);
            moved_on(up[1], sphere_start, directions[w], -eps);
            for (int i = 0; i < 6; i++)
                before[w][i] = (up[0][i] - up[1][i]) / (2.0 * eps);
            march(up[0], names[k], &on_sphere, 0.1, 20);
            march(up[1], names[k], &on_sphere, 0.1, 20);
            for (int i = 0; i < 6; i++)
                after[w][i] = (up[0][i] - up[1][i]) / (2.0 * eps);
        }
        for (int i = 0; i < 3; i++) {
            area[0] += before[0][i] * before[1][3 + i] - before[1][i] * before[0][3 + i];
            area[1] += after[0][i] * after[1][3 + i] - after[1][i] * after[0][3 + i];
        }
        ck_assert_msg(fabs(area[1] / area[0] - 1.0) < 1e-7, "%s: %g became %g", names[k], area[0], area[1]);
    }
}
END_TEST

START_TEST(rattle_reverses_and_euler_does_not) {
    for (int k = 0; k < 2; k++) {
        double y[6];
        memcpy(y, sphere_start, sizeof y);
        march(y, names[k], &on_sphere, 0.1, 10);
        march(y, names[k], &on_sphere, -0.1, 10);
        const double back = apart(y, sphere_start, 6);
        ck_assert_msg(k ? back > 1e-3 : back < 1e-12, "%s comes back to %g", names[k], back);
    }
}
END_TEST

START_TEST(errors_and_scratch) {
    const wy_system quaternion = wy_body_quaternion_system(&body), free_body = wy_body_hamiltonian_system(&body);
    wy_system bad = free_body;
    bad.jacobian = NULL;
    for (int k = 0; k < 2; k++) {
        const wy_integrator *method = wy_integrator_find(names[k]);
        wy_stepper *stepper;
        wy_error err = {0};
        ck_assert_int_eq(wy_stepper_create(&stepper, method, NULL, &quaternion, &err), WY_UNSUPPORTED);
        ck_assert_msg(strstr(err.text, "needs a canonical system"), "%s", err.text);
        ck_assert_int_eq(wy_stepper_create(&stepper, method, NULL, &bad, &err), WY_UNSUPPORTED);
        double y[8], z[8], work[400], nan[8];
        wy_body_to_hamiltonian(y, body_at);
        memcpy(z, y, sizeof y);
        ck_assert_uint_le(method->work_size(method, &free_body), 400);
        wy_step_stats stats = {0};
        memset(work, 0, sizeof work);
        ck_assert(!method->step(method, NULL, &free_body, 0.1, y, work, &stats, &err));
        for (size_t i = 0; i < 400; i++)
            work[i] = NAN;
        ck_assert(!method->step(method, NULL, &free_body, 0.1, z, work, &stats, &err));
        ck_assert_int_eq(memcmp(y, z, sizeof y), 0);
        ck_assert(stats.steps == 2 && stats.iterations >= 4);
        memcpy(nan, y, sizeof y);
        nan[3] = NAN;
        ck_assert_int_eq(method->step(method, NULL, &free_body, 0.1, nan, work, &stats, &err), WY_NOT_FINITE);
        memcpy(z, y, sizeof y);
        const wy_status s = method->step(method, NULL, &free_body, 1e300, z, work, &stats, &err);
        ck_assert(s != WY_OK && err.text[0] && memcmp(y, z, sizeof y) == 0);
    }
}
END_TEST

SUITE("constrained", orders, what_they_keep, symplectic_on_the_manifold, rattle_reverses_and_euler_does_not,
      errors_and_scratch)
