/* A batch of states gives the bits of each state alone; one that fails harms no other. */
#include <withy/batch.h>

#include "support/flight.h"

enum { COUNT = 5, STEPS = 7 };

static wy_motion_state *pushed_state(const bench *b, int k) {
    wy_error err;
    wy_motion_state *state;
    ck_assert(!wy_motion_state_create(&state, b->rod, &err));
    ck_assert(!wy_motion_state_copy(state, b->state, &err));
    const double force[3] = {1.3e-3 * k, -0.7e-3 * k * k, 0.0}, moment[3] = {0.0, 0.0, 1e-6 * k};
    ck_assert(!wy_motion_push(b->rod, state, 1, force, moment, &err));
    return state;
}

static bool same(wy_motion_state *a, wy_motion_state *b) {
    return memcmp(wy_motion_state_numbers(a), wy_motion_state_numbers(b), wy_motion_state_size(a) * sizeof(double)) ==
           0;
}

START_TEST(a_batch_is_each_state_alone) {
    const wy_motion_definition d = soft_rod(6);
    bench b = bench_open(&d);
    wy_motion_state *batch[COUNT], *alone[COUNT];
    wy_status each[COUNT];
    wy_error err;
    for (int k = 0; k < COUNT; k++) {
        batch[k] = pushed_state(&b, k);
        alone[k] = pushed_state(&b, k);
    }
    ck_assert(!wy_motion_steps(b.rod, batch, COUNT, b.work, 1.7e-3, STEPS, each, &err));
    bool equal = true;
    for (int k = COUNT - 1; k >= 0; k--) { /* in another order, step by step */
        for (int n = 0; n < STEPS; n++)
            ck_assert(!wy_motion_step(b.rod, alone[k], b.work, 1.7e-3, &err));
        equal = equal && same(batch[k], alone[k]) && each[k] == WY_OK;
    }
    ck_assert(equal);
    ck_assert(!same(batch[1], batch[2]));

    const size_t nodes = wy_motion_nodes(b.rod);
    double *x = calloc(COUNT * nodes * 3, sizeof *x), *w = calloc(COUNT * nodes * 6, sizeof *w),
           *one = calloc(nodes * 6, sizeof *one);
    const wy_motion_view view = {.position = x, .wrench = w}, single = {.position = one}, inner = {.wrench = one};
    ck_assert(!wy_motion_read_all(b.rod, (const wy_motion_state *const *)batch, COUNT, &view, &err));
    for (size_t k = 0; k < COUNT; k++) {
        wy_motion_read(b.rod, batch[k], &single);
        ck_assert(memcmp(x + 3 * nodes * k, one, 3 * nodes * sizeof *x) == 0);
        wy_motion_read(b.rod, batch[k], &inner);
        ck_assert(memcmp(w + 6 * (nodes - 1) * k, one, 6 * (nodes - 1) * sizeof *x) == 0);
    }
    free(x);
    free(w);
    free(one);
    for (int k = 0; k < COUNT; k++) {
        wy_motion_state_free(batch[k]);
        wy_motion_state_free(alone[k]);
    }
    bench_close(&b);
}
END_TEST

START_TEST(one_that_fails_harms_no_other) {
    const wy_motion_definition d = soft_rod(6);
    bench b = bench_open(&d);
    wy_motion_state *batch[3] = {pushed_state(&b, 1), pushed_state(&b, 2), pushed_state(&b, 1)};
    wy_status each[3];
    wy_error err;
    wy_motion_state_numbers(batch[1])[wy_motion_state_size(batch[1]) - 1] = NAN;
    ck_assert_int_ne(wy_motion_steps(b.rod, batch, 3, b.work, 1e-3, STEPS, each, &err), WY_OK);
    ck_assert_msg(strstr(err.text, "state 1 of 3") != NULL, "%s", err.text);
    ck_assert(each[0] == WY_OK && each[1] != WY_OK && each[2] == WY_OK && same(batch[0], batch[2]));
    ck_assert_int_eq(wy_motion_steps(b.rod, batch, 3, b.work, 1e-3, -1, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_steps(NULL, batch, 3, b.work, 1e-3, 1, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_read_all(b.rod, NULL, 3, NULL, &err), WY_BAD_INPUT);
    wy_motion_state *const none[1] = {NULL};
    ck_assert_int_eq(wy_motion_steps(b.rod, none, 1, b.work, 1e-3, 1, NULL, &err), WY_BAD_INPUT);
    ck_assert(!wy_motion_steps(b.rod, NULL, 0, b.work, 1e-3, 1, NULL, &err));
    for (int k = 0; k < 3; k++)
        wy_motion_state_free(batch[k]);
    bench_close(&b);
}
END_TEST

/* ---- states that are stepped in turn, each by one step ---- */

static long factored;
static bool (*factor)(const wy_gauss *m, wy_gauss_work *w, double dt);

static bool count_and_factor(const wy_gauss *m, wy_gauss_work *w, double dt) {
    factored++;
    return factor(m, w, dt);
}

/* Steps all states in turn and counts how often factors are made. */
static long step_in_turn(const bench *b, wy_motion_state **states, size_t slots, double dt, int steps) {
    wy_motion_work *work;
    wy_error err = {0};
    factored = 0;
    ck_assert_msg(!wy_motion_work_create_for(&work, b->rod, slots, &err), "%s", err.text);
    for (int n = 0; n < steps; n++)
        for (int k = 0; k < COUNT; k++) /* there and back */
            ck_assert_msg(!wy_motion_step(b->rod, states[n % 2 ? COUNT - 1 - k : k], work, dt, &err), "%s", err.text);
    wy_motion_work_free(work);
    return factored;
}

START_TEST(states_in_turn_keep_their_factors) {
    enum { TURNS = 40, RULES = 2 };
    for (int rule = 0; rule < RULES; rule++) {
        const double dt = rule == 0 ? 1.7e-3 : 2e-4; /* short: old factors converge well */
        wy_gauss_config c = method(3, 2);
        c.newton.tolerance = 1e-8;
        c.factors_every = rule == 0 ? 0 : 8;
        wy_motion_definition d = soft_rod(6);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        bench b = bench_open(&d);
        wy_gauss *m = b.rod->method_data;
        wy_gauss_kernel counting = *m->kernel;
        factor = counting.loops[1][1].factor;
        counting.loops[1][1].factor = count_and_factor;
        m->kernel = &counting;
        wy_motion_state *states[3][COUNT];
        long alone = 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < COUNT; k++)
                states[i][k] = pushed_state(&b, k);
        for (int i = 0; i < 3; i++) /* beyond the jolt of the push */
            step_in_turn(&b, states[i], 1, dt, 24);
        for (int k = 0; k < COUNT; k++) {
            wy_error err = {0};
            factored = 0;
            ck_assert(!wy_motion_steps(b.rod, &states[0][k], 1, b.work, dt, TURNS, NULL, &err));
            alone += factored;
        }
        const long kept = step_in_turn(&b, states[1], COUNT, dt, TURNS),
                   forgotten = step_in_turn(&b, states[2], 1, dt, TURNS);
        for (int k = 0; k < COUNT; k++)
            ck_assert_msg(same(states[0][k], states[1][k]) && same(states[0][k], states[2][k]), "state %d", k);
        ck_assert_int_eq(kept, alone);
        ck_assert_int_gt(forgotten, 2 * alone);
        if (rule == 1) /* at steps 24, 32, 40, 48, 56 of each state, and nothing between */
            ck_assert_int_eq(alone, COUNT * TURNS / 8);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < COUNT; k++)
                wy_motion_state_free(states[i][k]);
        bench_close(&b);
    }
}
END_TEST

SUITE("batches of states", a_batch_is_each_state_alone, one_that_fails_harms_no_other,
      states_in_turn_keep_their_factors)
