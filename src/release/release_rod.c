/* The rod definition of the motion after a release. */
#include <string.h>

#include "equilibrium/equilibrium_solver.h"
#include "release/release.h"

static bool is_straight_at(const wy_rod_definition *d, double s, int side) {
    double xi[6];
    wy_rod_reference_at(xi, d, s, side);
    for (int i = 0; i < 6; i++)
        if (xi[i] != (i == 5 ? 1.0 : 0.0))
            return false;
    return true;
}

wy_status wy_release_prepare(wy_release *r, wy_error *err) {
    const equilibrium_model *m = r->solver->model;
    wy_motion_definition *moving = &r->definition;
    wy_rod_definition *d = &moving->rod;
    const wy_rod_definition given = wy_equilibrium_rod_given(m->rod);
    wy_status s = wy_rod_definition_copy(d, &given, r->arena, NULL, err);
    if (s)
        return s;
    d->elements = r->options.elements;
    moving->method =
        (wy_choice){.entry = wy_catalogue_find(&wy_motion_methods, "gauss-director"), .config = &r->method};
    s = wy_params_defaults(moving->method.entry->params, &r->method, r->arena, err);
    if (s)
        return s;
    r->method.dissipative = true; /* dissipative stages damp modes that the step does not resolve */
    d->damping = (wy_choice){0};  /* viscosity of the material would only delay the approach to rest */
    memset(d->viscosity, 0, sizeof d->viscosity);
    memcpy(d->position, m->rod->pose_target[0].x, sizeof d->position);
    memcpy(d->orientation, m->rod->pose_target[0].q, sizeof d->orientation);
    bool straight = true;
    for (size_t i = 0; i < m->pieces; i++)
        straight = straight && is_straight_at(d, m->breaks_si[i], 1) && is_straight_at(d, m->breaks_si[i + 1], -1);
    r->round = m->round && straight;
    r->uniform = m->uniform && straight;
    return WY_OK;
}
