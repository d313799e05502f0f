/* Benchmarks: the cost of a simulated second, and its ratio to a baseline run in the same call. Times are CPU times
 * of one thread, the best of several rounds in which cases and baselines alternate, so that ratios are robust on a
 * busy machine. */
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
    double error;           /* relative; NaN: not available */
    /* of the energy balance over the run, relative to the largest energy; 0: none, or not measured */
    double drift;
    const char *baseline; /* name of the baseline, or NULL */
    bool published;       /* a published number, not measured */
    double ratio;         /* time of the baseline / time of the case at no less accuracy; NaN without a baseline */
    double asked;         /* the required ratio at this error; 0: none */
} wy_bench_result;

/* A benchmark passes its results to `result` one by one. */
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
