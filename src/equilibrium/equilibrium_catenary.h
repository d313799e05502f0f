/* The cable without bending stiffness, and the rod that is laid along it. Internal to src/equilibrium.
 * docs/math/statics.md 5.10. */
#ifndef WY_EQUILIBRIUM_CATENARY_H
#define WY_EQUILIBRIUM_CATENARY_H

#include "equilibrium/equilibrium_solver.h"

enum { CATENARY_STEPS = 800 };

typedef struct catenary {
    equilibrium_model *m;
    double x0[3], x1[3], pull[3]; /* ends, and the mean load per length */
    cable_support hangs;          /* from one end alone; force on the other: */
    double tip[3];
    double across, longer, EA; /* load across the chord; unloaded length minus chord; mean stretch rigidity */
    double n[CATENARY_STEPS + 1][3], x[CATENARY_STEPS + 1][3];
} catenary;

/* equilibrium_catenary.c: the catenary under the cable's loads; if a bed spoils the integration, that without the bed,
 * and `bare` is the rod without it. */
wy_status wy_catenary_find(catenary *c, equilibrium_rod **bare, const equilibrium_control *target, wy_error *err);
/* Force and position at s. */
void wy_catenary_at(double n[3], double x[3], const catenary *c, double s);
/* Frame with d3 = t: the shortest rotation from e3. */
void wy_catenary_frame(double q[4], const double t[3]);
/* Whether a piece is that of a force on a point, spread over WY_STATIC_POINT_WIDTH: for the catenary it is a jump. */
bool wy_catenary_point_piece(const equilibrium_model *m, size_t piece);

/* equilibrium_cable_guess.c: a mesh for layers of these lengths at the ends; states of a rod along the catenary, with
 * the clamps of the target where the layers are not 0. */
void wy_catenary_grade_mesh(const catenary *c, const double layer[2]);
void wy_catenary_put_rod(double *y, const catenary *c, const equilibrium_control *target, const double layer[2]);

/* equilibrium_cable_paths.c: where Newton fails from the catenary: turned clamps; and from the cable without its bed to
 * the cable on it. */
wy_status wy_cable_turn_clamps(wy_equilibrium *solver, const catenary *c, const equilibrium_control *target,
                               wy_error *err);
wy_status wy_cable_lay_on_bed(wy_equilibrium *solver, const equilibrium_control *bare,
                              const equilibrium_control *target, wy_error *err);
/* equilibrium_cable.c: redistributes the nodes by the error. */
void wy_cable_redistribute_mesh(wy_equilibrium *solver);

#endif
