/* The static rod in multi-symplectic form, integrated by methods for constrained Hamiltonian systems. docs/math,
 * "Statics" 5.9.
 *
 * z = (x, q, v_x, v): position, quaternion and their conjugates v_x = -R P, v = -2 q (0, M), on |q| = 1, <q, v> = 0.
 * With w = R^T v_x, b = nu* - C_P^-1 w, C~ = diag(alpha, C_M):
 *   x' = R b,   q' = -1/4 L(q) C~^-1 L(q)^T v,   v_x' = 0,
 *   v' = 1/4 L(v) C~^-1 L(v)^T q + 2 (0, v_x) q (0, b) - 2 lambda q                                    (5.20)
 * which is u' = S_v, v' = -S_u - 2 lambda q with S = -J on the manifold. */
#ifndef WITHY_MULTISYMPLECTIC_H
#define WITHY_MULTISYMPLECTIC_H

#include <withy/equilibrium.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WY_MS_DIM = 14, WY_MS_X = 0, WY_MS_Q = 3, WY_MS_VX = 7, WY_MS_V = 10 };

/* The schemes. */
typedef enum wy_ms_scheme {
    WY_MS_RATTLE, /* second order, symmetric, symplectic, satisfies both constraints */
    WY_MS_EULER,  /* symplectic Euler with projection: first order, symplectic, satisfies both constraints */
    /* symplectic Euler with lambda from the second derivative of the constraint: drifts off the manifold */
    WY_MS_EULER_REDUCED,
    WY_MS_RATTLE_PRINTED /* RATTLE with (4.8) of `002` as printed, one half term missing: for comparison */
} wy_ms_scheme;

/* Names of the schemes, ended by NULL. */
extern WY_API const char *const wy_ms_schemes[];

/* A uniform straight rod: compliances in body components, nu3* and the regularising number alpha, in consistent
 * units. */
typedef struct wy_ms_rod {
    double inv_CM[3], inv_CP[3], stretch;
    double alpha; /* N m^2; does not affect the solution. Best of the order of C_M */
} wy_ms_rod;

/* z from the state y = (P, M, q, x) of the static rod, and back. */
WY_API void wy_ms_from_static(double z[WY_MS_DIM], const double y[WY_STATIC_DIM]);
WY_API void wy_ms_to_static(double y[WY_STATIC_DIM], const double z[WY_MS_DIM]);

/* S~ (z): the Hamiltonian of (5.20) without the multiplier's term; -J if the constraints are satisfied. */
WY_API double wy_ms_hamiltonian(const wy_ms_rod *rod, const double z[WY_MS_DIM]);

/* One step of size h in place; with D (14 x columns, row major; NULL: none) D is multiplied by its exact derivative.
 * At most 14 columns. On failure z and D are unchanged. */
WY_API wy_status wy_ms_step(const wy_ms_rod *rod, int scheme, double h, double z[WY_MS_DIM], double *D, size_t columns,
                            wy_error *err);

/* A boundary-value problem between two clamps, solved by shooting with a scheme. */
typedef struct wy_ms_solver wy_ms_solver;

/* Creates a solver for a uniform straight rod clamped at both ends, without distributed load. alpha = 0: EI1. */
WY_API wy_status wy_ms_solver_create(wy_ms_solver **solver, const wy_rod_definition *rod, int scheme, size_t steps,
                                     double alpha, wy_error *err);
WY_API void wy_ms_solver_free(wy_ms_solver *solver);

/* Newton from P and M at s = 0 (take them from wy_equilibrium_solve). */
WY_API wy_status wy_ms_solve(wy_ms_solver *solver, const double P0[3], const double M0[3], wy_error *err);

/* The solution: steps + 1 nodes of z (14 numbers each) and of the static rod's state (13 numbers each), in SI units.
 * NULL: no solution. */
WY_API const double *wy_ms_nodes(const wy_ms_solver *solver);
WY_API const double *wy_ms_states(const wy_ms_solver *solver);
WY_API const wy_equilibrium_stats *wy_ms_statistics(const wy_ms_solver *solver);

#ifdef __cplusplus
}
#endif

#endif
