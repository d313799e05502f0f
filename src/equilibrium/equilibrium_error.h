/* The error of a solution with respect to the equilibrium of the continuous rod. docs/math/branches.md (8.12), (8.13).
 * Internal. */
#ifndef WY_EQUILIBRIUM_ERROR_H
#define WY_EQUILIBRIUM_ERROR_H

#include "equilibrium/equilibrium_model.h"

/* Weight of a change of a component, squared: forces of a bent rod are of the order 40 EI/L^2, moments 6 EI/L. */
double wy_equilibrium_component_weight(size_t component);

/* The unit of each component of an error: L, a radian, and for moments and forces those of a rod bent about its weaker
 * axis (the least unit), or the largest of the solution if that is more. */
double wy_equilibrium_error_unit(const equilibrium_model *model, size_t component);
void wy_equilibrium_error_units(double unit[WY_STATIC_DIM], const equilibrium_model *model, const double *y,
                                size_t nodes);

/* The contribution of each element, from its local errors (elements x 13). */
void wy_equilibrium_error_monitor(double *monitor, const double *local, const double unit[WY_STATIC_DIM],
                                  size_t elements);

/* The error by round-off, on any mesh: a force is a rigidity times a difference of lengths. */
double wy_equilibrium_error_floor(const equilibrium_model *model, double force_unit);

/* Upper limit of the sensitivity: a rod of hundreds of bending layers exceeds it, and no march along the rod
 * succeeds. */
#define WY_STATIC_MARCH_MOST 1e100

/* equilibrium_march.c: the sensitivity of a march from the first end, by the solver's last linearisation at y. `grows`:
 * the largest sum of changes of one component at the other end for a unit change of each unconstrained component of the
 * first end. `shows`: what a march from the node itself misses at the other end, from the local errors. Negative: not
 * known, at most that. */
void wy_equilibrium_march_sensitivity(double *grows, double *shows, const wy_bvp_solver *solver, const double *y,
                                      const double *local, const double unit[WY_STATIC_DIM]);

/* wy_equilibrium_estimate_parts and wy_equilibrium_estimate_march in one. */
wy_status wy_equilibrium_estimate_all(wy_equilibrium_errors *errors, double *grows, double *march,
                                      wy_equilibrium *solver, wy_error *err);

/* Strain energy, and its sum with the loads' potential, of nodes y; in units of the rod. */
void wy_equilibrium_energies_of(double *strain, double *potential, const equilibrium_model *model, const wy_bvp *bvp,
                                const double *y);

#endif
