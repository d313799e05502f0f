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
wy_status wy_rod_stances(wy_stance stances[2], const wy_rod_definition *copy, const char **part, wy_error *err);

/* Which components of an end of a copy are held, and which of its halves are held as a whole (WY_HOLDS_...). */
void wy_rod_hold(wy_hold *hold, const wy_rod_definition *copy, int end);
unsigned wy_hold_whole(const wy_hold *hold);

/* Projectors (row major, in space) on the directions held of the halves that are not held as a whole: displacements, turns. */
void wy_hold_parts(double displacement[9], double turn[9], const wy_hold *hold);

/* Whether it has any. */
static inline bool wy_hold_in_part(const wy_hold *hold) {
    const unsigned a = hold->components & 7U, b = hold->components & 56U;
    return (a != 0 && a != 7U) || (b != 0 && b != 56U);
}

/* Sizes of elements that make sense; and where the elements of a copy meet, m: joint 0 is the first end. */
wy_status wy_rod_mesh_check(const wy_rod_definition *copy, wy_error *err);
/* The share of the elements before s (0 to 1), and the place before which a share of them lies. */
double wy_rod_mesh_share(const wy_rod_definition *copy, double s);
double wy_rod_mesh_at(const wy_rod_definition *copy, double share);
double wy_rod_joint(const wy_rod_definition *copy, size_t j);

/* Bodies of a copy sit where elements meet: how many are not on an end, whether any lies between the joints of equal elements, whether there are joints
 * enough, and the joints moved so that each body has one. */
size_t wy_rod_bodies_inside(const wy_rod_definition *copy);
bool wy_rod_bodies_between(const wy_rod_definition *copy);
wy_status wy_rod_bodies_check(const wy_rod_definition *copy, wy_error *err);
wy_status wy_rod_joints_at_bodies(double *joint, const wy_rod_definition *copy, wy_error *err);

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
