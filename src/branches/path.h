/* Pseudo-arclength steps along a branch: the tools of branches.c. docs/math/branches.md (8.1)-(8.4). Internal. */
#ifndef WY_BRANCHES_PATH_H
#define WY_BRANCHES_PATH_H

#include <withy/branches.h>

#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"

/* A solution with the direction of its branch. */
typedef struct path_point {
    double *y, *t;        /* nodes x 13 each: state, and its part of the unit tangent */
    size_t elements;      /* its mesh, ... */
    double *s;            /* ... elements + 1 nodes, ... */
    size_t *piece;        /* ... and the stretch between stations on which each element lies */
    double lambda, slope; /* parameter, and its part of the tangent */
    long negative;
    int sign; /* of the determinant; compares between points with as many symmetries */
    size_t symmetries;
    int64_t iterations;
    double noise; /* the last Newton step, in the units of `error`: what round-off leaves uncertain */
    double error; /* estimate of the distance from the solution of the differential equation; negative: not known */
    double off;   /* how far the parameter is off, across the branch; negative: not known */
    double wave;  /* the largest phase of a buckling wave over an element */
} path_point;

typedef struct branch_path {
    const wy_branch_problem *problem;
    wy_branch_options options;
    wy_equilibrium *solver; /* owns model and collocation */
    equilibrium_model *model, *before, *after;
    equilibrium_stability *stability;
    size_t most;     /* elements that there is memory for */
    size_t nodes, n; /* of the mesh at present; n = nodes x 13 */
    double scale;    /* a change of the parameter by this counts as a length of 1 */
    double tension;  /* what counts as 1 of a force where the rod is drawn tight; 0: 40 EI/L^2 */
    double soft[2];  /* what counts as 1 of a force and of a moment, in 40 EI/L^2 and 6 EI/L: 1, less in a strip */
    double *weight;  /* of each component in the norm */
    double *row, *interior; /* scratch: nodes x 13 each */
    double *memory;
    wy_bvp_stats stats;
    bool no_memory; /* an allocation has failed; nothing more will succeed */
    /* mesh adaptation: path_mesh.c */
    double *local, *miss;              /* most x 13: error of each element; (most + 1) x 13: of each node */
    double *monitor, *measure, *fresh; /* most each; nodes of the mesh to come */
    const double *monitored;           /* y of the point whose errors the monitor holds */
    size_t *fresh_piece;
    path_point old, guess; /* what to go back to, where to start from */
    double least_floor;    /* what round-off makes of forces in a stiff rod */
    double floor;          /* below this, more elements did not help: round-off; at least the former */
    int64_t meshes;        /* how often the mesh was changed */
} branch_path;

wy_status wy_path_create(branch_path *path, const wy_branch_problem *problem, const wy_branch_options *options,
                         wy_error *err);
void wy_path_destroy(branch_path *path);

wy_status wy_path_point_create(path_point *point, const branch_path *path, wy_error *err);
void wy_path_point_free(path_point *point);
void wy_path_point_copy(path_point *to, const path_point *from);
/* Writes down the present mesh as that of the point. */
void wy_path_point_mesh(path_point *point, const branch_path *path);

/* Weighted inner product of two directions. */
double wy_path_dot(const branch_path *path, const double *a, double a_slope, const double *b, double b_slope);

/* WY_NO_MEMORY once an allocation has failed, whoever made little of it. */
wy_status wy_path_memory(const branch_path *path, wy_error *err);

/* The model at a parameter. */
wy_status wy_path_set(branch_path *path, double lambda, wy_error *err);

/* Newton from out->y, out->lambda to the solution with <d, (y, lambda) - base> = length, in the direction (d, d_slope);
 * the tangent comes out along that direction. */
wy_status wy_path_correct(branch_path *path, path_point *out, const path_point *base, const double *d, double d_slope,
                          double length, wy_error *err);

/* Newton from out->y at fixed lambda; the tangent comes out with the slope's sign `orientation`. */
wy_status wy_path_correct_at(branch_path *path, path_point *out, double lambda, double orientation, wy_error *err);

/* How many symmetries act on y at a parameter. */
wy_status wy_path_symmetries(branch_path *path, size_t *count, const double *y, double lambda, wy_error *err);

/* Whether the last step failed because elements are too long to count negative directions. */
bool wy_path_uncounted(const branch_path *path);

/* Counts the negative directions of a solution anew. */
wy_status wy_path_count(branch_path *path, path_point *at, wy_error *err);

/* The solution at a distance from base along its tangent. */
wy_status wy_path_step(branch_path *path, path_point *out, const path_point *base, double length, wy_error *err);

/* Makes the collocation hold a solution that was computed before: model and stages, without Newton on the nodes. */
wy_status wy_path_load_solution(branch_path *path, const path_point *at, wy_error *err);

/* The answer of the linear system with the parameter fixed to numbers without meaning: near a singular point it has the
 * direction of the null vector. n numbers into `x`. */
wy_status wy_path_probe(branch_path *path, double *x, const path_point *at, wy_error *err);

/* ---- path_mesh.c ---- */

/* Makes the mesh of a point the present one. */
void wy_path_mesh_use(branch_path *path, const path_point *of);

/* Estimates the error of the solution that the collocation holds: at->error, and what each element contributes to it.
 * Where the equations are singular (a branch point) the error stays unknown. */
void wy_path_mesh_estimate(branch_path *path, path_point *at);

/* By how much the mesh shifts a branch point along the branch, from a solution beside it, its distance from the point,
 * and the null vector; negative where that cannot be said. Also tells what each element contributes. */
double wy_path_mesh_kernel_error(branch_path *path, const path_point *beside, double distance, const double *kernel);

/* Another mesh for the point `at`, if it is worth while, from the last estimate `error`, which must be of this mesh;
 * `at` is solved on it, `also` (may be NULL) only interpolated. `urgent`: the error is more than what is asked. True if
 * the mesh changed. */
bool wy_path_mesh_improve(branch_path *path, path_point *at, path_point *also, double error, bool urgent);

/* Whether elements are too long to tell on which side of a critical load the solution lies, to what is promised of
 * critical loads. */
bool wy_path_mesh_unresolved(const branch_path *path, const path_point *at);

/* Cuts all elements of the mesh of `at` in two, if there is room; `also` as above. True if the mesh changed. */
bool wy_path_mesh_halve(branch_path *path, path_point *at, path_point *also);

/* The error that round-off makes, whatever the mesh: a force is a rigidity times a difference of lengths. */
double wy_path_mesh_floor(const branch_path *path);

/* Whether an error is more than what is asked and can be had. */
bool wy_path_mesh_too_coarse(const branch_path *path, double error);

/* A point at other places: states (may be NULL) and a direction (may be NULL), count x 13 each. The point must be on
 * the present mesh, the model at its parameter. */
void wy_path_mesh_states(double *out, const branch_path *path, const double *y, const double *s, size_t count);
void wy_path_mesh_direction(double *out, const branch_path *path, const double *y, const double *t, double slope,
                            const double *s, size_t count);

/* Chooses the unit of force for the way on from a point; true if the weights changed, and directions have to be made of unit length again. */
bool wy_path_mesh_set_force_unit(branch_path *path, const path_point *at);
void wy_path_mesh_normalise(const branch_path *path, path_point *at);

/* Weight of a component of the state in the norm, without the share of its node. */
double wy_path_mesh_component(const branch_path *path, size_t component);

/* Weights of the norm for the present mesh. */
void wy_path_mesh_weights(branch_path *path);

#endif
