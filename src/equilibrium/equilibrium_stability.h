/* The second variation of the energy of a static rod, condensed to the nodes. docs/math/branches.md (8.5)-(8.9).
 * Internal to the library. */
#ifndef WY_EQUILIBRIUM_STABILITY_H
#define WY_EQUILIBRIUM_STABILITY_H

#include "linalg/chain.h"
#include "equilibrium/equilibrium_model.h"

typedef struct equilibrium_stability equilibrium_stability;

/* Memory for models with up to `most` elements. */
wy_status wy_equilibrium_stability_create(equilibrium_stability **out, size_t most, wy_error *err);
void wy_equilibrium_stability_free(equilibrium_stability *stability);

/* Assembles the Hessian at the solution (nodes y, stage increments Z of the collocation), and with `mass` the mass
 * matrix that belongs to it. */
wy_status wy_equilibrium_stability_assemble(equilibrium_stability *stability, const equilibrium_model *model,
                                            const wy_bvp_solver *collocation, const double *y, bool mass,
                                            wy_error *err);

/* Linear buckling: the smallest x > 0 at which H + x (H1 - H)/by has another number of negative directions than H, H
 * at the solution y; infinite if there is none below `most`. H1 is the Hessian of wy_equilibrium_stability_remember. */
wy_status wy_equilibrium_stability_linear(double *x, double by, double most, equilibrium_stability *stability,
                                          const equilibrium_model *model, const wy_bvp_solver *collocation,
                                          const double *y, wy_error *err);
/* Saves the Hessian last assembled as H1. */
void wy_equilibrium_stability_remember(equilibrium_stability *stability);

/* Number of negative directions, without symmetries. */
wy_status wy_equilibrium_stability_index(size_t *index, equilibrium_stability *stability, wy_error *err);

/* Directions of the second variation that are nearest to changing their sign: eigenvectors of H z = mu W z, W the
 * squares of rotations and displacements inside the rod, found by inverse iteration with the factors of
 * wy_equilibrium_stability_index. Returns how many have converged; `shapes`: as many x nodes x 6, capacity WY_NEAREST,
 * W-orthonormal; negative `values` come first. */
enum { WY_NEAREST = 4 };
size_t wy_equilibrium_stability_nearest(double values[WY_NEAREST], double *shapes, equilibrium_stability *stability);
/* The second variation H last counted, condensed to the components Z^T W x along such directions Z, possibly of another
 * solution, with all other components free: Q = (Z^T W H^-1 W Z)^-1, count x count. The number of negative directions
 * of H is that of Q plus that of the remainder of H without Z. */
void wy_equilibrium_stability_condense(double *Q, const double *shapes, size_t count, equilibrium_stability *stability);

/* The lowest `count` eigenvalues of the Hessian against the mass matrix, without symmetries, ascending, each to the
 * relative accuracy `relative`; in EI/(rho A L^4) of the first station. shapes: count x nodes x 6 (rotation,
 * displacement in L; space components), largest displacement or rotation 1; may be NULL. Needs the mass. */
wy_status wy_equilibrium_stability_lowest(double *values, double *shapes, size_t count, double relative,
                                          equilibrium_stability *stability, wy_error *err);

/* The lowest `count` modes at the order of the collocation: each by linearising the dynamic stiffness K(mu) at its own
 * eigenvalue. `noise`: round-off error of each; `damping`: x.C x/x.M x in 1/s times the unit of the eigenvalues; shapes
 * as above, never NULL. */
wy_status wy_equilibrium_stability_modes(double *values, double *noise, double *damping, double *shapes, size_t count,
                                         equilibrium_stability *stability, const equilibrium_model *model,
                                         const wy_bvp_solver *collocation, const double *y, wy_error *err);

/* Eigenvalue number `which` (from 0) of those, alone. */
wy_status wy_equilibrium_stability_eigenvalue(double *value, size_t which, double relative,
                                              equilibrium_stability *stability, wy_error *err);

/* Solves K(mu) x = f at mu = omega^2 (in EI/(rho A L^4)) without damping: each of `columns` loads in x (moment,
 * force on every node, in units of the model) is replaced by its displacements (rotation, displacement in L). */
wy_status wy_equilibrium_stability_loaded(double *x, size_t columns, double mu, equilibrium_stability *stability,
                                          const equilibrium_model *model, const wy_bvp_solver *collocation,
                                          const double *y, wy_error *err);

/* The excitation: a force on a node (end -1), or the motion of an end (0, 1); in space. */
typedef struct equilibrium_harmonic_load {
    int end;
    size_t node, observed; /* observed: the node of the response */
    double direction[3];
} equilibrium_harmonic_load;

/* equilibrium_harmonic.c: displacements x (2 x nodes x 6: rotation, displacement in L; real parts, then imaginary
 * parts) of the damped rod under an excitation of omega (rad/s): a force of size 1 in units of the model, or a
 * motion of size 1 in L, e^(i omega t). `noise`: round-off error of the displacement at the observed node. */
wy_status wy_equilibrium_harmonic(double *x, double *noise, const equilibrium_harmonic_load *what, double omega,
                                  equilibrium_stability *stability, const equilibrium_model *model,
                                  const wy_bvp_solver *collocation, const double *y, wy_error *err);

/* Number of negative directions of the solution; -1 if not known: a method other than collocation, loads without a
 * potential, a singular point. The atlas uses it too. */
WY_API long wy_equilibrium_negative_directions(const struct wy_equilibrium *solver);
/* The same; fails only without memory. */
wy_status wy_equilibrium_count_negative(long *negative, const struct wy_equilibrium *solver, wy_error *err);

/* Whether elements of the last assembly are too long for the count. */
bool wy_equilibrium_stability_coarse(const equilibrium_stability *stability);
/* The largest phase, in rad, by which a buckling wave of the solution last assembled advances over an element. */
double wy_equilibrium_stability_wave(const equilibrium_stability *stability);

/* Number of symmetries of the solution; counts and eigenvalues leave them out. */
size_t wy_equilibrium_stability_symmetries(const equilibrium_stability *stability);

#endif
