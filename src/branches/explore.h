/* What the exploration of branches is made of: shared by the explore_*.c and branches.c. docs/math/branches.md.
 * Internal to src/branches. */
#ifndef WY_BRANCHES_EXPLORE_H
#define WY_BRANCHES_EXPLORE_H

#include "branches/path.h"

/* What happens on a step: nothing; a fold; a branch point, simple or multiple; a branch point at which the parameter
 * turns round (the handle of a pitchfork); or several of them. Every change of the number of negative directions is
 * one of these. */
typedef enum event { EVENT_NONE, EVENT_FOLD, EVENT_BRANCH, EVENT_VERTEX, EVENT_SEVERAL } event;

/* A branch that ended at a branch point: the point as it found it, and its last solution before. */
typedef struct arrival {
    path_point at, before;
} arrival;

/* What solutions and their images under symmetries have in common, at one value of the parameter: to know a branch again. */
typedef struct solution_signature {
    double lambda, energy, force;
    long negative;
} solution_signature;

/* A branch point that was found: where branches begin. */
typedef struct branch_point {
    path_point at;
    double *kernel; /* n numbers, across the branch on which it was found; unit length */
    double kernel_slope;
    double *through,
        through_slope; /* the tangent of the branch that was followed off it, there: the way back through the point */
    double energy, force;        /* to know it again */
    size_t number, multiplicity; /* multiplicity: directions that change sign */
    wy_branch_type type;
    bool followed;
    solution_signature started[3]; /* branches that were followed off it: their first solutions */
    size_t started_count;
    arrival *arrivals;
    size_t arrival_count;
} branch_point;

/* Directions of the second variation that are nearest to changing their sign at a solution. */
typedef struct nearest {
    size_t count;
    double values[WY_NEAREST], *shapes;
    double rate;    /* at which they have changed on the step to it */
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
    size_t count;     /* places at which solutions are reported: ... */
    double *report_s; /* ... the nodes of the first mesh */
    double *si, *s_si, *spun, *kernel_there;
    double *kernel; /* the null vector of the branch point at hand */
    double spin;    /* by which the last solution of a round rod was turned for the report */
    bool spinning;
    size_t multiplicity;  /* of the special point at hand, ... */
    wy_branch_type type;  /* ... and its type */
    long missing;         /* changes of the count since the last report that no special point accounts for, ... */
    double missing_from;  /* ... and the parameter behind which they are */
    double reach;         /* how far from the start the parameter has been on this branch */
    double linear;        /* the parameter at which linear buckling puts the first branch point of the start's branch */
    double linear_within; /* how well that is known, relative */
    bool linear_open, linear_off; /* still to be compared; it disagrees */
    path_point origin;            /* where the branch began, carried along from mesh to mesh */
    bool fixed;                   /* the mesh must not change now */
    int finer;                    /* how often the mesh was made finer for the branch point at hand */
    solution_signature home;      /* of the origin */
    bool closed;                  /* the last branch came back to its origin */
    wy_rod_definition rod;
} explorer;

/* ---- explore_report.c ---- */

/* Hands a solution over; `at` must be the one that the collocation holds. */
wy_status wy_explore_report(explorer *x, const path_point *at, wy_point_sort sort, size_t number, wy_branch_end end,
                            const double *kernel, wy_error *err);
size_t wy_explore_report_label(explorer *x, wy_point_sort sort);
/* Strain energy of the solution that the collocation holds, in units of the rod. */
double wy_explore_report_energy(const explorer *x, const path_point *at);

/* Of a solution that the collocation holds. */
solution_signature wy_explore_signature(const explorer *x, const path_point *at);
bool wy_explore_same_signature(const explorer *x, const solution_signature *a, const solution_signature *b);
/* Whether images under a change of the parameter's sign may be left out on the side where `lambda` is: the bounds are alike, and nothing was asked for there. */
bool wy_explore_may_reflect(const explorer *x, double lambda);

/* ---- explore_refine.c: special points between now (0) and next (ds), into x->first ---- */

/* The cubic through now and next, which is ds away, at a distance from now. */
void wy_explore_refine_guess(const explorer *x, path_point *out, double at, double ds);
/* The solution at a distance from now, by Newton from that cubic. */
wy_status wy_explore_refine_step(explorer *x, path_point *out, double at, wy_error *err);
wy_status wy_explore_refine_fold(explorer *x, double *root, wy_error *err);
/* A branch point where directions become negative, all of them at one place; its null vector into x->kernel; `doubt`:
 * what the search leaves open of its place. */
wy_status wy_explore_refine_branch_point(explorer *x, double *root, double *doubt, wy_error *err);
/* How far the mesh has shifted that branch point along the branch, from a solution beside it; negative where that
 * cannot be said. */
double wy_explore_refine_error(explorer *x, const path_point *beside, double root);
/* A branch point at which the parameter turns round: the handle of a pitchfork. */
wy_status wy_explore_refine_vertex(explorer *x, double *root, double *kernel_slope, wy_error *err);
/* What happens between two points, by their counts of negative directions, or, where these are not known, the sign
 * of the determinant. */
event wy_explore_event(const path_point *p, const path_point *q);
/* Where that did not succeed: halves the step towards its first event. Either it then ends where `less` has
 * happened, with a new x->next and x->ds; or a branch point is known to within `width`: in x->first, with its null
 * vector. */
wy_status wy_explore_refine_first(explorer *x, double *root, double *width, bool *less, wy_error *err);

/* ---- explore_pairs.c ---- */

/* How many directions change their sign within the step of length ds from now to next beyond what the counts of its
 * ends show. */
wy_status wy_explore_pairs_hidden(explorer *x, double ds, long *hidden, wy_error *err);
/* Next becomes now; `whole`: it is the next for which that was asked. */
void wy_explore_pairs_advance(explorer *x, bool whole);

/* ---- explore_branch_points.c ---- */

/* The branch point in x->first with the null vector x->kernel, at ds from now: known from before, or remembered and
 * reported. */
wy_status wy_explore_branch_points_pass(explorer *x, double ds, double kernel_slope, bool mirror, bool *over,
                                        wy_error *err);
/* Branch switching: steps off a branch point along its kernel, in one direction, into x->now. */
wy_status wy_explore_branch_points_switch(explorer *x, const branch_point *j, double way, wy_error *err);
/* Whether x->now, just left from j, lies on a branch that ended there, or on the image of one: followed already, the other way. Leaves the mesh that
 * of j. */
wy_status wy_explore_branch_points_followed(explorer *x, const branch_point *j, bool *walked, wy_error *err);
/* Whether x->now, just left from j one way, is the image of `other`, left the other way. */
wy_status wy_explore_branch_points_image(explorer *x, const branch_point *j, const solution_signature *other,
                                         bool *image, wy_error *err);
/* Whether x->now, just left from the i-th branch point, is the image of a branch that was followed off the branch point at the opposite value of the parameter (which may be the
 * same one, at 0), or that ended there. Leaves the mesh that of the point. */
wy_status wy_explore_branch_points_reflected(explorer *x, size_t i, bool *image, wy_error *err);
void wy_explore_branch_points_free(explorer *x);

/* ---- explore_values.c ---- */

/* The solution at exactly `lambda` between two points of a stretch where the parameter runs one way. */
wy_status wy_explore_values_correct(explorer *x, path_point *out, const path_point *from, const path_point *to,
                                    double lambda, wy_error *err);
/* Reports the solutions at asked values between two points on such a stretch. */
wy_status wy_explore_values_pass(explorer *x, const path_point *from, double at_from, const path_point *to,
                                 double at_to, wy_error *err);

#endif
