/* A moving rod and rest: reactions of its ends, how far from rest it is, and the static start of methods without
 * statics. */
#include <stdlib.h>
#include <string.h>

#include <withy/motion.h>
#include <withy/rod.h>

#include "base/given.h"
#include "base/memory.h"
#include "motion/motion_internal.h"

wy_status wy_motion_reaction(double force[3], double moment[3], const wy_motion *rod, const wy_motion_state *state,
                             wy_motion_work *work, int end, wy_error *err) {
    WY_GIVEN(force && moment && rod && state && work, err);
    (void)work;
    if (!rod->method->reaction)
        return wy_fail(err, WY_UNSUPPORTED, "reactions are not known for the method '%s': use 'gauss-director'",
                       rod->method->entry.name);
    rod->method->reaction(force, moment, rod, state->x, end);
    return WY_OK;
}

wy_status wy_motion_distance_from_rest(wy_motion_residual_norms *residual_norms, const wy_motion *rod,
                                       const wy_motion_state *state, wy_motion_work *work, wy_error *err) {
    WY_GIVEN(residual_norms && rod && state && work, err);
    if (!rod->method->residual_norms)
        return wy_fail(err, WY_UNSUPPORTED,
                       "the distance from rest is not known for the method '%s': use 'gauss-director'",
                       rod->method->entry.name);
    rod->method->residual_norms(residual_norms, rod, state->x, work->x);
    return WY_OK;
}

wy_status wy_motion_seek_equilibrium(wy_motion *rod, wy_error *err) {
    const wy_motion_definition d = {
        .rod = rod->def, .start = rod->start, .method.entry = wy_catalogue_find(&wy_motion_methods, "gauss-director")};
    wy_motion *resting = NULL;
    wy_motion_state *state = NULL;
    wy_motion_work *work = NULL;
    double *q = wy_memory_take(rod->nodes, 4 * sizeof *q, err, "the poses of %zu nodes", rod->nodes);
    wy_status s = q ? wy_motion_create(&resting, &d, err) : WY_NO_MEMORY;
    if (!s)
        s = wy_motion_state_create(&state, resting, err);
    if (!s)
        s = wy_motion_work_create(&work, resting, err);
    if (!s)
        s = wy_motion_start(resting, state, work, err);
    if (!s)
        wy_motion_read(resting, state, &(wy_motion_view){.position = rod->start_p, .orientation = q});
    for (size_t j = 0; j < rod->nodes && !s; j++)
        wy_directors_from_quat(rod->start_D + 9 * j, q + 4 * j);
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    wy_motion_free(resting);
    free(q);
    return s;
}
