/* Functions of a rod's definition that the solvers share. Internal to the library. */
#ifndef WY_ROD_DEFINITION_H
#define WY_ROD_DEFINITION_H

#include <withy/rod.h>

#include "base/lab_api.h"
#include "rod/rod_along.h"

/* wy_rod_definition_check for a copy by wy_rod_definition_copy. */
wy_status wy_rod_definition_check_copy(const wy_rod_definition *copy, const char **part, wy_error *err);

/* Copies rows of numbers into the arena. */
wy_status wy_samples_copy(wy_samples *rows, size_t columns, wy_arena *arena, wy_error *err);

/* The start of a rod: whether it gives a position, a self-contained copy, a check of the copy, a check of stored
 * states alone; and the poses of states, taken from the arena. */
bool wy_rod_start_says_where(const wy_rod_start *start);
wy_status wy_rod_start_copy(wy_rod_start *to, const wy_rod_start *from, wy_arena *arena, wy_error *err);
wy_status wy_rod_start_check(const wy_rod_start *copy, double length, wy_error *err);
wy_status wy_rod_states_check(const wy_samples *states, double length, wy_error *err);
wy_status wy_rod_states_poses(wy_samples *poses, const wy_samples *states, double length, wy_arena *arena,
                              wy_error *err);

/* Rows with rising s on the rod. */
wy_status wy_rows_check(const wy_samples *rows, size_t columns, double length, const char *what, wy_error *err);

/* The pose targets of both ends, for a copy. That of the first end is complete; components of the last one that are NaN
 * follow from the start. */
wy_status wy_rod_pose_targets(wy_pose_target pose_targets[2], const wy_rod_definition *copy, const char **part,
                              wy_error *err);

/* Which components of an end of a copy are constrained, and which of its halves completely (WY_CONSTRAINS_...). */
void wy_rod_constraint_mask(wy_constraint_mask *mask, const wy_rod_definition *copy, int end);
unsigned wy_constraint_mask_whole(const wy_constraint_mask *mask);

/* Projectors (row major, in space) on the constrained directions of partly constrained halves: displacements,
 * rotations. */
void wy_constraint_mask_projectors(double displacement[9], double turn[9], const wy_constraint_mask *mask);

/* Whether a half is partly constrained. */
static inline bool wy_constraint_mask_is_partial(const wy_constraint_mask *mask) {
    const unsigned a = mask->components & 7U, b = mask->components & 56U;
    return (a != 0 && a != 7U) || (b != 0 && b != 56U);
}

/* Points where section, reference, actuation or loads of a copy jump or have a kink, or a body is. */
typedef struct wy_rod_break_rule {
    double point_width; /* relative to the length: a point force is spread over it; 0: no width */
    double element;     /* m: jumps and kinks that elements of this length resolve are left out; 0: none */
    double shortest;    /* relative to the length: points nearer than that are merged */
} wy_rod_break_rule;
typedef struct wy_rod_breaks {
    size_t pieces;
    double *at;                 /* pieces + 1, rising, both ends included, m; free() it */
    double lost;                /* part between merged points: relative compliance or mass, or rad; 0: negligible */
    double lost_at, lost_width; /* position and width of most of it, m */
} wy_rod_breaks;
wy_status wy_rod_breaks_find(wy_rod_breaks *breaks, const wy_rod_definition *copy, const wy_rod_break_rule *rule,
                             wy_error *err);

/* The part of an actuation or a load with narrow features without breaks that the elements' points miss, relative to
 * the whole. Elements of degree 3 evaluate driven strains at three inner points, and loads at four points including
 * the element boundaries. */
typedef struct wy_rod_unseen {
    double part;      /* of the driven rotation, or of all loads; 0: none */
    double at, width; /* position and width of most of it, m */
    char what[32];    /* name of the actuation or load */
    double elements;  /* twice the number, all split alike, that miss less than a fiftieth; 0: 1024 of each miss more */
} wy_rod_unseen;
void wy_rod_unseen_find(wy_rod_unseen *unseen, const wy_rod_definition *copy, const double *boundaries,
                        size_t elements);

/* The shortest piece that has its own elements in motion, relative to the length. */
#define WY_SHORTEST_PIECE 1e-5

/* Refuses bodies that are nearer to each other or to an end than that. */
wy_status wy_rod_bodies_check(const wy_rod_definition *copy, wy_error *err);

/* Checks the relative lengths of elements. */
wy_status wy_rod_mesh_check(const wy_rod_definition *copy, wy_error *err);
/* Of `elements` along the whole rod: how many lie between two points, at least one, where a fraction of an element
 * of 1 - `up` or more counts as one; and the boundary between elements j - 1 and j of `count` there, m. */
size_t wy_rod_mesh_count(const wy_rod_definition *copy, double from, double until, double elements, double up);
double wy_rod_mesh_boundary(const wy_rod_definition *copy, double from, double until, size_t j, size_t count);

/* The integral of nu3 along the unstressed rod. */
double wy_rod_natural_length(const wy_rod_definition *copy);

/* Adds the strain of the actuations of a copy at s and time t. */
void wy_rod_actuation_at(double xi[6], const wy_rod_definition *copy, double s, int side, double t);

/* The part of the rod on which load `i` acts. */
void wy_rod_load_span(double *from, double *until, const wy_rod_definition *copy, size_t i);

/* Added mass per length across a section at the position x (NULL: its largest value). */
double wy_rod_added_mass(const wy_rod_definition *copy, const wy_section *section, const double *x);

/* The first load, actuation or end of a copy that varies with any of `what` (WY_VARIES_...); NULL: none. */
const char *wy_rod_varies(const wy_rod_definition *copy, unsigned what);

/* Pose after the arc from s to s + h of a shape: advances p and D (directors). Fourth-order Magnus with `substeps`
 * between its jumps and kinks. */
void wy_shape_advance(double p[3], double D[9], const wy_choice *shape, double s, double h, double length,
                      int substeps);

/* g exp(h xi): advances p and D by the exact exponential of a constant strain. */
WY_LAB_API void wy_pose_exp(double p[3], double D[9], const double xi[6], double h);

#endif
