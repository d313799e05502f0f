/* A rod in motion: model, state, step, read. rod.h defines the rod. docs/dynamics.md and docs/math/dynamics.md.
 *
 *   wy_motion_definition def; wy_motion_definition_init(&def);  ... fill in def.rod, def.start, def.method ...
 *   wy_motion *rod;          wy_motion_create(&rod, &def, &err);            the model: immutable, shared by threads
 *   wy_motion_state *state;  wy_motion_state_create(&state, rod, &err);     everything a restart needs
 *   wy_motion_work *work;    wy_motion_work_create(&work, rod, &err);       scratch, one for each thread
 *   wy_motion_start(rod, state, work, &err);
 *   for (...) wy_motion_step(rod, state, work, dt, &err);                   allocates nothing
 *   wy_motion_read(rod, state, &view); */
#ifndef WITHY_MOTION_H
#define WITHY_MOTION_H

#include <withy/live.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A space-time method. Its callbacks are internal. */
typedef struct wy_motion_method wy_motion_method;

/* gauss-director (the default) and bdf-alpha; libwithy-lab adds multi-symplectic-box and the literal schemes. */
extern WY_API const wy_catalogue wy_motion_methods;

/* Settings of Newton's iteration of a step. */
typedef struct wy_motion_newton {
    /* stop when the remaining error, relative to the length of the rod or 1 rad, is below this */
    double tolerance;
    int64_t max_iterations; /* in one attempt */
    int64_t halvings;       /* a step that does not converge is halved, at most this many times */
} wy_motion_newton;
extern WY_API const wy_param wy_motion_newton_params[];

/* Configuration of `gauss-director`. */
typedef struct wy_motion_gauss_director {
    wy_motion_newton newton; /* tolerance relative to the largest energy norm of the motion; 1e-16: to round-off */
    int64_t degree, stages;  /* 2 to 5, order 2 P along the rod; 1 to 3, order 2 S in time */
    bool dissipative;        /* Radau IIA instead of Gauss: damps motion that the step does not resolve */
    double stabiliser;       /* stabilisation stiffness inside an element, relative to the largest force; 0: none */
    bool portable;           /* inner loops without processor-specific instructions; same results bit for bit */
    bool exact_only;         /* no fallback to Radau IIA: a step that fails is halved until it converges, or fails */
    int64_t factors_every; /* factors are made anew every so many steps; 0: when they have become too old to be cheap */
} wy_motion_gauss_director;

/* ... of `bdf-alpha`, which ignores `stages`. */
typedef struct wy_motion_bdf_alpha {
    wy_motion_gauss_director gauss;
    double alpha; /* 0: BDF2, largest damping; -1/2: the trapezoidal rule, no damping */
} wy_motion_bdf_alpha;

/* A rod, its initial configuration and its method. wy_motion_create copies everything it points to. */
typedef struct wy_motion_definition {
    wy_rod_definition rod;
    wy_rod_start start;
    wy_choice method; /* from wy_motion_methods; none: gauss-director */
} wy_motion_definition;

/* Sets the defaults: wy_rod_definition_init for the rod, which starts at rest in its reference configuration. */
WY_API void wy_motion_definition_init(wy_motion_definition *definition);

typedef struct wy_motion wy_motion;
typedef struct wy_motion_state wy_motion_state;
typedef struct wy_motion_work wy_motion_work;

/* Checks a definition, with its start and its method, without creating a model. `part` as in
 * wy_rod_definition_check. */
WY_API wy_status wy_motion_check(const wy_motion_definition *definition, const char **part, wy_error *err);

/* Creates a model, or reports what is wrong with the definition. Free with wy_motion_free (NULL is allowed). */
WY_API wy_status wy_motion_create(wy_motion **rod, const wy_motion_definition *definition, wy_error *err);
WY_API void wy_motion_free(wy_motion *rod);

/* The settings chosen for an accuracy. */
typedef struct wy_motion_accuracy {
    int64_t elements, degree, order; /* of `gauss-director`: order in time */
    double step;                     /* s */
    double tolerance;                /* mean of the local error estimate of a step, for wy_motion_plan.tolerance */
    /* estimated error: the largest of ends, middle and quarter points, root mean square over time, relative to the
     * length */
    double estimate;
    int64_t trials; /* number of trial runs */
} wy_motion_accuracy;

/* Chooses elements, mesh, method and step so that the error is at most `accuracy`: the largest error of ends, middle
 * and quarter points, root mean square over `duration`, relative to the length. Writes elements, mesh and method into
 * the definition; the mesh and the method's settings live in the arena. Works for any rod, ends and loads: it runs
 * the rod over the duration with coarse runs, and repeats with more elements or shorter steps until the estimated
 * error is small enough. If the accuracy is out of reach it fails and reports what can be reached. `sink` (may be
 * NULL) receives progress and may cancel. */
WY_API wy_status wy_motion_for_accuracy(wy_motion_accuracy *chosen, wy_motion_definition *definition, double accuracy,
                                        double duration, wy_arena *arena, const struct wy_sink *sink, wy_error *err);

/* Number of nodes: elements + 1. */
WY_API size_t wy_motion_nodes(const wy_motion *rod);

/* Arc length of node j, m. */
WY_API double wy_motion_arc_length(const wy_motion *rod, size_t j);

/* A state is plain data: wy_motion_state_copy makes a checkpoint, and wy_motion_state_numbers shows all of it as one
 * run of doubles of wy_motion_state_size, to be stored and restored. A state of another size is refused. */
WY_API wy_status wy_motion_state_create(wy_motion_state **state, const wy_motion *rod, wy_error *err);
WY_API void wy_motion_state_free(wy_motion_state *state);
WY_API wy_status wy_motion_state_copy(wy_motion_state *to, const wy_motion_state *from, wy_error *err);
WY_API size_t wy_motion_state_size(const wy_motion_state *state);
WY_API double *wy_motion_state_numbers(wy_motion_state *state);

/* Scratch memory; its contents between two calls do not matter. */
WY_API wy_status wy_motion_work_create(wy_motion_work **work, const wy_motion *rod, wy_error *err);
/* Scratch for one thread that steps so many states in turn: it keeps the factors of each (20 elements of degree 2: 70
 * kB, of degree 3 with two stages: 220 kB), which would otherwise be made anew at every visit. Same results bit for
 * bit. More states than that are stepped as well. */
WY_API wy_status wy_motion_work_create_for(wy_motion_work **work, const wy_motion *rod, size_t states, wy_error *err);
WY_API void wy_motion_work_free(wy_motion_work *work);
WY_API size_t wy_motion_work_size(const wy_motion_work *work); /* in doubles */
WY_API double *wy_motion_work_numbers(wy_motion_work *work);

/* Sets the state to the definition's start at t = 0. */
WY_API wy_status wy_motion_start(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, wy_error *err);

/* Advances the state by dt > 0. Allocates nothing. On failure the state is unchanged, and the error names time, step
 * and node at which the iteration failed. */
WY_API wy_status wy_motion_step(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, double dt,
                                wy_error *err);

/* Applies a constant force and moment (space components) to an end from now on, in addition to the definition: for
 * control loops. `end` is 0 or 1. */
WY_API wy_status wy_motion_push(const wy_motion *rod, wy_motion_state *state, int end, const double force[3],
                                const double moment[3], wy_error *err);

/* Moves a `driven` end to a pose (a unit quaternion, body to space) within the next dt: call it before the steps that
 * cover dt. The path of the end belongs to the state. */
WY_API wy_status wy_motion_carry(const wy_motion *rod, wy_motion_state *state, int end, const double position[3],
                                 const double orientation[4], double dt, wy_error *err);

/* Time of the state, s. */
WY_API double wy_motion_time(const wy_motion_state *state);

/* Energies, J. kinetic + strain + gravity + dissipated + numerical - work is constant. */
typedef struct wy_motion_energy {
    double kinetic, strain;
    double gravity;    /* potential, zero at the origin of space */
    double dissipated; /* by viscosity and drag, since the start */
    double work;       /* done on the rod by loads and moved ends, since the start */
    double balance;    /* kinetic + strain + gravity + dissipated + numerical - work */
    double largest;    /* largest of kinetic and strain so far: the scale of a drift of the balance */
    double numerical;  /* numerical dissipation since the start; negative: the method added energy */
} wy_motion_energy;

WY_API void wy_motion_energies(wy_motion_energy *energy, const wy_motion *rod, const wy_motion_state *state);

/* Residual norms: imbalance and motion. Both are zero for a rod at rest in equilibrium. */
typedef struct wy_motion_residual_norms {
    double scale;     /* largest force inside the rod (or moment over its length), N; at least 1e-3 EI/L^2 */
    double imbalance; /* sum of the unbalanced nodal forces (and moments over the length), relative to the scale */
    double motion;    /* sqrt(kinetic energy / (scale L)), of the mean velocity over the last step */
} wy_motion_residual_norms;

/* Computes the residual norms. For the method gauss-director. */
WY_API wy_status wy_motion_distance_from_rest(wy_motion_residual_norms *residual_norms, const wy_motion *rod,
                                              const wy_motion_state *state, wy_motion_work *work, wy_error *err);

/* Linear momentum, and angular momentum about the origin of space; space components. */
WY_API void wy_motion_momenta(double linear[3], double angular[3], const wy_motion *rod, const wy_motion_state *state);

/* Duration, steps and recording of a run. */
typedef struct wy_motion_plan {
    double duration, step; /* s; the step is reduced if the duration is not a multiple of it */
    int64_t every;         /* recording interval in steps ... */
    double output_step;    /* ... or, if positive, the recording interval in s; the last state always */
    double rest_below;     /* stop when both residual norms are below this; 0: run for the whole duration */
    double rest_after;     /* ... but not before this time, s */
    /* Tolerance of the method's local error estimate: if positive, `step` is the mean step, and steps are between
     * 1/16 of it and twice as long; 0: uniform steps */
    double tolerance;
    bool estimate; /* estimate the errors by coarse runs: at most 50 % more work */
} wy_motion_plan;

/* Cost of the steps since the start. */
typedef struct wy_motion_stats {
    int64_t steps;          /* requested */
    int64_t iterations;     /* of Newton, in all attempts */
    int64_t retries;        /* failed attempts, repeated from another first guess or with a smaller step */
    int64_t halvings;       /* number of times that a step was halved */
    int64_t fallback_steps; /* steps taken with the dissipative fallback */
} wy_motion_stats;
WY_API void wy_motion_statistics(wy_motion_stats *stats, const wy_motion_state *state);

/* Arrays of the caller for wy_motion_read; any may be NULL. Layout: node after node (element after element). */
typedef struct wy_motion_view {
    double *position;    /* nodes x 3, space, m */
    double *orientation; /* nodes x 4, quaternions, body to space, sign continuous along the rod */
    double *velocity;    /* nodes x 6, [omega; v] in the body frame */
    /* elements x 6, [kappa; nu] in the body frame, constant over each element: its exact exponential from the first
     * pose gives the other poses */
    double *strain;
    double *wrench; /* elements x 6, [moment; force] internal wrench at the middle of each element, body frame */
} wy_motion_view;

WY_API void wy_motion_read(const wy_motion *rod, const wy_motion_state *state, const wy_motion_view *view);

/* Force and moment (space components, the moment about the end) that act on each end from outside: [force; moment] of
 * the first and of the last end. What holds an end counts with its mean over the last step; its law (springs, a load)
 * and a push count as they are in this state. `view`: of this state, with position, orientation and velocity. Without
 * what holds the ends for methods that do not know it. */
WY_API void wy_motion_end_forces(double forces[2][6], const wy_motion *rod, const wy_motion_state *state,
                                 const wy_motion_view *view);

/* Largest distance between the node positions and the integral of the strains from the first pose, m. */
WY_API double wy_motion_kinematic_residual(const wy_motion *rod, const wy_motion_state *state);

/* Force and moment (space components) that an end must apply to keep the rod in its present shape without inertia: at
 * rest, the reaction. For the method gauss-director. */
WY_API wy_status wy_motion_reaction(double force[3], double moment[3], const wy_motion *rod,
                                    const wy_motion_state *state, wy_motion_work *work, int end, wy_error *err);

/* The rod of a live simulation (<withy/live.h>), with its state and its scratch (either may be NULL), to be pushed or
 * stepped directly; NULL if the simulation is not a moving rod. Steps taken directly are not counted by the live
 * simulation. */
WY_API const wy_motion *wy_live_motion(wy_live *live, wy_motion_state **state, wy_motion_work **work);

#ifdef __cplusplus
}
#endif

#endif
