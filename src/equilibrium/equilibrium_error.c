/* Error and energy of an equilibrium. docs/math/branches.md (8.12), (8.13): each element is done again in two halves, which
 * gives its local error; the linear system of Newton's step turns the local errors into that of the solution. */
#include "equilibrium/equilibrium_error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/quadrature.h"
#include "solve/mesh.h"

enum { D = WY_REST_DIM };

double wy_equilibrium_component_weight(size_t c) {
    return c < WY_REST_M ? 1.0 / 1600.0 : c < WY_REST_Q ? 1.0 / 36.0 : 1.0;
}

double wy_equilibrium_error_unit(const beam_model *m, size_t c) {
    /* the rod's own unit is made of the larger rigidity: a strip that bends the soft way carries less than that */
    const double soft = fmin(m->CM[0], m->CM[1]) / fmax(m->CM[0], m->CM[1]); /* 1 to the last bit where it is round */
    return 1.0 / sqrt(wy_equilibrium_component_weight(c)) / (c < WY_REST_Q ? m->scale / soft : 1.0);
}

void wy_equilibrium_error_units(double unit[D], const beam_model *m, const double *y, size_t nodes) {
    for (size_t c = 0; c < D; c++)
        unit[c] = wy_equilibrium_error_unit(m, c);
    for (size_t i = 0; i < nodes; i++)
        for (size_t c = 0; c < WY_REST_Q; c += 3) {
            const double *v = y + i * D + c, size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            for (size_t k = c; k < c + 3; k++)
                unit[k] = fmax(unit[k], size);
        }
}

void wy_equilibrium_error_monitor(double *monitor, const double *local, const double unit[D], size_t elements) {
    for (size_t e = 0; e < elements; e++) {
        monitor[e] = 1e-17; /* round-off says nothing about where nodes are wanted */
        for (size_t c = 0; c < D; c++)
            monitor[e] = fmax(monitor[e], fabs(local[e * D + c]) / unit[c]);
    }
}

double wy_equilibrium_error_floor(const beam_model *m, double force_unit) {
    return 10.0 * DBL_EPSILON * m->stiffest / force_unit;
}

/* ---- the estimate ---- */

/* Of a solution by collocation whose stages the solver holds; infinite where the equations are singular. `room`: (2 elements +
 * 2 (elements + 1)) x 13 numbers. */
static double of_collocation(wy_bvp_solver *solver, const double *y, const double unit[D], double *room,
                             double march[2]) {
    const size_t N = solver->bvp.elements;
    double *local = room, *miss = local + N * D, *row = miss + (N + 1) * D, dlambda, worst = 0.0;
    memset(row, 0, (N + 1) * D * sizeof *row);
    if (!wy_collocation_relax(solver, y) || wy_collocation_local_error(solver, y, false, local, NULL) ||
        wy_collocation_error(solver, y, row, 1.0, local, miss, &dlambda, NULL))
        return INFINITY;
    wy_equilibrium_march_growth(&march[0], &march[1], solver, y, local, unit);
    for (size_t i = 0; i < (N + 1) * D; i++) {
        if (!isfinite(miss[i])) /* fmax would pass over it */
            return INFINITY;
        worst = fmax(worst, fabs(miss[i]) / unit[i % D]);
    }
    return worst;
}

/* A solution by shooting is compared with that by collocation of order 6 on the same mesh. */
static wy_status of_shooting(double *error, wy_equilibrium *b, const double unit[D], double *room, double march[2],
                             wy_error *err) {
    const size_t n = (b->model->elements + 1) * D;
    const wy_bvp bvp = wy_equilibrium_model_bvp(b->model);
    wy_bvp_solver *other;
    double *y = room + 2 * n + b->model->elements * D;
    const wy_status s = wy_collocation_create(&other, &bvp, 6, err);
    if (s)
        return s;
    memcpy(y, b->y, n * sizeof *y);
    wy_bvp_stats now = {0};
    const wy_newton newton = {.max_iterations = b->method.max_iterations, .limit = 2.0};
    *error = INFINITY;
    if (!wy_bvp_solver_correct(other, &newton, y, &now, NULL)) {
        *error = of_collocation(other, y, unit, room, march);
        double apart = 0.0;
        for (size_t i = 0; i < n; i++)
            apart = fmax(apart, fabs(y[i] - b->y[i]) / unit[i % D]);
        *error += apart;
    }
    wy_bvp_solver_free(other);
    return WY_OK;
}

wy_status wy_equilibrium_estimate_march(double *error, double *grows, double *march, wy_equilibrium *b, wy_error *err) {
    *error = *grows = *march = -1.0;
    if (!b->solved)
        return wy_fail(err, WY_BAD_INPUT, "there is no solution whose error could be estimated");
    const size_t nodes = b->model->elements + 1;
    double unit[D], *room = malloc(4 * nodes * D * sizeof *room), found = INFINITY, along[2] = {-1.0, -1.0};
    if (!room)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the error of %zu nodes", nodes);
    wy_equilibrium_error_units(unit, b->model, b->y, nodes);
    wy_status s = WY_OK;
    if (b->method.solver == WY_COLLOCATION)
        found = of_collocation(b->solver, b->y, unit, room, along);
    else
        s = of_shooting(&found, b, unit, room, along, err);
    free(room);
    if (!s && isfinite(found)) {
        /* below what round-off, the Newton step and the end conditions leave there is nothing to be known */
        const double rest = fmax(fmax(b->stats.residual, wy_equilibrium_error_floor(b->model, unit[WY_REST_P])),
                                 b->stats.step / unit[WY_REST_P]);
        *error = fmax(found, rest);
        *grows = along[0];
        if (along[0] >= 0.0)
            *march = fmin(b->method.solver == WY_COLLOCATION ? along[1] + rest * along[0] : *error * (1.0 + along[0]),
                          WY_REST_MARCH_MOST);
    }
    return s;
}

wy_status wy_equilibrium_estimate(double *error, wy_equilibrium *b, wy_error *err) {
    double grows, march;
    return wy_equilibrium_estimate_march(error, &grows, &march, b, err);
}

/* ---- energy ---- */

/* By Gauss's rule with three points on the solution between the nodes: strain energy 1/2 (P.C_P^-1 P + M.C_M^-1 M) and what the
 * loads have done. */
void wy_equilibrium_energies_of(double *strain, double *potential, const beam_model *m, const wy_bvp *bvp,
                                const double *y) {
    const double *const c = wy_gauss_at[2], *const b = wy_gauss_weight[2];
    double sum = 0.0, load = 0.0;
    for (size_t e = 0; e < m->elements; e++) {
        const double h = m->s[e + 1] - m->s[e];
        for (int l = 0; l < 3; l++) {
            double at[D];
            wy_mesh_solution(at, bvp, y, e, m->s[e] + c[l] * h);
            const beam_place p = wy_equilibrium_model_place(m, m->s[e] + c[l] * h, e, at);
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
    if (!b->solved)
        return wy_fail(err, WY_BAD_INPUT, "there is no solution whose energy could be computed");
    const wy_bvp bvp = wy_equilibrium_model_bvp(b->model);
    wy_equilibrium_energies_of(strain, potential, b->model, &bvp, b->y);
    *strain *= b->model->force * b->model->L;
    *potential *= b->model->force * b->model->L;
    return WY_OK;
}
