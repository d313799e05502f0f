/* Many rods on one core: one model and one workspace, a state for each rod, stepped in turn. Shows the cost of a step
 * when the state has left the cache. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <withy/bench.h>

#include "study/cantilever.h"

enum { ROUNDS = 3, SIZES = 4, MOST = 10000, STEPS = 20000 /* of all rods together, in a round */ };

static wy_status step_rods_in_turn(double *cpu, const wy_cantilever *c, wy_motion_state **states, int rods, double dt,
                                   wy_error *err) {
    wy_status s = WY_OK;
    *cpu = HUGE_VAL;
    for (int round = 0; round < ROUNDS && !s; round++) {
        const clock_t from = clock();
        for (int n = 0; n < STEPS / rods && !s; n++)
            for (int i = 0; i < rods && !s; i++)
                s = wy_motion_step(c->rod, states[i], c->work, dt, err);
        *cpu = fmin(*cpu, (double)(clock() - from) / CLOCKS_PER_SEC * 1.0 / dt / STEPS);
    }
    return s;
}

static wy_status bench_many_rods_run(void (*result)(void *context, const wy_bench_result *result), void *context,
                                     wy_error *err) {
    static const char settings[] = "degree=2 stages=1 tolerance=1e-3";
    static const char *const names[SIZES] = {"1 rod", "100 rods, each", "1000 rods, each", "10000 rods, each"};
    static const int sizes[SIZES] = {1, 100, 1000, MOST};
    const wy_cantilever_run one = {.method = "gauss-director", .settings = settings, .elements = 3, .dt = 1e-3};
    wy_cantilever c;
    wy_motion_state **states = calloc(MOST, sizeof(wy_motion_state *));
    wy_status s = wy_cantilever_open(&c, &one, err);
    if (!s && !states)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %d rods", MOST);
    double first = NAN;
    int made = 0;
    for (int k = 0; k < SIZES && !s; k++) {
        for (; made < sizes[k] && !s; made++) {
            s = wy_motion_state_create(&states[made], c.rod, err);
            if (!s)
                s = wy_motion_start(c.rod, states[made], c.work, err);
        }
        double cpu;
        if (!s)
            s = step_rods_in_turn(&cpu, &c, states, sizes[k], one.dt, err);
        if (s)
            break;
        first = k == 0 ? cpu : first;
        result(context, &(wy_bench_result){.name = names[k],
                                           .method = settings,
                                           .elements = one.elements,
                                           .step = one.dt,
                                           .cpu_s_per_sim_s = cpu,
                                           .error = NAN,
                                           .baseline = k ? "1 rod" : NULL,
                                           .ratio = k ? first / cpu : NAN});
    }
    for (int i = 0; i < made; i++)
        wy_motion_state_free(states[i]);
    free(states);
    wy_cantilever_close(&c);
    return s;
}

const wy_bench wy_bench_is_many_rods = {
    .entry = {.name = "many-rods", .doc = "Up to 10000 steel cantilevers of one model stepped in turn on one core."},
    .run = bench_many_rods_run,
};
