/* How the implicit steps are solved, the Jacobians that Newton needs, and every way a step can fail: with a sentence,
 * and with the state as it was. */
#include <float.h>
#include <stdio.h>

#include "support/suite.h"
#include "support/systems.h"

/* without the methods for canonical systems, whose claims are tested in test_constrained.c */
#define FOR_EACH(m)                                                                               \
    for (const wy_entry *const *m##_row = wy_integrators.entries; *m##_row; m##_row++)            \
        for (const wy_integrator *m = (const wy_integrator *)(const void *)*m##_row; m; m = NULL) \
            for (bool m##_fits = !(m->traits & WY_NEEDS_CANONICAL); m##_fits; m##_fits = false)

static const wy_implicit newton = {.solver = WY_NEWTON, .tolerance = 0.0, .max_iterations = 50};
static const wy_implicit fixed = {.solver = WY_FIXED_POINT, .tolerance = 0.0, .max_iterations = 500};

static const void *config_of(const wy_integrator *method, const wy_implicit *settings) {
    return method->traits & WY_IMPLICIT ? settings : NULL;
}

static double apart(const double *a, const double *b, size_t n) {
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= worst))
            worst = fabs(a[i] - b[i]);
    return worst;
}

/* ---- the Jacobians: the fields are polynomials of degree two or three (and a pendulum), so central differences of
 * order six are good to round-off ---- */

static void check_jacobian(const char *what, const wy_system *system, const double *y) {
    static const double weights[3] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    const size_t n = system->dim;
    const double delta = 1e-2;
    double J[81], worst = 0.0;
    system->jacobian(J, y, system->context);
    for (size_t j = 0; j < n; j++) {
        double column[9] = {0};
        for (int k = 0; k < 3; k++) {
            double plus[9], minus[9], fp[9], fm[9];
            memcpy(plus, y, n * sizeof *y);
            memcpy(minus, y, n * sizeof *y);
            plus[j] += (k + 1) * delta;
            minus[j] -= (k + 1) * delta;
            system->field(fp, plus, system->context);
            system->field(fm, minus, system->context);
            for (size_t i = 0; i < n; i++)
                column[i] += weights[k] * (fp[i] - fm[i]) / delta;
        }
        for (size_t i = 0; i < n; i++)
            worst = fmax(worst, fabs(column[i] - J[i * n + j]));
    }
    /* round-off: a few eps * |f|/delta = 1e-13; truncation: delta^6/140 * 2^7 = 1e-12 for the pendulum, else none */
    ck_assert_msg(worst < 2e-12, "the Jacobian of %s is off by %g", what, worst);
}

START_TEST(jacobians) {
    uint64_t seed = 12;
    for (int trial = 0; trial < 50; trial++) {
        double y[9];
        for (int i = 0; i < 9; i++)
            y[i] = random_in(&seed, -1.0, 1.0);
        const wy_body body = {.inertia = {random_in(&seed, 0.5, 3), random_in(&seed, 0.5, 3), random_in(&seed, 0.5, 3)},
                              .alpha = trial % 3 ? random_in(&seed, 0.5, 2.0) : 0.0};
        const wy_system systems[] = {wy_body_quaternion_system(&body), wy_body_hamiltonian_system(&body),
                                     pendulum_system(), species_system(), spins_system(&anisotropic)};
        static const char *const names[] = {"the body (M, q)", "the body (p, q)", "the pendulum", "the species",
                                            "the spins"};
        for (int s = 0; s < 5; s++)
            check_jacobian(names[s], &systems[s], y);
    }
}
END_TEST

/* ---- fixed point and Newton ---- */

START_TEST(both_solvers_give_the_same_step) {
    const wy_system systems[] = {pendulum_system(), species_system(), spins_system(&anisotropic),
                                 wy_body_quaternion_system(&untidy_body)};
    const double *starts[] = {pendulum_start, species_start, spins_start, body_start};
    FOR_EACH(method) {
        if (!(method->traits & WY_IMPLICIT))
            continue;
        for (int s = method->traits & WY_NEEDS_SPHERES ? 2 : 0; s < 4; s++) {
            double a[9], b[9];
            wy_stepper *stepper;
            wy_error err = {0};
            memcpy(a, starts[s], systems[s].dim * sizeof *a);
            memcpy(b, a, sizeof a);
            ck_assert_int_eq(wy_stepper_create(&stepper, method, &newton, &systems[s], &err), WY_OK);
            ck_assert_msg(wy_stepper_step(stepper, 0.19, a, &err) == WY_OK, "%s", err.text);
            const wy_step_stats by_newton = *wy_stepper_stats(stepper);
            wy_stepper_free(stepper);
            ck_assert_int_eq(wy_stepper_create(&stepper, method, &fixed, &systems[s], &err), WY_OK);
            ck_assert_msg(wy_stepper_step(stepper, 0.19, b, &err) == WY_OK, "%s", err.text);
            const wy_step_stats by_fixed_point = *wy_stepper_stats(stepper);
            wy_stepper_free(stepper);
            /* one unit in the last place of numbers up to 1.3, from a residual of one or two */
            ck_assert_msg(apart(a, b, systems[s].dim) <= 4 * DBL_EPSILON, "%s on system %d: %g", method->entry.name, s,
                          apart(a, b, systems[s].dim));
            ck_assert_int_le(by_newton.iterations, 6);
            ck_assert_int_gt(by_fixed_point.iterations, by_newton.iterations);
            ck_assert_int_eq(by_newton.steps, 1);
            ck_assert_double_le(by_newton.change, 64 * DBL_EPSILON);
            ck_assert_double_le(by_fixed_point.change, 64 * DBL_EPSILON);
            ck_assert_int_gt(by_newton.evaluations, 0);
        }
    }
}
END_TEST

/* A looser tolerance stops earlier, with an error of that size and no larger. */
START_TEST(tolerance_is_obeyed) {
    const wy_system body = wy_body_quaternion_system(&untidy_body);
    FOR_EACH(method) {
        if (!(method->traits & WY_IMPLICIT))
            continue;
        int64_t before = 1000;
        double exact[7];
        wy_stepper *stepper;
        memcpy(exact, body_start, sizeof exact);
        ck_assert_int_eq(wy_stepper_create(&stepper, method, &fixed, &body, NULL), WY_OK);
        ck_assert_int_eq(wy_stepper_step(stepper, 0.2, exact, NULL), WY_OK);
        wy_stepper_free(stepper);
        for (double tolerance = 1e-13; tolerance < 1e-2; tolerance *= 100) {
            const wy_implicit fixed_point = {.solver = WY_FIXED_POINT, .tolerance = tolerance, .max_iterations = 100};
            double y[7];
            memcpy(y, body_start, sizeof y);
            ck_assert_int_eq(wy_stepper_create(&stepper, method, &fixed_point, &body, NULL), WY_OK);
            ck_assert_int_eq(wy_stepper_step(stepper, 0.2, y, NULL), WY_OK);
            const wy_step_stats *stats = wy_stepper_stats(stepper);
            ck_assert_double_le(stats->change, tolerance);
            ck_assert_int_le(stats->iterations, before);
            before = stats->iterations;
            wy_stepper_free(stepper);
            /* the contraction is below a half, so what is left is below the last change; |M| = 1.3, |q| = 1 */
            ck_assert_double_le(apart(y, exact, 7), 2.0 * tolerance + 8 * DBL_EPSILON);
        }
    }
}
END_TEST

/* A forced field from a start that is nearly at rest: what counts is the length of the block once it moves, or the
 * iteration would look for digits that no double has. */
static void forced_field(double *dy, const double *y, const void *context) {
    (void)context;
    dy[0] = 1.3 + 0.7 * sin(3.0 * y[1]);
    dy[1] = -0.4 + cos(2.0 * y[0]) * y[1];
}
static void forced_jacobian(double *J, const double *y, const void *context) {
    (void)context;
    J[0] = 0.0, J[1] = 2.1 * cos(3.0 * y[1]);
    J[2] = -2.0 * sin(2.0 * y[0]) * y[1], J[3] = cos(2.0 * y[0]);
}

START_TEST(starting_from_almost_nothing) {
    const wy_system system = {.dim = 2, .field = forced_field, .jacobian = forced_jacobian};
    uint64_t seed = 6;
    FOR_EACH(method) {
        if (!(method->traits & WY_IMPLICIT) || (method->traits & WY_NEEDS_SPHERES))
            continue;
        for (int trial = 0; trial < 400; trial++) {
            /* zero, the smallest double, and anything in between and up to 1 */
            const double size = trial == 0 ? 0.0 : trial == 1 ? 5e-324 : pow(10.0, random_in(&seed, -308.0, 0.0));
            const double h = random_in(&seed, 0.01, 0.25);
            double y[2] = {size, -0.3 * size};
            wy_stepper *stepper;
            wy_error err = {0};
            ck_assert_int_eq(wy_stepper_create(&stepper, method, trial % 2 ? &newton : &fixed, &system, &err), WY_OK);
            for (int n = 0; n < 10; n++)
                ck_assert_msg(wy_stepper_step(stepper, h, y, &err) == WY_OK, "%s from %g: %s", method->entry.name, size,
                              err.text);
            wy_stepper_free(stepper);
        }
    }
}
END_TEST

/* On a linear system a start that is 2^600 times larger or smaller gives the same result times 2^600, to the bit: the
 * stop does not care for units, and its squares neither overflow nor vanish. */
START_TEST(size_does_not_matter) {
    uint64_t seed = 31;
    linear f;
    for (int i = 0; i < LINEAR; i++)
        for (int j = 0; j <= i; j++)
            f.S[i][j] = f.S[j][i] = 0.3 * random_normal(&seed) + (i == j);
    const wy_system line = linear_system(&f);
    static const int exponents[] = {-600, -520, 510, 600};
    FOR_EACH(method) {
        if (method->traits & WY_NEEDS_SPHERES)
            continue;
        for (int solver = 0; solver < 2; solver++) {
            double plain[LINEAR] = {0.3, -0.8, 0.5, 0.9, -0.2, 0.7}, y[LINEAR];
            wy_stepper *stepper;
            ck_assert_int_eq(
                wy_stepper_create(&stepper, method, config_of(method, solver ? &newton : &fixed), &line, NULL), WY_OK);
            for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
                double start[LINEAR];
                memcpy(start, plain, sizeof plain);
                for (int i = 0; i < LINEAR; i++)
                    y[i] = ldexp(start[i], exponents[k]);
                for (int n = 0; n < 5; n++) {
                    ck_assert_int_eq(wy_stepper_step(stepper, 0.3, start, NULL), WY_OK);
                    ck_assert_int_eq(wy_stepper_step(stepper, 0.3, y, NULL), WY_OK);
                }
                for (int i = 0; i < LINEAR; i++)
                    ck_assert_msg(y[i] == ldexp(start[i], exponents[k]),
                                  "%s times 2^%d: component %d is %.17g, not %.17g", method->entry.name, exponents[k],
                                  i, ldexp(y[i], -exponents[k]), start[i]);
            }
            wy_stepper_free(stepper);
        }
    }
}
END_TEST

/* ---- scratch memory is scratch ---- */

START_TEST(scratch_full_of_nan_changes_no_bit) {
    enum { CAPACITY = 4000, GUARD = 64 };
    const wy_system systems[] = {pendulum_system(), species_system(), spins_system(&anisotropic),
                                 wy_body_quaternion_system(&untidy_body), wy_body_hamiltonian_system(&untidy_body)};
    double pq[8];
    wy_body_to_hamiltonian(pq, body_start);
    const double *starts[] = {pendulum_start, species_start, spins_start, body_start, pq};
    static double clean[CAPACITY + GUARD], dirty[CAPACITY + GUARD];
    FOR_EACH(method)
    for (int s = 0; s < 5; s++)
        for (int solver = 0; solver < 2; solver++) {
            const bool sphere = systems[s].blocks && systems[s].blocks[0].sphere;
            if ((method->traits & WY_NEEDS_SPHERES) && !sphere)
                continue;
            const size_t n = systems[s].dim, size = method->work_size(method, &systems[s]);
            ck_assert_uint_le(size, CAPACITY);
            double a[9], b[9];
            memcpy(a, starts[s], n * sizeof *a);
            memcpy(b, starts[s], n * sizeof *b);
            wy_step_stats stats = {0}, other = {0};
            for (size_t i = 0; i < CAPACITY + GUARD; i++)
                clean[i] = 0.0, dirty[i] = NAN;
            for (size_t i = size; i < CAPACITY + GUARD; i++)
                dirty[i] = 12345.678; /* beyond what was asked for */
            const wy_implicit *settings = solver ? &newton : &fixed;
            for (int step = 0; step < 30; step++) {
                wy_error err = {0};
                ck_assert_msg(
                    !method->step(method, config_of(method, settings), &systems[s], 0.11, a, clean, &stats, &err), "%s",
                    err.text);
                ck_assert_msg(
                    !method->step(method, config_of(method, settings), &systems[s], 0.11, b, dirty, &other, &err), "%s",
                    err.text);
                for (size_t i = 0; i < size; i++)
                    dirty[i] = NAN;
            }
            ck_assert_msg(memcmp(a, b, n * sizeof *a) == 0, "%s on system %d", method->entry.name, s);
            ck_assert_int_eq(stats.iterations, other.iterations);
            ck_assert_int_eq(stats.steps, 30);
            for (size_t i = size; i < CAPACITY + GUARD; i++)
                ck_assert_msg(dirty[i] == 12345.678, "%s wrote %zu places past its scratch", method->entry.name,
                              i - size);
        }
}
END_TEST

/* ---- what goes wrong ---- */

/* The step fails with this status and these words, and y is as it was, bit for bit. */
static void expect_failure(const wy_integrator *method, const wy_implicit *settings, const wy_system *system, double h,
                           const double *start, wy_status status, const char *words) {
    double y[9];
    memcpy(y, start, system->dim * sizeof *y);
    wy_stepper *stepper;
    wy_error err = {0};
    ck_assert_msg(wy_stepper_create(&stepper, method, config_of(method, settings), system, &err) == WY_OK, "%s",
                  err.text);
    const wy_status s = wy_stepper_step(stepper, h, y, &err);
    ck_assert_msg(s == status && err.status == status, "%s: %s (%s)", method->entry.name, wy_status_name(s), err.text);
    ck_assert_msg(strstr(err.text, words) != NULL, "%s: '%s' lacks '%s'", method->entry.name, err.text, words);
    ck_assert_msg(memcmp(y, start, system->dim * sizeof *y) == 0, "%s changed the state although it failed",
                  method->entry.name);
    ck_assert_int_eq(wy_stepper_stats(stepper)->steps, 0);
    ck_assert_int_eq(wy_stepper_step(stepper, h, y, NULL), status); /* and without a place for the sentence */
    wy_stepper_free(stepper);
}

START_TEST(a_step_that_is_not_finite) {
    const wy_system chain = spins_system(&anisotropic);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    FOR_EACH(method)
    for (int i = 0; i < 3; i++)
        expect_failure(method, &newton, &chain, bad[i], spins_start, WY_NOT_FINITE, "the step is");
}
END_TEST

/* A field that turns to NaN or infinity once it has moved a little. */
static void cliff_field(double *dy, const double *y, const void *context) {
    spins_field(dy, y, &anisotropic);
    dy[4] += *(const double *)context;
}
static void cliff_jacobian(double *J, const double *y, const void *context) {
    spins_jacobian(J, y, &anisotropic);
    J[40] += *(const double *)context;
}

START_TEST(a_field_that_is_not_finite) {
    const double bad[] = {NAN, INFINITY};
    FOR_EACH(method)
    for (int i = 0; i < 2; i++)
        for (int solver = 0; solver < 2; solver++) {
            wy_system chain = spins_system(&anisotropic);
            chain.field = cliff_field;
            chain.context = &bad[i];
            chain.jacobian = cliff_jacobian;
            expect_failure(method, solver ? &newton : &fixed, &chain, 0.1, spins_start, WY_NOT_FINITE, "");
        }
}
END_TEST

/* A field that is finite wherever it is asked, but whose step overflows. */
static void steep_field(double *dy, const double *y, const void *context) {
    (void)context;
    dy[0] = 1e308 + 0.0 * y[0];
}
static void flat_jacobian(double *J, const double *y, const void *context) {
    (void)y, (void)context;
    J[0] = 0.0;
}
START_TEST(a_step_that_overflows) {
    const wy_system steep = {.dim = 1, .field = steep_field, .jacobian = flat_jacobian};
    const double start[1] = {1.7e308};
    FOR_EACH(method)
    if (!(method->traits & WY_NEEDS_SPHERES))
        for (int solver = 0; solver < 2; solver++)
            expect_failure(method, solver ? &newton : &fixed, &steep, 1.0, start, WY_NOT_FINITE, "");
}
END_TEST

START_TEST(no_convergence) {
    const wy_system chain = spins_system(&anisotropic);
    const wy_implicit one_newton = {.solver = WY_NEWTON, .max_iterations = 1};
    const wy_implicit one_fixed = {.solver = WY_FIXED_POINT, .tolerance = 1e-8, .max_iterations = 1};
    const wy_implicit ten = {.solver = WY_FIXED_POINT, .tolerance = 1e-10, .max_iterations = 10};
    FOR_EACH(method) {
        if (!(method->traits & WY_IMPLICIT))
            continue;
        expect_failure(method, &one_newton, &chain, 0.2, spins_start, WY_NO_CONVERGENCE,
                       "after 1 newton iterations, tolerance 0");
        expect_failure(method, &one_fixed, &chain, 0.2, spins_start, WY_NO_CONVERGENCE,
                       "after 1 fixed-point iterations, tolerance 1e-08");
        expect_failure(method, &ten, &chain, 1.9, spins_start, WY_NO_CONVERGENCE, "did not converge: change");
    }
}
END_TEST

/* The fixed point that runs away ends in an error, not in infinity. */
static void explosive_field(double *dy, const double *y, const void *context) {
    (void)context;
    dy[0] = y[0] * y[0] * y[0];
}
START_TEST(running_away) {
    const wy_system explosive = {.dim = 1, .field = explosive_field};
    const double start[1] = {3.0};
    FOR_EACH(method)
    if ((method->traits & WY_IMPLICIT) && !(method->traits & WY_NEEDS_SPHERES))
        expect_failure(method, &fixed, &explosive, 10.0, start, WY_NOT_FINITE, "diverged at iteration");
}
END_TEST

/* y' = y with h such that I - h a J has no inverse. */
static void unit_field(double *dy, const double *y, const void *context) {
    (void)context;
    dy[0] = y[0];
}
static void unit_jacobian(double *J, const double *y, const void *context) {
    (void)y, (void)context;
    J[0] = 1.0;
}
START_TEST(singular_newton_matrix) {
    const wy_system unit = {.dim = 1, .field = unit_field, .jacobian = unit_jacobian};
    const double start[1] = {1.0};
    expect_failure(wy_integrator_find("IM"), &newton, &unit, 2.0, start, WY_NO_CONVERGENCE,
                   "singular at iteration 1 (step 2 too large?)");
    expect_failure(wy_integrator_find("KM"), &newton, &unit, 2.0, start, WY_NO_CONVERGENCE, "singular at iteration 1");
}
END_TEST

/* The midpoint of opposite points is no point of a sphere. */
static void opposite_field(double *dy, const double *y, const void *context) {
    const double *start = context;
    (void)y;
    v3_scale(dy, -2.0, start); /* not tangent: leads straight to -w with h = 1 */
}
START_TEST(through_the_centre_of_a_sphere) {
    static const double start[3] = {0.6, 0.0, 0.8};
    static const wy_block ball[] = {{0, 3, true}};
    const wy_system system = {.dim = 3, .field = opposite_field, .blocks = ball, .block_count = 1, .context = start};
    double y[3];
    memcpy(y, start, sizeof y);
    wy_stepper *stepper;
    wy_error err = {0};
    ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("SM"), &fixed, &system, &err), WY_OK);
    const wy_status s = wy_stepper_step(stepper, 1.0, y, &err);
    /* an error, or (as the field does not look at its argument) the plain increment: never NaN */
    ck_assert_msg(s == WY_NOT_FINITE || (isfinite(y[0]) && isfinite(y[1]) && isfinite(y[2])), "%s", err.text);
    wy_stepper_free(stepper);
}
END_TEST

/* A sphere of radius zero is a point that stays; blocks that are no spheres take the plain midpoint. */
START_TEST(a_sphere_of_radius_zero) {
    static const wy_block blocks[] = {{0, 3, true}, {3, 3, true}, {6, 3, false}};
    wy_system chain = spins_system(&heisenberg);
    chain.blocks = blocks;
    double y[9] = {0, 0, 0, 0.3, -0.4, 0.8, 0.5, 0.1, -0.7};
    const double before = v3_norm(y + 3);
    for (int solver = 0; solver < 2; solver++) {
        wy_stepper *stepper;
        wy_error err = {0};
        ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("SM"), solver ? &newton : &fixed, &chain, &err),
                         WY_OK);
        for (int n = 0; n < 50; n++)
            ck_assert_msg(wy_stepper_step(stepper, 0.2, y, &err) == WY_OK, "%s", err.text);
        wy_stepper_free(stepper);
    }
    ck_assert_double_eq(v3_norm(y), 0.0);
    ck_assert_double_eq_tol(v3_norm(y + 3), before, 200 * DBL_EPSILON);
}
END_TEST

/* ---- steppers that cannot be made ---- */

static void refuse(const wy_integrator *method, const wy_implicit *settings, const wy_system *system, wy_status status,
                   const char *words) {
    wy_stepper *stepper = (wy_stepper *)(void *)&stepper;
    wy_error err = {0};
    const wy_status s = wy_stepper_create(&stepper, method, settings, system, &err);
    ck_assert_msg(s == status, "%s instead of %s: %s", wy_status_name(s), wy_status_name(status), err.text);
    ck_assert_msg(strstr(err.text, words) != NULL, "'%s' lacks '%s'", err.text, words);
    ck_assert_ptr_null(stepper);
    ck_assert_int_eq(wy_stepper_create(&stepper, method, settings, system, NULL), status);
    wy_stepper_free(stepper);
}

START_TEST(what_no_stepper_is_made_for) {
    const wy_integrator *IM = wy_integrator_find("IM"), *SM = wy_integrator_find("SM"),
                        *RK4 = wy_integrator_find("RK4");
    const wy_system pendulum = pendulum_system(), chain = spins_system(&anisotropic);
    refuse(NULL, NULL, &pendulum, WY_BAD_INPUT, "no integrator given");
    refuse(RK4, NULL, &(wy_system){.dim = 0, .field = pendulum_field}, WY_BAD_INPUT, "at least one component");
    refuse(RK4, NULL, &(wy_system){.dim = 2}, WY_BAD_INPUT, "a field");
    refuse(SM, &newton, &pendulum, WY_UNSUPPORTED, "spherical-midpoint needs a system with sphere blocks");
    wy_system flat = chain;
    static const wy_block no_sphere[] = {{0, 9, false}};
    flat.blocks = no_sphere, flat.block_count = 1;
    refuse(SM, &newton, &flat, WY_UNSUPPORTED, "needs a system with sphere blocks");
    wy_system blind = pendulum;
    blind.jacobian = NULL;
    refuse(IM, &newton, &blind, WY_UNSUPPORTED, "implicit-midpoint with Newton needs a Jacobian");
    refuse(IM, NULL, &blind, WY_UNSUPPORTED, "needs a Jacobian"); /* Newton is the default */
    refuse(IM, &(wy_implicit){.tolerance = -1e-9, .max_iterations = 5}, &pendulum, WY_BAD_INPUT, "tolerance -1e-09");
    refuse(IM, &(wy_implicit){.tolerance = NAN, .max_iterations = 5}, &pendulum, WY_BAD_INPUT, "tolerance");
    refuse(IM, &(wy_implicit){.tolerance = INFINITY, .max_iterations = 5}, &pendulum, WY_BAD_INPUT, "tolerance");
    refuse(IM, &(wy_implicit){.tolerance = 0, .max_iterations = 0}, &pendulum, WY_BAD_INPUT, "at most 0 iterations");
    refuse(IM, &(wy_implicit){.solver = 2, .max_iterations = 5}, &pendulum, WY_BAD_INPUT, "solver");
    refuse(IM, &(wy_implicit){.solver = -1, .max_iterations = 5}, &pendulum, WY_BAD_INPUT, "solver");
    static const struct {
        wy_block blocks[3];
        size_t count;
        const char *words;
    } cases[] = {
        {{{0, 3, true}, {4, 5, true}}, 2, "block 1 starts at 4 with 5 components, expected it to start at 3"},
        {{{0, 3, true}, {2, 7, true}}, 2, "block 1 starts at 2"},
        {{{1, 8, true}}, 1, "block 0 starts at 1"},
        {{{0, 3, true}, {3, 0, true}, {3, 6, true}}, 3, "block 1 starts at 3 with 0 components"},
        {{{0, 3, true}, {3, 3, true}}, 2, "the blocks cover 6 of 9 components"},
        {{{0, 3, true}, {3, 9, true}}, 2, "the blocks cover 12 of 9 components"},
        {{{0, 9, true}}, 0, "the blocks cover 0 of 9 components"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wy_system bad = chain;
        bad.blocks = cases[i].blocks, bad.block_count = cases[i].count;
        refuse(RK4, NULL, &bad, WY_BAD_INPUT, cases[i].words);
    }
    wy_stepper_free(NULL);
}
END_TEST

/* The configuration and the system are copied: what the caller does to his own afterwards has no effect. */
START_TEST(settings_are_copied) {
    wy_implicit settings = newton;
    wy_system system = pendulum_system();
    wy_stepper *stepper;
    ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("GL4"), &settings, &system, NULL), WY_OK);
    settings.max_iterations = 0;
    system.field = NULL;
    double y[2];
    memcpy(y, pendulum_start, sizeof y);
    for (int n = 1; n <= 5; n++) {
        ck_assert_int_eq(wy_stepper_step(stepper, 0.1, y, NULL), WY_OK);
        ck_assert_int_eq(wy_stepper_stats(stepper)->steps, n); /* counts add up */
    }
    wy_stepper_free(stepper);
}
END_TEST

/* A step of zero does nothing. */
START_TEST(a_step_of_zero) {
    const wy_system chain = spins_system(&anisotropic);
    FOR_EACH(method)
    for (int solver = 0; solver < 2; solver++) {
        double y[9];
        memcpy(y, spins_start, sizeof y);
        wy_stepper *stepper;
        ck_assert_int_eq(
            wy_stepper_create(&stepper, method, config_of(method, solver ? &newton : &fixed), &chain, NULL), WY_OK);
        ck_assert_int_eq(wy_stepper_step(stepper, 0.0, y, NULL), WY_OK);
        ck_assert_mem_eq(y, spins_start, sizeof y);
        wy_stepper_free(stepper);
    }
}
END_TEST

SUITE("implicit steps", jacobians, both_solvers_give_the_same_step, tolerance_is_obeyed, starting_from_almost_nothing,
      size_does_not_matter, scratch_full_of_nan_changes_no_bit, a_step_that_is_not_finite, a_field_that_is_not_finite,
      a_step_that_overflows, no_convergence, running_away, singular_newton_matrix, through_the_centre_of_a_sphere,
      a_sphere_of_radius_zero, what_no_stepper_is_made_for, settings_are_copied, a_step_of_zero)
