/* What a control loop counts on: a step that makes no system call and allocates nothing, whatever the method, and a
 * bound on the iterations of a step that holds. docs/cantilever.md, "Real time". */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "motion/gauss_director/gauss_director.h"
#include "support/rods.h"
#include "support/suite.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
static long allocations;

void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    allocations++;
    return __real_realloc(old, size);
}

static wy_motion_definition bent(const wy_entry *method, const void *config) {
    static const wy_shape_constant screw = {{1.3, 7.9, 2.1, 0.0, 0.0, 1.0}};
    static const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    static wy_choice load;
    load = choose(&wy_loads, "gravity", &gravity);
    wy_motion_definition d = soft_rod(7);
    d.rod.loads = (wy_list){1, &load};
    d.start.shape = choose(&wy_shapes, "constant", &screw);
    d.method = (wy_choice){method, config};
    return d;
}

/* What a loop does every millisecond: push, step, look. Answers how many steps went well. */
static int loop(bench *b, double dt, int steps) {
    double position[3 * 8], velocity[6 * 8];
    const wy_motion_view view = {.position = position, .velocity = velocity};
    int n = 0;
    for (; n < steps; n++) {
        const double force[3] = {n % 3 ? 1e-3 : -1e-3, 2e-4 * n, 0.0}, moment[3] = {0.0, 1e-6, 0.0};
        wy_error err;
        wy_motion_stats stats;
        wy_motion_energy energy;
        if (wy_motion_push(b->rod, b->state, 1, force, moment, &err) ||
            wy_motion_step(b->rod, b->state, b->work, dt, &err))
            break; /* the literal schemes may fail */
        wy_motion_read(b->rod, b->state, &view);
        wy_motion_statistics(&stats, b->state);
        wy_motion_energies(&energy, b->rod, b->state);
    }
    return n;
}

/* In a process of its own that the kernel kills at the first system call but write and exit. Answers false where the
 * kernel knows no such thing. */
static bool loop_without_the_kernel(int *done, bench *b, double dt, int steps, bool misbehave) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        int n = -2;
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0) {
            if (misbehave)
                (void)syscall(SYS_getppid);
            n = loop(b, dt, steps);
        }
        (void)!write(ends[1], &n, sizeof n);
        syscall(SYS_exit, 0);
    }
    close(ends[1]);
    int status, n = -1;
    if (read(ends[0], &n, sizeof n) != sizeof n)
        n = -1; /* killed before it could write */
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    *done = n;
    return n != -2;
}

START_TEST(steps_make_no_system_call_and_allocate_nothing) {
#if defined(__SANITIZE_THREAD__)
    return; /* the sanitizer itself calls the system */
#endif
    wy_gauss_config c = {.newton = {.tolerance = 1e-9, .max_iterations = 30, .halvings = 12}, .stabiliser = 10.0};
    int looked = 0;
    const wy_entry *m;
    for (size_t i = 0; (m = wy_catalogue_entry(&wy_motion_methods, i)); i++)
        for (int degree = 2; degree <= WY_ELEMENT_DEGREE; degree++)
            for (int stages = 1; stages <= WY_GAUSS_STAGES; stages++) {
                const bool configured = strcmp(m->name, "gauss-director") == 0;
                if (!configured && (degree > 2 || stages > 1))
                    continue;
                c.degree = degree;
                c.stages = stages;
                wy_motion_definition d = bent(m, configured ? &c : NULL);
                bench b = bench_open(&d);
                const double dt = strstr(m->name, "shooting") ? 0.01 : 1e-3;
                int done;
                const bool known = loop_without_the_kernel(&done, &b, dt, 30, false);
                const long before = allocations;
                const int again = loop(&b, dt, 30);
                const long after = allocations;
                ck_assert_msg(after == before, "%s: %ld allocations in %d steps", m->name, after - before, again);
                if (known) {
                    ck_assert_msg(done != -1, "%s, degree %d, %d stages: a step called the system", m->name, degree,
                                  stages);
                    ck_assert_int_eq(done, again);
                    ck_assert_msg(again == 30 || strstr(m->name, "shooting"), "%s: %d steps", m->name, again);
                    looked++;
                } else {
                    puts("no seccomp here: system calls were not looked for");
                }
                bench_close(&b);
            }
    /* the trap is one: a system call ends the process */
    wy_motion_definition d = bent(NULL, NULL);
    bench b = bench_open(&d);
    int done;
    if (loop_without_the_kernel(&done, &b, 1e-3, 1, true)) {
        ck_assert_int_eq(done, -1);
        ck_assert_int_gt(looked, 8);
    }
    bench_close(&b);
}
END_TEST

/* An attempt has at most `max_iterations`, a step of some size at most two attempts (frozen, coupled), and it is cut in
 * two at most `halvings` times: with `exact_only` 2 max_iterations (2^(halvings + 1) - 1) in all. A step that needs
 * more fails and leaves the state as it was. */
START_TEST(iterations_of_a_step_are_bounded) {
    for (int halvings = 0; halvings <= 2; halvings++)
        for (int cap = 2; cap <= 32; cap *= 2) {
            const wy_gauss_config c = {.newton = {.tolerance = 1e-13, .max_iterations = cap, .halvings = halvings},
                                       .degree = 2,
                                       .stages = 2,
                                       .stabiliser = 10.0,
                                       .exact_only = true};
            wy_motion_definition d = bent(wy_catalogue_find(&wy_motion_methods, "gauss-director"), &c);
            bench b = bench_open(&d);
            const size_t size = wy_motion_state_size(b.state);
            double *before = malloc(size * sizeof *before);
            ck_assert(before != NULL);
            int64_t last = 0, good = 0;
            /* calm, then in strides that no Newton can take */
            for (int n = 0; n < 60; n++) {
                const double dt = n < 40 ? 1.7e-4 : 0.2 * n;
                memcpy(before, wy_motion_state_numbers(b.state), size * sizeof *before);
                wy_error err = {0};
                const wy_status s = wy_motion_step(b.rod, b.state, b.work, dt, &err);
                if (s) {
                    ck_assert_int_eq(s, WY_NO_CONVERGENCE);
                    ck_assert(memcmp(before, wy_motion_state_numbers(b.state), size * sizeof *before) == 0);
                    continue;
                }
                wy_motion_stats stats;
                wy_motion_statistics(&stats, b.state);
                const int64_t most = 2 * cap * ((2 << halvings) - 1);
                ck_assert_msg(stats.iterations - last <= most, "%lld iterations, at most %lld were allowed",
                              (long long)(stats.iterations - last), (long long)most);
                last = stats.iterations;
                good++;
            }
            /* calm steps do not fail once there are enough */
            if (cap >= 20)
                ck_assert_int_ge(good, 40);
            free(before);
            bench_close(&b);
        }
}
END_TEST

SUITE("real time", steps_make_no_system_call_and_allocate_nothing, iterations_of_a_step_are_bounded)
