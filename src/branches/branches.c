/* Following branches: adaptive steps, events, switching, the set of connected branches. docs/math/branches.md. */
#include "branches/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

enum { D = WY_REST_DIM };

const char *const wy_point_labels[] = {[WY_POINT_REGULAR] = "",  [WY_POINT_END] = "EP",   [WY_POINT_FOLD] = "LP",
                                       [WY_POINT_BRANCH] = "BP", [WY_POINT_VALUE] = "UZ", NULL};

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

typedef struct events {
    bool fold, junction, vertex; /* vertex: the handle of a pitchfork, see wy_explore_refine_vertex */
} events;

static events between(const path_point *p, const path_point *q) {
    events e = {.fold = p->slope * q->slope < 0.0};
    const bool known_count = p->negative >= 0 && q->negative >= 0;
    const long change = labs(q->negative - p->negative);
    e.vertex = known_count && e.fold && change == 0;
    if (e.vertex)
        e.fold = false;
    e.junction = known_count ? change != (e.fold ? 1 : 0) : p->symmetries == q->symmetries && p->sign != q->sign;
    return e;
}

static double distance(const explorer *x, const path_point *p, const path_point *q) {
    double *d = x->path.interior;
    for (size_t i = 0; i < x->path.n; i++)
        d[i] = p->y[i] - q->y[i];
    return sqrt(wy_path_dot(&x->path, d, p->lambda - q->lambda, d, p->lambda - q->lambda));
}

/* The error of the branch point in x->first: of the solutions beside it (at the point itself the equations are
 * singular), and of its place. True where it is more than what is asked and x->now has got a better mesh. */
static bool junction_needs_mesh(explorer *x, double root, bool vertex) {
    beam_path *p = &x->path;
    const double place = vertex ? -1.0 : wy_explore_refine_error(x, root);
    x->first.error = fmax(place, fmax(x->now.error, x->next.error));
    if (!wy_path_mesh_too_coarse(p, place) || x->fixed || x->finer >= 3)
        return false;
    x->finer++;
    return wy_path_mesh_improve(p, &x->now, &x->origin, place, true);
}

/* Reports the special points of the accepted step, in order; they are at `at` from now, in x->first. With `again`
 * nothing was reported: the step is to be done again on a better mesh. */
static wy_status pass(explorer *x, double ds, bool *over, bool *again, wy_error *err) {
    x->ds = ds;
    const events e = between(&x->now, &x->next);
    if (!e.fold && !e.junction && !e.vertex)
        return wy_explore_values_pass(x, &x->now, 0.0, &x->next, ds, err);
    double root = 0.0, kernel_slope = 0.0;
    wy_status s;
    if (e.fold) {
        s = wy_explore_refine_fold(x, &root, err);
        if (s)
            return s;
    } else {
        s = e.vertex ? wy_explore_refine_vertex(x, &root, &kernel_slope, err)
                     : wy_explore_refine_junction(x, &root, err);
        if (s == WY_NO_CONVERGENCE) { /* it is somewhere in this step: say so and go on */
            x->unrefined = true;
            s = wy_path_hold(&x->path, &x->next, err);
            if (!s)
                s = wy_explore_report(x, &x->next, WY_POINT_BRANCH, wy_explore_report_label(x, WY_POINT_BRANCH),
                                      WY_END_NONE, NULL, err);
            x->unrefined = false;
            return s;
        }
        *again = !s && junction_needs_mesh(x, root, e.vertex);
        if (s || *again)
            return s;
    }
    x->finer = 0;
    s = wy_explore_values_pass(x, &x->now, 0.0, &x->first, root, err);
    if (s)
        return s;
    if (e.fold) {
        const double before = x->arclength;
        s = wy_path_hold(&x->path, &x->first, err);
        x->arclength += root;
        if (!s)
            s = wy_explore_report(x, &x->first, WY_POINT_FOLD, wy_explore_report_label(x, WY_POINT_FOLD), WY_END_NONE,
                                  NULL, err);
        x->arclength = before;
    } else {
        s = wy_explore_junctions_pass(x, root, kernel_slope, e.vertex, over, err);
    }
    return s || *over ? s : wy_explore_values_pass(x, &x->first, root, &x->next, ds, err);
}

/* Ends the branch at a bound: the solution with exactly that parameter. */
static wy_status end_at_bound(explorer *x, double ds, double bound, wy_error *err) {
    const path_point *a = &x->now, *b = &x->next;
    const double f = (bound - a->lambda) / (b->lambda - a->lambda);
    wy_status s = wy_explore_values_settle(x, &x->a, a, b, bound, err);
    if (s)
        return s;
    if (x->a.symmetries == a->symmetries &&
        !wy_explore_refine_same_side(a, &x->a)) { /* a branch point just before the bound */
        wy_path_point_copy(&x->next, &x->a);
        bool over = false;
        double along = 0.0; /* from now to the bound, along now's tangent: how steps are measured */
        for (size_t i = 0; i < x->path.n; i++)
            x->path.interior[i] = x->a.y[i] - a->y[i];
        along = wy_path_dot(&x->path, a->t, a->slope, x->path.interior, x->a.lambda - a->lambda);
        bool again;
        x->fixed = true;
        s = pass(x, along, &over, &again, err);
        x->fixed = false;
        if (s || over)
            return s;
        wy_path_point_copy(&x->a, &x->next);
        s = wy_path_hold(&x->path, &x->a, err);
        if (s)
            return s;
    } else {
        wy_path_point_copy(&x->first, &x->a);
        s = wy_explore_values_pass(x, a, 0.0, &x->first, f * ds, err);
        wy_path_point_copy(&x->a, &x->first);
        if (!s)
            s = wy_path_hold(&x->path, &x->a, err);
        if (s)
            return s;
    }
    x->arclength += f * ds;
    return wy_explore_report(x, &x->a, WY_POINT_END, wy_explore_report_label(x, WY_POINT_END), WY_END_BOUND, NULL, err);
}

static wy_status finish(explorer *x, const path_point *at, wy_branch_end why, wy_error *err) {
    const wy_status s = wy_path_hold(&x->path, at, err);
    return s ? s : wy_explore_report(x, at, WY_POINT_END, wy_explore_report_label(x, WY_POINT_END), why, NULL, err);
}

/* Where a step across a bound is impossible (there is no rod on the other side): the solution on the bound itself, from
 * the tangent. False if the step does not reach a bound, or none is found there. */
static bool meets_bound(explorer *x, double ds, bool *over, wy_status *status, wy_error *err) {
    beam_path *p = &x->path;
    const double bound = x->now.slope > 0.0 ? p->options.to : p->options.from;
    const double way = (bound - x->now.lambda) / x->now.slope;
    if (!(way > 0.0 && way <= ds))
        return false;
    wy_path_point_copy(&x->next, &x->now);
    for (size_t i = 0; i < p->n; i++)
        x->next.y[i] += way * x->now.t[i];
    x->next.lambda = bound;
    if (wy_explore_values_settle(x, &x->a, &x->now, &x->next, bound, NULL) ||
        distance(x, &x->a, &x->next) > 0.3 * way + 1e-6)
        return false;
    *status = end_at_bound(x, way, bound, err);
    *over = true;
    return true;
}

/* Where the error of next is more than what is asked: a better mesh for now, with which the step is done again. */
static bool refine_mesh(explorer *x, double *last, size_t *last_elements) {
    beam_path *p = &x->path;
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
static wy_branch_end ends(explorer *x, double ds, size_t points) {
    const beam_path *p = &x->path;
    const path_point *origin = &x->origin;
    if (points >= p->options.points)
        return WY_END_POINTS;
    if (p->options.most_negative >= 0 && x->next.negative > p->options.most_negative)
        return WY_END_NEGATIVE;
    bool home = points > 8 && distance(x, &x->next, origin) < 0.6 * ds &&
                wy_path_dot(p, x->next.t, x->next.slope, origin->t, origin->slope) > 0.8;
    /* ... or an image of where it began, at the same parameter: from there on nothing is new */
    if (!home && points > 8 && !p->options.mirrors && x->next.slope * origin->slope > 0.0 &&
        (x->now.lambda - origin->lambda) * (x->next.lambda - origin->lambda) <= 0.0 &&
        !wy_explore_values_settle(x, &x->a, &x->now, &x->next, origin->lambda, NULL) &&
        !wy_path_hold(&x->path, &x->a, NULL)) {
        const likeness here = wy_explore_likeness(x, &x->a);
        home = wy_explore_alike(x, &here, &x->home);
    }
    x->closed = home;
    return home ? WY_END_CLOSED : WY_END_NONE;
}

/* From x->now on, to where the branch ends. */
static wy_status follow(explorer *x, wy_error *err) {
    beam_path *p = &x->path;
    const wy_branch_options *o = &p->options;
    double ds = o->step, last = 0.0;
    wy_status s = WY_OK;
    if (wy_path_mesh_pace(p, &x->now))
        wy_path_mesh_unit(p, &x->now);
    wy_path_point_copy(&x->origin, &x->now);
    x->closed = false;
    x->home = wy_explore_likeness(x, &x->now); /* the collocation holds it */
    size_t points = 0, last_elements = 0, crawl = 0;
    bool over = false;
    p->floor = p->least_floor;
    while (!s && !over) {
        wy_error why;
        wy_status tried = wy_path_step(p, &x->next, &x->now, ds, &why);
        const double cosine = tried ? 0.0 : wy_path_dot(p, x->now.t, x->now.slope, x->next.t, x->next.slope);
        const events e = between(&x->now, &x->next);
        const long jump = labs(x->next.negative - x->now.negative);
        /* one event at a time; a double kernel of a symmetric rod counts two */
        const bool crowded = !tried && ds > 1e-3 && ((e.fold && e.junction) || jump > 2);
        if (tried == WY_NO_MEMORY || tried == WY_CANCELLED)
            s = wy_fail(err, tried, "%s", why.text);
        if (!s)
            s = wy_path_memory(p, err);
        if (s)
            break;
        if (tried && meets_bound(x, ds, &over, &s, err))
            continue;
        if (tried || cosine < 0.95 || crowded) {
            ds *= crowded ? 0.4 : 0.5;
            if (ds < o->least_step) {
                s = finish(x, &x->now, WY_END_STUCK, err);
                over = true;
            }
            continue;
        }
        if (refine_mesh(x, &last, &last_elements))
            continue;
        last = 0.0;
        if (x->next.lambda > o->to || x->next.lambda < o->from) {
            const double bound = x->next.lambda > o->to ? o->to : o->from;
            if ((e.fold || e.vertex) && ds > 1e-4) { /* the bound lies before or after a fold: come nearer */
                ds *= 0.3;
                continue;
            }
            s = end_at_bound(x, ds, bound, err);
            over = true;
            continue;
        }
        const double error = x->next.error;
        bool again = false;
        s = pass(x, ds, &over, &again, err);
        if (!s && again)
            continue;
        x->arclength += ds;
        points++;
        if (s || over)
            break;
        wy_branch_end why_not = ends(x, ds, points);
        crawl = ds < 100.0 * o->least_step ? crawl + 1 : 0;
        if (!why_not && crawl >= 20) /* so small steps, one after the other, lead nowhere */
            why_not = WY_END_STUCK;
        s = why_not ? finish(x, &x->next, why_not, err) : wy_path_hold(p, &x->next, err);
        over = why_not != WY_END_NONE;
        if (!s && !over)
            s = wy_explore_report(x, &x->next, WY_POINT_REGULAR, 0, WY_END_NONE, NULL, err);
        const int64_t iterations = x->next.iterations;
        wy_path_point_copy(&x->now, &x->next);
        if (iterations <= 5 && cosine > 0.98)
            ds = fmin(o->largest_step, 1.5 * ds);
        else if (iterations >= 8)
            ds *= 0.6;
        if (!s && !over && o->tolerance > 0.0 && (p->model->elements > o->elements || error > 0.3 * o->tolerance)) {
            if (p->monitored != x->next.y) /* the monitor of this point, not of the special ones before it */
                wy_path_mesh_estimate(p, &x->now);
            (void)wy_path_mesh_improve(p, &x->now, &x->origin, x->now.error, false);
        }
        if (!s && !over && wy_path_mesh_pace(p, &x->now)) {
            wy_path_mesh_unit(p, &x->now);
            wy_path_mesh_unit(p, &x->origin);
        }
    }
    return s;
}

/* The start, on a mesh that is fine enough for it. */
static wy_status begin(explorer *x, wy_error *err) {
    beam_path *p = &x->path;
    p->floor = p->least_floor;
    memcpy(x->start.y, p->solver->y, p->n * sizeof(double));
    wy_status s = wy_path_settle(p, &x->start, p->problem->start, 1.0, err);
    if (s)
        return wy_fail_at(err, s, "the start");
    for (int it = 0; it < 6; it++) {
        wy_path_mesh_estimate(p, &x->start);
        if (!wy_path_mesh_too_coarse(p, x->start.error) ||
            !wy_path_mesh_improve(p, &x->start, NULL, x->start.error, true))
            break;
        s = wy_path_settle(p, &x->start, p->problem->start, 1.0, err);
        if (s)
            return wy_fail_at(err, s, "the start on %zu elements", p->model->elements);
    }
    return wy_path_memory(p, err);
}

/* What became of a way off a branch point: nothing, or the image of the other way; a branch that ended there; a new one. */
typedef enum way_off { WAY_CLOSED, WAY_KNOWN, WAY_FOLLOWED } way_off;

/* Off the i-th branch point, one way along its kernel, unless that was followed before; `one`: the solution beside it the other way. */
static wy_status one_way(explorer *x, size_t i, int way, likeness *one, way_off *what, wy_error *err) {
    const wy_branch_options *o = &x->path.options;
    beam_path *p = &x->path;
    junction *j = &x->junctions[i];
    *what = WAY_CLOSED;
    if (wy_explore_junctions_leave(x, j, way, err))
        return wy_path_memory(p, err);
    if (x->now.lambda > o->to || x->now.lambda < o->from)
        return WY_OK;
    bool known = false;
    wy_status s = WY_OK;
    if (!o->mirrors && isfinite(one->lambda))
        s = wy_explore_junctions_image(x, j, one, &known, err);
    if (!s && !known)
        s = wy_explore_junctions_reflected(x, i, &known, err);
    if (s || known)
        return s;
    if (!o->mirrors)
        s = wy_explore_junctions_walked(x, j, &known, err);
    *what = known ? WAY_KNOWN : WAY_FOLLOWED;
    if (s || known)
        return s;
    x->parent = j->number;
    x->spinning = false;
    x->point = 0;
    x->arclength = 0.0;
    wy_path_point_copy(&x->first, &x->now);
    memcpy(j->through, x->now.t, p->n * sizeof *j->through);
    j->through_slope = x->now.slope;
    s = wy_path_hold(p, &j->at, err); /* the branch begins at the branch point */
    if (!s)
        s = wy_explore_report(x, &j->at, WY_POINT_BRANCH, j->number, WY_END_START, NULL, err);
    x->arclength = distance(x, &x->first, &j->at);
    if (!s)
        s = wy_path_hold(p, &x->first, err);
    if (!s)
        s = wy_explore_report(x, &x->first, WY_POINT_REGULAR, 0, WY_END_NONE, NULL, err);
    if (!s)
        *one = j->begun[j->begun_count++] = wy_explore_likeness(x, &x->first);
    wy_path_point_copy(&x->now, &x->first);
    if (!s)
        s = follow(x, err);
    x->branch++;
    return s;
}

/* Both ways off a branch point. Where one of them fell back on a branch that is known (a kernel at the vertex of a pitchfork is not quite the tangent of the branch
 * that crosses there), the other is followed back through the point. */
static wy_status branch_off(explorer *x, size_t i, wy_error *err) {
    const size_t most = x->path.options.branches;
    likeness one = {.lambda = INFINITY};
    way_off what[2] = {WAY_CLOSED, WAY_CLOSED};
    wy_status s = WY_OK;
    x->junctions[i].followed = true;
    for (int k = 0; k < 2 && !s && x->branch < most; k++)
        s = one_way(x, i, k ? -1 : 1, &one, &what[k], err);
    if (s || x->branch >= most || what[0] == what[1] || what[0] == WAY_CLOSED || what[1] == WAY_CLOSED)
        return s;
    junction *j = &x->junctions[i];
    memcpy(j->kernel, j->through, j->at.elements * D * sizeof *j->kernel + D * sizeof *j->kernel);
    j->kernel_slope = j->through_slope;
    return one_way(x, i, -1, &one, &what[0], err);
}

/* Whether from the start at 0 the way down is the image of the way up, with the parameter's sign changed: steps up and down, short and long, lead to solutions that are alike. What is odd in
 * the parameter would differ by at least its cube. */
static wy_status start_is_even(explorer *x, bool *even, wy_error *err) {
    beam_path *p = &x->path;
    size_t alike = 0;
    *even = false;
    if (p->problem->start != 0.0 || !wy_explore_may_reflect(x, -1.0))
        return WY_OK;
    for (double length = p->options.step; length < 0.5; length *= 4.0) {
        likeness two[2] = {{0}};
        wy_status s = WY_OK;
        for (int side = 0; side < 2 && !s; side++) {
            const double way = side ? -1.0 : 1.0;
            wy_path_mesh_use(p, &x->start);
            wy_path_point_copy(&x->b, &x->start);
            s = wy_path_settle(p, &x->b, 0.0, way, NULL);
            if (!s)
                s = wy_path_step(p, &x->a, &x->b, length, NULL);
            if (!s && side && fabs(x->a.lambda + two[0].lambda) < 1e-3 * fabs(two[0].lambda))
                s = wy_path_settle(p, &x->a, -two[0].lambda, way, NULL); /* that very value */
            if (!s)
                s = wy_path_hold(p, &x->a, NULL);
            if (!s)
                two[side] = wy_explore_likeness(x, &x->a);
        }
        if (wy_path_memory(p, err))
            return WY_NO_MEMORY;
        if (s) /* this long a step does not succeed */
            break;
        two[1].lambda = -two[1].lambda;
        if (two[0].lambda == 0.0 || !wy_explore_alike(x, &two[0], &two[1]))
            return WY_OK;
        alike++;
    }
    *even = alike > 1;
    return WY_OK;
}

static wy_status explore(explorer *x, wy_error *err) {
    const wy_branch_options *o = &x->path.options;
    beam_path *p = &x->path;
    const double start = p->problem->start;
    bool even = false;
    wy_status s = begin(x, err);
    if (!s && o->direction == 0)
        s = start_is_even(x, &even, err);
    /* the branch of the start: up, then down */
    for (int way = 1; way >= -1 && !s; way -= 2) {
        if ((o->direction != 0 && o->direction != way) || (way > 0 && start >= o->to) ||
            (way < 0 && start <= o->from) || x->closed) /* what came back to its beginning is whole */
            continue;
        wy_path_mesh_use(p, &x->start);
        wy_path_point_copy(&x->now, &x->start);
        s = wy_path_settle(p, &x->now, start, way, err);
        if (s)
            return wy_fail_at(err, s, "the start");
        x->arclength = 0.0;
        x->point = 0;
        const bool image = even && way < 0;
        s = wy_explore_report(x, &x->now, WY_POINT_END, wy_explore_report_label(x, WY_POINT_END),
                              image ? WY_END_MIRROR : WY_END_START, NULL, err);
        if (!s && !image)
            s = follow(x, err);
        x->branch++;
    }
    for (size_t i = 0; i < x->junction_count && !s; i++)
        s = branch_off(x, i, err);
    return s;
}

static wy_status check_options(const wy_branch_problem *p, const wy_branch_options *o, wy_error *err) {
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
    explorer x = {.report = report, .context = context};
    wy_status s = check_options(problem, options, err);
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
        x.si = malloc((nodes * (3 * D + 2) + (x.path.most + 1) * D) * sizeof *x.si);
        if (x.si) {
            x.spun = x.si + nodes * D;
            x.kernel_there = x.spun + nodes * D;
            x.s_si = x.kernel_there + nodes * D;
            x.places = x.s_si + nodes;
            x.kernel = x.places + nodes;
            memcpy(x.places, x.path.model->s, nodes * sizeof *x.places);
        }
        s = x.si ? explore(&x, err) : wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", nodes);
    }
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        wy_path_point_free(points[i]);
    wy_explore_junctions_free(&x);
    free(x.si);
    wy_path_destroy(&x.path);
    return s;
}
