/* A better mesh for one equilibrium: the error estimate and the redistribution of docs/math/branches.md (8.12)-(8.16),
 * at fixed ends and loads. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/given.h"
#include "equilibrium/equilibrium_error.h"
#include "equilibrium/equilibrium_solver.h"
#include "solve/mesh.h"

enum { D = WY_STATIC_DIM };

typedef struct refinement {
    wy_equilibrium *b;
    double *local, *miss, *row; /* elements x 13, nodes x 13, zeros */
    double *next, *nodes, *old_nodes, *monitor, *measure;
    size_t *piece, *old_piece;
    double *memory;
} refinement;

static wy_status reserve_refinement(refinement *r, wy_equilibrium *b, size_t most, wy_error *err) {
    const size_t n = most + 1, now = b->model->elements + 1;
    *r = (refinement){.b = b,
                      .memory = calloc(n * (4 * D + 4), sizeof(double)),
                      .piece = calloc(n, sizeof *r->piece),
                      .old_piece = calloc(n, sizeof *r->old_piece)};
    double *y = calloc(n * (2 * D + 1), sizeof *y);
    if (!r->memory || !r->piece || !r->old_piece || !y) {
        free(y);
        return wy_fail(err, WY_NO_MEMORY, "no memory for meshes of %zu elements", most);
    }
    double **const wide[] = {&r->local, &r->miss, &r->row, &r->next},
                   **const narrow[] = {&r->nodes, &r->old_nodes, &r->monitor, &r->measure};
    double *at = r->memory;
    for (int i = 0; i < 4; i++, at += n * D)
        *wide[i] = at;
    for (int i = 0; i < 4; i++, at += n)
        *narrow[i] = at;
    memcpy(y, b->y, now * D * sizeof *y);
    memcpy(y + n * D, b->si, now * D * sizeof *y);
    memcpy(y + 2 * n * D, b->s_si, now * sizeof *y);
    free(b->y);
    b->y = y;
    b->si = y + n * D;
    b->s_si = y + 2 * n * D;
    wy_status s = wy_equilibrium_model_reserve(b->model, most, err);
    if (s)
        return s;
    b->solver->bvp.s = b->model->s; /* the arrays have moved */
    wy_bvp bvp = wy_equilibrium_model_bvp(b->model);
    bvp.elements = most;
    wy_bvp_solver *solver;
    s = wy_collocation_create(&solver, &bvp, b->method.order, err);
    if (s)
        return s;
    wy_collocation_resize(solver, b->model->elements);
    wy_bvp_solver_free(b->solver);
    b->solver = solver;
    return WY_OK;
}

/* The error of the solution; infinite if it is not known. */
static double estimate_refinement(refinement *r) {
    wy_equilibrium *b = r->b;
    const size_t nodes = b->model->elements + 1;
    double unit[D], dlambda, worst = 0.0;
    if (!wy_collocation_relax(b->solver, b->y) || wy_collocation_local_error(b->solver, b->y, false, r->local, NULL) ||
        wy_collocation_error(b->solver, b->y, r->row, 1.0, r->local, r->miss, &dlambda, NULL))
        return INFINITY;
    wy_equilibrium_error_units(unit, b->model, b->y, nodes);
    wy_equilibrium_error_monitor(r->monitor, r->local, unit, nodes - 1);
    for (size_t i = 0; i < nodes * D; i++)
        worst = fmax(worst, fabs(r->miss[i]) / unit[i % D]);
    return isfinite(worst) ? worst : INFINITY;
}

/* Solves on the mesh r->nodes; on failure nothing changes. */
static bool solve_on_new_mesh(refinement *r, size_t elements) {
    wy_equilibrium *b = r->b;
    equilibrium_model *m = b->model;
    const size_t old = m->elements;
    size_t e = 0;
    for (size_t i = 0; i <= elements; i++) {
        e = wy_mesh_find(&b->solver->bvp, r->nodes[i], e);
        wy_mesh_solution(r->next + i * D, &b->solver->bvp, b->y, e, r->nodes[i]);
        wy_quat_normalize(r->next + i * D + WY_STATIC_Q, r->next + i * D + WY_STATIC_Q);
    }
    memcpy(r->old_nodes, m->s, (old + 1) * sizeof *m->s);
    memcpy(r->old_piece, m->piece, old * sizeof *m->piece);
    wy_equilibrium_model_mesh(m, elements, r->nodes, r->piece);
    wy_collocation_resize(b->solver, elements);
    wy_bvp_stats now = {0};
    const wy_newton newton = {.max_iterations = b->method.max_iterations, .limit = 2.0};
    if (wy_bvp_solver_correct(b->solver, &newton, r->next, &now, NULL)) {
        wy_equilibrium_model_mesh(m, old, r->old_nodes, r->old_piece);
        wy_collocation_resize(b->solver, old);
        return false;
    }
    memcpy(b->y, r->next, (elements + 1) * D * sizeof *b->y);
    return true;
}

/* The solution on the new mesh, in SI. */
static void publish_solution(wy_equilibrium *b) {
    const size_t nodes = b->model->elements + 1;
    wy_equilibrium_model_to_si(b->si, b->model, b->y, nodes);
    for (size_t i = 0; i < nodes; i++)
        b->s_si[i] = b->model->s[i] * b->model->L;
}

static void free_refinement(refinement *r) {
    free(r->memory);
    free(r->piece);
    free(r->old_piece);
}

wy_status wy_equilibrium_refine(wy_equilibrium *b, double tolerance, size_t most, double *error, wy_error *err) {
    WY_GIVEN(b, err);
    if (!b->solved || b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_BAD_INPUT, "a mesh is refined for a solution by collocation");
    if (!(tolerance > 0.0) || most > 10000000)
        return wy_fail(err, WY_BAD_INPUT, "tolerance %g, at most %zu elements: expected > 0, at most 1e7", tolerance,
                       most);
    refinement r;
    const int power = b->method.order + 1;
    wy_status s = reserve_refinement(&r, b, most > b->model->elements ? most : b->model->elements, err);
    double now = s ? INFINITY : estimate_refinement(&r);
    for (int it = 0; it < 8 && !s && now > tolerance && isfinite(now); it++) {
        const size_t N = b->model->elements;
        const wy_mesh_need need = wy_mesh_weigh(r.measure, r.monitor, &b->solver->bvp, power);
        const double count =
            fmin(fmin(fmax(ceil(wy_mesh_count(&need, now, 0.15 * tolerance, N, power)), (double)N), 4.0 * (double)N),
                 (double)(most > N ? most : N));
        const size_t made = wy_mesh_equidistribute(r.nodes, r.piece, (size_t)count, most > N ? most : N, r.measure,
                                                   &b->solver->bvp, b->model->piece);
        const double before = now;
        if (made == 0 || !solve_on_new_mesh(&r, made))
            break;
        now = estimate_refinement(&r);
        if (!(now < 0.7 * before)) /* no more gain: round-off, or the limit of elements */
            break;
    }
    publish_solution(b);
    if (error && !s)
        *error = now;
    free_refinement(&r);
    return s;
}

wy_status wy_equilibrium_halve(wy_equilibrium *b, wy_error *err) {
    if (!b->solved || b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_BAD_INPUT, "a mesh is halved for a solution by collocation");
    refinement r;
    const size_t N = b->model->elements;
    wy_status s = reserve_refinement(&r, b, 2 * N, err);
    for (size_t e = 0; e < N && !s; e++) {
        r.nodes[2 * e] = b->model->s[e];
        r.nodes[2 * e + 1] = 0.5 * (b->model->s[e] + b->model->s[e + 1]);
        r.piece[2 * e] = r.piece[2 * e + 1] = b->model->piece[e];
    }
    if (!s) {
        r.nodes[2 * N] = b->model->s[N];
        if (!solve_on_new_mesh(&r, 2 * N))
            s = wy_fail(err, WY_NO_CONVERGENCE, "the solution was lost on the mesh of %zu elements", 2 * N);
        else
            publish_solution(b);
    }
    free_refinement(&r);
    return s;
}

wy_status wy_equilibrium_split(wy_equilibrium *b, const double *s, size_t count, wy_error *err) {
    if (!b->solved || b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_BAD_INPUT, "a mesh is split for a solution by collocation");
    const equilibrium_model *m = b->model;
    const size_t N = m->elements;
    const double near = 0.3; /* of an element: shorter ones would lose digits */
    refinement r;
    const wy_status status = reserve_refinement(&r, b, N + count, err);
    size_t made = 0, next = 0;
    double last = -1.0; /* the last point with a new node */
    for (size_t e = 0; e < N && !status; e++) {
        const double from = m->s[e], until = m->s[e + 1], h = until - from;
        const bool stays =
            made && r.nodes[made - 1] == last && from - last < near * h && m->piece[e - 1] == m->piece[e];
        if (!stays) { /* else the previous node was moved from here */
            r.piece[made] = m->piece[e];
            r.nodes[made++] = from;
        }
        for (; next < count && s[next] < until; next++) {
            const bool movable = e > 0 && m->piece[e - 1] == m->piece[e] && r.nodes[made - 1] == from;
            if (s[next] - last < near * h && last >= 0.0)
                continue;
            if (movable && s[next] - from < near * h)
                made--;
            else if (s[next] - from < 1e-3 * h || until - s[next] < 1e-3 * h)
                continue;
            r.piece[made] = m->piece[e];
            r.nodes[made++] = last = s[next];
        }
    }
    wy_status done = status;
    if (!done && last >= 0.0) {
        r.nodes[made] = m->s[N];
        if (!solve_on_new_mesh(&r, made))
            done = wy_fail(err, WY_NO_CONVERGENCE, "the solution was lost on the mesh of %zu elements", made);
        else
            publish_solution(b);
    }
    free_refinement(&r);
    return done;
}
