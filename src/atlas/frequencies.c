/* Natural frequencies about the equilibrium at which a continuation begins, as `withy modes` computes them. */
#include "atlas/atlas.h"

#include <math.h>

#include <withy/branch.h>

wy_status wy_sight_frequencies(double *frequencies, size_t count, const wy_sight *sight, wy_error *err) {
    const wy_channel *channels;
    wy_frames_channels(&channels, sight->frames);
    const double *start = wy_sight_frame(sight, channels[0].name, 0, NULL, err);
    if (!start)
        return err->status;
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_rod_definition rod;
    wy_beam_solver *solver = NULL;
    const wy_beam_method method = wy_beam_method_default();
    wy_status s = wy_branch_scenario_rod(&rod, wy_scenario_config(sight->scenario), start[0], arena, err);
    if (!s)
        s = wy_beam_solver_create(&solver, &rod, &method, err);
    if (!s)
        s = wy_beam_solve(solver, WY_BRANCH_DIRECT, 1, err);
    if (!s) {
        wy_beam_modes modes = {.eigenvalues = frequencies};
        s = wy_beam_vibrations(&modes, count, solver, err);
    }
    for (size_t i = 0; i < count && !s; i++) /* omega^2 to Hz; what is unstable gets a minus */
        frequencies[i] = copysign(sqrt(fabs(frequencies[i])) / (2.0 * WY_ATLAS_PI), frequencies[i]);
    wy_beam_solver_free(solver);
    wy_arena_free(arena);
    return s;
}
