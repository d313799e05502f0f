/* The laws of the shaft: modes, energy, momentum, the rigid limit, symmetry, and agreement of three ways to solve a
 * step. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/shaft.h>

#include "linalg/lu.h"
#include "shaft/shaft_model.h"

static const double PI = 3.14159265358979323846;

typedef struct rig {
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
} rig;

static rig make(const wy_shaft_config *c) {
    rig r;
    wy_error err = {.text = ""};
    ck_assert_msg(!wy_shaft_create(&r.shaft, c, &err), "%s", err.text);
    ck_assert_msg(!wy_shaft_state_create(&r.state, r.shaft, &err), "%s", err.text);
    ck_assert_msg(!wy_shaft_solver_create(&r.solver, r.shaft, &err), "%s", err.text);
    return r;
}

static void drop(rig *r) {
    wy_shaft_solver_free(r->solver);
    wy_shaft_state_free(r->state);
    wy_shaft_free(r->shaft);
}

static void step(rig *r, double h, const wy_shaft_input in[2]) {
    wy_error err;
    if (wy_shaft_step(r->shaft, r->state, r->solver, h, in,
                      &err)) /* an assertion is not free, and this is done often */
        ck_abort_msg("%s", err.text);
}

static const wy_shaft_input nothing[2] = {{.torque = 0.0}, {.torque = 0.0}};

/* A reproducible stream of untidy numbers in (-1, 1). */
static double untidy(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* The 2 x 2 matrix that one step does to (theta, h w) of mode i: cos(i pi (k - 1/2)/N). */
static void mode_matrix(double A[4], const wy_shaft_config *c, int i, double h) {
    rig r = make(c);
    const size_t n = (size_t)c->elements;
    double *profile = calloc(2 * n, sizeof(double));
    double norm = 0.0;
    for (size_t k = 0; k < n; k++)
        norm += pow(cos(i * PI * ((double)k + 0.5) / (double)n), 2);
    for (int column = 0; column < 2; column++) {
        for (size_t k = 0; k < n; k++) {
            const double shape = cos(i * PI * ((double)k + 0.5) / (double)n);
            profile[k] = column == 0 ? shape : 0.0;
            profile[n + k] = column == 1 ? shape / h : 0.0;
        }
        ck_assert(!wy_shaft_start(r.shaft, r.state, profile, NULL));
        step(&r, h, nothing);
        double theta = 0.0, w = 0.0;
        for (size_t k = 0; k < n; k++) {
            const double shape = cos(i * PI * ((double)k + 0.5) / (double)n);
            theta += shape * r.state->profile[k] / norm;
            w += shape * h * r.state->profile[n + k] / norm;
        }
        A[column] = theta;
        A[2 + column] = w;
    }
    free(profile);
    drop(&r);
}

static double determinant(const double A[4]) {
    return A[0] * A[3] - A[1] * A[2];
}

/* Angle of the complex eigenvalues, from the entries so that nothing cancels. */
static double eigen_angle(const double A[4]) {
    const double half = 0.5 * (A[0] - A[3]), disc = -A[1] * A[2] - half * half;
    return disc > 0.0 ? atan2(sqrt(disc), 0.5 * (A[0] + A[3])) : -1.0;
}

START_TEST(without_damping_every_mode_is_on_the_unit_circle_at_its_frequency) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.damping = 0.0;
    const double h = 0.0137;
    double least = INFINITY, most = 0.0;
    for (int64_t n = 2; n <= 23; n += 7)
        for (double C = 1e-11; C < 2e3; C *= 37.0)
            for (int i = 1; i < n; i++) {
                c.elements = n;
                c.compliance = C;
                c.inertia = 7.3;
                double A[4];
                mode_matrix(A, &c, i, h);
                const double k = (double)n / C, m = c.inertia / (double)n;
                const double Omega = 2.0 * sqrt(k / m) * sin(i * PI / (2.0 * (double)n));
                least = fmin(least, h * Omega);
                most = fmax(most, h * Omega);
                ck_assert_msg(fabs(determinant(A) - 1.0) <= 1e-12, "n %d mode %d h Omega %.3g: det - 1 = %.3g", (int)n,
                              i, h * Omega, determinant(A) - 1.0);
                const double x = 0.5 * h * Omega;
                /* near pi the angle has lost its digits to pi itself: compare the distance to the nearer end */
                if (x < 1e3) {
                    const double angle = eigen_angle(A), theory = 2.0 * atan(x);
                    ck_assert_msg(fabs(angle - theory) <= 1e-9 * theory, "n %d mode %d h Omega %.3g: %.12g not %.12g",
                                  (int)n, i, h * Omega, angle / h, theory / h);
                }
            }
    ck_assert(least < 1e-2 && most > 1e4);
}
END_TEST

START_TEST(each_mode_decays_by_the_formula) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    const double h = 0.0041;
    int complex_roots = 0, real_roots = 0;
    for (double D = 1e-3; D < 30.0; D *= 2.7)
        for (double C = 1e-8; C < 10.0; C *= 11.0)
            for (int i = 1; i < 11; i += 3) {
                c.elements = 11;
                c.compliance = C;
                c.damping = D;
                double A[4];
                mode_matrix(A, &c, i, h);
                const double Omega = 2.0 * sqrt(11.0 / C / (c.inertia / 11.0)) * sin(i * PI / 22.0);
                const double a = 0.25 * h * h * Omega * Omega;
                if (eigen_angle(A) < 0.0) { /* overdamped: both roots must still be inside */
                    const double mean = 0.5 * (A[0] + A[3]), root = sqrt(fmax(0.0, mean * mean - determinant(A)));
                    ck_assert(fabs(mean) + root < 1.0 + 1e-12);
                    real_roots++;
                    continue;
                }
                complex_roots++;
                const double theory = (1.0 + a) / (1.0 + a * (1.0 + 4.0 * D));
                ck_assert_msg(fabs(determinant(A) - theory) <= 1e-9 * theory, "D %g a %g: %.9g not %.9g", D, a,
                              determinant(A), theory);
            }
    ck_assert(complex_roots > 50 && real_roots > 20);
}
END_TEST

START_TEST(the_energy_of_a_million_steps_without_damping_stays) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.damping = 0.0;
    c.angle[0] = -0.31;
    c.angle[1] = 0.47;
    c.speed[0] = 1.7;
    c.speed[1] = -0.4;
    const double h = 0.0123;
#if defined(__SANITIZE_ADDRESS__)
    const int steps = 50000;
#else
    const int steps = 1000000;
#endif
    for (double C = 1e-9; C < 1e-1; C *= 1e3) {
        c.compliance = C;
        rig r = make(&c);
        const wy_shaft_energy e0 = wy_shaft_measure(r.shaft, r.state, NULL, h);
        double worst = 0.0, swing = 0.0;
        for (int k = 0; k < steps; k++) {
            step(&r, h, nothing);
            if (k % 97 == 0 || k + 1 == steps) {
                const wy_shaft_energy e = wy_shaft_measure(r.shaft, r.state, NULL, h);
                worst = fmax(worst, fabs(e.total / e0.total - 1.0));
                swing = fmax(swing, fabs(e.kinetic + e.potential - e0.kinetic - e0.potential) / e0.total);
            }
        }
        const wy_shaft_energy e = wy_shaft_measure(r.shaft, r.state, NULL, h);
        ck_assert_msg(worst < 1e-9, "C %g: energy off by %.3g", C, worst);
        ck_assert_msg(swing > 1e-6, "the plain energy should swing: %.3g", swing);
        /* the momentum is a sum of parts as large as sqrt(2 J E), which is where its round-off comes from */
        ck_assert_msg(fabs(e.momentum - e0.momentum) < 1e-11 * sqrt(2.0 * c.inertia * e0.total),
                      "C %g: momentum %.15g not %.15g", C, e.momentum, e0.momentum);
        drop(&r);
    }
}
END_TEST

/* dE = -h gamma (G w_mean).(G w_new) for each step; and E + (h gamma/4) |G w|^2 never grows. (6.14) */
START_TEST(dissipation_is_what_the_dampers_took) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.elements = 7;
    c.compliance = 3e-3;
    c.viscous = true;
    c.damping = 1.9;
    c.end[0].stiffness = 31.0;
    c.end[0].damping = 0.7;
    c.end[1].sign = -1.0;
    c.angle[0] = 0.2;
    c.speed[1] = -1.1;
    rig r = make(&c);
    const double h = 0.0079;
    wy_shaft_state *start = malloc(wy_shaft_state_size(r.shaft));
    memcpy(start, r.state, wy_shaft_state_size(r.shaft));
    double taken = 0.0, lyapunov = INFINITY;
    for (int k = 0; k < 700; k++) {
        double old[7];
        memcpy(old, r.state->profile + 7, sizeof old);
        const wy_shaft_input in[2] = {{.torque = k < 300 ? sin(0.1 * k) : 0.0, .speed = k < 300 ? 0.4 : 0.0},
                                      {.torque = k < 300 ? 0.3 : 0.0, .torque_rate = k < 300 ? -2.0 : 0.0}};
        step(&r, h, in);
        const double *w = r.state->profile + 7;
        double square = 0.0;
        for (int i = 0; i < 6; i++) {
            taken += h * c.damping * (w[i] - w[i + 1]) * 0.5 * (w[i] + old[i] - w[i + 1] - old[i + 1]);
            square += (w[i] - w[i + 1]) * (w[i] - w[i + 1]);
        }
        const wy_shaft_energy e = wy_shaft_measure(r.shaft, r.state, start, h);
        ck_assert_msg(fabs(e.dissipated - taken) < 1e-12, "step %d: %.15g not %.15g", k, e.dissipated, taken);
        if (k >= 300) {
            /* the driver's spring stores energy too; with its own damper it only takes from the whole */
            const double x = r.state->difference[0] - 0.5 * h * w[0];
            const double now =
                e.total + 0.25 * h * c.damping * square + 0.5 * 31.0 * x * x + 0.25 * h * 0.7 * w[0] * w[0];
            ck_assert_msg(now <= lyapunov * (1 + 1e-13), "step %d: %.15g after %.15g", k, now, lyapunov);
            lyapunov = now;
        }
    }
    ck_assert(taken > 0.01);
    free(start);
    drop(&r);
}
END_TEST

/* A step as one dense system (9) with the rows of (7) for hard ends, as printed but for the corrected terms. */
static void dense_step(const wy_shaft_config *c, const double *old, const double d[2], double h,
                       const wy_shaft_input in[2], double *w, double reaction[2]) {
    const int n = (int)c->elements, couplings = n - 1;
    int hard[2] = {-1, -1}, size = n + couplings;
    for (int e = 0; e < 2; e++)
        if (c->end[e].drive != WY_DRIVE_SPRING)
            hard[e] = size++;
    double *A = calloc((size_t)(size * size), sizeof(double)), *b = calloc((size_t)size, sizeof(double));
    const double m = c->inertia / n, cj = c->compliance / n;
    const double D = c->viscous ? c->damping * cj / h : c->damping, g = 1.0 / (1.0 + 4.0 * D);
    for (int i = 0; i < n; i++) {
        A[i * size + i] = m;
        b[i] = m * old[n + i];
    }
    for (int j = 0; j < couplings; j++) {
        const int row = n + j;
        A[row * size + j] = 1.0;
        A[row * size + j + 1] = -1.0;
        A[j * size + row] = -1.0;
        A[(j + 1) * size + row] = 1.0;
        A[row * size + row] = 4.0 * g * cj / (h * h);
        b[row] = -(4.0 * g / h) * (old[j] - old[j + 1]) + g * (old[n + j] - old[n + j + 1]);
    }
    for (int e = 0; e < 2; e++) {
        const wy_shaft_end *end = &c->end[e];
        const int i = e ? n - 1 : 0;
        const double s = end->sign, w_bar = s * (in[e].speed + 0.5 * h * in[e].speed_rate);
        b[i] += h * s * (in[e].torque + 0.5 * h * in[e].torque_rate);
        if (hard[e] >= 0) {
            A[hard[e] * size + i] = 1.0;
            A[i * size + hard[e]] = -1.0;
            b[hard[e]] =
                end->drive == WY_DRIVE_HARD_SPEED ? w_bar : (s * (in[e].angle + h * in[e].angle_rate) - old[i]) / h;
        } else {
            const double diff = end->integrate ? d[e] : old[i] - s * in[e].angle;
            A[i * size + i] += 0.25 * h * h * end->stiffness + h * end->damping;
            b[i] += -h * end->stiffness * diff + 0.25 * h * h * end->stiffness * old[n + i] + h * end->damping * w_bar;
        }
    }
    size_t *pivot = calloc((size_t)size, sizeof *pivot);
    ck_assert(wy_lu_factor(A, pivot, (size_t)size));
    wy_lu_solve(b, A, pivot, (size_t)size);
    memcpy(w, b, (size_t)n * sizeof(double));
    for (int e = 0; e < 2; e++) {
        const wy_shaft_end *end = &c->end[e];
        const int i = e ? n - 1 : 0;
        const double s = end->sign, w_bar = s * (in[e].speed + 0.5 * h * in[e].speed_rate);
        const double diff = end->integrate ? d[e] : old[i] - s * in[e].angle;
        reaction[e] =
            hard[e] >= 0
                ? -s * b[hard[e]] / h
                : s * (end->stiffness * (diff + 0.25 * h * (w[i] - old[n + i])) + end->damping * (w[i] - w_bar));
    }
    free(pivot);
    free(A);
    free(b);
}

START_TEST(both_forms_and_a_dense_solve_of_the_whole_system_agree) {
    enum { MOST = 21 };
    unsigned seed = 20260401u;
    int cases = 0;
    for (int n = 1; n <= 21; n += n < 6 ? 1 : n == 6 ? 9 : 1 + (n & 1) * 4) /* 1 to 6, 15, 20, 21 */
        for (int d0 = WY_DRIVE_SPRING; d0 <= WY_DRIVE_HARD_ANGLE; d0++)
            for (int d1 = WY_DRIVE_SPRING; d1 <= WY_DRIVE_HARD_ANGLE; d1++)
                for (int stiff = 0; stiff < 3; stiff++)
                    for (int mixed = 0; mixed < 4; mixed++) {
                        wy_shaft_config c;
                        wy_shaft_config_init(&c);
                        c.elements = n;
                        c.inertia = 3.7;
                        c.compliance = stiff == 0 ? 0.0 : stiff == 1 ? 2.3e-3 : 0.9;
                        c.viscous = mixed & 1;
                        c.damping = 0.37;
                        c.project = true;
                        c.end[0] = (wy_shaft_end){d0, 130.0, 2.1, mixed & 1, mixed & 2 ? -1.0 : 1.0};
                        c.end[1] = (wy_shaft_end){d1, 17.0, 0.4, mixed & 2, mixed & 1 ? -1.0 : 1.0};
                        if (d0 && d1 && (stiff == 0 || n == 1)) {
                            wy_error err;
                            ck_assert_int_eq(wy_shaft_check(&c, NULL, &err), WY_BAD_INPUT);
                            ck_assert_ptr_nonnull(strstr(err.text, "both ends"));
                            continue;
                        }
                        for (int form = 0; form < 2; form++) {
                            if (form == WY_SHAFT_ELIMINATED && stiff == 0)
                                continue;
                            c.form = form;
                            rig r = make(&c);
                            double profile[2 * MOST], d[2] = {0.0, 0.0};
                            for (int i = 0; i < 2 * n; i++)
                                profile[i] = untidy(&seed);
                            ck_assert(!wy_shaft_start(r.shaft, r.state, profile, NULL));
                            const double h = 0.03 + 0.02 * untidy(&seed);
                            for (int k = 0; k < 4; k++) {
                                wy_shaft_input in[2];
                                for (int e = 0; e < 2; e++)
                                    in[e] = (wy_shaft_input){untidy(&seed), 0.1 * untidy(&seed), untidy(&seed),
                                                             untidy(&seed), untidy(&seed),       untidy(&seed)};
                                double old[2 * MOST], w[MOST], reaction[2];
                                memcpy(old, r.state->profile, (size_t)(2 * n) * sizeof(double));
                                memcpy(d, r.state->difference, sizeof d);
                                dense_step(&c, old, d, h, in, w, reaction);
                                /* filling the scratch with NaN between steps must change nothing */
                                for (int i = 0; i < n; i++)
                                    r.solver->p[i] = NAN;
                                step(&r, h, in);
                                for (int i = 0; i < n; i++) {
                                    ck_assert_msg(fabs(r.state->profile[n + i] - w[i]) < 1e-11 * (1.0 + fabs(w[i])),
                                                  "n %d drives %d %d C %g form %d mixed %d: w[%d] = %.15g, dense %.15g",
                                                  n, d0, d1, c.compliance, form, mixed, i, r.state->profile[n + i],
                                                  w[i]);
                                    ck_assert_double_eq(r.state->profile[i], old[i] + h * r.state->profile[n + i]);
                                }
                                for (int e = 0; e < 2; e++)
                                    ck_assert_msg(fabs(r.state->torque[e] - reaction[e]) <
                                                      1e-9 * (1.0 + fabs(reaction[e])),
                                                  "n %d drives %d %d C %g form %d: reaction %d is %.15g, dense %.15g",
                                                  n, d0, d1, c.compliance, form, e, r.state->torque[e], reaction[e]);
                                cases++;
                            }
                            drop(&r);
                        }
                    }
    ck_assert_int_gt(cases, 3000);
}
END_TEST

START_TEST(hard_drivers_follow_their_input) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.compliance = 2e-3;
    c.end[1].drive = WY_DRIVE_HARD_ANGLE;
    rig r = make(&c);
    const double h = 0.02;
    for (int k = 0; k < 200; k++) { /* linear extrapolation lands on a ramp exactly; a parabola within h^2/2 a */
        const double t = h * k;
        const wy_shaft_input in[2] = {{.torque = 1.3}, {.angle = 0.3 * t, .angle_rate = 0.3}};
        step(&r, h, in);
        ck_assert_double_eq_tol(r.state->profile[9], 0.3 * (t + h), 1e-14);
    }
    drop(&r);
    c.end[1].drive = WY_DRIVE_SPRING;
    c.end[0].drive = WY_DRIVE_HARD_SPEED;
    c.compliance = 0.0;
    r = make(&c);
    const wy_shaft_input in[2] = {{.speed = 0.7}, {.torque = -2.0}};
    for (int k = 0; k < 50; k++)
        step(&r, h, in);
    for (int i = 0; i < 10; i++)
        ck_assert_double_eq_tol(r.state->profile[10 + i], 0.7, 1e-13);
    ck_assert_double_eq_tol(r.state->torque[0], -2.0, 1e-12); /* passes the load's torque on to the partner */
    drop(&r);
}
END_TEST

START_TEST(a_rigid_shaft_follows_the_torque) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.compliance = 0.0;
    c.elements = 13;
    const double tau = 1.7, h = 0.011;
    rig r = make(&c);
    const wy_shaft_input in[2] = {{.torque = tau}, {.torque = 0.0}};
    for (int k = 1; k <= 400; k++) {
        step(&r, h, in);
        const double t = h * k;
        ck_assert_double_eq_tol(r.state->profile[13], tau * t / c.inertia, 1e-12);
        ck_assert_double_eq_tol(r.state->profile[25], tau * t / c.inertia, 1e-12);
        ck_assert_double_eq_tol(r.state->profile[0], 0.5 * tau * t * (t + h) / c.inertia, 1e-12); /* first order in h */
        ck_assert_double_eq_tol(r.state->joint[0], tau * 12 / 13.0, 1e-11);
    }
    drop(&r);
}
END_TEST

START_TEST(nearly_rigid_and_rigid_agree) {
    double theta[2][400], omega[2][400];
    for (int which = 0; which < 2; which++) {
        wy_shaft_config c;
        wy_shaft_config_init(&c);
        c.compliance = which ? 1e-9 : 0.0;
        c.end[0].stiffness = 1000.0;
        c.end[0].damping = 10.0;
        c.speed[0] = c.speed[1] = 0.2;
        rig r = make(&c);
        for (int k = 0; k < 400; k++) {
            const wy_shaft_input in[2] = {{.speed = 1.0}, {.torque = -3.0}};
            step(&r, 0.01, in);
            theta[which][k] = r.state->profile[0];
            omega[which][k] = r.state->profile[10];
        }
        drop(&r);
    }
    double size_theta = 0.0, size_omega = 0.0, worst_theta = 0.0, worst_omega = 0.0;
    for (int k = 0; k < 400; k++) {
        size_theta = fmax(size_theta, fabs(theta[0][k]));
        size_omega = fmax(size_omega, fabs(omega[0][k]));
        worst_theta = fmax(worst_theta, fabs(theta[1][k] - theta[0][k]));
        worst_omega = fmax(worst_omega, fabs(omega[1][k] - omega[0][k]));
    }
    ck_assert_msg(worst_theta < 1e-5 * size_theta && worst_omega < 1e-5 * size_omega,
                  "angles differ by %.3g, speeds by %.3g", worst_theta / size_theta, worst_omega / size_omega);
}
END_TEST

/* A driver that asks for a speed gets it, and then asks for no torque; with the terms that (12) and (13) of `003` lost,
 * it would keep pulling. */
START_TEST(a_driven_shaft_settles_without_torque) {
    static const double compliance[] = {0.0, 1e-9, 1e-3};
    for (int k = 0; k < 3; k++) {
        wy_shaft_config c;
        wy_shaft_config_init(&c);
        c.compliance = compliance[k];
        c.end[0].stiffness = 100.0;
        c.end[0].damping = 40.0;
        rig r = make(&c);
        const wy_shaft_input in[2] = {{.speed = 1.0}, {.torque = 0.0}};
        for (int n = 0; n < 4000; n++)
            step(&r, 0.01, in);
        ck_assert_double_eq_tol(r.state->profile[10], 1.0, 1e-12);
        ck_assert_double_eq_tol(r.state->profile[19], 1.0, 1e-12);
        ck_assert_double_eq_tol(r.state->torque[0], 0.0, 1e-10);
        drop(&r);
    }
}
END_TEST

/* Turning the shaft round, or the partner's axis, must change nothing but names and signs. */
START_TEST(mirror_and_polarity) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.elements = 9;
    c.compliance = 4e-3;
    c.end[0] = (wy_shaft_end){WY_DRIVE_SPRING, 40.0, 1.0, false, 1.0};
    c.end[1] = (wy_shaft_end){WY_DRIVE_HARD_SPEED, 0.0, 0.0, true, 1.0};
    wy_shaft_config turned = c, flipped = c;
    turned.end[0] = c.end[1];
    turned.end[1] = c.end[0];
    flipped.end[0].sign = -1.0;
    rig a = make(&c), b = make(&turned), f = make(&flipped);
    for (int k = 0; k < 60; k++) {
        const wy_shaft_input in[2] = {{.torque = 1.1, .angle = 0.03 * k, .speed = 0.4}, {.speed = cos(0.3 * k)}};
        const wy_shaft_input swapped[2] = {in[1], in[0]};
        const wy_shaft_input negated[2] = {{.torque = -1.1, .angle = -0.03 * k, .speed = -0.4}, in[1]};
        step(&a, 0.017, in);
        step(&b, 0.017, swapped);
        step(&f, 0.017, negated);
        for (int i = 0; i < 9; i++) {
            ck_assert_double_eq(a.state->profile[i], b.state->profile[8 - i]);
            ck_assert_double_eq(a.state->profile[i], f.state->profile[i]);
        }
        ck_assert_double_eq(a.state->torque[0], b.state->torque[1]);
        ck_assert_double_eq(a.state->torque[0], -f.state->torque[0]);
        ck_assert_double_eq(a.state->difference[0], f.state->difference[0]);
    }
    drop(&a);
    drop(&b);
    drop(&f);
}
END_TEST

START_TEST(the_response_is_the_derivative) {
    unsigned seed = 7u;
    for (int drive = 0; drive < 3; drive++) {
        wy_shaft_config c;
        wy_shaft_config_init(&c);
        c.elements = 6;
        c.compliance = drive == 1 ? 0.0 : 1e-3;
        c.end[0] = (wy_shaft_end){drive, 300.0, 5.0, drive != 1, -1.0};
        c.end[1] = (wy_shaft_end){WY_DRIVE_SPRING, 20.0, 0.1, false, 1.0};
        rig up = make(&c), down = make(&c), r = make(&c);
        const double h = 0.02, eps = 1e-3;
        wy_shaft_input base[2], dir[2], plus[2], minus[2];
        for (int e = 0; e < 2; e++) {
            double *b = &base[e].torque, *d = &dir[e].torque, *p = &plus[e].torque, *q = &minus[e].torque;
            for (int k = 0; k < 6; k++) {
                b[k] = k < 3 ? untidy(&seed) : 0.0;
                d[k] = k < 3 ? untidy(&seed) : 0.0;
                p[k] = b[k] + eps * d[k];
                q[k] = b[k] - eps * d[k];
            }
        }
        for (int k = 0; k < 5; k++) {
            step(&up, h, plus);
            step(&down, h, minus);
        }
        wy_error err;
        ck_assert(!wy_shaft_response(r.shaft, r.state, r.solver, h, 5, dir, &err));
        for (int i = 0; i < 12; i++) {
            const double d = (up.state->profile[i] - down.state->profile[i]) / (2 * eps);
            ck_assert_msg(fabs(r.state->profile[i] - d) < 1e-9 * (1 + fabs(d)), "drive %d: %d: %.12g not %.12g", drive,
                          i, r.state->profile[i], d);
        }
        for (int e = 0; e < 2; e++) {
            ck_assert_double_eq_tol(r.state->acceleration[e],
                                    (up.state->acceleration[e] - down.state->acceleration[e]) / (2 * eps), 1e-8);
            ck_assert_double_eq_tol(r.state->torque[e], (up.state->torque[e] - down.state->torque[e]) / (2 * eps),
                                    1e-8);
        }
        drop(&up);
        drop(&down);
        drop(&r);
    }
}
END_TEST

START_TEST(the_printed_update_diverges) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.damping = 0.0;
    c.compliance = 1e-3;
    c.angle[1] = 0.1;
    c.printed_update = true;
    rig r = make(&c);
    const double e0 = wy_shaft_measure(r.shaft, r.state, NULL, 0.01).total;
    for (int k = 0; k < 100; k++)
        step(&r, 0.01, nothing);
    ck_assert(wy_shaft_measure(r.shaft, r.state, NULL, 0.01).total > 1e6 * e0);
    drop(&r);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shaft laws");
    TCase *tc = tcase_create("laws");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, without_damping_every_mode_is_on_the_unit_circle_at_its_frequency);
    tcase_add_test(tc, each_mode_decays_by_the_formula);
    tcase_add_test(tc, the_energy_of_a_million_steps_without_damping_stays);
    tcase_add_test(tc, dissipation_is_what_the_dampers_took);
    tcase_add_test(tc, both_forms_and_a_dense_solve_of_the_whole_system_agree);
    tcase_add_test(tc, hard_drivers_follow_their_input);
    tcase_add_test(tc, a_rigid_shaft_follows_the_torque);
    tcase_add_test(tc, nearly_rigid_and_rigid_agree);
    tcase_add_test(tc, a_driven_shaft_settles_without_torque);
    tcase_add_test(tc, mirror_and_polarity);
    tcase_add_test(tc, the_response_is_the_derivative);
    tcase_add_test(tc, the_printed_update_diverges);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
