/* The equilibrium of a static scenario, solved again as its run solves it, for results that its channels do not
 * have. */
#include "atlas/atlas.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"

/* Reads `answer` from the solver at the equilibrium. */
typedef void equilibrium_query(void *answer, const wy_equilibrium *solver);

static wy_status query_equilibrium(void *answer, equilibrium_query *q, const wy_case_run *case_run, wy_error *err) {
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_equilibrium *solver = NULL;
    wy_equilibrium_request request;
    wy_status s = wy_scenario_equilibrium(&request, case_run->scenario, 0.0, NULL, arena, err);
    if (!s)
        s = wy_equilibrium_create(&solver, &request.rod, &request.method, err);
    if (!s)
        s = wy_equilibrium_solve(solver, request.branch, request.mode, err);
    if (!s)
        q(answer, solver);
    wy_equilibrium_free(solver);
    wy_arena_free(arena);
    return s;
}

static void copy_statistics(void *answer, const wy_equilibrium *solver) {
    *(wy_equilibrium_stats *)answer = *wy_equilibrium_statistics(solver);
}

static void count_negative_directions(void *answer, const wy_equilibrium *solver) {
    *(double *)answer = (double)wy_equilibrium_negative_directions(solver);
}

static void read_link(void *answer, const wy_equilibrium *solver) {
    *(double *)answer = wy_equilibrium_link(solver) / (2.0 * WY_PI);
}

wy_status wy_case_statistics(wy_equilibrium_stats *stats, const wy_case_run *case_run, wy_error *err) {
    return query_equilibrium(stats, copy_statistics, case_run, err);
}

wy_status wy_case_negative_directions(double *directions, const wy_case_run *case_run, wy_error *err) {
    return query_equilibrium(directions, count_negative_directions, case_run, err);
}

wy_status wy_case_link(double *turns, const wy_case_run *case_run, wy_error *err) {
    return query_equilibrium(turns, read_link, case_run, err);
}
