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
    size_t *piece;        /* ... and the piece between jumps on which each element lies */
    double lambda, slope; /* parameter, and its part of the tangent */
    long negative;
    int sign; /* of the determinant; comparable between points with equal symmetries */
    size_t symmetries;
    int64_t iterations;
    double noise; /* the last Newton step, in the units of `error`: round-off */
    double error; /* estimated distance from the solution of the differential equation; negative: not known */
    double off;   /* error of the parameter, across the branch; negative: not known */
    double wave;  /* the largest phase of a buckling wave over an element */
} path_point;

typedef struct branch_path {
    const wy_branch_problem *problem;
    wy_branch_options options;
    wy_equilibrium *solver; /* owns model and collocation */
    equilibrium_model *model, *before, *after;
    equilibrium_stability *stability;
    size_t most;            /* capacity in elements */
    size_t nodes, n;        /* of the mesh at present; n = nodes x 13 */
    double scale;           /* change of the parameter that counts as a length of 1 */
    double tension;         /* unit of force where the rod is taut; 0: 40 EI/L^2 */
    double soft[2];         /* units of force and of moment, in 40 EI/L^2 and 6 EI/L: 1, less in a strip */
    double *weight;         /* of each component in the norm */
    double *row, *interior; /* scratch: nodes x 13 each */
    double *memory;
    wy_bvp_stats stats;
    bool no_memory; /* an allocation has failed; all further steps fail */
    /* mesh adaptation: path_mesh.c */
    double *local, *miss;              /* most x 13: error of each element; (most + 1) x 13: of each node */
    double *monitor, *measure, *fresh; /* most each; nodes of the next mesh */
    const double *monitored;           /* y of the point whose errors are in the monitor */
    size_t *fresh_piece;
    path_point old, guess; /* to restore; first guess */
    double least_floor;    /* round-off of forces in a stiff rod */
    double floor;          /* error below which more elements did not help (round-off); at least least_floor */
    int64_t meshes;        /* how often the mesh was changed */
} branch_path;

wy_status wy_path_create(branch_path *path, const wy_branch_problem *problem, const wy_branch_options *options,
                         wy_error *err);
void wy_path_destroy(branch_path *path);

wy_status wy_path_point_create(path_point *point, const branch_path *path, wy_error *err);
void wy_path_point_free(path_point *point);
void wy_path_point_copy(path_point *to, const path_point *from);
/* Stores the present mesh as that of the point. */
void wy_path_point_mesh(path_point *point, const branch_path *path);

/* Weighted inner product of two directions. */
double wy_path_dot(const branch_path *path, const double *a, double a_slope, const double *b, double b_slope);

/* WY_NO_MEMORY once an allocation has failed, even if its caller continued. */
wy_status wy_path_memory(const branch_path *path, wy_error *err);

/* The model at a parameter. */
wy_status wy_path_set(branch_path *path, double lambda, wy_error *err);

/* Newton from out->y, out->lambda to the solution with <d, (y, lambda) - base> = length, in the direction (d, d_slope);
 * the tangent is oriented along that direction. */
wy_status wy_path_correct(branch_path *path, path_point *out, const path_point *base, const double *d, double d_slope,
                          double length, wy_error *err);

/* Newton from out->y at fixed lambda; the tangent is oriented so that its slope has the sign of `orientation`. */
wy_status wy_path_correct_at(branch_path *path, path_point *out, double lambda, double orientation, wy_error *err);

/* Number of symmetries of y at a parameter. */
wy_status wy_path_symmetries(branch_path *path, size_t *count, const double *y, double lambda, wy_error *err);

/* Whether the last step failed because elements are too long to count negative directions. */
bool wy_path_uncounted(const branch_path *path);

/* Counts the negative directions of a solution again. */
wy_status wy_path_count(branch_path *path, path_point *at, wy_error *err);

/* The solution at a distance from base along its tangent. */
wy_status wy_path_step(branch_path *path, path_point *out, const path_point *base, double length, wy_error *err);

/* Loads a computed solution into the collocation: model and stages, without Newton on the nodes. */
wy_status wy_path_load_solution(branch_path *path, const path_point *at, wy_error *err);

/* The solution of the linear system at a fixed parameter with a pseudo-random right-hand side: near a singular point it
 * has the direction of the null vector. n numbers into `x`. */
wy_status wy_path_probe(branch_path *path, double *x, const path_point *at, wy_error *err);

/* ---- path_mesh.c ---- */

/* Makes the mesh of a point the present one. */
void wy_path_mesh_use(branch_path *path, const path_point *of);

/* Estimates the error of the solution in the collocation: at->error, and the contribution of each element. If the
 * equations are singular (a branch point) the error stays unknown. */
void wy_path_mesh_estimate(branch_path *path, path_point *at);

/* Shift of a branch point along the branch by the mesh, from a solution near it, its distance from the point, and the
 * null vector; negative: not known. Also sets the contribution of each element. */
double wy_path_mesh_kernel_error(branch_path *path, const path_point *nearby, double distance, const double *kernel);

/* Another mesh for the point `at`, if worthwhile, from the last estimate `error`, which must be of this mesh; `at` is
 * solved on it, `also` (may be NULL) only interpolated. `urgent`: the error exceeds the tolerance. True if the mesh
 * changed. */
bool wy_path_mesh_improve(branch_path *path, path_point *at, path_point *also, double error, bool urgent);

/* Whether elements are too long to decide on which side of a critical load the solution lies, to the accuracy of
 * critical loads. */
bool wy_path_mesh_unresolved(const branch_path *path, const path_point *at);

/* Halves all elements of the mesh of `at`, within the capacity; `also` as above. True if the mesh changed. */
bool wy_path_mesh_halve(branch_path *path, path_point *at, path_point *also);

/* The error by round-off, on any mesh: a force is a rigidity times a difference of lengths. */
double wy_path_mesh_floor(const branch_path *path);

/* Whether an error exceeds the tolerance and a finer mesh can reduce it. */
bool wy_path_mesh_too_coarse(const branch_path *path, double error);

/* A point at other arc lengths: states (may be NULL) and a direction (may be NULL), count x 13 each. The point must be
 * on the present mesh, the model at its parameter. */
void wy_path_mesh_states(double *out, const branch_path *path, const double *y, const double *s, size_t count);
void wy_path_mesh_direction(double *out, const branch_path *path, const double *y, const double *t, double slope,
                            const double *s, size_t count);

/* Chooses the unit of force for the steps from a point; true if the weights changed, and directions must be
 * normalised again. */
bool wy_path_mesh_set_force_unit(branch_path *path, const path_point *at);
void wy_path_mesh_normalise(const branch_path *path, path_point *at);

/* Weight of a component of the state in the norm, without the tributary length of its node. */
double wy_path_mesh_component(const branch_path *path, size_t component);

/* Weights of the norm for the present mesh. */
void wy_path_mesh_weights(branch_path *path);

#endif
