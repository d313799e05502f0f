/* What the solvers share of a rod's definition. Internal to the library. */
#ifndef WY_ROD_DEFINITION_H
#define WY_ROD_DEFINITION_H

#include <withy/rod.h>

#include "rod/rod_along.h"

/* wy_rod_definition_check for one that wy_rod_definition_copy made. */
wy_status wy_rod_definition_check_copy(const wy_rod_definition *copy, const char **part, wy_error *err);

/* Rows of numbers copied into the arena. */
wy_status wy_samples_copy(wy_samples *rows, size_t columns, wy_arena *arena, wy_error *err);

/* Where a rod begins: whether it says so, a copy that needs nothing else, what is wrong with it (of a copy), and stored states alone; and their poses, taken from the arena. */
bool wy_rod_start_says_where(const wy_rod_start *start);
wy_status wy_rod_start_copy(wy_rod_start *to, const wy_rod_start *from, wy_arena *arena, wy_error *err);
wy_status wy_rod_start_check(const wy_rod_start *copy, double length, wy_error *err);
wy_status wy_rod_states_check(const wy_samples *states, double length, wy_error *err);
wy_status wy_rod_states_poses(wy_samples *poses, const wy_samples *states, double length, wy_arena *arena,
                              wy_error *err);

/* Rows with rising s on the rod. */
wy_status wy_rows_check(const wy_samples *rows, size_t columns, double length, const char *what, wy_error *err);

/* Where both ends are held, for a copy. The first one is known in any case; of the last one what is NaN is where the start
 * puts it. */
wy_status wy_rod_pose_targets(wy_pose_target pose_targets[2], const wy_rod_definition *copy, const char **part,
                              wy_error *err);

/* Which components of an end of a copy are held, and which of its halves are held as a whole (WY_HOLDS_...). */
void wy_rod_constraint_mask(wy_constraint_mask *hold, const wy_rod_definition *copy, int end);
unsigned wy_constraint_mask_whole(const wy_constraint_mask *hold);

/* Projectors (row major, in space) on the directions held of the halves that are not held as a whole: displacements, turns. */
void wy_constraint_mask_projectors(double displacement[9], double turn[9], const wy_constraint_mask *hold);

/* Whether it has any. */
static inline bool wy_constraint_mask_is_partial(const wy_constraint_mask *hold) {
    const unsigned a = hold->components & 7U, b = hold->components & 56U;
    return (a != 0 && a != 7U) || (b != 0 && b != 56U);
}

/* Places where section, reference, actuation or loads of a copy jump or have a kink, or a body sits. */
typedef struct wy_rod_break_rule {
    double point_width; /* of the length: a force at a place is spread over so much; 0: it has no width */
    double element;     /* m: jumps and kinks that elements of this length carry are left out; 0: none is */
    double shortest;    /* of the length: places nearer than that are taken for one */
} wy_rod_break_rule;
typedef struct wy_rod_breaks {
    size_t pieces;
    double *at;  /* pieces + 1, rising, both ends included, m; free() it */
    double lost; /* how much lies between places taken for one: of compliance or mass, or rad; 0: hardly any */
    double lost_at, lost_width; /* where most of it is, m */
} wy_rod_breaks;
wy_status wy_rod_breaks_find(wy_rod_breaks *breaks, const wy_rod_definition *copy, const wy_rod_break_rule *rule,
                             wy_error *err);

/* What the points of elements miss of an actuation or a load whose narrow parts no break tells: as a part of the whole. Elements see driven strains at
 * three points inside, loads at four from joint to joint, as those of degree 3 do. */
typedef struct wy_rod_unseen {
    double part;      /* of the turn that is driven, or of all loads; 0: none */
    double at, width; /* where most of it is, and how wide it is, m */
    char what[32];    /* what it is of */
    double
        elements; /* half of so many along the rod, all of them split alike, see all but a fiftieth; 0: not even a thousand of each do */
} wy_rod_unseen;
void wy_rod_unseen_find(wy_rod_unseen *unseen, const wy_rod_definition *copy, const double *joint, size_t elements);

/* The shortest piece that motion has elements for, of the length. */
#define WY_SHORTEST_PIECE 1e-5

/* Refuses bodies that are nearer to each other or to an end than that. */
wy_status wy_rod_bodies_check(const wy_rod_definition *copy, wy_error *err);

/* Sizes of elements that make sense. */
wy_status wy_rod_mesh_check(const wy_rod_definition *copy, wy_error *err);
/* Of `elements` along the whole rod: how many lie between two places, at least one, a part of an element being one where it is
 * 1 - `up` or more; and the joint between element j - 1 and j of `count` there, m. */
size_t wy_rod_mesh_count(const wy_rod_definition *copy, double from, double until, double elements, double up);
double wy_rod_mesh_boundary(const wy_rod_definition *copy, double from, double until, size_t j, size_t count);

/* The integral of nu3 along the unstressed rod. */
double wy_rod_natural_length(const wy_rod_definition *copy);

/* Adds the strain of the actuations of a copy at s and time t. */
void wy_rod_actuation_at(double xi[6], const wy_rod_definition *copy, double s, int side, double t);

/* The part of the rod on which load `i` acts. */
void wy_rod_load_span(double *from, double *until, const wy_rod_definition *copy, size_t i);

/* Mass per length that the surroundings add across a section at the place x (NULL: the most that it can be). */
double wy_rod_added_mass(const wy_rod_definition *copy, const wy_section *section, const double *x);

/* The first load, actuation or end of a copy that varies with any of `what` (WY_VARIES_...); NULL: none. */
const char *wy_rod_varies(const wy_rod_definition *copy, unsigned what);

/* Pose after the arc from s to s + h of a shape: p and D (directors) are advanced. Fourth-order Magnus in `substeps` between
 * the places where it jumps or has a kink. */
void wy_shape_advance(double p[3], double D[9], const wy_choice *shape, double s, double h, double length,
                      int substeps);

/* g exp(h xi): p and D advanced by the exact exponential of a constant strain. */
void wy_pose_exp(double p[3], double D[9], const double xi[6], double h);

#endif
