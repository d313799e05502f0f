/* The shaft: cost of a step per element, from 10 to a million elements. A ratio of about 1 means linear cost. */
#include <math.h>
#include <time.h>

#include <withy/bench.h>
#include <withy/shaft.h>

enum { ROUNDS = 5, SIZES = 6 };

static wy_status shaft_cost_per_element(double *cpu, int64_t elements, wy_error *err) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.elements = elements;
    c.compliance = 1e-3;
    const wy_shaft_input in[2] = {{.torque = 1.0}, {.torque = -0.3}};
    const int64_t steps = elements >= 100000 ? 10000000 / elements : 2000000 / elements;
    wy_shaft *shaft = NULL;
    wy_shaft_state *state = NULL;
    wy_shaft_solver *solver = NULL;
    *cpu = HUGE_VAL;
    wy_status s = wy_shaft_create(&shaft, &c, err);
    if (!s)
        s = wy_shaft_state_create(&state, shaft, err);
    if (!s)
        s = wy_shaft_solver_create(&solver, shaft, err);
    for (int round = 0; round < ROUNDS && !s; round++) {
        const clock_t from = clock();
        for (int64_t n = 0; n < steps && !s; n++)
            s = wy_shaft_step(shaft, state, solver, 0.01, in, err);
        *cpu = fmin(*cpu, (double)(clock() - from) / CLOCKS_PER_SEC / (double)(steps * elements));
    }
    wy_shaft_solver_free(solver);
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
    return s;
}

static wy_status bench_shaft_run(void (*result)(void *context, const wy_bench_result *result), void *context,
                                 wy_error *err) {
    double first = NAN;
    int64_t elements = 10;
    wy_status s = WY_OK;
    for (int i = 0; i < SIZES && !s; i++, elements *= 10) {
        double cpu;
        s = shaft_cost_per_element(&cpu, elements, err);
        first = i == 0 ? cpu : first;
        if (!s)
            result(context, &(wy_bench_result){.name = "shaft (CPU s per element and step)",
                                               .method = "spook",
                                               .elements = elements,
                                               .step = 0.01,
                                               .cpu_s_per_sim_s = cpu,
                                               .error = NAN,
                                               .baseline = i ? "10 elements" : NULL,
                                               .ratio = i ? first / cpu : NAN});
    }
    return s;
}

const wy_bench wy_bench_is_shaft = {
    .entry = {.name = "shaft", .doc = "A step of the torsional shaft by element, 10 to a million elements."},
    .run = bench_shaft_run,
};
