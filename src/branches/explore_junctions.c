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
    j->kernel = malloc(x->path.n * sizeof *j->kernel);
    x->junction_count++;
    if (!j->kernel)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a branch point");
    wy_path_point_copy(&j->at, at);
    memcpy(j->kernel, kernel, x->path.n * sizeof *j->kernel);
    j->number = wy_explore_report_label(x, WY_POINT_BRANCH);
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
    return s;
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

void wy_explore_junctions_free(explorer *x) {
    for (size_t i = 0; i < x->junction_count; i++) {
        wy_path_point_free(&x->junctions[i].at);
        free(x->junctions[i].kernel);
    }
    free(x->junctions);
}
