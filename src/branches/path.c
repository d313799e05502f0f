/* Pseudo-arclength steps: Newton with a free parameter, tangents, the probe of null vectors.
 *
 *   F(y, lambda) = 0,   <t, y - y_0> + t_lambda (lambda - lambda_0)/scale^2 = ds                              (8.1)
 *
 * solved as one bordered almost block diagonal system, which is regular at folds. */
#include "branches/path.h"
#include "equilibrium/equilibrium_error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = WY_STATIC_DIM };

double wy_path_dot(const branch_path *p, const double *a, double a_slope, const double *b, double b_slope) {
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->weight[i] * a[i] * b[i];
    return sum + a_slope * b_slope / (p->scale * p->scale);
}

wy_status wy_path_point_create(path_point *point, const branch_path *p, wy_error *err) {
    const size_t nodes = p->most + 1;
    *point = (path_point){.y = calloc(nodes * (2 * D + 1), sizeof(double)),
                          .piece = calloc(p->most, sizeof *point->piece),
                          .error = -1.0,
                          .off = -1.0};
    if (!point->y || !point->piece) {
        wy_path_point_free(point);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a solution of %zu nodes", nodes);
    }
    point->t = point->y + nodes * D;
    point->s = point->t + nodes * D;
    return WY_OK;
}

void wy_path_point_free(path_point *point) {
    free(point->y);
    free(point->piece);
    *point = (path_point){0};
}

void wy_path_point_copy(path_point *to, const path_point *from) {
    double *y = to->y, *t = to->t, *s = to->s;
    size_t *piece = to->piece;
    const size_t nodes = from->elements + 1;
    memcpy(y, from->y, nodes * D * sizeof *y);
    memcpy(t, from->t, nodes * D * sizeof *t);
    memcpy(s, from->s, nodes * sizeof *s);
    memcpy(piece, from->piece, from->elements * sizeof *piece);
    *to = *from;
    to->y = y;
    to->t = t;
    to->s = s;
    to->piece = piece;
}

void wy_path_point_mesh(path_point *point, const branch_path *p) {
    point->elements = p->model->elements;
    memcpy(point->s, p->model->s, p->nodes * sizeof *point->s);
    memcpy(point->piece, p->model->piece, point->elements * sizeof *point->piece);
}

/* Sets a model to the rod at a parameter. A lack of memory is recorded: callers that try something else after a failure
 * must not take it for one of convergence. */
static wy_status set_model_at(branch_path *p, equilibrium_model *model, double lambda, bool check, wy_error *err) {
    wy_rod_definition rod;
    wy_status s = p->problem->rod_at(&rod, p->problem->context, lambda, err);
    if (!s && check)
        s = wy_equilibrium_check(&rod, NULL, err);
    if (!s)
        s = wy_equilibrium_model_set(model, &rod, err);
    p->no_memory = p->no_memory || s == WY_NO_MEMORY;
    return s;
}

wy_status wy_path_memory(const branch_path *p, wy_error *err) {
    return p->no_memory ? wy_fail(err, WY_NO_MEMORY, "no memory for the rod at another parameter") : WY_OK;
}

wy_status wy_path_set(branch_path *p, double lambda, wy_error *err) {
    const double delta = 1e-6 * p->scale;
    wy_status s = set_model_at(p, p->model, lambda, true, err);
    if (s)
        return s;
    p->model->span = 0.0;
    equilibrium_model *const sides[2] = {p->before, p->after};
    wy_error why = {0};
    for (int i = 0; i < 2; i++) { /* if one side does not exist (a rigidity of zero), the point itself is used */
        double at = lambda + (i ? delta : -delta);
        if (set_model_at(p, sides[i], at, false, &why)) {
            at = lambda;
            s = set_model_at(p, sides[i], at, false, err);
            if (s)
                return s;
        }
        p->model->span += i ? at : -at;
    }
    if (!(p->model->span > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "the rod exists only at the parameter %.9g; next to it: %s", lambda,
                       why.text);
    return wy_path_memory(p, err);
}

/* Newton with the row p->row (and its slope); rhs is the residual of the row at the present iterate. */
static wy_status newton_on_branch(branch_path *p, path_point *out, const path_point *base, const double *d,
                                  double d_slope, double target, bool natural, wy_error *err) {
    wy_bvp_solver *solver = p->solver->solver;
    const double scale2 = p->scale * p->scale, slope = natural ? 1.0 : d_slope / scale2;
    /* A force is a rigidity times a difference of lengths: it is known only to the round-off of that rigidity. */
    double previous = INFINITY, stiffest = p->model->stiffest,
           magnitude = 1.0; /* of forces and moments, in those of a bent rod */
    wy_closed closed = {0};
    for (size_t i = 0; i < p->n; i++)
        if (i % D < WY_STATIC_Q)
            magnitude = fmax(magnitude, sqrt(wy_path_mesh_component(p, i % D)) * fabs(out->y[i]));
    const double near = magnitude * fmax(1e-7, fmin(1e-3, 200 * DBL_EPSILON * stiffest));
    for (size_t i = 0; i < p->n; i++)
        p->row[i] = natural || !d ? 0.0 : p->weight[i] * d[i];
    wy_collocation_begin(solver, out->y);
    p->stats = (wy_bvp_stats){0};
    for (int it = 1; it <= 14; it++) {
        wy_status s = wy_path_set(p, out->lambda, err);
        if (s)
            return s;
        double rhs;
        if (natural) {
            rhs = target - out->lambda;
        } else {
            for (size_t i = 0; i < p->n; i++)
                p->interior[i] = out->y[i] - base->y[i];
            rhs = target - wy_path_dot(p, d, d_slope, p->interior, out->lambda - base->lambda);
        }
        s = wy_collocation_close(solver, out->y, p->row, slope, rhs, &closed, &p->stats, err);
        if (s)
            return s;
        p->stats.iterations++;
        const double change = fabs(closed.dlambda[WY_CLOSED_STEP]) / p->scale, length = fmax(closed.length, change);
        if (!isfinite(length))
            return wy_fail(err, WY_NOT_FINITE, "the Newton step is not finite at the parameter %.9g", out->lambda);
        /* size of a step by the weights: a force may change much in a stiff rod that hardly moves */
        double size = change;
        for (size_t i = 0; i < p->n; i++)
            size = fmax(size, sqrt(wy_path_mesh_component(p, i % D)) * fabs(closed.dy[i * WY_CLOSED + WY_CLOSED_STEP]));
        const double cut = size > 1.0 ? 1.0 / size : 1.0;
        wy_collocation_advance(solver, cut, out->y, &closed);
        out->lambda += cut * closed.dlambda[WY_CLOSED_STEP];
        p->stats.step = length;
        if (length <= 64 * DBL_EPSILON || (length <= near && length >= 0.5 * previous) ||
            (it > 2 && length < 1e-10 && previous < 1e-5) ||
            /* the residual is round-off, and an ill-conditioned system amplifies it by this much */
            (it > 4 && p->stats.residual <= 1e-12 * magnitude && length <= 1e-5 * magnitude &&
             length >= 0.3 * previous)) {
            if (natural)
                out->lambda = target;
            s = wy_path_set(p, out->lambda, err);
            if (s)
                return s;
            for (size_t i = 0; i < p->n; i++)
                out->t[i] = closed.dy[i * WY_CLOSED + WY_CLOSED_TANGENT];
            out->slope = closed.dlambda[WY_CLOSED_TANGENT];
            const double norm = sqrt(wy_path_dot(p, out->t, out->slope, out->t, out->slope));
            for (size_t i = 0; i < p->n; i++)
                out->t[i] /= norm;
            out->slope /= norm;
            out->sign = closed.sign;
            out->symmetries = closed.symmetries;
            out->iterations = p->stats.iterations;
            out->error = out->off = -1.0;
            out->noise = size / magnitude;
            wy_path_point_mesh(out, p);
            return WY_OK;
        }
        if (it > 5 && length > 4.0 * previous && length > 1e-2)
            break;
        previous = length;
    }
    return wy_fail(err, WY_NO_CONVERGENCE,
                   "Newton step %.3g (residual %.3g) after %lld iterations at the parameter %.9g", p->stats.step,
                   p->stats.residual, (long long)p->stats.iterations, out->lambda);
}

/* Counts the negative directions of the solution in the collocation. */
static wy_status count_negative_at_point(branch_path *p, path_point *out, wy_error *err) {
    out->negative = -1;
    out->wave = 0.0;
    if (!wy_equilibrium_is_conservative(p->model))
        return WY_OK;
    size_t index;
    wy_status s = wy_equilibrium_stability_assemble(p->stability, p->model, p->solver->solver, out->y, false, err);
    if (!s)
        s = wy_equilibrium_stability_index(&index, p->stability, err);
    if (!s)
        out->negative = (long)index;
    out->wave = wy_equilibrium_stability_wave(p->stability);
    return s;
}

wy_status wy_path_correct(branch_path *p, path_point *out, const path_point *base, const double *d, double d_slope,
                          double length, wy_error *err) {
    const wy_status s = newton_on_branch(p, out, base, d, d_slope, length, false, err);
    return s ? s : count_negative_at_point(p, out, err);
}

wy_status wy_path_correct_at(branch_path *p, path_point *out, double lambda, double orientation, wy_error *err) {
    out->lambda = lambda;
    const wy_status s = newton_on_branch(p, out, NULL, NULL, 0.0, lambda, true, err);
    if (s)
        return s;
    if (orientation * out->slope < 0.0) {
        for (size_t i = 0; i < p->n; i++)
            out->t[i] = -out->t[i];
        out->slope = -out->slope;
        out->sign = -out->sign;
    }
    return count_negative_at_point(p, out, err);
}

wy_status wy_path_step(branch_path *p, path_point *out, const path_point *base, double length, wy_error *err) {
    for (size_t i = 0; i < p->n; i++)
        out->y[i] = base->y[i] + length * base->t[i];
    out->lambda = base->lambda + length * base->slope;
    return wy_path_correct(p, out, base, base->t, base->slope, length, err);
}

wy_status wy_path_load_solution(branch_path *p, const path_point *at, wy_error *err) {
    const wy_status s = wy_path_set(p, at->lambda, err);
    if (s)
        return s;
    return wy_collocation_relax(p->solver->solver, at->y)
               ? WY_OK
               : wy_fail(err, WY_NO_CONVERGENCE, "the stages of a solution at the parameter %.9g were lost",
                         at->lambda);
}

wy_status wy_path_symmetries(branch_path *p, size_t *count, const double *y, double lambda, wy_error *err) {
    const wy_status s = wy_path_set(p, lambda, err);
    double phase[WY_BVP_SYMMETRIES * D], redundant[6 * WY_BVP_SYMMETRIES];
    *count = s ? 0 : wy_equilibrium_symmetries(phase, redundant, y, p->model);
    return s;
}

bool wy_path_uncounted(const branch_path *p) {
    return wy_equilibrium_is_conservative(p->model) && wy_equilibrium_stability_coarse(p->stability);
}

wy_status wy_path_count(branch_path *p, path_point *at, wy_error *err) {
    wy_path_point_mesh(at, p);
    const wy_status s = wy_path_load_solution(p, at, err);
    return s ? s : count_negative_at_point(p, at, err);
}

wy_status wy_path_probe(branch_path *p, double *x, const path_point *at, wy_error *err) {
    wy_closed closed;
    wy_bvp_stats stats = {0};
    memset(p->row, 0, p->n * sizeof *p->row);
    wy_status s = wy_path_load_solution(p, at, err);
    if (!s)
        s = wy_collocation_close(p->solver->solver, at->y, p->row, 1.0, 0.0, &closed, &stats, err);
    for (size_t i = 0; i < p->n && !s; i++)
        x[i] = closed.dy[i * WY_CLOSED + WY_CLOSED_PROBE];
    return s;
}

void wy_path_destroy(branch_path *p) {
    if (p->model)
        p->model->before = p->model->after = NULL;
    wy_equilibrium_free(p->solver);
    wy_equilibrium_model_free(p->before);
    wy_equilibrium_model_free(p->after);
    wy_equilibrium_stability_free(p->stability);
    wy_path_point_free(&p->old);
    wy_path_point_free(&p->guess);
    free(p->fresh_piece);
    free(p->memory);
}

wy_status wy_path_create(branch_path *p, const wy_branch_problem *problem, const wy_branch_options *options,
                         wy_error *err) {
    *p = (branch_path){
        .problem = problem, .options = *options, .scale = options->to - options->from, .soft = {1.0, 1.0}};
    wy_rod_definition rod;
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.order = options->order;
    method.elements = options->elements;
    method.keep_unstable = true; /* unstable branches are followed too */
    wy_status s = problem->rod_at(&rod, problem->context, problem->start, err);
    if (!s)
        s = wy_equilibrium_check(&rod, NULL, err);
    if (!s)
        s = wy_equilibrium_create(&p->solver, &rod, &method, err);
    if (!s)
        p->solver->fixed_units = true; /* the models before and after use the same units */
    if (!s && !problem->states)
        s = wy_equilibrium_solve(p->solver, problem->branch, problem->mode, err);
    if (s)
        return s;
    p->model = p->solver->model;
    const size_t elements = p->model->elements;
    if (problem->states)
        wy_equilibrium_model_from_si(p->solver->y, p->model, problem->states, elements + 1);
    /* memory for the largest mesh, once */
    p->most = options->tolerance > 0.0 && options->most_elements > elements ? options->most_elements : elements;
    s = wy_equilibrium_model_create(&p->before, &rod, p->solver->method.elements, err);
    if (!s)
        s = wy_equilibrium_model_create(&p->after, &rod, p->solver->method.elements, err);
    equilibrium_model *const models[3] = {p->model, p->before, p->after};
    for (int i = 0; i < 3 && !s; i++)
        s = wy_equilibrium_model_reserve(models[i], p->most, err);
    if (!s)
        s = wy_equilibrium_stability_create(&p->stability, p->most, err);
    if (!s)
        s = wy_path_point_create(&p->old, p, err);
    if (!s)
        s = wy_path_point_create(&p->guess, p, err);
    if (s)
        return s;
    /* the collocation again, with derivatives by the parameter */
    p->model->before = p->before;
    p->model->after = p->after;
    wy_bvp bvp = wy_equilibrium_model_bvp(p->model);
    bvp.elements = p->most;
    wy_bvp_solver_free(p->solver->solver);
    p->solver->solver = NULL;
    s = wy_collocation_create(&p->solver->solver, &bvp, options->order, err);
    if (s)
        return s;
    wy_collocation_resize(p->solver->solver, elements);
    const size_t nodes = p->most + 1;
    p->memory = calloc(nodes * (5 * D + 3), sizeof *p->memory);
    p->fresh_piece = calloc(p->most, sizeof *p->fresh_piece);
    if (!p->memory || !p->fresh_piece)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a path of %zu nodes", nodes);
    double **const wide[] = {&p->weight, &p->row, &p->interior, &p->local, &p->miss},
                   **const narrow[] = {&p->monitor, &p->measure, &p->fresh};
    double *memory = p->memory;
    for (size_t i = 0; i < 5; i++, memory += nodes * D)
        *wide[i] = memory;
    for (size_t i = 0; i < 3; i++, memory += nodes)
        *narrow[i] = memory;
    wy_path_mesh_weights(p);
    p->least_floor = wy_path_mesh_floor(p);
    return WY_OK;
}
