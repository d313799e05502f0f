/* Whether what holds a rod in motion fits the loads on it and its momentum. docs/math/certificate.md, "Balance".
 *
 * Over two steps of the length h, from t0 to t2, about a fixed point,
 *
 *   P(t2) - P(t0) = int (F_0 + F_L) dt + int f dt,      the same for moments and the angular momentum          (12.16)
 *
 * The steps keep this by construction with the loads as their elements see them. Here f is integrated along the rod
 * by another, finer rule, and in time by Simpson's. */
#include "motion/estimate/balance.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

void wy_balance_open(wy_balance *b, double steps) {
    const double most = 24.0,
                 shortest = 40.0; /* checks of a run, and steps between them: one check costs about as much as a step */
    *b = (wy_balance){.interval = fmax(shortest, steps / most), .wait = 2.0, .taken = -1.0};
}

static void widen_range(double *most, const double a[3]) {
    *most = fmax(*most, v3_norm(a));
}

/* The impulse of what holds the ends during a step, its moment about the fixed point. */
static void add_held(wy_balance *b, const wy_motion *rod, const wy_motion_state *state, double dt) {
    for (int e = 0; e < 2; e++) {
        double force[3], moment[3], p[3], arm[3];
        if (!rod->constraint[e].components)
            continue;
        rod->method->reaction(force, moment, rod, state->x, e);
        rod->method->position_at(p, rod, state->x, e ? rod->def.length : 0.0);
        for (int c = 0; c < 3; c++)
            arm[c] = 0.5 * (p[c] + b->end[e][c]) - b->about[c];
        v3_copy(b->end[e], p);
        widen_range(&b->force_most, force);
        widen_range(&b->moment_most, moment);
        v3_cross(p, arm, force);
        v3_add(moment, moment, p);
        v3_axpy(b->held, b->held, dt, force);
        v3_axpy(b->held + 3, b->held + 3, dt, moment);
    }
}

static bool add_acting(double out[6], wy_balance *b, const wy_motion *rod, const wy_motion_state *state) {
    const bool known = rod->method->acting(out, out + 3, rod, state->x, b->about);
    widen_range(&b->force_most, out);
    widen_range(&b->moment_most, out + 3);
    return known;
}

/* The angular momentum about the fixed point. */
static void momenta(double linear[3], double angular[3], const wy_balance *b, const wy_motion *rod,
                    const wy_motion_state *state) {
    double moved[3];
    wy_motion_momenta(linear, angular, rod, state);
    v3_cross(moved, b->about, linear);
    v3_sub(angular, angular, moved);
}

static bool begin(wy_balance *b, const wy_motion *rod, const wy_motion_state *state) {
    b->begin = wy_motion_time(state);
    b->step = 0.0;
    memset(b->held, 0, sizeof b->held);
    for (int e = 0; e < 2; e++)
        rod->method->position_at(b->end[e], rod, state->x, e ? rod->def.length : 0.0);
    v3_copy(b->about, b->end[0]);
    momenta(b->linear, b->angular, b, rod, state);
    return add_acting(b->acting[0], b, rod, state);
}

static void conclude(wy_balance *b, const wy_motion *rod, const wy_motion_state *state) {
    double now[6], miss[6];
    const double h = b->step, least = 0.1 * rod->def.length; /* of forces, for moments: they have an arm */
    momenta(miss, miss + 3, b, rod, state);
    v3_sub(miss, miss, b->linear);
    v3_sub(miss + 3, miss + 3, b->angular);
    add_acting(now, b, rod, state);
    for (int c = 0; c < 6; c++)
        miss[c] = (miss[c] - b->held[c] - h / 3.0 * (b->acting[0][c] + 4.0 * b->acting[1][c] + now[c])) / (2.0 * h);
    double bent[6]; /* what Simpson's rule may be off where loads ring from step to step: the second difference */
    for (int c = 0; c < 6; c++)
        bent[c] = b->acting[0][c] - 2.0 * b->acting[1][c] + now[c];
    const double missed[2] = {fmax(0.0, v3_norm(miss) - v3_norm(bent)),
                              fmax(0.0, v3_norm(miss + 3) - v3_norm(bent + 3))};
    b->checks += 1.0;
    b->force_sum += missed[0] * missed[0];
    b->moment_sum += missed[1] * missed[1];
    /* forces of round-off, of strains or momentum, are none */
    const double L = rod->def.length, *K = rod->stiffness, none = fmax(1e-9 * fmin(K[0], K[1]) / (L * L), 1e-12 * K[5]),
                 force = fmax(b->force_most, fmax(none, 1e-10 * v3_norm(b->linear) / h)),
                 moment = fmax(b->moment_most, least * force);
    b->force = force > 0.0 ? sqrt(b->force_sum / b->checks) / force : 0.0;
    b->moment = moment > 0.0 ? sqrt(b->moment_sum / b->checks) / moment : 0.0;
}

/* Whether something breaks from the time `from` to `until`, both included. */
static bool breaks(const wy_motion *rod, double from, double until, double dt) {
    return wy_motion_next_break(rod, from - WY_STEP_SLIVER * dt) <= until + WY_STEP_SLIVER * dt;
}

void wy_balance_step(wy_balance *b, const wy_motion *rod, const wy_motion_state *state, double dt) {
    const wy_motion_method *method = rod->method;
    const double t = wy_motion_time(state);
    if (!method->acting || !method->reaction || !method->position_at || !method->momenta)
        return;
    if (b->taken >= 0.0) {
        /* Simpson's rule is for equal steps without breaks */
        const bool good = (b->taken == 0.0 || fabs(dt - b->step) <= 1e-6 * dt) && !breaks(rod, b->begin, t, dt);
        add_held(b, rod, state, dt);
        if (good && b->taken == 0.0) {
            b->step = dt;
            b->taken = 1.0;
            add_acting(b->acting[1], b, rod, state);
            return;
        }
        if (good)
            conclude(b, rod, state);
        b->taken = -1.0;
        b->wait = good ? b->interval : 1.0;
    }
    b->wait -= 1.0;
    if (b->wait <= 0.0 && !breaks(rod, t, t + 2.0 * dt, dt))
        b->taken = begin(b, rod, state) ? 0.0 : -1.0;
}
