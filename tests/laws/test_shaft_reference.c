/* The shaft against trajectories of an independent code, row by row. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/shaft.h>

enum { T, THETA1, THETAN, OMEGA1, OMEGAN, ALPHA1, ALPHAN, DTHETA1, TORQUE, FIRST, LAST, EKIN, EPOT, MOMENTUM, COLUMNS };

typedef struct table {
    size_t rows;
    double v[400][COLUMNS];
} table;

static void read_table(table *t, const char *name) {
    char path[512], line[1024];
    snprintf(path, sizeof path, "%s/shaft/%s.csv", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    for (t->rows = 0; fgets(line, sizeof line, file); t->rows++) {
        ck_assert_uint_lt(t->rows, 400);
        char *at = line;
        for (int c = 0; c < COLUMNS && *at && *at != '\n'; c++, at += *at == ',')
            t->v[t->rows][c] = strtod(at, &at);
    }
    fclose(file);
}

enum { TAU1STEP, OMEGADRIVE, THETADRIVE, RELEASE };
static const char *const names[] = {"tau1step", "omegadrive", "thetadrive", "release"};

static void compare(int what, const char *compliance, const char *damping, int form) {
    static table ref;
    static double mine[400][COLUMNS];
    char name[128];
    snprintf(name, sizeof name, "%s_n10_c%s_D%s_h1e-2", names[what], compliance, damping);
    read_table(&ref, name);
    ck_assert_uint_gt(ref.rows, 20);
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.compliance = strtod(compliance, NULL);
    c.damping = strtod(damping, NULL);
    c.form = form;
    if (what == OMEGADRIVE || what == THETADRIVE) {
        c.end[0].stiffness = 1000.0;
        c.end[0].damping = 10.0;
        c.end[0].integrate = what == OMEGADRIVE;
    }
    if (what == RELEASE) {
        c.angle[0] = -0.5;
        c.angle[1] = 0.5;
    }
    wy_error err;
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
    ck_assert_msg(!wy_shaft_create(&shaft, &c, &err), "%s", err.text);
    ck_assert_msg(!wy_shaft_state_create(&state, shaft, &err), "%s", err.text);
    ck_assert_msg(!wy_shaft_solver_create(&solver, shaft, &err), "%s", err.text);
    const double h = 0.01;
    int step = 0;
    double on_rod = 0.0;
    for (size_t r = 0; r < ref.rows; r++) {
        const int wanted = (int)lround(ref.v[r][T] / h);
        for (; step < wanted; step++) {
            wy_shaft_input in[2] = {{.torque = 0.0}, {.torque = 0.0}};
            in[0].torque = what == TAU1STEP ? 1.0 : 0.0;
            in[0].speed = what == OMEGADRIVE || what == THETADRIVE ? 1.0 : 0.0;
            in[0].angle = what == THETADRIVE ? h * step : 0.0;
            ck_assert_msg(!wy_shaft_step(shaft, state, solver, h, in, &err), "%s", err.text);
            on_rod = -state->torque[0];
        }
        const wy_shaft_energy e = wy_shaft_measure(shaft, state, NULL, h);
        const double *theta = state->profile, *w = theta + 10;
        const double row[COLUMNS] = {h * step,
                                     theta[0],
                                     theta[9],
                                     w[0],
                                     w[9],
                                     state->acceleration[0],
                                     state->acceleration[1],
                                     state->difference[0],
                                     on_rod,
                                     state->joint[0],
                                     state->joint[1],
                                     e.kinetic,
                                     e.potential,
                                     e.momentum};
        memcpy(mine[r], row, sizeof row);
    }
    for (int col = 0; col < COLUMNS; col++) {
        if (col == DTHETA1 && what != OMEGADRIVE)
            continue;
        /* The scale of a column is its largest value; a momentum that is zero by symmetry has that of its parts. */
        double scale = 0.0, worst = 0.0;
        for (size_t r = 0; r < ref.rows; r++)
            scale = fmax(scale, fabs(ref.v[r][col]));
        if (col == MOMENTUM && what == RELEASE)
            for (size_t r = 0; r < ref.rows; r++)
                scale = fmax(scale, 10.0 * fabs(ref.v[r][OMEGA1]));
        /* A stretch e is the difference of angles rounded to eps theta: e^2/2c is known no better than e eps
         * theta/c. */
        double rounding = 0.0;
        if (col == EPOT && c.compliance > 0.0)
            rounding = 9 * DBL_EPSILON * fabs(ref.v[ref.rows - 1][THETA1]) * sqrt(2.0 * scale / (c.compliance / 10.0));
        for (size_t r = 0; r < ref.rows; r++)
            worst = fmax(worst, fabs(mine[r][col] - ref.v[r][col]));
        ck_assert_msg(worst <= 1e-10 * scale + rounding, "%s form %d column %d: off by %.3g, largest value %.3g", name,
                      form, col, worst, scale);
    }
    wy_shaft_solver_free(solver);
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
}

START_TEST(multiplier_form_follows_the_reference) {
    static const char *const damping[] = {"0.05", "2"};
    static const char *const compliance[] = {"1e-3", "1e-9", "0"};
    for (int d = 0; d < 2; d++)
        for (int c = 0; c < 3; c++)
            for (int what = TAU1STEP; what <= THETADRIVE; what++)
                compare(what, compliance[c], damping[d], WY_SHAFT_MULTIPLIER);
    compare(RELEASE, "1e-3", "2", WY_SHAFT_MULTIPLIER);
    compare(RELEASE, "1e-9", "2", WY_SHAFT_MULTIPLIER);
}
END_TEST

START_TEST(eliminated_form_follows_the_reference) {
    for (int what = TAU1STEP; what <= RELEASE; what++)
        compare(what, "1e-3", "2", WY_SHAFT_ELIMINATED);
    for (int what = TAU1STEP; what <= THETADRIVE; what++)
        compare(what, "1e-3", "0.05", WY_SHAFT_ELIMINATED);
}
END_TEST

/* The scheme converges to the solution in continuous time. With gamma = rho K the error is of first order (SPOOK damps
 * by the new speed alone); its theta is the angle at the end of the step. */
START_TEST(small_steps_reach_the_exact_solution) {
    static table exact;
    read_table(&exact, "exact_tau1step_n10_c1e-3_rho2e-3");
    ck_assert_uint_eq(exact.rows, 21);
    double worst[3] = {0, 0, 0};
    for (int level = 0; level < 3; level++) {
        wy_shaft_config c;
        wy_shaft_config_init(&c);
        c.compliance = 1e-3;
        c.viscous = true;
        c.damping = 2e-3 / (1e-3 / 10); /* gamma = rho K */
        wy_error err;
        wy_shaft *shaft;
        wy_shaft_state *state;
        wy_shaft_solver *solver;
        ck_assert(!wy_shaft_create(&shaft, &c, &err));
        ck_assert(!wy_shaft_state_create(&state, shaft, &err));
        ck_assert(!wy_shaft_solver_create(&solver, shaft, &err));
        const int per_row = 2000 << (2 * level);
        const double h = 0.1 / per_row;
        const wy_shaft_input in[2] = {{.torque = 1.0}, {.torque = 0.0}};
        for (size_t r = 1; r < exact.rows; r++) {
            for (int k = 0; k < per_row; k++) /* an assertion is not free, and this is done often */
                if (wy_shaft_step(shaft, state, solver, h, in, &err))
                    ck_abort_msg("%s", err.text);
            worst[level] = fmax(worst[level], fabs(state->profile[0] - exact.v[r][THETA1]));
            worst[level] = fmax(worst[level], fabs(state->profile[9] - exact.v[r][THETAN]));
        }
        wy_shaft_solver_free(solver);
        wy_shaft_state_free(state);
        wy_shaft_free(shaft);
    }
    const double order = log(worst[0] / worst[2]) / log(16.0);
    ck_assert_msg(worst[2] < 2e-6 && order > 0.9, "errors %.3g %.3g %.3g, order %.3f", worst[0], worst[1], worst[2],
                  order);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shaft reference");
    TCase *tc = tcase_create("trajectories");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, multiplier_form_follows_the_reference);
    tcase_add_test(tc, eliminated_form_follows_the_reference);
    tcase_add_test(tc, small_steps_reach_the_exact_solution);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
