/* The method `gauss-director`: what its files share. docs/math/motion.md.
 *
 * Arrays over nodes are kept by component: row c starts at c * m->row, so that four neighbours make a register. What an
 * element has at its Gauss points is a block of m->block numbers: eight rows (kappa, nu, G3, G12) of the points in groups
 * of four, then the pair H1, H2 of the whole element and two zeros. */
#ifndef WY_GAUSS_DIRECTOR_H
#define WY_GAUSS_DIRECTOR_H

#include "motion/gauss_director/gauss_basis.h"
#include "motion/motion_internal.h"

enum {
    WY_GAUSS_ROWS = 8,                                                        /* strains at a point */
    WY_GAUSS_BLOCK = WY_GAUSS_LANES * (WY_GAUSS_ROWS * WY_GAUSS_GROUPS + 1),  /* largest block */
    WY_GAUSS_ORDER = 6 * (WY_GAUSS_DEGREE + 1),                               /* unknowns of an element, at most */
    WY_GAUSS_B_ROWS = 33,                                                     /* rows of B at a point, by node */
    WY_GAUSS_B_NODE = WY_GAUSS_LANES * WY_GAUSS_B_ROWS * WY_GAUSS_GROUPS + 12 /* largest B of a node */
};

struct wy_gauss_kernel;

/* What the methods are told: `gauss-director`, and `bdf-alpha`, whose stages are not asked for. */
typedef wy_motion_gauss_director wy_gauss_config;
typedef struct wy_gauss_bdf_config {
    wy_gauss_config gauss;
    double alpha;
} wy_gauss_bdf_config;

/* The immutable part, made once for a rod. */
typedef struct wy_gauss {
    wy_gauss_space space;
    wy_gauss_time time, soft; /* soft: Radau IIA with as many stages, for steps that Gauss does not manage */
    bool bdf;                 /* BDF-alpha: `soft` is a stage of a step without history */
    double alpha;
    const struct wy_gauss_kernel *kernel;
    const wy_gauss_config *config;
    size_t elements, nodes, row; /* row: nodes, padded */
    size_t block, b_node;        /* numbers of a block, and of B of a node */
    double h, length;
    unsigned held[2];
    bool in_part[2];                         /* ends of which some components are held: ... */
    double part[2][2][9];                    /* ... projectors in space on them, displacements and turns */
    double gravity[3], mass_damping, weight; /* weight: of the whole rod, N */
    bool damped, loaded;                     /* viscosity inside; loads besides gravity, or an end with a wrench */
    bool actuated;                           /* the strain without stress is driven */
    double lag;                              /* viscosity over stiffness, s: what G and H get of it */
    double EI_least, rigid_most, EA_least;   /* for the rule of G and H */
    double stiff;        /* sqrt of the sum of all K: what a strain of 1 everywhere is in the energy norm */
    double *share;       /* row: length of rod that belongs to each node */
    double *inertia;     /* 4 rows: rho I1, rho I2, rho J, rho A; with the bodies there */
    double *added;       /* row: mass that the surroundings add across d3, kg: for the tangent only */
    bool accelerated;    /* any of it */
    double *K, *V;       /* elements x block: stiffness and viscosity times weight; nothing for G and H */
    double *ref;         /* elements x block: strains of the shape without stress */
    wy_section *section; /* at the nodes */
    double *start;       /* 18 rows: p, D, v, omega (space) at t = 0 */
    double start_force;  /* the force that the rule of G and H starts from, at least, N */
} wy_gauss;

/* The method's part of a state, after the head. */
typedef struct wy_gauss_state {
    double *p, *low, *D, *v, *spin; /* rows 3, 3, 9, 3, 3: position in two words, directors, velocity, body spin */
    double *eps;                    /* elements x block: strains of p and D */
    double *stage;                  /* elements x S blocks: strains at the stages of the last step */
    double *mean;                   /* elements x block: stress times weight, mean over the stages of the last step */
    double *rest;                   /* elements x block: strains without stress; those of G and H move */
    double *hold;                   /* elements x 2: k_G, k_H */
    double *frozen;                 /* where the factors belong: see WY_FROZEN_... */
    double *numbers;
    double *history; /* of BDF-alpha: gauss_bdf.c */
} wy_gauss_state;

enum {
    WY_GAUSS_LAST_DT,    /* of the last step; 0: none */
    WY_GAUSS_FORCE_USED, /* the rule's force */
    WY_GAUSS_FORCE_SEEN,
    WY_GAUSS_RAISES,
    WY_GAUSS_BOOKED, /* energy that changes of k_G, k_H took, and its second word */
    WY_GAUSS_BOOKED_LOW,
    WY_GAUSS_USES_H,
    WY_GAUSS_ESTIMATE,  /* (10.22) */
    WY_GAUSS_NUMERICAL, /* energy that Radau IIA took, and its second word */
    WY_GAUSS_NUMERICAL_LOW,
    WY_GAUSS_FACTORS, /* factorisations so far */
    WY_GAUSS_FEWEST,  /* iterations of a step with the present factors, and those spent beyond that since */
    WY_GAUSS_SPENT,
    WY_GAUSS_UNRESOLVED, /* largest share so far of G and H in the energy of the motion, and the element with most of it */
    WY_GAUSS_UNRESOLVED_AT,
    WY_GAUSS_CALM,     /* kinetic energy of the mean velocities over the last step */
    WY_GAUSS_REACTION, /* 12: force and moment on each end, mean over the last step, space */
    WY_GAUSS_NUMBERS = WY_GAUSS_REACTION + 12
};

/* The frozen configuration: dt (0: none), time, where positions count from; then X (12 rows), omega (3 rows), torque (3
 * rows), stress times weight, v (3 rows). */
enum { WY_FROZEN_DT, WY_FROZEN_TIME, WY_FROZEN_ORIGIN, WY_FROZEN_HEAD = WY_FROZEN_ORIGIN + 3 };

/* Scratch, laid over one run of doubles. */
typedef struct wy_gauss_work {
    double *start;                                   /* 12 rows: the step's start, p from the first node */
    double *X[WY_GAUSS_STAGES], *V[WY_GAUSS_STAGES]; /* 12 rows: stages and their rates */
    double *w[WY_GAUSS_STAGES], *F[WY_GAUSS_STAGES]; /* 3 rows: omega; 12 rows: gradients */
    double *R[WY_GAUSS_STAGES], *U[WY_GAUSS_STAGES]; /* 6 rows: residuals by misses, corrections; body */
    double *load[WY_GAUSS_STAGES];                   /* 6 rows: force, moment; space */
    double *rhs[2][2];                               /* of each root: real and imaginary part, 6 a node */
    double *eps, *miss, *kept;                       /* elements x S blocks */
    double *KW, *VW;                                 /* elements x block */
    const double *eps0, *ref[WY_GAUSS_STAGES];       /* the state's `eps`; strains without stress at the stages */
    double *drive[WY_GAUSS_STAGES], *drive_rate;     /* those where they are driven, and S times their rates */
    double *B;                                       /* elements x (P + 1) x b_node */
    double *factors[2], *tip[2][2];
    double *frozen;           /* of the factors above */
    double *load_K, *load_C;  /* nodes x 36: minus the loads' derivatives, space */
    double *backup;           /* a whole state */
    double *coupled;          /* wy_gauss_coupled_size numbers; NULL where that is 0 */
    double *base;             /* of BDF-alpha: what its stage starts from */
    double end_pose[24];      /* of BDF-alpha: where held ends are at its stage */
    const double *v0, *spin0; /* of the state */
    double origin[3];         /* in space: where the positions in X count from */
    bool uses_H;
    bool loaded; /* anything acts on nodes besides gravity; */
    bool dead;   /* it does not change during the step's iteration */
    double dt;   /* of the step */
} wy_gauss_work;

size_t wy_gauss_state_size(const wy_gauss *m);
wy_gauss_state wy_gauss_state_of(double *x, const wy_gauss *m);
size_t wy_gauss_work_size(const wy_gauss *m);
wy_gauss_work wy_gauss_work_of(double *work, const wy_gauss *m);
size_t wy_gauss_factor_size(const wy_gauss *m, int root); /* of one element */
size_t wy_gauss_frozen_size(const wy_gauss *m);

/* The inner loops for one degree and number of stages. */
typedef struct wy_gauss_loops {
    /* strains of the configuration X (12 rows) into blocks */
    void (*strains)(double *eps, const wy_gauss *m, const double *X, bool uses_H);
    /* (10.13): stage configurations from the stage velocities, `sweeps` times over the directors */
    void (*place)(const wy_gauss *m, wy_gauss_work *w, double dt, int sweeps);
    /* gradients F of the stages with the stresses of w->eps, and w->miss */
    void (*evaluate)(const wy_gauss *m, wy_gauss_work *w, double dt);
    /* R: what the strains miss, through the frozen B */
    void (*push_miss)(const wy_gauss *m, wy_gauss_work *w, double dt);
    /* right-hand sides of the roots from the residuals */
    void (*gather)(const wy_gauss *m, wy_gauss_work *w, double dt);
    void (*solve)(const wy_gauss *m, wy_gauss_work *w, int root);
    /* corrections into the stages; answers the square of their energy norm */
    double (*scatter)(const wy_gauss *m, wy_gauss_work *w, double dt);
    /* B, tangents and factors of all roots at w->frozen; false: a pivot is zero or not finite */
    bool (*factor)(const wy_gauss *m, wy_gauss_work *w, double dt);
    /* spatial residual of one node at one stage: with inertia, loads and all */
    void (*residual)(double r[6], const wy_gauss *m, const wy_gauss_work *w, double dt, size_t j, int stage);
    /* the same gradients for one configuration and stress (times weight): statics */
    void (*forces)(double *F, const wy_gauss *m, const double *X, const double *stress, bool uses_H);
    /* B of one element and its geometric tangent at a stress (times weight), 6(P+1) x 36, row major */
    void (*linearise)(double *B, double *geometric, const wy_gauss *m, const double *X, const double *stress,
                      bool uses_H);
} wy_gauss_loops;

typedef struct wy_gauss_kernel {
    const char *name;
    wy_gauss_loops loops[WY_GAUSS_DEGREE - 1][WY_GAUSS_STAGES]; /* degree 2 .., stages 1 .. */
} wy_gauss_kernel;

extern const wy_gauss_kernel wy_gauss_portable;
const wy_gauss_kernel *wy_gauss_avx2(void); /* NULL where the processor or the compiler has none */
const wy_gauss_kernel *wy_gauss_avx512(void);

static inline const wy_gauss_loops *wy_gauss_loops_of(const wy_gauss *m) {
    return &m->kernel->loops[m->space.P - 2][m->time.S - 1];
}

/* Arc length of an inner node. */
double wy_gauss_arc(const wy_gauss *m, size_t j);

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
void wy_gauss_driven(double *out, const wy_motion *rod, const wy_gauss *m, const double *rest, double t, double scale);

/* Strain energy against those, without G and H. */
double wy_gauss_driven_energy(const wy_motion *rod, const wy_gauss *m, const wy_gauss_state *s, double t);

/* w->ref at the stages of a step from t, and w->drive_rate. */
void wy_gauss_actuate(wy_gauss_work *w, const wy_motion *rod, const wy_gauss *m, const double *rest, double t,
                      double dt);

/* Work that the drive did in a step whose stages have converged. */
double wy_gauss_drive_work(const wy_gauss_work *w, const wy_gauss *m, double dt);

/* ---- gauss_ends.c ---- */

/* Ends of which some components are held. Their velocities along what is held are put back to zero at every stage; ... */
void wy_gauss_part_velocities(const wy_gauss *m, wy_gauss_work *w);
/* ... what is missing there is added to the loads of the stages, so that Newton sees no residual along it; ... */
void wy_gauss_part_reactions(const wy_gauss *m, wy_gauss_work *w, double dt);
/* ... and its matrix gets a stiff spring there (into w->load_K), which steers and does not enter the solution. */
void wy_gauss_part_tangents(const wy_gauss *m, wy_gauss_work *w, double dt);
/* a -= P a for displacements (first three) and turns (last three) of an end. */
void wy_gauss_part_free(double a[6], const wy_gauss *m, int end);

/* Times of a step, in steps: its start, the stages, its end (which is the last stage of Radau IIA). How many. */
int wy_gauss_step_times(double *at, const wy_gauss *m);

/* Derivatives at x of Lagrange's polynomials through n points. */
void wy_gauss_slopes(double *out, const double *at, int n, double x);

/* Where a held end is at time t. */
void wy_gauss_end_pose(double p[3], double D[9], const wy_motion *rod, const wy_gauss *m, int end, double t);

/* Velocities of held ends at the stages of a step from t; false where an end turns too far. */
bool wy_gauss_hold_ends(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, double t, double dt);

/* Velocity and spin of a moved end at time t + dt into v (space), omega (space). */
void wy_gauss_end_rates(double v[3], double omega[3], const wy_motion *rod, const wy_gauss *m, int end, double t,
                        double dt);

/* Rotation vector a with D1 = exp(a) D0, in space. */
void wy_gauss_turn_between(double a[3], const double D1[9], const double D0[9]);

/* omega of the rotation vector a(t) with the rate a., and back. */
void wy_gauss_spin_of(double omega[3], const double a[3], const double rate[3]);
void wy_gauss_rate_of(double rate[3], const double a[3], const double omega[3]);

/* ---- gauss_bdf.c ---- */

/* Numbers of the history in a state (0: none), and of `base` in the scratch. */
size_t wy_gauss_history_size(const wy_gauss *m);
size_t wy_gauss_base_size(const wy_gauss *m);

/* The stage of a step, and that of a step without history. */
void wy_gauss_bdf_times(wy_gauss_time *step, wy_gauss_time *first, double alpha);

/* ---- gauss_coupled.c: the exact linearisation of a step ---- */

/* Numbers that it takes; 0: the rod is too long for it. */
size_t wy_gauss_coupled_size(const wy_gauss *m);

/* Derivative of the residuals of all stages (space) by (dt v, dt omega) of all stages, 6 S a node, at w->X, V, w, F, eps:
 * exact where the loads' own tangents are, and the directors of w->X those that belong to w->w. Factored; false: singular. */
bool wy_gauss_coupled_factor(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, double t, double dt);

/* Residuals of all stages, 6 S a node; those of held freedoms are 0. */
void wy_gauss_coupled_residual(double *r, const wy_gauss *m, wy_gauss_work *w, double dt);
double *wy_gauss_coupled_rhs(const wy_gauss *m, wy_gauss_work *w);

/* Solves for minus the right-hand side with the factors and corrects v, omega and eps; answers the square of the energy norm. */
double wy_gauss_coupled_correct(const wy_gauss *m, wy_gauss_work *w, double dt);

/* ---- gauss_between.c ---- */

void wy_gauss_between(const wy_motion *rod, double *y, const double *before, const double *after, double theta);
void wy_gauss_estimate(wy_motion_estimate *estimate, const wy_motion *rod, const double *x);
void wy_gauss_unrest(wy_motion_unrest *unrest, const wy_motion *rod, const double *x, double *work);

/* ---- gauss_stabiliser.c ---- */

/* k_G, k_H at the start of a run; x: a state with its configuration. */
void wy_gauss_stabiliser_start(const wy_motion *rod, const wy_gauss *m, const double *head, wy_gauss_state *s,
                               wy_gauss_work *w);
/* After a step: looks at the force, raises k_G and k_H without adding energy; w: scratch. */
/* A sentence about a mesh that does not resolve what happened, or false. */
bool wy_gauss_unresolved(char *text, size_t size, const wy_motion *rod, const double *x);
void wy_gauss_stabiliser_follow(const wy_gauss *m, double *head, wy_gauss_state *s, wy_gauss_work *w);
/* KW and VW of a step. */
void wy_gauss_stiffness(double *KW, double *VW, const wy_gauss *m, const wy_gauss_state *s);
/* Energy stored in G and H; `where` (may be NULL): the element with the largest part of it. */
double wy_gauss_stored(const wy_gauss *m, const wy_gauss_state *s, size_t *where);

/* ---- gauss_read.c: what `bdf-alpha` shares with `gauss-director` ---- */

size_t wy_gauss_state_numbers(const wy_motion *rod);
size_t wy_gauss_work_numbers(const wy_motion *rod);
wy_status wy_gauss_start(const wy_motion *rod, double *x, double *work, wy_error *err);
void wy_gauss_energies(wy_motion_energy *energy, const wy_motion *rod, const double *x);
void wy_gauss_momenta(double linear[3], double angular[3], const wy_motion *rod, const double *x);
void wy_gauss_read(const wy_motion *rod, const double *x, const wy_motion_view *view);
void wy_gauss_reaction(double force[3], double moment[3], const wy_motion *rod, const double *x, int end);
double wy_gauss_pose_gap(const wy_motion *rod, const double *x);

/* ---- gauss_model.c, gauss_step.c, gauss_statics.c ---- */

wy_status wy_gauss_check(const wy_motion *rod, wy_error *err);
wy_status wy_gauss_make(wy_motion *rod, wy_error *err);
void wy_gauss_drop(wy_motion *rod);
const wy_gauss_config *wy_gauss_config_of(const wy_motion *rod);

wy_status wy_gauss_step(const wy_motion *rod, double *x, double *work, double dt, wy_error *err);

/* The state's configuration with positions from the first node, 12 rows; and where that is. */
void wy_gauss_configuration(double *X, const wy_gauss *m, const wy_gauss_state *s);
void wy_gauss_origin(double origin[3], const wy_gauss *m, const wy_gauss_state *s);

/* Moves m->start to the equilibrium under the loads at t = 0. Allocates. */
wy_status wy_gauss_equilibrium(const wy_motion *rod, wy_gauss *m, wy_error *err);

/* ---- gauss_resolution.c: for the certificate ---- */

void wy_gauss_order(int *space, int *time, const wy_motion *rod);
void wy_gauss_place(double p[3], const wy_motion *rod, const double *x, double s);
void wy_gauss_resolution(wy_motion_resolution *resolution, const wy_motion *rod, const double *x);

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

#endif
