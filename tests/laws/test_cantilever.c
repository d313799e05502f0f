/* Source `001`'s steel cantilever: the literal scheme against its trace, BDF-alpha's order, and the accuracy of the
 * director elements against a converged solution. docs/cantilever.md. */
#include "motion/gauss_director/gauss_director.h"
#include "motion/bdf_alpha.h"
#include "motion/motion_step_control.h"
#include "support/rods.h"

static const wy_load_gravity weight = {{-9.81, 0.0, 0.0}};

static wy_motion_definition cantilever(const char *method, const void *config, int elements) {
    static wy_choice loads[1];
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.5;
    d.rod.elements = elements;
    d.rod.section = round_section(0.001, 200e9, 80e9, 8000.0);
    loads[0] = choose(&wy_loads, "gravity", &weight);
    d.rod.loads = (wy_list){1, loads};
    d.start.equilibrium = true;
    d.start.release[0] = -9.81 * 0.02;
    d.method = choose(&wy_motion_methods, method, config);
    return d;
}

START_TEST(literal_scheme_follows_its_trace) {
    enum { COLUMNS = 11, ROWS = 501 };
    static double trace[COLUMNS * ROWS];
    ck_assert_uint_eq(read_csv("cantilever/scheme_euler_bdfalpha_N40_1s.csv", COLUMNS, trace, ROWS), ROWS);
    const wy_motion_definition d = cantilever("bdf-alpha-shooting", NULL, 39);
    bench b = bench_open(&d);
    double worst = 0.0, wrench = 0.0;
    for (int n = 0; n < ROWS; n++) {
        const double *row = trace + COLUMNS * n;
        double tip[3], inside[6 * 39];
        bench_tip(tip, &b);
        wy_motion_read(b.rod, b.state, &(wy_motion_view){.wrench = inside});
        v3_sub(tip, tip, row + 2);
        worst = fmax(worst, v3_norm(tip));
        for (int i = 0; i < 3; i++) /* the clamp's frame is that of space */
            wrench = fmax(wrench, fmax(fabs(inside[3 + i] - row[5 + i]), fabs(inside[i] - row[8 + i])));
        bench_run(&b, 2e-3, 1, 1);
    }
    ck_assert_msg(worst < 1e-7, "tip off by %g m", worst);
    ck_assert_msg(wrench < 1e-6, "wrench at the clamp off by %g", wrench);
    bench_close(&b);
}
END_TEST

START_TEST(literal_scheme_cannot_refine) {
    const wy_motion_definition d = cantilever("bdf-alpha-shooting", NULL, 39);
    bench b = bench_open(&d);
    const size_t size = wy_motion_state_size(b.state) * sizeof(double);
    double *before = malloc(size);
    ck_assert(before != NULL);
    wy_error err = {0};
    wy_status s = WY_OK;
    int n = 0;
    for (; n < 200 && !s; n++) {
        memcpy(before, wy_motion_state_numbers(b.state), size);
        s = wy_motion_step(b.rod, b.state, b.work, 2e-4, &err);
    }
    ck_assert_int_eq(s, WY_NO_CONVERGENCE);
    ck_assert_msg(strstr(err.text, "single shooting cannot refine") != NULL, "%s", err.text);
    ck_assert(memcmp(before, wy_motion_state_numbers(b.state), size) == 0);
    free(before);
    bench_close(&b);
    /* the solver for the whole rod takes the same steps */
    const wy_gauss_bdf_config c = {.gauss = {.newton = {1e-10, 30, 0}, .degree = 2, .stabiliser = 10.0}, .alpha = -0.2};
    const wy_motion_definition g = cantilever("bdf-alpha", &c, 39);
    bench k = bench_open(&g);
    bench_run(&k, 2e-4, 200, 200);
    bench_close(&k);
}
END_TEST

/* y' = i w y: the larger root of the recursion is exp(i w dt) to second order, and alpha = -1/2 does not damp. */
START_TEST(bdf_alpha_is_of_second_order) {
    static const double alphas[] = {0.0, -0.1, -0.2, -0.3, -0.5};
    for (int k = 0; k < 5; k++) {
        double error[2];
        for (int i = 0; i < 2; i++) {
            const int steps = 400 << i;
            const double dt = 2.0 / steps, w = 3.7;
            const wy_bdf_alpha b = wy_bdf_alpha_make(alphas[k], dt);
            double y[2] = {1.0, 0.0}, old[2] = {cos(w * dt), -sin(w * dt)}, rate[2] = {0.0, w};
            for (int n = 0; n < steps; n++) {
                double h[2], next[2];
                for (int c = 0; c < 2; c++)
                    h[c] = b.c1 * y[c] + b.c2 * old[c] + b.d1 * rate[c];
                /* c0 y + h = i w y */
                const double det = b.c0 * b.c0 + w * w;
                next[0] = (-h[0] * b.c0 + h[1] * w) / det;
                next[1] = (-h[1] * b.c0 - h[0] * w) / det;
                for (int c = 0; c < 2; c++) {
                    rate[c] = b.c0 * next[c] + h[c];
                    old[c] = y[c];
                    y[c] = next[c];
                }
            }
            error[i] = hypot(y[0] - cos(2.0 * w), y[1] - sin(2.0 * w));
            if (alphas[k] == -0.5)
                ck_assert_double_eq_tol(hypot(y[0], y[1]), 1.0, 1e-11);
            else
                ck_assert_double_lt(hypot(y[0], y[1]), 1.0);
        }
        ck_assert_double_eq_tol(log2(error[0] / error[1]), 2.0, 0.1);
    }
}
END_TEST

/* Root mean square distance of the tip from the converged solution over one second, relative to L. */
static double error_of(const wy_gauss_config *c, int elements, double dt, double *drift) {
    enum { COLUMNS = 5, ROWS = 501 };
    static double truth[COLUMNS * ROWS];
    ck_assert_uint_eq(read_csv("cantilever/converged_undamped_1s.csv", COLUMNS, truth, ROWS), ROWS);
    const wy_motion_definition d = cantilever("gauss-director", c, elements);
    bench b = bench_open(&d);
    const int each = (int)(2e-3 / dt + 0.5);
    double sum = 0.0;
    for (int n = 1; n < ROWS; n++) {
        double tip[3];
        bench_run(&b, dt, each, each);
        bench_tip(tip, &b);
        const double x = tip[0] - truth[COLUMNS * n + 1], z = tip[2] - truth[COLUMNS * n + 2];
        sum += x * x + tip[1] * tip[1] + z * z;
    }
    *drift = fabs(b.now.balance - b.start.balance) / b.now.largest;
    bench_close(&b);
    return sqrt(sum / (ROWS - 1)) / 0.5;
}

START_TEST(errors_are_as_promised) {
    static const struct {
        int degree, stages, elements;
        double dt, tolerance, error;
    } cases[] = {{2, 1, 2, 2e-3, 1e-4, 3e-3},
                 {2, 1, 3, 1e-3, 1e-4, 1e-3},
                 {4, 2, 1, 2e-3, 1e-5, 1e-3},
                 {3, 2, 3, 1e-3, 1e-5, 1e-4},
                 {5, 3, 4, 5e-4, 1e-7, 1e-5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases - (SANITIZED ? 2 : 0); i++) {
        for (int tight = 0; tight < 2; tight++) {
            const wy_gauss_config c = {.newton = {tight ? 1e-16 : cases[i].tolerance, 40, 4},
                                       .degree = cases[i].degree,
                                       .stages = cases[i].stages,
                                       .stabiliser = 10.0};
            double drift;
            const double error = error_of(&c, cases[i].elements, cases[i].dt, &drift);
            ck_assert_msg(error < cases[i].error, "degree %d, %d stages: error %g", cases[i].degree, cases[i].stages,
                          error);
            ck_assert_msg(drift < (tight ? 1e-11 : 0.05), "degree %d: energy %g", cases[i].degree, drift);
        }
    }
}
END_TEST

/* The true error of what an accuracy chose, with steps that follow the motion as those of a run do: the tip against a
 * table (t, x, z), to whose times a copy of the rod takes the rest of a step. */
static double true_error(wy_motion_definition *d, const wy_motion_accuracy *a, const double *table, size_t columns,
                         size_t rows, int x, int z) {
    bench b = bench_open(d), aside = bench_open(d);
    wy_error err = {0};
    const double spacing = table[columns] - table[0], T = spacing * (double)(rows - 1),
                 steps = ceil(T / a->step * (1.0 - 1e-12)), dt = T / steps;
    wy_step_control step_control = {.tolerance = a->tolerance, .base = dt, .step = dt};
    double sum = 0.0;
    size_t row = 1;
    for (int64_t n = 0; n < (int64_t)steps; n++) {
        const int64_t parts = wy_step_control_parts(&step_control, dt);
        const double part = dt / (double)parts;
        for (int64_t i = 0; i < parts; i++) {
            const double now = (double)n * dt + (double)i * part;
            for (; row < rows && (double)row * spacing <= now + part * (1.0 + 1e-9); row++) {
                const double rest = (double)row * spacing - now;
                double tip[3];
                ck_assert(!wy_motion_state_copy(aside.state, b.state, NULL));
                if (rest > 1e-9 * part)
                    ck_assert_msg(!wy_motion_step(aside.rod, aside.state, aside.work, rest, &err), "%s", err.text);
                bench_tip(tip, &aside);
                sum += pow(tip[0] - table[columns * row + (size_t)x], 2.0) + tip[1] * tip[1] +
                       pow(tip[2] - table[columns * row + (size_t)z], 2.0);
            }
            ck_assert_msg(!wy_motion_step(b.rod, b.state, b.work, part, &err), "%s", err.text);
            wy_step_control_update(&step_control, b.rod, b.state, part);
        }
    }
    ck_assert_uint_eq(row, rows);
    bench_close(&b);
    bench_close(&aside);
    return sqrt(sum / (double)(rows - 1)) / d->rod.length;
}

START_TEST(accuracy_is_kept_and_its_estimate_honest) {
    enum { COLUMNS = 5, ROWS = 501 };
    static double truth[COLUMNS * ROWS];
    ck_assert_uint_eq(read_csv("cantilever/converged_undamped_1s.csv", COLUMNS, truth, ROWS), ROWS);
    static const double asked[] = {1e-2, 3e-3, 1e-3, 1e-4, 1e-5};
    for (size_t i = 0; i < (SANITIZED ? 2 : 5); i++) {
        wy_arena *arena = wy_arena_create();
        wy_motion_definition d = cantilever("gauss-director", NULL, 1);
        wy_motion_accuracy a;
        wy_error err = {0};
        ck_assert_msg(!wy_motion_for_accuracy(&a, &d, asked[i], 1.0, arena, NULL, &err), "%s", err.text);
        const double error = true_error(&d, &a, truth, COLUMNS, ROWS, 1, 2);
        printf("asked %g said %g true %g\n", asked[i], a.estimate, error);
        ck_assert_msg(error <= 1.5 * asked[i], "asked for %g, got %g", asked[i], error);
        ck_assert_msg(error < 3.0 * a.estimate && error > a.estimate / 5.0, "estimate %g, error %g", a.estimate, error);
        wy_arena_free(arena);
    }
    wy_motion_definition d = cantilever("gauss-director", NULL, 1);
    wy_motion_accuracy a;
    wy_error err;
    wy_arena *arena = wy_arena_create();
    ck_assert_int_eq(wy_motion_for_accuracy(&a, &d, -1.0, 1.0, arena, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_for_accuracy(&a, &d, 1e-3, NAN, arena, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_for_accuracy(&a, &d, 1e-17, 0.02, arena, NULL, &err), WY_NO_CONVERGENCE);
    ck_assert_msg(strstr(err.text, "out of reach") != NULL, "%s", err.text);
    wy_arena_free(arena);
}
END_TEST

START_TEST(accuracy_of_the_soft_rod) {
    enum { COLUMNS = 5, ROWS = 101 };
    static double truth[COLUMNS * ROWS];
    static const wy_shape_constant arc = {{0.0, 0.78539816339744831 / 0.1, 0.0, 0.0, 0.0, 1.0}};
    const size_t rows = read_csv("soft-rod/converged_conservative.csv", COLUMNS, truth, ROWS);
    /* the last over a quarter of the second: its pilot runs would take a quarter of a minute */
    static const struct {
        double asked;
        size_t rows;
    } cases[] = {{1e-2, ROWS}, {3e-3, ROWS}, {1e-3, ROWS}, {1e-4, 26}};
    ck_assert_uint_eq(rows, ROWS);
    for (size_t i = 0; i < (SANITIZED ? 1 : 4); i++) {
        wy_arena *arena = wy_arena_create();
        wy_motion_definition d = soft_rod(1);
        d.start.shape = choose(&wy_shapes, "constant", &arc);
        wy_motion_accuracy a;
        wy_error err = {0};
        ck_assert_msg(
            !wy_motion_for_accuracy(&a, &d, cases[i].asked, truth[COLUMNS * (cases[i].rows - 1)], arena, NULL, &err),
            "%s", err.text);
        const double error = true_error(&d, &a, truth, COLUMNS, cases[i].rows, 1, 2);
        printf("asked %g said %g true %g\n", cases[i].asked, a.estimate, error);
        ck_assert_msg(error <= 1.5 * cases[i].asked, "asked for %g, got %g", cases[i].asked, error);
        ck_assert_msg(error < 3.0 * a.estimate && error > a.estimate / 5.0, "asked %g, estimate %g, error %g",
                      cases[i].asked, a.estimate, error);
        wy_arena_free(arena);
    }
}
END_TEST

SUITE("cantilever", accuracy_is_kept_and_its_estimate_honest, accuracy_of_the_soft_rod,
      literal_scheme_follows_its_trace, literal_scheme_cannot_refine, bdf_alpha_is_of_second_order,
      errors_are_as_promised)
