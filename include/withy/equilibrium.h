/* Equilibria of a rod: solvers, error estimates, stability. rod.h defines the rod. docs/math, chapter "Statics".
 *
 * State at arc length s: y = (P, M, q, x). P is the internal force and M the internal moment in body components, q
 * the quaternion that maps body to space components, x the position of the centre line in space. With kappa = C_M^-1
 * M + kappa*, nu = C_P^-1 P + nu*, and distributed force f and couple c per unit length (R^T maps space to body
 * components):
 *    P' = P x kappa - R^T f - f_body             M' = M x kappa + P x nu - R^T c - c_body
 *    q' = 1/2 q (0, kappa)                       x' = R nu                                            (5.1) */
#ifndef WITHY_EQUILIBRIUM_H
#define WITHY_EQUILIBRIUM_H

#include <withy/integrator.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WY_STATIC_DIM = 13, WY_STATIC_P = 0, WY_STATIC_M = 3, WY_STATIC_Q = 6, WY_STATIC_X = 10 };

/* Selects one of several equilibria. All but MAIN and DIRECT need a straight uniform rod between coaxial clamps. */
typedef enum wy_equilibrium_branch {
    /* Coaxial clamps: the rod is compressed (and buckles in a plane), then twisted, then compressed further. Other
     * clamps: the last end is rotated without constraint on its position, then moved. Other ends: as `direct`. */
    WY_BRANCH_MAIN,
    WY_BRANCH_DIRECT,   /* continuation from the unstressed rod: a compressed straight rod stays straight */
    WY_BRANCH_PLANAR,   /* buckled in a plane, mode 1, 2, 3 ..., then twisted */
    WY_BRANCH_TWO_LOOP, /* two loops in a plane, under tension; from the doubly covered ring */
    WY_BRANCH_SPATIAL   /* out of the plane: twisted during compression, then untwisted */
} wy_equilibrium_branch;

/* Names of the branches, ended by NULL. */
extern WY_API const char *const wy_equilibrium_branches[];

typedef enum wy_equilibrium_solver_name { WY_COLLOCATION, WY_SHOOTING } wy_equilibrium_solver_name;

/* First guess of collocation. */
typedef enum wy_equilibrium_start {
    /* The path of the branch. On the branch `main`, the energy is minimised if the path fails or its equilibrium is
     * unstable. */
    WY_START_AUTO,
    WY_START_PATH, /* the path only */
    /* Minimise the energy while ends and loads are brought to their values: gives a stable equilibrium. */
    WY_START_ENERGY
} wy_equilibrium_start;

/* Solver settings. Initialise with wy_equilibrium_method_init. */
typedef struct wy_equilibrium_method {
    int solver;                      /* wy_equilibrium_solver_name */
    int order;                       /* collocation: 2, 4 or 6 */
    int start;                       /* collocation: wy_equilibrium_start */
    bool at_start;                   /* signals are evaluated at t = 0; else loads that depend on time are refused */
    bool keep_unstable;              /* WY_START_AUTO: an unstable equilibrium of the path is accepted */
    const wy_integrator *integrator; /* shooting */
    const void *config;              /* shooting: the integrator's settings, NULL = its defaults */
    bool project;                    /* shooting: normalise q after each step */
    /* x' with the map (1.7) of `002` as printed. It is not a rotation if |q| != 1, and the result depends on the
     * orientation of the rod in space: for reproductions only */
    bool literal;
    /* elements or steps over the length, distributed over the pieces between jumps; 0: as many as the definition has */
    size_t elements;
    double tolerance;       /* on the Newton step, in units of the rod (length, EI/L^2 ...); 0 = to round-off */
    int64_t max_iterations; /* of Newton at one point of a continuation */
    /* Shooting with a method that does not conserve the redundant end condition has no exact root. Largest residual
     * of the end conditions, in units of the rod, at which its least-squares solution is accepted. */
    double largest_residual;
    double least_step; /* the continuation fails below this fraction of a path segment */
    /* Asked before each step of a continuation whether to end with WY_CANCELLED; NULL: never */
    bool (*stop)(void *context);
    void *stop_context;
} wy_equilibrium_method;

/* Collocation of order 6, to round-off. */
WY_API void wy_equilibrium_method_init(wy_equilibrium_method *method);

/* Smallest distance between two parts of the rod, neighbouring parts excluded. */
typedef struct wy_equilibrium_contact {
    bool found;      /* the distance d(s1, s2) has a minimum away from s1 = s2 */
    double distance; /* between the centre lines, m */
    double s[2];     /* arc lengths, m */
    double diameter; /* the largest along the rod, m; 0: contact is not checked */
    bool through;    /* the distance is less than the section's diameter: the rod passes through itself */
} wy_equilibrium_contact;

/* Statistics of a solution. In units of the rod: L for x, EI/L^2 for P, EI/L for M. */
typedef struct wy_equilibrium_stats {
    int64_t iterations;       /* Newton iterations of the last point */
    int64_t total_iterations; /* Newton iterations over the whole path */
    int64_t points;           /* points of the path */
    int64_t rejected;         /* points that did not converge */
    double step, residual;    /* last Newton step; residual of the end conditions */
    /* residual of the redundant end condition of a symmetric problem: 0 for a conserving method */
    double redundant_residual;
    double condition;  /* lower estimate of the condition number */
    size_t symmetries; /* number of symmetries that map the solution to other solutions */
    /* Distance to the minimum of the energy, computed with other elements: the largest displacement in L or rotation
     * in rad; -1: the energy was not minimised */
    double energy_distance;
    /* the start that led here: unstressed, buckled, helix, two loops, catenary, ring, energy; NULL: given states */
    const char *start;
    bool stable; /* the energy has a minimum here; false if it was not computed or a load has no potential */
    /* unstable directions of the equilibrium of the path that was rejected for this one; 0: none */
    long escaped_negative;
    double escaped_potential; /* potential energy of the rejected equilibrium, J */
    const char *kept_because; /* why an unstable equilibrium was accepted (a static string); NULL: it was not */
} wy_equilibrium_stats;

/* A solver: model, method, memory, and the current solution. */
typedef struct wy_equilibrium wy_equilibrium;

/* Refuses an invalid rod, loads that statics does not support, and a rod that can move as a rigid body. On failure
 * `part` (may be NULL) is set to the key that is wrong. */
WY_API wy_status wy_equilibrium_check(const wy_rod_definition *rod, const char **part, wy_error *err);

/* Creates a solver. The definition is copied. `method` may be NULL: the default. Free with wy_equilibrium_free. */
WY_API wy_status wy_equilibrium_create(wy_equilibrium **solver, const wy_rod_definition *rod,
                                       const wy_equilibrium_method *method, wy_error *err);
WY_API void wy_equilibrium_free(wy_equilibrium *solver);

/* Number of nodes of the mesh, with or without a solution. */
WY_API size_t wy_equilibrium_nodes(const wy_equilibrium *solver);

/* Solves by adaptive continuation from the unstressed rod to the equilibrium on the named branch (`mode` applies to
 * the planar one: 1, 2, ...). On failure the message says how far the continuation came, and the solver has no
 * solution. */
WY_API wy_status wy_equilibrium_solve(wy_equilibrium *solver, int branch, int mode, wy_error *err);

/* Solves from a stored shape, given as rows of s (m) and the 13 numbers of the state, from one end to the other: by
 * Newton; if that fails, by minimising the energy from that shape. Ends and loads are the solver's. On failure the
 * solver has no solution. */
WY_API wy_status wy_equilibrium_solve_from(wy_equilibrium *solver, const wy_samples *rows, wy_error *err);

/* Solves from the states, poses or shape of a start as above; without any of them by wy_equilibrium_solve. */
WY_API wy_status wy_equilibrium_solve_start(wy_equilibrium *solver, const wy_rod_start *start, int branch, int mode,
                                            wy_error *err);

/* Solves for other ends and loads (of the same types) by adaptive continuation from the current solution. The rod
 * itself must be the same. On failure the solver keeps the previous solution. */
WY_API wy_status wy_equilibrium_continue(wy_equilibrium *solver, const wy_rod_definition *target, wy_error *err);

/* Newton from the caller's P and M at s = 0 (the rest is given by the first end), without continuation: for shooting
 * only. On failure the solver has no solution. */
WY_API wy_status wy_equilibrium_shoot(wy_equilibrium *solver, const double P0[3], const double M0[3], wy_error *err);

/* The solution: count nodes, their s, and their states (13 numbers each), in SI units. Valid until the next call with
 * the solver; NULL if there is none. */
WY_API size_t wy_equilibrium_count(const wy_equilibrium *solver);
WY_API const double *wy_equilibrium_s(const wy_equilibrium *solver);
WY_API const double *wy_equilibrium_states(const wy_equilibrium *solver);
WY_API const wy_equilibrium_stats *wy_equilibrium_statistics(const wy_equilibrium *solver);

/* Estimated errors of the current solution: the largest error of a node, each relative to the scale given below.
 * Negative: unknown, as at a branch point. */
typedef struct wy_equilibrium_errors {
    double shape; /* of positions relative to L, of rotations in rad */
    double force; /* of the internal force, relative to the largest (or to the largest moment/L, if that is more) */
    /* of the internal moment, relative to the largest (at least the largest force times a thousandth of the radius of
     * gyration) */
    double moment;
    /* Imbalance of the end forces and the loads between them, integrated independently along the solved shape,
     * relative to the largest force; and of their moments about the first end, relative to the largest moment or the
     * largest force times L. Available for every solution. */
    double force_balance, moment_balance;
} wy_equilibrium_errors;

/* Collocation: each element is solved again as two halves. Shooting: the solution is compared with that of
 * collocation. Costs about two Newton steps. Allocates. */
WY_API wy_status wy_equilibrium_estimate_parts(wy_equilibrium_errors *errors, wy_equilibrium *solver, wy_error *err);

/* The largest of the errors of shape, force and moment. */
WY_API wy_status wy_equilibrium_estimate(double *error, wy_equilibrium *solver, wy_error *err);

/* The same, and how an integration along the rod from the state at its first end amplifies an error, (5.32), (5.33).
 * `sensitivity`: the largest error at the other end, in the same units, caused by an error of 1 in the free
 * components of the first end (force and moment at a clamp). `marching_error`: the expected difference between the
 * state at the other end as integrated from the returned state at the first end, and the returned state, in the same
 * units. Negative: unknown. */
WY_API wy_status wy_equilibrium_estimate_march(double *error, double *sensitivity, double *marching_error,
                                               wy_equilibrium *solver, wy_error *err);

/* Energy of the solution in J: the strain energy, integral of 1/2 (P.C_P^-1 P + M.C_M^-1 M); and the potential, which
 * is that less the work of dead end forces and distributed forces (following forces have no part in it). */
WY_API wy_status wy_equilibrium_energies(double *strain, double *potential, const wy_equilibrium *solver,
                                         wy_error *err);

/* Adapts the mesh of the current solution (collocation only) until its estimated error is at most `tolerance`, with
 * at most `most` elements and at least the present number. Errors of forces are relative to at least 40 EI/L^2, those
 * of moments to at least 6 EI/L (EI the smaller one at s = 0). `error` (may be NULL) receives the estimate that was
 * reached, infinite if there is none (at a branch point). wy_equilibrium_s then returns the nodes of the new mesh.
 * Allocates. */
WY_API wy_status wy_equilibrium_refine(wy_equilibrium *solver, double tolerance, size_t most, double *error,
                                       wy_error *err);

/* The functions below need a definition whose section is given in numbers, such as a wy_rod_definition_copy. */

/* Invariants along a rod without distributed load (J and M3 need a uniform rod, M3 also EI1 = EI2), and |q|^2. */
typedef struct wy_equilibrium_invariants {
    double PP, PM; /* P.P, P.M */
    double J;      /* 1/2 P.C_P^-1 P + P.nu* + 1/2 M.C_M^-1 M + M.kappa* */
    double M3;
    double force[3];  /* R P */
    double moment[3]; /* R M + x x R P */
    double qq;        /* |q|^2 */
} wy_equilibrium_invariants;
WY_API wy_equilibrium_invariants wy_equilibrium_invariants_at(const wy_rod_definition *rod, double s,
                                                              const double y[WY_STATIC_DIM]);

/* Strains kappa = C_M^-1 M + kappa* and nu = C_P^-1 P + nu* at a state, body components. */
WY_API void wy_equilibrium_strains(double kappa[3], double nu[3], const wy_rod_definition *rod, double s,
                                   const double y[WY_STATIC_DIM]);

/* The right-hand side of (5.1) in SI units, and its derivative (13 x 13). */
WY_API void wy_equilibrium_field(double dy[WY_STATIC_DIM], const wy_rod_definition *rod, double s,
                                 const double y[WY_STATIC_DIM]);
WY_API void wy_equilibrium_jacobian(double *J, const wy_rod_definition *rod, double s, const double y[WY_STATIC_DIM]);

/* The smallest distance of the solution to itself, between parts further apart along the rod than pi/2 diameters. */
WY_API wy_equilibrium_contact wy_equilibrium_self_distance(const wy_equilibrium *solver);
/* The same for states (13 numbers, SI) at `count` nodes s of a rod. */
WY_API wy_equilibrium_contact wy_equilibrium_contact_of(const wy_rod_definition *rod, const double *s,
                                                        const double *states, size_t count);

/* The link Tw + Wr in rad: rotation of the frame about the centre line plus the writhe of the centre line, whole
 * turns included; for a rod whose ends meet. */
WY_API double wy_equilibrium_link(const wy_equilibrium *solver);

/* "passes through itself at s = 1.23 m, s = 4.56 m: 0.1 m apart, diameter 0.4 m", or where it comes nearest to
 * itself, or that it comes near itself nowhere. Returns `buffer`. */
WY_API const char *wy_equilibrium_contact_text(char *buffer, size_t size, const wy_equilibrium_contact *contact);

/* A solution by another discretisation of the same rod, on the nodes of an equilibrium. */
typedef struct wy_equilibrium_other {
    void *solution;
    const double *states; /* WY_STATIC_DIM numbers for each node */
    const wy_equilibrium_stats *statistics;
} wy_equilibrium_other;

/* A solver as a scenario chooses it. */
typedef struct wy_equilibrium_solver {
    wy_entry entry;
    void (*make)(wy_equilibrium_method *method, const void *config);
    /* Solves by another discretisation, starting from the solution; `free_other` frees it. NULL: none. */
    wy_status (*solve_other)(wy_equilibrium_other *other, const wy_rod_definition *rod, const wy_equilibrium *solution,
                             const void *config, wy_error *err);
    void (*free_other)(void *solution);
} wy_equilibrium_solver;

/* The equilibrium that a scenario asks for (wy_scenario_equilibrium). */
typedef struct wy_equilibrium_request {
    wy_rod_definition rod;
    double value; /* of the number that is swept or followed; NaN: a motion */
    wy_equilibrium_method method;
    int branch, mode;
    const wy_rod_start *start; /* first guess; NULL: none */
    double rigid_below;        /* omega^2 below this is of a rod that nothing holds, as a rigid body; 0: it is held */
} wy_equilibrium_request;

/* All solvers: `auto`, `collocation`, `energy`, `shooting`, `multi-symplectic`. */
extern WY_API const wy_catalogue wy_equilibrium_solvers;

/* The twist-shortening problem of `002`, section 2.2.4: x(0) = 0, q(0) = 1, x(L) = (0, 0, (1-xi)L), rotated by phi
 * about e3. Sets both ends of the rod; `last` is filled in and must outlive the definition. */
WY_API void wy_equilibrium_twist_shortening(wy_rod_definition *rod, wy_end_coaxial *last, double phi, double xi);

#ifdef __cplusplus
}
#endif

#endif
