/* Pseudo-arclength steps along a branch: the tools of beam_branches.c. docs/math/branches.md (7.1)-(7.4). Internal. */
#ifndef WY_BEAM_PATH_H
#define WY_BEAM_PATH_H

#include <withy/branch.h>

#include "rod/beam_solver.h"
#include "rod/beam_stability.h"

/* A solution with the direction of its branch. */
typedef struct path_point {
    double *y, *t;          /* nodes x 13 each: state, and its part of the unit tangent */
    double lambda, slope;   /* parameter, and its part of the tangent */
    long negative;
    int sign;               /* of the determinant; compares between points with as many symmetries */
    size_t symmetries;
    int64_t iterations;
} path_point;

typedef struct beam_path {
    const wy_branch_problem *problem;
    wy_branch_options options;
    wy_beam_solver *solver; /* owns model and collocation */
    beam_model *model, *before, *after;
    beam_stability *stability;
    size_t nodes, n;        /* n = nodes x 13 */
    double scale;           /* a change of the parameter by this counts as a length of 1 */
    double *weight;         /* of each component in the norm */
    double *row, *interior; /* scratch: nodes x 13 each */
    double *memory;
    wy_bvp_stats stats;
} beam_path;

wy_status path_create(beam_path *path, const wy_branch_problem *problem, const wy_branch_options *options, wy_error *err);
void path_destroy(beam_path *path);

wy_status path_point_create(path_point *point, const beam_path *path, wy_error *err);
void path_point_free(path_point *point);
void path_point_copy(path_point *to, const path_point *from, const beam_path *path);

/* Weighted inner product of two directions. */
double path_dot(const beam_path *path, const double *a, double a_slope, const double *b, double b_slope);

/* The model at a parameter. */
wy_status path_set(beam_path *path, double lambda, wy_error *err);

/* Newton from out->y, out->lambda to the solution with <d, (y, lambda) - base> = length, in the direction (d, d_slope); the
 * tangent comes out along that direction. */
wy_status path_correct(beam_path *path, path_point *out, const path_point *base, const double *d, double d_slope, double length,
                       wy_error *err);

/* Newton from out->y at fixed lambda; the tangent comes out with the slope's sign `orientation`. */
wy_status path_settle(beam_path *path, path_point *out, double lambda, double orientation, wy_error *err);

/* How many symmetries act on y at a parameter. */
wy_status path_symmetries(beam_path *path, size_t *count, const double *y, double lambda, wy_error *err);

/* Counts the negative directions of a solution anew. */
wy_status path_count(beam_path *path, path_point *at, wy_error *err);

/* The solution at a distance from base along its tangent. */
wy_status path_step(beam_path *path, path_point *out, const path_point *base, double length, wy_error *err);

/* Makes the collocation hold a solution that was computed before: model and stages, without Newton on the nodes. */
wy_status path_hold(beam_path *path, const path_point *at, wy_error *err);

/* The answer of the linear system with the parameter fixed to numbers without meaning: near a singular point it has the
 * direction of the null vector. n numbers into `x`. */
wy_status path_probe(beam_path *path, double *x, const path_point *at, wy_error *err);

#endif
