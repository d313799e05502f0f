/* Branches of equilibria: pseudo-arclength continuation in any number of the rod's definition, special points,
 * stability. docs/branches.md, docs/math/branches.md. */
#ifndef WITHY_BRANCHES_H
#define WITHY_BRANCHES_H

#include <withy/equilibrium.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A family of rods with one parameter. Sections, shapes and loads must jump at the same arc lengths, relative to the
 * length, and the ends must constrain the same components. */
typedef struct wy_branch_problem {
    /* The rod at a value of the parameter. Everything it points to must live until the next call. */
    wy_status (*rod_at)(wy_rod_definition *rod, void *context, double parameter, wy_error *err);
    void *context;
    /* first value of the parameter; the first equilibrium is solved for as by wy_equilibrium_solve, ... */
    double start;
    int branch; /* ... on this wy_equilibrium_branch, ... */
    int mode;   /* ... in this mode; */
    /* or, if not NULL, Newton starts from these: (elements+1) x 13, SI, at equal distances (at the nodes of
     * wy_equilibrium_s) */
    const double *states;
} wy_branch_problem;

typedef struct wy_branch_options {
    double from, to; /* bounds of the parameter; `start` must lie between them */
    int direction;   /* from the start: 1 up, -1 down, 0 both */
    int order;       /* of the collocation: 2, 4, 6 */
    size_t elements; /* at the start, and at least; solutions are reported at the nodes of this uniform mesh */
    /* required error of a solution (see wy_branch_solution.error): the mesh is adapted to keep it; 0: the mesh stays
     * uniform */
    double tolerance;
    size_t most_elements;                  /* upper bound of the adapted mesh */
    double step, least_step, largest_step; /* along the branch; 1 is about a rotation of the whole rod by 1 rad */
    size_t points;                         /* upper bound on each branch */
    size_t branches;      /* upper bound, the first one included; 1: branch points are found, not followed */
    long most_negative;   /* a branch ends if more directions than this are negative; -1: never */
    bool mirrors;         /* follow both sides of a branch point even if they are images of each other */
    size_t value_count;   /* parameter values to solve for exactly ... */
    const double *values; /* ... on every branch that passes them */
    size_t eigenvalues;   /* lowest eigenvalues of the second variation for each solution, 0 to WY_BRANCH_EIGENVALUES */
} wy_branch_options;

enum { WY_BRANCH_EIGENVALUES = 4 };

/* To this part of the parameter's way from the start folds and branch points are located; in rods thinner than 1e-4 of
 * their length round-off leaves the second. Where it was not reached the run warns. */
#define WY_BRANCH_PRECISION 1e-6
#define WY_BRANCH_PRECISION_THIN 1e-4

/* Collocation of order 6 with 64 elements, up to 1024 for an error of 1e-9; one branch; bounds from 0 to 1. */
WY_API void wy_branch_options_init(wy_branch_options *options);

typedef enum wy_point_sort {
    WY_POINT_REGULAR,
    WY_POINT_END,    /* the branch starts or stops here: EP */
    WY_POINT_FOLD,   /* the parameter turns round: LP, a limit point */
    WY_POINT_BRANCH, /* another branch meets this one: BP */
    WY_POINT_VALUE   /* an asked value of the parameter: UZ */
} wy_point_sort;

/* Why a branch stopped at an end point. */
typedef enum wy_branch_end {
    WY_END_NONE,
    WY_END_START,    /* it begins here */
    WY_END_BOUND,    /* a bound of the parameter */
    WY_END_POINTS,   /* the largest number of points */
    WY_END_NEGATIVE, /* more negative directions than allowed */
    WY_END_JOINED,   /* it reaches a known branch point */
    WY_END_MIRROR,   /* beyond this branch point it is the image of its first part */
    WY_END_CLOSED,   /* it returns to its first point */
    WY_END_STUCK     /* the smallest step does not converge */
} wy_branch_end;

/* Type of a branch point. Unknown: it is not simple, or the measured directions fit none of the types. */
typedef enum wy_branch_type {
    WY_TYPE_NONE, /* no branch point */
    WY_TYPE_UNKNOWN,
    WY_TYPE_TRANSCRITICAL, /* the parameter increases along the other branch through the point */
    WY_TYPE_SUBCRITICAL,   /* a pitchfork towards the side on which this branch has fewer negative directions */
    WY_TYPE_SUPERCRITICAL  /* a pitchfork towards the side on which it has more */
} wy_branch_type;
extern WY_API const char *const wy_branch_types[];

/* EP, LP, BP, UZ; "" for a regular point. */
extern WY_API const char *const wy_point_labels[];

/* One solution, in SI units. Pointers are valid during the call. */
typedef struct wy_branch_solution {
    size_t branch; /* counted from 0 */
    size_t parent; /* number of the branch point (BPn) where this branch begins; 0: the start */
    size_t point;  /* along the branch, from 0 */
    wy_point_sort sort;
    size_t number;     /* of the label, counted from 1 for each sort; 0 for regular points */
    wy_branch_end end; /* for end points */
    double parameter;
    double arclength; /* along the branch */
    double slope;     /* derivative of the parameter by arclength: zero at a fold */
    /* negative directions of the second variation, symmetries excluded: 0 is stable. At a branch point the smaller
     * count of both sides. -1: the loads have no potential, stability is unknown */
    long negative;
    size_t symmetries; /* number of symmetries that map it to other solutions */
    /* lowest eigenvalues in 1/s^2: omega^2 of small vibrations. For a section without mass those of rho A = 1 kg/m */
    double lowest[WY_BRANCH_EIGENVALUES];
    /* estimate of the largest error of a node, transverse to the branch: of positions relative to L, of rotations in
     * rad, of moments and forces relative to their largest values, but at least 6 EI/L and 40 EI/L^2; of the
     * parameter relative to its range. Negative: unknown */
    double error;
    double parameter_error; /* estimate of the error of the parameter; negative: unknown */
    bool imprecise;         /* a fold or branch point that is not located to WY_BRANCH_PRECISION, or the tolerance */
    size_t elements;        /* of the mesh on which it was computed */
    double strain_energy;   /* J */
    double potential;       /* strain energy less the work of dead end forces and distributed forces, J */
    const wy_rod_definition *rod; /* at this parameter */
    size_t count;
    const double *s, *states; /* as wy_equilibrium_s and wy_equilibrium_states */
    size_t multiplicity;      /* of a fold or branch point: number of directions that change sign */
    wy_branch_type type;      /* of a branch point */
    /* changes of `negative` between the parameter missing_from and this solution without a fold or branch point: as
     * many special points were missed */
    long missing;
    double missing_from;
    /* first branch point of the start's branch by linear buckling; not finite: none, or unknown */
    double linear_buckling;
    bool linear_off;      /* the branch is straight up to that value, and no branch point was found there */
    const double *kernel; /* at a branch point: direction of the other branch, count x 13, in units of the rod */
    const wy_equilibrium_stats *stats;
} wy_branch_solution;

/* Computes the branch through the start, and the branches that meet it, and passes every solution to `report`. The
 * call ends with the first status of `report` that is not WY_OK. It fails if no start is found; a branch that cannot
 * be continued ends with an end point. */
typedef wy_status (*wy_branch_report)(void *context, const wy_branch_solution *solution, wy_error *err);
WY_API wy_status wy_branches_follow(const wy_branch_problem *problem, const wy_branch_options *options,
                                    wy_branch_report report, void *context, wy_error *err);

/* Newton from states (count of the solver's nodes x 13, SI) without continuation, to restore a stored solution: for
 * collocation. On failure the solver has no solution. */
WY_API wy_status wy_equilibrium_correct(wy_equilibrium *solver, const double *states, wy_error *err);

/* The same for a solution at which the equations may be singular, as at a fold, and Newton may fail: states whose
 * residual is at most 1e-8 in units of the rod are then accepted unchanged, and `corrected` is false. */
WY_API wy_status wy_equilibrium_take_up(wy_equilibrium *solver, const double *states, bool *corrected, wy_error *err);

/* Natural vibrations about an equilibrium. */
typedef struct wy_equilibrium_modes {
    long negative;       /* negative directions: each grows exponentially */
    size_t symmetries;   /* motions without stiffness, excluded below */
    double *eigenvalues; /* omega^2 in 1/s^2, ascending; negative ones first */
    /* count x nodes x 6: rotation, displacement in space components; the largest rotation (rad) or displacement
     * (relative to L) is 1; may be NULL */
    double *shapes;
} wy_equilibrium_modes;

/* The lowest modes with their errors: `count` of them on `nodes` nodes. Owns its arrays. */
typedef struct wy_mode_table {
    size_t count, nodes;
    long negative;            /* of the modes, unstable ones first */
    size_t symmetries;        /* motions without stiffness, excluded */
    double equilibrium_error; /* of the equilibrium; see wy_equilibrium_estimate */
    double *s, *states;       /* the equilibrium: as wy_equilibrium_s and wy_equilibrium_states */
    double *eigenvalues;      /* omega^2, 1/s^2, ascending */
    double *errors;           /* estimates of their errors, 1/s^2 */
    double *damping;          /* x.C x/x.M x, 1/s, to first order in the damping: the ratio is this over 2 omega */
    double *damping_errors;
    double *shapes; /* as in wy_equilibrium_modes */
} wy_mode_table;

/* Computes the modes about the current solution (collocation only) on its mesh, and on meshes with all elements
 * halved until the estimated errors are below `tolerance` of the eigenvalues or there are `most` elements; the last
 * two meshes give the error. The solver then has the solution on the last mesh. Free the table with
 * wy_mode_table_free. */
WY_API wy_status wy_equilibrium_modes_find(wy_mode_table **table, size_t count, double tolerance, size_t most,
                                           wy_equilibrium *solver, wy_error *err);
WY_API void wy_mode_table_free(wy_mode_table *table);

/* Harmonic excitation about an equilibrium: a force at a node, or a prescribed motion of a constrained end. */
typedef struct wy_equilibrium_excitation {
    int end;             /* -1: a force at s; 0, 1: the first or the last end is moved */
    double s;            /* m, of the force: at the node nearest to it */
    double direction[3]; /* in space; its length is the force in N, or the motion in m */
    double response_at;  /* m: the response is that of the nearest node */
} wy_equilibrium_excitation;

/* Frequency response at each of `count` frequencies (Hz): displacement x, y, z in m, real and imaginary part of each
 * (count x 6), relative to the force or motion, e^(i omega t); `errors` (count x 3): estimated error of each
 * displacement. Solved from stiffness, inertia and damping at each frequency, not by a sum of modes, on the solver's
 * mesh and on meshes with all elements halved until the errors are below `tolerance` of the amplitude or there are
 * `most` elements. `force_at`, `response_at`: s of the nodes. For a solution by collocation; the section needs mass. */
WY_API wy_status wy_equilibrium_frequency_response(double *response, double *errors, double *force_at,
                                                   double *response_at, const double *frequencies, size_t count,
                                                   const wy_equilibrium_excitation *excitation, double tolerance,
                                                   size_t most, wy_equilibrium *solver, wy_error *err);

/* Whirl of a round rod, straight when unstressed, whose sections spin about the centre line with `spin` rad/s: the
 * table's modes coupled by the gyroscopic moments, with a first-order correction for higher modes. Returns the lowest
 * `count` frequencies: omega (rad/s, ascending), estimated errors (rad/s), and sense (1 forward, -1 backward, 0 in a
 * plane, WY_WHIRL_ALONG: twist or stretch along the line, which unbalance does not excite). Solver and table are
 * those of one wy_equilibrium_modes_find. */
#define WY_WHIRL_ALONG 2.0
WY_API wy_status wy_equilibrium_whirl(double *omega, double *errors, double *sense, size_t count,
                                      const wy_mode_table *table, wy_equilibrium *solver, double spin, wy_error *err);

/* Writes the lowest `count` modes of the current solution (collocation only) into the caller's arrays. The section
 * needs mass. */
WY_API wy_status wy_equilibrium_vibrations(wy_equilibrium_modes *modes, size_t count, wy_equilibrium *solver,
                                           wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
