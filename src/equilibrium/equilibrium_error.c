/* Error and energy of an equilibrium. docs/math/branches.md (8.12), (8.13): each element is solved again in two
 * halves, which gives its local error; the linear system of Newton's step converts the local errors into errors of
 * shape, force and moment. */
#include "base/given.h"
#include "equilibrium/equilibrium_error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/largest.h"
#include "math/quadrature.h"
#include "math/vec3.h"
#include "solve/mesh.h"

enum { D = WY_STATIC_DIM };

double wy_equilibrium_component_weight(size_t c) {
    return c < WY_STATIC_M ? 1.0 / 1600.0 : c < WY_STATIC_Q ? 1.0 / 36.0 : 1.0;
}

double wy_equilibrium_error_unit(const equilibrium_model *m, size_t c) {
    /* the rod unit uses the larger rigidity: a strip that bends about its weaker axis carries less */
    const double soft = fmin(m->CM[0], m->CM[1]) / fmax(m->CM[0], m->CM[1]); /* exactly 1 for a round rod */
    return 1.0 / sqrt(wy_equilibrium_component_weight(c)) / (c < WY_STATIC_Q ? m->scale / soft : 1.0);
}

void wy_equilibrium_error_units(double unit[D], const equilibrium_model *m, const double *y, size_t nodes) {
    for (size_t c = 0; c < D; c++)
        unit[c] = wy_equilibrium_error_unit(m, c);
    for (size_t i = 0; i < nodes; i++)
        for (size_t c = 0; c < WY_STATIC_Q; c += 3) {
            const double *v = y + i * D + c, size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            for (size_t k = c; k < c + 3; k++)
                unit[k] = fmax(unit[k], size);
        }
}

void wy_equilibrium_error_monitor(double *monitor, const double *local, const double unit[D], size_t elements) {
    for (size_t e = 0; e < elements; e++) {
        monitor[e] = 1e-17; /* round-off does not attract nodes */
        for (size_t c = 0; c < D; c++)
            monitor[e] = fmax(monitor[e], fabs(local[e * D + c]) / unit[c]);
    }
}

double wy_equilibrium_error_floor(const equilibrium_model *m, double force_unit) {
    return 10.0 * DBL_EPSILON * m->stiffest / force_unit;
}

/* ---- the estimate ---- */

typedef struct scales {
    double force, moment;
    double unit[D]; /* of each component */
} scales;

/* Scales of forces and moments, in units of the rod: the largest of the solution. Least scales: moment/length for
 * forces, and for moments the largest force at a thousandth of the section's radius of gyration. A rod without
 * stress has only round-off. */
static scales error_scales(const equilibrium_model *m, const double *y, size_t nodes) {
    scales s = {0};
    for (size_t i = 0; i < nodes; i++) {
        s.force = fmax(s.force, v3_norm(y + i * D + WY_STATIC_P));
        s.moment = fmax(s.moment, v3_norm(y + i * D + WY_STATIC_M));
    }
    const double force = s.force, least = 1e-9 / m->scale;
    s.force = fmax(fmax(s.force, s.moment), least);
    s.moment = fmax(fmax(s.moment, 1e-3 * force * sqrt((m->CM[0] < m->CM[1] ? m->CM[0] : m->CM[1]) / m->CP[2])), least);
    for (size_t c = 0; c < D; c++)
        s.unit[c] = c < WY_STATIC_M ? s.force : c < WY_STATIC_Q ? s.moment : c < WY_STATIC_X ? 0.5 : 1.0;
    return s;
}

/* Adds the differences `off` of a node to the largest errors. */
static void gather_errors(wy_equilibrium_errors *e, const double *off, const scales *s) {
    const double *q = off + WY_STATIC_Q, turn = 2.0 * sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    e->force = wy_larger(e->force, v3_norm(off + WY_STATIC_P) / s->force);
    e->moment = wy_larger(e->moment, v3_norm(off + WY_STATIC_M) / s->moment);
    e->shape = wy_larger(wy_larger(e->shape, turn), v3_norm(off + WY_STATIC_X));
}

static double largest_error(const wy_equilibrium_errors *e) {
    return wy_larger(wy_larger(e->shape, e->force), e->moment);
}

/* What the linear system leaves out: in a rod that is stiff in extension an error of the shape makes a force of the
 * second order, stiffness times its square. From y, less its errors so far, another step with the same matrix; the
 * larger of both counts, if that step is the smaller one. `next`: (elements + 1) x 13 numbers. (5.38) */
static void add_second_order(wy_equilibrium_errors *e, wy_bvp_solver *solver, const double *y, const scales *s,
                             double stiffest, double *local, double *miss, double *row, double *next) {
    const size_t N = solver->bvp.elements;
    const double enough = 0.1;
    double dlambda;
    if (!(stiffest * e->shape * e->shape > enough * s->force * e->force))
        return;
    for (size_t i = 0; i < (N + 1) * D; i++)
        next[i] = y[i] + miss[i];
    for (size_t i = 0; i <= N; i++)
        wy_quat_normalize(next + i * D + WY_STATIC_Q, next + i * D + WY_STATIC_Q);
    if (wy_collocation_local_error(solver, next, false, local, NULL) ||
        wy_collocation_error(solver, y, row, 1.0, local, miss, &dlambda, NULL))
        return;
    wy_equilibrium_errors second = {0};
    for (size_t i = 0; i <= N; i++)
        gather_errors(&second, miss + i * D, s);
    if (!(second.shape < e->shape)) /* the steps do not come together: a contact begins or ends */
        return;
    for (size_t i = 0; i < (N + 1) * D; i++)
        miss[i] += next[i] - y[i];
    for (size_t i = 0; i <= N; i++)
        gather_errors(e, miss + i * D, s);
}

/* Error of a collocation solution whose stages the solver has; infinite if the equations are singular. `scratch`:
 * elements + 2 (elements + 1), and another elements + 1 behind twice that, x 13 numbers. */
static void collocation_errors(wy_equilibrium_errors *e, wy_bvp_solver *solver, const double *y, const scales *s,
                               double stiffest, double *scratch, double march[2]) {
    const size_t N = solver->bvp.elements;
    double *local = scratch, *miss = local + N * D, *row = miss + (N + 1) * D, dlambda;
    memset(row, 0, (N + 1) * D * sizeof *row);
    e->shape = e->force = e->moment = INFINITY;
    if (!wy_collocation_relax(solver, y) || wy_collocation_local_error(solver, y, false, local, NULL) ||
        wy_collocation_error(solver, y, row, 1.0, local, miss, &dlambda, NULL))
        return;
    wy_equilibrium_march_sensitivity(&march[0], &march[1], solver, y, local, s->unit);
    e->shape = e->force = e->moment = 0.0;
    for (size_t i = 0; i <= N; i++)
        gather_errors(e, miss + i * D, s);
    add_second_order(e, solver, y, s, stiffest, local, miss, row, row + 2 * (N + 1) * D);
}

/* A solution by shooting is compared with one by collocation of order 6 on the same mesh. */
static wy_status shooting_errors(wy_equilibrium_errors *e, wy_equilibrium *b, const scales *s, double *scratch,
                                 double march[2], wy_error *err) {
    const size_t n = (b->model->elements + 1) * D;
    const wy_bvp bvp = wy_equilibrium_model_bvp(b->model);
    wy_bvp_solver *other;
    double *y = scratch + 2 * n + b->model->elements * D;
    const wy_status status = wy_collocation_create(&other, &bvp, 6, err);
    if (status)
        return status;
    memcpy(y, b->y, n * sizeof *y);
    wy_bvp_stats now = {0};
    const wy_newton newton = {.max_iterations = b->method.max_iterations, .limit = 2.0};
    e->shape = e->force = e->moment = INFINITY;
    if (!wy_bvp_solver_correct(other, &newton, y, &now, NULL)) {
        collocation_errors(e, other, y, s, b->model->stiffest, scratch, march);
        wy_equilibrium_errors apart = {0};
        for (size_t i = 0; i < n; i++)
            y[i] -= b->y[i];
        for (size_t i = 0; i < n; i += D)
            gather_errors(&apart, y + i, s);
        e->shape += apart.shape;
        e->force += apart.force;
        e->moment += apart.moment;
    }
    wy_bvp_solver_free(other);
    return WY_OK;
}

/* n(L) - n(0) + int f, and the same for the moments about the first end: by four Gauss points in each element, on
 * the solution between the nodes. (5.37) */
static void balance_errors(wy_equilibrium_errors *e, const equilibrium_model *m, const double *y, const scales *s) {
    enum { POINTS = 4 };
    const wy_bvp bvp = wy_equilibrium_model_bvp(m);
    const double *at = wy_gauss_at[POINTS - 1], *weight = wy_gauss_weight[POINTS - 1], *x0 = y + WY_STATIC_X;
    const bool loaded = wy_equilibrium_control_loaded(&m->control);
    double force[3] = {0}, moment[3] = {0}, n[3], arm[3], turn[3], far = 0.0;
    for (size_t i = 0; i < m->elements && loaded; i++) {
        const double h = m->s[i + 1] - m->s[i];
        for (int l = 0; l < POINTS; l++) {
            const double here = m->s[i] + at[l] * h;
            double z[D], f[3], c[3];
            wy_mesh_solution(z, &bvp, y, i, here);
            wy_quat_normalize(z + WY_STATIC_Q, z + WY_STATIC_Q);
            const equilibrium_coefficients p = wy_equilibrium_model_coefficients(m, here, i, z);
            wy_quat_rotate(f, z + WY_STATIC_Q, p.f_body);
            wy_quat_rotate(c, z + WY_STATIC_Q, p.c_body);
            v3_add(f, f, p.f);
            v3_add(c, c, p.c);
            v3_sub(arm, z + WY_STATIC_X, x0);
            v3_cross(turn, arm, f);
            v3_add(c, c, turn);
            v3_axpy(force, force, weight[l] * h * m->ratio, f);
            v3_axpy(moment, moment, weight[l] * h * m->ratio, c);
        }
    }
    for (size_t i = 0; i <= m->elements; i++) {
        v3_sub(arm, y + i * D + WY_STATIC_X, x0);
        far = fmax(far, v3_norm(arm));
    }
    for (int end = 0; end < 2; end++) {
        const double *z = y + (end ? m->elements : 0) * D, sign = end ? 1.0 : -1.0;
        wy_quat_rotate(n, z + WY_STATIC_Q, z + WY_STATIC_P);
        v3_axpy(force, force, sign, n);
        v3_sub(arm, z + WY_STATIC_X, x0);
        v3_cross(turn, arm, n);
        v3_axpy(moment, moment, sign, turn);
        wy_quat_rotate(n, z + WY_STATIC_Q, z + WY_STATIC_M);
        v3_axpy(moment, moment, sign, n);
    }
    e->force_balance = v3_norm(force) / s->force;
    e->moment_balance = v3_norm(moment) / fmax(s->moment, s->force * far);
}

/* The limit by round-off, the Newton step and the end conditions: a force between two constrained ends is a rigidity
 * times a difference of lengths. */
static double least_error(const wy_equilibrium *b, double force) {
    const equilibrium_control *c = &b->model->control;
    const bool between = c->left.constraint.components & 7U && c->right.constraint.components & 7U;
    return fmax(between ? wy_equilibrium_error_floor(b->model, force) : 0.0,
                fmax(b->stats.residual, b->stats.step) / fmin(force, 1.0));
}

wy_status wy_equilibrium_estimate_all(wy_equilibrium_errors *e, double *grows, double *march, wy_equilibrium *b,
                                      wy_error *err) {
    *e = (wy_equilibrium_errors){-1.0, -1.0, -1.0, -1.0, -1.0};
    *grows = *march = -1.0;
    if (!b->solved)
        return wy_fail(err, WY_BAD_INPUT, "there is no solution whose error could be estimated");
    const size_t nodes = b->model->elements + 1;
    const scales s = error_scales(b->model, b->y, nodes);
    double *scratch = malloc(5 * nodes * D * sizeof *scratch), along[2] = {-1.0, -1.0};
    if (!scratch)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the error of %zu nodes", nodes);
    wy_equilibrium_errors found = {0};
    wy_status status = WY_OK;
    if (b->method.solver == WY_COLLOCATION)
        collocation_errors(&found, b->solver, b->y, &s, b->model->stiffest, scratch, along);
    else
        status = shooting_errors(&found, b, &s, scratch, along, err);
    free(scratch);
    if (status)
        return status;
    balance_errors(e, b->model, b->y, &s);
    if (!isfinite(largest_error(&found)))
        return WY_OK;
    const double rest = least_error(b, s.force);
    e->shape = fmax(found.shape, b->stats.residual);
    e->force = fmax(found.force, rest);
    e->moment = fmax(found.moment, rest);
    *grows = along[0];
    if (along[0] >= 0.0)
        *march =
            fmin(b->method.solver == WY_COLLOCATION ? along[1] + rest * along[0] : largest_error(e) * (1.0 + along[0]),
                 WY_STATIC_MARCH_MOST);
    return WY_OK;
}

wy_status wy_equilibrium_estimate_parts(wy_equilibrium_errors *errors, wy_equilibrium *b, wy_error *err) {
    WY_GIVEN(errors && b, err);
    double grows, march;
    return wy_equilibrium_estimate_all(errors, &grows, &march, b, err);
}

wy_status wy_equilibrium_estimate_march(double *error, double *grows, double *march, wy_equilibrium *b, wy_error *err) {
    WY_GIVEN(b, err);
    wy_equilibrium_errors e;
    const wy_status s = wy_equilibrium_estimate_all(&e, grows, march, b, err);
    *error = e.shape < 0.0 ? -1.0 : largest_error(&e);
    return s;
}

wy_status wy_equilibrium_estimate(double *error, wy_equilibrium *b, wy_error *err) {
    WY_GIVEN(error && b, err);
    double grows, march;
    return wy_equilibrium_estimate_march(error, &grows, &march, b, err);
}

/* ---- energy ---- */

/* By Gauss's rule with three points on the solution between the nodes: strain energy 1/2 (P.C_P^-1 P + M.C_M^-1 M)
 * and the potential of the loads. */
void wy_equilibrium_energies_of(double *strain, double *potential, const equilibrium_model *m, const wy_bvp *bvp,
                                const double *y) {
    const double *const c = wy_gauss_at[2], *const b = wy_gauss_weight[2];
    double sum = 0.0, load = 0.0;
    for (size_t e = 0; e < m->elements; e++) {
        const double h = m->s[e + 1] - m->s[e];
        for (int l = 0; l < 3; l++) {
            double at[D];
            wy_mesh_solution(at, bvp, y, e, m->s[e] + c[l] * h);
            const equilibrium_coefficients p = wy_equilibrium_model_coefficients(m, m->s[e] + c[l] * h, e, at);
            for (int i = 0; i < 3; i++)
                sum += 0.5 * b[l] * h * (p.inv_CP[i] * at[i] * at[i] + p.inv_CM[i] * at[3 + i] * at[3 + i]);
            load += b[l] * h * wy_equilibrium_model_load_potential(m, e, m->s[e] + c[l] * h, at);
        }
    }
    *strain = sum * m->ratio;
    *potential = *strain + load * m->ratio;
    for (int i = 0; i < 2; i++)
        *potential += wy_equilibrium_model_end_potential(m, i, y + (i ? m->elements : 0) * D);
}

wy_status wy_equilibrium_energies(double *strain, double *potential, const wy_equilibrium *b, wy_error *err) {
    WY_GIVEN(b, err);
    if (!b->solved)
        return wy_fail(err, WY_BAD_INPUT, "there is no solution whose energy could be computed");
    const wy_bvp bvp = wy_equilibrium_model_bvp(b->model);
    wy_equilibrium_energies_of(strain, potential, b->model, &bvp, b->y);
    *strain *= b->model->force * b->model->L;
    *potential *= b->model->force * b->model->L;
    return WY_OK;
}
