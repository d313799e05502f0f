/* Cables: rods so long or so heavy that they hang almost like catenaries, with bending in thin layers at clamps only.
 * docs/math/statics.md 5.10.
 *
 * A clamp turns the tangent within the length sqrt(EI/|n|). Forces are of the order of the loads, and so are the units.
 * Newton on all nodes from the catenary then needs no homotopy, and the nodes are redistributed by the error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_catenary.h"
#include "equilibrium/equilibrium_error.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "solve/mesh.h"

enum { D = WY_STATIC_DIM };

/* Redistributes the elements by the error and solves again, as long as the error decreases. In the elements between
 * the layers, which are much longer than sqrt(EI/|n|), the estimate contains undamped remains of the layers: the
 * mesh with the least error is kept. */
void wy_cable_redistribute_mesh(wy_equilibrium *b) {
    equilibrium_model *m = b->model;
    const size_t N = m->elements, nodes = N + 1;
    double *scratch = malloc(nodes * (2 * D + 3) * sizeof *scratch), unit[D], least = INFINITY;
    size_t *piece = malloc(2 * nodes * sizeof *piece);
    if (!scratch || !piece) {
        free(scratch);
        free(piece);
        return;
    }
    double *local = scratch, *next = local + nodes * D, *monitor = next + nodes * D, *measure = monitor + nodes,
           *s = measure + nodes;
    double *old = b->si, *old_s = b->s_si; /* used as scratch: published later */
    size_t *old_piece = piece + nodes;
    for (int round = 0; round < 5; round++) {
        double sum = INFINITY;
        wy_mesh_need need = {0};
        if (wy_collocation_relax(b->solver, b->y) && !wy_collocation_local_error(b->solver, b->y, false, local, NULL)) {
            wy_equilibrium_error_units(unit, m, b->y, nodes);
            wy_equilibrium_error_monitor(monitor, local, unit, N);
            need = wy_mesh_weigh(measure, monitor, &b->solver->bvp, b->method.order + 1);
            sum = need.sum;
        }
        if (!(sum < least) && round > 0) { /* worse than before */
            memcpy(b->y, old, nodes * D * sizeof *old);
            wy_equilibrium_model_mesh(m, N, old_s, old_piece);
            break;
        }
        least = sum;
        if (!isfinite(sum) || sum < 2.0 * need.evenly || sum < 1e-11 ||
            wy_mesh_equidistribute(s, piece, N, N, measure, &b->solver->bvp, m->piece) != N)
            break;
        size_t e = 0;
        for (size_t i = 0; i < nodes; i++) {
            e = wy_mesh_find(&b->solver->bvp, s[i], e);
            wy_mesh_solution(next + i * D, &b->solver->bvp, b->y, e, s[i]);
            wy_quat_normalize(next + i * D + WY_STATIC_Q, next + i * D + WY_STATIC_Q);
        }
        memcpy(old, b->y, nodes * D * sizeof *old);
        memcpy(old_s, m->s, nodes * sizeof *s);
        memcpy(old_piece, m->piece, N * sizeof *piece);
        wy_equilibrium_model_mesh(m, N, s, piece);
        wy_bvp_stats now = {0};
        const wy_newton newton = {.max_iterations = 20, .tolerance = 1e-11, .limit = 1.0};
        if (wy_bvp_solver_correct(b->solver, &newton, next, &now, NULL)) {
            wy_equilibrium_model_mesh(m, N, old_s, old_piece);
            break;
        }
        memcpy(b->y, next, nodes * D * sizeof *next);
        b->stats.total_iterations += now.iterations;
        b->stats.points++;
    }
    free(scratch);
    free(piece);
}

wy_status wy_equilibrium_solve_cable(wy_equilibrium *b, double scale, cable_support hangs, wy_error *err) {
    catenary *c = calloc(1, sizeof *c);
    if (!c)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a catenary");
    c->hangs = hangs;
    if (b->model->scale == 1.0)
        wy_equilibrium_model_rescale(b->model, scale);
    equilibrium_model *m = c->m = b->model;
    const equilibrium_control target = wy_equilibrium_model_control(m, m->rod);
    m->control = target;
    equilibrium_rod *bare;
    wy_status s = wy_catenary_find(c, &bare, &target, err);
    if (s) {
        m->control = target;
        wy_equilibrium_rod_free(bare);
        free(c);
        return s;
    }
    const equilibrium_control first = m->control; /* the target, or the target without its bed */
    wy_bvp_stats now = {0};
    double layer[2];
    for (int e = 0; e < 2; e++)
        layer[e] = sqrt(fmax(m->CM[0], m->CM[1]) / fmax(v3_norm(c->n[e ? CATENARY_STEPS : 0]), 1e-12));
    const int tip = hangs == CABLE_FROM_FIRST;
    if (hangs) /* layer at the tip, where the tension grows from zero */
        layer[tip] = fmin(layer[tip], wy_pow(fmax(m->CM[0], m->CM[1]) / v3_norm(c->pull), 1.0 / 3.0));
    wy_catenary_grade_mesh(c, layer);
    const wy_newton newton = {.max_iterations = 60, .tolerance = 1e-10, .limit = 0.5};
    wy_catenary_put_rod(b->y, c, &first, layer);
    s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
    b->stats.iterations = now.iterations;
    b->stats.total_iterations += now.iterations;
    b->stats.points++;
    if (s == WY_NO_CONVERGENCE)
        s = wy_cable_turn_clamps(b, c, &first, err);
    free(c);
    if (!s)
        wy_cable_redistribute_mesh(b);
    if (!s && bare)
        s = wy_cable_lay_on_bed(b, &first, &target, err);
    m->control = target;
    wy_equilibrium_rod_free(bare);
    if (s)
        return wy_fail_at(err, s, "from the catenary");
    b->homotopy.at = target;
    b->cable = true;
    return WY_OK;
}
