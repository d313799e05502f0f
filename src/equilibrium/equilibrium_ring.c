/* A closed rod with the requested twist. On its homotopy path a rod may pass through itself and lose two turns each
 * time, which the frames of its ends do not show. The uniformly twisted ring has all turns:
 *
 *   theta = 2 pi s,   alpha = tau s + psi,   q = q_3(-psi) q_2(theta) q_3(alpha),
 *   kappa = (2 pi sin alpha, 2 pi cos alpha, tau),   R P = 2 pi M3 e2.                                          (5.29)
 *
 * For a round rod without reference curvature and shear this is an equilibrium, for any psi. A rod with a reference
 * curvature or another section is reached from there: its reference curvature and the difference of its rigidities
 * grow from zero, by continuation in arc length past the folds. If the frames of the two ends differ, psi is where
 * the energy has its extremes to first order: the middle of the rod bent as its reference, or opposite to it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "solve/homotopy.h"

enum { D = WY_STATIC_DIM };

bool wy_equilibrium_is_ring(const wy_equilibrium *b, const equilibrium_control *target) {
    double gap[3];
    v3_sub(gap, target->right.position, target->left.position);
    return b->model->pieces == 1 && v3_norm(gap) < 1e-9 && wy_equilibrium_control_coaxial(b->model, target) &&
           b->model->elements <= 2000;
}

static void put_ring(double *y, const equilibrium_model *m, const equilibrium_control *target, double tau, double psi) {
    double q0[4], q[4], turned[3];
    wy_equilibrium_end_target(q0, &target->left);
    if (psi != 0.0) {
        const double back[4] = {wy_cos(0.5 * psi), 0.0, 0.0, -wy_sin(0.5 * psi)};
        wy_quat_product(q0, q0, back);
    }
    for (size_t i = 0; i <= m->elements; i++, y += D) {
        const double theta = 2.0 * WY_PI * m->s[i], alpha = tau * m->s[i] + psi, c = wy_cos(alpha), s = wy_sin(alpha);
        const double bend[4] = {wy_cos(0.5 * theta), 0.0, wy_sin(0.5 * theta), 0.0},
                     turn[4] = {wy_cos(0.5 * alpha), 0.0, 0.0, wy_sin(0.5 * alpha)},
                     x[3] = {(1.0 - wy_cos(theta)) / (2.0 * WY_PI), 0.0, wy_sin(theta) / (2.0 * WY_PI)},
                     kappa[3] = {2.0 * WY_PI * s, 2.0 * WY_PI * c, tau};
        const equilibrium_coefficients at =
            wy_equilibrium_model_coefficients(m, m->s[i], i < m->elements ? i : i - 1, y);
        for (int k = 0; k < 3; k++)
            y[WY_STATIC_M + k] = (kappa[k] - at.kappa[k]) / at.inv_CM[k];
        const double force = 2.0 * WY_PI * y[WY_STATIC_M + 2];
        v3_set(y + WY_STATIC_P, force * s, force * c, 0.0);
        wy_quat_product(q, bend, turn);
        wy_quat_product(y + WY_STATIC_Q, q0, q);
        wy_quat_rotate(turned, q0, x);
        v3_add(y + WY_STATIC_X, target->left.position, turned);
    }
}

/* ---- from the round, straight rod to this one ---- */

typedef struct ring_path {
    wy_equilibrium *b;
    equilibrium_model *m, before, after; /* the rod at a slightly smaller and larger ring_homotopy */
    wy_bvp_solver *solver;
    size_t n;
    bool round; /* of the model */
    bool spun;  /* at ring_homotopy 0 the ring has a spin, which is not the same as a shift along itself */
    double *y, *t, *trial, *row, slope, like; /* point, direction, next point, new direction; of ring_homotopy */
} ring_path;

/* Weight of a change of a component, squared; that of the homotopy parameter is 1. */
static double ring_weight(const ring_path *w, size_t i) {
    const double one = i % D < WY_STATIC_M ? 1.0 / 40.0 : i % D < WY_STATIC_Q ? 1.0 / 6.0 : 1.0;
    return one * one / (double)(w->m->elements + 1);
}

static void set_ring_homotopy(ring_path *w, double like) {
    w->m->ring_homotopy = like;
    w->m->round = w->round || (w->spun && like == 0.0);
    w->before = w->after = *w->m;
    w->before.before = w->before.after = w->after.before = w->after.after = NULL;
    w->before.ring_homotopy = like - 1e-4;
    w->after.ring_homotopy = like + 1e-4;
    w->m->before = &w->before;
    w->m->after = &w->after;
    w->m->span = 2e-4;
}

/* Newton from (trial, like) to the solution at `length` along the direction from (y, w->like); with `still` at this
 * value of the homotopy parameter. The new direction is written to row. */
static bool correct_ring(ring_path *w, double *like, double *slope, double length, bool still) {
    double before = INFINITY;
    set_ring_homotopy(w, *like);
    wy_collocation_begin(w->solver, w->trial);
    for (int it = 0; it < 14; it++) {
        double rhs = length - (still ? 0.0 : w->slope * (*like - w->like));
        for (size_t i = 0; i < w->n; i++) {
            w->row[i] = still ? 0.0 : ring_weight(w, i) * w->t[i];
            rhs -= w->row[i] * (w->trial[i] - w->y[i]);
        }
        wy_closed closed;
        wy_bvp_stats stats = {0};
        if (wy_collocation_close(w->solver, w->trial, w->row, still ? 1.0 : w->slope, still ? 0.0 : rhs, &closed,
                                 &stats, NULL))
            return false;
        const double cut = closed.length > 3.0 ? 3.0 / closed.length : 1.0;
        w->b->stats.total_iterations++;
        wy_collocation_advance(w->solver, cut, w->trial, &closed);
        *like += cut * closed.dlambda[WY_CLOSED_STEP];
        if (!isfinite(closed.length) || !isfinite(*like) || (it > 3 && closed.length > 4.0 * before))
            return false;
        if (closed.length < 1e-8 || (closed.length < 1e-6 && closed.length > 0.5 * before)) {
            double norm = closed.dlambda[WY_CLOSED_TANGENT] * closed.dlambda[WY_CLOSED_TANGENT];
            for (size_t i = 0; i < w->n; i++) {
                w->row[i] = closed.dy[i * WY_CLOSED + WY_CLOSED_TANGENT];
                norm += ring_weight(w, i) * w->row[i] * w->row[i];
            }
            norm = sqrt(norm);
            for (size_t i = 0; i < w->n; i++)
                w->row[i] /= norm;
            *slope = closed.dlambda[WY_CLOSED_TANGENT] / norm;
            return true;
        }
        before = closed.length;
        set_ring_homotopy(w, *like);
    }
    return false;
}

/* A step of arc from the last good point; one that goes twice as far, or turns by more than acos 0.7, has left it. */
static wy_status correct_ring_step(void *path, wy_homotopy_step *k, wy_error *err) {
    ring_path *w = path;
    const int64_t all = w->b->stats.total_iterations;
    double like = k->lambda, slope = 0.0, far = 0.0, turn;
    for (size_t i = 0; i < w->n; i++)
        w->trial[i] = w->y[i] + k->length * w->t[i];
    const bool found = correct_ring(w, &like, &slope, k->still ? 0.0 : k->length, k->still);
    k->iterations = w->b->stats.total_iterations - all;
    turn = w->slope * slope;
    for (size_t i = 0; i < w->n && found; i++) {
        far += ring_weight(w, i) * (w->trial[i] - w->y[i]) * (w->trial[i] - w->y[i]);
        turn += ring_weight(w, i) * w->row[i] * w->t[i];
    }
    if (!found || sqrt(far) > 2.0 * k->length || (!k->still && turn < 0.7))
        return wy_fail(err, WY_NO_CONVERGENCE, "Newton left the path");
    k->lambda = like;
    k->slope = slope;
    k->alignment = turn;
    return WY_OK;
}

static void save_ring(void *path, const wy_homotopy_step *k) {
    ring_path *w = path;
    memcpy(w->y, w->trial, w->n * sizeof *w->y);
    memcpy(w->t, w->row, w->n * sizeof *w->t);
    w->like = k->lambda;
    w->slope = k->slope;
    w->b->stats.points++;
}

/* Continuation to the parameter 1; that point is left in y. At -1 the reference curvature is reversed, which is this
 * rod with its frames rotated by half a turn. */
static wy_status continue_ring(ring_path *w, wy_error *err) {
    const wy_homotopy_step start = {.slope = 0.0};
    w->like = 0.0;
    memcpy(w->trial, w->y, w->n * sizeof *w->y);
    double slope;
    if (!correct_ring(w, &w->like, &slope, 0.0, true))
        return wy_fail(err, WY_NO_CONVERGENCE, "the uniformly twisted ring is no equilibrium of the round rod");
    save_ring(w, &start);
    w->slope = slope;
    wy_homotopy h = {.problem = w,
                     .correct = correct_ring_step,
                     .save = save_ring,
                     .stop = w->b->method.stop,
                     .stop_context = w->b->method.stop_context,
                     .steps = WY_STEPS_OF_ARC,
                     .to = 1.0,
                     .back = -1.0,
                     .ends_both_sides = true,
                     .first = 0.05,
                     .least = 1e-5,
                     .largest = 0.3,
                     .easy = 4,
                     .most = 400,
                     .slope = slope};
    const wy_status s = wy_homotopy_follow(&h, err);
    if (!s && h.reached < 0.0)
        wy_equilibrium_spin(w->y, w->n / D, WY_PI);
    return s;
}

/* Continues the ring of the round and straight rod on the homotopy to the ring of the rod. */
static wy_status continue_ring_to_rod(wy_equilibrium *b, wy_error *err) {
    equilibrium_homotopy *t = &b->homotopy;
    ring_path w = {.b = b, .m = t->model, .round = t->model->round, .n = (t->model->elements + 1) * D};
    double *scratch = malloc(4 * w.n * sizeof *scratch);
    if (!scratch)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", w.n / D);
    w.y = scratch;
    w.t = scratch + w.n;
    w.trial = scratch + 2 * w.n;
    w.row = scratch + 3 * w.n;
    memcpy(w.y, t->y, w.n * sizeof *w.y);
    w.spun = !wy_equilibrium_is_closed(w.m, &t->at);
    set_ring_homotopy(&w, 0.0);
    const wy_bvp bvp = wy_equilibrium_model_bvp(w.m);
    wy_status s = wy_collocation_create(&w.solver, &bvp, 6, err);
    if (!s)
        s = continue_ring(&w, err);
    memcpy(t->y, w.y, w.n * sizeof *w.y);
    wy_bvp_solver_free(w.solver);
    w.m->before = w.m->after = NULL;
    w.m->ring_homotopy = 1.0;
    w.m->round = w.round;
    free(scratch);
    return s;
}

/* Newton with the requested method from the homotopy's ring; true if the solution has the twist tau. */
static bool finish_ring(wy_equilibrium *b, const equilibrium_control *target, double tau, bool simple) {
    /* on a uniformly twisted ring the shift along itself is a spin about its clamp: one symmetry, not two */
    for (size_t most = WY_BVP_SYMMETRIES; most > 0; most--) {
        if (simple)
            put_ring(b->y, b->model, target, tau, 0.0);
        else
            wy_equilibrium_interpolate(b);
        b->model->most_symmetries = most;
        const wy_status s = wy_equilibrium_finish(b, NULL);
        b->model->most_symmetries = WY_BVP_SYMMETRIES;
        if (!s) {
            const ring_link turns = wy_equilibrium_ring_link(b, tau);
            if (fabs(turns.link - tau) < WY_PI && turns.crossings == 0.0)
                return true;
        }
        b->solved = false;
    }
    return false;
}

wy_status wy_equilibrium_ring(wy_equilibrium *b, const equilibrium_control *target, double asked, wy_error *err) {
    equilibrium_homotopy *t = &b->homotopy;
    const equilibrium_model *m = t->model;
    const bool simple = m->straight && m->CM[0] == m->CM[1];
    const double bent = simple ? 0.0 : wy_atan2(m->kappa[0], m->kappa[1]), turn = (asked < 0.0 ? -2.0 : 2.0) * WY_PI;
    for (int trial = 0; trial < (simple ? 3 : 6); trial++) {
        /* as requested, or with one turn removed by the closing, or added */
        const double tau = asked + (trial % 3 == 0   ? 0.0
                                    : trial % 3 == 1 ? -turn
                                                     : turn),
                     psi = simple ? 0.0 : bent - 0.5 * tau + (trial < 3 ? 0.0 : WY_PI);
        if (!simple)
            t->model->ring_homotopy = 0.0;
        put_ring(t->y, t->model, target, tau, psi);
        t->model->ring_homotopy = 1.0;
        t->at = *target;
        double q[4], dot = 0.0;
        wy_equilibrium_end_target(q, &t->at.right);
        for (int k = 0; k < 4; k++)
            dot += q[k] * t->y[t->model->elements * D + (size_t)(WY_STATIC_Q + k)];
        if (!(dot > 0.999)) /* the sign, which the path has chosen, distinguishes odd from even turns */
            continue;
        t->model->control = t->at;
        b->found_by_symmetry = b->cable = false;
        const wy_status s = simple ? WY_OK : continue_ring_to_rod(b, err);
        if ((s && s != WY_NO_CONVERGENCE) || (!s && finish_ring(b, target, tau, simple)))
            return s;
    }
    return wy_fail(err, WY_NO_CONVERGENCE, "no uniformly twisted ring leads to an equilibrium with this twist");
}
