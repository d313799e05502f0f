/* The equilibrium of a static scenario, found once more as its run finds it: for what its solver says of it beside its channels. */
#include "atlas/atlas.h"

wy_status wy_sight_statistics(wy_equilibrium_stats *stats, const wy_sight *sight, wy_error *err) {
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_equilibrium *solver = NULL;
    wy_rod_definition rod;
    wy_equilibrium_method method;
    int branch, mode;
    const void *config = wy_scenario_config(sight->scenario);
    wy_status s = wy_static_scenario_rod(&rod, &branch, &mode, config, 0.0, arena, err);
    wy_equilibrium_method_init(&method);
    wy_static_scenario_method(&method, config);
    if (!s)
        s = wy_equilibrium_create(&solver, &rod, &method, err);
    if (!s)
        s = wy_equilibrium_solve(solver, branch, mode, err);
    if (!s)
        *stats = *wy_equilibrium_statistics(solver);
    wy_equilibrium_free(solver);
    wy_arena_free(arena);
    return s;
}
