/* Cost of one step: Newton per element and iteration, the soft rod of `000`, and the distribution of the times of a
 * million steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <withy/bench.h>

#include "math/constants.h"
#include "study/cantilever.h"
#include "study/round_section.h"

typedef void results(void *context, const wy_bench_result *result);

/* ---- Newton ---- */

/* CPU seconds per element and iteration. */
static wy_status newton_cost_per_iteration(double *cpu, const wy_cantilever_run *run, wy_error *err) {
    *cpu = HUGE_VAL;
    wy_cantilever c;
    wy_status s = wy_cantilever_open(&c, run, err);
    const int steps = run->elements > 20000 ? 2 : run->elements > 2000 ? 20 : 20000 / run->elements;
    for (int round = 0; round < 5 && !s; round++) {
        wy_motion_stats before, after;
        wy_motion_statistics(&before, c.state);
        const clock_t from = clock();
        for (int n = 0; n < steps && !s; n++)
            s = wy_motion_step(c.rod, c.state, c.work, run->dt, err);
        const double time = (double)(clock() - from) / CLOCKS_PER_SEC;
        wy_motion_statistics(&after, c.state);
        const double count = (double)(after.iterations - before.iterations) * run->elements;
        if (!s && count > 0.0)
            *cpu = fmin(*cpu, time / count);
    }
    wy_cantilever_close(&c);
    return s;
}

static wy_status bench_newton_run(results *result, void *context, wy_error *err) {
    enum { SIZES = 4 };
    static const char *const names[2][SIZES] = {
        {"degree 2, 1 stage, 10 elements (CPU s per element and iteration)", "degree 2, 1 stage, 100 elements",
         "degree 2, 1 stage, 1000 elements", "degree 2, 1 stage, 10000 elements"},
        {"degree 3, 2 stages, 10 elements (CPU s per element and iteration)", "degree 3, 2 stages, 100 elements",
         "degree 3, 2 stages, 1000 elements", "degree 3, 2 stages, 10000 elements"}};
    wy_status s = WY_OK;
    for (int kind = 0; kind < 2 && !s; kind++) {
        double first = NAN;
        int elements = 10;
        for (int i = 0; i < SIZES && !s; i++, elements *= 10) {
            const wy_cantilever_run run = {.method = "gauss-director",
                                           .elements = elements,
                                           .dt = 1e-6,
                                           .settings = kind ? "degree=3 stages=2 tolerance=1e-9"
                                                            : "degree=2 stages=1 tolerance=1e-9"};
            double cpu;
            s = newton_cost_per_iteration(&cpu, &run, err);
            first = i == 0 ? cpu : first;
            if (!s)
                result(context, &(wy_bench_result){.name = names[kind][i],
                                                   .method = run.settings,
                                                   .elements = elements,
                                                   .step = run.dt,
                                                   .cpu_s_per_sim_s = cpu,
                                                   .error = NAN,
                                                   .baseline = "10 elements",
                                                   .ratio = first / cpu});
        }
    }
    return s;
}

const wy_bench wy_bench_is_newton = {
    .entry = {.name = "newton", .doc = "Newton by element and iteration, 10 to 10000 elements of degree 2 and 3."},
    .run = bench_newton_run,
};

/* ---- the soft rod ---- */

typedef struct soft_rod {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
} soft_rod;

static wy_status run_soft_rod(double *cpu, double tip[3], const char *method, const char *settings, int elements,
                              double dt, wy_error *err) {
    const wy_shape_constant arc = {{0.0, WY_PI / 4.0 / 0.1, 0.0, 0.0, 0.0, 1.0}};
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.1;
    d.rod.elements = elements;
    d.rod.section = wy_soft_rod_section();
    d.start.shape = (wy_choice){wy_catalogue_find(&wy_shapes, "constant"), &arc};
    *cpu = HUGE_VAL;
    memset(tip, 0, 3 * sizeof *tip);
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a benchmark");
    soft_rod b = {0};
    wy_status s = wy_cantilever_method(&d.method, method, settings, arena, err);
    if (!s)
        s = wy_motion_create(&b.rod, &d, err);
    if (!s)
        s = wy_motion_state_create(&b.state, b.rod, err);
    if (!s)
        s = wy_motion_work_create(&b.work, b.rod, err);
    if (!s)
        s = wy_motion_start(b.rod, b.state, b.work, err);
    const clock_t from = clock();
    for (int n = 0; n < (int)(1.0 / dt + 0.5) && !s; n++)
        s = wy_motion_step(b.rod, b.state, b.work, dt, err);
    *cpu = (double)(clock() - from) / CLOCKS_PER_SEC;
    if (!s) {
        double p[3 * WY_CANTILEVER_NODES];
        wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = p});
        memcpy(tip, p + 3 * (size_t)elements, 3 * sizeof *tip);
    }
    wy_motion_work_free(b.work);
    wy_motion_state_free(b.state);
    wy_motion_free(b.rod);
    wy_arena_free(arena);
    return s;
}

/* The tip after one second: the rod of `000` released from an arc. Errors are against a run of degree 5 and order 6. */
static wy_status bench_soft_rod_run(results *result, void *context, wy_error *err) {
    static const char exact[] = "degree=5 stages=3", fast[] = "degree=2 stages=2 tolerance=1e-4";
    double truth[3], tip[2][3], cpu, best[2] = {HUGE_VAL, HUGE_VAL}, error[2] = {0.0, 0.0};
    wy_status s = run_soft_rod(&cpu, truth, "gauss-director", exact, 6, 5e-4, err);
    for (int round = 0; round < 5 && !s; round++) {
        s = run_soft_rod(&cpu, tip[0], "gauss-director", NULL, 20, 1e-3, err);
        best[0] = fmin(best[0], cpu);
        if (!s)
            s = run_soft_rod(&cpu, tip[1], "gauss-director", fast, 3, 2.5e-3, err);
        best[1] = fmin(best[1], cpu);
    }
    for (int i = 0; i < 2 && !s; i++) {
        for (int k = 0; k < 3; k++)
            error[i] += (tip[i][k] - truth[k]) * (tip[i][k] - truth[k]);
        error[i] = sqrt(error[i]) / 0.1;
    }
    if (s)
        return s;
    result(context, &(wy_bench_result){.name = "soft rod of the free-rod tutorial, tutorial settings",
                                       .method = "gauss-director",
                                       .elements = 20,
                                       .step = 1e-3,
                                       .cpu_s_per_sim_s = best[0],
                                       .error = error[0],
                                       .ratio = NAN});
    result(context, &(wy_bench_result){.name = "soft rod of the free-rod tutorial, settings for 0.3 mm",
                                       .method = fast,
                                       .elements = 3,
                                       .step = 2.5e-3,
                                       .cpu_s_per_sim_s = best[1],
                                       .error = error[1],
                                       .baseline = "tutorial settings, 20 elements",
                                       .ratio = best[0] / best[1]});
    return WY_OK;
}

const wy_bench wy_bench_is_soft_rod = {
    .entry =
        {.name = "soft-rod",
         .doc = "The soft rod of the free-rod tutorial released from an arc: tutorial settings, settings for 0.3 mm."},
    .run = bench_soft_rod_run,
};

/* ---- real time ---- */

static double wall_seconds(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A million steps of 1 ms with at most eight iterations in an attempt: the fraction of steps above each time. Wall
 * time, with whatever else the machine does: the last rows show the operating system more than the rod. */
static wy_status bench_real_time_run(results *result, void *context, wy_error *err) {
    enum { STEPS = 1000000, BINS = 8 };
    static const double limit[BINS] = {5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3};
    static const char *const names[BINS] = {"fraction of steps above 5 us (of 1e6, wall time)",
                                            "fraction of steps above 10 us",
                                            "fraction of steps above 20 us",
                                            "fraction of steps above 50 us",
                                            "fraction of steps above 100 us",
                                            "fraction of steps above 200 us",
                                            "fraction of steps above 500 us",
                                            "deadline misses: fraction of steps above 1 ms"};
    static const char settings[] = "degree=2 stages=1 tolerance=1e-3 max_iterations=8 halvings=0 exact_only=true";
    const wy_cantilever_run run = {.method = "gauss-director",
                                   .settings = settings,
                                   .elements = 3,
                                   .dt = 1e-3,
                                   .viscosity = {1e-5, 1e-5, 1e-5, 0.0, 0.0, 0.0}};
    wy_cantilever c;
    wy_status s = wy_cantilever_open(&c, &run, err);
    long above[BINS] = {0};
    double worst = 0.0, total = 0.0;
    int64_t done = 0, most = 0;
    for (long n = 0; n < STEPS && !s; n++) {
        if (n % 5000 == 0) { /* a changed force keeps the rod in motion */
            const double f[3] = {n / 5000 % 2 ? 0.05 : -0.05, n / 10000 % 2 ? 0.05 : 0.0, 0.0},
                         none[3] = {0.0, 0.0, 0.0};
            s = wy_motion_push(c.rod, c.state, 1, f, none, err);
            if (s)
                break;
        }
        const double from = wall_seconds();
        s = wy_motion_step(c.rod, c.state, c.work, run.dt, err);
        const double took = wall_seconds() - from;
        wy_motion_stats stats;
        wy_motion_statistics(&stats, c.state);
        most = stats.iterations - done > most ? stats.iterations - done : most;
        done = stats.iterations;
        worst = fmax(worst, took);
        total += took;
        for (int i = 0; i < BINS; i++)
            above[i] += took > limit[i];
    }
    wy_cantilever_close(&c);
    if (s)
        return s;
    result(context, &(wy_bench_result){.name = "mean step of the 1 kHz loop (s)",
                                       .method = settings,
                                       .elements = 3,
                                       .step = 1e-3,
                                       .cpu_s_per_sim_s = total / STEPS,
                                       .error = NAN,
                                       .baseline = "1 ms",
                                       .ratio = 1e-3 * STEPS / total});
    result(context, &(wy_bench_result){.name = "worst step of the 1 kHz loop (s)",
                                       .method = settings,
                                       .elements = 3,
                                       .step = 1e-3,
                                       .cpu_s_per_sim_s = worst,
                                       .error = NAN,
                                       .baseline = "1 ms",
                                       .ratio = 1e-3 / worst});
    result(context, &(wy_bench_result){.name = "iterations in the step with most of them (a count; at most 16)",
                                       .method = settings,
                                       .elements = 3,
                                       .step = 1e-3,
                                       .cpu_s_per_sim_s = (double)most,
                                       .error = NAN,
                                       .ratio = NAN});
    for (int i = 0; i < BINS; i++)
        result(context, &(wy_bench_result){.name = names[i],
                                           .method = settings,
                                           .elements = 3,
                                           .step = 1e-3,
                                           .cpu_s_per_sim_s = (double)above[i] / STEPS,
                                           .error = NAN,
                                           .ratio = NAN});
    return WY_OK;
}

const wy_bench wy_bench_is_real_time = {
    .entry = {.name = "real-time",
              .doc = "A million steps of a 1 kHz loop with a bound on the iterations: their times."},
    .run = bench_real_time_run,
};
