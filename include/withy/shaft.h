/* The lumped torsional rod: N rigid elements on one axis, N-1 elastic joints, torques and drivers at its two ends,
 * integrated by SPOOK. Stable at any stiffness, rigid joints included. docs/math/shaft.md has the equations.
 *
 * A shaft (wy_shaft) is the immutable model. A state is plain data, doubles only: a copy of it is a checkpoint. A
 * solver (wy_shaft_solver) holds scratch memory and the factorisation for the last step length; both are functions of
 * the model and the step alone, so any solver of a model steps any of its states with the same bits. */
#ifndef WITHY_SHAFT_H
#define WITHY_SHAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <withy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an end is coupled to its partner. */
typedef enum wy_shaft_drive {
    WY_DRIVE_SPRING,     /* a spring and a damper to a target (2), (3); with both 0 only torques act on the end */
    WY_DRIVE_HARD_SPEED, /* the end rotates at the target speed; the torque follows: matrix (7) of `003` */
    WY_DRIVE_HARD_ANGLE  /* the end is at the target angle at the end of each step */
} wy_shaft_drive;

/* One end: 0 at the first element, 1 at the last one. */
typedef struct wy_shaft_end {
    int drive;        /* wy_shaft_drive */
    double stiffness; /* of the driver spring, N m/rad, >= 0 */
    double damping;   /* of the driver damper, N m s/rad, >= 0 */
    /* the spring acts on the integrated difference of the speeds (3), not on that of the angles (2) */
    bool integrate;
    double sign; /* +1 or -1, the polarity of the partner's axis: multiplies torque, targets and reaction */
} wy_shaft_end;

/* The linear system that a step solves. */
typedef enum wy_shaft_form {
    WY_SHAFT_MULTIPLIER, /* (9): torques of the joints as unknowns; any compliance, 0 included */
    WY_SHAFT_ELIMINATED  /* (11): speeds only; the compliance must not be 0 */
} wy_shaft_form;

typedef struct wy_shaft_config {
    int64_t elements;  /* N >= 1 */
    double inertia;    /* J of the whole shaft, kg m^2, > 0; an element has J/N */
    double compliance; /* C, rad/(N m), >= 0; a joint has C/N, 0 = rigid */
    double damping;    /* D = rho/h, a pure number, or gamma = rho K in N m s/rad, as `viscous` says; >= 0 */
    bool viscous;      /* damping is gamma of (1), and D follows the step */
    wy_shaft_end end[2];
    double angle[2], speed[2]; /* at the start: rad and rad/s at the two ends, linear in between */
    bool project;              /* a start that violates a rigid joint is replaced by its mean instead of refused */
    int form;                  /* wy_shaft_form */
    bool printed_update;       /* theta += h (old speed), as `003` prints it: unstable, for comparison only */
} wy_shaft_config;

/* Inputs of an end during a step: values at its beginning and their rates of change (0 = constant). */
typedef struct wy_shaft_input {
    double torque, angle, speed;                /* N m; the driver's targets in rad and rad/s */
    double torque_rate, angle_rate, speed_rate; /* per second */
} wy_shaft_input;

/* Everything a restart needs. Written by wy_shaft_start and wy_shaft_step; the profiles may be written by the
 * caller. */
typedef struct wy_shaft_state {
    double acceleration[2]; /* (w - w^old)/h of the ends in the last step, rad/s^2; 0 before the first */
    /* between end and driver, rad: of the angles where the driver has one (hard-angle, or a spring without
     * `integrate`), else of the speeds, integrated */
    double difference[2];
    double torque[2]; /* driver reaction on the partner in the last step, N m, in the partner's sign */
    double joint[2];  /* torque in the first and the last joint in the last step, N m; 0: no joint */
    double change[4]; /* of acceleration and torque over the last step, per second: their backward difference */
    double work;      /* done on the shaft through its ends since the start, J */
    double steps;     /* since the start; a whole number */
#ifdef __cplusplus
    double profile[1]; /* as in C, but C++ has no arrays without a length: the size of a state is wy_shaft_state_size */
#else
    double profile[]; /* N angles in rad, then N speeds in rad/s */
#endif
} wy_shaft_state;

/* Energies and momentum of a state. */
typedef struct wy_shaft_energy {
    double kinetic;    /* 1/2 sum m w^2, J */
    double potential;  /* 1/2 sum (theta_i - theta_i+1)^2/c, J; 0 when rigid */
    double total;      /* kinetic + potential of the half-step angles theta - h w/2: conserved exactly if D = 0 */
    double momentum;   /* sum m w, kg m^2/s */
    double dissipated; /* work done on the shaft since the start, less the growth of `total`, J */
} wy_shaft_energy;

typedef struct wy_shaft wy_shaft;
typedef struct wy_shaft_solver wy_shaft_solver;

/* The defaults of `003`: ten elements, J = 10, C = 1e-4, D = 2, free ends, sign +1, integrated differences, at rest. */
WY_API void wy_shaft_config_init(wy_shaft_config *config);

/* Checks a configuration. On failure `key` (may be NULL) is set to the name of the member that is wrong. */
WY_API wy_status wy_shaft_check(const wy_shaft_config *config, const char **key, wy_error *err);

/* Creates a shaft; the configuration is checked and copied. On failure *shaft is NULL. */
WY_API wy_status wy_shaft_create(wy_shaft **shaft, const wy_shaft_config *config, wy_error *err);

/* NULL is allowed. */
WY_API void wy_shaft_free(wy_shaft *shaft);

/* The lowest `count` vibrations of the masses and springs in continuous time: omega^2 in 1/s^2 ascending (0 for rigid
 * rotation), damping x.C x/x.M x in 1/s (the ratio is this over 2 omega, to first order), shapes count x N, largest
 * angle 1. `step` is the step of the run; a damping given as a pure number depends on it. */
WY_API wy_status wy_shaft_modes(double *eigenvalues, double *damping, double *shapes, size_t count,
                                const wy_shaft_config *config, double step, wy_error *err);

/* The configuration of a shaft. */
WY_API const wy_shaft_config *wy_shaft_settings(const wy_shaft *shaft);

/* The size of a state in bytes, a multiple of sizeof(double). */
WY_API size_t wy_shaft_state_size(const wy_shaft *shaft);

/* Allocates a state and sets it to the start. Free it with wy_shaft_state_free. On failure *state is NULL. */
WY_API wy_status wy_shaft_state_create(wy_shaft_state **state, const wy_shaft *shaft, wy_error *err);

/* NULL is allowed. */
WY_API void wy_shaft_state_free(wy_shaft_state *state);

/* Sets a state to the start. `profile` holds N angles and N speeds, or is NULL for the linear ones of the
 * configuration. Where the compliance is 0 all angles must be equal, and all speeds; otherwise the start is refused,
 * or replaced by its mean if the configuration says `project`. (The mean keeps the angular momentum.) */
WY_API wy_status wy_shaft_start(const wy_shaft *shaft, wy_shaft_state *state, const double *profile, wy_error *err);

/* Sets the differences of angle between ends and drivers from the inputs, before the first step. (Each step sets them
 * again.) */
WY_API void wy_shaft_meet(const wy_shaft *shaft, wy_shaft_state *state, const wy_shaft_input input[2]);

/* Decimal digits that a step of length h loses to round-off in its form: log10(1 + 1/(Sigma m)) in the eliminated
 * form, where 1/Sigma is added to the inertias m; none in the multiplier form. */
WY_API double wy_shaft_digits_lost(const wy_shaft *shaft, double h);

/* Creates a solver for a shaft, which must outlive it. On failure *solver is NULL. */
WY_API wy_status wy_shaft_solver_create(wy_shaft_solver **solver, const wy_shaft *shaft, wy_error *err);

/* NULL is allowed. */
WY_API void wy_shaft_solver_free(wy_shaft_solver *solver);

/* Takes one step of length h > 0 in seconds with the inputs of the two ends. A new length costs one factorisation.
 * The state is unchanged if the step fails on its arguments, and invalid after WY_NOT_FINITE. */
WY_API wy_status wy_shaft_step(const wy_shaft *shaft, wy_shaft_state *state, wy_shaft_solver *solver, double h,
                               const wy_shaft_input input[2], wy_error *err);

/* The derivative of the state after `count` steps of length h with respect to the inputs held (or extrapolated)
 * during them, in the direction `seed`. The step is linear, so the derivative is exact and the same for every state.
 * `response` is memory of the size of a state. */
WY_API wy_status wy_shaft_response(const wy_shaft *shaft, wy_shaft_state *response, wy_shaft_solver *solver, double h,
                                   int64_t count, const wy_shaft_input seed[2], wy_error *err);

/* Energies and momentum of a state that was reached with steps of length h. `start` is the state that the run began
 * with, for `dissipated`; it may be NULL (dissipated is then 0). */
WY_API wy_shaft_energy wy_shaft_measure(const wy_shaft *shaft, const wy_shaft_state *state, const wy_shaft_state *start,
                                        double h);

#ifdef __cplusplus
}
#endif

#endif
