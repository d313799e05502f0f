/* Following branches: adaptive steps, events, switching, the set of connected branches. docs/math/branches.md. */
#include "base/given.h"
#include "branches/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

const char *const wy_point_labels[] = {[WY_POINT_REGULAR] = "",  [WY_POINT_END] = "EP",   [WY_POINT_FOLD] = "LP",
                                       [WY_POINT_BRANCH] = "BP", [WY_POINT_VALUE] = "UZ", NULL};

const char *const wy_branch_types[] = {[WY_TYPE_NONE] = "",
                                       [WY_TYPE_UNKNOWN] = "unknown type",
                                       [WY_TYPE_TRANSCRITICAL] = "transcritical",
                                       [WY_TYPE_SUBCRITICAL] = "subcritical pitchfork",
                                       [WY_TYPE_SUPERCRITICAL] = "supercritical pitchfork",
                                       NULL};

void wy_branch_options_init(wy_branch_options *options) {
    *options = (wy_branch_options){.from = 0.0,
                                   .to = 1.0,
                                   .order = 6,
                                   .elements = 64,
                                   .tolerance = 1e-9,
                                   .most_elements = 1024,
                                   .step = 0.02,
                                   .least_step = 1e-6,
                                   .largest_step = 0.15,
                                   .points = 500,
                                   .branches = 1,
                                   .most_negative = -1,
                                   .eigenvalues = 2};
}

static double solution_distance(const explorer *x, const path_point *p, const path_point *q) {
    double *d = x->path.interior;
    for (size_t i = 0; i < x->path.n; i++)
        d[i] = p->y[i] - q->y[i];
    return sqrt(wy_path_dot(&x->path, d, p->lambda - q->lambda, d, p->lambda - q->lambda));
}

/* The error of the branch point in x->first: of the solutions near it (at the point itself the equations are
 * singular), of its position by the mesh, and by its search. True if the mesh's contribution exceeds the tolerance
 * and x->now has a better mesh. */
static bool branch_point_needs_mesh(explorer *x, double shift, double uncertainty) {
    branch_path *p = &x->path;
    const double nearby = fmax(x->now.off, x->next.off), along = shift + uncertainty;
    x->first.error = fmax(along, fmax(x->now.error, x->next.error));
    x->first.off = shift < 0.0 || nearby < 0.0 ? -1.0 : nearby + along * fabs(x->first.slope);
    if (!wy_path_mesh_too_coarse(p, shift) || x->finer >= 3)
        return false;
    x->finer++;
    return wy_path_mesh_improve(p, &x->now, &x->origin, shift, true);
}

/* Newton failed, for any reason: another attempt is possible. */
static bool can_retry(wy_status s) {
    return s && s != WY_NO_MEMORY && s != WY_CANCELLED;
}

/* Locates the first special point of the step, in x->first, `root` from now; the step is cut if it has more than one.
 * With `again` the step is to be repeated on a better mesh. A status of can_retry: the point exists and was not
 * located. */
static wy_status locate_special_point(explorer *x, double *root, double *kernel_slope, bool *again, wy_error *err) {
    while (true) {
        const event e = wy_explore_event(&x->now, &x->next);
        double shift = -1.0, uncertainty = 0.0;
        bool less = false;
        wy_status s = WY_NO_CONVERGENCE;
        *kernel_slope = 0.0;
        if (e == EVENT_FOLD)
            s = wy_explore_refine_fold(x, root, err);
        else if (e == EVENT_VERTEX)
            s = wy_explore_refine_vertex(x, root, kernel_slope, err);
        else if (e == EVENT_BRANCH)
            s = wy_explore_refine_branch_point(x, root, &uncertainty, err);
        if (!s && x->now.off < 0.0 && x->next.off < 0.0 && !wy_path_load_solution(&x->path, &x->next, NULL))
            wy_path_mesh_estimate(&x->path, &x->next); /* the step was cut: not known yet */
        if (!s && e == EVENT_BRANCH)
            shift = wy_explore_refine_error(x, &x->near[EXPLORE_NEAR / 2], *root);
        if (!s && e == EVENT_VERTEX)
            shift = 0.0; /* the parameter has an extremum there */
        if (can_retry(s)) {
            s = wy_explore_refine_first(x, root, &uncertainty, &less, err);
            if (!s && !less)
                shift = wy_explore_refine_error(x, &x->next, *root);
        }
        if (!s && less)
            continue;
        if (!s && e != EVENT_FOLD)
            *again = branch_point_needs_mesh(x, shift, uncertainty);
        return s;
    }
}

/* Compares the first branch point of a branch that is straight in the space of solutions with linear buckling. The
 * deformation before buckling may make a difference. */
static void compare_linear(explorer *x, const path_point *at, bool is_branch_point) {
    branch_path *p = &x->path;
    const path_point *o = &x->origin;
    if (!x->linear_open)
        return;
    for (size_t i = 0; i < p->n; i++)
        p->interior[i] = at->y[i] - o->y[i];
    const double by = at->lambda - o->lambda, length = sqrt(wy_path_dot(p, p->interior, by, p->interior, by)),
                 along = wy_path_dot(p, p->interior, by, o->t, o->slope), expected = x->linear - o->lambda,
                 strain = v3_norm(at->y) / fmin(p->model->CP[0], fmin(p->model->CP[1], p->model->CP[2])),
                 off = (at->lambda - x->linear) / expected, within = x->linear_within + 5.0 * strain;
    x->linear_open = along > 0.999 * length && !is_branch_point && !(off > within);
    x->linear_off = along > 0.999 * length && (is_branch_point ? fabs(off) > within : off > within);
}

/* Reports the special point of the accepted step of length *ds, and requested values. If the step has more than one
 * special point, x->next and *ds are cut to contain the first of them. With `again` nothing was reported: the step
 * is to be repeated on a better mesh. */
static wy_status pass_special_points(explorer *x, double *ds, bool *over, bool *again, wy_error *err) {
    event e = wy_explore_event(&x->now, &x->next);
    x->ds = *ds;
    if (e == EVENT_NONE) {
        compare_linear(x, &x->next, false);
        return wy_explore_values_pass(x, &x->now, 0.0, &x->next, *ds, err);
    }
    double root = 0.0, kernel_slope = 0.0;
    wy_status s = locate_special_point(x, &root, &kernel_slope, again, err);
    if (*again)
        return s;
    x->finer = 0;
    e = wy_explore_event(&x->now, &x->next);
    if (x->ds != *ds) { /* the step was cut */
        *ds = x->ds;
        if (!wy_path_load_solution(&x->path, &x->next, NULL))
            wy_path_mesh_estimate(&x->path, &x->next);
    }
    if (can_retry(s)) { /* the count stays unexplained: report that, and label nothing */
        const wy_status memory = wy_path_memory(&x->path, err);
        const long change = x->now.negative < 0 ? 1 : labs(x->next.negative - x->now.negative);
        x->missing = change > 0 ? change : 1;
        x->missing_from = x->now.lambda;
        x->linear_open = false;
        return memory || e != EVENT_BRANCH ? memory : wy_explore_values_pass(x, &x->now, 0.0, &x->next, *ds, err);
    }
    if (!s)
        s = wy_explore_values_pass(x, &x->now, 0.0, &x->first, root, err);
    if (s)
        return s;
    x->multiplicity = e == EVENT_BRANCH && x->now.negative >= 0 ? (size_t)labs(x->next.negative - x->now.negative) : 1;
    compare_linear(x, &x->first, true);
    if (e == EVENT_FOLD) {
        const double before = x->arclength;
        s = wy_path_load_solution(&x->path, &x->first, err);
        x->arclength += root;
        if (!s)
            s = wy_explore_report(x, &x->first, WY_POINT_FOLD, wy_explore_report_label(x, WY_POINT_FOLD), WY_END_NONE,
                                  NULL, err);
        x->arclength = before;
    } else {
        s = wy_explore_branch_points_pass(x, root, kernel_slope, e == EVENT_VERTEX, over, err);
    }
    return s || *over ? s : wy_explore_values_pass(x, &x->first, root, &x->next, *ds, err);
}

/* Ends the step at a bound: next becomes the solution with exactly that parameter. */
static wy_status stop_at_bound(explorer *x, double *ds, double bound, wy_error *err) {
    branch_path *p = &x->path;
    const wy_status s = wy_explore_values_correct(x, &x->a, &x->now, &x->next, bound, err);
    if (s)
        return s;
    wy_path_point_copy(&x->next, &x->a);
    for (size_t i = 0; i < p->n; i++) /* from now to the bound, along now's tangent: the measure of steps */
        p->interior[i] = x->next.y[i] - x->now.y[i];
    *ds = wy_path_dot(p, x->now.t, x->now.slope, p->interior, x->next.lambda - x->now.lambda);
    return WY_OK;
}

static wy_status finish_branch(explorer *x, const path_point *at, wy_branch_end why, wy_error *err) {
    const wy_status s = wy_path_load_solution(&x->path, at, err);
    return s ? s : wy_explore_report(x, at, WY_POINT_END, wy_explore_report_label(x, WY_POINT_END), why, NULL, err);
}

/* If a step across a bound is impossible (there is no rod on the other side): the solution on the bound itself, from
 * the tangent, into x->next. False if the step does not reach a bound, or no solution is found there. */
static bool meets_bound(explorer *x, double *ds) {
    branch_path *p = &x->path;
    const double bound = x->now.slope > 0.0 ? p->options.to : p->options.from;
    const double length = (bound - x->now.lambda) / x->now.slope;
    if (!(length > 0.0 && length <= *ds))
        return false;
    wy_path_point_copy(&x->next, &x->now);
    for (size_t i = 0; i < p->n; i++)
        x->next.y[i] += length * x->now.t[i];
    x->next.lambda = bound;
    wy_path_point_copy(&x->b, &x->next);
    return !stop_at_bound(x, ds, bound, NULL) && solution_distance(x, &x->next, &x->b) <= 0.3 * length + 1e-6;
}

/* If the error of next exceeds the tolerance: a better mesh for now, with which the step is repeated. */
static bool refine_mesh(explorer *x, double *last, size_t *last_elements) {
    branch_path *p = &x->path;
    wy_path_mesh_estimate(p, &x->next);
    const double error = x->next.error;
    if (!wy_path_mesh_too_coarse(p, error))
        return false;
    if (*last > 0.0 && (double)p->model->elements > 1.3 * (double)*last_elements && error > 0.5 * *last) {
        p->floor = fmax(p->floor, fmin(error, *last)); /* more elements do not help: this is round-off */
        return false;
    }
    *last = error;
    *last_elements = p->model->elements;
    return wy_path_mesh_improve(p, &x->now, &x->origin, error, true);
}

/* Why the branch ends at x->next, if it does. */
static wy_branch_end branch_end(explorer *x, double ds, size_t points) {
    const branch_path *p = &x->path;
    const path_point *origin = &x->origin;
    if (points >= p->options.points)
        return WY_END_POINTS;
    if (p->options.most_negative >= 0 && x->next.negative > p->options.most_negative)
        return WY_END_NEGATIVE;
    bool home = points > 8 && solution_distance(x, &x->next, origin) < 0.6 * ds &&
                wy_path_dot(p, x->next.t, x->next.slope, origin->t, origin->slope) > 0.8;
    /* ... or an image of its start, at the same parameter: the continuation is known */
    if (!home && points > 8 && !p->options.mirrors && x->next.slope * origin->slope > 0.0 &&
        (x->now.lambda - origin->lambda) * (x->next.lambda - origin->lambda) <= 0.0 &&
        !wy_explore_values_correct(x, &x->a, &x->now, &x->next, origin->lambda, NULL) &&
        !wy_path_load_solution(&x->path, &x->a, NULL)) {
        const solution_signature here = wy_explore_signature(x, &x->a);
        home = wy_explore_same_signature(x, &here, &x->home);
    }
    x->closed = home;
    return home ? WY_END_CLOSED : WY_END_NONE;
}

/* Follows the branch from x->now to its end. */
static wy_status follow_branch(explorer *x, wy_error *err) {
    branch_path *p = &x->path;
    const wy_branch_options *o = &p->options;
    double ds = o->step, last = 0.0;
    wy_status s = WY_OK;
    if (wy_path_mesh_set_force_unit(p, &x->now))
        wy_path_mesh_normalise(p, &x->now);
    wy_path_point_copy(&x->origin, &x->now);
    x->closed = false;
    x->home = wy_explore_signature(x, &x->now); /* it is in the collocation */
    size_t points = 0, last_elements = 0, crawl = 0;
    bool over = false;
    p->floor = p->least_floor;
    x->nearest_now.known = false;
    x->nearest_now.rate = 0.0;
    while (!s && !over) {
        wy_error why;
        double taken = ds;
        wy_status tried = wy_path_step(p, &x->next, &x->now, ds, &why);
        const double cosine = tried ? 0.0 : wy_path_dot(p, x->now.t, x->now.slope, x->next.t, x->next.slope);
        if (tried == WY_NO_MEMORY || tried == WY_CANCELLED)
            s = wy_fail(err, tried, "%s", why.text);
        if (!s)
            s = wy_path_memory(p, err);
        if (s)
            break;
        bool at_bound = tried && meets_bound(x, &taken);
        if ((tried && !at_bound) || (!at_bound && cosine < 0.95)) {
            if (tried && wy_path_uncounted(p) && wy_path_mesh_halve(p, &x->now, &x->origin))
                continue;
            ds *= 0.5;
            if (ds < o->least_step) {
                s = finish_branch(x, &x->now, WY_END_STUCK, err);
                over = true;
            }
            continue;
        }
        if (wy_path_mesh_unresolved(p, &x->next) && wy_path_mesh_halve(p, &x->now, &x->origin))
            continue;
        if (!at_bound && refine_mesh(x, &last, &last_elements))
            continue;
        last = 0.0;
        if (!at_bound && (x->next.lambda > o->to || x->next.lambda < o->from)) {
            if (x->now.slope * x->next.slope < 0.0 &&
                ds > 1e-4) { /* the bound is before or after a fold: approach it */
                ds *= 0.3;
                continue;
            }
            s = stop_at_bound(x, &taken, x->next.lambda > o->to ? o->to : o->from, err);
            at_bound = true;
        }
        const double error = x->next.error;
        const int64_t iterations = x->next.iterations;
        const double whole = taken;
        bool again = false;
        long hidden = 0;
        if (!s)
            s = wy_explore_pairs_hidden(x, taken, &hidden, err);
        if (!s && hidden > 0 && taken > 100.0 * o->least_step) { /* half of the step may separate them */
            ds = 0.5 * taken;
            continue;
        }
        if (hidden > 0) {
            x->missing = hidden;
            x->missing_from = x->now.lambda;
        }
        if (!s)
            s = pass_special_points(x, &taken, &over, &again, err);
        if (!s && again)
            continue;
        at_bound = at_bound && taken == whole;
        x->arclength += taken;
        points++;
        if (s || over)
            break;
        wy_branch_end why_not = at_bound ? WY_END_BOUND : branch_end(x, taken, points);
        crawl = ds < 100.0 * o->least_step ? crawl + 1 : 0;
        if (!why_not && crawl >= 20) /* many tiny steps in a row: no progress */
            why_not = WY_END_STUCK;
        s = why_not ? finish_branch(x, &x->next, why_not, err) : wy_path_load_solution(p, &x->next, err);
        over = why_not != WY_END_NONE;
        if (!s && !over)
            s = wy_explore_report(x, &x->next, WY_POINT_REGULAR, 0, WY_END_NONE, NULL, err);
        wy_path_point_copy(&x->now, &x->next);
        wy_explore_pairs_advance(x, taken == whole);
        if (taken == whole && iterations <= 5 && cosine > 0.98)
            ds = fmin(o->largest_step, 1.5 * ds);
        else if (iterations >= 8)
            ds *= 0.6;
        if (!s && !over && o->tolerance > 0.0 && (p->model->elements > o->elements || error > 0.3 * o->tolerance)) {
            if (p->monitored != x->next.y) /* the monitor of this point, not of the special points before it */
                wy_path_mesh_estimate(p, &x->now);
            (void)wy_path_mesh_improve(p, &x->now, &x->origin, x->now.error, false);
        }
        if (!s && !over && wy_path_mesh_set_force_unit(p, &x->now)) {
            wy_path_mesh_normalise(p, &x->now);
            wy_path_mesh_normalise(p, &x->origin);
        }
    }
    return s;
}

/* Linear buckling: the second variations of the start and of a step from it, extrapolated linearly. Two step lengths
 * show how linear they are; without linearity there is no prediction. (8.11b) */
static wy_status buckle_linearly(explorer *x, const path_point *start, wy_error *err) {
    branch_path *p = &x->path;
    const double steps[] = {0.2, 0.1};
    double at[2] = {INFINITY, INFINITY}, lambda[2] = {0.0, 0.0};
    x->linear = INFINITY;
    x->linear_open = false;
    if (start->negative < 0 || start->slope == 0.0)
        return WY_OK;
    for (int i = 0; i < 2; i++) {
        if (wy_path_step(p, &x->a, start, steps[i], NULL) || x->a.symmetries != start->symmetries)
            break;
        wy_equilibrium_stability_remember(p->stability); /* the Hessian with which x->a was counted */
        const double slope = (x->a.lambda - start->lambda) / steps[i];
        if (wy_path_load_solution(p, start, NULL) ||
            wy_equilibrium_stability_linear(&at[i], steps[i], 1e3, p->stability, p->model, p->solver->solver, start->y,
                                            NULL))
            break;
        lambda[i] = at[i] * slope;
    }
    if (isfinite(at[0]) &&
        isfinite(at[1])) { /* the error is proportional to the distance, and that of twice the step is known */
        x->linear = start->lambda + lambda[1];
        x->linear_within =
            0.01 + 1e3 * p->least_floor + fabs(lambda[1] / lambda[0] - 1.0) * fmax(10.0, 2.0 * at[1] / steps[1]);
        x->linear_open = x->linear_within < 0.2;
    }
    if (wy_path_memory(p, err))
        return WY_NO_MEMORY;
    return wy_path_load_solution(p, start, err);
}

/* The start, on a mesh that is fine enough for it. */
static wy_status begin_exploration(explorer *x, wy_error *err) {
    branch_path *p = &x->path;
    p->floor = p->least_floor;
    memcpy(x->start.y, p->solver->y, p->n * sizeof(double));
    wy_status s = wy_path_correct_at(p, &x->start, p->problem->start, 1.0, err);
    if (s)
        return wy_fail_at(err, s, "the start");
    for (int it = 0; it < 6; it++) {
        wy_path_mesh_estimate(p, &x->start);
        if (!wy_path_mesh_too_coarse(p, x->start.error) ||
            !wy_path_mesh_improve(p, &x->start, NULL, x->start.error, true))
            break;
        s = wy_path_correct_at(p, &x->start, p->problem->start, 1.0, err);
        if (s)
            return wy_fail_at(err, s, "the start on %zu elements", p->model->elements);
    }
    return wy_path_memory(p, err);
}

/* Result of a direction from a branch point: no branch, or the image of the other direction; a known branch that
 * ended there; a new branch. */
typedef enum switch_result { SWITCH_NOTHING_NEW, SWITCH_KNOWN, SWITCH_FOLLOWED } switch_result;

/* Follows the i-th branch point in one direction along its kernel, unless that was done before; `one`: the solution
 * next to it in the other direction. */
static wy_status follow_direction(explorer *x, size_t i, int sign, solution_signature *one, switch_result *what,
                                  wy_error *err) {
    const wy_branch_options *o = &x->path.options;
    branch_path *p = &x->path;
    branch_point *j = &x->branch_points[i];
    *what = SWITCH_NOTHING_NEW;
    if (wy_explore_branch_points_switch(x, j, sign, err))
        return wy_path_memory(p, err);
    if (x->now.lambda > o->to || x->now.lambda < o->from)
        return WY_OK;
    bool known = false;
    wy_status s = WY_OK;
    if (!o->mirrors && isfinite(one->lambda))
        s = wy_explore_branch_points_image(x, j, one, &known, err);
    if (!s && !known)
        s = wy_explore_branch_points_reflected(x, i, &known, err);
    if (s || known)
        return s;
    if (!o->mirrors)
        s = wy_explore_branch_points_followed(x, j, &known, err);
    *what = known ? SWITCH_KNOWN : SWITCH_FOLLOWED;
    if (s || known)
        return s;
    x->parent = j->number;
    x->spinning = false;
    x->point = 0;
    x->arclength = 0.0;
    wy_path_point_copy(&x->first, &x->now);
    memcpy(j->through, x->now.t, p->n * sizeof *j->through);
    j->through_slope = x->now.slope;
    s = wy_path_load_solution(p, &j->at, err); /* the branch starts at the branch point */
    x->multiplicity = j->multiplicity;
    x->type = j->type;
    const long missing = x->missing;
    x->missing = 0;
    if (!s)
        s = wy_explore_report(x, &j->at, WY_POINT_BRANCH, j->number, WY_END_START, NULL, err);
    x->missing = missing;
    x->arclength = solution_distance(x, &x->first, &j->at);
    if (!s)
        s = wy_path_load_solution(p, &x->first, err);
    if (!s)
        s = wy_explore_report(x, &x->first, WY_POINT_REGULAR, 0, WY_END_NONE, NULL, err);
    if (!s)
        *one = j->started[j->started_count++] = wy_explore_signature(x, &x->first);
    wy_path_point_copy(&x->now, &x->first);
    if (!s)
        s = follow_branch(x, err);
    x->branch++;
    return s;
}

/* Both directions from a branch point. If one of them led to a known branch (the kernel at the vertex of a pitchfork
 * is not exactly the tangent of the branch that crosses there), the other is followed back through the point. */
static wy_status follow_branch_point(explorer *x, size_t i, wy_error *err) {
    const size_t most = x->path.options.branches;
    solution_signature one = {.lambda = INFINITY};
    switch_result what[2] = {SWITCH_NOTHING_NEW, SWITCH_NOTHING_NEW};
    wy_status s = WY_OK;
    x->branch_points[i].followed = true;
    for (int k = 0; k < 2 && !s && x->branch < most; k++)
        s = follow_direction(x, i, k ? -1 : 1, &one, &what[k], err);
    if (s || x->branch >= most || what[0] == what[1] || what[0] == SWITCH_NOTHING_NEW || what[1] == SWITCH_NOTHING_NEW)
        return s;
    branch_point *j = &x->branch_points[i];
    memcpy(j->kernel, j->through, j->at.elements * D * sizeof *j->kernel + D * sizeof *j->kernel);
    j->kernel_slope = j->through_slope;
    return follow_direction(x, i, -1, &one, &what[0], err);
}

/* Whether the branch down from the start at 0 is the image of the branch up, with the parameter's sign changed:
 * short and long steps in both directions lead to equal signatures. Terms odd in the parameter would differ by at
 * least its cube. */
static wy_status start_is_even(explorer *x, bool *even, wy_error *err) {
    branch_path *p = &x->path;
    size_t alike = 0;
    *even = false;
    if (p->problem->start != 0.0 || !wy_explore_may_reflect(x, -1.0))
        return WY_OK;
    for (double length = p->options.step; length < 0.5; length *= 4.0) {
        solution_signature two[2] = {{0}};
        wy_status s = WY_OK;
        for (int side = 0; side < 2 && !s; side++) {
            const double sign = side ? -1.0 : 1.0;
            wy_path_mesh_use(p, &x->start);
            wy_path_point_copy(&x->b, &x->start);
            s = wy_path_correct_at(p, &x->b, 0.0, sign, NULL);
            if (!s)
                s = wy_path_step(p, &x->a, &x->b, length, NULL);
            if (!s && side && fabs(x->a.lambda + two[0].lambda) < 1e-3 * fabs(two[0].lambda))
                s = wy_path_correct_at(p, &x->a, -two[0].lambda, sign, NULL); /* exactly that value */
            if (!s)
                s = wy_path_load_solution(p, &x->a, NULL);
            if (!s)
                two[side] = wy_explore_signature(x, &x->a);
        }
        if (wy_path_memory(p, err))
            return WY_NO_MEMORY;
        if (s) /* a step of this length fails */
            break;
        two[1].lambda = -two[1].lambda;
        if (two[0].lambda == 0.0 || !wy_explore_same_signature(x, &two[0], &two[1]))
            return WY_OK;
        alike++;
    }
    *even = alike > 1;
    return WY_OK;
}

static wy_status explore_branches(explorer *x, wy_error *err) {
    const wy_branch_options *o = &x->path.options;
    branch_path *p = &x->path;
    const double start = p->problem->start;
    bool even = false;
    wy_status s = begin_exploration(x, err);
    if (!s && o->direction == 0)
        s = start_is_even(x, &even, err);
    /* the branch of the start: up, then down */
    for (int sign = 1; sign >= -1 && !s; sign -= 2) {
        if ((o->direction != 0 && o->direction != sign) || (sign > 0 && start >= o->to) ||
            (sign < 0 && start <= o->from) || x->closed) /* a closed branch is complete */
            continue;
        wy_path_mesh_use(p, &x->start);
        wy_path_point_copy(&x->now, &x->start);
        s = wy_path_correct_at(p, &x->now, start, sign, err);
        if (s)
            return wy_fail_at(err, s, "the start");
        x->arclength = 0.0;
        x->point = 0;
        const bool image = even && sign < 0;
        if (!image && wy_path_mesh_set_force_unit(p, &x->now))
            wy_path_mesh_normalise(p, &x->now);
        if (!image)
            s = buckle_linearly(x, &x->now, err);
        if (!s)
            s = wy_explore_report(x, &x->now, WY_POINT_END, wy_explore_report_label(x, WY_POINT_END),
                                  image ? WY_END_MIRROR : WY_END_START, NULL, err);
        if (!s && !image)
            s = follow_branch(x, err);
        x->branch++;
    }
    x->linear = INFINITY;
    x->linear_open = false;
    for (size_t i = 0; i < x->branch_point_count && !s; i++)
        s = follow_branch_point(x, i, err);
    return s;
}

static wy_status check_branch_options(const wy_branch_problem *p, const wy_branch_options *o, wy_error *err) {
    if (!isfinite(o->from) || !isfinite(o->to) || !(o->from < o->to))
        return wy_fail(err, WY_BAD_INPUT, "the bounds run from %g to %g, expected the first below the second", o->from,
                       o->to);
    if (!(p->start >= o->from && p->start <= o->to))
        return wy_fail(err, WY_BAD_INPUT, "the start %.9g is not within the bounds %g to %g", p->start, o->from, o->to);
    if (!(o->least_step > 0.0) || !(o->step >= o->least_step) || !(o->largest_step >= o->step) ||
        !(o->largest_step <= 10.0))
        return wy_fail(err, WY_BAD_INPUT,
                       "steps: least %g, first %g, largest %g, expected them positive, in this order, at most 10",
                       o->least_step, o->step, o->largest_step);
    if (!(o->tolerance >= 0.0) || o->elements < 1 || (o->tolerance > 0.0 && o->most_elements < o->elements) ||
        o->most_elements > 10000000)
        return wy_fail(err, WY_BAD_INPUT,
                       "tolerance %g with %zu to %zu elements: expected >= 0, in this order, at most 1e7", o->tolerance,
                       o->elements, o->most_elements);
    if (o->points < 1 || o->branches < 1 || o->eigenvalues > WY_BRANCH_EIGENVALUES)
        return wy_fail(err, WY_BAD_INPUT,
                       "%zu points, %zu branches, %zu eigenvalues: expected at least 1, at least 1, at most %d",
                       o->points, o->branches, o->eigenvalues, WY_BRANCH_EIGENVALUES);
    for (size_t i = 0; i < o->value_count; i++)
        if (!(o->values[i] >= o->from && o->values[i] <= o->to))
            return wy_fail(err, WY_BAD_INPUT, "the value %g is not within the bounds %g to %g", o->values[i], o->from,
                           o->to);
    return WY_OK;
}

wy_status wy_branches_follow(const wy_branch_problem *problem, const wy_branch_options *options,
                             wy_branch_report report, void *context, wy_error *err) {
    WY_GIVEN(problem && report, err);
    explorer x = {.report = report, .context = context};
    wy_status s = check_branch_options(problem, options, err);
    if (s)
        return s;
    s = wy_path_create(&x.path, problem, options, err);
    path_point *const points[] = {&x.now,     &x.next,    &x.a,       &x.b,       &x.first,   &x.start,  &x.origin,
                                  &x.near[0], &x.near[1], &x.near[2], &x.near[3], &x.near[4], &x.near[5]};
    for (size_t i = 0; i < sizeof points / sizeof *points && !s; i++)
        s = wy_path_point_create(points[i], &x.path, err);
    if (!s) {
        const size_t nodes = x.path.nodes;
        x.count = nodes;
        const size_t shapes = (x.path.most + 1) * 6 * WY_NEAREST;
        x.si = malloc((nodes * (3 * D + 2) + (x.path.most + 1) * D + 2 * shapes) * sizeof *x.si);
        if (x.si) {
            x.spun = x.si + nodes * D;
            x.kernel_there = x.spun + nodes * D;
            x.s_si = x.kernel_there + nodes * D;
            x.report_s = x.s_si + nodes;
            x.kernel = x.report_s + nodes;
            x.nearest_now.shapes = x.kernel + (x.path.most + 1) * D;
            x.nearest_next.shapes = x.nearest_now.shapes + shapes;
            memcpy(x.report_s, x.path.model->s, nodes * sizeof *x.report_s);
        }
        s = x.si ? explore_branches(&x, err) : wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", nodes);
    }
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        wy_path_point_free(points[i]);
    wy_explore_branch_points_free(&x);
    free(x.si);
    wy_path_destroy(&x.path);
    return s;
}
