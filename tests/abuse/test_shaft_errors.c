/* What a shaft refuses, and the sentence it says. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/shaft.h>

static void refused(const wy_shaft_config *c, const char *key, const char *words) {
    wy_error err = {.text = ""};
    const char *blamed = "?";
    wy_shaft *shaft = (wy_shaft *)&err;
    ck_assert_int_eq(wy_shaft_check(c, &blamed, &err), WY_BAD_INPUT);
    ck_assert_str_eq(blamed, key);
    ck_assert_msg(strstr(err.text, words) != NULL, "'%s' should say '%s'", err.text, words);
    ck_assert_int_eq(wy_shaft_create(&shaft, c, NULL), WY_BAD_INPUT);
    ck_assert_ptr_null(shaft);
}

#define REFUSED(member, value, key, words) \
    do {                                   \
        wy_shaft_config bad;               \
        wy_shaft_config_init(&bad);        \
        bad.member = (value);              \
        refused(&bad, key, words);         \
    } while (0)

START_TEST(numbers_that_make_no_sense) {
    REFUSED(elements, 0, "n_elements", "0 elements");
    REFUSED(elements, -3, "n_elements", "-3 elements");
    REFUSED(inertia, -2.5, "inertia", "-2.5");
    REFUSED(inertia, 0.0, "inertia", "positive");
    REFUSED(inertia, NAN, "inertia", "nan");
    REFUSED(inertia, INFINITY, "inertia", "inf");
    REFUSED(compliance, -1e-9, "compliance", "-1e-09");
    REFUSED(compliance, NAN, "compliance", "nan");
    REFUSED(damping, -0.1, "D", "-0.1");
    REFUSED(form, 7, "form", "7");
    REFUSED(end[0].drive, 3, "drive", "end 1");
    REFUSED(end[1].stiffness, -1.0, "stiffness", "end 2");
    REFUSED(end[1].damping, INFINITY, "damping", "end 2");
    REFUSED(end[0].sign, 0.5, "sign", "0.5");
    REFUSED(angle[1], NAN, "theta0", "nan");
    REFUSED(speed[0], INFINITY, "omega0", "inf");
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.viscous = true;
    c.damping = -4.0;
    refused(&c, "gamma", "-4");
}
END_TEST

START_TEST(what_a_rigid_shaft_cannot_do) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    wy_error err;
    c.compliance = 0.0;
    c.form = WY_SHAFT_ELIMINATED;
    refused(&c, "form", "(11)");
    c.form = WY_SHAFT_MULTIPLIER;
    c.end[0].drive = WY_DRIVE_HARD_SPEED;
    c.end[1].drive = WY_DRIVE_HARD_ANGLE;
    refused(&c, "drive", "both ends");
    c.end[1].drive = WY_DRIVE_SPRING;
    c.angle[0] = 0.25;
    wy_shaft *shaft;
    wy_shaft_state *state;
    ck_assert(!wy_shaft_create(&shaft, &c, &err));
    ck_assert_int_eq(wy_shaft_state_create(&state, shaft, &err), WY_BAD_INPUT);
    ck_assert_ptr_null(state);
    ck_assert_ptr_nonnull(strstr(err.text, "from 0 to 0.25 rad"));
    wy_shaft_free(shaft);
    c.angle[0] = 0.0;
    c.speed[1] = -3.0;
    ck_assert(!wy_shaft_create(&shaft, &c, &err));
    ck_assert_int_eq(wy_shaft_state_create(&state, shaft, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "speeds"));
    wy_shaft_free(shaft);
    /* one element has one angle, whatever the compliance */
    c.elements = 1;
    c.compliance = 1e-3;
    ck_assert(!wy_shaft_create(&shaft, &c, &err));
    ck_assert_int_eq(wy_shaft_state_create(&state, shaft, &err), WY_BAD_INPUT);
    wy_shaft_free(shaft);
}
END_TEST

START_TEST(projection_keeps_the_momentum) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.compliance = 0.0;
    c.project = true;
    c.elements = 4;
    c.angle[0] = 0.25;
    c.speed[1] = -3.0;
    wy_shaft *shaft;
    wy_shaft_state *state;
    ck_assert(!wy_shaft_create(&shaft, &c, NULL));
    ck_assert(!wy_shaft_state_create(&state, shaft, NULL));
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(state->profile[i], 0.125, 1e-16);
        ck_assert_double_eq_tol(state->profile[4 + i], -1.5, 1e-15);
    }
    ck_assert_double_eq_tol(wy_shaft_measure(shaft, state, NULL, 0.1).momentum, -15.0, 1e-13);
    const double profile[8] = {1, 1, 1, NAN, 0, 0, 0, 0};
    wy_error err;
    ck_assert_int_eq(wy_shaft_start(shaft, state, profile, &err), WY_NOT_FINITE);
    ck_assert_ptr_nonnull(strstr(err.text, "angle of element 4"));
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
}
END_TEST

START_TEST(steps_that_cannot_be_taken) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    wy_error err;
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
    c.angle[1] = 0.1;
    ck_assert(!wy_shaft_create(&shaft, &c, &err));
    ck_assert(!wy_shaft_state_create(&state, shaft, &err));
    ck_assert(!wy_shaft_solver_create(&solver, shaft, &err));
    wy_shaft_state *copy = malloc(wy_shaft_state_size(shaft));
    memcpy(copy, state, wy_shaft_state_size(shaft));
    wy_shaft_input in[2] = {{.torque = 0.0}, {.torque = 0.0}};
    const double bad[] = {0.0, -0.1, NAN, INFINITY, 1e-310};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(wy_shaft_step(shaft, state, solver, bad[i], in, &err), WY_BAD_INPUT);
    in[1].angle = NAN;
    ck_assert_int_eq(wy_shaft_step(shaft, state, solver, 0.1, in, &err), WY_NOT_FINITE);
    ck_assert_ptr_nonnull(strstr(err.text, "end 2"));
    in[1].angle = 0.0;
    ck_assert(memcmp(copy, state, wy_shaft_state_size(shaft)) == 0);
    in[0].torque = 1e308; /* finite, but not what comes of it */
    c.inertia = 1e-3;
    wy_status s = WY_OK;
    for (int k = 0; k < 100 && !s; k++)
        s = wy_shaft_step(shaft, state, solver, 1e3, in, &err);
    ck_assert_int_eq(s, WY_NOT_FINITE);
    free(copy);
    wy_shaft_solver_free(solver);
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
    wy_shaft_free(NULL);
    wy_shaft_state_free(NULL);
    wy_shaft_solver_free(NULL);
}
END_TEST

START_TEST(two_hard_ends_need_some_compliance) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.compliance = 1e-320;
    c.end[0].drive = c.end[1].drive = WY_DRIVE_HARD_SPEED;
    wy_error err;
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
    ck_assert(!wy_shaft_create(&shaft, &c, &err));
    ck_assert(!wy_shaft_state_create(&state, shaft, &err));
    ck_assert(!wy_shaft_solver_create(&solver, shaft, &err));
    const wy_shaft_input in[2] = {{.torque = 0.0}, {.torque = 0.0}};
    ck_assert_int_eq(wy_shaft_step(shaft, state, solver, 0.01, in, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "two hard ends"));
    wy_shaft_solver_free(solver);
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
}
END_TEST

START_TEST(a_shaft_too_long_for_memory) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.elements = INT64_MAX;
    wy_shaft *shaft;
    wy_error err;
    ck_assert_int_eq(wy_shaft_create(&shaft, &c, &err), WY_NO_MEMORY);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shaft errors");
    TCase *tc = tcase_create("errors");
    tcase_add_test(tc, numbers_that_make_no_sense);
    tcase_add_test(tc, what_a_rigid_shaft_cannot_do);
    tcase_add_test(tc, projection_keeps_the_momentum);
    tcase_add_test(tc, steps_that_cannot_be_taken);
    tcase_add_test(tc, two_hard_ends_need_some_compliance);
    tcase_add_test(tc, a_shaft_too_long_for_memory);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
