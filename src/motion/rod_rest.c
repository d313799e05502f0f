/* What a moving rod is at rest: reactions of its ends, and how far from rest it is. */
#include <math.h>
#include <string.h>

#include <withy/rod.h>

#include "math/vec3.h"
#include "motion/exact_energy/director_method.h"
#include "motion/rod_internal.h"

/* Half a step back: p - u/2, cay(-theta/2 ...) D of the last step. */
static void half_way_back(wy_director_work *w, const wy_director_state *x, size_t nodes) {
    for (size_t i = 0; i < 3 * nodes; i++)
        w->p1_low[i] -= 0.5 * x->u[i];
    for (size_t j = 0; j < nodes; j++) {
        const double *theta = x->theta + 3 * j;
        double back[3]; /* theta is twice the tangent of half the angle: so is this, of half that angle */
        v3_scale(back, -1.0 / (1.0 + sqrt(1.0 + 0.25 * v3_dot(theta, theta))), theta);
        wy_directors_cayley(w->D1 + 9 * j, back, x->D + 9 * j);
    }
}

/* The residual of statics at the present shape, or in the middle of the last step, into w.r (forces times h), the stress into
 * w.sigma. */
static wy_status statics(wy_director_work *w, const wy_rod *rod, const wy_rod_state *state, wy_rod_work *work,
                         bool reactions, bool middle, const char *what, wy_error *err) {
    if (!(rod->method->takes & WY_KNOWS_REST))
        return wy_fail(err, WY_UNSUPPORTED, "%s not known for the method '%s': use 'gauss-director'", what,
                       rod->method->entry.name);
    *w = wy_director_work_of(work->x, rod);
    const wy_director_problem f = {.rod = rod,
                                   .head = state->x,
                                   .x = wy_director_state_of(state->x, rod->nodes),
                                   .t = state->x[WY_STATE_TIME],
                                   .half = 1.0,
                                   .scale = 1.0};
    memcpy(w->p1, f.x.p, 3 * rod->nodes * sizeof *w->p1);
    memcpy(w->p1_low, f.x.p_low, 3 * rod->nodes * sizeof *w->p1);
    memcpy(w->D1, f.x.D, 9 * rod->nodes * sizeof *w->D1);
    if (middle && *f.x.dt != 0.0)
        half_way_back(w, &f.x, rod->nodes);
    wy_director_assemble(&f, w, WY_TANGENT_NONE, reactions);
    return WY_OK;
}

wy_status wy_rod_reaction(double force[3], double moment[3], const wy_rod *rod, const wy_rod_state *state,
                          wy_rod_work *work, int end, wy_error *err) {
    wy_director_work w;
    if (rod->method->reaction) {
        rod->method->reaction(force, moment, rod, state->x, end);
        return WY_OK;
    }
    const wy_status s = statics(&w, rod, state, work, true, false, "reactions are", err);
    if (s)
        return s;
    const double *r = w.r + 6 * (end ? rod->nodes - 1 : 0);
    v3_scale(force, 1.0 / rod->h, r); /* the residual is scaled */
    v3_copy(moment, r + 3);
    return WY_OK;
}

/* Kinetic energy of the mean velocity over the last step, or of the velocity where there was none. Modes that are far faster
 * than the step keep a part that changes its sign from step to step, in the velocities and (less and less, the stiffer they
 * are) in the shape: in the middle of the step it is not there. Hence both measures of rest are taken there. */
static double mean_kinetic(const wy_rod *rod, const wy_rod_state *state) {
    const wy_director_state x = wy_director_state_of(state->x, rod->nodes);
    const double dt = *x.dt;
    if (dt == 0.0) {
        wy_rod_energy energy;
        wy_rod_energies(&energy, rod, state);
        return energy.kinetic;
    }
    double sum = 0.0;
    for (size_t j = 0; j < rod->nodes; j++) {
        const double *u = x.u + 3 * j, *theta = x.theta + 3 * j;
        double E[3], part = rod->inertia[6 * j + 5] * v3_dot(u, u);
        wy_director_moments(E, rod->inertia + 6 * j);
        for (int k = 0; k < 3; k++) {
            double turn[3];
            v3_cross(turn, theta, x.D + 9 * j + 3 * k);
            part += E[k] * v3_dot(turn, turn);
        }
        sum += 0.5 * rod->share[j] * part / (dt * dt);
    }
    return sum;
}

wy_status wy_rod_distance_from_rest(wy_rod_unrest *unrest, const wy_rod *rod, const wy_rod_state *state,
                                    wy_rod_work *work, wy_error *err) {
    wy_director_work w;
    if (rod->method->unrest) {
        rod->method->unrest(unrest, rod, state->x, work->x);
        return WY_OK;
    }
    const wy_status s = statics(&w, rod, state, work, false, true, "the distance from rest is", err);
    if (s)
        return s;
    const double L = rod->def.length;
    double scale = 1e-3 * rod->stiffness[0] / (L * L), sum = 0.0;
    for (size_t e = 0; e < rod->elements; e++)
        scale = fmax(scale, fmax(v3_norm(w.sigma + 6 * e) / L, v3_norm(w.sigma + 6 * e + 3)));
    for (size_t j = 0; j < rod->nodes; j++)
        sum += v3_norm(w.r + 6 * j) / rod->h + v3_norm(w.r + 6 * j + 3) / L;
    *unrest = (wy_rod_unrest){
        .scale = scale, .imbalance = sum / scale, .motion = sqrt(mean_kinetic(rod, state) / (scale * L))};
    return WY_OK;
}
