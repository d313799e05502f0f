/* Several threads share one model: the same bits as one thread alone, and (in the tsan preset) no race. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>

#include <withy/study.h>

#include "support/suite.h"
#include "support/systems.h"

enum { THREADS = 8, STEPS = SANITIZED ? 300 : 3000 };

/* What all threads read and none may write. */
static const wy_implicit settings = {.solver = WY_NEWTON, .tolerance = 0.0, .max_iterations = 50};

typedef struct job {
    const wy_system *system;
    const wy_integrator *integrator;
    const double *start;
    pthread_barrier_t *gate;
    double end[9];
    wy_step_stats stats;
    wy_status status;
} job;

static void *work(void *argument) {
    job *j = argument;
    if (j->gate)
        pthread_barrier_wait(j->gate);
    wy_stepper *stepper;
    memcpy(j->end, j->start, j->system->dim * sizeof *j->end);
    j->status = wy_stepper_create(&stepper, j->integrator, j->integrator->traits & WY_IMPLICIT ? &settings : NULL,
                                  j->system, NULL);
    for (int n = 0; n < STEPS && !j->status; n++)
        j->status = wy_stepper_step(stepper, 0.02, j->end, NULL);
    if (!j->status)
        j->stats = *wy_stepper_stats(stepper);
    wy_stepper_free(stepper);
    return NULL;
}

START_TEST(one_system_many_threads) {
    double pq[8];
    wy_body_to_hamiltonian(pq, body_start);
    const wy_system systems[] = {wy_body_quaternion_system(&untidy_body), wy_body_hamiltonian_system(&untidy_body),
                                 spins_system(&anisotropic)};
    const double *starts[] = {body_start, pq, spins_start};
    for (int s = 0; s < 3; s++)
        for (const wy_entry *const *row = wy_integrators.entries; *row; row++) {
            const wy_integrator *integrator = (const wy_integrator *)(const void *)*row;
            if (((integrator->traits & WY_NEEDS_SPHERES) && !systems[s].blocks[0].sphere) ||
                ((integrator->traits & WY_NEEDS_CANONICAL) && !systems[s].canonical))
                continue;
            job alone = {.system = &systems[s], .integrator = integrator, .start = starts[s]}, jobs[THREADS];
            work(&alone);
            ck_assert_int_eq(alone.status, WY_OK);
            pthread_t threads[THREADS];
            pthread_barrier_t gate;
            ck_assert_int_eq(pthread_barrier_init(&gate, NULL, THREADS), 0);
            for (int t = 0; t < THREADS; t++) {
                jobs[t] = (job){.system = &systems[s], .integrator = integrator, .start = starts[s], .gate = &gate};
                ck_assert_int_eq(pthread_create(&threads[t], NULL, work, &jobs[t]), 0);
            }
            for (int t = 0; t < THREADS; t++)
                ck_assert_int_eq(pthread_join(threads[t], NULL), 0);
            pthread_barrier_destroy(&gate);
            for (int t = 0; t < THREADS; t++) {
                ck_assert_int_eq(jobs[t].status, WY_OK);
                ck_assert_msg(memcmp(jobs[t].end, alone.end, systems[s].dim * sizeof(double)) == 0,
                              "%s, system %d, thread %d", integrator->entry.name, s, t);
                ck_assert_int_eq(jobs[t].stats.iterations, alone.stats.iterations);
            }
        }
}
END_TEST

/* Tables, expressions, errors and whole studies in several threads at the same time. */
typedef struct desk {
    pthread_barrier_t *gate;
    wy_report *report;
    wy_status status, refused;
    double value;
    wy_error err;
} desk;

static void *read_and_study(void *argument) {
    desk *d = argument;
    pthread_barrier_wait(d->gate);
    const wy_entry *entry;
    d->refused = wy_catalogue_get(&entry, &wy_integrators, "kahn", &d->err);
    for (int i = 0; i < 200 && !d->status; i++)
        d->status = wy_expression(&d->value, "2.5e-1*cos(pi/8)^2", NULL);
    if (!d->status)
        d->status = wy_study_run(
            &d->report, (const wy_study *)(const void *)wy_catalogue_find(&wy_studies, "rigid-body-convergence"), NULL,
            NULL);
    return NULL;
}

START_TEST(studies_side_by_side) {
    enum { DESKS = 3 };
    pthread_t threads[DESKS];
    pthread_barrier_t gate;
    static desk desks[DESKS];
    ck_assert_int_eq(pthread_barrier_init(&gate, NULL, DESKS), 0);
    for (int t = 0; t < DESKS; t++) {
        desks[t].gate = &gate;
        ck_assert_int_eq(pthread_create(&threads[t], NULL, read_and_study, &desks[t]), 0);
    }
    for (int t = 0; t < DESKS; t++)
        ck_assert_int_eq(pthread_join(threads[t], NULL), 0);
    pthread_barrier_destroy(&gate);
    for (int t = 0; t < DESKS; t++) {
        ck_assert_int_eq(desks[t].status, WY_OK);
        ck_assert_int_eq(desks[t].refused, WY_BAD_INPUT);
        ck_assert_str_eq(desks[t].err.text, desks[0].err.text);
        ck_assert_double_eq(desks[t].value, desks[0].value);
        ck_assert_uint_eq(desks[t].report->row_count, desks[0].report->row_count);
        for (size_t i = 0; i < desks[t].report->row_count; i++)
            ck_assert_double_eq(desks[t].report->rows[i].measured, desks[0].report->rows[i].measured);
    }
    for (int t = 0; t < DESKS; t++)
        wy_report_free(desks[t].report);
}
END_TEST

SUITE("threads", one_system_many_threads, studies_side_by_side)
