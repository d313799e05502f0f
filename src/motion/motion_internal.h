/* What the files of the moving rod share: the grid, the state's layout, and the method's callbacks. */
#ifndef WY_MOTION_INTERNAL_H
#define WY_MOTION_INTERNAL_H

#include <stddef.h>

#include <withy/motion.h>
#include <withy/rod.h>

#include "base/lab_api.h"
#include "base/signal_uses.h"
#include "rod/rod_definition.h"

/* States of a rod at rest, WY_STATIC_DIM numbers each, and where they are, m: one run of memory, which begins at s. */
typedef struct wy_motion_statics {
    size_t count;
    double *s, *y;
    char unstable[400]; /* what is said of an equilibrium that the rod would leave; empty: nothing */
} wy_motion_statics;

/* Mean velocities of a few steps of a run, one after the other, by which a coarse run (the same rod in other
 * elements, by the same method) guesses those of its own steps within that time. */
enum { WY_PREDICTOR_STEPS = 4 };
typedef struct wy_motion_predictor {
    const wy_motion *run;
    int steps;
    const double *times;           /* steps + 1: where they begin and end, s */
    const double *mean_velocities; /* steps x mean_velocity_size of the method */
} wy_motion_predictor;

/* The immutable model. */
struct wy_motion {
    wy_rod_definition def; /* what it is, how it starts, and the method with its settings: copies */
    wy_rod_start start;
    wy_choice chosen;
    size_t nodes, elements;
    double h;                 /* of an element, mean */
    double *element_boundary; /* nodes: where elements meet, m */
    bool graded;              /* they are not of one length */
    /* the pieces between the places where something jumps: where they meet (pieces + 1), m, and the elements of each */
    size_t pieces;
    double *breaks;
    size_t *count;
    wy_rod_breaks unresolved_breaks; /* what lies between places that are too near to each other (`at` is not used) */
    double jump_inside_element;      /* where something jumps inside an element, m; < 0: nowhere */
    const wy_motion_method *method;
    const wy_joint *ends[2];
    wy_constraint_mask constraint[2]; /* which of their components are held ... */
    unsigned constrains[2];           /* ... and which halves as a whole */
    wy_pose_target
        last_end_target;      /* where the last end is held, as far as it says so (NaN: where the start puts it) ... */
    bool has_last_end_target; /* ... and whether it does */
    /* for each node: arc length, length that belongs to it (Gregory's weights), and inertia per length */
    double *tributary_length;
    double *inertia; /* nodes x 6: rho diag(I1, I2, J, A, A, A) at the node */
    /* for each element */
    double *stiffness, *viscosity; /* elements x 6: K and V at the middle */
    double *xi_ref;                /* elements x 6: constant strain between the reference poses of its nodes */
    /* poses: of the reference shape and of the start */
    double *start_p, *start_D;   /* nodes x 3, nodes x 9 */
    double *start_v, *start_w;   /* nodes x 3: velocity and angular velocity in space */
    wy_section *section;         /* nodes: the section there, for loads that ask */
    double gravity[3];           /* sum of the loads that are a uniform acceleration */
    bool has_gravity, has_loads; /* has_loads: any load but those */
    wy_signal_use *signals;      /* what of ends, loads and actuation varies in time by a signal */
    size_t signal_count;
    void *memory;
    wy_arena *arena;   /* of what the definition points to */
    void *method_data; /* what the method made for itself */
    /* what statics found for the start, and whether it is another rod's; count 0: it was not asked */
    wy_motion_statics statics;
    bool statics_borrowed;
};

/* Options of one step; zeros: as the method's settings say. The coarse runs of the error estimate spend less. */
typedef struct wy_motion_step_options {
    bool bisect_only; /* a step on which Newton fails is cut at once: nothing dear is tried */
    double max_work;  /* iterations (and what costs as much) after which a step tries nothing else; 0: no limit */
    double newton_tol_floor;       /* Newton stops here at the latest, relative to the largest energy norm so far */
    wy_motion_predictor predictor; /* source of the first guess; no steps: the steps before */
    size_t factors_slot;           /* of the scratch, for the factors of this state: set by wy_motion_step_with */
} wy_motion_step_options;

/* The head of every state; the method's own numbers follow. Everything is a double, so that a state is one array. */
enum {
    WY_STATE_TIME,
    WY_STATE_STEPS,
    WY_STATE_ITERATIONS,
    WY_STATE_RETRIES,
    WY_STATE_HALVINGS,
    WY_STATE_WORK, /* and its compensation */
    WY_STATE_WORK_LOW,
    WY_STATE_DISSIPATED,
    WY_STATE_DISSIPATED_LOW,
    WY_STATE_NUMERICAL, /* what the method itself lost, not the rod: and its compensation */
    WY_STATE_NUMERICAL_LOW,
    WY_STATE_LARGEST,
    /* steps taken with dissipative stages for want of a better way, and the energy those took */
    WY_STATE_FALLBACK_STEPS,
    WY_STATE_FALLBACK_ENERGY,
    WY_STATE_BISECTED, /* the part last taken of a step that had to be cut; 0: it was not; < 0: a recent fallback */
    WY_STATE_PUSH,     /* 12: force and moment on each end */
    WY_STATE_PATH = WY_STATE_PUSH + 12, /* for each end that can be carried: its configuration, the path of its pose */
    WY_PATH_NUMBERS = sizeof(wy_end_driven) / sizeof(double),
    WY_STATE_HEAD = WY_STATE_PATH + 2 * WY_PATH_NUMBERS
};

struct wy_motion_state {
    size_t size;
    double *x;
};

struct wy_motion_work {
    size_t size;
    double *x;
    double *before; /* the state before a step that is cut at breaks; NULL: the method keeps it, or there are none */
    /* whose factors the scratch has, slot by slot, and the slot of the last step: a hint, the method itself knows which
     * configuration its factors are of */
    size_t slots, last_slot;
    const wy_motion_state **owner;
};

/* Length and middle of an element, m. */
static inline double wy_motion_element(const wy_motion *rod, size_t e) {
    return rod->graded ? rod->element_boundary[e + 1] - rod->element_boundary[e] : rod->h;
}
static inline double wy_motion_middle(const wy_motion *rod, size_t e) {
    return rod->graded ? 0.5 * (rod->element_boundary[e] + rod->element_boundary[e + 1]) : ((double)e + 0.5) * rod->h;
}

/* The first time after t at which something that acts on the rod jumps or has a kink, s; INFINITY: never. */
double wy_motion_next_break(const wy_motion *rod, double t);
/* Whether there is one at t, to a sliver of a step dt. */
bool wy_motion_breaks_at(const wy_motion *rod, double t, double dt);
/* With which order the forces that hold its ends can converge at most: 2; 1.5 where the acceleration of a moved end
 * jumps, 1 where its velocity does, from where a front runs. */
double wy_motion_force_order(const wy_motion *rod);
/* The signals of a rod whose definition is complete. */
wy_status wy_motion_find_signals(wy_motion *rod, wy_error *err);

/* Sums with a second word for what rounding loses: a million small entries into a book. */
static inline void wy_energy_balance_add(double *x, int entry, double amount) {
    double y = amount + x[entry + 1];
    const double sum = x[entry] + y;
    x[entry + 1] = y - (sum - x[entry]);
    x[entry] = sum;
}

/* Optional abilities of a method: callers ask for the ability, not for a name. */
enum {
    WY_TAKES_STATIONS = 1,
    WY_TAKES_POSES = 2,
    WY_TAKES_PLACED_ENDS = 4, /* an equilibrium at the start that brings the last end to where it is held */
    WY_KNOWS_RESIDUALS = 8,   /* reactions and the distance from rest */
    WY_TAKES_ACTUATION = 16,
    WY_TAKES_BODIES = 32,
    WY_TAKES_PARTIAL_ENDS = 64,  /* ends that say themselves which of their components they hold */
    WY_TAKES_ACCELERATION = 128, /* loads that answer to acceleration */
    WY_TAKES_MESH = 256          /* elements of several lengths */
};

/* A step's own measure of itself: a length relative to the rod's, root mean square along it. It is not the error of
 * the step, which falls like dt^(order + 1), but follows it: two runs whose steps differ by a factor have estimates
 * that differ by that factor to the `power`. Single steps scatter: control with a running mean. */
typedef struct wy_motion_estimate {
    double size; /* of the last step; of its largest part where it was cut; 0 before the first */
    int power;   /* size falls like dt^power */
    int order;   /* of the method in time */
} wy_motion_estimate;
/* What the last step shows of how well it resolved the motion. */
typedef struct wy_motion_resolution {
    double missed_kinetic; /* kinetic energy of the velocities at its start that its stages know nothing of, J ... */
    double factor,
        power;    /* ... which is the square of factor (omega dt)^power times all of it, for a motion exp(i omega t) */
    double local; /* error of the step as its stages show it, relative to the length */
    double stabilisation,
        stabilisation_at; /* largest share so far of the energy in stabilising strains, and where most of it is, m */
    double
        work_units; /* what the steps so far took beside their iterations, by the labour of one: factors and the like */
} wy_motion_resolution;

/* How the path of a driven end changes: where it begins, how far it goes, the turn of its first frame (space), and
 * of its rotation vector. */
typedef struct wy_motion_path_change {
    double from[3], displacement[3], start[3], turn[3];
} wy_motion_path_change;

/* Changes of a state in several directions at once, carried along through steps. */
typedef struct wy_motion_tangent {
    size_t count, size; /* directions; numbers of each */
    double *x;          /* count x size: of the state, as the method keeps them */
    double *scratch;
    double (*push)[12];           /* what changes during the next step: the pushes ... */
    const wy_end_driven *path[2]; /* ... and the paths of driven ends; NULL: not driven */
    wy_motion_path_change (*path_change)[2];
    double (*reaction)[12]; /* of the last step: force and moment of what holds each end, mean over it */
} wy_motion_tangent;

struct wy_motion_assembly;

enum { WY_START_WARNINGS = 5 };

struct wy_motion_method {
    wy_entry entry;
    unsigned takes;
    bool splits_at_breaks;  /* `step` itself ends its parts on breaks in time; else wy_motion_step cuts it there */
    bool finds_equilibrium; /* seeks the static start itself, in `make` */
    wy_status (*check)(const wy_motion *rod, wy_error *err);
    /* Settings that fit an accuracy (error relative to the length), from the arena: a configuration, the degree of its
     * elements and its order in time. NULL: no accuracy chooses this method. */
    wy_status (*choose_settings)(const void **config, int64_t *degree, int64_t *order, double accuracy, wy_arena *arena,
                                 wy_error *err);
    /* Makes rod->method_data once the rest of the model is there, and frees it; both may be NULL. */
    wy_status (*make)(wy_motion *rod, wy_error *err);
    void (*drop)(wy_motion *rod);
    size_t (*state_size)(const wy_motion *rod); /* doubles after the head */
    size_t (*work_size)(const wy_motion *rod);
    /* Of the scratch, at its end: what belongs to one state and is worth keeping until its next step. May be NULL. */
    size_t (*factors_size)(const wy_motion *rod);
    wy_status (*start)(const wy_motion *rod, double *x, double *work, wy_error *err);
    wy_status (*step)(const wy_motion *rod, double *x, double *work, double dt, const wy_motion_step_options *options,
                      wy_error *err);
    void (*energies)(wy_motion_energy *energy, const wy_motion *rod, const double *x); /* kinetic, strain, gravity */
    void (*momenta)(double linear[3], double angular[3], const wy_motion *rod, const double *x);
    void (*read)(const wy_motion *rod, const double *x, const wy_motion_view *view);
    double (*kinematic_residual)(const wy_motion *rod, const double *x);
    /* A sentence about what the run so far did not resolve, or false. May be NULL. */
    bool (*resolution_warning)(char *text, size_t size, const wy_motion *rod, const double *x);
    /* A warning about an impulsive start of a run in steps of dt, if *said is set; `which` < WY_START_WARNINGS. May
     * be NULL. */
    wy_status (*start_warning)(bool *said, char *text, size_t size, const wy_motion *rod, double dt, int which,
                               wy_error *err);
    /* Force and moment of what holds an end, mean over the last step. May be NULL. */
    void (*reaction)(double force[3], double moment[3], const wy_motion *rod, const double *x, int end);
    /* Force, and moment about a point (space), of all that acts on the rod but what holds its ends, summed along it
     * by a rule of its own that is finer than that of the steps; false: not known for this rod. May be NULL. */
    bool (*acting)(double force[3], double moment[3], const wy_motion *rod, const double *x, const double about[3]);
    /* How far from rest the rod is. May be NULL. */
    void (*residual_norms)(wy_motion_residual_norms *residual_norms, const wy_motion *rod, const double *x,
                           double *work);
    /* How long the last step was for what happened in it. May be NULL: the method has no estimate. */
    void (*estimate)(wy_motion_estimate *estimate, const wy_motion *rod, const double *x);
    /* Dense output: y, a state of the same rod, becomes what lies `theta` (0 to 1) of the way between the states
     * before and after a step, to be read but not to be stepped from. Positions, directors and velocities by
     * Hermite's cubics (order 4: theta = 0 and 1 are the two states to round-off, neighbouring steps join smoothly);
     * strains and their energy from the stages; wrenches and reactions are the means over the step; work and
     * dissipation grow linearly. `before` and `after` are whole states, neither may be y. May be NULL. */
    void (*dense_output)(const wy_motion *rod, double *y, const double *before, const double *after, double theta);
    /* For the certificate (src/motion/estimate); each may be NULL. Orders on smooth motion; where the place s is;
     * what the last step resolved. */
    void (*order)(int *space, int *time, const wy_motion *rod);
    void (*position_at)(double p[3], const wy_motion *rod, const double *x, double s);
    void (*resolution)(wy_motion_resolution *resolution, const wy_motion *rod, const double *x);
    /* Mean velocities over the last step, for a wy_motion_predictor, and how many numbers those are. */
    size_t (*mean_velocity_size)(const wy_motion *rod);
    void (*mean_velocity)(double *mean, const wy_motion *rod, const double *x);
    /* The derivative of a step, exact; all may be NULL. Numbers of a direction (0: not for this rod) and of the
     * scratch; a step that changes the directions as it goes; what an end shows of one: its place, turn, velocity,
     * angular velocity (space). */
    size_t (*tangent_size)(const wy_motion *rod);
    size_t (*tangent_scratch)(const wy_motion *rod);
    wy_status (*tangent)(const wy_motion *rod, double *x, double *work, double dt, wy_motion_tangent *tangent,
                         wy_error *err);
    void (*tangent_end)(double out[12], const wy_motion *rod, const double *x, const double *change, int end);
    /* Rods that share nodes (motion_assembly.h); all may be NULL. Position, directors, velocity and angular velocity
     * (space) of an end at the start; what a step of all of them needs, and a step. */
    void (*start_of_end)(double start[18], const wy_motion *rod, int end);
    /* Takes mass and inertia (along its directors) of an end away from the rod; makes a body out of a rod: this mass
     * and these moments of inertia along the directors D, starting at `start` (as above). */
    void (*take_inertia)(double *mass, double inertia[3], wy_motion *rod, int end);
    wy_status (*make_body)(wy_motion *rod, double mass, const double inertia[3], const double start[18], wy_error *err);
    wy_status (*join)(void **network, const struct wy_motion_assembly *assembly, wy_error *err);
    void (*part)(void *network);
    wy_status (*step_joined)(void *network, double *const *x, double *const *work, double dt, wy_error *err);
};

/* Rows of the parameter table of a wy_motion_newton, which stands first in a method's configuration. */
#define WY_MOTION_NEWTON_ROWS                                                                                          \
    {.key = "tolerance",                                                                                               \
     .doc = "Newton stops when the error left, relative to the rod's length or 1 rad, is below this.",                 \
     .unit = "1",                                                                                                      \
     .type = WY_TYPE_REAL,                                                                                             \
     .rule = WY_RULE_BETWEEN,                                                                                          \
     .low = 1e-15,                                                                                                     \
     .high = 1e-2,                                                                                                     \
     .default_text = "1e-12",                                                                                          \
     .offset = offsetof(wy_motion_newton, tolerance),                                                                  \
     .tunable = true},                                                                                                 \
        {.key = "max_iterations",                                                                                      \
         .doc = "Newton iterations in one attempt.",                                                                   \
         .unit = "1",                                                                                                  \
         .type = WY_TYPE_INTEGER,                                                                                      \
         .rule = WY_RULE_BETWEEN,                                                                                      \
         .low = 2,                                                                                                     \
         .high = 1000,                                                                                                 \
         .default_text = "30",                                                                                         \
         .offset = offsetof(wy_motion_newton, max_iterations),                                                         \
         .tunable = true},                                                                                             \
    {                                                                                                                  \
        .key = "halvings", .doc = "A step that Newton cannot take is cut in two, at most so many times.", .unit = "1", \
        .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 0, .high = 40, .default_text = "12",                  \
        .offset = offsetof(wy_motion_newton, halvings), .tunable = true                                                \
    }

/* The method's configuration, which begins with a wy_motion_newton in every method. */
WY_LAB_API const wy_motion_newton *wy_motion_newton_of(const wy_motion *rod);

/* The constant strain xi with g_b = g_a exp(h xi). */
WY_LAB_API void wy_pose_log(double xi[6], const double pa[3], const double Da[9], const double pb[3],
                            const double Db[9], double h);

/* omega of the rotation vector a(t) with the rate a., and back; space components. */
void wy_motion_spin_of(double omega[3], const double a[3], const double rate[3]);
void wy_motion_rate_of(double rate[3], const double a[3], const double omega[3]);

/* Directors from a quaternion, and back. */
WY_LAB_API void wy_directors_from_quat(double D[9], const double q[4]);
WY_LAB_API void wy_quat_from_directors(double q[4], const double D[9]);

/* The equilibrium of the start as the solver of rods at rest has it, for a start without a shape of its own: asked
 * for once, it is kept in the rod; and its pose and wrench (moment, force in the section's frame) at s. */
bool wy_motion_needs_statics(const wy_motion *rod);
wy_status wy_motion_solve_statics(wy_motion *rod, wy_error *err);
/* motion_instability.c: that the rod starts at, or is pressed to, an equilibrium that it would leave; and the
 * sentence on one that was found. */
bool wy_motion_starts_unstable(char *text, size_t size, const wy_motion *rod, const wy_motion_state *state);
/* The rod as statics take it: the force that is let go at the start takes part. */
wy_status wy_motion_static_rod(wy_rod_definition *d, const wy_motion *rod, wy_arena *arena, wy_error *err);
struct wy_equilibrium;
bool wy_motion_describe_instability(char *text, size_t size, const struct wy_equilibrium *found);
void wy_motion_statics_at(double p[3], double q[4], double wrench[6], const wy_motion *rod, double s);

/* wy_motion_create for the same rod in other elements, `count` of them in each of its pieces: what statics found for
 * `other` is not computed again. */
wy_status wy_motion_create_on_mesh(wy_motion **rod, const wy_motion_definition *definition, const wy_motion *other,
                                   const size_t *count, wy_error *err);

/* The static start of a method that has no statics of its own: that of the director elements, at the nodes. */
wy_status wy_motion_seek_equilibrium(wy_motion *rod, wy_error *err);

/* Refuses a definition that says two things of the start; `at`: where the ends are held. */
wy_status wy_motion_start_fits(const wy_motion *rod, const wy_pose_target at[2], const char **part, wy_error *err);

/* Velocity and angular velocity (space) at the start of the section at s, `arm` from that at s = 0. */
void wy_motion_start_rates(double v[3], double omega[3], const wy_motion *rod, double s, const double arm[3]);

/* Pose of the last end `fraction` of the way (0 to 1) from where the start puts it to where it is held. */
void wy_motion_blend_last_end(double p[3], double D[9], const wy_motion *rod, const double p0[3], const double D0[9],
                              double fraction);

/* Configuration of an end at the state x; NULL: at the start. */
static inline const void *wy_motion_end_config(const wy_motion *rod, const double *x, int end) {
    return x && rod->ends[end]->carry ? x + WY_STATE_PATH + WY_PATH_NUMBERS * end : rod->def.ends[end].config;
}

/* Pose of a constrained end at time t, on the path of the state x. */
WY_LAB_API void wy_motion_end_pose(double p[3], double D[9], const wy_motion *rod, const double *x, int end, double t);

/* Whether state and scratch are of this rod, and the numbers of the state are finite. */
wy_status wy_motion_check_state(const wy_motion *rod, const wy_motion_state *state, const wy_motion_work *work,
                                wy_error *err);

/* wy_motion_step with options. */
wy_status wy_motion_step_with(const wy_motion *rod, wy_motion_state *state, wy_motion_work *work, double dt,
                              const wy_motion_step_options *options, wy_error *err);

/* What the methods that work node by node ask of loads and ends. Space components. The configuration is that in the
 * middle of a step (the mean of old and new directors: not quite orthonormal, which the energy balance needs). */
typedef struct wy_node_load {
    double t;                   /* time in the middle of the step, s */
    double inverse_dt;          /* 1/step, 1/s; 0 in statics, where nothing moves */
    double half;                /* share of the new configuration in this one: 1/2, or 1 in statics */
    const double *p, *D;        /* position (3) and directors (9: d1, d2, d3) in the middle of the step */
    const double *D1;           /* directors at its end */
    const double *u, *theta;    /* displacement, and turn D1 = cay(theta) D0, over the step */
    double force[3], moment[3]; /* added to */
    double *
        /* 36, row major, or NULL: minus the derivative of (force, moment) by (change of p, turn) at the end is added */
        K;
} wy_node_load;

/* K, of a node, less factor times the derivative `from` of a law: rows and columns are linear first in a node, angular
 * first in the law's own matrices. */
void wy_motion_subtract_tangent(double K[36], const double from[36], double factor);

/* Adds what load `i` does to node j: its density times the node's share of the rod, or of the part on which it acts. */
WY_LAB_API void wy_node_add_load(wy_node_load *node, const wy_motion *rod, size_t i, size_t j);

/* Adds what end `e` (0 or 1) does. */
void wy_node_add_end(wy_node_load *node, const wy_motion *rod, const double *x, int e);

/* Adds the loads, the loaded end and the pushes (of the state x, may be NULL) at node j. Uniform accelerations,
 * which the methods treat themselves, are left out. */
WY_LAB_API void wy_motion_load_node(const wy_motion *rod, const double *x, size_t j, wy_node_load *node);

#endif
