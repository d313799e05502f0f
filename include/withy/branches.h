/* Branches of equilibria: pseudo-arclength continuation of a static rod in any of its numbers, special points,
 * stability. docs/branches.md, docs/math/branches.md. */
#ifndef WITHY_BRANCHES_H
#define WITHY_BRANCHES_H

#include <withy/equilibrium.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A family of rods with one parameter. Their sections, shapes and loads must jump at the same places, relative to the length,
 * and their ends hold the same. */
typedef struct wy_branch_problem {
    /* The rod at a value of the parameter. What it points to must live until the next call. */
    wy_status (*rod_at)(wy_rod_definition *rod, void *context, double parameter, wy_error *err);
    void *context;
    double start;         /* where to begin: an equilibrium is sought there as wy_equilibrium_solve does, ... */
    int branch;           /* ... on this wy_equilibrium_branch, ... */
    int mode;             /* ... in this mode; */
    const double *states; /* or, if not NULL, Newton begins with these: (elements+1) x 13, SI, at equal distances (at
                             the nodes of wy_equilibrium_s) */
} wy_branch_problem;

typedef struct wy_branch_options {
    double from, to;  /* bounds of the parameter; `start` must lie between them */
    int direction;    /* from the start: 1 up, -1 down, 0 both */
    int order;        /* of the collocation: 2, 4, 6 */
    size_t elements;  /* at the start, and at least; solutions are reported at the nodes of this uniform mesh */
    double tolerance; /* largest error asked of a solution (see wy_branch_solution.error): nodes are moved, added and
                             taken away to keep it; 0: the mesh stays uniform */
    size_t most_elements;                  /* at most so many */
    double step, least_step, largest_step; /* along the branch; 1 is about a turn by 1 rad of the whole rod */
    size_t points;                         /* at most so many on each branch */
    size_t branches;      /* at most so many, the first one included; 1: branch points are found, not followed */
    long most_negative;   /* a branch ends where more directions than this are negative; -1: never */
    bool mirrors;         /* follow both sides of a branch point even where one is the image of the other */
    size_t value_count;   /* parameters to hit exactly ... */
    const double *values; /* ... wherever a branch passes them */
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
    WY_END_POINTS,   /* as many points as asked */
    WY_END_NEGATIVE, /* more negative directions than asked */
    WY_END_JOINED,   /* it runs into a branch point that is already known */
    WY_END_MIRROR,   /* beyond this branch point it is the image of what was before */
    WY_END_CLOSED,   /* it came back to its beginning */
    WY_END_STUCK     /* no smaller step succeeds */
} wy_branch_end;

/* How the branches of a branch point lie. Unknown: it is neither simple nor one branch turned about, or what was
 * measured does not fit any. */
typedef enum wy_branch_type {
    WY_TYPE_NONE, /* no branch point */
    WY_TYPE_UNKNOWN,
    WY_TYPE_TRANSCRITICAL, /* the other branch passes through, from one side of the parameter to the other */
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
    double slope;     /* change of the parameter for a step of 1 along the branch: zero at a fold */
    long negative; /* negative directions of the second variation, symmetries left out: 0 is stable. At a branch point
                      the smaller count of both sides. -1: the loads have no potential, stability is not known */
    size_t symmetries;                    /* how many symmetries act on it */
    double lowest[WY_BRANCH_EIGENVALUES]; /* lowest eigenvalues in 1/s^2: omega^2 of small vibrations. For a section
                                             without mass those of rho A = 1 kg/m */
    double error; /* estimate of the largest error of a node, across the branch: of positions in lengths of the rod, of
                     turns in rad, of moments and forces in parts of the largest there are, but of no less than 6 EI/L
                     and 40 EI/L^2; of the parameter in parts of its range. Negative: not known */
    double parameter_error; /* estimate of how far the parameter is off; negative: not known */
    bool imprecise;         /* a fold or branch point that is not located to WY_BRANCH_PRECISION, or the tolerance */
    size_t elements;        /* of the mesh on which it was computed */
    double strain_energy;   /* J */
    double potential;       /* strain energy less the work of dead end forces and distributed forces, J */
    const wy_rod_definition *rod; /* at this parameter */
    size_t count;
    const double *s, *states; /* as wy_equilibrium_s and wy_equilibrium_states */
    size_t multiplicity;      /* of a fold or branch point: how many directions change sign there */
    wy_branch_type type;      /* of a branch point */
    long missing; /* changes of `negative` between the parameter missing_from and this solution that no fold or branch
                     point accounts for: there are as many that were not found */
    double missing_from;
    double linear_buckling; /* where linear buckling puts the first branch point of the start's branch; not finite:
                               nowhere, or not known */
    bool linear_off;        /* the branch was straight as far as that, and no branch point was found there */
    const double *kernel;   /* at a branch point: direction of the other branch, count x 13, in units of the rod */
    const wy_equilibrium_stats *stats;
} wy_branch_solution;

/* Computes the branch through the start, and the branches that meet it, and hands every solution to `report`. The call
 * ends with the first status that is not WY_OK. Fails where no start can be found; a branch that gets stuck is an end
 * point. */
typedef wy_status (*wy_branch_report)(void *context, const wy_branch_solution *solution, wy_error *err);
WY_API wy_status wy_branches_follow(const wy_branch_problem *problem, const wy_branch_options *options,
                                    wy_branch_report report, void *context, wy_error *err);

/* The rod of a scenario of kind `continuation` (its configuration) at a value of its parameter. Memory is taken from
 * the arena. */
WY_API wy_status wy_branch_scenario_rod(wy_rod_definition *rod, const void *config, double parameter, wy_arena *arena,
                                        wy_error *err);

/* Where it begins, and on which branch and in which mode. */
WY_API double wy_branch_scenario_start(int *branch, int *mode, const void *config);

/* Where the rod lies, and where its first equilibrium is sought: its `start`. */
WY_API const wy_rod_start *wy_branch_scenario_first(const void *config);

/* Newton from states (count of the solver's nodes x 13, SI) without continuation: for collocation. The way to take up a
 * solution again that was stored. On failure the solver holds no solution. */
WY_API wy_status wy_equilibrium_correct(wy_equilibrium *solver, const double *states, wy_error *err);

/* The same for a solution at which the equations may be singular, as at a fold, where Newton finds no way: states that
 * fulfil them to 1e-8 of the rod's units are then taken as they are, and `corrected` is false. */
WY_API wy_status wy_equilibrium_take_up(wy_equilibrium *solver, const double *states, bool *corrected, wy_error *err);

/* Natural vibrations about an equilibrium. */
typedef struct wy_equilibrium_modes {
    long negative;       /* negative directions: each is an exponential departure */
    size_t symmetries;   /* motions without stiffness, left out below */
    double *eigenvalues; /* omega^2 in 1/s^2, ascending; negative ones first */
    double *shapes; /* count x nodes x 6: turn, displacement in space components; the largest turn (rad) or displacement
                       (in lengths of the rod) is 1; may be NULL */
} wy_equilibrium_modes;

/* The lowest modes, at the order of the elements, with errors: `count` of them on `nodes` nodes. Arrays belong to it. */
typedef struct wy_mode_table {
    size_t count, nodes;
    long negative;             /* of the modes, unstable ones first */
    size_t symmetries;         /* motions without stiffness, left out */
    double equilibrium_error;  /* of the shape that they are about; see wy_equilibrium_estimate */
    const double *s, *states;  /* that shape: as wy_equilibrium_s and wy_equilibrium_states */
    const double *eigenvalues; /* omega^2, 1/s^2, ascending */
    const double *errors;      /* estimates of their errors, 1/s^2 */
    const double *damping;     /* x.C x/x.M x, 1/s, to first order in the damping: the ratio is this over 2 omega */
    const double *damping_errors;
    const double *shapes; /* as in wy_equilibrium_modes */
} wy_mode_table;

/* Finds them about the solution that the solver holds (collocation only), on its mesh, and on meshes with all elements cut in two until
 * the estimates are below `tolerance` of the eigenvalues or there are `most` elements: the last two tell the error. The solver holds the solution
 * on the last mesh. Free the table with wy_mode_table_free. */
WY_API wy_status wy_equilibrium_modes_find(wy_mode_table **table, size_t count, double tolerance, size_t most,
                                           wy_equilibrium *solver, wy_error *err);
WY_API void wy_mode_table_free(wy_mode_table *table);

/* What shakes a rod about its equilibrium, harmonically: a force at a place, or an end that is held and moved to and fro. */
typedef struct wy_equilibrium_excitation {
    int end;             /* -1: a force at s; 0, 1: the first or the last end is moved */
    double s;            /* m, of the force: at the node nearest to it */
    double direction[3]; /* in space; its length is the force in N, or the motion in m */
    double response_at;  /* m: where the answer is asked, at the node nearest to it */
} wy_equilibrium_excitation;

/* Answers at each of `count` frequencies (Hz): displacement x, y, z in m, real and imaginary part of each (count x 6), relative to the force or
 * motion, e^(i omega t); `errors` (count x 3): estimates of the errors of each displacement. From the stiffness, inertia and damping at that very frequency, without a sum over
 * modes, on the solver's mesh and on meshes with all elements cut in two until the errors are below `tolerance` of the amplitude or there are `most` elements. `force_at`,
 * `response_at`: s of the nodes. For a solution by collocation; the section needs mass. */
WY_API wy_status wy_equilibrium_frequency_response(double *answer, double *errors, double *force_at,
                                                   double *response_at, const double *frequencies, size_t count,
                                                   const wy_equilibrium_excitation *shake, double tolerance,
                                                   size_t most, wy_equilibrium *solver, wy_error *err);

/* Whirl of a round rod, straight when unstressed, whose sections spin about its line with `spin` rad/s: the table's modes coupled by the gyroscopic
 * moments, and what the modes above the table change to first order. The lowest `count` frequencies: omega (rad/s, ascending), estimates of their errors (rad/s), and
 * sense (1 forward, -1 backward, 0 in a plane, WY_WHIRL_ALONG: twist or stretch along the line, which no unbalance drives). Solver and table are those of one
 * wy_equilibrium_modes_find. */
#define WY_WHIRL_ALONG 2.0
WY_API wy_status wy_equilibrium_whirl(double *omega, double *errors, double *sense, size_t count,
                                      const wy_mode_table *table, wy_equilibrium *solver, double spin, wy_error *err);

/* Fills the arrays of the caller with the lowest `count` modes of the solution that the solver holds (collocation
 * only). The section needs mass. */
WY_API wy_status wy_equilibrium_vibrations(wy_equilibrium_modes *modes, size_t count, wy_equilibrium *solver,
                                           wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
