/* The theorems of chapter 3 of `002`, for every integrator of the table: its order, what it keeps, and whether it
 * reverses. Each trait is tested both ways: those that have it show it to round-off, those that have it not miss it by
 * far, so that no row of the table can claim too much or too little. */
#include <float.h>
#include <stdio.h>

#include "integrate/runge_kutta.h"
#include "study/fit.h"
#include "support/suite.h"
#include "support/systems.h"

/* without the methods for canonical systems, whose claims are tested in test_constrained.c */
#define FOR_EACH(m)                                                                               \
    for (const wy_entry *const *m##_row = wy_integrators.entries; *m##_row; m##_row++)            \
        for (const wy_integrator *m = (const wy_integrator *)(const void *)*m##_row; m; m = NULL) \
            for (bool m##_fits = !(m->traits & WY_NEEDS_CANONICAL); m##_fits; m##_fits = false)

static const wy_implicit newton = {.solver = WY_NEWTON, .tolerance = 0.0, .max_iterations = 50};

static void march(double *y, const wy_integrator *method, const wy_system *system, double h, long steps) {
    wy_stepper *stepper;
    wy_error err = {0};
    wy_status s = wy_stepper_create(&stepper, method, method->traits & WY_IMPLICIT ? &newton : NULL, system, &err);
    for (long n = 0; n < steps && !s; n++)
        s = wy_stepper_step(stepper, h, y, &err);
    wy_stepper_free(stepper);
    ck_assert_msg(s == WY_OK, "%s: %s", method->entry.name, err.text);
}

static bool fits(const wy_integrator *method, const wy_system *system) {
    bool sphere = false;
    for (size_t b = 0; b < system->block_count; b++)
        sphere = sphere || system->blocks[b].sphere;
    return sphere || !(method->traits & WY_NEEDS_SPHERES);
}

static double apart(const double *a, const double *b, size_t n) {
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= worst))
            worst = fabs(a[i] - b[i]);
    return worst;
}

static double length(const double *a, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sqrt(sum);
}

static linear random_linear(uint64_t *seed) {
    linear f;
    for (int i = 0; i < LINEAR; i++)
        for (int j = 0; j <= i; j++)
            f.S[i][j] = f.S[j][i] = 0.4 * random_normal(seed) + (i == j ? 1.5 : 0.0);
    return f;
}

/* ---- order ---- */

static void check_order(const char *what, const wy_system *system, const double *start, double T) {
    enum { POINTS = 4 };
    double reference[16];
    memcpy(reference, start, system->dim * sizeof *start);
    march(reference, wy_integrator_find("GL6"), system, T / 3000.0, 3000);
    FOR_EACH(method) {
        if (!fits(method, system))
            continue;
        /* as coarse as the asymptotic range allows, so that the finest error stays above round-off */
        const long first = method->order <= 2 ? 256 : method->order <= 4 ? 64 : 16;
        double h[POINTS], e[POINTS];
        for (int k = 0; k < POINTS; k++) {
            const long N = first << k;
            double y[16];
            memcpy(y, start, system->dim * sizeof *start);
            march(y, method, system, T / (double)N, N);
            double d[16];
            for (size_t i = 0; i < system->dim; i++)
                d[i] = y[i] - reference[i];
            h[k] = T / (double)N;
            e[k] = length(d, system->dim);
        }
        const double rate = wy_fit_rate(h, e, POINTS);
        ck_assert_msg(fabs(rate - method->order) <= 0.05,
                      "%s on %s: rate %.3f (errors %.2g to %.2g), declared order %d", method->entry.name, what, rate,
                      e[0], e[POINTS - 1], method->order);
    }
}

START_TEST(order_is_as_declared) {
    uint64_t seed = 15;
    const linear f = random_linear(&seed);
    const wy_system pendulum = pendulum_system(), species = species_system(), line = linear_system(&f),
                    chain = spins_system(&anisotropic), body = wy_body_quaternion_system(&untidy_body);
    const double line_start[LINEAR] = {0.3, -0.8, 0.5, 0.9, -0.2, 0.7};
    check_order("a pendulum", &pendulum, pendulum_start, 3.3);
    check_order("three species", &species, species_start, 4.7);
    check_order("a linear system", &line, line_start, 2.9);
    check_order("spins", &chain, spins_start, 3.1);
    check_order("a rigid body", &body, body_start, 11.3);
}
END_TEST

/* ---- theorem 3.1.1: linear invariants ---- */

START_TEST(linear_invariants_are_kept_by_all) {
    const wy_system species = species_system(), chain = spins_system(&heisenberg);
    FOR_EACH(method) {
        ck_assert_msg(method->traits & WY_KEEPS_LINEAR, "%s does not claim the linear invariants", method->entry.name);
        double w[9], worst = 0.0;
        memcpy(w, spins_start, sizeof w);
        for (int n = 0; n < 200; n++) {
            march(w, method, &chain, 0.17, 1);
            for (int k = 0; k < 3; k++)
                worst = fmax(
                    worst, fabs(w[k] + w[3 + k] + w[6 + k] - spins_start[k] - spins_start[3 + k] - spins_start[6 + k]));
        }
        /* a random walk of 200 roundings of numbers near 1, with a stage sum or two each */
        ck_assert_msg(worst < 200 * DBL_EPSILON, "%s lets the total spin go by %g", method->entry.name, worst);
        if (!fits(method, &species))
            continue;
        double y[3];
        memcpy(y, species_start, sizeof y);
        march(y, method, &species, 0.21, 200);
        const double sum = y[0] + y[1] + y[2] - species_start[0] - species_start[1] - species_start[2];
        ck_assert_msg(fabs(sum) < 200 * DBL_EPSILON, "%s lets x + y + z go by %g", method->entry.name, sum);
    }
}
END_TEST

/* Degree three and more: x y z stays to the order of the method, not to round-off (after theorem 3.1.3). */
START_TEST(higher_invariants_are_kept_by_none) {
    const wy_system species = species_system();
    FOR_EACH(method) {
        if (!fits(method, &species))
            continue;
        double y[3], worst = 0.0;
        memcpy(y, species_start, sizeof y);
#define PRODUCT(v) (pow(v[0], species_c) * pow(v[1], species_b) * pow(v[2], species_a))
        for (int n = 0; n < 100; n++) {
            march(y, method, &species, 0.4, 1);
            worst = fmax(worst, fabs(PRODUCT(y) - PRODUCT(species_start)));
        }
        ck_assert_msg(worst > 1e-9, "%s keeps a product of powers to %g", method->entry.name, worst);
        ck_assert_msg(worst < 0.2, "%s loses a product of powers: %g", method->entry.name, worst);
    }
}
END_TEST

/* ---- theorem 3.1.2: quadratic invariants, exactly for those with (3.2) ---- */

START_TEST(quadratic_invariants) {
    uint64_t seed = 99;
    const linear f = random_linear(&seed);
    const wy_system line = linear_system(&f), body = wy_body_quaternion_system(&untidy_body),
                    chain = spins_system(&anisotropic);
    const double line_start[LINEAR] = {0.3, -0.8, 0.5, 0.9, -0.2, 0.7};
    FOR_EACH(method) {
        const bool keeps = (method->traits & WY_KEEPS_QUADRATIC) != 0;
        const int steps = method->traits & WY_IMPLICIT ? 500 : 40; /* the explicit ones do not last longer */
        double worst_body[3] = {0}, worst_line = 0.0, worst_chain = 0.0, y[7], w[9], z[LINEAR];
        memcpy(y, body_start, sizeof y);
        memcpy(w, spins_start, sizeof w);
        memcpy(z, line_start, sizeof z);
        for (int n = 0; n < steps; n++) {
            march(y, method, &body, 0.3, 1);
            worst_body[0] = fmax(worst_body[0], fabs(v3_dot(y, y) / v3_dot(body_start, body_start) - 1.0));
            worst_body[1] = fmax(
                worst_body[1], fabs(wy_body_energy(&untidy_body, y) / wy_body_energy(&untidy_body, body_start) - 1.0));
            worst_body[2] = fmax(worst_body[2], fabs(length(y + 3, 4) / length(body_start + 3, 4) - 1.0));
            march(w, method, &chain, 0.3, 1);
            worst_chain =
                fmax(worst_chain, fabs(spins_energy(&anisotropic, w) - spins_energy(&anisotropic, spins_start)));
            if (fits(method, &line)) {
                march(z, method, &line, 0.1, 1);
                worst_line = fmax(worst_line, fabs(linear_energy(&f, z) / linear_energy(&f, line_start) - 1.0));
            }
        }
        const double all[5] = {worst_body[0], worst_body[1], worst_body[2], worst_chain, worst_line};
        static const char *const names[5] = {"|M|^2", "the body's energy", "|q|^2", "the spins' energy", "z.S z"};
        for (int i = 0; i < 5; i++)
            if (keeps) /* 500 roundings of quantities of order one */
                ck_assert_msg(all[i] < 500 * DBL_EPSILON, "%s lets %s go by %g", method->entry.name, names[i], all[i]);
        if (keeps)
            continue;
        if (method->traits &
            WY_NEEDS_SPHERES) { /* the radii, and the energy of a single spin; but not every quadratic one */
            for (int i = 0; i < 3; i++)
                ck_assert_msg(all[i] < 500 * DBL_EPSILON, "%s lets %s go by %g", method->entry.name, names[i], all[i]);
            ck_assert_msg(worst_chain > 1e-5, "%s keeps the energy of coupled spins to %g", method->entry.name,
                          worst_chain);
        } else {
            for (int i = 0; i < 4; i++)
                ck_assert_msg(all[i] > 1e-8, "%s keeps %s to %g: does it not deserve the trait?", method->entry.name,
                              names[i], all[i]);
        }
    }
}
END_TEST

/* On linear fields Kahan's method is the implicit midpoint, and keeps z.S z: why the test above asks no more of z.S z.
 */
START_TEST(kahan_on_linear_fields_is_the_midpoint) {
    uint64_t seed = 99;
    const linear f = random_linear(&seed);
    const wy_system line = linear_system(&f);
    double a[LINEAR] = {0.3, -0.8, 0.5, 0.9, -0.2, 0.7}, b[LINEAR];
    memcpy(b, a, sizeof a);
    march(a, wy_integrator_find("KM"), &line, 0.2, 100);
    march(b, wy_integrator_find("IM"), &line, 0.2, 100);
    ck_assert_double_le(apart(a, b, LINEAR), 1000 * DBL_EPSILON);
}
END_TEST

/* ---- theorem 3.1.3: the symplectic form ---- */

/* The tangent of `steps` steps, column by column, by central differences of order six. */
static void tangent(double *Psi, const wy_integrator *method, const wy_system *system, const double *y, double h,
                    long steps) {
    static const double weights[3] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    const size_t n = system->dim;
    const double delta = 4e-3;
    memset(Psi, 0, n * n * sizeof *Psi);
    for (size_t j = 0; j < n; j++)
        for (int k = 0; k < 3; k++) {
            double plus[16], minus[16];
            memcpy(plus, y, n * sizeof *y);
            memcpy(minus, y, n * sizeof *y);
            plus[j] += (k + 1) * delta;
            minus[j] -= (k + 1) * delta;
            march(plus, method, system, h, steps);
            march(minus, method, system, h, steps);
            for (size_t i = 0; i < n; i++)
                Psi[i * n + j] += weights[k] * (plus[i] - minus[i]) / delta;
        }
}

/* The largest entry of Psi^T Omega Psi - Omega, Omega = [0 I; -I 0]. */
static double symplectic_error(const double *Psi, size_t n) {
    double worst = 0.0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            double sum = 0.0;
            for (size_t i = 0; i < n / 2; i++)
                sum += Psi[i * n + a] * Psi[(i + n / 2) * n + b] - Psi[(i + n / 2) * n + a] * Psi[i * n + b];
            const double omega = b == a + n / 2 ? 1.0 : a == b + n / 2 ? -1.0 : 0.0;
            worst = fmax(worst, fabs(sum - omega));
        }
    return worst;
}

START_TEST(symplectic_form) {
    const wy_system pendulum = pendulum_system(), body = wy_body_hamiltonian_system(&untidy_body);
    double pq[8], Psi[64];
    wy_body_to_hamiltonian(pq, body_start);
    FOR_EACH(method) {
        if (method->traits & WY_NEEDS_SPHERES)
            continue; /* below: its form is that of the spheres */
        tangent(Psi, method, &pendulum, pendulum_start, 0.25, 4);
        const double planar = symplectic_error(Psi, 2);
        tangent(Psi, method, &body, pq, 0.25, 2);
        /* y = (p, q): the form changes its sign, which Psi^T (-Omega) Psi = -Omega does not care about */
        const double rotating = symplectic_error(Psi, 8);
        if (method->traits & WY_KEEPS_QUADRATIC) {
            /* differences: round-off 2 eps/delta = 1e-13 each, truncation delta^6 = 4e-15, summed over the columns */
            ck_assert_msg(planar < 1e-11, "%s: Psi^T J Psi - J = %g on the pendulum", method->entry.name, planar);
            ck_assert_msg(rotating < 1e-11, "%s: Psi^T J Psi - J = %g on the rigid body", method->entry.name, rotating);
        } else {
            ck_assert_msg(planar > 1e-7, "%s is symplectic to %g on the pendulum", method->entry.name, planar);
            ck_assert_msg(rotating > 1e-7, "%s is symplectic to %g on the rigid body", method->entry.name, rotating);
        }
    }
}
END_TEST

/* On a product of spheres the form is sum_b w_b.(u_b x v_b)/|w_b|^2. The spherical midpoint keeps it, the implicit
 * midpoint does not (section 3.1.3). */
static double sphere_form(const double *w, const double *u, const double *v) {
    double sum = 0.0;
    for (int b = 0; b < SPINS; b++) {
        double c[3];
        v3_cross(c, u + 3 * b, v + 3 * b);
        sum += v3_dot(w + 3 * b, c) / v3_dot(w + 3 * b, w + 3 * b);
    }
    return sum;
}

START_TEST(symplectic_form_on_spheres) {
    const wy_system chain = spins_system(&anisotropic);
    const size_t n = chain.dim;
    FOR_EACH(method) {
        double Psi[81], w[9], worst = 0.0;
        tangent(Psi, method, &chain, spins_start, 0.4, 2);
        memcpy(w, spins_start, sizeof w);
        march(w, method, &chain, 0.4, 2);
        uint64_t seed = 33;
        for (int trial = 0; trial < 20; trial++) {
            double u[9], v[9], Pu[9] = {0}, Pv[9] = {0};
            for (int b = 0; b < SPINS; b++) { /* tangent to the spheres */
                double a[3], c[3];
                for (int k = 0; k < 3; k++)
                    a[k] = random_normal(&seed), c[k] = random_normal(&seed);
                v3_cross(u + 3 * b, spins_start + 3 * b, a);
                v3_cross(v + 3 * b, spins_start + 3 * b, c);
            }
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < n; j++) {
                    Pu[i] += Psi[i * n + j] * u[j];
                    Pv[i] += Psi[i * n + j] * v[j];
                }
            worst = fmax(worst, fabs(sphere_form(w, Pu, Pv) - sphere_form(spins_start, u, v)));
        }
        if (method->traits & WY_NEEDS_SPHERES)
            ck_assert_msg(worst < 1e-10, "%s changes the form of the spheres by %g", method->entry.name, worst);
        else
            ck_assert_msg(worst > 1e-9, "%s keeps the form of the spheres to %g", method->entry.name, worst);
    }
}
END_TEST

/* ---- the tableaux themselves ---- */

static const wy_tableau *tableau_of(const wy_integrator *method) {
    return method->step == wy_implicit_rk_step || method->step == wy_explicit_rk_step ? method->data : NULL;
}

/* The largest |b_i a_ij + b_j a_ji - b_i b_j|: (3.2). */
static double condition(const wy_tableau *t) {
    double worst = 0.0;
    const size_t s = t->stages;
    for (size_t i = 0; i < s; i++)
        for (size_t j = 0; j < s; j++)
            worst = fmax(worst, fabs(t->b[i] * t->a[i * s + j] + t->b[j] * t->a[j * s + i] - t->b[i] * t->b[j]));
    return worst;
}

START_TEST(tableaux) {
    int seen = 0, with = 0;
    FOR_EACH(method) {
        const wy_tableau *t = tableau_of(method);
        if (!t)
            continue;
        seen++;
        const size_t s = t->stages;
        const double c32 = condition(t);
        if (method->traits & WY_KEEPS_QUADRATIC)
            ck_assert_msg(c32 <= 2 * DBL_EPSILON, "%s misses (3.2) by %g", method->entry.name, c32), with++;
        else
            ck_assert_msg(c32 > 0.01, "%s has (3.2) to %g and does not claim it", method->entry.name, c32);
        /* symmetric: a_{s+1-i, s+1-j} + a_ij = b_j */
        double symmetry = 0.0;
        for (size_t i = 0; i < s; i++)
            for (size_t j = 0; j < s; j++)
                symmetry = fmax(symmetry, fabs(t->a[(s - 1 - i) * s + s - 1 - j] + t->a[i * s + j] - t->b[j]));
        if (method->traits & WY_SYMMETRIC)
            ck_assert_msg(symmetry <= 2 * DBL_EPSILON, "%s misses the condition of symmetry by %g", method->entry.name,
                          symmetry);
        else
            ck_assert_msg(symmetry > 0.01, "%s is symmetric to %g", method->entry.name, symmetry);
        /* quadrature: sum b c^(k-1) = 1/k up to the order, and no further for the Gauss methods */
        double c[8] = {0};
        for (size_t i = 0; i < s; i++)
            for (size_t j = 0; j < s; j++)
                c[i] += t->a[i * s + j];
        for (int k = 1; k <= method->order + 1; k++) {
            double sum = 0.0;
            for (size_t i = 0; i < s; i++)
                sum += t->b[i] * pow(c[i], k - 1);
            if (k <= method->order)
                ck_assert_msg(fabs(sum - 1.0 / k) <= 4 * DBL_EPSILON, "%s: sum b c^%d = %.17g", method->entry.name,
                              k - 1, sum);
            else
                ck_assert_msg(fabs(sum - 1.0 / k) > 1e-4, "%s: sum b c^%d = %.17g, as of a higher order",
                              method->entry.name, k - 1, sum);
        }
    }
    ck_assert_int_ge(seen, 5);
    ck_assert_int_ge(with, 3);
}
END_TEST

/* ---- symmetry ---- */

START_TEST(symmetric_ones_reverse) {
    const wy_system pendulum = pendulum_system(), chain = spins_system(&anisotropic),
                    body = wy_body_quaternion_system(&untidy_body);
    FOR_EACH(method) {
        double y[2], w[9], b[7], off = 0.0;
        if (fits(method, &pendulum)) {
            memcpy(y, pendulum_start, sizeof y);
            march(y, method, &pendulum, 0.37, 1);
            march(y, method, &pendulum, -0.37, 1);
            off = fmax(off, apart(y, pendulum_start, 2));
        }
        memcpy(w, spins_start, sizeof w);
        march(w, method, &chain, 0.31, 5);
        march(w, method, &chain, -0.31, 5);
        off = fmax(off, apart(w, spins_start, 9));
        memcpy(b, body_start, sizeof b);
        march(b, method, &body, 0.43, 5);
        march(b, method, &body, -0.43, 5);
        off = fmax(off, apart(b, body_start, 7));
        if (method->traits & WY_SYMMETRIC) /* ten roundings, spread by the flow in between */
            ck_assert_msg(off < 100 * DBL_EPSILON, "%s comes back %g off", method->entry.name, off);
        else
            ck_assert_msg(off > 1e-6, "%s comes back within %g: is it symmetric?", method->entry.name, off);
    }
}
END_TEST

/* ---- Kahan ---- */

static quadratic random_quadratic(uint64_t *seed) {
    quadratic f;
    for (int i = 0; i < QUADRATIC; i++) {
        f.b[i] = 0.3 * random_normal(seed);
        for (int j = 0; j < QUADRATIC; j++) {
            f.B[i][j] = 0.5 * random_normal(seed);
            for (int k = 0; k < QUADRATIC; k++)
                f.Q[i][j][k] = 0.3 * random_normal(seed);
        }
    }
    return f;
}

/* Proposition 7: on quadratic fields the step satisfies (3.6), with z_{n+1} - z_n on the left (`002` prints a plus) and
 * the polarised form (3.7); it is the linear system (I - h/2 f'(z_n)) (z_{n+1} - z_n) = h f(z_n); and Newton is there
 * at once: a second iteration only sees that nothing changes. */
START_TEST(kahan_on_quadratic_fields) {
    uint64_t seed = 1993;
    const double h = 0.13;
    for (int trial = 0; trial < 100; trial++) {
        const quadratic f = random_quadratic(&seed);
        const wy_system system = quadratic_system(&f);
        double z[QUADRATIC], Z[QUADRATIC], form[QUADRATIC], J[QUADRATIC * QUADRATIC], fz[QUADRATIC];
        for (int i = 0; i < QUADRATIC; i++)
            z[i] = Z[i] = random_in(&seed, -1.0, 1.0);
        wy_stepper *stepper;
        wy_error err = {0};
        ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("kahan"), &newton, &system, &err), WY_OK);
        ck_assert_msg(wy_stepper_step(stepper, h, Z, &err) == WY_OK, "%s", err.text);
        ck_assert_int_le(wy_stepper_stats(stepper)->iterations, 2);
        wy_stepper_free(stepper);
        quadratic_form(form, &f, z, Z);
        quadratic_jacobian(J, z, &f);
        quadratic_field(fz, z, &f);
        for (int i = 0; i < QUADRATIC; i++) {
            double right = form[i] + f.b[i], left = Z[i] - z[i] - h * fz[i];
            for (int j = 0; j < QUADRATIC; j++) {
                right += 0.5 * f.B[i][j] * (z[j] + Z[j]);
                left -= 0.5 * h * J[i * QUADRATIC + j] * (Z[j] - z[j]);
            }
            /* Z - z carries eps |Z|; the sums have about 40 terms of order 0.3 */
            ck_assert_msg(fabs((Z[i] - z[i]) / h - right) < 20 * DBL_EPSILON / h, "(3.6) is off by %g",
                          (Z[i] - z[i]) / h - right);
            ck_assert_msg(fabs(left) < 20 * DBL_EPSILON, "the linear system is off by %g", left);
        }
    }
}
END_TEST

/* Kahan's method on any field is a Runge-Kutta method of three stages: the same step from its tableau, which misses
 * (3.2). */
START_TEST(kahan_is_a_runge_kutta_method) {
    static const double a[9] = {0, 0, 0, -0.25, 1, -0.25, -0.5, 2, -0.5}, b[3] = {-0.5, 2, -0.5};
    static const wy_tableau tableau = {.stages = 3, .a = a, .b = b};
    const wy_integrator spelled = {
        .entry = {.name = "kahan by tableau", .params = wy_implicit_params, .config_size = sizeof(wy_implicit)},
        .traits = WY_IMPLICIT,
        .data = &tableau,
        .work_size = wy_implicit_rk_work,
        .step = wy_implicit_rk_step};
    ck_assert_double_gt(condition(&tableau), 0.1);
    const wy_system pendulum = pendulum_system();
    double y[2], z[2];
    memcpy(y, pendulum_start, sizeof y);
    memcpy(z, pendulum_start, sizeof z);
    march(y, wy_integrator_find("kahan"), &pendulum, 0.31, 10);
    march(z, &spelled, &pendulum, 0.31, 10);
    ck_assert_double_le(apart(y, z, 2), 100 * DBL_EPSILON);
}
END_TEST

/* The spherical midpoint is the implicit midpoint of the field G -> f(r G/|G|) (section 3.1.3), radius by radius. */
typedef struct projected {
    const wy_system *inner;
    double radius[SPINS];
} projected;

static void projected_field(double *dy, const double *y, const void *context) {
    const projected *p = context;
    double G[9];
    for (int b = 0; b < SPINS; b++)
        v3_scale(G + 3 * b, p->radius[b] / v3_norm(y + 3 * b), y + 3 * b);
    p->inner->field(dy, G, p->inner->context);
}

START_TEST(spherical_midpoint_is_the_midpoint_of_a_projected_field) {
    const wy_system chain = spins_system(&anisotropic);
    projected p = {.inner = &chain};
    for (int b = 0; b < SPINS; b++)
        p.radius[b] = v3_norm(spins_start + 3 * b);
    const wy_system flat = {.dim = 9, .field = projected_field, .context = &p};
    double w[9], z[9];
    memcpy(w, spins_start, sizeof w);
    memcpy(z, spins_start, sizeof z);
    march(w, wy_integrator_find("SM"), &chain, 0.35, 10);
    wy_stepper *stepper;
    wy_error err = {0};
    const wy_implicit fixed = {.solver = WY_FIXED_POINT, .max_iterations = 200};
    ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("IM"), &fixed, &flat, &err), WY_OK);
    for (int n = 0; n < 10; n++)
        ck_assert_msg(wy_stepper_step(stepper, 0.35, z, &err) == WY_OK, "%s", err.text);
    wy_stepper_free(stepper);
    ck_assert_double_le(apart(w, z, 9), 100 * DBL_EPSILON);
}
END_TEST

SUITE("integrators", order_is_as_declared, linear_invariants_are_kept_by_all, higher_invariants_are_kept_by_none,
      quadratic_invariants, kahan_on_linear_fields_is_the_midpoint, symplectic_form, symplectic_form_on_spheres,
      tableaux, symmetric_ones_reverse, kahan_on_quadratic_fields, kahan_is_a_runge_kutta_method,
      spherical_midpoint_is_the_midpoint_of_a_projected_field)
