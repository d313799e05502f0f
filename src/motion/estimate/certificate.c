/* How sure a run of a moving rod is of its answer: what is measured on the way. docs/math/certificate.md. */
#include "motion/estimate/certificate.h"

#include <math.h>
#include <string.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "rod/self_distance.h"

wy_status wy_certificate_open(wy_certificate *c, const wy_motion_definition *d, const wy_motion *rod,
                              const wy_motion_state *state, int64_t steps, double step, bool estimate, wy_error *err) {
    *c = (wy_certificate){.now.nearest = d->rod.length};
    wy_balance_open(&c->now.balance, (double)steps);
    wy_narrow_feature(c->unresolved_feature, sizeof c->unresolved_feature, rod);
    const wy_coarse_plan plan = {.steps = steps, .step = step};
    return estimate ? wy_coarse_runs_create(&c->coarse_runs, d, rod, state, &plan, err) : WY_OK;
}

void wy_certificate_close(wy_certificate *c) {
    wy_coarse_runs_free(c->coarse_runs);
    c->coarse_runs = NULL;
}

size_t wy_certificate_blocks(wy_checkpoint_block parts[WY_CERTIFICATE_BLOCKS], wy_certificate *c) {
    parts[0] = (wy_checkpoint_block){&c->now, sizeof c->now};
    if (!c->coarse_runs)
        return 1;
    wy_coarse_runs_blocks(parts + 1, c->coarse_runs);
    return 1 + WY_COARSE_BLOCKS;
}

/* A velocity v exp(i omega t) differs from the polynomial through its stages, taken at the start of the step, by
 * factor (omega dt)^power |v|: what is missed tells the frequency. (12.4) */
static void sample_steps(wy_certificate *c, const wy_motion *rod, const wy_motion_state *state, double kinetic) {
    wy_certificate_numbers *n = &c->now;
    if (!rod->method->resolution)
        return;
    wy_motion_resolution r = {0};
    rod->method->resolution(&r, rod, state->x);
    n->missed_kinetic += r.missed_kinetic;
    n->kinetic += kinetic;
    n->local = fmax(n->local, r.local);
    n->stabilisation = r.stabilisation;
    n->stabilisation_at = r.stabilisation_at;
    n->unresolved = n->kinetic > 0.0 ? fmin(1.0, n->missed_kinetic / n->kinetic) : 0.0;
    const double turn = wy_pow(sqrt(n->unresolved) / r.factor, 1.0 / r.power);
    n->steps_per_period = turn > 0.0 ? fmin(1e6, 2.0 * WY_PI / turn) : 0.0;
}

void wy_certificate_step(wy_certificate *c, const wy_motion *rod, const wy_motion_state *state, double dt,
                         double kinetic, bool last) {
    wy_certificate_numbers *n = &c->now;
    n->step = dt;
    sample_steps(c, rod, state, kinetic);
    wy_balance_step(&n->balance, rod, state, dt);
    if (c->coarse_runs)
        wy_coarse_runs_step(NULL, c->coarse_runs, rod, state, dt, last);
}

/* What the coarse runs show so far. */
static void collect(wy_certificate *c) {
    wy_certificate_numbers *n = &c->now;
    wy_estimated_error e;
    if (!c->coarse_runs || !wy_coarse_runs_read(&e, c->coarse_runs))
        return;
    n->shape = e.shape.all;
    n->reaction = e.reaction.all;
    n->moment = e.moment.all;
    n->moments = e.moment;
    n->reaction_step = e.reaction_step;
    n->space = e.space;
    n->time = e.time;
    n->trusted = e.trusted;
    n->order = e.order;
}

/* At so many points of each element that a curve between them does not matter, a few hundred in all. */
static void sample_self_distance(wy_certificate *c, const wy_motion *rod, const wy_motion_state *state) {
    enum { EACH = 4, MOST = 400 };
    const size_t wanted = EACH * rod->elements, count = wanted < MOST ? wanted : MOST;
    const double spacing = rod->def.length / (double)count;
    double x[3 * (MOST + 1)], arc[MOST + 1], distance, s[2] = {0.0, 0.0};
    if (!rod->method->position_at)
        return;
    for (size_t i = 0; i <= count; i++) {
        arc[i] = (double)i * spacing;
        rod->method->position_at(x + 3 * i, rod, state->x, arc[i]);
    }
    if (!wy_self_distance(&distance, s, x, 3, arc, count + 1, rod->def.section.diameter) || distance >= c->now.nearest)
        return;
    c->now.nearest = distance;
    c->now.near_at[0] = s[0];
    c->now.near_at[1] = s[1];
    c->now.near_time = wy_motion_time(state);
}

/* Where turns are held: the layer in which a rod in tension bends there. */
static void sample_end_layers(wy_certificate_numbers *n, const wy_motion *rod, const double *wrench) {
    for (int end = 0; end < 2; end++) {
        const size_t e = end ? rod->elements - 1 : 0;
        const double T = wrench[6 * e + 5], *K = rod->stiffness + 6 * e;
        if (!(rod->constraint[end].components & 56U) || !(T > 0.0))
            continue;
        const double layer = wy_bending_layer(fmin(K[0], K[1]), T);
        n->layer[end] = n->layer[end] > 0.0 ? fmin(n->layer[end], layer) : layer;
    }
}

void wy_certificate_sample(wy_certificate *c, const wy_motion *rod, const wy_motion_state *state, const double *strain,
                           const double *wrench) {
    wy_certificate_numbers *n = &c->now;
    collect(c);
    /* where it is nearest to itself the rod is square to the shortest way, or ends: in between it has turned by pi
     * (12.17). Elements may turn more inside than from joint to joint */
    const double fewest = 2.0;
    double bend = 0.0;
    for (size_t e = 0; e < rod->elements; e++)
        bend += wy_motion_element(rod, e) * sqrt(strain[6 * e] * strain[6 * e] + strain[6 * e + 1] * strain[6 * e + 1]);
    if (bend > fewest)
        sample_self_distance(c, rod, state);
    for (size_t e = 0; e < rod->elements; e++) {
        const double h = wy_motion_element(rod, e), *K = rod->stiffness + 6 * e;
        wy_resolution_add(&n->resolution, h, wy_motion_middle(rod, e), h * v3_norm(strain + 6 * e), fmin(K[0], K[1]),
                          wrench[6 * e + 5]);
    }
    sample_end_layers(n, rod, wrench);
}
