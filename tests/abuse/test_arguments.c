/* Sizes that wrap around, states of another rod, numbers that are none, and NULL: a status and a sentence, never a
 * crash (D10, D11, D24). */
#include <stdint.h>

#include <withy/archive.h>
#include <withy/equilibrium.h>
#include <withy/branches.h>
#include <withy/frames.h>
#include <withy/integrator.h>
#include <withy/live.h>
#include <withy/multisymplectic.h>
#include <withy/release.h>
#include <withy/shaft.h>

#include "base/memory.h"
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
    wy_motion *large, *small;
    wy_motion_state *state;
    wy_motion_work *work, *small_work;
    wy_error err;
    const wy_motion_definition a = soft_rod(20), b = soft_rod(3);
    ck_assert_int_eq(wy_motion_create(&large, &a, &err), WY_OK);
    ck_assert_int_eq(wy_motion_create(&small, &b, &err), WY_OK);
    ck_assert_int_eq(wy_motion_state_create(&state, small, &err), WY_OK);
    ck_assert_int_eq(wy_motion_work_create(&work, large, &err), WY_OK);
    ck_assert_int_eq(wy_motion_work_create(&small_work, small, &err), WY_OK);
    ck_assert_int_eq(wy_motion_start(large, state, work, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "state of another rod") != NULL, "%s", err.text);
    ck_assert_int_eq(wy_motion_start(small, state, small_work, &err), WY_OK);
    ck_assert_int_eq(wy_motion_step(large, state, work, 1e-3, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "state of another rod") != NULL, "%s", err.text);
    ck_assert_int_eq(wy_motion_step(small, state, work, 1e-3, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "scratch of another rod") != NULL, "%s", err.text);
    ck_assert_int_eq(wy_motion_push(large, state, 1, (double[3]){0}, (double[3]){0}, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_step(small, state, small_work, 1e-3, &err), WY_OK);
    /* NaN in any number of the state */
    const size_t n = wy_motion_state_size(state);
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double *x = wy_motion_state_numbers(state), was = x[i];
        x[i] = odd[i % 3];
        err.text[0] = 0;
        ck_assert_msg(wy_motion_step(small, state, small_work, 1e-3, &err) == WY_NOT_FINITE, "number %zu: '%s'", i,
                      err.text);
        char words[80];
        snprintf(words, sizeof words, "number %zu of %zu", i, n);
        ck_assert_msg(strstr(err.text, words) != NULL, "%s", err.text);
        x[i] = was;
    }
    ck_assert_int_eq(wy_motion_step(small, state, small_work, 1e-3, &err), WY_OK);
    /* NULL */
    ck_assert_int_eq(wy_motion_step(NULL, state, small_work, 1e-3, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_step(small, NULL, small_work, 1e-3, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_step(small, state, NULL, 1e-3, NULL), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_start(small, NULL, small_work, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_push(small, state, 1, NULL, NULL, &err), WY_BAD_INPUT);
    wy_motion_state *none;
    ck_assert_int_eq(wy_motion_state_create(&none, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_state_create(NULL, small, &err), WY_BAD_INPUT);
    wy_motion_work_free(small_work);
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    wy_motion_free(small);
    wy_motion_free(large);
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

/* Every public create, without what it needs and without a place to put what it makes. */
START_TEST(creates_of_nothing) {
    wy_error err;
    wy_motion *rod;
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
    wy_equilibrium *beam;
    wy_ms_solver *form;
    wy_live *live;
    wy_release *release;
    wy_sweep_table *table;
    wy_mode_table *modes;
    const wy_motion_definition d = soft_rod(3);
    const wy_shaft_config config = {.elements = 3, .inertia = 1.0, .compliance = 1.0};
#define REFUSED(call)                                              \
    do {                                                           \
        err.text[0] = 0;                                           \
        ck_assert_int_eq(call, WY_BAD_INPUT);                      \
        ck_assert_msg(err.text[0] != 0, "%s says nothing", #call); \
    } while (0)
    REFUSED(wy_motion_create(NULL, &d, &err));
    REFUSED(wy_motion_create(&rod, NULL, &err));
    REFUSED(wy_shaft_create(NULL, &config, &err));
    REFUSED(wy_shaft_create(&shaft, NULL, &err));
    REFUSED(wy_shaft_state_create(&state, NULL, &err));
    REFUSED(wy_shaft_state_create(NULL, NULL, &err));
    REFUSED(wy_shaft_solver_create(&solver, NULL, &err));
    REFUSED(wy_shaft_solver_create(NULL, NULL, &err));
    REFUSED(wy_equilibrium_create(NULL, &d.rod, NULL, &err));
    REFUSED(wy_equilibrium_create(&beam, NULL, NULL, &err));
    REFUSED(wy_ms_solver_create(NULL, &d.rod, WY_MS_RATTLE, 10, 0.0, &err));
    REFUSED(wy_ms_solver_create(&form, NULL, WY_MS_RATTLE, 10, 0.0, &err));
    REFUSED(wy_live_create(&live, NULL, NULL, &err));
    REFUSED(wy_live_create(NULL, NULL, NULL, &err));
    REFUSED(wy_release_create(&release, NULL, NULL, &err));
    REFUSED(wy_release_create(NULL, NULL, NULL, &err));
    REFUSED(wy_sweep_table_create(&table, NULL, &err));
    REFUSED(wy_sweep_table_create(NULL, NULL, &err));
    REFUSED(wy_frames_create(NULL, NULL, NULL, NULL, &err));
    REFUSED(wy_equilibrium_modes_find(&modes, 3, 1e-6, 64, NULL, &err));
    REFUSED(wy_stepper_reserve_tangent(NULL, 3, &err));
}
END_TEST

/* Counts that no machine has memory for, up to those that wrap around: a status, and nothing made. */
START_TEST(counts_beyond_all_memory) {
    static const uint64_t huge[] = {10000001u,         (uint64_t)1 << 32, ((uint64_t)1 << 61) + 1,
                                    (uint64_t)1 << 62, INT64_MAX / 8,     INT64_MAX - 1,
                                    INT64_MAX};
    wy_error err;
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        wy_motion *rod = NULL;
        wy_motion_definition d = soft_rod(3);
        d.rod.elements = (int64_t)huge[i];
        err.text[0] = 0;
        ck_assert_msg(wy_motion_create(&rod, &d, &err) != WY_OK && !rod && err.text[0], "%llu",
                      (unsigned long long)huge[i]);
        wy_equilibrium *beam = NULL;
        wy_equilibrium_method method;
        wy_equilibrium_method_init(&method);
        method.elements = (size_t)huge[i];
        d = soft_rod(3);
        ck_assert_msg(wy_equilibrium_create(&beam, &d.rod, &method, &err) != WY_OK && !beam, "%zu", method.elements);
        wy_shaft *shaft = NULL;
        const wy_shaft_config config = {
            .elements = (int64_t)huge[i], .inertia = 1.0, .compliance = 1.0, .form = WY_SHAFT_MULTIPLIER};
        if (huge[i] > (uint64_t)1 << 33)
            ck_assert_msg(wy_shaft_create(&shaft, &config, &err) != WY_OK && !shaft, "%llu",
                          (unsigned long long)huge[i]);
    }
    /* the multi-symplectic form goes in steps that are only counted */
    static const size_t steps[] = {(size_t)1 << 40, (size_t)1 << 58, SIZE_MAX / 54,
                                   SIZE_MAX / 2,    SIZE_MAX - 1,    SIZE_MAX};
    const wy_motion_definition column = soft_rod(3);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        wy_ms_solver *form = NULL;
        const wy_status s = wy_ms_solver_create(&form, &column.rod, WY_MS_RATTLE, steps[i], 0.0, &err);
        ck_assert_msg(s == WY_NO_MEMORY && !form, "%zu steps: %d %s", steps[i], s, err.text);
        ck_assert_msg(strstr(err.text, "it needs") != NULL, "%s", err.text);
    }
    /* columns of a tangent */
    const wy_system system = {.dim = 1, .field = field, .jacobian = jacobian};
    wy_stepper *stepper;
    ck_assert_int_eq(wy_stepper_create(&stepper, wy_integrator_find("IM"), NULL, &system, &err), WY_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        ck_assert_int_eq(wy_stepper_reserve_tangent(stepper, steps[i], &err), WY_NO_MEMORY);
    wy_stepper_free(stepper);
}
END_TEST

/* Sums and products that stop at the largest number; and what is asked for is refused with both numbers. */
START_TEST(sums_that_do_not_wrap) {
    ck_assert_uint_eq(wy_size_sum(3, 4), 7);
    ck_assert_uint_eq(wy_size_sum(SIZE_MAX, 1), SIZE_MAX);
    ck_assert_uint_eq(wy_size_sum(SIZE_MAX - 2, 2), SIZE_MAX);
    ck_assert_uint_eq(wy_size_product(3, 4), 12);
    ck_assert_uint_eq(wy_size_product(0, SIZE_MAX), 0);
    ck_assert_uint_eq(wy_size_product(SIZE_MAX, 0), 0);
    ck_assert_uint_eq(wy_size_product(SIZE_MAX / 2, 3), SIZE_MAX);
    wy_error err = {0};
    ck_assert_int_eq(wy_memory_ask(1000, &err, "little"), WY_OK);
    ck_assert_int_eq(wy_memory_ask(SIZE_MAX, &err, "%d things", 7), WY_NO_MEMORY);
    ck_assert_msg(strncmp(err.text, "no memory for 7 things: ", 24) == 0, "%s", err.text);
    const size_t left = wy_memory_left();
    ck_assert_uint_gt(left, 0);
    if (left < SIZE_MAX / 4) {
        ck_assert_int_eq(wy_memory_ask(2 * left, &err, "a rod"), WY_NO_MEMORY);
        ck_assert_msg(strstr(err.text, "it needs ") && strstr(err.text, "and there are "), "%s", err.text);
    }
    ck_assert_ptr_null(wy_memory_take(SIZE_MAX, 8, &err, "a rod"));
    ck_assert_ptr_null(wy_memory_take((size_t)1 << 61, 8, &err, "a rod"));
    unsigned char *some = wy_memory_take(5, 3, &err, "a rod");
    ck_assert_ptr_nonnull(some);
    for (int i = 0; i < 15; i++)
        ck_assert_int_eq(some[i], 0);
    free(some);
    free(wy_memory_take(0, 8, &err, "nothing")); /* is something that can be freed */
}
END_TEST

SUITE("arguments", creates_of_nothing, counts_beyond_all_memory, sums_that_do_not_wrap, systems_too_large_to_count,
      states_of_another_rod, choices_that_are_none)
