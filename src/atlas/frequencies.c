/* Natural frequencies about the equilibrium at which a continuation begins, as `withy modes` computes them. */
#include "atlas/atlas.h"

#include <math.h>

#include <withy/branches.h>

/* `withy modes` cuts its mesh in two until it is sure; here the mesh of each level is cut once, whatever comes out. */
static wy_status find(double *frequencies, double *errors, size_t count, wy_equilibrium *solver, wy_error *err) {
    wy_mode_table *table;
    const wy_status s =
        wy_equilibrium_modes_find(&table, count, 1.0, 2 * (wy_equilibrium_nodes(solver) - 1), solver, err);
    if (s)
        return s;
    for (size_t i = 0; i < count; i++) { /* omega^2 to Hz; what is unstable gets a minus */
        const double square = i < table->count ? table->eigenvalues[i] : NAN;
        frequencies[i] = copysign(sqrt(fabs(square)) / (2.0 * WY_PI), square);
        errors[i] = i < table->count ? 0.5 * fabs(table->errors[i] / square * frequencies[i]) : NAN;
    }
    wy_mode_table_free(table);
    return WY_OK;
}

wy_status wy_sight_frequencies(double *frequencies, double *errors, size_t count, const wy_sight *sight,
                               wy_error *err) {
    const wy_channel *channels;
    wy_frames_channels(&channels, sight->frames);
    const double *start = wy_sight_frame(sight, channels[0].name, 0, NULL, err);
    if (!start)
        return err->status;
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_rod_definition rod;
    wy_equilibrium *solver = NULL;
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    wy_status s = wy_branch_scenario_rod(&rod, wy_scenario_config(sight->scenario), start[0], arena, err);
    if (!s)
        s = wy_equilibrium_create(&solver, &rod, &method, err);
    if (!s)
        s = wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, err);
    if (!s)
        s = find(frequencies, errors, count, solver, err);
    wy_equilibrium_free(solver);
    wy_arena_free(arena);
    return s;
}
