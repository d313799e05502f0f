/* The steel cantilever of `001` at four errors, against our build of its literal scheme at its own accuracy; and the
 * literal scheme alone. */
#include <math.h>
#include <stddef.h>

#include <withy/bench.h>

#include "study/cantilever.h"

enum { ROUNDS = 7 };

static const wy_cantilever_run literal_run = {.method = "bdf-alpha-shooting", .elements = 39, .dt = 2e-3};

typedef struct row {
    const char *name;
    double error; /* upper bound */
    wy_cantilever_run run;
} row;

static const row cantilever_rows[] = {
    {"steel cantilever, error 3e-3",
     3e-3,
     {.method = "gauss-director", .settings = "degree=2 stages=1 tolerance=1e-4", .elements = 2, .dt = 2e-3}},
    {"steel cantilever, error 1e-3",
     1e-3,
     {.method = "gauss-director", .settings = "degree=4 stages=2 tolerance=1e-5", .elements = 1, .dt = 2e-3}},
    {"steel cantilever, error 1e-4",
     1e-4,
     {.method = "gauss-director", .settings = "degree=3 stages=2 tolerance=1e-5", .elements = 3, .dt = 1e-3}},
    {"steel cantilever, error 1e-5",
     1e-5,
     {.method = "gauss-director", .settings = "degree=5 stages=3 tolerance=1e-7", .elements = 4, .dt = 5e-4}},
    {"steel cantilever, energy to 1e-9",
     1e-4,
     {.method = "gauss-director", .settings = "degree=3 stages=2 tolerance=1e-11", .elements = 3, .dt = 1e-3}},
    {"steel cantilever, default method", 3e-3, {.method = "gauss-director", .elements = 3, .dt = 2e-3}},
    {"steel cantilever, bdf-alpha",
     1e-2,
     {.method = "bdf-alpha", .settings = "degree=2 tolerance=1e-6", .elements = 4, .dt = 1e-3}},
};
enum { CASES = sizeof cantilever_rows / sizeof *cantilever_rows };

static wy_status bench_cantilever_run(void (*result)(void *context, const wy_bench_result *result), void *context,
                                      wy_error *err) {
    double best[CASES] = {0}, error[CASES] = {0}, base = HUGE_VAL, base_error, largest;
    wy_status s = wy_cantilever_error(&base_error, &largest, &literal_run, wy_cantilever_converged, err);
    for (int i = 0; i < CASES && !s; i++) {
        best[i] = HUGE_VAL;
        s = wy_cantilever_error(&error[i], &largest, &cantilever_rows[i].run, wy_cantilever_converged, err);
    }
    for (int round = 0; round < ROUNDS && !s; round++) {
        double cpu;
        s = wy_cantilever_cost(&cpu, NULL, &literal_run, err);
        base = fmin(base, cpu);
        for (int i = 0; i < CASES && !s; i++) {
            s = wy_cantilever_cost(&cpu, NULL, &cantilever_rows[i].run, err);
            best[i] = fmin(best[i], cpu);
        }
    }
    for (int i = 0; i < CASES && !s; i++) {
        const wy_bench_result r = {.name = cantilever_rows[i].name,
                                   .method = cantilever_rows[i].run.settings ? cantilever_rows[i].run.settings
                                                                             : cantilever_rows[i].run.method,
                                   .elements = cantilever_rows[i].run.elements,
                                   .step = cantilever_rows[i].run.dt,
                                   .cpu_s_per_sim_s = best[i],
                                   .error = error[i],
                                   .baseline = "literal scheme of the cantilever chapter, 40 points, 2 ms",
                                   .ratio = error[i] <= base_error ? base / best[i] : NAN};
        result(context, &r);
    }
    if (!s)
        result(context, &(wy_bench_result){.name = "literal scheme of the cantilever chapter",
                                           .method = literal_run.method,
                                           .elements = 39,
                                           .step = 2e-3,
                                           .cpu_s_per_sim_s = base,
                                           .error = base_error,
                                           .ratio = NAN});
    return s;
}

const wy_bench wy_bench_is_cantilever = {
    .entry = {.name = "cantilever", .doc = "The steel cantilever at errors 3e-3 to 1e-5 against its literal scheme."},
    .run = bench_cantilever_run,
};

/* One step of the literal scheme, against the time of its original: a fair baseline. */
static wy_status bench_literal_run(void (*result)(void *context, const wy_bench_result *result), void *context,
                                   wy_error *err) {
    double best = HUGE_VAL;
    wy_status s = WY_OK;
    for (int round = 0; round < 2 * ROUNDS && !s; round++) {
        double cpu;
        s = wy_cantilever_cost(&cpu, NULL, &literal_run, err);
        best = fmin(best, cpu);
    }
    if (!s)
        result(context,
               &(wy_bench_result){
                   .name = "one step of the literal scheme of the cantilever chapter, 40 points (CPU s per step)",
                   .method = literal_run.method,
                   .elements = 39,
                   .step = 2e-3,
                   .cpu_s_per_sim_s = best * literal_run.dt,
                   .error = NAN,
                   .baseline = "its original in C++, 105e-6 s",
                   .ratio = 105e-6 / (best * literal_run.dt)});
    return s;
}

const wy_bench wy_bench_is_literal = {
    .entry = {.name = "literal",
              .doc = "One step of the literal scheme of the cantilever chapter, against its original in C++."},
    .run = bench_literal_run,
};
