/* Sizes that wrap around, states of another rod, numbers that are none, and NULL: a status and a sentence, never a crash
 * (D10, D11, D24). */
#include <stdint.h>

#include <withy/archive.h>
#include <withy/beam.h>
#include <withy/integrator.h>
#include <withy/shaft.h>

#include "support/rods.h"

static void field(double *dy, const double *y, const void *context) {
    (void)context;
    dy[0] = -y[0];
}

static void jacobian(double *J, const double *y, const void *context) {
    (void)context;
    (void)y;
    J[0] = -1.0;
}

START_TEST(systems_too_large_to_count) {
    static const size_t dims[] = {(size_t)1 << 62, (size_t)1 << 61,      SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 3 + 1,
                                  (size_t)1 << 32, ((size_t)1 << 31) + 3};
    for (const wy_entry *const *e = wy_integrators.entries; *e; e++)
        for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
            const wy_system system = {.dim = dims[i], .field = field, .jacobian = jacobian};
            wy_stepper *stepper = NULL;
            wy_error err = {0};
            const wy_status s =
                wy_stepper_create(&stepper, (const wy_integrator *)(const void *)*e, NULL, &system, &err);
            ck_assert_msg(s != WY_OK && !stepper, "%s took %zu components", (*e)->name, dims[i]);
            ck_assert_msg(err.text[0] != 0, "%s says nothing", (*e)->name);
        }
    /* blocks that wrap around to the right sum */
    const wy_block blocks[] = {{.offset = 0, .size = SIZE_MAX - 1}, {.offset = SIZE_MAX - 1, .size = 5}};
    const wy_system system = {.dim = 3, .field = field, .blocks = blocks, .block_count = 2};
    wy_stepper *stepper;
    wy_error err;
    ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("rk4"), NULL, &system, &err), WY_BAD_INPUT);
}
END_TEST

START_TEST(states_of_another_rod) {
    wy_rod *large, *small;
    wy_rod_state *state;
    wy_rod_work *work, *small_work;
    wy_error err;
    const wy_rod_definition a = soft_rod(20), b = soft_rod(3);
    ck_assert_int_eq(wy_rod_create(&large, &a, &err), WY_OK);
    ck_assert_int_eq(wy_rod_create(&small, &b, &err), WY_OK);
    ck_assert_int_eq(wy_rod_state_create(&state, small, &err), WY_OK);
    ck_assert_int_eq(wy_rod_work_create(&work, large, &err), WY_OK);
    ck_assert_int_eq(wy_rod_work_create(&small_work, small, &err), WY_OK);
    ck_assert_int_eq(wy_rod_start(large, state, work, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "state of another rod") != NULL, "%s", err.text);
    ck_assert_int_eq(wy_rod_start(small, state, small_work, &err), WY_OK);
    ck_assert_int_eq(wy_rod_step(large, state, work, 1e-3, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "state of another rod") != NULL, "%s", err.text);
    ck_assert_int_eq(wy_rod_step(small, state, work, 1e-3, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "scratch of another rod") != NULL, "%s", err.text);
    ck_assert_int_eq(wy_rod_push(large, state, 1, (double[3]){0}, (double[3]){0}, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_rod_step(small, state, small_work, 1e-3, &err), WY_OK);
    /* what is no number, wherever it stands */
    const size_t n = wy_rod_state_size(state);
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double *x = wy_rod_state_numbers(state), was = x[i];
        x[i] = odd[i % 3];
        err.text[0] = 0;
        ck_assert_msg(wy_rod_step(small, state, small_work, 1e-3, &err) == WY_NOT_FINITE, "number %zu: '%s'", i,
                      err.text);
        char words[80];
        snprintf(words, sizeof words, "number %zu of %zu", i, n);
        ck_assert_msg(strstr(err.text, words) != NULL, "%s", err.text);
        x[i] = was;
    }
    ck_assert_int_eq(wy_rod_step(small, state, small_work, 1e-3, &err), WY_OK);
    /* NULL */
    ck_assert_int_eq(wy_rod_step(NULL, state, small_work, 1e-3, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_rod_step(small, NULL, small_work, 1e-3, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_rod_step(small, state, NULL, 1e-3, NULL), WY_BAD_INPUT);
    ck_assert_int_eq(wy_rod_start(small, NULL, small_work, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_rod_push(small, state, 1, NULL, NULL, &err), WY_BAD_INPUT);
    wy_rod_state *none;
    ck_assert_int_eq(wy_rod_state_create(&none, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_rod_state_create(NULL, small, &err), WY_BAD_INPUT);
    wy_rod_work_free(small_work);
    wy_rod_work_free(work);
    wy_rod_state_free(state);
    wy_rod_free(small);
    wy_rod_free(large);
}
END_TEST

START_TEST(choices_that_are_none) {
    wy_stepper *stepper;
    wy_error err;
    const wy_system system = {.dim = 1, .field = field, .jacobian = jacobian};
    const wy_implicit config = {.solver = 42, .tolerance = 1e-12, .max_iterations = 10};
    ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("IM"), &config, &system, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_stepper_create(NULL, wy_integrator_find("IM"), NULL, &system, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("IM"), NULL, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_shaft_response(NULL, NULL, NULL, 1e-3, -5, NULL, &err), WY_BAD_INPUT);
    wy_recording *recording;
    wy_archive *archive;
    bool finished;
    ck_assert_int_eq(wy_recording_open(&recording, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_recording_open(NULL, "x.h5", &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_recording_read(NULL, 0, 0, 1, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_recording_find(NULL, NULL, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_recording_drift(NULL, NULL, 0, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_archive_create(&archive, NULL, NULL, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_archive_resume(&archive, &finished, "x.h5", NULL, NULL, &err), WY_BAD_INPUT);
}
END_TEST

SUITE("arguments", systems_too_large_to_count, states_of_another_rod, choices_that_are_none)
