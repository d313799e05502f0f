/* What the moving rod refuses, and what it promises of memory, scratch, restarts and failure. */
#include "motion/motion_internal.h"
#include "support/rods.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long allocations, left = -1;

static bool fails(void) {
    allocations++;
    return left >= 0 && left-- == 0;
}
void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}

static void refused(const wy_motion_definition *d, const char *part, const char *words) {
    wy_motion *rod = NULL;
    wy_error err = {0}, err2 = {0};
    const char *blamed = "";
    const wy_status s = wy_motion_create(&rod, d, &err);
    ck_assert_msg(s == WY_BAD_INPUT || s == WY_UNSUPPORTED, "status %d instead of a refusal for '%s'", s, words);
    ck_assert_ptr_null(rod);
    ck_assert_msg(strstr(err.text, words) != NULL, "'%s' does not say '%s'", err.text, words);
    ck_assert(wy_motion_check(d, &blamed, &err2) == s);
    ck_assert_str_eq(blamed, part);
    ck_assert(wy_motion_create(&rod, d, NULL) == s);
}

/* A state belongs to rods of one size: another's is refused, and nothing is written. */
START_TEST(states_of_other_rods_are_refused) {
    const wy_motion_definition few = soft_rod(3), many = soft_rod(8);
    bench a = bench_open(&few), b = bench_open(&many);
    wy_error err = {0};
    bench_run(&b, 1e-3, 2, 1);
    const double before = wy_motion_time(b.state);
    ck_assert_int_eq(wy_motion_state_copy(b.state, a.state, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "does not fit"));
    ck_assert_int_eq(wy_motion_state_copy(a.state, b.state, &err), WY_BAD_INPUT);
    ck_assert_int_eq(wy_motion_state_copy(NULL, b.state, &err), WY_BAD_INPUT);
    ck_assert_double_eq(wy_motion_time(b.state), before);
    bench_close(&a);
    bench_close(&b);
}
END_TEST

START_TEST(bad_definitions_are_refused_with_numbers) {
    const wy_motion_definition good = soft_rod(10);
    wy_motion_definition d = good;
#define TRY(part, words, change)  \
    do {                          \
        d = good;                 \
        change;                   \
        refused(&d, part, words); \
    } while (0)
    TRY("length", "length is -0.1", d.rod.length = -0.1);
    TRY("length", "length is nan", d.rod.length = NAN);
    TRY("elements", "0 elements", d.rod.elements = 0);
    TRY("elements", "-3 elements", d.rod.elements = -3);
    TRY("section", "EI1 is -1", d.rod.section.EI1 = -1.0);
    TRY("section", "needs mass", d.rod.section.rhoA = 0.0);
    TRY("section", "needs mass", d.rod.section.rhoJ = 0.0);
    TRY("section", "larger than the sum", d.rod.section.rhoJ *= 3.0);
    TRY("damping", "component 2 of the viscosity is -1", d.rod.viscosity[1] = -1.0);
    TRY("mass_damping", "mass damping is nan", d.rod.mass_damping = NAN);
    TRY("start", "not a number", d.start.spin[1] = NAN);
    TRY("start", "orientation at the start is zero", d.rod.orientation[0] = 0.0);
    const double rows[] = {0.0, 1.0, 0.05, -2.0}, back[] = {0.05, 1.0, 0.02, 1.0}, outside[] = {0.0, 1.0, 0.3, 1.0};
    TRY("taper", "size -2", d.rod.taper = ((wy_samples){2, rows}));
    TRY("taper", "does not come after", d.rod.taper = ((wy_samples){2, back}));
    TRY("taper", "not on the rod", d.rod.taper = ((wy_samples){2, outside}));
    const wy_shape_constant flat = {{0, 0, 0, 0, 0, 0}}, nan_shape = {{NAN, 0, 0, 0, 0, 1}};
    const wy_shape_helix thin = {.radius = 0.0, .pitch = 1.0};
    const wy_shape_sampled none = {{0, NULL}};
    TRY("start", "nu3 is 0", d.start.shape = choose(&wy_shapes, "constant", &flat));
    TRY("reference", "component 1 of the strain is nan", d.rod.reference = choose(&wy_shapes, "constant", &nan_shape));
    TRY("reference", "radius must be positive", d.rod.reference = choose(&wy_shapes, "helix", &thin));
    TRY("start", "at least one row", d.start.shape = choose(&wy_shapes, "sampled", &none));
    const wy_load_gravity heavy = {{0, NAN, 0}};
    const wy_load_drag lifting = {.linear = -1.0};
    const wy_load_point_force far = {.force = {1, 0, 0}, .at = 0.2};
    const wy_load_distributed beyond = {.density = {1, 0, 0}, .from = 0.05, .until = 0.02};
    const wy_signal_ramp never = {.from = 1.0, .until = 1.0, .high = 1.0};
    const wy_signal_pulse wrong = {.from = 1.0, .peak = 0.5, .until = 2.0};
    const wy_signal_sampled empty = {{0, NULL}};
    const double times[] = {1.0, 0.0, 0.5, 1.0};
    const wy_signal_sampled falling = {{2, times}};
    wy_choice load;
#define LOAD(words, name, config) \
    TRY("loads", words, load = choose(&wy_loads, name, config); d.rod.loads = ((wy_list){1, &load}))
    LOAD("load 1, gravity: gravity is (0, nan, 0)", "gravity", &heavy);
    LOAD("not negative", "drag", &lifting);
    LOAD("at s = 0.2 m is not on the rod", "point-force", &far);
    LOAD("from 0.05 m until 0.02 m", "distributed-force", &beyond);
    wy_load_distributed in_time = {.density = {1, 0, 0}, .from = NAN, .until = NAN};
    in_time.in_time = choose(&wy_signals, "ramp", &never);
    LOAD("'until' must come after 'from'", "distributed-couple", &in_time);
    in_time.in_time = choose(&wy_signals, "pulse", &wrong);
    LOAD("the times must rise", "distributed-force", &in_time);
    in_time.in_time = choose(&wy_signals, "sampled", &empty);
    LOAD("at least one row", "distributed-force", &in_time);
    in_time.in_time = choose(&wy_signals, "sampled", &falling);
    LOAD("does not come after 1 s", "distributed-force", &in_time);
    const wy_end_loaded nothing = {.force = {NAN, 0, 0}};
    const wy_end_moved nowhere = {.turn = {INFINITY, 0, 0}};
    TRY("last_end", "end at s = 0.1 m", d.rod.ends[1] = choose(&wy_ends, "loaded", &nothing));
    TRY("first_end", "end at s = 0 m", d.rod.ends[0] = choose(&wy_ends, "moved", &nowhere));
    static const wy_motion_gauss_director sixth = {.newton = {1e-12, 30, 12}, .degree = 6, .stages = 2},
                                          fourth = {.newton = {1e-12, 30, 12}, .degree = 3, .stages = 4};
    TRY("method", "'degree' is 6", d.method = choose(&wy_motion_methods, "gauss-director", &sixth));
    TRY("method", "'stages' is 4", d.method = choose(&wy_motion_methods, "gauss-director", &fourth));
    TRY("start", "no static equilibrium", d.rod.ends[0] = choose(&wy_ends, "free", NULL); d.start.equilibrium = true);
}
END_TEST

START_TEST(bad_steps_and_pushes_are_refused) {
    wy_motion_definition d = soft_rod(5);
    bench b = bench_open(&d);
    wy_error err;
    const double bad[] = {0.0, -1e-3, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        ck_assert(wy_motion_step(b.rod, b.state, b.work, bad[i], &err) == WY_BAD_INPUT);
        ck_assert(strstr(err.text, "time step of") != NULL);
    }
    const double zero[3] = {0}, one[3] = {1, 0, 0}, nan[3] = {NAN, 0, 0};
    ck_assert(wy_motion_push(b.rod, b.state, 2, zero, zero, &err) == WY_BAD_INPUT);
    ck_assert(wy_motion_push(b.rod, b.state, 1, nan, zero, &err) == WY_BAD_INPUT);
    ck_assert(wy_motion_push(b.rod, b.state, 0, one, zero, &err) == WY_BAD_INPUT);
    ck_assert(strstr(err.text, "clamped") != NULL);
    ck_assert(wy_motion_push(b.rod, b.state, 1, one, zero, &err) == WY_OK);
    bench_close(&b);
}
END_TEST

/* An impossible step fails with time, step and node, and leaves the state as it was, bit for bit. */
START_TEST(failure_names_the_element_and_keeps_the_state) {
    wy_motion_definition d = soft_rod(20);
    const wy_shape_constant screw = {{5.0, 7.9, 11.0, 0.0, 0.0, 1.0}};
    const wy_motion_gauss_director stubborn = {.newton = {.tolerance = 1e-16, .max_iterations = 2, .halvings = 3},
                                               .degree = 3,
                                               .stages = 2,
                                               .stabiliser = 10.0,
                                               .exact_only = true};
    d.start.shape = choose(&wy_shapes, "constant", &screw);
    d.method = choose(&wy_motion_methods, "gauss-director", &stubborn);
    bench b = bench_open(&d);
    const size_t bytes = wy_motion_state_size(b.state) * sizeof(double);
    double *before = malloc(bytes);
    memcpy(before, wy_motion_state_numbers(b.state), bytes);
    wy_error err = {0};
    ck_assert(wy_motion_step(b.rod, b.state, b.work, 0.05, &err) == WY_NO_CONVERGENCE);
    ck_assert_msg(strstr(err.text, "t = 0 s, step 1") && strstr(err.text, "near s = "), "%s", err.text);
    ck_assert(memcmp(before, wy_motion_state_numbers(b.state), bytes) == 0);
    free(before);
    bench_close(&b);
    /* an end that spins too fast for any step */
    d = soft_rod(20);
    const wy_signal_ramp ramp = {.until = 1e-6, .high = 1.0};
    const wy_end_moved spin = {.turn = {0, 0, 1e6}, .translation = {0}, .rotation = choose(&wy_signals, "ramp", &ramp)};
    d.rod.ends[1] = choose(&wy_ends, "moved", &spin);
    b = bench_open(&d);
    ck_assert(wy_motion_step(b.rod, b.state, b.work, 1e-3, &err) == WY_NO_CONVERGENCE);
    ck_assert_msg(strstr(err.text, "an end turns by more than 90 degrees"), "%s", err.text);
    bench_close(&b);
}
END_TEST

static wy_motion_definition busy(wy_choice loads[2]) {
    static const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    static const wy_load_drag drag = {.linear = 0.05, .angular = 1e-6};
    static const wy_shape_constant screw = {{5.0, 7.9, 11.0, 0.0, 0.0, 1.0}};
    wy_motion_definition d = soft_rod(20);
    loads[0] = choose(&wy_loads, "gravity", &gravity);
    loads[1] = choose(&wy_loads, "drag", &drag);
    d.rod.loads = (wy_list){2, loads};
    d.start.shape = choose(&wy_shapes, "constant", &screw);
    return d;
}

START_TEST(steps_allocate_nothing) {
    const wy_entry *m;
    for (size_t row = 0; (m = wy_catalogue_entry(&wy_motion_methods, row)); row++) {
        wy_choice loads[2];
        wy_motion_definition d = busy(loads);
        d.method.entry = m;
        d.rod.loads.count = 1;
        bench b = bench_open(&d);
        wy_error err = {0};
        const long before = allocations;
        for (int n = 0; n < 5; n++)
            if (wy_motion_step(b.rod, b.state, b.work, 0.01, &err))
                break; /* the literal scheme may fail: not without a word, and not with an allocation */
        const long after = allocations;
        ck_assert_msg(after == before, "%s: %ld allocations in a step", m->name, after - before);
        bench_close(&b);
    }
}
END_TEST

/* Scratch full of NaN between two steps, and a restart from a copy: the same bits. */
START_TEST(scratch_and_restart_change_no_bit) {
    const wy_entry *m;
    for (size_t row = 0; (m = wy_catalogue_entry(&wy_motion_methods, row)); row++) {
        wy_choice loads[2];
        wy_motion_definition d = busy(loads);
        d.method.entry = m;
        d.rod.loads.count = 1;
        bench a = bench_open(&d), b = bench_open(&d);
        wy_error err = {0};
        int n;
        for (n = 0; n < 20; n++) {
            if (wy_motion_step(a.rod, a.state, a.work, 0.01, &err))
                break;
            if (n == 9) { /* b goes on from a copy, in a fresh model */
                ck_assert(!wy_motion_state_copy(b.state, a.state, &err));
                continue;
            }
            for (size_t i = 0; i < wy_motion_work_size(b.work); i++)
                wy_motion_work_numbers(b.work)[i] = NAN;
            ck_assert(!wy_motion_step(b.rod, b.state, b.work, 0.01, &err));
        }
        ck_assert_msg(n > 3, "%s: %s", m->name, err.text);
        ck_assert_msg(memcmp(wy_motion_state_numbers(a.state), wy_motion_state_numbers(b.state),
                             wy_motion_state_size(a.state) * sizeof(double)) == 0,
                      "%s: bits differ", m->name);
        bench_close(&a);
        bench_close(&b);
    }
}
END_TEST

START_TEST(memory_that_ends) {
    for (int n = 0; n < 100; n++) {
        wy_choice loads[2];
        wy_motion_definition d = busy(loads);
        d.start.equilibrium = true;
        d.start.shape = (wy_choice){0};
        wy_motion *rod = NULL;
        wy_motion_state *state = NULL;
        wy_motion_work *work = NULL;
        wy_error err = {0};
        left = n;
        wy_status s = wy_motion_create(&rod, &d, &err);
        if (!s)
            s = wy_motion_state_create(&state, rod, &err);
        if (!s)
            s = wy_motion_work_create(&work, rod, &err);
        const bool hit = left < 0;
        left = -1;
        wy_motion_work_free(work);
        wy_motion_state_free(state);
        wy_motion_free(rod);
        if (!hit) {
            ck_assert_msg(!s, "%s", err.text);
            ck_assert_int_gt(n, 4);
            return;
        }
        ck_assert_msg(s == WY_NO_MEMORY, "allocation %d: status %d, %s", n, s, err.text);
    }
    ck_abort_msg("never succeeded");
}
END_TEST

SUITE("moving rod, abuse", states_of_other_rods_are_refused, bad_definitions_are_refused_with_numbers,
      bad_steps_and_pushes_are_refused, failure_names_the_element_and_keeps_the_state, steps_allocate_nothing,
      scratch_and_restart_change_no_bit, memory_that_ends)
