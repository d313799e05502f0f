/* A moving rod that starts from a static solution. */
#include <string.h>

#include <withy/branch.h>
#include <withy/rotation.h>

#include "math/vec3.h"
#include "rod/director_method.h"
#include "rod/rod_internal.h"

wy_status wy_rod_create_from_states(wy_rod **rod, const wy_rod_definition *definition, const double *states, wy_error *err) {
    wy_rod_definition d = *definition;
    const double *first = states;
    v3_copy(d.position, first + WY_BEAM_X);
    memcpy(d.orientation, first + WY_BEAM_Q, sizeof d.orientation);
    d.equilibrium = false;
    const wy_status s = wy_rod_create(rod, &d, err);
    if (s)
        return s;
    for (size_t i = 0; i < (*rod)->nodes; i++) {
        double q[4];
        wy_quat_normalize(q, states + i * WY_BEAM_DIM + WY_BEAM_Q);
        wy_directors_from_quat((*rod)->start_D + 9 * i, q);
        v3_copy((*rod)->start_p + 3 * i, states + i * WY_BEAM_DIM + WY_BEAM_X);
    }
    return WY_OK;
}

wy_status wy_rod_reaction(double force[3], double moment[3], const wy_rod *rod, const wy_rod_state *state, wy_rod_work *work,
                          int end, wy_error *err) {
    if (strcmp(rod->method->entry.name, "exact-energy") != 0)
        return wy_fail(err, WY_UNSUPPORTED, "reactions are known for the method exact-energy, not for %s", rod->method->entry.name);
    wy_director_work w = wy_director_work_of(work->x, rod);
    const wy_director_problem f = {.rod = rod, .head = state->x, .x = wy_director_state_of(state->x, rod->nodes),
                                   .t = state->x[WY_STATE_TIME], .half = 1.0, .scale = 1.0};
    memcpy(w.p1, f.x.p, 3 * rod->nodes * sizeof *w.p1);
    memcpy(w.p1_low, f.x.p_low, 3 * rod->nodes * sizeof *w.p1);
    memcpy(w.D1, f.x.D, 9 * rod->nodes * sizeof *w.D1);
    wy_director_assemble(&f, &w, WY_TANGENT_NONE, true);
    const double *r = w.r + 6 * (end ? rod->nodes - 1 : 0);
    v3_scale(force, 1.0 / rod->h, r); /* the residual is scaled */
    v3_copy(moment, r + 3);
    return WY_OK;
}
