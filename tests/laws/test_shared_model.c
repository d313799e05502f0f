/* A model of a moving rod is immutable: it lies in memory that may not be written while it is stepped, carried, pushed,
 * read and estimated; four threads share it, each with a path of its own for the driven end, and get the same bits as
 * one thread alone (and, in the tsan preset, no race). So are the rods of statics, of which a solver has several. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#include <withy/motion.h>

#include "equilibrium/equilibrium_model.h"
#include "motion/estimate/coarse_runs.h"
#include "motion/motion_internal.h"
#include "support/suite.h"

enum { THREADS = 4, STEPS = 60, NODES = 11 };

/* ---- memory that can be closed for writing ---- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static char *pages; /* NULL: memory comes from where it always does */
static size_t used;
static bool into_pages;
enum { PAGES = 1 << 24, ALIGNED = 64 };

/* Zeroed, with its size before it. */
static void *take_pages(size_t size) {
    char *at = pages + used + ALIGNED;
    used += ALIGNED + (size + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (used > PAGES) /* no assertion here: Check itself takes memory */
        abort();
    memcpy(at - sizeof size, &size, sizeof size);
    return at;
}

static bool in_pages(const void *memory) {
    return pages && (const char *)memory >= pages && (const char *)memory < pages + PAGES;
}

void *__wrap_malloc(size_t size) {
    return into_pages ? take_pages(size) : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return into_pages ? take_pages(count * size) : __real_calloc(count, size);
}
void *__wrap_realloc(void *memory, size_t size) {
    if (!into_pages && !in_pages(memory))
        return __real_realloc(memory, size);
    if (!into_pages || (memory && !in_pages(memory)))
        abort();
    void *grown = take_pages(size);
    size_t before = 0;
    if (memory)
        memcpy(&before, (char *)memory - sizeof before, sizeof before);
    return memory ? memcpy(grown, memory, before < size ? before : size) : grown;
}
void __wrap_free(void *memory) {
    if (!in_pages(memory))
        __real_free(memory);
}

/* Every rod of statics, when it is made. */
wy_status __real_wy_equilibrium_rod_create(equilibrium_rod **rod, const wy_rod_definition *definition,
                                           const char **part, wy_error *err);
wy_status __wrap_wy_equilibrium_rod_create(equilibrium_rod **rod, const wy_rod_definition *definition,
                                           const char **part, wy_error *err);

static int rods_closed;

wy_status __wrap_wy_equilibrium_rod_create(equilibrium_rod **rod, const wy_rod_definition *definition,
                                           const char **part, wy_error *err) {
    enum { PAGE = 1 << 16 };
    if (!pages)
        return __real_wy_equilibrium_rod_create(rod, definition, part, err);
    char *const from = pages + used;
    into_pages = true;
    const wy_status s = __real_wy_equilibrium_rod_create(rod, definition, part, err);
    into_pages = false;
    used = (used + PAGE - 1) / PAGE * PAGE;
    if (mprotect(from, (size_t)(pages + used - from), PROT_READ) != 0)
        abort();
    rods_closed++;
    return s;
}

/* ---- a rod driven at its first end ---- */

static const wy_load_gravity weight = {.acceleration = {-9.81, 0.0, 0.0}};

static wy_motion_definition driven_rod(wy_choice *load) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.31;
    d.rod.elements = NODES - 1;
    d.rod.section = (wy_section){.EI1 = 2e-3,
                                 .EI2 = 3e-3,
                                 .GJ = 1.7e-3,
                                 .GA1 = 90.0,
                                 .GA2 = 80.0,
                                 .EA = 300.0,
                                 .rhoI1 = 1e-6,
                                 .rhoI2 = 1.5e-6,
                                 .rhoJ = 2.5e-6,
                                 .rhoA = 0.11};
    d.rod.ends[0].entry = wy_catalogue_find(&wy_ends, "driven");
    *load = (wy_choice){wy_catalogue_find(&wy_loads, "gravity"), &weight};
    d.rod.loads = (wy_list){1, load};
    return d;
}

typedef struct job {
    const wy_motion *rod;
    const wy_motion_definition *definition;
    double turn; /* of the driven end in a step, rad */
    bool carries, estimates;
    double position[3 * NODES], shape; /* results */
    wy_status status;
    wy_error err;
} job;

/* One motion: the end moves along e1 and turns about e3, step by step. */
static void *move(void *argument) {
    job *j = argument;
    wy_motion_state *state = NULL;
    wy_motion_work *work = NULL;
    wy_coarse_runs *coarse = NULL;
    const wy_coarse_plan plan = {.steps = STEPS, .step = 0.002};
    wy_estimated_error error = {.shape.all = -1.0};
    wy_status s = wy_motion_state_create(&state, j->rod, &j->err);
    if (!s)
        s = wy_motion_work_create(&work, j->rod, &j->err);
    if (!s)
        s = wy_motion_start(j->rod, state, work, &j->err);
    if (!s && j->estimates)
        s = wy_coarse_runs_create(&coarse, j->definition, j->rod, state, &plan, &j->err);
    for (int n = 1; n <= STEPS && !s; n++) {
        const double angle = 0.5 * j->turn * n, x[3] = {1e-4 * n, 0.0, 0.0}, q[4] = {cos(angle), 0.0, 0.0, sin(angle)},
                     none[3] = {0.0, 0.0, 0.0}, push[3] = {0.0, 0.01, 0.0};
        if (j->carries)
            s = wy_motion_carry(j->rod, state, 0, x, q, plan.step, &j->err);
        if (!s)
            s = wy_motion_push(j->rod, state, 1, push, none, &j->err);
        if (!s)
            s = wy_motion_step(j->rod, state, work, plan.step, &j->err);
        if (!s && coarse)
            wy_coarse_runs_step(&error, coarse, j->rod, state, plan.step, n == STEPS);
    }
    if (!s) {
        const wy_motion_view view = {.position = j->position};
        wy_motion_read(j->rod, state, &view);
    }
    j->shape = error.shape.all;
    j->status = s;
    wy_coarse_runs_free(coarse);
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    return NULL;
}

static job job_of(const wy_motion *rod, const wy_motion_definition *d, int number, bool estimates) {
    return (job){
        .rod = rod, .definition = d, .turn = 0.002 * (number + 1), .carries = !estimates, .estimates = estimates};
}

static void is_equal(const job *a, const job *b) {
    ck_assert_msg(!a->status && !b->status, "%s%s", a->err.text, b->err.text);
    ck_assert_mem_eq(a->position, b->position, sizeof a->position);
    ck_assert_double_eq(a->shape, b->shape);
}

START_TEST(a_model_is_not_written_to) {
    wy_error err = {0};
    wy_choice load;
    const wy_motion_definition d = driven_rod(&load);
    wy_motion *plain, *closed;
    ck_assert_msg(!wy_motion_create(&plain, &d, &err), "%s", err.text);
    pages = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    into_pages = true;
    const wy_status s = wy_motion_create(&closed, &d, &err);
    into_pages = false;
    ck_assert_msg(!s, "%s", err.text);
    ck_assert(in_pages(closed) && in_pages(closed->method_data) && in_pages(closed->def.ends[0].config));
    ck_assert_int_eq(mprotect(pages, PAGES, PROT_READ), 0);
    for (int estimates = 0; estimates < 2; estimates++) {
        job a = job_of(plain, &d, 0, estimates), b = job_of(closed, &d, 0, estimates);
        move(&a);
        move(&b);
        is_equal(&a, &b);
        ck_assert_msg(!estimates || (a.shape > 0.0 && a.shape < 1.0), "%g", a.shape);
    }
    ck_assert_int_eq(mprotect(pages, PAGES, PROT_READ | PROT_WRITE), 0);
    wy_motion_free(closed);
    wy_motion_free(plain);
    munmap(pages, PAGES);
    pages = NULL;
}
END_TEST

START_TEST(one_model_many_threads) {
    wy_error err = {0};
    wy_choice load;
    const wy_motion_definition d = driven_rod(&load);
    wy_motion *rod;
    ck_assert_msg(!wy_motion_create(&rod, &d, &err), "%s", err.text);
    for (int estimates = 0; estimates < 2; estimates++) {
        job alone[THREADS], together[THREADS];
        pthread_t threads[THREADS];
        for (int t = 0; t < THREADS; t++) {
            alone[t] = together[t] = job_of(rod, &d, t, estimates);
            move(&alone[t]);
        }
        for (int t = 0; t < THREADS; t++)
            ck_assert_int_eq(pthread_create(&threads[t], NULL, move, &together[t]), 0);
        for (int t = 0; t < THREADS; t++)
            pthread_join(threads[t], NULL);
        for (int t = 0; t < THREADS; t++)
            is_equal(&alone[t], &together[t]);
        ck_assert(estimates || memcmp(alone[0].position, alone[1].position, sizeof alone[0].position) != 0);
    }
    wy_motion_free(rod);
}
END_TEST

typedef struct found {
    double states[2][WY_STATIC_DIM * NODES], error, energy[2];
    bool stable;
} found;

/* Solved, followed to other loads and another end, estimated, refined, and asked for its energy and stability. */
static void rest(found *out, const wy_rod_definition *d, const wy_rod_definition *other) {
    wy_error err = {0};
    wy_equilibrium *solver;
    ck_assert_msg(!wy_equilibrium_create(&solver, d, NULL, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_MAIN, 1, &err), "%s", err.text);
    ck_assert_uint_eq(wy_equilibrium_count(solver), NODES);
    memcpy(out->states[0], wy_equilibrium_states(solver), sizeof out->states[0]);
    ck_assert_msg(!wy_equilibrium_continue(solver, other, &err), "%s", err.text);
    memcpy(out->states[1], wy_equilibrium_states(solver), sizeof out->states[1]);
    ck_assert_msg(!wy_equilibrium_estimate(&out->error, solver, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_energies(&out->energy[0], &out->energy[1], solver, &err), "%s", err.text);
    out->stable = wy_equilibrium_statistics(solver)->stable;
    ck_assert_msg(!wy_equilibrium_refine(solver, 1e-9, 100, NULL, &err), "%s", err.text);
    wy_equilibrium_free(solver);
}

START_TEST(statics_do_not_write_to_rods) {
    wy_choice load;
    wy_rod_definition d = driven_rod(&load).rod, other;
    const wy_end_spring springs = {.stiffness = {0.01, 0.02, 0.01, 3.0, 2.0, 4.0},
                                   .position = {NAN, NAN, NAN},
                                   .orientation = {NAN, NAN, NAN, NAN}};
    d.ends[0] = (wy_choice){0};
    d.ends[1] = (wy_choice){wy_catalogue_find(&wy_ends, "spring"), &springs};
    other = d;
    const wy_load_gravity heavier = {.acceleration = {-12.0, 3.0, 0.0}};
    const wy_choice more = {wy_catalogue_find(&wy_loads, "gravity"), &heavier};
    other.loads = (wy_list){1, &more};
    found plain, closed;
    rest(&plain, &d, &other);
    ck_assert_double_ne(plain.states[0][0], plain.states[1][0]);
    pages = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    rest(&closed, &d, &other);
    ck_assert_int_ge(rods_closed, 2);
    ck_assert_mem_eq(plain.states, closed.states, sizeof plain.states);
    ck_assert_double_eq(plain.error, closed.error);
    ck_assert_double_eq(plain.energy[1], closed.energy[1]);
    ck_assert_int_eq(plain.stable, closed.stable);
    munmap(pages, PAGES);
    pages = NULL;
}
END_TEST

SUITE("shared models", a_model_is_not_written_to, one_model_many_threads, statics_do_not_write_to_rods)
