/* The equilibrium of a static scenario, found once more as its run finds it: for what its solver says of it beside its channels. */
#include "atlas/atlas.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"

/* What it is asked. */
typedef void question(void *answer, const wy_equilibrium *solver);

static wy_status ask(void *answer, question *q, const wy_case_run *case_run, wy_error *err) {
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_equilibrium *solver = NULL;
    wy_rod_definition rod;
    wy_equilibrium_method method;
    int branch, mode;
    const void *config = wy_scenario_config(case_run->scenario);
    wy_status s = wy_static_scenario_rod(&rod, &branch, &mode, config, 0.0, arena, err);
    wy_equilibrium_method_init(&method);
    wy_static_scenario_method(&method, config);
    if (!s)
        s = wy_equilibrium_create(&solver, &rod, &method, err);
    if (!s)
        s = wy_equilibrium_solve(solver, branch, mode, err);
    if (!s)
        q(answer, solver);
    wy_equilibrium_free(solver);
    wy_arena_free(arena);
    return s;
}

static void statistics(void *answer, const wy_equilibrium *solver) {
    *(wy_equilibrium_stats *)answer = *wy_equilibrium_statistics(solver);
}

static void directions_down(void *answer, const wy_equilibrium *solver) {
    *(double *)answer = (double)wy_equilibrium_negative_directions(solver);
}

static void turns_along(void *answer, const wy_equilibrium *solver) {
    *(double *)answer = wy_equilibrium_link(solver) / (2.0 * WY_PI);
}

wy_status wy_case_statistics(wy_equilibrium_stats *stats, const wy_case_run *case_run, wy_error *err) {
    return ask(stats, statistics, case_run, err);
}

wy_status wy_case_negative_directions(double *directions, const wy_case_run *case_run, wy_error *err) {
    return ask(directions, directions_down, case_run, err);
}

wy_status wy_case_link(double *turns, const wy_case_run *case_run, wy_error *err) {
    return ask(turns, turns_along, case_run, err);
}
