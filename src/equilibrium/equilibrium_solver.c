/* Solving for an equilibrium: homotopy from the unstressed rod with adaptive steps, then the requested method. */
#include "base/given.h"
#include "equilibrium/equilibrium_check.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM, HOMOTOPY_ELEMENTS = 40, HOMOTOPY_ORDER = 4 };

void wy_equilibrium_method_init(wy_equilibrium_method *method) {
    *method = (wy_equilibrium_method){.solver = WY_COLLOCATION,
                                      .order = 6,
                                      .elements = 0,
                                      .tolerance = 0.0,
                                      .max_iterations = 30,
                                      .largest_residual = 0.05,
                                      .least_step = 1e-5};
}

void wy_equilibrium_free(wy_equilibrium *b) {
    if (!b)
        return;
    wy_bvp_solver_free(b->solver);
    wy_bvp_solver_free(b->homotopy.solver);
    wy_equilibrium_model_free(b->model);
    wy_equilibrium_model_free(b->homotopy.model);
    free(b->y);
    free(b->homotopy.y);
    free(b);
}

static wy_status check_equilibrium_method(const wy_equilibrium_method *m, wy_error *err) {
    if (m->elements > 10000000)
        return wy_fail(err, WY_BAD_INPUT, "%zu elements, expected at most 1e7", m->elements);
    if (!(m->tolerance >= 0.0) || m->max_iterations < 1 || !(m->least_step > 0.0) || !(m->largest_residual > 0.0))
        return wy_fail(err, WY_BAD_INPUT,
                       "tolerance %g, %lld iterations, least step %g, largest miss %g: expected >= 0, >= 1, > 0, > 0",
                       m->tolerance, (long long)m->max_iterations, m->least_step, m->largest_residual);
    if (m->solver != WY_COLLOCATION && m->solver != WY_SHOOTING)
        return wy_fail(err, WY_BAD_INPUT, "solver %d is neither WY_COLLOCATION nor WY_SHOOTING", m->solver);
    if (m->solver == WY_SHOOTING && !m->integrator)
        return wy_fail(err, WY_BAD_INPUT, "shooting needs an integrator");
    if (m->solver == WY_SHOOTING && m->integrator->traits & WY_NEEDS_CANONICAL)
        return wy_fail(
            err, WY_UNSUPPORTED,
            "'%s' marches along the canonical form of the rod: use 'solver: {name: multi-symplectic, scheme: "
            "%s}'",
            m->integrator->entry.name, m->integrator->entry.name);
    return WY_OK;
}

/* Coarse enough to be quick, with more elements for a rod with many turns. Independent of the number of requested
 * elements: the path must not depend on it. */
static size_t homotopy_elements(const wy_equilibrium *b) {
    const double twist = fabs(b->model->control.right.twist - b->model->control.left.twist);
    return twist > 12.0 ? HOMOTOPY_ELEMENTS + (size_t)fmin(3.0 * (twist - 12.0), 1e5) : HOMOTOPY_ELEMENTS;
}

wy_status wy_equilibrium_create(wy_equilibrium **out, const wy_rod_definition *rod, const wy_equilibrium_method *asked,
                                wy_error *err) {
    if (!out || !rod)
        return wy_fail(err, WY_BAD_INPUT, "no rod to solve, or no place for the solver: NULL");
    *out = NULL;
    wy_equilibrium_method chosen;
    wy_equilibrium_method_init(&chosen);
    if (asked)
        chosen = *asked;
    if (chosen.elements == 0)
        chosen.elements = rod->elements > 0 ? (size_t)rod->elements : 1;
    const wy_equilibrium_method *method = &chosen;
    wy_status s = check_equilibrium_method(method, err);
    if (!s)
        s = method->at_start ? wy_equilibrium_check_at_start(rod, err) : wy_equilibrium_check(rod, NULL, err);
    if (s)
        return s;
    wy_equilibrium *b = calloc(1, sizeof *b);
    if (!b)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    b->method = *method;
    s = wy_equilibrium_model_create(&b->model, rod, method->elements, err);
    if (!s)
        s = wy_equilibrium_model_create(&b->homotopy.model, rod, homotopy_elements(b), err);
    if (!s) {
        const size_t fine = (b->model->elements + 1), nodes = (b->homotopy.model->elements + 1);
        b->y = calloc(fine * (2 * D + 1), sizeof(double));
        b->homotopy.y = calloc(4 * nodes * D, sizeof(double));
        if (!b->y || !b->homotopy.y) {
            s = wy_fail(err, WY_NO_MEMORY, "no memory for a rod of %zu nodes", fine);
        } else {
            b->si = b->y + fine * D;
            b->s_si = b->si + fine * D;
            b->homotopy.last = b->homotopy.y + nodes * D;
            b->homotopy.trial = b->homotopy.last + nodes * D;
            b->homotopy.kept = b->homotopy.trial + nodes * D;
            for (size_t i = 0; i < fine; i++)
                b->s_si[i] = b->model->s[i] * b->model->L;
        }
    }
    if (!s) {
        b->model->literal = method->literal;
        const wy_bvp bvp = wy_equilibrium_model_bvp(b->model);
        s = method->solver == WY_SHOOTING
                ? wy_shooting_create(&b->solver, &bvp, method->integrator, method->config, method->project, err)
                : wy_collocation_create(&b->solver, &bvp, method->order, err);
    }
    if (!s) {
        const wy_bvp bvp = wy_equilibrium_model_bvp(b->homotopy.model);
        s = wy_collocation_create(&b->homotopy.solver, &bvp, HOMOTOPY_ORDER, err);
    }
    if (s) {
        wy_equilibrium_free(b);
        return s;
    }
    b->method.config = NULL; /* the stepper has its own copy */
    *out = b;
    return WY_OK;
}

size_t wy_equilibrium_nodes(const wy_equilibrium *b) {
    return b->model->elements + 1;
}

size_t wy_equilibrium_count(const wy_equilibrium *b) {
    return b->solved ? b->model->elements + 1 : 0;
}
const double *wy_equilibrium_s(const wy_equilibrium *b) {
    return b->solved ? b->s_si : NULL;
}
const double *wy_equilibrium_states(const wy_equilibrium *b) {
    return b->solved ? b->si : NULL;
}
const wy_equilibrium_stats *wy_equilibrium_statistics(const wy_equilibrium *b) {
    return &b->stats;
}

/* ---- the unstressed rod ---- */

/* From the identity. */
static void integrate_unstressed_shape(const equilibrium_model *m, double *y) {
    memset(y, 0, (m->elements + 1) * D * sizeof *y);
    double q[4] = {1.0, 0.0, 0.0, 0.0}, x[3] = {0.0, 0.0, 0.0};
    for (size_t e = 0; e <= m->elements; e++) {
        memcpy(y + e * D + WY_STATIC_Q, q, sizeof q);
        memcpy(y + e * D + WY_STATIC_X, x, sizeof x);
        if (e == m->elements)
            break;
        wy_equilibrium_model_unstressed(q, x, m, m->s[e], m->s[e + 1] - m->s[e]);
    }
}

/* Moves all nodes rigidly: x -> to + R(q) (x - from), q_i -> q q_i. */
static void move_rigidly(double *y, size_t nodes, const double q[4], const double from[3], const double to[3]) {
    double base[3], arm[3];
    v3_copy(base, from); /* `from` may be one of the nodes */
    for (size_t i = 0; i < nodes; i++) {
        double *x = y + i * D + WY_STATIC_X, *qi = y + i * D + WY_STATIC_Q;
        v3_sub(arm, x, base);
        wy_quat_rotate(arm, q, arm);
        v3_add(x, to, arm);
        wy_quat_product(qi, q, qi);
    }
}

/* The shortest rotation from direction a to b. */
static void rotation_between(double q[4], const double a[3], const double b[3]) {
    double axis[3];
    const double na = v3_norm(a), nb = v3_norm(b);
    if (!(na > 0.0) || !(nb > 0.0)) {
        q[0] = 1.0;
        q[1] = q[2] = q[3] = 0.0;
        return;
    }
    v3_cross(axis, a, b);
    q[0] = na * nb + v3_dot(a, b);
    v3_copy(q + 1, axis);
    if (!(q[0] > 1e-12 * na * nb)) { /* opposite: half a turn about any axis across */
        const double e[3] = {fabs(a[0]) < 0.7 * na, fabs(a[0]) >= 0.7 * na, 0.0};
        v3_cross(q + 1, a, e);
        q[0] = 0.0;
    }
    wy_quat_normalize(q, q);
}

void wy_equilibrium_start_unstressed(wy_equilibrium *b, const equilibrium_control *target) {
    equilibrium_homotopy *t = &b->homotopy;
    const size_t N = t->model->elements;
    double *first = t->y, *last = t->y + N * D, q[4], back[4];
    integrate_unstressed_shape(t->model, t->y);
    equilibrium_control *c = &t->at;
    *c = *target;
    const bool unsupported =
        !c->left.constraint.components && !c->right.constraint.components; /* only springs support it */
    const bool left_clamped = equilibrium_end_constrains(&c->left, WY_CONSTRAINS_ROTATION) || unsupported,
               right_clamped = equilibrium_end_constrains(&c->right, WY_CONSTRAINS_ROTATION);
    if (!left_clamped && right_clamped) {
        wy_equilibrium_end_target(q, &c->right);
        wy_quat_conjugate(back, last + WY_STATIC_Q);
        wy_quat_product(q, q, back);
        move_rigidly(t->y, N + 1, q, last + WY_STATIC_X, c->right.position);
    } else {
        if (left_clamped) {
            wy_equilibrium_end_target(q, &c->left);
        } else { /* two pins (less is refused): the rod lies along the chord between them */
            double chord[3], wanted[3];
            v3_sub(chord, last + WY_STATIC_X, first + WY_STATIC_X);
            v3_sub(wanted, c->right.position, c->left.position);
            rotation_between(q, chord, wanted);
        }
        move_rigidly(t->y, N + 1, q, first + WY_STATIC_X, c->left.position);
    }
    /* the pose targets that the unstressed rod satisfies */
    v3_copy(c->left.position, first + WY_STATIC_X);
    v3_copy(c->right.position, last + WY_STATIC_X);
    memcpy(c->left.orientation, first + WY_STATIC_Q, 4 * sizeof(double));
    memcpy(c->right.orientation, last + WY_STATIC_Q, 4 * sizeof(double));
    c->left.twist = c->right.twist = 0.0;
    wy_equilibrium_control_unload(c);
    if (unsupported) { /* the springs stay */
        c->left.law[0].weight = target->left.law[0].weight;
        c->right.law[0].weight = target->right.law[0].weight;
    }
}

/* ---- following a path ---- */

/* Weight of a change of a component: forces of a bent rod are of the order 40 EI/L^2, moments 6 EI/L. */
static double component_weight(size_t component) {
    return component < WY_STATIC_M ? 1.0 / 40.0 : component < WY_STATIC_Q ? 1.0 / 6.0 : 1.0;
}

/* Whether q(L) is the target itself, not its negative: the rows of a constrained rotation accept both. Turns are not
 * defined if the first end may rotate. */
static bool has_target_sign(const equilibrium_model *m, const double *y) {
    if (!equilibrium_end_constrains(&m->control.left, WY_CONSTRAINS_ROTATION) ||
        !equilibrium_end_constrains(&m->control.right, WY_CONSTRAINS_ROTATION))
        return true;
    double q[4], dot = 0.0;
    wy_equilibrium_end_target(q, &m->control.right);
    for (int i = 0; i < 4; i++)
        dot += q[i] * y[m->elements * D + (size_t)(WY_STATIC_Q + i)];
    return dot > 0.0;
}

static void add_newton_stats(wy_equilibrium_stats *stats, const wy_bvp_stats *now) {
    stats->iterations = now->iterations;
    stats->total_iterations += now->iterations;
    stats->step = now->step;
    stats->residual = now->residual;
    stats->redundant_residual = now->redundant_residual;
    stats->condition = now->condition;
}

/* Limit of a Newton step: a fraction of the largest component, since forces of a high mode are large. */
static double newton_step_limit(const double *y, size_t n) {
    double largest = 10.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(y[i]));
    return 0.2 * largest;
}

wy_status wy_equilibrium_newton(wy_equilibrium *b, const char *what, wy_error *err) {
    equilibrium_homotopy *t = &b->homotopy;
    wy_bvp_stats now = {0};
    const wy_newton newton = {.max_iterations = b->method.max_iterations,
                              .tolerance = 1e-10,
                              .limit = newton_step_limit(t->y, (t->model->elements + 1) * D)};
    t->model->control = t->at;
    wy_status s = wy_bvp_solver_correct(t->solver, &newton, t->y, &now, err);
    add_newton_stats(&b->stats, &now);
    b->stats.points++;
    if (!s && !has_target_sign(t->model, t->y))
        s = wy_fail(err, WY_NO_CONVERGENCE, "the last end is a whole turn away from its target");
    if (s != WY_NO_CONVERGENCE || !err)
        return s ? wy_fail_at(err, s, "%s", what) : WY_OK;
    const wy_error why = *err;
    return wy_fail(
        err, s,
        "%s: %.400s. Last good: none, this is the start of the path. Tried: Newton from the closed form. Try more "
        "elements, another branch, or 'solver: energy'",
        what, why.text);
}

wy_status wy_equilibrium_follow(wy_equilibrium *b, const equilibrium_control *to, const homotopy_leg *leg,
                                wy_error *err) {
    equilibrium_homotopy *t = &b->homotopy;
    const size_t n = (t->model->elements + 1) * D;
    const equilibrium_control from = t->at;
    wy_newton newton = {.max_iterations = b->method.max_iterations < 12 ? b->method.max_iterations : 12,
                        .tolerance = 1e-9};
    /* A rotation by more than a turn in one step could end two turns away, which the frame does not show. */
    const double turn = fabs(to->right.twist - from.right.twist) + fabs(to->left.twist - from.left.twist),
                 largest_dt = turn > 5.0 ? 2.5 / turn : 0.5;
    double at = 0.0, before = 0.0, dt = fmin(0.1, largest_dt);
    bool secant = false;
    wy_error why = {0};
    wy_bvp_stats now = {0};
    while (at < 1.0) {
        const double next = at + dt < 1.0 - 1e-9 ? at + dt : 1.0;
        t->model->control = wy_equilibrium_control_between(&from, to, next);
        const double stretch = secant ? (next - at) / (at - before) : 0.0;
        for (size_t i = 0; i < n; i++)
            t->trial[i] = t->y[i] + stretch * (t->y[i] - t->last[i]);
        now = (wy_bvp_stats){0};
        newton.limit = newton_step_limit(t->y, n);
        const wy_status s = wy_bvp_solver_correct(t->solver, &newton, t->trial, &now, &why);
        add_newton_stats(&b->stats, &now);
        b->stats.points++;
        /* A solution far from the secant may lie on another branch. */
        double moved = 0.0, off = 0.0, largest = 1.0;
        for (size_t i = 0; i < n; i++) {
            const double w = component_weight(i % D), d = t->trial[i] - t->y[i];
            largest = fmax(largest, w * fabs(t->y[i]));
            moved = fmax(moved, w * fabs(d));
            off = fmax(off, w * fabs(d - stretch * (t->y[i] - t->last[i])));
        }
        const bool jumped = moved > 0.8 * largest || (secant && off > 0.4 * largest);
        if (s || jumped || !has_target_sign(t->model, t->trial)) {
            if (!s)
                wy_fail(&why, WY_NO_CONVERGENCE, "the solution jumped by %.2g of its size, %.2g off the secant",
                        moved / largest, off / largest);
            b->stats.rejected++;
            dt *= 0.4;
            if (dt < b->method.least_step) {
                t->model->control = t->at = wy_equilibrium_control_between(&from, to, at);
                const double good = leg->from + at * (leg->to - leg->from);
                return wy_fail(
                    err, WY_NO_CONVERGENCE,
                    "continuation in %s stopped on the way from %g to %g %s: last good %.9g (residual there below "
                    "1e-9), next step failed down to %.1g of the interval (%.300s). This branch may have no such "
                    "equilibrium: try another branch, or more elements",
                    leg->what, leg->from, leg->to, leg->unit, good, b->method.least_step, why.text);
            }
            continue;
        }
        memcpy(t->last, t->y, n * sizeof *t->y);
        memcpy(t->y, t->trial, n * sizeof *t->y);
        before = at;
        at = next;
        secant = true;
        if (now.iterations <= 5)
            dt = fmin(largest_dt, dt * 1.7);
    }
    t->at = *to;
    /* keep the sign of the targets that the path chose */
    t->at.right = t->model->control.right;
    t->at.left = t->model->control.left;
    return WY_OK;
}

/* ---- from the homotopy to the requested method ---- */

/* Cubic Hermite interpolation from the homotopy's nodes to the requested mesh. */
void wy_equilibrium_interpolate(wy_equilibrium *b) {
    const equilibrium_model *coarse = b->homotopy.model, *fine = b->model;
    const wy_bvp p = wy_equilibrium_model_bvp(coarse);
    size_t e = 0;
    for (size_t i = 0; i <= fine->elements; i++) {
        const double s = fine->s[i];
        while (e + 1 < coarse->elements && s > coarse->s[e + 1])
            e++;
        const double h = coarse->s[e + 1] - coarse->s[e], t = (s - coarse->s[e]) / h;
        const double *y0 = b->homotopy.y + e * D, *y1 = y0 + D;
        double f0[D], f1[D];
        p.field(f0, coarse->s[e], e, y0, p.context);
        p.field(f1, coarse->s[e + 1], e, y1, p.context);
        const double a = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t), c = t * (1.0 - t) * (1.0 - t),
                     u = t * t * (3.0 - 2.0 * t), v = -t * t * (1.0 - t);
        for (int k = 0; k < D; k++)
            b->y[i * D + (size_t)k] = a * y0[k] + u * y1[k] + h * (c * f0[k] + v * f1[k]);
    }
}

void wy_equilibrium_spin(double *y, size_t count, double g) {
    const double turn[4] = {wy_cos(0.5 * g), 0.0, 0.0, wy_sin(0.5 * g)}, c = wy_cos(g), s = wy_sin(g);
    double q0[4], back[4], S[4], x0[3];
    memcpy(q0, y + WY_STATIC_Q, sizeof q0);
    v3_copy(x0, y + WY_STATIC_X);
    wy_quat_conjugate(back, q0);
    wy_quat_conjugate(S, turn);
    wy_quat_product(S, q0, S);
    wy_quat_product(S, S, back); /* S = q0 turn^-1 q0^-1: about d3(0), backwards */
    wy_quat_normalize(S, S);
    for (size_t i = 0; i < count; i++) {
        double *yi = y + i * D, arm[3];
        for (int k = 0; k < 6; k += 3) {
            const double a = yi[k], b = yi[k + 1];
            yi[k] = c * a + s * b;
            yi[k + 1] = c * b - s * a;
        }
        wy_quat_product(yi + WY_STATIC_Q, yi + WY_STATIC_Q, turn);
        wy_quat_product(yi + WY_STATIC_Q, S, yi + WY_STATIC_Q);
        v3_sub(arm, yi + WY_STATIC_X, x0);
        wy_quat_rotate(arm, S, arm);
        v3_add(yi + WY_STATIC_X, x0, arm);
    }
}

/* Whether the moment at s = 0 is large enough to define the spin angle. */
static bool moment_defines_spin(const double *y) {
    return wy_hypot(y[WY_STATIC_M], y[WY_STATIC_M + 1]) > 1e-9;
}

bool wy_equilibrium_spin_angle(double *angle, const equilibrium_model *m, const double *y) {
    if (!m->round || !wy_equilibrium_control_coaxial(m, &m->control))
        return false;
    const double *v = moment_defines_spin(y) ? y + WY_STATIC_M : y + WY_STATIC_P;
    *angle = wy_atan2(-v[0], v[1]);
    return true;
}

/* A round rod between coaxial clamps has a circle of solutions: select the one with M1(0) = 0, M2(0) > 0. */
static void normalise_spin(wy_equilibrium *b, double *y, size_t count) {
    double angle;
    if (b->stats.symmetries == 0 || !wy_equilibrium_spin_angle(&angle, b->model, y))
        return;
    const bool moment = moment_defines_spin(y);
    wy_equilibrium_spin(y, count, angle);
    if (moment)
        y[WY_STATIC_M] = 0.0;
}

/* For end conditions that are missed by more than round-off. A symmetry that hardly moves the solution, such as the
 * shift along itself of a ring that is almost a circle, spoils the step: Newton converges without it. The mesh must
 * explain the remaining residual: a method of low order on few elements conserves M3 only so well (5.9). */
static wy_status polish_end_conditions(wy_equilibrium *b, const wy_newton *newton, wy_bvp_stats *now, wy_error *err) {
    wy_status s = WY_OK;
    for (size_t most = WY_BVP_SYMMETRIES; most-- > 0 && !s && !(now->residual <= 1e-9);) {
        b->model->most_symmetries = most;
        wy_bvp_stats again = {0};
        memcpy(b->si, b->y, (b->model->elements + 1) * D * sizeof *b->y);
        if (!wy_bvp_solver_correct(b->solver, newton, b->y, &again, NULL) && again.residual < 1e-3 * now->residual)
            *now = again;
        else
            memcpy(b->y, b->si, (b->model->elements + 1) * D * sizeof *b->y);
    }
    b->model->most_symmetries = WY_BVP_SYMMETRIES;
    add_newton_stats(&b->stats, now);
    if (now->residual <= 1e-9)
        return WY_OK;
    double error;
    b->solved = true;
    s = wy_equilibrium_estimate(&error, b, err);
    b->solved = false;
    if (!s && error >= 0.0 && now->residual > error)
        s = wy_fail(
            err, WY_NO_CONVERGENCE,
            "Newton stopped with end conditions missed by %.3g (last step %.3g), more than the mesh explains (%.3g)",
            now->residual, now->step, error);
    return s;
}

wy_status wy_equilibrium_finish(wy_equilibrium *b, wy_error *err) {
    wy_bvp_stats now = {0};
    const wy_newton newton = {
        .max_iterations = b->method.max_iterations,
        .tolerance = b->method.tolerance,
        .limit = newton_step_limit(b->y, b->method.solver == WY_SHOOTING ? D : (b->model->elements + 1) * D)};
    b->model->control = b->homotopy.at;
    wy_status s = WY_OK;
    if (b->found_by_symmetry)
        now = b->half;
    else
        s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
    add_newton_stats(&b->stats, &now);
    b->stats.points++;
    if (!s && b->method.solver == WY_COLLOCATION && !(now.residual <= 1e-9))
        s = polish_end_conditions(b, &newton, &now, err);
    if (!s && !has_target_sign(b->model, b->y))
        s = wy_fail(err, WY_NO_CONVERGENCE, "the last end is a whole turn away from its target");
    /* The residual of the least-squares step is the floor of the method; a larger one is not a solution. */
    if (!s && !(now.residual <= b->method.largest_residual))
        s = wy_fail(err, WY_NO_CONVERGENCE,
                    "the end conditions are missed by %.3g (redundant one: %.3g): too few steps", now.residual,
                    now.redundant_residual);
    if (s)
        return wy_fail_at(err, s, "%s with %zu steps",
                          b->method.solver == WY_SHOOTING ? b->method.integrator->entry.name : "collocation",
                          b->model->elements);
    double phase[WY_BVP_SYMMETRIES * D], redundant[6 * WY_BVP_SYMMETRIES];
    b->stats.symmetries = wy_equilibrium_symmetries(phase, redundant, b->y, b->model);
    normalise_spin(b, b->y, b->model->elements + 1);
    wy_equilibrium_model_to_si(b->si, b->model, b->y, b->model->elements + 1);
    for (size_t i = 0; i <= b->model->elements; i++)
        b->s_si[i] = b->model->s[i] * b->model->L;
    for (size_t i = 0; i < (b->model->elements + 1) * D; i++)
        if (!isfinite(b->si[i]))
            return wy_fail(err, WY_NOT_FINITE, "component %zu of node %zu came out as %g", i % D, i / D, b->si[i]);
    b->solved = true;
    return WY_OK;
}

/* Minimises the energy, then Newton from there. */
wy_status wy_equilibrium_finish_energy(wy_equilibrium *b, const equilibrium_control *target, descent_start start,
                                       wy_error *err) {
    const size_t n = (b->model->elements + 1) * D;
    double *states = malloc(n * sizeof *states);
    if (!states)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n / D);
    b->found_by_symmetry = false;
    wy_status s = wy_equilibrium_minimise_energy(b, target, start, err);
    if (!s) {
        wy_error why;
        memcpy(states, b->y, n * sizeof *states);
        s = wy_equilibrium_finish(b, &why);
        if (s)
            s = wy_fail(
                err, s,
                "%.300s. Last good: all loads and ends, converged on the energy's elements (%lld iterations). Tried: "
                "Newton from there on the requested mesh. Try more elements: how many are enough is not known",
                why.text, (long long)b->stats.total_iterations);
    }
    if (!s)
        b->stats.energy_distance = wy_equilibrium_distance(b, states);
    free(states);
    return s;
}

/* If a closed rod has another link than requested: solves for the requested link, or fails. */
static wy_status require_link(wy_equilibrium *b, const equilibrium_control *target, wy_error *err) {
    if (!wy_equilibrium_is_ring(b, target))
        return WY_OK;
    const ring_link turns = wy_equilibrium_ring_link(b, target->right.twist - target->left.twist);
    if (turns.right)
        return WY_OK;
    const wy_equilibrium_stats found = b->stats;
    const equilibrium_control at = b->homotopy.at;
    const wy_status s = wy_equilibrium_ring(b, &at, turns.asked, NULL);
    if (s != WY_NO_CONVERGENCE) {
        b->stats.energy_distance = -1.0;
        b->stats.stable = false;
        return s ? wy_fail(err, s, "no memory for a ring of %zu nodes", b->model->elements + 1) : WY_OK;
    }
    b->solved = false;
    return wy_fail(
        err, s,
        "the closed rod converged with %.4g turns (%+.0f) instead of the requested %.4g, because it passed through "
        "itself on the path (all loads and ends reached, %lld iterations, residual %.2g). Tried: the path of the "
        "branch, its energy, and the uniformly twisted ring, continued by its arc length to the reference curvature of "
        "this rod, from both sides. Try fewer turns, a sweep of the twist from fewer, or more elements; "
        "'solver: collocation' gives the one with other turns, with a warning",
        turns.link / (2.0 * WY_PI), turns.off, turns.asked / (2.0 * WY_PI), (long long)b->stats.total_iterations,
        found.residual);
}

static wy_status solve_on_branch(wy_equilibrium *b, int branch, int mode, wy_error *err);

wy_status wy_equilibrium_solve(wy_equilibrium *b, int branch, int mode, wy_error *err) {
    WY_GIVEN(b, err);
    const wy_status s = solve_on_branch(b, branch, mode, err);
    if ((s && s != WY_NO_CONVERGENCE) || branch != WY_BRANCH_MAIN || b->method.solver != WY_COLLOCATION ||
        b->method.start == WY_START_PATH)
        return s;
    const equilibrium_control target = wy_equilibrium_model_control(b->model, b->model->rod);
    wy_status found = s;
    if (!s)
        found = require_link(b, &target, err);
    else if (wy_equilibrium_is_ring(b, &target) &&
             wy_equilibrium_ring(b, &target, target.right.twist - target.left.twist, NULL) ==
                 WY_OK) /* the path failed and the ring with the requested link succeeded */
        found = WY_OK;
    return found || b->method.keep_unstable ? found : wy_equilibrium_escape_saddle(b, err);
}

/* For a cable with `solver: energy`: minimises the energy from the cable's solution and records the largest distance
 * of the two, of positions only, because the energy's elements do not resolve the bending layers. If the minimum is
 * elsewhere, Newton continues from there. */
static wy_status compare_cable_with_energy(wy_equilibrium *b, const equilibrium_control *target, wy_error *err) {
    const size_t nodes = b->model->elements + 1;
    double *cable = malloc(nodes * D * sizeof *cable), most = 0.0;
    if (!cable)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a cable of %zu nodes", nodes);
    memcpy(cable, b->y, nodes * D * sizeof *cable);
    const equilibrium_control at = b->homotopy.at;
    wy_error why;
    wy_status s = wy_equilibrium_minimise_energy(b, target, DESCENT_FROM_SOLUTION, &why);
    for (size_t i = 0; i < nodes && !s; i++) {
        double apart[3];
        v3_sub(apart, cable + i * D + WY_STATIC_X, b->y + i * D + WY_STATIC_X);
        most = fmax(most, v3_norm(apart));
    }
    if (!s && most > 0.05) {
        wy_equilibrium_model_rescale(b->model, 1.0 / b->model->scale);
        b->cable = b->solved = false;
        s = wy_equilibrium_finish(b, &why);
    } else {
        memcpy(b->y, cable, nodes * D * sizeof *cable);
        b->homotopy.at = b->model->control = at;
        b->energy_not_converged = s == WY_NO_CONVERGENCE;
    }
    if (!s)
        b->stats.energy_distance = most;
    free(cable);
    return s && !b->energy_not_converged ? wy_fail(err, s, "%s", why.text) : WY_OK;
}

/* Solves for a cable from its catenary; `must_be_stable`: only for a stable one. A catenary does not determine the
 * roll of a strip, and the roll transported from one end may be unstable. WY_NO_CONVERGENCE: to be solved as a rod;
 * mesh and units are restored. */
static wy_status solve_from_catenary(wy_equilibrium *b, double scale, cable_support hangs, bool must_be_stable,
                                     wy_error *err) {
    const size_t nodes = b->model->elements + 1;
    double *mesh = malloc(nodes * sizeof *mesh);
    size_t *piece = malloc(nodes * sizeof *piece);
    if (!mesh || !piece) {
        free(mesh);
        free(piece);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a mesh of %zu nodes", nodes);
    }
    memcpy(mesh, b->model->s, nodes * sizeof *mesh);
    memcpy(piece, b->model->piece, (nodes - 1) * sizeof *piece);
    wy_status s = wy_equilibrium_solve_cable(b, scale, hangs, err);
    if (!s)
        s = wy_equilibrium_finish(b, err);
    if (!s && must_be_stable && wy_equilibrium_negative_directions(b) > 0)
        s = wy_fail(err, WY_NO_CONVERGENCE, "the cable along its catenary is unstable");
    if (s == WY_NO_CONVERGENCE) {
        b->solved = false;
        wy_equilibrium_model_mesh(b->model, nodes - 1, mesh, piece);
        wy_equilibrium_model_rescale(b->model, 1.0 / b->model->scale);
        b->cable = false;
    }
    free(mesh);
    free(piece);
    return s;
}

static wy_status solve_on_branch(wy_equilibrium *b, int branch, int mode, wy_error *err) {
    b->solved = b->energy_not_converged = false;
    b->stats = (wy_equilibrium_stats){.energy_distance = -1.0};
    const equilibrium_control target = wy_equilibrium_model_control(b->model, b->model->rod);
    wy_status s;
    wy_error why;
    double scale;
    const bool cable = branch == WY_BRANCH_MAIN && !b->fixed_units && wy_equilibrium_is_cable(&scale, b, &target);
    if (cable) {
        s = solve_from_catenary(b, scale, CABLE_BETWEEN_ENDS, !b->model->round, &why);
        if (!s && b->method.start == WY_START_ENERGY)
            return compare_cable_with_energy(b, &target, err);
        if (s != WY_NO_CONVERGENCE)
            return s ? wy_fail(err, s, "%s", why.text) : WY_OK;
    }
    b->cable = b->found_by_symmetry = false;
    const bool may_fall = branch == WY_BRANCH_MAIN && b->method.solver == WY_COLLOCATION;
    if (may_fall && b->method.start == WY_START_ENERGY)
        return wy_equilibrium_finish_energy(b, &target, DESCENT_FROM_UNSTRESSED, err);
    wy_equilibrium_start_unstressed(b, &target);
    s = wy_equilibrium_newton(b, "the unstressed rod", &why);
    if (!s)
        s = wy_equilibrium_branch_follow(b, &target, branch, mode, &why);
    if (!s) {
        if (!b->found_by_symmetry)
            wy_equilibrium_interpolate(b);
        wy_error last;
        s = wy_equilibrium_finish(b, &last);
        if (s)
            wy_fail(&why, s,
                    "%.300s. Last good: all ends and loads, on a path of %zu elements (%lld iterations). Tried: Newton "
                    "from there on the requested mesh. Try more elements: how many are enough is not known",
                    last.text, b->homotopy.model->elements, (long long)b->stats.total_iterations);
    }
    const bool may_hang = s == WY_NO_CONVERGENCE && may_fall && b->method.start == WY_START_AUTO && !b->fixed_units;
    const cable_support hangs = may_hang ? wy_equilibrium_cable_support(&scale, b, &target) : CABLE_BETWEEN_ENDS;
    if (hangs || (may_hang && cable && !b->model->round)) {
        const wy_status hung = solve_from_catenary(b, scale, hangs, false, NULL);
        if (hung != WY_NO_CONVERGENCE)
            return hung ? wy_fail(err, hung, "no memory for a hanging cable of %zu nodes", b->model->elements + 1)
                        : WY_OK;
    }
    if (s == WY_NO_CONVERGENCE && may_fall && b->method.start == WY_START_AUTO) {
        wy_error other;
        const wy_status second = wy_equilibrium_finish_energy(b, &target, DESCENT_FROM_UNSTRESSED, &other);
        return second == WY_NO_CONVERGENCE
                   ? wy_fail(err, s, "%.470s. Tried then by its energy: %.510s", why.text, other.text)
               : second ? wy_fail(err, second, "%s", other.text)
                        : WY_OK;
    }
    return s ? wy_fail(err, s, "%s", why.text) : WY_OK;
}

static bool same_constraints(const wy_rod_definition *a, const wy_rod_definition *b, int e) {
    wy_constraint_mask x, y;
    wy_rod_constraint_mask(&x, a, e);
    wy_rod_constraint_mask(&y, b, e);
    return x.components == y.components;
}

wy_status wy_equilibrium_continue(wy_equilibrium *b, const wy_rod_definition *target, wy_error *err) {
    WY_GIVEN(b && target, err);
    if (!b->solved)
        return wy_fail(err, WY_BAD_INPUT, "there is no solution to continue from");
    if (b->cable)
        return wy_fail(err, WY_UNSUPPORTED,
                       "a cable is solved from its own catenary, not continued from another cable");
    const wy_rod_definition *now = &b->model->rod->def;
    wy_status s = wy_equilibrium_check(target, NULL, err);
    equilibrium_rod *rod = NULL;
    if (!s)
        s = wy_equilibrium_rod_create(&rod, target, NULL, err);
    for (int e = 0; e < 2 && !s; e++)
        if (!same_constraints(&rod->def, now, e) || rod->def.length != now->length)
            s = wy_fail(err, WY_BAD_INPUT, "a continuation must keep the rod's length and the constraints of its ends");
    if (s) {
        wy_equilibrium_rod_free(rod);
        return s;
    }
    equilibrium_homotopy *t = &b->homotopy;
    const size_t n = (t->model->elements + 1) * D;
    const equilibrium_control kept_at = t->at;
    memcpy(t->kept, t->y, n * sizeof *t->y);
    b->stats = (wy_equilibrium_stats){.energy_distance = -1.0};
    const equilibrium_control to = wy_equilibrium_model_control(b->model, rod);
    const homotopy_leg leg = {"the ends and loads", 0.0, 1.0, "of the change"};
    b->found_by_symmetry = false;
    s = wy_equilibrium_follow(b, &to, &leg, err);
    if (!s) {
        wy_equilibrium_interpolate(b);
        s = wy_equilibrium_finish(b, err);
    }
    if (s) {
        memcpy(t->y, t->kept, n * sizeof *t->y);
        t->at = t->model->control = b->model->control = kept_at;
        wy_equilibrium_rod_free(rod);
        return s;
    }
    wy_equilibrium_rod_free(b->model->rod); /* the control points to the new rod now */
    b->model->rod = rod;
    return WY_OK;
}

wy_status wy_equilibrium_shoot(wy_equilibrium *b, const double P0[3], const double M0[3], wy_error *err) {
    WY_GIVEN(b && P0 && M0, err);
    b->solved = false;
    b->stats = (wy_equilibrium_stats){.energy_distance = -1.0};
    if (b->method.solver != WY_SHOOTING)
        return wy_fail(err, WY_UNSUPPORTED, "a start from one end needs shooting, not collocation");
    const equilibrium_control target = wy_equilibrium_model_control(b->model, b->model->rod);
    double y[D] = {0};
    v3_scale(y + WY_STATIC_P, 1.0 / b->model->force, P0);
    v3_scale(y + WY_STATIC_M, 1.0 / b->model->moment, M0);
    wy_equilibrium_end_target(y + WY_STATIC_Q, &target.left);
    v3_copy(y + WY_STATIC_X, target.left.position);
    memcpy(b->y, y, sizeof y);
    b->homotopy.at = target;
    return wy_equilibrium_finish(b, err);
}
