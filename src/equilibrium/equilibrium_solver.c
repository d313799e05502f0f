/* Solving for an equilibrium: homotopy from the unstressed rod with adaptive steps, then the requested method. */
#include "base/given.h"
#include "equilibrium/equilibrium_check.h"
#include "equilibrium/equilibrium_path.h"
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

/* ---- from the homotopy to the requested method ---- */

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
    wy_equilibrium_add_newton(&b->stats, now);
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
        .limit = wy_equilibrium_newton_limit(b->y, b->method.solver == WY_SHOOTING ? D : (b->model->elements + 1) * D)};
    b->model->control = b->homotopy.at;
    wy_status s = WY_OK;
    if (b->found_by_symmetry)
        now = b->half;
    else
        s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
    wy_equilibrium_add_newton(&b->stats, &now);
    b->stats.points++;
    if (!s && b->method.solver == WY_COLLOCATION && !(now.residual <= 1e-9))
        s = polish_end_conditions(b, &newton, &now, err);
    if (!s && !wy_equilibrium_has_target_sign(b->model, b->y))
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
