/* Rigid bodies on a rod: at its tip, at any place inside, two nearer than an element. Frequency equations, what is
 * kept, modes, estimates. */
#include <withy/branches.h>

#include "motion/estimate/coarse_runs.h"
#include "motion/motion_internal.h"
#include "support/rest_and_motion.h"

/* Thin, stiff in shear, without inertia of rotation: Euler and Bernoulli. */
static wy_motion_definition thin_rod(int elements) {
    wy_motion_definition d = soft_rod(elements);
    d.rod.section = round_section(0.0005, 2e9, 1e12, 1200.0);
    d.rod.section.rhoI1 = d.rod.section.rhoI2 = d.rod.section.rhoJ = 1e-12;
    return d;
}

static bool is_element_boundary(const wy_motion *rod, double s) {
    for (size_t j = 0; j < wy_motion_nodes(rod); j++)
        if (wy_motion_arc_length(rod, j) == s)
            return true;
    return false;
}

/* A cantilever with a mass m at its tip: 1 + cos b cosh b + r b (cos b sinh b - sin b cosh b) = 0, r = m/(rho A L); f =
 * b^2 sqrt(EI/rho A)/(2 pi L^2). And a heavy wheel at the tip of a massless shaft: sqrt(GJ/(L J))/(2 pi). */
START_TEST(a_mass_on_the_tip) {
    wy_motion_definition d = soft_rod(6);
    d.rod.section = round_section(0.0005, 2e9, 1e12, 1200.0); /* thin, and stiff in shear: Euler and Bernoulli */
    d.rod.section.rhoI1 = d.rod.section.rhoI2 = d.rod.section.rhoJ = 1e-12;
    const wy_motion_gauss_director c = method(4, 3);
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    const double r = 0.83, m = r * d.rod.section.rhoA * d.rod.length, body[] = {d.rod.length, m, 0, 0, 0};
    d.rod.bodies = (wy_samples){1, body};
    double low = 0.5, high = 1.875;
    for (int i = 0; i < 60; i++) {
        const double b = 0.5 * (low + high), f = 1.0 + cos(b) * cosh(b) + r * b * (cos(b) * sinh(b) - sin(b) * cosh(b));
        *(f > 0.0 ? &low : &high) = b;
    }
    const double period =
        2.0 * PI * d.rod.length * d.rod.length / (low * low) * sqrt(d.rod.section.rhoA / d.rod.section.EI1);
    const double force[3] = {1e-7, 0.0, 0.0};
    memcpy(d.start.release, force, sizeof force);
    d.start.equilibrium = true;
    bench b = bench_open(&d);
    double p[3], start, before, least = 0.0, at = 0.0;
    bench_tip(p, &b);
    start = before = p[0];
    ck_assert_double_eq_tol(start, force[0] * pow(d.rod.length, 3) / (3.0 * d.rod.section.EI1), 1e-4 * start);
    const int steps =
        240; /* after three periods the tip is at its start again: the crossing of zero before it tells the time */
    int crossings = 0;
    for (int n = 1; n <= steps && crossings < 5; n++) {
        const double dt = 3.0 * period / steps;
        bench_run(&b, dt, 1, 1);
        bench_tip(p, &b);
        if (p[0] * before < 0.0) {
            crossings++;
            at = dt * (n - 1 + before / (before - p[0]));
        }
        least = fmin(least, p[0]);
        before = p[0];
    }
    /* the static shape is the first mode but for 1e-3 of the others, whose motion shifts a single crossing */
    ck_assert_double_eq_tol(at / 2.25, period, 2e-3 * period);
    ck_assert_double_eq_tol(least, -start, 2e-2 * start);
    bench_close(&b);
}
END_TEST

START_TEST(a_wheel_on_the_tip) {
    wy_motion_definition d = soft_rod(4);
    const double J = 3e-5, body[] = {d.rod.length, 1e-9, 0.7 * J, 0.6 * J, J}; /* much more than the rod's own 5e-8 */
    const wy_motion_gauss_director c = method(3, 2);
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    d.rod.bodies = (wy_samples){1, body};
    const double spin[] = {0.0, 0, 0, 0, 0, 0, 0, d.rod.length, 0, 0, 0, 0, 0, 0.01};
    d.start.velocities = (wy_samples){2, spin};
    const double rod_inertia = d.rod.section.rhoJ * d.rod.length,
                 rate = sqrt(d.rod.section.GJ / (d.rod.length * (J + rod_inertia / 3.0)));
    bench b = bench_open(&d);
    const double quarter = 0.5 * PI / rate;
    bench_run(&b, quarter / 50, 50, 1);
    double q[4 * 5];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.orientation = q});
    const double angle = 2.0 * atan2(q[4 * 4 + 3], q[4 * 4]);
    ck_assert_double_eq_tol(fabs(angle), 0.01 / rate, 1e-5 * 0.01 / rate);
    bench_close(&b);
}
END_TEST

/* The weight of a body bends the static rod as it does the moving one, at the tip and inside. */
START_TEST(bodies_weigh) {
    for (int inside = 0; inside < 3; inside++) {
        wy_motion_definition d = soft_rod(10);
        const wy_load_gravity g = {{-9.0, 2.0, -1.0}};
        const wy_choice load = choose(&wy_loads, "gravity", &g);
        const double body[] = {(double[]){0.1, 0.05, 0.0371}[inside], 4e-3, 1e-7, 1e-7, 1e-7};
        d.rod.loads = (wy_list){1, &load};
        d.rod.bodies = (wy_samples){1, body};
        double y[WY_STATIC_DIM], p[3], bare[WY_STATIC_DIM];
        rest(y, &d);
        moving_rest(p, &d);
        NEAR(p, y + WY_STATIC_X, 2e-8, "rest");
        d.rod.bodies = (wy_samples){0};
        rest(bare, &d);
        ck_assert_double_gt(fabs(bare[WY_STATIC_X] - p[0]), 1e-3);
    }
}
END_TEST

/* w, w', w'' and w''' of the first mode of a cantilever of length 1 with the mass r at c, at x, for w''(0) = 1, w'''(0)
 * = q: Krylov's functions, and at the mass w''' grows by r b^4 w. */
static void mode_at(double y[4], double b, double q, double r, double c, double x) {
    double z[4] = {0, 0, 1, q};
    const double spans[2] = {fmin(x, c), fmax(0.0, x - c)};
    for (int i = 0; i < 2; i++) {
        const double a = b * spans[i], b4 = b * b * b * b;
        const double C[4] = {0.5 * (cosh(a) + cos(a)), 0.5 * (sinh(a) + sin(a)) / b, 0.5 * (cosh(a) - cos(a)) / (b * b),
                             0.5 * (sinh(a) - sin(a)) / (b * b * b)};
        for (int k = 0; k < 4; k++) {
            y[k] = 0.0;
            for (int l = 0; l < 4; l++)
                y[k] += (l >= k ? C[l - k] : b4 * C[4 + l - k]) * z[l];
        }
        memcpy(z, y, sizeof z);
        if (i == 0 && x > c)
            z[3] += r * b4 * z[0];
    }
}

/* What is left of w'' and w''' at the free end for the two ways to begin: its determinant is zero at a frequency. */
static double free_end(double *q, double b, double r, double c) {
    double none[4], one[4], y[2][2];
    mode_at(none, b, 0.0, r, c, 1.0);
    mode_at(one, b, 1.0, r, c, 1.0);
    for (int i = 0; i < 2; i++) {
        y[i][0] = none[2 + i];
        y[i][1] = one[2 + i] - none[2 + i];
    }
    *q = -y[0][0] / y[0][1];
    return y[0][0] * y[1][1] - y[0][1] * y[1][0];
}

/* b = (omega^2 rhoA L^4/EI)^(1/4) of the first mode, and its q. */
static double first_root(double *q, double r, double c) {
    double low = 1.0, high = 1.8751;
    const double sign = free_end(q, low, r, c);
    for (int i = 0; i < 60; i++) {
        const double b = 0.5 * (low + high);
        *(free_end(q, b, r, c) * sign > 0.0 ? &low : &high) = b;
    }
    return low;
}

enum { ROWS = 401 };
static void mode_velocities(double *rows, double b, double q, double r, double c, double L, double speed) {
    for (int i = 0; i < ROWS; i++) {
        double *row = rows + 7 * i, y[4];
        memset(row, 0, 7 * sizeof *row);
        row[0] = L * i / (ROWS - 1);
        mode_at(y, b, q, r, c, (double)i / (ROWS - 1));
        row[1] = speed * y[0];
        row[5] = speed * y[1] / L;
    }
}

/* The period of the tip, which began at rest in the middle: x(t+h) + x(t-h) = 2 cos(omega h) x(t), by least squares
 * over two periods. */
static double period_of(const wy_motion_definition *d, double expected) {
    enum { STEPS = 80 };
    const double h = expected / STEPS;
    bench b = bench_open(d);
    double before = 0.0, now = 0.0, over = 0.0, below = 0.0, p[3];
    for (int n = 1; n <= 2 * STEPS; n++) {
        bench_run(&b, h, 1, 1);
        bench_tip(p, &b);
        over += now * (p[0] + before);
        below += 2.0 * now * now;
        before = now;
        now = p[0];
    }
    bench_close(&b);
    ck_assert_double_gt(below, 0.0);
    return 2.0 * PI * h / acos(over / below);
}

/* A cantilever with a mass at 0.37 of its length, where no element of equal length ends, has the period of its
 * frequency equation in time and its frequency among the modes; a joint is where the body is. */
START_TEST(a_mass_inside_an_element) {
    const double r = 1.9, c = 0.37;
    double q, rows[7 * ROWS];
    const double root = first_root(&q, r, c);
    wy_motion_definition d = thin_rod(5);
    const double L = d.rod.length, body[] = {c * L, r * d.rod.section.rhoA * L, 0, 0, 0};
    const double period = 2.0 * PI * L * L / (root * root) * sqrt(d.rod.section.rhoA / d.rod.section.EI1);
    d.rod.bodies = (wy_samples){1, body};
    mode_velocities(rows, root, q, r, c, L, 1e-6);
    d.start.velocities = (wy_samples){ROWS, rows};
    const wy_motion_gauss_director how = method(4, 3);
    for (int64_t elements = 2; elements <= 8; elements += 3) {
        d.rod.elements = elements;
        d.method = choose(&wy_motion_methods, "gauss-director", &how);
        const double seen = period_of(&d, period);
        printf("%d elements: period off by %.1e\n", (int)elements, seen / period - 1.0);
        ck_assert_double_eq_tol(seen, period, 1e-6 * period);
        d.method = choose(&wy_motion_methods, "bdf-alpha", NULL); /* order 2: 80 steps a period */
        const double damped = period_of(&d, period);
        printf("             bdf-alpha: %.1e\n", damped / period - 1.0);
        ck_assert_double_eq_tol(damped, period, 3e-3 * period);
        bench b = bench_open(&d);
        ck_assert(is_element_boundary(b.rod, c * L));
        bench_close(&b);
    }
    const double bare[] = {0.4 * L, body[1], 0, 0, 0}; /* on the nearest joint of five it would be another rod */
    d.rod.bodies = (wy_samples){1, bare};
    d.rod.elements = 5;
    d.method = choose(&wy_motion_methods, "gauss-director", &how);
    ck_assert_double_gt(fabs(period_of(&d, period) / period - 1.0), 1e-2);
    d.rod.bodies = (wy_samples){1, body};
    wy_equilibrium_method at_rest;
    wy_equilibrium_method_init(&at_rest);
    wy_equilibrium *solver;
    wy_mode_table *table;
    wy_error err;
    at_rest.elements = 20;
    ck_assert_msg(!wy_equilibrium_create(&solver, &d.rod, &at_rest, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_modes_find(&table, 1, 1e-9, 240, solver, &err), "%s", err.text);
    const double of_modes = 2.0 * PI / sqrt(table->eigenvalues[0]);
    printf("modes: period off by %.1e\n", of_modes / period - 1.0);
    ck_assert_double_eq_tol(of_modes, period, 1e-6 * period);
    wy_mode_table_free(table);
    wy_equilibrium_free(solver);
}
END_TEST

/* Where the joints go: bodies out of order, twice at one place, at both ends, nearer than an element, crowded, on a
 * graded mesh. */
START_TEST(element_boundaries_go_where_bodies_are) {
    const double far[] = {0.071, 1, 0, 0, 0, 0.0, 1, 0, 0, 0, 0.0371, 1, 0, 0, 0, 0.0371, 1, 0, 0, 0, 0.1, 1, 0, 0, 0},
                 near[] = {0.0371, 1, 0, 0, 0, 0.0373, 1, 0, 0, 0},
                 crowd[] = {0.09, 1, 0, 0, 0, 0.092, 1, 0, 0, 0, 0.094, 1, 0, 0, 0, 0.096, 1, 0, 0, 0},
                 begin[] = {0.001, 1, 0, 0, 0, 0.002, 1, 0, 0, 0, 0.003, 1, 0, 0, 0}, even[] = {0.05, 1, 0, 0, 0},
                 sizes[] = {0.0, 0.1, 0.04, 1.0, 0.1, 0.5};
    const struct {
        const double *rows;
        size_t count;
        int elements;
        bool graded;
    } cases[] = {{far, 5, 3, true},    {far, 5, 8, true},    {near, 2, 3, true},  {near, 2, 9, true},
                 {crowd, 4, 5, true},  {crowd, 4, 20, true}, {begin, 3, 4, true}, {begin, 3, 7, true},
                 {even, 1, 10, false}, {even, 1, 7, false}}; /* 7 become 4 and 4 */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int mesh = 0; mesh < 2; mesh++) {
            wy_motion_definition d = soft_rod(cases[i].elements);
            d.rod.bodies = (wy_samples){cases[i].count, cases[i].rows};
            d.rod.mesh = (wy_samples){mesh ? 3 : 0, sizes};
            bench b = bench_open(&d);
            const size_t N = wy_motion_nodes(b.rod) - 1;
            ck_assert_int_eq(b.rod->graded, mesh || cases[i].graded);
            ck_assert(wy_motion_arc_length(b.rod, 0) == 0.0 && wy_motion_arc_length(b.rod, N) == d.rod.length);
            for (size_t j = 0; j < N; j++)
                ck_assert_double_gt(wy_motion_arc_length(b.rod, j + 1) - wy_motion_arc_length(b.rod, j), 1e-5);
            for (size_t j = 1; j < N && !mesh; j++) { /* between two bodies elements are alike */
                const double s = wy_motion_arc_length(b.rod, j), before = s - wy_motion_arc_length(b.rod, j - 1),
                             behind = wy_motion_arc_length(b.rod, j + 1) - s;
                bool body = false;
                for (size_t k = 0; k < cases[i].count; k++)
                    body = body || cases[i].rows[5 * k] == s;
                ck_assert_msg(body || fabs(before - behind) < 1e-14, "case %zu: joint %zu at %g: %g, %g", i, j, s,
                              before, behind);
            }
            for (size_t k = 0; k < cases[i].count; k++)
                ck_assert_msg(is_element_boundary(b.rod, cases[i].rows[5 * k]), "case %zu: no element boundary at %g",
                              i, cases[i].rows[5 * k]);
            double linear[3], angular[3], mass = d.rod.section.rhoA * d.rod.length, x[3];
            for (size_t k = 0; k < cases[i].count; k++) /* each body once: the momentum of a rod that flies */
                mass += cases[i].rows[5 * k + 1];
            bench_close(&b);
            d.rod.ends[0] = choose(&wy_ends, "free", NULL);
            v3_set(d.start.velocity, 0.0, 3.0, 0.0);
            b = bench_open(&d);
            wy_motion_momenta(linear, angular, b.rod, b.state);
            v3_set(x, 0.0, 3.0 * mass, 0.0);
            NEAR(linear, x, 1e-12 * mass, "momentum");
            bench_close(&b);
        }
}
END_TEST

/* A bent rod that flies and spins with four bodies at untidy places, two of them nearer than an element. */
static wy_motion_definition flyer(int elements, const wy_shape_constant *bent, const wy_samples *bodies) {
    wy_motion_definition d = soft_rod(elements);
    d.rod.ends[0] = choose(&wy_ends, "free", NULL);
    d.rod.reference = choose(&wy_shapes, "constant", bent);
    d.rod.bodies = *bodies;
    v3_set(d.start.spin, 10.0, -20.0, 40.0);
    v3_set(d.start.velocity, 0.3, 0.0, -0.1);
    return d;
}

START_TEST(nothing_is_lost_and_it_converges) {
    const wy_shape_constant bent = {.strain = {8.0, -3.0, 5.0, 0.0, 0.0, 1.0}};
    const double rows[] = {0.0137, 2e-3, 3e-8, 2e-8, 4e-8, 0.0612, 1e-3, 1e-8, 1e-8, 1e-8,
                           0.0619, 5e-4, 0,    0,    0,    0.1,    1e-3, 2e-8, 1e-8, 2e-8};
    const wy_samples bodies = {4, rows};
    const wy_motion_gauss_director how = method(3, 3);
    double tip[4][3], off[3];
    const int elements[] = {6, 12, 24, 40};
    for (int i = 0; i < 4; i++) {
        wy_motion_definition d = flyer(elements[i], &bent, &bodies);
        d.method = choose(&wy_motion_methods, "gauss-director", &how);
        bench b = bench_open(&d);
        bench_run(&b, 2e-4, 100, 10);
        bench_tip(tip[i], &b);
        printf("%d elements: energy %.1e, momenta %.1e\n", elements[i], b.drift, b.momentum_drift);
        ck_assert_double_lt(b.drift, 1e-14);
        ck_assert_double_lt(b.momentum_drift, 1e-11);
        bench_close(&b);
    }
    for (int i = 0; i < 3; i++) {
        double x[3];
        v3_sub(x, tip[i], tip[3]);
        off[i] = v3_norm(x) / 0.1;
        printf("%d elements: off by %.1e\n", elements[i], off[i]);
    }
    ck_assert_double_gt(off[0] / off[1], 8.0);
    ck_assert_double_gt(off[1] / off[2], 8.0);
    wy_motion_definition d = flyer(12, &bent, &bodies);
    d.method = choose(&wy_motion_methods, "bdf-alpha", NULL);
    double p[3][3], x[3];
    for (int i = 0; i < 3; i++) { /* order 2 towards the same motion; what the method takes is booked */
        bench b = bench_open(&d);
        bench_run(&b, 1e-4 / (1 << i), 200 << i, 50);
        bench_tip(p[i], &b);
        ck_assert_double_lt(b.drift, 1e-11);
        bench_close(&b);
        v3_sub(x, p[i], i ? p[i - 1] : tip[3]);
        off[i] = v3_norm(x) / 0.1;
    }
    v3_sub(x, p[2], tip[3]);
    printf("bdf-alpha: halving the step moves the tip by %.1e, then %.1e; off by %.1e\n", off[1], off[2],
           v3_norm(x) / 0.1);
    ck_assert_double_gt(off[1] / off[2], 3.0);
    ck_assert_double_lt(off[1] / off[2], 5.0);
    ck_assert_double_lt(v3_norm(x) / 0.1, off[2]);
}
END_TEST

/* The estimate is of the rod with its bodies where they are: it is not far below the error, and far above round-off
 * only where the error is. And an accuracy is kept. */
START_TEST(estimates_and_accuracy) {
    const wy_load_gravity g = {{-9.81, 0.0, 0.0}};
    const wy_choice load = choose(&wy_loads, "gravity", &g);
    const double rows[] = {0.0371, 2e-3, 1e-8, 1e-8, 1e-8, 0.083, 1e-3, 0, 0, 0};
    wy_motion_definition d = soft_rod(8);
    d.rod.loads = (wy_list){1, &load};
    d.rod.bodies = (wy_samples){2, rows};
    wy_error err = {0};
    wy_arena *arena = wy_arena_create();
    double tip[2][3];
    for (int fine = 0; fine < 2; fine++) {
        wy_motion_definition at = d;
        wy_motion_accuracy chosen;
        at.rod.elements = 8;
        ck_assert_msg(!wy_motion_for_accuracy(&chosen, &at, fine ? 1e-6 : 1e-3, 0.12, arena, NULL, &err), "%s",
                      err.text);
        bench b = bench_open(&at);
        ck_assert(is_element_boundary(b.rod, 0.0371) && is_element_boundary(b.rod, 0.083));
        const long steps = (long)ceil(0.12 / chosen.step);
        bench_run(&b, 0.12 / (double)steps, steps, steps);
        bench_tip(tip[fine], &b);
        bench_close(&b);
    }
    double x[3];
    v3_sub(x, tip[0], tip[1]);
    printf("accuracy 1e-3 of the length: off by %.1e\n", v3_norm(x) / 0.1);
    ck_assert_double_lt(v3_norm(x) / 0.1, 1e-3);
    wy_coarse_runs *coarse_runs;
    bench b = bench_open(&d);
    const long steps = 120;
    const wy_coarse_plan plan = {.steps = steps, .step = 1e-3};
    wy_estimated_error said;
    ck_assert_msg(!wy_coarse_runs_create(&coarse_runs, &d, b.rod, b.state, &plan, &err), "%s", err.text);
    ck_assert_ptr_nonnull(coarse_runs);
    for (long n = 1; n <= steps; n++) {
        bench_run(&b, plan.step, 1, 1);
        ck_assert(wy_coarse_runs_step(&said, coarse_runs, b.rod, b.state, plan.step, n == steps) == (n % 4 == 0));
    }
    bench_tip(tip[0], &b);
    v3_sub(x, tip[0], tip[1]);
    printf("8 elements: said %.1e of the way, off by %.1e of the length\n", said.shape.all, v3_norm(x) / 0.1);
    ck_assert_double_gt(said.shape.all, 0.2 * v3_norm(x) / 0.1);
    ck_assert_double_lt(said.shape.all, 0.05);
    wy_coarse_runs_free(coarse_runs);
    bench_close(&b);
    wy_arena_free(arena);
}
END_TEST

START_TEST(refusals) {
    const double bodies[][5] = {{0.2, 1, 0, 0, 0}, {0.05, -1, 0, 0, 0}, {0.05, 1, 1, 1, 3}, {NAN, 1, 0, 0, 0}};
    static const char *const words[] = {"not on the rod", "not negative", "sum of the other two", "not negative"};
    wy_motion_definition d = soft_rod(5);
    const char *part;
    wy_error err;
    for (int i = 0; i < 4; i++) {
        d.rod.bodies = (wy_samples){1, bodies[i]};
        ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_BAD_INPUT);
        ck_assert_str_eq(part, "bodies");
        ck_assert_msg(strstr(err.text, words[i]) && strstr(err.text, "body 1"), "%s", err.text);
    }
    const double crowd[] = {0.02, 1, 0, 0, 0, 0.02, 1, 0, 0, 0, 0.0, 1, 0, 0, 0, 0.04, 1, 0, 0, 0, 0.041, 1, 0, 0, 0};
    d.rod.bodies = (wy_samples){5, crowd};
    d.rod.elements = 3; /* fewer than the pieces between them: each has one */
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_OK);
    const double close[] = {0.031, 1, 0, 0, 0, 0.0310005, 1, 0, 0, 0}, end[] = {0.0999995, 1, 0, 0, 0};
    d.rod.bodies = (wy_samples){2, close};
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "the body at s = 0.0310005 m is only 5e-07 m from the body at s = 0.031 m"), "%s",
                  err.text);
    d.rod.bodies = (wy_samples){1, end};
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "the end at s = 0.1 m") && strstr(err.text, "put them at one position"), "%s",
                  err.text);
    static const char *const others[] = {"multi-symplectic-box", "midpoint-shooting", "bdf-alpha-shooting"};
    d.rod.bodies = (wy_samples){1, bodies[0]};
    const double fine[] = {0.0371, 1, 0, 0, 0};
    d.rod.bodies = (wy_samples){1, fine};
    for (int i = 0; i < 3; i++) {
        d.method = choose(&wy_motion_methods, others[i], NULL);
        ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_UNSUPPORTED);
        ck_assert_msg(strstr(err.text, others[i]) &&
                          strstr(err.text, "does not take bodies on the rod: use 'gauss-director'"),
                      "%s", err.text);
    }
}
END_TEST

SUITE("bodies", a_mass_on_the_tip, a_wheel_on_the_tip, bodies_weigh, a_mass_inside_an_element,
      element_boundaries_go_where_bodies_are, nothing_is_lost_and_it_converges, estimates_and_accuracy, refusals)
