/* A rod at rest ("space-curved beam"): shapes in equilibrium between two ends. What the rod is, stands in rod.h; here is how
 * its equilibria are found. docs/math, chapter "Statics".
 *
 * State at arc length s: y = (P, M, q, x). P is the internal force and M the internal moment in body components, q the
 * quaternion that carries body to space, x the position of the centre line in space. With kappa = C_M^-1 M + kappa*,
 * nu = C_P^-1 P + nu*, and distributed force f and couple c per unit length (R^T turns space components into body ones):
 *   P' = P x kappa - R^T f - f_body             M' = M x kappa + P x nu - R^T c - c_body
 *   q' = 1/2 q (0, kappa)                       x' = R nu                                            (5.1) */
#ifndef WITHY_EQUILIBRIUM_H
#define WITHY_EQUILIBRIUM_H

#include <withy/integrator.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WY_STATIC_DIM = 13, WY_STATIC_P = 0, WY_STATIC_M = 3, WY_STATIC_Q = 6, WY_STATIC_X = 10 };

/* Which of several equilibria. The named ones are for a straight uniform rod between coaxial clamps. */
typedef enum wy_equilibrium_branch {
    WY_BRANCH_MAIN, /* coaxial clamps: where the rod goes when it is first compressed (buckling in a plane), then twisted,
                           then compressed on. Other clamps: when the right end is turned freely, then moved. Otherwise as
                           `direct` */
    WY_BRANCH_DIRECT,   /* straight from the unstressed rod: a compressed straight rod stays straight */
    WY_BRANCH_PLANAR,   /* buckled in a plane, mode 1, 2, 3 ..., then twisted */
    WY_BRANCH_TWO_LOOP, /* two loops in a plane, under tension; from the ring that is closed twice */
    WY_BRANCH_SPATIAL   /* out of the plane: twisted while it is compressed, and twisted back */
} wy_equilibrium_branch;

/* The words for them, ended by NULL. */
extern WY_API const char *const wy_equilibrium_branches[];

typedef enum wy_equilibrium_solver_name { WY_COLLOCATION, WY_SHOOTING } wy_equilibrium_solver_name;

/* Where collocation begins. */
typedef enum wy_equilibrium_start {
    WY_START_AUTO, /* the path of the branch; where that leads nowhere on the branch `main`, or to an equilibrium in which a rod would not stay, the
                       energy */
    WY_START_PATH, /* the path, and nothing else */
    WY_START_ENERGY /* where the rod comes to rest when it is led to its ends and loads, going downhill: a stable equilibrium */
} wy_equilibrium_start;

/* How to solve. Start from wy_equilibrium_method_init. */
typedef struct wy_equilibrium_method {
    int solver;                      /* wy_equilibrium_solver_name */
    int order;                       /* collocation: 2, 4 or 6 */
    int start;                       /* collocation: wy_equilibrium_start */
    bool at_start;                   /* what varies in time acts as it does at t = 0, instead of being refused */
    bool keep_unstable;              /* WY_START_AUTO: an unstable equilibrium of the path is not left */
    const wy_integrator *integrator; /* shooting */
    const void *config;              /* shooting: the integrator's settings, NULL = its defaults */
    bool project;                    /* shooting: normalise q after each step */
    bool literal;     /* x' with the map (1.7) of `002` as printed, which is no rotation where a method leaves
                                        |q| = 1 and makes the result depend on how the rod lies in space: reproductions only */
    size_t elements;  /* elements or steps over the length; each piece between jumps gets its share; 0: as many as the
                               definition says */
    double tolerance; /* on the Newton step, in units of the rod (length, EI/L^2 ...); 0 = to round-off */
    int64_t max_iterations;  /* of Newton at one point of a continuation */
    double largest_residual; /* shooting with a method that keeps too little has no exact root: by how much its least-
                                        squares solution may miss the end conditions, in units of the rod, before it is refused */
    double least_step;       /* the continuation gives up below this fraction of a leg */
} wy_equilibrium_method;

/* Collocation of order 6, to round-off. */
WY_API void wy_equilibrium_method_init(wy_equilibrium_method *method);

/* Where two parts of the rod come nearest to each other, neighbours left out. */
typedef struct wy_equilibrium_contact {
    bool found;      /* there is such a place: the distance has a minimum off the diagonal */
    double distance; /* between the centre lines, m */
    double s[2];     /* where, m */
    double diameter; /* the largest along the rod, m; 0: contact is not looked for */
    bool through;    /* the distance is less than the section's diameter: the rod passes through itself */
} wy_equilibrium_contact;

/* What it took to get there. Lengths are in units of the rod: L for x, EI/L^2 for P, EI/L for M. */
typedef struct wy_equilibrium_stats {
    int64_t iterations;       /* Newton iterations of the last point */
    int64_t total_iterations; /* Newton iterations over the whole path */
    int64_t points;           /* points of the path */
    int64_t rejected;         /* points tried in vain */
    double step, residual;    /* last Newton step; what the end conditions miss */
    double
        redundant_residual; /* what the redundant end condition of a symmetric problem misses: 0 for a conserving method */
    double condition;       /* lower estimate of the condition number */
    size_t symmetries;      /* how many symmetries of the problem act on the solution */
    double
        energy_distance; /* how far the solution is from where the energy, a code of its own on other elements, has it: the largest distance in L or turn in
                     rad; -1 where the energy was not asked */
    bool stable; /* the energy says that it is; false where it was not asked, or where a load has no potential */
    long
        escaped_negative; /* unstable directions of the equilibrium on the path that was left for this one; 0: none was left */
    double escaped_potential; /* its potential energy, J */
    const char
        *kept_because; /* why an unstable one was kept after all (a sentence that lives for ever); NULL: it was not */
} wy_equilibrium_stats;

/* A solver: model, method, memory, and the solution it holds. */
typedef struct wy_equilibrium wy_equilibrium;

/* Refuses a rod that makes no sense, loads that an equilibrium cannot take, and a rod that could move as a rigid body. `part`
 * (may be NULL) is set to the key to blame. */
WY_API wy_status wy_equilibrium_check(const wy_rod_definition *rod, const char **part, wy_error *err);

/* Makes a solver. The definition is copied. `method` may be NULL: the default. Free with wy_equilibrium_free. */
WY_API wy_status wy_equilibrium_create(wy_equilibrium **solver, const wy_rod_definition *rod,
                                       const wy_equilibrium_method *method, wy_error *err);
WY_API void wy_equilibrium_free(wy_equilibrium *solver);

/* How many nodes its mesh has, solved or not. */
WY_API size_t wy_equilibrium_nodes(const wy_equilibrium *solver);

/* From the unstressed rod to the asked equilibrium on the named branch (`mode` is for the planar one: 1, 2, ...), by
 * adaptive continuation. On failure the message says how far it came, and the solver holds no solution. */
WY_API wy_status wy_equilibrium_solve(wy_equilibrium *solver, int branch, int mode, wy_error *err);

/* From a shape that was stored, in rows of s (m) and the 13 numbers of the state there, from one end to the other: Newton; where that leads nowhere, downhill in
 * energy from that shape. The ends and loads are the solver's. On failure the solver holds no solution. */
WY_API wy_status wy_equilibrium_solve_from(wy_equilibrium *solver, const wy_samples *rows, wy_error *err);

/* From where a start says: from its states, poses or shape in that way; without any of them wy_equilibrium_solve. */
WY_API wy_status wy_equilibrium_solve_start(wy_equilibrium *solver, const wy_rod_start *start, int branch, int mode,
                                            wy_error *err);

/* From the solution it holds to other ends and loads (of the same sort), by adaptive continuation: the way to follow a
 * branch. The rod itself must be the same. On failure the solver holds the solution of before. */
WY_API wy_status wy_equilibrium_continue(wy_equilibrium *solver, const wy_rod_definition *target, wy_error *err);

/* Newton from the state at s = 0 given by the caller (P0, M0; the rest from the left end), without continuation: for
 * shooting only. On failure the solver holds no solution. */
WY_API wy_status wy_equilibrium_shoot(wy_equilibrium *solver, const double P0[3], const double M0[3], wy_error *err);

/* The solution: count nodes, their s, and their states (13 numbers each), in SI units. Valid until the next call with
 * the solver; NULL where there is none. */
WY_API size_t wy_equilibrium_count(const wy_equilibrium *solver);
WY_API const double *wy_equilibrium_s(const wy_equilibrium *solver);
WY_API const double *wy_equilibrium_states(const wy_equilibrium *solver);
WY_API const wy_equilibrium_stats *wy_equilibrium_statistics(const wy_equilibrium *solver);

/* How far the solution that the solver holds is from the equilibrium of the rod itself, estimated: the largest errors of a node, each
 * relative to what it is an error of. Negative: not known, as at a branch point. */
typedef struct wy_equilibrium_errors {
    double shape; /* of positions in lengths of the rod, of turns in rad */
    double
        force; /* of the internal force, in parts of the largest (or of the largest moment/length, if that is more) */
    double
        moment; /* of the internal moment, in parts of the largest (no less than that of the largest force at a thousandth of the radius of gyration) */
    /* By how much the forces at both ends and the loads between them, integrated once more along the solved shape, are out of balance, in parts of the
     * largest force; and their moments about the first end, in parts of the largest moment or the largest force times the length. Known for every solution. */
    double force_balance, moment_balance;
} wy_equilibrium_errors;

/* By collocation each element is done again in two halves; a solution by shooting is compared with that of collocation. Costs about as much as two
 * Newton steps. Allocates. */
WY_API wy_status wy_equilibrium_estimate_parts(wy_equilibrium_errors *errors, wy_equilibrium *solver, wy_error *err);

/* The largest of the errors of shape, force and moment. */
WY_API wy_status wy_equilibrium_estimate(double *error, wy_equilibrium *solver, wy_error *err);

/* The same, and what a march along the rod from the state at its first end makes of an error (5.32), (5.33).
 * `grows`: the largest error, in those units, that an error of 1 in what the first end leaves free (force and moment at a clamp) becomes at the other end.
 * `march`: by how much a march from the returned state at the first end must be expected to miss the returned state at the other, in the same units.
 * Negative: not known. */
WY_API wy_status wy_equilibrium_estimate_march(double *error, double *grows, double *march, wy_equilibrium *solver,
                                               wy_error *err);

/* Energy of the solution in J: the strain energy, integral of 1/2 (P.C_P^-1 P + M.C_M^-1 M), and that less the work of dead end forces and
 * distributed forces (that of forces that follow the section is left out). */
WY_API wy_status wy_equilibrium_energies(double *strain, double *potential, const wy_equilibrium *solver,
                                         wy_error *err);

/* Adapts the mesh of the solution that the solver holds (collocation only) until its estimated error is at most `tolerance`, of forces
 * relative to no less than 40 EI/L^2 and of moments to no less than 6 EI/L (EI the softer way at s = 0), with at most `most` elements; never with fewer than there are. `error` (may be
 * NULL) gets the estimate that was reached, infinite where none can be made (at a branch point). The nodes of wy_equilibrium_s are those
 * of the new mesh. Allocates. */
WY_API wy_status wy_equilibrium_refine(wy_equilibrium *solver, double tolerance, size_t most, double *error,
                                       wy_error *err);

/* What follows asks a definition whose section is given in numbers: one that was made so, or a wy_rod_definition_copy. */

/* What is constant along a rod without distributed load (J and M3 need a uniform rod, M3 also equal principal
 * rigidities), and |q|^2. */
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

/* The right-hand side of (5.1) in SI units, and its derivative (13 x 13): for those who march themselves. */
WY_API void wy_equilibrium_field(double dy[WY_STATIC_DIM], const wy_rod_definition *rod, double s,
                                 const double y[WY_STATIC_DIM]);
WY_API void wy_equilibrium_jacobian(double *J, const wy_rod_definition *rod, double s, const double y[WY_STATIC_DIM]);

/* The smallest distance of the solution to itself, between parts further apart along the rod than pi/2 diameters. */
WY_API wy_equilibrium_contact wy_equilibrium_self_distance(const wy_equilibrium *solver);
/* The same of states (13 numbers, SI) at `count` nodes s of a rod. */
WY_API wy_equilibrium_contact wy_equilibrium_contact_of(const wy_rod_definition *rod, const double *s,
                                                        const double *states, size_t count);

/* Turns of the frame about the axis and those of the axis itself, Tw + Wr, in rad: what a rod whose ends meet is twisted by, whole turns
 * included. */
WY_API double wy_equilibrium_link(const wy_equilibrium *solver);

/* "passes through itself at s = 1.23 m, s = 4.56 m: 0.1 m apart, diameter 0.4 m", or where it comes nearest, or that it
 * comes near itself nowhere. Returns `buffer`. */
WY_API const char *wy_equilibrium_contact_text(char *buffer, size_t size, const wy_equilibrium_contact *contact);

/* A solver as a scenario chooses it. */
typedef struct wy_equilibrium_solver {
    wy_entry entry;
    void (*make)(wy_equilibrium_method *method, const void *config);
    /* Which scheme of <withy/multisymplectic.h> takes the solution over, and its alpha; NULL: none does. */
    int (*scheme)(double *alpha, const void *config);
} wy_equilibrium_solver;

/* The rod of a scenario of kind `static` (its configuration) at a value of its sweep, and its branch and mode. Memory is taken from the arena. A
 * scenario without a sweep ignores the value; `last` is the sweep's last one (0 without). */
WY_API wy_status wy_static_scenario_rod(wy_rod_definition *rod, int *branch, int *mode, const void *config,
                                        double value, wy_arena *arena, wy_error *err);
WY_API double wy_static_scenario_last(const void *config);
/* How such a scenario is solved; a scheme that takes a solution over is left out. */
WY_API void wy_static_scenario_method(wy_equilibrium_method *method, const void *config);

/* Where the rod lies, and where its equilibrium is sought: its `start`. */
WY_API const wy_rod_start *wy_static_scenario_start(const void *config);

/* All solvers: `auto`, `collocation`, `energy`, `shooting`, `multi-symplectic`. */
extern WY_API const wy_catalogue wy_equilibrium_solvers;

/* The twist-shortening problem of `002`, section 2.2.4: x(0) = 0, q(0) = 1, x(L) = (0, 0, (1-xi)L), turned by phi about
 * e3. Sets both ends of the rod; `last` is filled in and must live as long as the definition is used. */
WY_API void wy_equilibrium_twist_shortening(wy_rod_definition *rod, wy_end_coaxial *last, double phi, double xi);

#ifdef __cplusplus
}
#endif

#endif
