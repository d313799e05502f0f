/* Meshes of boundary-value problems: solutions between the nodes, and meshes that equidistribute the error.
 * docs/math/branches.md (8.12)-(8.15). */
#ifndef WY_MESH_H
#define WY_MESH_H

#include "solve/bvp.h"

/* The element that contains s; the search begins at `hint`. */
size_t wy_mesh_find(const wy_bvp *bvp, double s, size_t hint);

/* The solution at s in an element: the polynomial of degree five with y, y' = f and y'' = f_y f + f_s at both nodes.
 * Its error is of sixth order, as that of the nodes; the collocation polynomial is only of fourth order. */
void wy_mesh_solution(double *out, const wy_bvp *bvp, const double *y, size_t element, double s);

/* A direction (t, slope) at the solution y that solves t' = f_y t + slope f_lambda: the cubic through t and t'. */
void wy_mesh_direction(double *out, const wy_bvp *bvp, const double *y, const double *t, double slope, size_t element,
                       double s);

/* How far a mesh is from equidistribution: from the local error of each element, which is of order `power` in its
 * length. */
typedef struct wy_mesh_need {
    double sum;    /* of the local errors */
    double evenly; /* the same for an equidistributed mesh with as many elements */
    double even;   /* sum over the elements of error^(1/power): the measure to equidistribute */
} wy_mesh_need;

/* Sets `measure` of each element. A density below a fifth of the mean is raised to that, and below 0.6 of a neighbour's
 * to that, because the solution changes along a branch. */
wy_mesh_need wy_mesh_weigh(double *measure, const double *local, const wy_bvp *bvp, int power);

/* Number of elements of an equidistributed mesh that reduces the error from `error` to `wanted`. */
double wy_mesh_count(const wy_mesh_need *need, double error, double wanted, size_t elements, int power);

/* Nodes that equidistribute the measure; the ends of pieces (runs of elements with the same `piece`) stay nodes. Writes
 * about `wanted` and at most `most` elements, and returns their number; 0 if `most` is too few for the pieces. */
size_t wy_mesh_equidistribute(double *s, size_t *piece, size_t wanted, size_t most, const double *measure,
                              const wy_bvp *bvp, const size_t *old_piece);

#endif
