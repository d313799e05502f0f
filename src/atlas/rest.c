/* The equilibrium of a static scenario, found once more as its run finds it: for what its solver says of it beside its channels. */
#include "atlas/atlas.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"

typedef struct rest {
    wy_arena *arena;
    wy_equilibrium *solver;
} rest;

static void leave(rest *r) {
    wy_equilibrium_free(r->solver);
    wy_arena_free(r->arena);
}

/* To be left where that succeeds. */
static wy_status find(rest *r, const wy_sight *sight, wy_error *err) {
    *r = (rest){.arena = wy_arena_create()};
    if (!r->arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_rod_definition rod;
    wy_equilibrium_method method;
    int branch, mode;
    const void *config = wy_scenario_config(sight->scenario);
    wy_status s = wy_static_scenario_rod(&rod, &branch, &mode, config, 0.0, r->arena, err);
    wy_equilibrium_method_init(&method);
    wy_static_scenario_method(&method, config);
    if (!s)
        s = wy_equilibrium_create(&r->solver, &rod, &method, err);
    if (!s)
        s = wy_equilibrium_solve(r->solver, branch, mode, err);
    if (s)
        leave(r);
    return s;
}

wy_status wy_sight_statistics(wy_equilibrium_stats *stats, const wy_sight *sight, wy_error *err) {
    rest r;
    const wy_status s = find(&r, sight, err);
    if (s)
        return s;
    *stats = *wy_equilibrium_statistics(r.solver);
    leave(&r);
    return WY_OK;
}

wy_status wy_sight_directions(double *directions, const wy_sight *sight, wy_error *err) {
    rest r;
    const wy_status s = find(&r, sight, err);
    if (s)
        return s;
    *directions = (double)wy_equilibrium_negative_directions(r.solver);
    leave(&r);
    return WY_OK;
}

wy_status wy_sight_turns(double *turns, const wy_sight *sight, wy_error *err) {
    rest r;
    const wy_status s = find(&r, sight, err);
    if (s)
        return s;
    *turns = wy_equilibrium_link(r.solver) / (2.0 * WY_PI);
    leave(&r);
    return WY_OK;
}
