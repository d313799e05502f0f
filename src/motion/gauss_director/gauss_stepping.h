/* A step of the director elements on its way: what gauss_step.c and the schemes in time beside it share. Rods that
 * share nodes (gauss_network.c) take a step together: an array of these, the first of which leads. What is named "of
 * the leader" is set there only. */
#ifndef WY_GAUSS_STEPPING_H
#define WY_GAUSS_STEPPING_H

#include "motion/gauss_director/gauss_tangent.h"

struct wy_gauss_network;

typedef struct wy_gauss_stepping {
    struct wy_gauss_stepping *leader;
    size_t count;                     /* of the leader: rods that step together */
    struct wy_gauss_network *network; /* of the leader: the nodes that they share; NULL: one rod alone */
    const wy_motion *rod;
    const wy_gauss *m;
    const wy_gauss_loops *loops;
    const wy_motion_step_options *options;
    double *x; /* whole state */
    wy_gauss_state s;
    wy_gauss_work w;
    wy_motion_tangent *tangent; /* to be carried along; NULL: none */
    bool singular;              /* it could not */
    double whole;               /* the step, s, ... */
    int parts;                  /* ... and in how many it has been taken so far */
    /* of the leader: the last failure, */
    double failed_at, failed_dt, failed_error;
    int failed_iterations;
    size_t failed_rod, failed_node;
    bool turned_too_far;
    /* how it is tried, */
    bool fallback;        /* with the dissipative stages */
    bool front_starts;    /* a front starts with this step */
    bool single_attempt;  /* one attempt, and not a dear one */
    double work_at_start; /* wy_gauss_work_units when it began */
    double failed_dt_before,
        skip_steps;                /* WY_GAUSS_FAILED_DT and WY_GAUSS_SKIP_STEPS, also where the state is put back */
    bool kept_motion, kept_frozen; /* parts of the state at the step's start that are in the backup */
} wy_gauss_stepping;

/* A loop over all rods of the step that k leads. */
#define WY_EACH_ROD(r, k) for (wy_gauss_stepping *r = (k); r < (k) + (k)->count; r++)

/* ---- gauss_newton.c ---- */

/* Newton with frozen factors for the stages whose first guess is in k->w. */
bool wy_gauss_newton(wy_gauss_stepping *k, double dt);
/* The first guess of the stages of a step: velocities of the start, `toward_mean` of the way towards the mean ones
 * of the last step. False: an end turns too far. */
bool wy_gauss_begin(wy_gauss_stepping *k, double dt, double toward_mean);
/* Iterations so far, with all that takes as long; and whether those of this step are too many to try another way. */
double wy_gauss_work_units(const wy_gauss_stepping *k);
bool wy_gauss_work_exceeded(const wy_gauss_stepping *k);
/* What Newton may leave behind, relative to the largest energy norm so far; a loose tolerance may be tightened to
 * WY_GAUSS_TIGHT_TOLERANCE. */
#define WY_GAUSS_TIGHT_TOLERANCE 1e-8
double wy_gauss_tolerance(const wy_gauss_stepping *k);
/* Factors are made anew before they are used again. */
void wy_gauss_drop_factors(wy_gauss_stepping *k);
/* Loads of the stages of one rod. */
void wy_gauss_stage_loads(wy_gauss_stepping *k, double dt);
/* Does anything act on nodes besides gravity? */
bool wy_gauss_is_loaded(const wy_gauss *m, const double *head);
/* An end of which some components are held. */
static inline bool wy_gauss_in_part(const wy_gauss *m) {
    return m->partial_constraint[0] || m->partial_constraint[1];
}

/* ---- gauss_step.c ---- */

/* Keeps the frozen configuration of the step's start before it is changed. */
void wy_gauss_keep_frozen(wy_gauss_stepping *k);

/* ---- gauss_accept.c ---- */

/* The state after a step whose stages have converged. */
void wy_gauss_accept(wy_gauss_stepping *k, double dt);
/* What acts in a step that is cut is the mean over its parts: one of them, and the whole. */
void wy_gauss_add_part(wy_gauss_stepping *rod, double dt);
void wy_gauss_report_parts(wy_gauss_stepping *k);
/* Rounding does not carry an end away from where some of its components are held. */
void wy_gauss_project_end(wy_gauss_stepping *k, int end);
/* The energy balance: energy, plus what was dissipated, minus the work. */
double wy_gauss_balance(const wy_gauss_stepping *k);
/* Kinetic and potential energy of all rods of the step. */
void wy_gauss_energies_of_step(wy_motion_energy *sum, const wy_gauss_stepping *k);
/* Kinetic energy of a node. */
double wy_gauss_node_kinetic(const wy_gauss_stepping *rod, size_t j);
/* (10.22), and the kinetic energy of the mean velocities. */
double wy_gauss_step_estimate(const wy_gauss_stepping *k, double dt);
double wy_gauss_mean_velocity_energy(const wy_gauss_stepping *k);

/* ---- gauss_globalise.c ---- */

/* Where the first attempt at a step fails, another way to its solution; `depth`: how often it was halved. */
bool wy_gauss_globalise(wy_gauss_stepping *k, double dt, int depth);

/* ---- gauss_predictor.c ---- */

/* The first guess from the run that the rod is a coarse run of, if it has one. */
void wy_gauss_predict(wy_gauss_stepping *k, double dt);

/* ---- gauss_bdf.c ---- */

/* Configuration, what the strains miss and the gradients, from velocities and strains of the one stage. */
void wy_gauss_bdf_configure(const wy_gauss_stepping *k, double dt);
/* One step of BDF-alpha; false: it failed, and the state is what it was but for counters. */
bool wy_gauss_bdf_try(wy_gauss_stepping *k, double dt);

#endif
