/* Benchmarks: what a simulated second costs, and by which factor that beats a baseline run in the same call. Times are
 * CPU times of one thread, the best of several rounds in which the cases and their baselines take turns, so that a
 * ratio survives a busy machine. */
#ifndef WITHY_BENCH_H
#define WITHY_BENCH_H

#include <withy/param.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One measured case. Strings live as long as the program. */
typedef struct wy_bench_result {
    const char *name, *method; /* method with its settings */
    int64_t elements;
    double step;            /* s */
    double cpu_s_per_sim_s; /* CPU seconds for one simulated second; for cases counted per step, see the name */
    double error;           /* relative, or NaN where a case has none */
    double drift;         /* of the energy's balance over the run, against the largest energy; 0: none, or not asked */
    const char *baseline; /* what it is compared with, or NULL */
    bool published;       /* a number from elsewhere, shown beside the measured ones */
    double ratio;         /* baseline's time / ours, ours being no less accurate; NaN without a baseline */
    double asked;         /* the ratio that was asked for at this error; 0: none */
} wy_bench_result;

/* A benchmark hands its results over one by one. */
typedef struct wy_bench {
    wy_entry entry;
    wy_status (*run)(void (*result)(void *context, const wy_bench_result *result), void *context, wy_error *err);
} wy_bench;

/* All benchmarks, for `withy bench`. */
extern WY_API const wy_catalogue wy_benches;

#ifdef __cplusplus
}
#endif

#endif
