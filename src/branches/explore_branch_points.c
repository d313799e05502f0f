/* Branch points: identified, stored, followed along their kernels. docs/math/branches.md. */
#include "branches/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

/* Whether a branch point has this parameter, energy and end force. */
static bool matches_branch_point(const explorer *x, const branch_point *j, double lambda, double energy, double force) {
    const double soft = wy_equilibrium_model_softness(x->path.model);
    return fabs(j->at.lambda - lambda) < 1e-5 * x->path.scale &&
           fabs(j->energy - energy) < 1e-4 * (soft + fabs(energy)) && fabs(j->force - force) < 1e-4 * (soft + force);
}

static branch_point *find_known_branch_point(explorer *x, const path_point *at) {
    const double energy = wy_explore_report_energy(x, at), force = v3_norm(at->y);
    for (size_t i = 0; i < x->branch_point_count; i++)
        if (matches_branch_point(x, &x->branch_points[i], at->lambda, energy, force))
            return &x->branch_points[i];
    return NULL;
}

static wy_status store_branch_point(explorer *x, const path_point *at, const double *kernel, double kernel_slope,
                                    wy_error *err) {
    if (x->branch_point_count == x->branch_point_capacity) {
        const size_t capacity = x->branch_point_capacity ? 2 * x->branch_point_capacity : 16;
        branch_point *more = realloc(x->branch_points, capacity * sizeof *more);
        if (!more)
            return wy_fail(err, WY_NO_MEMORY, "no memory for %zu branch points", capacity);
        x->branch_points = more;
        x->branch_point_capacity = capacity;
    }
    branch_point *j = &x->branch_points[x->branch_point_count];
    const double energy = wy_explore_report_energy(x, at);
    *j = (branch_point){.kernel_slope = kernel_slope, .energy = energy, .force = v3_norm(at->y)};
    wy_status s = wy_path_point_create(&j->at, &x->path, err);
    if (s)
        return s;
    j->kernel = malloc(2 * x->path.n * sizeof *j->kernel);
    x->branch_point_count++;
    if (!j->kernel)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a branch point");
    wy_path_point_copy(&j->at, at);
    memcpy(j->kernel, kernel, x->path.n * sizeof *j->kernel);
    j->through = j->kernel + x->path.n;
    j->number = wy_explore_report_label(x, WY_POINT_BRANCH);
    return WY_OK;
}

/* Stores that the branch that ends at x->first, with x->now before it, arrives at j. */
static wy_status store_arrival(explorer *x, branch_point *j, wy_error *err) {
    arrival *more = realloc(j->arrivals, (j->arrival_count + 1) * sizeof *more);
    if (!more)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a branch point");
    j->arrivals = more;
    arrival *a = &j->arrivals[j->arrival_count];
    *a = (arrival){0};
    j->arrival_count++;
    wy_status s = wy_path_point_create(&a->at, &x->path, err);
    if (!s)
        s = wy_path_point_create(&a->before, &x->path, err);
    if (s)
        return s;
    wy_path_point_copy(&a->at, &x->first);
    wy_path_point_copy(&a->before, &x->now);
    return WY_OK;
}

/* The solution at a distance from a branch point along its kernel, into `out`. Uses x->b. */
static wy_status solution_along_kernel(explorer *x, path_point *out, const branch_point *j, double length,
                                       wy_error *err) {
    branch_path *p = &x->path;
    const double norm = sqrt(wy_path_dot(p, j->kernel, j->kernel_slope, j->kernel, j->kernel_slope)),
                 fraction = length / norm;
    for (size_t i = 0; i < p->n; i++) {
        out->y[i] = j->at.y[i] + fraction * j->kernel[i];
        x->b.t[i] = (length < 0.0 ? -1.0 : 1.0) / norm * j->kernel[i];
    }
    out->lambda = j->at.lambda + fraction * j->kernel_slope;
    return wy_path_correct(p, out, &j->at, x->b.t, (length < 0.0 ? -1.0 : 1.0) / norm * j->kernel_slope, fabs(length),
                           err);
}

/* Number of negative directions by which a solution next to a branch point deviates from the expected range: none of
 * the other directions has changed sign there yet. */
static long unexpected_negative(const branch_point *j, const path_point *at) {
    const long low = j->at.negative, high = low + (long)j->multiplicity;
    return at->negative < 0 || low < 0 || j->multiplicity == 0 ? 0
           : at->negative < low                                ? low - at->negative
           : at->negative > high                               ? at->negative - high
                                                               : 0;
}

/* Steps from a branch point along its kernel, in direction `sign`, into x->now; so near to it that no other event
 * happens, or x->missing counts the events. */
wy_status wy_explore_branch_points_switch(explorer *x, const branch_point *j, double sign, wy_error *err) {
    branch_path *p = &x->path;
    wy_status s = WY_NO_CONVERGENCE;
    wy_path_mesh_use(p, &j->at);
    double length = fmin(0.05, 2.0 * p->options.step);
    for (int it = 0; it < 8; it++, length *= 0.5) {
        s = solution_along_kernel(x, &x->now, j, sign * length, err);
        if ((s && s != WY_NO_CONVERGENCE) || (!s && unexpected_negative(j, &x->now) == 0))
            return s;
    }
    if (!s) {
        x->missing = unexpected_negative(j, &x->now);
        x->missing_from = j->at.lambda;
    }
    return s;
}

/* The type of a branch point, from the parameter of solutions next to it, in both directions and at two distances:
 *   lambda = lambda_0 + a z + b z^2 + ...   on the other branch, z along the null vector                     (8.11a)
 * a = 0 is a pitchfork; it is supercritical if its branch goes to the side on which the first branch (whose parameter
 * changes by `rises` towards more negative directions) has more of them, and then itself has fewer. If the counts
 * contradict, or the distances disagree, the type stays unknown. */
static wy_status classify_branch_point(explorer *x, branch_point *j, double rises, wy_error *err) {
    branch_path *p = &x->path;
    double even[2], odd[2], length = fmin(0.02, p->options.step);
    long count[2] = {-1, -1};
    j->type = WY_TYPE_UNKNOWN;
    if (j->multiplicity > 2 || rises == 0.0)
        return WY_OK;
    bool found = false;
    for (int it = 0; it < 6 && !found; it++, length *= 0.5) {
        found = true;
        for (int k = 0; k < 2 && found; k++) {
            double lambda[2];
            for (int side = 0; side < 2 && found; side++) {
                found = !solution_along_kernel(x, &x->a, j, (side ? -1.0 : 1.0) * length / (k + 1), NULL) &&
                        unexpected_negative(j, &x->a) == 0;
                lambda[side] = x->a.lambda - j->at.lambda;
                count[side] = x->a.negative;
                if (wy_path_memory(p, err))
                    return WY_NO_MEMORY;
            }
            if (j->multiplicity == 2 && x->a.symmetries == j->at.symmetries) /* not one branch rotated about an axis */
                return WY_OK;
            even[k] = 0.5 * (lambda[0] + lambda[1]);
            odd[k] = 0.5 * (lambda[0] - lambda[1]);
        }
    }
    if (!found)
        return WY_OK;
    if (fabs(odd[1]) > 0.3 * fabs(even[1])) {
        if (odd[0] / odd[1] > 1.5 && odd[0] / odd[1] < 2.7)
            j->type = WY_TYPE_TRANSCRITICAL;
    } else if (fabs(odd[1]) < 0.05 * fabs(even[1]) && even[0] / even[1] > 2.5 && even[0] / even[1] < 6.0) {
        const bool super = even[1] * rises > 0.0;
        const long expected = j->at.negative + (super ? 0 : 1);
        if (j->at.negative < 0 || (count[0] == expected && count[1] == expected))
            j->type = super ? WY_TYPE_SUPERCRITICAL : WY_TYPE_SUBCRITICAL;
    }
    return WY_OK;
}

/* The branch point in x->first with the null vector x->kernel, at ds from x->now: identified as a known one, or stored
 * and reported. */
wy_status wy_explore_branch_points_pass(explorer *x, double ds, double kernel_slope, bool mirror, bool *over,
                                        wy_error *err) {
    branch_path *p = &x->path;
    path_point *at = &x->first;
    const double size = sqrt(wy_path_dot(p, at->t, at->slope, at->t, at->slope));
    for (size_t i = 0; i < p->n; i++)
        at->t[i] /= size;
    at->slope /= size;
    at->negative = x->now.negative < x->next.negative ? x->now.negative : x->next.negative;
    const double along = wy_path_dot(p, x->kernel, kernel_slope, at->t, at->slope);
    double slope = kernel_slope - along * at->slope;
    for (size_t i = 0; i < p->n; i++)
        x->kernel[i] -= along * at->t[i];
    const double norm = sqrt(wy_path_dot(p, x->kernel, slope, x->kernel, slope));
    for (size_t i = 0; i < p->n; i++)
        x->kernel[i] /= norm;
    slope /= norm;
    const double before = x->arclength;
    x->arclength += ds;
    wy_status s = wy_path_load_solution(p, at, err);
    branch_point *j = find_known_branch_point(x, at);
    const bool old = j != NULL;
    if (!s && !old) {
        s = store_branch_point(x, at, x->kernel, slope, err);
        if (s)
            return s;
        j = &x->branch_points[x->branch_point_count - 1];
        j->multiplicity = x->multiplicity;
        const double rises = x->next.negative > x->now.negative ? at->slope : -at->slope;
        s = mirror ? WY_OK : classify_branch_point(x, j, rises, err);
        if (!s)
            s = wy_path_load_solution(p, at, err);
    }
    if (s)
        return s;
    const size_t number = j->number;
    x->type = j->type;
    const wy_branch_end end = old && (x->parent != 0 || j->followed) ? WY_END_JOINED
                              : mirror && !p->options.mirrors        ? WY_END_MIRROR
                                                                     : WY_END_NONE;
    s = wy_explore_report(x, at, WY_POINT_BRANCH, number, end, x->kernel, err);
    *over = end != WY_END_NONE;
    x->arclength = before;
    return s || !*over ? s : store_arrival(x, j, err);
}

static double distance_between(const branch_path *p, const path_point *a, const path_point *b) {
    for (size_t i = 0; i < p->n; i++)
        p->interior[i] = a->y[i] - b->y[i];
    return sqrt(wy_path_dot(p, p->interior, a->lambda - b->lambda, p->interior, a->lambda - b->lambda));
}

/* Into x->a: a point of the arriving branch, about as far from the branch point as `away`. */
static wy_status point_on_arrival(explorer *x, const arrival *a, double away) {
    branch_path *p = &x->path;
    const double last = distance_between(p, &a->before, &a->at), fraction = away / last;
    wy_path_point_copy(&x->a, &a->before);
    if (fraction < 1.5) {
        for (size_t k = 0; k < p->n; k++)
            x->a.y[k] = a->at.y[k] + fraction * (a->before.y[k] - a->at.y[k]);
        return WY_OK;
    }
    wy_path_point_copy(&x->b, &a->before); /* too near: a step back from there */
    for (size_t k = 0; k < p->n; k++)
        x->b.t[k] = -x->b.t[k];
    x->b.slope = -x->b.slope;
    return wy_path_step(p, &x->a, &x->b, away - last, NULL);
}

/* Whether x->now, next to j, lies on a branch that ended at `there` (j itself, or the branch point at the opposite
 * value of the parameter, sign = -1), or on the image of one. */
static wy_status lies_on_arrival(explorer *x, const branch_point *j, const branch_point *there, double sign,
                                 bool *followed, wy_error *err) {
    branch_path *p = &x->path;
    *followed = false;
    if (there->arrival_count == 0)
        return WY_OK;
    wy_path_mesh_use(p, &j->at);
    wy_status s = wy_path_load_solution(p, &x->now, err);
    if (s)
        return s;
    const solution_signature now = wy_explore_signature(x, &x->now);
    const double away = distance_between(p, &x->now, &j->at);
    for (size_t i = 0; i < there->arrival_count && !*followed && !s; i++) {
        const arrival *a = &there->arrivals[i];
        if (sign * (a->before.lambda - a->at.lambda) * (now.lambda - j->at.lambda) <= 0.0)
            continue; /* on the other side of the point Newton would cross to this one */
        wy_path_mesh_use(p, &a->at);
        if (point_on_arrival(x, a, away) == WY_OK) {
            wy_path_point_copy(&x->b, &x->a);
            x->b.lambda = sign * now.lambda;
            if (!wy_path_correct_at(p, &x->a, sign * now.lambda, 1.0, NULL) &&
                distance_between(p, &x->a, &x->b) < 0.3 * away &&
                !wy_path_load_solution(p, &x->a, NULL)) { /* still on that branch, not on the one that crosses it */
                solution_signature came = wy_explore_signature(x, &x->a);
                came.lambda *= sign;
                *followed = wy_explore_same_signature(x, &now, &came);
            }
        }
        s = wy_path_memory(p, err);
    }
    wy_path_mesh_use(p, &j->at);
    return s;
}

wy_status wy_explore_branch_points_followed(explorer *x, const branch_point *j, bool *followed, wy_error *err) {
    return lies_on_arrival(x, j, j, 1.0, followed, err);
}

wy_status wy_explore_branch_points_image(explorer *x, const branch_point *j, const solution_signature *other,
                                         bool *image, wy_error *err) {
    branch_path *p = &x->path;
    *image = false;
    const double here_by = x->now.lambda - j->at.lambda, there_by = other->lambda - j->at.lambda;
    if (!(fabs(here_by - there_by) <
          0.2 * fabs(there_by))) /* a branch that passes through the point is not its own image */
        return WY_OK;
    wy_path_point_copy(&x->a, &x->now);
    if (!wy_path_correct_at(p, &x->a, other->lambda, 1.0, NULL) && !wy_path_load_solution(p, &x->a, NULL)) {
        const solution_signature here = wy_explore_signature(x, &x->a);
        *image = wy_explore_same_signature(x, &here, other);
    }
    wy_path_mesh_use(p, &j->at);
    return wy_path_memory(p, err);
}

wy_status wy_explore_branch_points_reflected(explorer *x, size_t i, bool *image, wy_error *err) {
    branch_path *p = &x->path;
    const branch_point *j = &x->branch_points[i];
    *image = false;
    if (!wy_explore_may_reflect(x, x->now.lambda))
        return WY_OK;
    for (size_t k = 0; k < x->branch_point_count && !*image; k++) {
        const branch_point *other = &x->branch_points[k];
        if (!matches_branch_point(x, other, -j->at.lambda, j->energy, j->force))
            continue;
        for (size_t b = 0; b < other->started_count && !*image; b++) {
            solution_signature there = other->started[b];
            const double here_by = x->now.lambda - j->at.lambda, there_by = other->at.lambda - there.lambda;
            there.lambda = -there.lambda;
            if (!(there.lambda * x->now.lambda > 0.0) || !(fabs(here_by - there_by) < 0.2 * fabs(there_by)))
                continue;
            wy_path_mesh_use(p, &j->at);
            wy_path_point_copy(&x->a, &x->now);
            if (!wy_path_correct_at(p, &x->a, there.lambda, 1.0, NULL) && !wy_path_load_solution(p, &x->a, NULL)) {
                const solution_signature here = wy_explore_signature(x, &x->a);
                *image = wy_explore_same_signature(x, &here, &there);
            }
        }
        const wy_status s = *image ? WY_OK : lies_on_arrival(x, j, other, -1.0, image, err);
        if (s)
            return s;
    }
    wy_path_mesh_use(p, &j->at);
    return wy_path_memory(p, err);
}

void wy_explore_branch_points_free(explorer *x) {
    for (size_t i = 0; i < x->branch_point_count; i++) {
        for (size_t k = 0; k < x->branch_points[i].arrival_count; k++) {
            wy_path_point_free(&x->branch_points[i].arrivals[k].at);
            wy_path_point_free(&x->branch_points[i].arrivals[k].before);
        }
        free(x->branch_points[i].arrivals);
        wy_path_point_free(&x->branch_points[i].at);
        free(x->branch_points[i].kernel);
    }
    free(x->branch_points);
}
