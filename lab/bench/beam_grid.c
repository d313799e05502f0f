/* The 25 rods of the grid of `002`, figures 4.12-4.17, twisted by 0 to pi and shortened by 0 to 0.8, each from the
 * unstressed rod: collocation against shooting with the implicit midpoint of the thesis at its 200 steps. The error is
 * the largest error of a shape, against collocation with 100 elements. */
#include <math.h>
#include <time.h>

#include <withy/bench.h>

#include "study/thesis_beam.h"

enum { ROUNDS = 2, CELLS = 25, ALL = 3 };

static const struct {
    const char *name, *method;
    size_t steps;
} grid_solvers[ALL] = {
    {"shooting, implicit midpoint, 200 steps", "IM", 200},
    {"collocation of order 6, 20 elements", NULL, 20},
    {"collocation of order 6, 50 elements", NULL, 50},
};

static wy_status solve_grid_cell(wy_equilibrium **solver, int k, const char *method, size_t steps, wy_error *err) {
    const int twist = k % 5, shortening = k / 5;
    return wy_thesis_beam_solve(solver, 0.25 * twist * WY_PI, 0.2 * shortening, method, steps, WY_BRANCH_MAIN, err);
}

static wy_status bench_beam_grid_run(void (*result)(void *context, const wy_bench_result *result), void *context,
                                     wy_error *err) {
    double total[ALL] = {0.0}, error[ALL] = {0.0};
    wy_status s = WY_OK;
    for (int k = 0; k < CELLS && !s; k++) {
        wy_equilibrium *reference, *solver;
        double best[ALL] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        s = solve_grid_cell(&reference, k, NULL, 100, err);
        if (s)
            break;
        for (int round = 0; round < ROUNDS && !s; round++)
            for (int i = 0; i < ALL && !s; i++) {
                const clock_t from = clock();
                s = solve_grid_cell(&solver, k, grid_solvers[i].method, grid_solvers[i].steps, err);
                if (s)
                    break;
                best[i] = fmin(best[i], (double)(clock() - from) / CLOCKS_PER_SEC);
                error[i] = fmax(error[i], wy_thesis_beam_distance(solver, reference));
                wy_equilibrium_free(solver);
            }
        for (int i = 0; i < ALL; i++)
            total[i] += best[i];
        wy_equilibrium_free(reference);
    }
    for (int i = 0; i < ALL && !s; i++)
        result(context, &(wy_bench_result){.name = i ? "grid of 25 rods of the thesis (CPU s for all, from cold)"
                                                     : "grid of 25 rods of the thesis, as the thesis does it",
                                           .method = grid_solvers[i].name,
                                           .elements = (int64_t)grid_solvers[i].steps,
                                           .step = NAN,
                                           .cpu_s_per_sim_s = total[i],
                                           .error = error[i],
                                           .baseline = i ? grid_solvers[0].name : NULL,
                                           .ratio = i && error[i] <= error[0] ? total[0] / total[i] : NAN});
    return s;
}

const wy_bench wy_bench_is_beam_grid = {
    .entry = {.name = "beam-grid",
              .doc = "The 25 twisted and shortened rods of the thesis, each from the unstressed rod."},
    .run = bench_beam_grid_run,
};
