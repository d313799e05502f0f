/* A closed rod that has the twist that was asked for. On the way to its ends a rod passes through itself and loses two turns each time, which the
 * frames of its ends do not show; the ring that is twisted evenly has them all:
 *
 *   theta = 2 pi s,   alpha = tau s,   q = q_2(theta) q_3(alpha),   kappa = (2 pi sin alpha, 2 pi cos alpha, tau),   R P = 2 pi GJ tau e2.      (5.29)
 *
 * For a round rod that is straight at rest and does not shear this is an equilibrium; for others Newton starts there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum { D = WY_REST_DIM };

bool wy_equilibrium_is_ring(const wy_equilibrium *b, const beam_control *target) {
    double way[3];
    v3_sub(way, target->right.position, target->left.position);
    return b->model->pieces == 1 && v3_norm(way) < 1e-9 && wy_equilibrium_control_coaxial(b->model, target) &&
           b->model->elements <= 2000;
}

/* Whole turns by which Tw + Wr of the solution is off what was asked; a straight rod that is closed may take one from its twist. */
double wy_equilibrium_turns_off(const wy_equilibrium *b, double asked) {
    return (wy_equilibrium_link(b) - asked) / (2.0 * WY_PI);
}

static void put(double *y, const beam_model *m, const beam_control *target, double tau) {
    double q0[4], q[4], way[3];
    wy_equilibrium_end_target(q0, &target->left);
    for (size_t i = 0; i <= m->elements; i++, y += D) {
        const double theta = 2.0 * WY_PI * m->s[i], alpha = tau * m->s[i], c = wy_cos(alpha), s = wy_sin(alpha);
        const double bend[4] = {wy_cos(0.5 * theta), 0.0, wy_sin(0.5 * theta), 0.0},
                     turn[4] = {wy_cos(0.5 * alpha), 0.0, 0.0, wy_sin(0.5 * alpha)},
                     x[3] = {(1.0 - wy_cos(theta)) / (2.0 * WY_PI), 0.0, wy_sin(theta) / (2.0 * WY_PI)},
                     kappa[3] = {2.0 * WY_PI * s, 2.0 * WY_PI * c, tau};
        wy_quat_product(q, bend, turn);
        v3_set(y + WY_REST_P, 2.0 * WY_PI * m->CM[2] * tau * s, 2.0 * WY_PI * m->CM[2] * tau * c, 0.0);
        for (int k = 0; k < 3; k++)
            y[WY_REST_M + k] = m->CM[k] * (kappa[k] - m->kappa[k]);
        wy_quat_product(y + WY_REST_Q, q0, q);
        wy_quat_rotate(way, q0, x);
        v3_add(y + WY_REST_X, target->left.position, way);
    }
}

wy_status wy_equilibrium_ring(wy_equilibrium *b, const beam_control *target, double asked, wy_error *err) {
    beam_track *t = &b->track;
    for (int turn = 0; turn < 2; turn++) { /* as asked, or with one turn taken by the closing */
        const double tau = asked - (turn ? (asked < 0.0 ? -2.0 : 2.0) * WY_PI : 0.0);
        put(t->y, t->model, target, tau);
        put(b->y, b->model, target, tau);
        t->at = *target;
        double q[4], dot = 0.0;
        wy_equilibrium_end_target(q, &t->at.right);
        for (int k = 0; k < 4; k++)
            dot += q[k] * t->y[t->model->elements * D + (size_t)(WY_REST_Q + k)];
        if (!(dot > 0.999)) /* the sign, which the way to the ends has chosen, tells the two apart */
            continue;
        t->model->control = t->at;
        b->halved = b->line = false;
        /* on a ring that is twisted evenly the shift along itself is a spin about its clamp: one symmetry, not two */
        for (size_t most = WY_BVP_SYMMETRIES; most > 0; most--) {
            put(b->y, b->model, target, tau);
            b->model->most_symmetries = most;
            const wy_status s = wy_equilibrium_finish(b, err);
            b->model->most_symmetries = WY_BVP_SYMMETRIES;
            if (!s && fabs(wy_equilibrium_turns_off(b, tau)) < 0.05)
                return WY_OK;
            b->solved = false;
        }
    }
    return wy_fail(err, WY_NO_CONVERGENCE, "no ring that is twisted evenly leads to an equilibrium with this twist");
}
