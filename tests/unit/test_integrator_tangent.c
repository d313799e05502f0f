/* The derivative of a step, for every integrator, against central differences. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/body.h>
#include <withy/integrator.h>

enum { N = 7, COLUMNS = 3 };

START_TEST(every_integrator) {
    const wy_body body = {.inertia = {2.1, 0.9, 0.67}};
    const wy_system system = wy_body_quaternion_system(&body);
    const double y0[N] = {0.71, -0.43, 0.88, 0.31, -0.62, 0.44, 0.57}, h = 0.37, eps = 1e-6;
    for (const wy_entry *const *e = wy_integrators.entries; *e; e++) {
        const wy_integrator *method = (const wy_integrator *)(const void *)*e;
        wy_stepper *stepper;
        wy_error err;
        if (method->traits & WY_NEEDS_CANONICAL)
            continue;
        ck_assert_int_eq(wy_stepper_create(&stepper, method, NULL, &system, &err), WY_OK);
        double y[N], D[N * COLUMNS], D0[N * COLUMNS], plain[N];
        memcpy(y, y0, sizeof y);
        ck_assert_int_eq(wy_stepper_tangent(stepper, h, y, D, COLUMNS, &err), WY_BAD_INPUT); /* nothing reserved yet */
        if (!method->tangent) {
            ck_assert_int_eq(wy_stepper_reserve_tangent(stepper, COLUMNS, &err), WY_UNSUPPORTED);
            wy_stepper_free(stepper);
            continue;
        }
        ck_assert_int_eq(wy_stepper_reserve_tangent(stepper, COLUMNS, &err), WY_OK);
        for (int i = 0; i < N * COLUMNS; i++)
            D0[i] = D[i] = sin(1.7 * i + 0.3);
        ck_assert_msg(wy_stepper_tangent(stepper, h, y, D, COLUMNS, &err) == WY_OK, "%s: %s", (*e)->name, err.text);
        memcpy(plain, y0, sizeof plain);
        ck_assert_int_eq(wy_stepper_step(stepper, h, plain, &err), WY_OK);
        for (int i = 0; i < N; i++)
            ck_assert_double_eq(plain[i], y[i]); /* the same step, to the last bit */
        for (int c = 0; c < COLUMNS; c++) {
            double up[N], down[N];
            for (int i = 0; i < N; i++) {
                up[i] = y0[i] + eps * D0[i * COLUMNS + c];
                down[i] = y0[i] - eps * D0[i * COLUMNS + c];
            }
            ck_assert_int_eq(wy_stepper_step(stepper, h, up, &err), WY_OK);
            ck_assert_int_eq(wy_stepper_step(stepper, h, down, &err), WY_OK);
            for (int i = 0; i < N; i++)
                ck_assert_msg(fabs((up[i] - down[i]) / (2 * eps) - D[i * COLUMNS + c]) < 1e-8,
                              "%s, row %d, column %d: %.9g, expected %.9g", (*e)->name, i, c, D[i * COLUMNS + c],
                              (up[i] - down[i]) / (2 * eps));
        }
        ck_assert_int_eq(wy_stepper_tangent(stepper, NAN, y, D, COLUMNS, &err), WY_NOT_FINITE);
        ck_assert_int_eq(wy_stepper_tangent(stepper, h, y, D, COLUMNS + 1, &err), WY_BAD_INPUT);
        wy_stepper_free(stepper);
    }
}
END_TEST

START_TEST(without_jacobian) {
    const wy_body body = {.inertia = {2.1, 0.9, 0.67}};
    wy_system system = wy_body_quaternion_system(&body);
    system.jacobian = NULL;
    wy_stepper *stepper;
    wy_error err;
    ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("RK4"), NULL, &system, &err), WY_OK);
    ck_assert_int_eq(wy_stepper_reserve_tangent(stepper, 1, &err), WY_UNSUPPORTED);
    wy_stepper_free(stepper);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("integrator tangent");
    TCase *tc = tcase_create("tangent");
    tcase_add_test(tc, every_integrator);
    tcase_add_test(tc, without_jacobian);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
