/* Branch points: known again, remembered, left along their kernels. docs/math/branches.md. */
#include "branches/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

enum { D = WY_REST_DIM };

static junction *known(explorer *x, const path_point *at) {
    const double energy = wy_explore_report_energy(x, at), force = v3_norm(at->y);
    for (size_t i = 0; i < x->junction_count; i++) {
        junction *j = &x->junctions[i];
        if (fabs(j->at.lambda - at->lambda) < 1e-5 * x->path.scale &&
            fabs(j->energy - energy) < 1e-4 * (1.0 + fabs(energy)) && fabs(j->force - force) < 1e-4 * (1.0 + force))
            return j;
    }
    return NULL;
}

static wy_status remember(explorer *x, const path_point *at, const double *kernel, double kernel_slope, wy_error *err) {
    if (x->junction_count == x->junction_room) {
        const size_t room = x->junction_room ? 2 * x->junction_room : 16;
        junction *more = realloc(x->junctions, room * sizeof *more);
        if (!more)
            return wy_fail(err, WY_NO_MEMORY, "no memory for %zu branch points", room);
        x->junctions = more;
        x->junction_room = room;
    }
    junction *j = &x->junctions[x->junction_count];
    const double energy = wy_explore_report_energy(x, at);
    *j = (junction){.kernel_slope = kernel_slope, .energy = energy, .force = v3_norm(at->y)};
    wy_status s = wy_path_point_create(&j->at, &x->path, err);
    if (s)
        return s;
    j->kernel = malloc(2 * x->path.n * sizeof *j->kernel);
    x->junction_count++;
    if (!j->kernel)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a branch point");
    wy_path_point_copy(&j->at, at);
    memcpy(j->kernel, kernel, x->path.n * sizeof *j->kernel);
    j->through = j->kernel + x->path.n;
    j->number = wy_explore_report_label(x, WY_POINT_BRANCH);
    return WY_OK;
}

/* The branch that ends at x->first, with x->now before it, comes in at j. */
static wy_status arrive(explorer *x, junction *j, wy_error *err) {
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

/* The branch point in x->first with the null vector x->kernel, at ds from x->now: known from before, or remembered and
 * reported. */
wy_status wy_explore_junctions_pass(explorer *x, double ds, double kernel_slope, bool mirror, bool *over,
                                    wy_error *err) {
    beam_path *p = &x->path;
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
    wy_status s = wy_path_hold(p, at, err);
    junction *j = known(x, at);
    const bool old = j != NULL;
    if (!s && !old)
        s = remember(x, at, x->kernel, slope, err);
    const size_t number = old ? j->number : x->labels[WY_POINT_BRANCH];
    const wy_branch_end end = old && (x->parent != 0 || j->followed) ? WY_END_JOINED
                              : mirror && !p->options.mirrors        ? WY_END_MIRROR
                                                                     : WY_END_NONE;
    if (!s)
        s = wy_explore_report(x, at, WY_POINT_BRANCH, number, end, x->kernel, err);
    *over = end != WY_END_NONE;
    x->arclength = before;
    return s || !*over ? s : arrive(x, old ? j : &x->junctions[x->junction_count - 1], err);
}

/* Steps off a branch point along its kernel, one way, into x->now. */
wy_status wy_explore_junctions_leave(explorer *x, const junction *j, double way, wy_error *err) {
    beam_path *p = &x->path;
    wy_status s = WY_NO_CONVERGENCE;
    wy_path_mesh_use(p, &j->at);
    double length = fmin(0.05, 2.0 * p->options.step);
    for (int it = 0; it < 8 && s == WY_NO_CONVERGENCE; it++, length *= 0.5) {
        for (size_t i = 0; i < p->n; i++) {
            x->now.y[i] = j->at.y[i] + way * length * j->kernel[i];
            x->b.t[i] = way * j->kernel[i];
        }
        x->now.lambda = j->at.lambda + way * length * j->kernel_slope;
        s = wy_path_correct(p, &x->now, &j->at, x->b.t, way * j->kernel_slope, length, err);
    }
    return s;
}

static double distance(const beam_path *p, const path_point *a, const path_point *b) {
    for (size_t i = 0; i < p->n; i++)
        p->interior[i] = a->y[i] - b->y[i];
    return sqrt(wy_path_dot(p, p->interior, a->lambda - b->lambda, p->interior, a->lambda - b->lambda));
}

/* Into x->a: the branch that came in, about as far from the point as `away`. */
static wy_status back_along(explorer *x, const arrival *a, double away) {
    beam_path *p = &x->path;
    const double last = distance(p, &a->before, &a->at), share = away / last;
    wy_path_point_copy(&x->a, &a->before);
    if (share < 1.5) {
        for (size_t k = 0; k < p->n; k++)
            x->a.y[k] = a->at.y[k] + share * (a->before.y[k] - a->at.y[k]);
        return WY_OK;
    }
    wy_path_point_copy(&x->b, &a->before); /* too near: a step back from there */
    for (size_t k = 0; k < p->n; k++)
        x->b.t[k] = -x->b.t[k];
    x->b.slope = -x->b.slope;
    return wy_path_step(p, &x->a, &x->b, away - last, NULL);
}

/* Whether x->now, just left from j, lies on a branch that ended at `there` (j itself, or the branch point at the opposite value of the parameter, sign = -1), or on the image of one. */
static wy_status walked_in(explorer *x, const junction *j, const junction *there, double sign, bool *walked,
                           wy_error *err) {
    beam_path *p = &x->path;
    *walked = false;
    if (there->arrival_count == 0)
        return WY_OK;
    wy_path_mesh_use(p, &j->at);
    wy_status s = wy_path_hold(p, &x->now, err);
    if (s)
        return s;
    const likeness now = wy_explore_likeness(x, &x->now);
    const double away = distance(p, &x->now, &j->at);
    for (size_t i = 0; i < there->arrival_count && !*walked && !s; i++) {
        const arrival *a = &there->arrivals[i];
        if (sign * (a->before.lambda - a->at.lambda) * (now.lambda - j->at.lambda) <= 0.0)
            continue; /* on the other side of the point Newton would come across it to this one */
        wy_path_mesh_use(p, &a->at);
        if (back_along(x, a, away) == WY_OK) {
            wy_path_point_copy(&x->b, &x->a);
            x->b.lambda = sign * now.lambda;
            if (!wy_path_settle(p, &x->a, sign * now.lambda, 1.0, NULL) && distance(p, &x->a, &x->b) < 0.3 * away &&
                !wy_path_hold(p, &x->a, NULL)) { /* still on that branch, and not on the one that crosses it */
                likeness came = wy_explore_likeness(x, &x->a);
                came.lambda *= sign;
                *walked = wy_explore_alike(x, &now, &came);
            }
        }
        s = wy_path_memory(p, err);
    }
    wy_path_mesh_use(p, &j->at);
    return s;
}

wy_status wy_explore_junctions_walked(explorer *x, const junction *j, bool *walked, wy_error *err) {
    return walked_in(x, j, j, 1.0, walked, err);
}

wy_status wy_explore_junctions_image(explorer *x, const junction *j, const likeness *other, bool *image,
                                     wy_error *err) {
    beam_path *p = &x->path;
    *image = false;
    const double here_by = x->now.lambda - j->at.lambda, there_by = other->lambda - j->at.lambda;
    if (!(fabs(here_by - there_by) <
          0.2 * fabs(there_by))) /* a branch that passes through the point is no image of itself */
        return WY_OK;
    wy_path_point_copy(&x->a, &x->now);
    if (!wy_path_settle(p, &x->a, other->lambda, 1.0, NULL) && !wy_path_hold(p, &x->a, NULL)) {
        const likeness here = wy_explore_likeness(x, &x->a);
        *image = wy_explore_alike(x, &here, other);
    }
    wy_path_mesh_use(p, &j->at);
    return wy_path_memory(p, err);
}

wy_status wy_explore_junctions_reflected(explorer *x, size_t i, bool *image, wy_error *err) {
    beam_path *p = &x->path;
    const junction *j = &x->junctions[i];
    *image = false;
    if (!wy_explore_may_reflect(x, x->now.lambda))
        return WY_OK;
    for (size_t k = 0; k < x->junction_count && !*image; k++) {
        const junction *other = &x->junctions[k];
        if (fabs(other->at.lambda + j->at.lambda) > 1e-5 * p->scale ||
            fabs(other->energy - j->energy) > 1e-4 * (1.0 + fabs(j->energy)) ||
            fabs(other->force - j->force) > 1e-4 * (1.0 + j->force))
            continue;
        for (size_t b = 0; b < other->begun_count && !*image; b++) {
            likeness there = other->begun[b];
            const double here_by = x->now.lambda - j->at.lambda, there_by = other->at.lambda - there.lambda;
            there.lambda = -there.lambda;
            if (!(there.lambda * x->now.lambda > 0.0) || !(fabs(here_by - there_by) < 0.2 * fabs(there_by)))
                continue;
            wy_path_mesh_use(p, &j->at);
            wy_path_point_copy(&x->a, &x->now);
            if (!wy_path_settle(p, &x->a, there.lambda, 1.0, NULL) && !wy_path_hold(p, &x->a, NULL)) {
                const likeness here = wy_explore_likeness(x, &x->a);
                *image = wy_explore_alike(x, &here, &there);
            }
        }
        const wy_status s = *image ? WY_OK : walked_in(x, j, other, -1.0, image, err);
        if (s)
            return s;
    }
    wy_path_mesh_use(p, &j->at);
    return wy_path_memory(p, err);
}

void wy_explore_junctions_free(explorer *x) {
    for (size_t i = 0; i < x->junction_count; i++) {
        for (size_t k = 0; k < x->junctions[i].arrival_count; k++) {
            wy_path_point_free(&x->junctions[i].arrivals[k].at);
            wy_path_point_free(&x->junctions[i].arrivals[k].before);
        }
        free(x->junctions[i].arrivals);
        wy_path_point_free(&x->junctions[i].at);
        free(x->junctions[i].kernel);
    }
    free(x->junctions);
}
