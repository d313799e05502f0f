/* Natural frequencies about the equilibrium at which a continuation starts, as `withy modes` computes them. */
#include "atlas/atlas.h"

#include <math.h>

#include <withy/branches.h>

/* Solves the equilibrium at which the continuation starts. Free *solver, also after a failure. */
static wy_status solve_start_equilibrium(wy_equilibrium **solver, const wy_case_run *case_run, wy_error *err) {
    *solver = NULL;
    const wy_channel *channels;
    wy_frames_channels(&channels, case_run->frames);
    const double *start = wy_case_frame(case_run, channels[0].name, 0, NULL, err);
    if (!start)
        return err->status;
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_equilibrium_request request;
    wy_status s = wy_scenario_equilibrium(&request, case_run->scenario, start[0], NULL, arena, err);
    if (!s)
        s = wy_equilibrium_create(solver, &request.rod, NULL, err);
    if (!s)
        s = wy_equilibrium_solve(*solver, WY_BRANCH_DIRECT, 1, err);
    wy_arena_free(arena);
    return s;
}

/* The number of elements of the mesh with halved elements. `withy modes` halves its mesh until the error is small
 * enough; here the mesh of each level is halved once. */
static size_t halved_elements(const wy_equilibrium *solver) {
    return 2 * (wy_equilibrium_nodes(solver) - 1);
}

wy_status wy_case_damped_frequencies(double *frequencies, double *errors, double *dampings, size_t count,
                                     const wy_case_run *case_run, wy_error *err) {
    wy_equilibrium *solver;
    wy_mode_table *table = NULL;
    wy_status s = solve_start_equilibrium(&solver, case_run, err);
    if (!s)
        s = wy_equilibrium_modes_find(&table, count, 1.0, halved_elements(solver), solver, err);
    for (size_t i = 0; i < count && !s; i++) { /* omega^2 to Hz; negative for an unstable mode */
        const bool there = i < table->count;
        const double square = there ? table->eigenvalues[i] : NAN;
        frequencies[i] = copysign(sqrt(fabs(square)) / (2.0 * WY_PI), square);
        errors[i] = there ? 0.5 * fabs(table->errors[i] / square * frequencies[i]) : NAN;
        if (dampings)
            dampings[i] = there ? table->damping[i] : NAN;
    }
    wy_mode_table_free(table);
    wy_equilibrium_free(solver);
    return s;
}

wy_status wy_case_frequencies(double *frequencies, double *errors, size_t count, const wy_case_run *case_run,
                              wy_error *err) {
    return wy_case_damped_frequencies(frequencies, errors, NULL, count, case_run, err);
}

wy_status wy_case_frequency_response(double answer[6], double errors[3], double frequency,
                                     const wy_equilibrium_excitation *shake, const wy_case_run *case_run,
                                     wy_error *err) {
    wy_equilibrium *solver;
    double force_at, response_at;
    wy_status s = solve_start_equilibrium(&solver, case_run, err);
    if (!s)
        s = wy_equilibrium_frequency_response(answer, errors, &force_at, &response_at, &frequency, 1, shake, 1.0,
                                              halved_elements(solver), solver, err);
    wy_equilibrium_free(solver);
    return s;
}
