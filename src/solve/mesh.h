/* Meshes of boundary-value problems: solutions between the nodes, and nodes where the error wants them.
 * docs/math/branches.md (8.12)-(8.15). */
#ifndef WY_MESH_H
#define WY_MESH_H

#include "solve/bvp.h"

/* The element that holds s; the search begins at `hint`. */
size_t wy_mesh_find(const wy_bvp *bvp, double s, size_t hint);

/* The solution at s in an element: the polynomial of degree five that has y, y' = f and y'' = f_y f + f_s of both
 * nodes. Its error is of sixth order, that of the nodes; the collocation's own polynomial would only be of fourth. */
void wy_mesh_solution(double *out, const wy_bvp *bvp, const double *y, size_t element, double s);

/* A direction (t, slope) at the solution y that solves t' = f_y t + slope f_lambda: the cubic through t and t'. */
void wy_mesh_direction(double *out, const wy_bvp *bvp, const double *y, const double *t, double slope, size_t element,
                       double s);

/* How much a mesh could be better: from the local error of each element, which is of order `power` in its length. */
typedef struct wy_mesh_need {
    double sum;    /* of the local errors */
    double evenly; /* the same if as many elements shared it evenly */
    double even;   /* sum over the elements of error^(1/power): the measure that nodes divide */
} wy_mesh_need;

/* `measure` (elements numbers) becomes the measure of each element. What is less than a fifth of the mean density
 * counts as that, and no element counts less than 0.6 of its neighbour: the solution moves on. */
wy_mesh_need wy_mesh_weigh(double *measure, const double *local, const wy_bvp *bvp, int power);

/* How many elements that share evenly make the error (which is `error` now) equal to `wanted`. */
double wy_mesh_count(const wy_mesh_need *need, double error, double wanted, size_t elements, int power);

/* Nodes that share the measure evenly; the ends of pieces (stretches of elements with the same `piece`) stay nodes.
 * Writes at most `most` elements, about `wanted`, and returns how many; 0 where most is too few for the pieces. */
size_t wy_mesh_equidistribute(double *s, size_t *piece, size_t wanted, size_t most, const double *measure,
                              const wy_bvp *bvp, const size_t *old_piece);

#endif
