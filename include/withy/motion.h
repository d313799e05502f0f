/* A rod in motion: model, state, step, read. What a rod is, stands in rod.h. docs/dynamics.md and docs/math/dynamics.md.
 *
 *   wy_motion_definition def; wy_motion_definition_init(&def);  ... fill in def.rod, def.start, def.method ...
 *   wy_motion *rod;          wy_motion_create(&rod, &def, &err);            the model: immutable, may be shared by threads
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

/* A space-time method. Its callbacks are the library's own business. */
typedef struct wy_motion_method wy_motion_method;

/* gauss-director (the default), bdf-alpha, multi-symplectic-box, and the literal schemes. */
extern WY_API const wy_catalogue wy_motion_methods;

/* How Newton's iteration of a step is run. */
typedef struct wy_motion_newton {
    double tolerance;       /* stop when the error left, relative to the length of the rod or 1 rad, is below this */
    int64_t max_iterations; /* in one attempt */
    int64_t halvings;       /* a step that Newton cannot take is cut in two, at most so many times */
} wy_motion_newton;
extern WY_API const wy_param wy_motion_newton_params[];

/* Configuration of `gauss-director`. */
typedef struct wy_motion_gauss_director {
    wy_motion_newton newton; /* tolerance relative to the largest energy norm of the motion; 1e-16: to round-off */
    int64_t degree, stages;  /* 2 to 5, order 2 P along the rod; 1 to 3, order 2 S in time */
    bool dissipative;        /* Radau IIA instead of Gauss: what the step does not resolve dies out */
    double stabiliser; /* how many times the largest force the stiffness is that holds an element's inside; 0: none */
    bool portable;     /* the inner loops for any processor; the results are the same, bit for bit */
    bool exact_only;   /* never take a step that fails with Radau IIA: cut it until it converges, or fail */
} wy_motion_gauss_director;

/* ... of `bdf-alpha`, whose stages are not asked for, */
typedef struct wy_motion_bdf_alpha {
    wy_motion_gauss_director gauss;
    double alpha; /* 0: BDF2, the most damping; towards -1/2, the trapezoidal rule: none */
} wy_motion_bdf_alpha;

/* ... of `multi-symplectic-box`, */
typedef struct wy_motion_multi_symplectic_box {
    wy_motion_newton newton;
    double alpha; /* stiffness and inertia of the length of the quaternions, relative to those of the section */
} wy_motion_multi_symplectic_box;

/* ... and of the literal schemes `midpoint-shooting` and `bdf-alpha-shooting`. */
typedef struct wy_motion_midpoint_shooting {
    wy_motion_newton newton;
    bool literal_sign;    /* loads enter with the sign that the source prints */
    bool literal_viscous; /* viscosity enters as a load, with the sign that the source prints */
} wy_motion_midpoint_shooting;
typedef struct wy_motion_bdf_alpha_shooting {
    wy_motion_newton newton;
    double alpha;
} wy_motion_bdf_alpha_shooting;

/* A rod, how it is set in motion, and how it is moved. What it points to is copied when a model is made. */
typedef struct wy_motion_definition {
    wy_rod_definition rod;
    wy_rod_start start;
    wy_choice method; /* from wy_motion_methods; none: gauss-director */
} wy_motion_definition;

/* Fills in what may be left out: wy_rod_definition_init for the rod, which starts from its reference at rest. */
WY_API void wy_motion_definition_init(wy_motion_definition *definition);

typedef struct wy_motion wy_motion;
typedef struct wy_motion_state wy_motion_state;
typedef struct wy_motion_work wy_motion_work;

/* Says what is wrong with a definition of a moving rod, its start and its method included, without making a model. */
WY_API wy_status wy_motion_check(const wy_motion_definition *definition, const char **part, wy_error *err);

/* Makes a model, or says what is wrong with the definition. Free with wy_motion_free (NULL is allowed). */
WY_API wy_status wy_motion_create(wy_motion **rod, const wy_motion_definition *definition, wy_error *err);
WY_API void wy_motion_free(wy_motion *rod);

/* What was chosen for an accuracy. */
typedef struct wy_motion_accuracy {
    int64_t elements, degree, order; /* of `gauss-director`: order in time */
    double step;                     /* s */
    double tolerance;                /* of a step's own estimate, mean: what a plan's steps may be made to keep */
    double
        estimate; /* of the error: of ends, middle and quarters the worst, root of the mean square over time, relative to the length */
    int64_t trials; /* runs that it took to find them */
} wy_motion_accuracy;

/* Chooses elements, mesh, method and step so that the rod moves right to `accuracy` (of its ends, its middle and its quarters the worst,
 * root of the mean square over `duration`, relative to the length), and puts elements, mesh and method into the definition; the
 * mesh and the method's settings live in the arena. Any rod, ends and loads. Runs the rod over the duration with coarse runs beside it,
 * and with more elements or shorter steps until the error that they show is small enough. Fails where that is out of reach, and says
 * what can be reached. `sink` (may be NULL) is asked for its progress and may stop it. */
WY_API wy_status wy_motion_for_accuracy(wy_motion_accuracy *chosen, wy_motion_definition *definition, double accuracy,
                                        double duration, wy_arena *arena, const struct wy_sink *sink, wy_error *err);

/* Number of nodes: elements + 1. */
WY_API size_t wy_motion_nodes(const wy_motion *rod);

/* Arc length of node j, m. */
WY_API double wy_motion_arc_length(const wy_motion *rod, size_t j);

/* A state is plain data: wy_motion_state_copy makes a checkpoint, and wy_motion_state_numbers shows all of it as one run of
 * doubles of wy_motion_state_size, to be stored and put back. A state of another size is refused. */
WY_API wy_status wy_motion_state_create(wy_motion_state **state, const wy_motion *rod, wy_error *err);
WY_API void wy_motion_state_free(wy_motion_state *state);
WY_API wy_status wy_motion_state_copy(wy_motion_state *to, const wy_motion_state *from, wy_error *err);
WY_API size_t wy_motion_state_size(const wy_motion_state *state);
WY_API double *wy_motion_state_numbers(wy_motion_state *state);

/* Scratch memory; what is in it between two calls does not matter. */
WY_API wy_status wy_motion_work_create(wy_motion_work **work, const wy_motion *rod, wy_error *err);
WY_API void wy_motion_work_free(wy_motion_work *work);
WY_API size_t wy_motion_work_size(const wy_motion_work *work); /* in doubles */
WY_API double *wy_motion_work_numbers(wy_motion_work *work);

/* Sets the state to the definition's start at t = 0. */
WY_API wy_status wy_motion_start(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, wy_error *err);

/* Advances the state by dt > 0. Allocates nothing. On failure the state is as it was, and the sentence says at which
 * time, step and node the iteration gave up. */
WY_API wy_status wy_motion_step(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, double dt,
                                wy_error *err);

/* Holds a force and a moment (space components) on an end from now on, besides what the definition says: for control
 * loops. `end` is 0 or 1. */
WY_API wy_status wy_motion_push(const wy_motion *rod, wy_motion_state *state, int end, const double force[3],
                                const double moment[3], wy_error *err);

/* Carries a `driven` end to a pose (a unit quaternion, body to space) within the next dt: call it before the step, or the
 * steps, that last so long. Where the end is belongs to the rod, which then is this state's alone. */
WY_API wy_status wy_motion_carry(wy_motion *rod, const wy_motion_state *state, int end, const double position[3],
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
    double largest;    /* largest of kinetic and strain so far: what a drift of the balance is measured by */
    double numerical;  /* lost by the method itself since the start; negative: it made energy */
} wy_motion_energy;

WY_API void wy_motion_energies(wy_motion_energy *energy, const wy_motion *rod, const wy_motion_state *state);

/* How far a rod is from rest. */
typedef struct wy_motion_residual_norms {
    double scale; /* largest force inside the rod (or moment over its length), N; at least 1e-3 EI/L^2 */
    double
        imbalance; /* forces (and moments over the length) that hold no node in its place, added up, over the scale */
    double motion; /* sqrt(kinetic energy / (scale L)), of the mean velocity over the last step */
} wy_motion_residual_norms;

/* Both numbers are zero for a rod at rest in equilibrium. For the method gauss-director. */
WY_API wy_status wy_motion_distance_from_rest(wy_motion_residual_norms *residual_norms, const wy_motion *rod,
                                              const wy_motion_state *state, wy_motion_work *work, wy_error *err);

/* Linear momentum, and angular momentum about the origin of space; space components. */
WY_API void wy_motion_momenta(double linear[3], double angular[3], const wy_motion *rod, const wy_motion_state *state);

/* How long a rod is moved, and in which steps. */
typedef struct wy_motion_plan {
    double duration, step; /* s; the step is made a little smaller where the duration is not a multiple of it */
    int64_t every;         /* record every so many steps ... */
    double output_step;    /* ... or, where this is positive, at its multiples, s, and at the end */
    double rest_below; /* stop when both numbers of a wy_motion_residual_norms are below this; 0: go on to the end */
    double rest_after; /* ... but not before this time, s */
    double tolerance; /* of the estimate that the method has of its own steps: where it is positive, `step` is the mean,
                              and steps are up to 16 times shorter or twice as long as that; 0: steps of one length */
    bool estimate;    /* coarser runs go beside this one and tell its errors: at most half as much work again */
} wy_motion_plan;

/* What the steps have cost since the start. */
typedef struct wy_motion_stats {
    int64_t steps;          /* asked for */
    int64_t iterations;     /* of Newton, in all attempts */
    int64_t retries;        /* attempts that failed and were made again from another guess or through a smaller step */
    int64_t halvings;       /* times that a step was cut in two */
    int64_t fallback_steps; /* steps that the exact stages did not manage, taken with dissipative ones */
} wy_motion_stats;
WY_API void wy_motion_statistics(wy_motion_stats *stats, const wy_motion_state *state);

/* Reads the state into arrays of the caller; any may be NULL. Nodes come first along the rod. */
typedef struct wy_motion_view {
    double *position;    /* nodes x 3, space, m */
    double *orientation; /* nodes x 4, quaternions, body to space, sign continuous along the rod */
    double *velocity;    /* nodes x 6, [omega; v] in the body frame */
    double *strain;      /* elements x 6, [kappa; nu] in the body frame, constant over each element: integrated with the
                            exact exponential from the first pose it gives the other poses */
    double *wrench;      /* elements x 6, [moment; force] inside the rod at the middle of each element, body frame */
} wy_motion_view;

WY_API void wy_motion_read(const wy_motion *rod, const wy_motion_state *state, const wy_motion_view *view);

/* Largest distance between the node positions and the integral of the strains from the first pose, m. */
WY_API double wy_motion_kinematic_residual(const wy_motion *rod, const wy_motion_state *state);

/* Force and moment (space components) that an end must apply to hold the rod in its present shape, inertia left out: at
 * rest, the reaction. For the method gauss-director. */
WY_API wy_status wy_motion_reaction(double force[3], double moment[3], const wy_motion *rod,
                                    const wy_motion_state *state, wy_motion_work *work, int end, wy_error *err);

/* The rod inside a live simulation (<withy/live.h>), with its state and its scratch (either may be NULL), to be pushed or stepped directly; NULL if the
 * thing is no moving rod. Steps taken directly do not count as steps of the live simulation. */
WY_API const wy_motion *wy_live_motion(wy_live *live, wy_motion_state **state, wy_motion_work **work);

#ifdef __cplusplus
}
#endif

#endif
