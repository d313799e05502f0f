/* Data and functions of the exploration of branches: shared by the explore_*.c and branches.c. docs/math/branches.md.
 * Internal to src/branches. */
#ifndef WY_BRANCHES_EXPLORE_H
#define WY_BRANCHES_EXPLORE_H

#include "branches/path.h"

/* The event on a step: none; a fold; a branch point, simple or multiple; a branch point at which the parameter turns
 * round (the handle of a pitchfork); or several of them. Every change of the number of negative directions is one of
 * these. */
typedef enum event { EVENT_NONE, EVENT_FOLD, EVENT_BRANCH, EVENT_VERTEX, EVENT_SEVERAL } event;

/* A branch that ended at a branch point: the point as located from that branch, and the last solution before it. */
typedef struct arrival {
    path_point at, before;
} arrival;

/* Quantities that solutions and their images under symmetries share at one value of the parameter: they identify a
 * branch. */
typedef struct solution_signature {
    double lambda, energy, force;
    long negative;
} solution_signature;

/* A located branch point, from which branches start. */
typedef struct branch_point {
    path_point at;
    double *kernel; /* n numbers, across the branch on which it was located; unit length */
    double kernel_slope;
    double *through,
        through_slope;           /* tangent at the point of the branch that was followed from it: the direction back */
    double energy, force;        /* to identify it */
    size_t number, multiplicity; /* multiplicity: directions that change sign */
    wy_branch_type type;
    bool followed;
    solution_signature started[3]; /* of the first solutions of the branches that were followed from it */
    size_t started_count;
    arrival *arrivals;
    size_t arrival_count;
} branch_point;

/* Directions of the second variation nearest to a change of sign at a solution. */
typedef struct nearest {
    size_t count;
    double values[WY_NEAREST], *shapes;
    double rate;    /* of their change on the step to it */
    int64_t meshes; /* the mesh, by its number */
    bool known;
} nearest;

enum { EXPLORE_NEAR = 6 }; /* solutions around a branch point from which it is interpolated */

typedef struct explorer {
    branch_path path;
    wy_branch_report report;
    void *context;
    path_point now, next; /* ends of the present step ... */
    double ds;            /* ... and its length along the tangent of now */
    path_point a, b, first, start;
    nearest nearest_now, nearest_next;
    path_point near[EXPLORE_NEAR];
    double near_at[EXPLORE_NEAR]; /* their distances from now */
    branch_point *branch_points;
    size_t branch_point_count, branch_point_capacity;
    size_t branch, parent, point, labels[WY_POINT_VALUE + 1];
    double arclength;
    size_t count;     /* points s at which solutions are reported: ... */
    double *report_s; /* ... the nodes of the first mesh */
    double *si, *s_si, *spun, *kernel_there;
    double *kernel; /* null vector of the present branch point */
    double spin;    /* by which the last solution of a round rod was turned for the report */
    bool spinning;
    size_t multiplicity;          /* of the present special point, ... */
    wy_branch_type type;          /* ... and its type */
    long missing;                 /* changes of the count since the last report without a special point, ... */
    double missing_from;          /* ... and the parameter behind which they are */
    double reach;                 /* largest distance of the parameter from the start on this branch */
    double linear;                /* parameter of the first branch point of the start's branch by linear buckling */
    double linear_within;         /* its relative accuracy */
    bool linear_open, linear_off; /* not compared yet; it disagrees */
    path_point origin;            /* start of the branch, transferred from mesh to mesh */
    bool fixed;                   /* the mesh must not change now */
    int finer;                    /* number of refinements for the present branch point */
    solution_signature home;      /* of the origin */
    bool closed;                  /* the last branch returned to its origin */
    wy_rod_definition rod;
} explorer;

/* ---- explore_report.c ---- */

/* Reports a solution; `at` must be the one in the collocation. */
wy_status wy_explore_report(explorer *x, const path_point *at, wy_point_sort sort, size_t number, wy_branch_end end,
                            const double *kernel, wy_error *err);
size_t wy_explore_report_label(explorer *x, wy_point_sort sort);
/* Strain energy of the solution in the collocation, in units of the rod. */
double wy_explore_report_energy(const explorer *x, const path_point *at);

/* Of the solution in the collocation. */
solution_signature wy_explore_signature(const explorer *x, const path_point *at);
bool wy_explore_same_signature(const explorer *x, const solution_signature *a, const solution_signature *b);
/* Whether images under a change of the parameter's sign may be left out on the side of `lambda`: the bounds are
 * symmetric, and no values are requested there. */
bool wy_explore_may_reflect(const explorer *x, double lambda);

/* ---- explore_refine.c: special points between now (0) and next (ds), into x->first ---- */

/* The cubic through now and next, at a distance `at` from now; ds is the distance of next. */
void wy_explore_refine_guess(const explorer *x, path_point *out, double at, double ds);
/* The solution at a distance from now, by Newton from that cubic. */
wy_status wy_explore_refine_step(explorer *x, path_point *out, double at, wy_error *err);
wy_status wy_explore_refine_fold(explorer *x, double *root, wy_error *err);
/* A branch point where directions become negative, all of them at one point; its null vector into x->kernel;
 * `uncertainty`: of its position, by the search. */
wy_status wy_explore_refine_branch_point(explorer *x, double *root, double *uncertainty, wy_error *err);
/* Shift of that branch point along the branch by the mesh, from a solution near it; negative: not known. */
double wy_explore_refine_error(explorer *x, const path_point *nearby, double root);
/* A branch point at which the parameter turns round: the handle of a pitchfork. */
wy_status wy_explore_refine_vertex(explorer *x, double *root, double *kernel_slope, wy_error *err);
/* The event between two points, by their counts of negative directions, or, if these are not known, by the sign of the
 * determinant. */
event wy_explore_event(const path_point *p, const path_point *q);
/* If the search failed: halves the step towards its first event. Either the step then ends where `less` has happened,
 * with a new x->next and x->ds; or a branch point is known to within `width`: in x->first, with its null vector. */
wy_status wy_explore_refine_first(explorer *x, double *root, double *width, bool *less, wy_error *err);

/* ---- explore_pairs.c ---- */

/* Number of directions that change their sign within the step of length ds from now to next beyond the change of the
 * counts at its ends. */
wy_status wy_explore_pairs_hidden(explorer *x, double ds, long *hidden, wy_error *err);
/* Next becomes now; `whole`: it is the point for which hidden changes were counted. */
void wy_explore_pairs_advance(explorer *x, bool whole);

/* ---- explore_branch_points.c ---- */

/* The branch point in x->first with the null vector x->kernel, at ds from now: identified as a known one, or stored and
 * reported. */
wy_status wy_explore_branch_points_pass(explorer *x, double ds, double kernel_slope, bool mirror, bool *over,
                                        wy_error *err);
/* Branch switching: steps from a branch point along its kernel, in direction `sign`, into x->now. */
wy_status wy_explore_branch_points_switch(explorer *x, const branch_point *j, double sign, wy_error *err);
/* Whether x->now, next to j, lies on a branch that ended there, or on the image of one, and was followed already in the
 * other direction. Leaves the mesh of j. */
wy_status wy_explore_branch_points_followed(explorer *x, const branch_point *j, bool *followed, wy_error *err);
/* Whether x->now, next to j on one side, is the image of `other`, on the other side. */
wy_status wy_explore_branch_points_image(explorer *x, const branch_point *j, const solution_signature *other,
                                         bool *image, wy_error *err);
/* Whether x->now, next to the i-th branch point, is the image of a branch that was followed from, or ended at, the
 * branch point at the opposite value of the parameter (which may be the same one, at 0). Leaves the mesh of the
 * point. */
wy_status wy_explore_branch_points_reflected(explorer *x, size_t i, bool *image, wy_error *err);
void wy_explore_branch_points_free(explorer *x);

/* ---- explore_values.c ---- */

/* The solution at exactly `lambda` between two points with a monotonic parameter between them. */
wy_status wy_explore_values_correct(explorer *x, path_point *out, const path_point *from, const path_point *to,
                                    double lambda, wy_error *err);
/* Reports the solutions at requested values between two such points. */
wy_status wy_explore_values_pass(explorer *x, const path_point *from, double at_from, const path_point *to,
                                 double at_to, wy_error *err);

#endif
