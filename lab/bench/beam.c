/* A boundary-value problem: the clamped rod of `002`, twisted by pi and shortened by 0.4, by collocation of order 6 and
 * by shooting with the integrators of the thesis at 200 steps, as in its tables.
 *
 * Cold: from the unstressed rod, with the continuation, which is the same for all. Warm: one more point of a branch,
 * from xi = 0.4 to 0.42, and back. Errors are those of the shape at {pi, 0.4}, against collocation with 400
 * elements. */
#include <math.h>
#include <time.h>

#include <withy/bench.h>

#include "study/thesis_beam.h"

enum { ROUNDS = 5, WARM = 3 };

typedef struct beam_solver {
    const char *name, *method; /* method NULL: collocation */
    size_t steps;
} beam_solver;

/* The last two are withy's: each baseline is compared with the first of them that is at least as accurate. */
static const beam_solver beam_solvers[] = {
    {"shooting, implicit midpoint, 200 steps", "IM", 200},
    {"shooting, Kahan, 200 steps", "KM", 200},
    {"shooting, RK4, 200 steps", "RK4", 200},
    {"shooting, Gauss 4, 200 steps", "GL4", 200},
    {"collocation of order 6, 10 elements", NULL, 10},
    {"collocation of order 6, 50 elements", NULL, 50},
};
enum { ALL = sizeof beam_solvers / sizeof *beam_solvers, FIRST_OURS = ALL - 2 };

static wy_status solve_cold(double *cpu, wy_equilibrium **solver, const beam_solver *c, wy_error *err) {
    const clock_t from = clock();
    const wy_status s = wy_thesis_beam_solve(solver, WY_PI, 0.4, c->method, c->steps, WY_BRANCH_MAIN, err);
    *cpu = (double)(clock() - from) / CLOCKS_PER_SEC;
    return s;
}

static wy_status solve_warm(double *cpu, wy_equilibrium *solver, wy_error *err) {
    wy_end_coaxial last[2];
    const wy_rod_definition there = wy_thesis_beam(&last[0], WY_PI, 0.42), back = wy_thesis_beam(&last[1], WY_PI, 0.4);
    wy_status s = WY_OK;
    const clock_t from = clock();
    for (int i = 0; i < WARM && !s; i++) {
        s = wy_equilibrium_continue(solver, &there, err);
        if (!s)
            s = wy_equilibrium_continue(solver, &back, err);
    }
    *cpu = (double)(clock() - from) / CLOCKS_PER_SEC / (2 * WARM);
    return s;
}

static wy_status bench_beam_run(void (*result)(void *context, const wy_bench_result *result), void *context,
                                wy_error *err) {
    static const char *const sorts[2] = {"twisted rod of the thesis, cold start (CPU s per solution)",
                                         "twisted rod of the thesis, one more point of a branch (CPU s per solution)"};
    double best[2][ALL], error[ALL];
    wy_equilibrium *reference;
    wy_status s = wy_thesis_beam_solve(&reference, WY_PI, 0.4, NULL, 400, WY_BRANCH_MAIN, err);
    if (s)
        return s;
    for (int i = 0; i < ALL; i++)
        best[0][i] = best[1][i] = HUGE_VAL;
    for (int round = 0; round < ROUNDS && !s; round++)
        for (int i = 0; i < ALL && !s; i++) {
            double cpu;
            wy_equilibrium *solver;
            s = solve_cold(&cpu, &solver, &beam_solvers[i], err);
            if (s)
                break;
            best[0][i] = fmin(best[0][i], cpu);
            error[i] = wy_thesis_beam_distance(solver, reference);
            s = solve_warm(&cpu, solver, err);
            best[1][i] = fmin(best[1][i], cpu);
            wy_equilibrium_free(solver);
        }
    wy_equilibrium_free(reference);
    for (int sort = 0; sort < 2 && !s; sort++)
        for (int i = 0; i < FIRST_OURS; i++) {
            int ours = FIRST_OURS;
            while (ours < ALL - 1 && error[ours] > error[i])
                ours++;
            result(context,
                   &(wy_bench_result){.name = sorts[sort],
                                      .method = beam_solvers[ours].name,
                                      .elements = (int64_t)beam_solvers[ours].steps,
                                      .step = NAN,
                                      .cpu_s_per_sim_s = best[sort][ours],
                                      .error = error[ours],
                                      .baseline = beam_solvers[i].name,
                                      .ratio = error[ours] <= error[i] ? best[sort][i] / best[sort][ours] : NAN});
            result(context, &(wy_bench_result){.name = "  its baseline",
                                               .method = beam_solvers[i].name,
                                               .elements = (int64_t)beam_solvers[i].steps,
                                               .step = NAN,
                                               .cpu_s_per_sim_s = best[sort][i],
                                               .error = error[i],
                                               .ratio = NAN});
        }
    return s;
}

const wy_bench wy_bench_is_beam = {
    .entry = {.name = "beam",
              .doc = "The twisted clamped rod of the thesis: collocation against shooting with its integrators."},
    .run = bench_beam_run,
};
