/* The method `gauss-director`: what its files share. docs/math/motion.md. */
#ifndef WY_GAUSS_DIRECTOR_H
#define WY_GAUSS_DIRECTOR_H

#include "motion/gauss_director/gauss_kernel.h"
#include "motion/motion_internal.h"

/* A graded mesh: the loops know elements of one length h only. An element of the length h_e = g h is one of them
 * whose strains are g times the true ones, whose stiffness for these is 1/g of the true one, and whose mass is g
 * times that of its length h: energy, power and stress times weight are the same. (10.37) */
static inline double wy_gauss_stretch(const wy_gauss *m, size_t e) {
    return m->graded ? (m->element_boundary[e + 1] - m->element_boundary[e]) / m->h : 1.0;
}
static inline double wy_gauss_length(const wy_gauss *m, size_t e) {
    return m->graded ? m->element_boundary[e + 1] - m->element_boundary[e] : m->h;
}
/* Arc length at x in [0, 1] of element e. */
static inline double wy_gauss_arc_length(const wy_gauss *m, size_t e, double x) {
    return m->graded ? m->element_boundary[e] + x * (m->element_boundary[e + 1] - m->element_boundary[e])
                     : ((double)e + x) * m->h;
}
/* Where s lies as a number of elements from the first end. */
double wy_gauss_element_coordinate(const wy_gauss *m, double s);

/* Arc length of an inner node. */
double wy_gauss_node_arc_length(const wy_gauss *m, size_t j);

/* Where strain c at point g of element e is in blocks. */
static inline size_t wy_gauss_strain_index(const wy_gauss *m, size_t e, size_t g, size_t c) {
    return e * m->block + wy_element_at((size_t)m->space.P, g, c);
}
/* Stress there, from blocks of stress times weight. */
static inline double wy_gauss_stress(const wy_gauss *m, const double *weighted, size_t e, size_t g, size_t c) {
    return weighted[wy_gauss_strain_index(m, e, g, c)] / m->space.W[g / 4][g % 4];
}

/* ---- gauss_loads.c ---- */

/* Loads of a stage: w->load[stage] from X, V, w; answers whether they depend on X, V or w. */
bool wy_gauss_loads(const wy_motion *rod, const wy_gauss *m, const double *head, wy_gauss_work *w, int stage, double t);

/* Loads of a configuration at rest, times `scale`, into 6 rows; positions in X count from `origin`. */
void wy_gauss_static_loads(double *load, const wy_motion *rod, const wy_gauss *m, const double *head, const double *X,
                           const double origin[3], double t, double scale);

/* Tangents of the loads at a configuration and (unless NULL) velocities: w->load_K, w->load_C. */
void wy_gauss_load_tangents(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, const double *X,
                            const double origin[3], const double *v, const double *omega, double t);

/* Power of the loads at a stage: all of them, and the part of those whose ledger is dissipation. */
void wy_gauss_load_power(double *all, double *dissipated, const wy_motion *rod, const wy_gauss *m, const double *head,
                         const wy_gauss_work *w, int stage, double t);

/* ---- gauss_actuation.c ---- */

/* The strains without stress at time t: `rest` and `scale` times what drives them. */
void wy_gauss_actuated_reference(double *out, const wy_motion *rod, const wy_gauss *m, const double *rest, double t,
                                 double scale);

/* Strain energy against those, without G and H. */
double wy_gauss_actuated_energy(const wy_motion *rod, const wy_gauss *m, const wy_gauss_reading *s, double t);

/* w->ref at the stages of a step from t, and w->actuated_rate. */
void wy_gauss_actuate(wy_gauss_work *w, const wy_motion *rod, const wy_gauss *m, const double *rest, double t,
                      double dt);

/* Work that the drive did in a step whose stages have converged. */
double wy_gauss_actuation_work(const wy_gauss_work *w, const wy_gauss *m, double dt);

/* ---- gauss_ends.c ---- */

/* Ends of which some components are held. Their velocities along what is held are put back to zero at every stage;
 * ... */
void wy_gauss_constrain_velocities(const wy_gauss *m, wy_gauss_work *w);
/* ... what is missing there is added to the loads of the stages, so that Newton sees no residual along it; ... */
void wy_gauss_constrain_reactions(const wy_gauss *m, wy_gauss_work *w, double dt);
/* ... and its matrix gets a stiff spring there (into w->load_K), which steers and does not enter the solution. */
void wy_gauss_constrain_tangents(const wy_gauss *m, wy_gauss_work *w, double dt);
/* a -= P a for displacements (first three) and turns (last three) of an end. */
void wy_gauss_remove_constrained(double a[6], const wy_gauss *m, int end);

/* Times of a step, in steps: its start, the stages, its end (which is the last stage of Radau IIA). How many. */
int wy_gauss_step_times(double *at, const wy_gauss *m);

/* Derivatives at x of Lagrange's polynomials through n points. */
void wy_gauss_slopes(double *out, const double *at, int n, double x);

/* Pose of a constrained end at time t, on the path of the state x (NULL: at the start). */
void wy_gauss_end_pose(double p[3], double D[9], const wy_motion *rod, const wy_gauss *m, const double *x, int end,
                       double t);

/* Velocities of held ends at the stages of a step from t; false where an end turns too far. */
bool wy_gauss_prescribe_ends(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, const double *x, double t,
                             double dt);

/* Velocity and spin of a moved end at time t + dt into v (space), omega (space). */
void wy_gauss_end_rates(double v[3], double omega[3], const wy_motion *rod, const wy_gauss *m, const double *x, int end,
                        double t, double dt);

/* Rotation vector a with D1 = exp(a) D0, in space. */
void wy_gauss_turn_between(double a[3], const double D1[9], const double D0[9]);

/* ---- gauss_bdf.c ---- */

/* Numbers of the history in a state (0: none), and of `base` in the scratch. */
size_t wy_gauss_history_size(const wy_gauss *m);
size_t wy_gauss_base_size(const wy_gauss *m);

/* The stage of a step, and that of a step without history. */
void wy_gauss_bdf_times(wy_gauss_time *step, wy_gauss_time *first, double alpha);

/* ---- gauss_coupled.c: the exact linearisation of a step ---- */

/* Numbers that it takes; 0: the rod is too long for it. */
size_t wy_gauss_coupled_size(const wy_gauss *m);

/* Derivative of the residuals of all stages (space) by (dt v, dt omega) of all stages, 6 S a node, at w->X, V, w, F,
 * eps: exact where the loads' own tangents are, and the directors of w->X those that belong to w->w.
 * `roll_stiffness` (or NULL), S x S a node: torques about d3 of a stage by dt omega about that of another, added to
 * it. Factored; false: singular. */
bool wy_gauss_coupled_factor(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, double t, double dt,
                             const double *roll_stiffness);

/* Residuals of all stages, 6 S a node; those of held freedoms are 0. */
void wy_gauss_coupled_residual(double *r, const wy_gauss *m, wy_gauss_work *w, double dt);
double *wy_gauss_coupled_rhs(const wy_gauss *m, wy_gauss_work *w);
double *wy_gauss_coupled_scratch(const wy_gauss *m, const wy_gauss_work *w); /* 9 numbers a node, free */

/* Solves for minus the right-hand side with the factors and corrects v, omega and eps; answers the square of the
 * energy norm. */
double wy_gauss_coupled_correct(const wy_gauss *m, wy_gauss_work *w, double dt);
/* The same for a solution u, `part` of it, and of what the strains miss. */
double wy_gauss_coupled_apply(const wy_gauss *m, wy_gauss_work *w, double dt, const double *u, double part);

/* ---- gauss_sweep.c: the loops of an iteration along the whole rod ---- */

/* (10.13): stage configurations from the stage velocities, `sweeps` times over the directors. */
void wy_gauss_configure_stages(const wy_gauss *m, wy_gauss_work *w, double dt, int sweeps);
/* Gradients F of the stages with the stresses of w->eps, and w->strain_residual; `sweeps`: after they were placed;
 * 0: they are. */
void wy_gauss_evaluate_stages(const wy_gauss *m, wy_gauss_work *w, double dt, int sweeps);
/* An iteration: right-hand sides, and their elimination towards the last node; where not yet `evaluated` that comes
 * first. */
void wy_gauss_sweep_out(const wy_gauss *m, wy_gauss_work *w, double dt, bool evaluated, int sweeps);
/* And back: the corrections, into the stages; answers the square of their energy norm. */
double wy_gauss_sweep_back(const wy_gauss *m, wy_gauss_work *w, double dt);

/* ---- gauss_dense_output.c ---- */

void wy_gauss_dense_output(const wy_motion *rod, double *y, const double *before, const double *after, double theta);
void wy_gauss_estimate(wy_motion_estimate *estimate, const wy_motion *rod, const double *x);
void wy_gauss_residual_norms(wy_motion_residual_norms *residual_norms, const wy_motion *rod, const double *x,
                             double *work);

/* ---- gauss_start.c ---- */

/* Refuses a start in m->start whose frames do not follow its curve or turn too far within an element; `unstressed`:
 * 12 rows. */
wy_status wy_gauss_check_start(const wy_motion *rod, const wy_gauss *m, const double *unstressed, wy_error *err);

/* A warning about an impulsive start of a run with steps of dt, if *said is set; `which` is from 0 to
 * WY_START_WARNINGS - 1. */
wy_status wy_gauss_start_warning(bool *said, char *text, size_t size, const wy_motion *rod, double dt, int which,
                                 wy_error *err);

/* For how long steps of dt do not show what an end does to the rod that starts with a velocity of its own; 0: none
 * does. */
double wy_gauss_impulsive_start_duration(const wy_motion *rod, const wy_gauss *m, double dt);

/* The same from the break at t on, where the velocity of a moved end jumps; 0: none does. */
double wy_gauss_velocity_jump_duration(const wy_motion *rod, const wy_gauss *m, double t, double dt);

/* ---- gauss_stabiliser.c ---- */

/* k_G, k_H at the start of a run; x: a state with its configuration. */
void wy_gauss_stabiliser_start(const wy_motion *rod, const wy_gauss *m, const double *head, wy_gauss_state *s,
                               wy_gauss_work *w);
/* A sentence about a mesh that does not resolve what happened, or false. */
bool wy_gauss_resolution_warning(char *text, size_t size, const wy_motion *rod, const double *x);
/* After a step: measures the force and raises k_G and k_H without adding energy; w: scratch. */
void wy_gauss_stabiliser_follow(const wy_gauss *m, double *head, wy_gauss_state *s, wy_gauss_work *w);
/* k_G and k_H of an element where the rule's force is F. (10.25) */
void wy_gauss_stabilisation_of(double k[2], const wy_gauss *m, size_t e, double F);
/* KW and VW of a step. */
void wy_gauss_stiffness(double *KW, double *VW, const wy_gauss *m, const wy_gauss_reading *s);
/* Energy stored in G and H; `where` (may be NULL): the element with the largest part of it. */
double wy_gauss_stabilisation_energy(const wy_gauss *m, const wy_gauss_reading *s, size_t *where);

/* ---- gauss_read.c: what `bdf-alpha` shares with `gauss-director` ---- */

size_t wy_gauss_state_numbers(const wy_motion *rod);
size_t wy_gauss_work_numbers(const wy_motion *rod);
wy_status wy_gauss_start(const wy_motion *rod, double *x, double *work, wy_error *err);
void wy_gauss_energies(wy_motion_energy *energy, const wy_motion *rod, const double *x);
void wy_gauss_momenta(double linear[3], double angular[3], const wy_motion *rod, const double *x);
void wy_gauss_read(const wy_motion *rod, const double *x, const wy_motion_view *view);
void wy_gauss_reaction(double force[3], double moment[3], const wy_motion *rod, const double *x, int end);
double wy_gauss_kinematic_residual(const wy_motion *rod, const double *x);

/* ---- gauss_model.c, gauss_step.c, gauss_statics.c ---- */

wy_status wy_gauss_check(const wy_motion *rod, wy_error *err);
wy_status wy_gauss_make(wy_motion *rod, wy_error *err);
/* An empty model with the nodes and elements of the rod. */
wy_status wy_gauss_allocate(wy_gauss **out, const wy_motion *rod, wy_error *err);
void wy_gauss_drop(wy_motion *rod);
const wy_gauss_config *wy_gauss_config_of(const wy_motion *rod);

wy_status wy_gauss_step(const wy_motion *rod, double *x, double *work, double dt, const wy_motion_step_options *options,
                        wy_error *err);

/* The state's configuration with positions from the first node, 12 rows; and where that is. */
void wy_gauss_configuration(double *X, const wy_gauss *m, const wy_gauss_reading *s);
void wy_gauss_origin(double origin[3], const wy_gauss *m, const wy_gauss_reading *s);

/* Moves m->start to the equilibrium under the loads at t = 0. Allocates. */
wy_status wy_gauss_equilibrium(wy_motion *rod, wy_gauss *m, wy_error *err);

/* ---- gauss_resolution.c: for the certificate ---- */

void wy_gauss_order(int *space, int *time, const wy_motion *rod);
void wy_gauss_position_at(double p[3], const wy_motion *rod, const double *x, double s);
void wy_gauss_resolution(wy_motion_resolution *resolution, const wy_motion *rod, const double *x);

/* ---- gauss_balance.c: for the certificate ---- */

bool wy_gauss_acting(double force[3], double moment[3], const wy_motion *rod, const double *x, const double about[3]);

/* ---- gauss_predictor.c: for its coarse runs ---- */

size_t wy_gauss_mean_velocity_size(const wy_motion *rod);
void wy_gauss_mean_velocity(double *mean, const wy_motion *rod, const double *x);

/* Exact rotation of three directors by the vector a. */
void wy_gauss_turn(double D[9], const double a[3]);

/* Row access: components c .. of node j. */
static inline void wy_gauss_get(double *out, const double *rows, const wy_gauss *m, int components, size_t j) {
    for (int c = 0; c < components; c++)
        out[c] = rows[(size_t)c * m->row + j];
}
static inline void wy_gauss_put(double *rows, const double *in, const wy_gauss *m, int components, size_t j) {
    for (int c = 0; c < components; c++)
        rows[(size_t)c * m->row + j] = in[c];
}

/* ---- rows of the parameter tables and of the descriptors of both methods ---- */

/* Newton and the elements; `gauss` is the wy_gauss_config of a configuration. */
#define WY_GAUSS_NEWTON_ROWS(config, gauss, tolerance_, iterations_doc)                                                \
    WY_PARAM(config, gauss newton.tolerance, .key = "tolerance", .tunable = true,                                      \
             .doc = "Newton stops when the error left, relative to the largest energy norm, is below this, or is "     \
                    "round-off.",                                                                                      \
             .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = 1e-16, .high = 1e-2,                   \
             .default_text = tolerance_),                                                                              \
        WY_PARAM(config, gauss newton.max_iterations, .key = "max_iterations", .tunable = true, .doc = iterations_doc, \
                 .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 2, .high = 1000,                \
                 .default_text = "40"),                                                                                \
        WY_PARAM(config, gauss newton.halvings, .key = "halvings", .tunable = true,                                    \
                 .doc = "A step that Newton cannot take is cut in two, at most so many times.", .unit = "1",           \
                 .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 0, .high = 40, .default_text = "12"),        \
        WY_PARAM(config, gauss degree, .key = "degree",                                                                \
                 .doc = "P: an element has P + 1 nodes and P points for its strains; order 2 P along the rod.",        \
                 .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 2, .high = WY_ELEMENT_DEGREE,   \
                 .default_text = "3")
#define WY_GAUSS_ELEMENT_ROWS(config, gauss)                                                                           \
    WY_PARAM(config, gauss stabiliser, .key = "stabiliser",                                                            \
             .doc = "Stiffness against deformation inside an element of a cable, in units of the largest force; 0: "   \
                    "none.",                                                                                           \
             .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = 0, .high = 1e6, .default_text = "10"), \
        WY_PARAM(config, gauss portable, .key = "portable",                                                            \
                 .doc = "Use the inner loops for any processor (the results are the same, bit for bit).",              \
                 .type = WY_TYPE_BOOL, .default_text = "false")

/* What a rod of director elements does, whatever the stages. */
#define WY_GAUSS_CALLBACKS                                                                                           \
    .takes = WY_TAKES_STATIONS | WY_TAKES_POSES | WY_TAKES_PLACED_ENDS | WY_KNOWS_RESIDUALS | WY_TAKES_ACTUATION |   \
             WY_TAKES_MESH | WY_TAKES_BODIES | WY_TAKES_ACCELERATION | WY_TAKES_PARTIAL_ENDS,                        \
    .check = wy_gauss_check, .finds_equilibrium = true, .splits_at_breaks = true, .make = wy_gauss_make,             \
    .drop = wy_gauss_drop, .state_size = wy_gauss_state_numbers, .work_size = wy_gauss_work_numbers,                 \
    .start = wy_gauss_start, .step = wy_gauss_step, .energies = wy_gauss_energies, .momenta = wy_gauss_momenta,      \
    .read = wy_gauss_read, .kinematic_residual = wy_gauss_kinematic_residual,                                        \
    .resolution_warning = wy_gauss_resolution_warning, .reaction = wy_gauss_reaction,                                \
    .residual_norms = wy_gauss_residual_norms, .estimate = wy_gauss_estimate, .dense_output = wy_gauss_dense_output, \
    .order = wy_gauss_order, .position_at = wy_gauss_position_at, .acting = wy_gauss_acting,                         \
    .resolution = wy_gauss_resolution

#endif
