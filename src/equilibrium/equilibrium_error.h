/* How far a solution is from the equilibrium of the rod itself. docs/math/branches.md (8.12), (8.13). Internal. */
#ifndef WY_EQUILIBRIUM_ERROR_H
#define WY_EQUILIBRIUM_ERROR_H

#include "equilibrium/equilibrium_model.h"

/* How much a change of a component counts: forces of a bent rod are of the order 40 EI/L^2, moments 6 EI/L. The square. */
double wy_equilibrium_component_weight(size_t component);

/* What counts as 1 in each component of an error: a length, a radian, and for moments and forces what a rod has that is bent the soft
 * way (the least unit), or the largest of the solution if that is more. */
double wy_equilibrium_error_unit(const equilibrium_model *model, size_t component);
void wy_equilibrium_error_units(double unit[WY_STATIC_DIM], const equilibrium_model *model, const double *y,
                                size_t nodes);

/* What each element contributes, from its local errors (elements x 13). */
void wy_equilibrium_error_monitor(double *monitor, const double *local, const double unit[WY_STATIC_DIM],
                                  size_t elements);

/* The error that round-off makes, whatever the mesh: a force is a rigidity times a difference of lengths. */
double wy_equilibrium_error_floor(const equilibrium_model *model, double force_unit);

/* A rod of hundreds of bending layers makes more than this of an error: nobody marches through. */
#define WY_STATIC_MARCH_MOST 1e100

/* equilibrium_march.c: what the solver's last linearisation at y says of a march from the first end: the largest sum of what a unit in each component that this end
 * leaves free becomes in a component at the other end; and, from the local errors, what the march from the node itself misses there. Negative: not known; at most that. */
void wy_equilibrium_march_sensitivity(double *grows, double *shows, const wy_bvp_solver *solver, const double *y,
                                      const double *local, const double unit[WY_STATIC_DIM]);

/* wy_equilibrium_estimate_parts and what wy_equilibrium_estimate_march says besides. */
wy_status wy_equilibrium_estimate_all(wy_equilibrium_errors *errors, double *grows, double *march,
                                      wy_equilibrium *solver, wy_error *err);

/* Strain energy, and with the loads' potential, of nodes y; in units of the rod. */
void wy_equilibrium_energies_of(double *strain, double *potential, const equilibrium_model *model, const wy_bvp *bvp,
                                const double *y);

#endif
