/* What the inner loops of `gauss-director` work on, and what they do. A header apart: the loops take a minute to
 * compile and should not be made again whenever something else changes. docs/math/motion.md.
 *
 * Arrays over nodes are kept by component: row c starts at c * m->row, so that four neighbours make a register. What
 * an element has at its Gauss points is a block of m->block numbers: eight rows (kappa, nu, G3, G12) of the points
 * in groups of four, then the pair H1, H2 of the whole element and two zeros. */
#ifndef WY_GAUSS_KERNEL_H
#define WY_GAUSS_KERNEL_H

#include <withy/motion.h>

#include "element/element_basis.h"
#include "motion/gauss_director/gauss_time.h"

enum { WY_GAUSS_NUMBERS_OF_A_LINE = 8 };

struct wy_gauss_kernel;

/* What the methods are told: `gauss-director`, and `bdf-alpha`, whose stages are not asked for. */
typedef wy_motion_gauss_director wy_gauss_config;
typedef wy_motion_bdf_alpha wy_gauss_bdf_config;

/* The immutable part, made once for a rod. */
typedef struct wy_gauss {
    wy_element_basis space;
    wy_gauss_time time, fallback_time; /* fallback: Radau IIA with as many stages */
    bool bdf;                          /* BDF-alpha: `fallback_time` is a stage of a step without history */
    double alpha;
    const struct wy_gauss_kernel *kernel;
    const wy_gauss_config *config;
    size_t elements, nodes, row;    /* row: nodes, padded */
    size_t block, b_node;           /* numbers of a block, and of B of a node */
    size_t state_size, work_size;   /* numbers of both; 0: not counted yet */
    double h, length;               /* of an element, mean; of the rod */
    bool graded;                    /* elements of several lengths, */
    const double *element_boundary; /* which meet here, m */
    unsigned constrains[2];
    bool partial_constraint[2];              /* ends of which some components are held: ... */
    double projector[2][2][9];               /* ... projectors in space on them, displacements and turns */
    double gravity[3], mass_damping, weight; /* weight: of the whole rod, N */
    bool damped, loaded;                     /* viscosity inside; loads besides gravity, or an end with a wrench */
    bool actuated;                           /* the strain without stress is driven */
    double viscous_time;                     /* viscosity over stiffness, s: what G and H get of it */
    double EI_least, rigid_most, EA_least;   /* for the rule of G and H */
    double energy_norm_scale; /* sqrt of the sum of all K: what a strain of 1 everywhere is in the energy norm */
    double *tributary_length; /* row: length of rod that belongs to each node */
    double *inertia;          /* 4 rows: rho I1, rho I2, rho J, rho A; with the bodies there */
    double given_mass[2],
        given_inertia[2][3]; /* of the ends, along their directors, that rigid bodies have taken over */
    double *added_mass;      /* row: mass that the surroundings add across d3, kg: for the tangent only */
    bool has_added_mass;     /* any of it */
    double *K, *V;           /* elements x block: stiffness and viscosity times weight; nothing for G and H */
    double *ref;             /* elements x block: strains of the shape without stress */
    wy_section *section;     /* at the nodes */
    double *start;           /* 18 rows: p, D, v, omega (space) at t = 0 */
    bool start_off_statics;  /* the start is at rest, but not where statics has the rod */
    double start_force;      /* the force that the rule of G and H starts from, at least, N */
} wy_gauss;

/* The method's part of a state, after the head: to read, and to write to. */
#define WY_GAUSS_STATE_ROWS(number)                                                                              \
    number *p, *low, *D;      /* rows 3, 3, 9: position in two words, directors */                               \
    number *v, *v_low, *spin; /* rows 3, 3, 3: velocity in two words, body spin */                               \
    number *mean_velocity;    /* rows 6: velocity and angular velocity in space, means over the last step */     \
    number *eps;              /* elements x block: strains of p and D */                                         \
    number *stage;            /* elements x S blocks: strains at the stages of the last step */                  \
    number *mean_stress;      /* elements x block: stress times weight, mean over the stages of the last step */ \
    number *reference;        /* elements x block: strains without stress; those of G and H move */              \
    number *stabilisation;    /* elements x 2: k_G, k_H */                                                       \
    number *frozen;           /* where the factors belong: see WY_FROZEN_... */                                  \
    number *numbers;                                                                                             \
    number *history; /* of BDF-alpha: gauss_bdf.c */
typedef struct wy_gauss_reading {
    WY_GAUSS_STATE_ROWS(const double)
} wy_gauss_reading;
typedef union wy_gauss_state {
    struct {
        WY_GAUSS_STATE_ROWS(double)
    };
    wy_gauss_reading read;
} wy_gauss_state;

enum {
    WY_GAUSS_FACTOR_COST = 7,
    WY_GAUSS_COUPLED_COST = 50
}; /* iterations that take as long as making factors, as a coupled one */

enum {
    WY_GAUSS_LAST_DT,    /* of the last step; 0: none */
    WY_GAUSS_FORCE_USED, /* the rule's force */
    WY_GAUSS_FORCE_SEEN,
    WY_GAUSS_RAISES,
    WY_GAUSS_STIFFENING_ENERGY, /* energy that changes of k_G, k_H took, and its second word */
    WY_GAUSS_STIFFENING_ENERGY_LOW,
    WY_GAUSS_USES_H,
    WY_GAUSS_ESTIMATE,   /* (10.22) */
    WY_GAUSS_WORK_UNITS, /* beside the iterations so far, by the labour of one: factors, coupled iterations */
    WY_GAUSS_FAILED_DT,  /* the last part of a step, s, for which all attempts failed ... */
    /* ... and for how many steps they are not tried again for one as long; < 0: how often in a row that was */
    WY_GAUSS_SKIP_STEPS,
    WY_GAUSS_LEAST_ITERATIONS, /* iterations of a step with the present factors, and those spent beyond that since */
    WY_GAUSS_EXTRA_ITERATIONS,
    /* largest share so far of G and H in the energy of the motion, and the element with most of it */
    WY_GAUSS_STABILISATION,
    WY_GAUSS_STABILISATION_AT,
    WY_GAUSS_MEAN_VELOCITY_ENERGY, /* kinetic energy of the mean velocities over the last step */
    WY_GAUSS_BALANCE,              /* energy balance before the first step, J; ... */
    /* ... 1: it is off because of a loose Newton tolerance, which has been tightened */
    WY_GAUSS_TOLERANCE_TIGHTENED,
    WY_GAUSS_IMPULSIVE_UNTIL, /* until then, s, steps are taken in parts: an end started with a velocity of its own */
    WY_GAUSS_REACTION,        /* 12: force and moment on each end, mean over the last step, space */
    WY_GAUSS_NUMBERS = WY_GAUSS_REACTION + 12
};

/* The frozen configuration: dt (0: none), time, where positions count from; then X (12 rows), omega (3 rows), torque (3
 * rows), stress times weight, v (3 rows). */
enum { WY_FROZEN_DT, WY_FROZEN_TIME, WY_FROZEN_ORIGIN, WY_FROZEN_HEAD = WY_FROZEN_ORIGIN + 3 };

/* What the loops will read next along the rod, which they ask for while they still work on what they have: runs of
 * numbers, `each` of an element. A few lines of the cache at a time (gauss_prefetch.inc); nothing for rods that fit
 * into one. */
typedef struct wy_gauss_prefetch_run {
    const double *from;
    size_t each;
} wy_gauss_prefetch_run;

typedef struct wy_gauss_prefetch {
    const double *at; /* where it goes on, ... */
    size_t lines;     /* ... for so long; 0: nothing to ask for */
    const wy_gauss_prefetch_run *next, *end;
    size_t first, elements; /* of the elements first .. first + elements - 1 */
    size_t lines_at_once;   /* lines at a time */
} wy_gauss_prefetch;

/* A rod between two kept nodes, its ends, which several rods may share: it is condensed to them (system/chain.inc, "a
 * run"). For each root, lower and upper blocks of the elements, and what is left of the rod. */
enum { WY_GAUSS_RUN_FACTORS = 36, WY_GAUSS_RUN_BLOCK = 192 }; /* numbers of an element, of the rod; twice if complex */
typedef struct wy_gauss_run {
    double *lower[2], *upper[2], *block[2];
} wy_gauss_run;

/* Scratch, laid over one run of doubles. */
typedef struct wy_gauss_work {
    double *start;                                   /* 12 rows: the step's start, p from the first node */
    double *X[WY_GAUSS_STAGES], *V[WY_GAUSS_STAGES]; /* 12 rows: stages and their rates */
    double *w[WY_GAUSS_STAGES], *F[WY_GAUSS_STAGES]; /* 3 rows: omega; 12 rows: gradients */
    double *R[WY_GAUSS_STAGES], *U[WY_GAUSS_STAGES]; /* 6 rows: residuals by misses, corrections; body */
    double *load[WY_GAUSS_STAGES];                   /* 6 rows: force, moment; space */
    double *rhs[2][2];                               /* of each root: real and imaginary part, 6 a node */
    double *eps, *strain_residual, *kept;            /* elements x S blocks */
    double *eps_low;                                 /* second words of eps where viscosity is inside; else NULL */
    double *KW, *VW;                                 /* elements x block */
    const double *eps0, *ref[WY_GAUSS_STAGES];       /* the state's `eps`; strains without stress at the stages */
    double *actuated_ref[WY_GAUSS_STAGES], *actuated_rate; /* those where they are driven, and S times their rates */
    double *B, *B_H;                      /* elements x (P + 1) x b_node, x WY_ELEMENT_B_H: its rows of H */
    double *out[2], *back[2], *tip[2][2]; /* factors of each root: of the way out along the rod, of the way back */
    double *frozen;                       /* of the factors above */
    double *load_K, *load_C;              /* nodes x 36: minus the loads' derivatives, space */
    double *backup;                       /* a whole state */
    double *mean_action;      /* elements x block, 12: mean stress and reactions over the parts of a step that is cut */
    double *coupled;          /* wy_gauss_coupled_size numbers; NULL where that is 0 */
    double *base;             /* of BDF-alpha: what its stage starts from */
    double end_pose[24];      /* of BDF-alpha: where held ends are at its stage */
    const double *v0, *spin0; /* of the state */
    double origin[3];         /* in space: where the positions in X count from */
    bool uses_H;
    bool loaded;         /* anything acts on nodes besides gravity; */
    bool constant_loads; /* it does not change during the step's iteration */
    double dt;           /* of the step */
    wy_gauss_prefetch prefetch;
    const wy_gauss_run *run;     /* NULL: what holds the rod's ends is its own */
    double velocity_rounding[3]; /* what rounding adds to the velocities of a rod on which nothing acts */
} wy_gauss_work;

size_t wy_gauss_state_size(const wy_gauss *m);
wy_gauss_state wy_gauss_state_of(double *x, const wy_gauss *m);
wy_gauss_reading wy_gauss_reading_of(const double *x, const wy_gauss *m);
size_t wy_gauss_work_size(const wy_gauss *m);
/* With the factors in that slot: 0, or below the number of states that the scratch has room for. */
wy_gauss_work wy_gauss_work_of(double *work, const wy_gauss *m, size_t slot);
size_t wy_gauss_factors_size(const wy_gauss *m);       /* of a slot */
size_t wy_gauss_out_size(const wy_gauss *m, int root); /* of one element */
size_t wy_gauss_back_size(const wy_gauss *m, int root);
size_t wy_gauss_frozen_size(const wy_gauss *m);

/* Elements or nodes from .. to - 1. Spans of nodes begin with a multiple of four, and end with one or with the last
 * node. */
typedef struct wy_gauss_span {
    size_t from, to;
} wy_gauss_span;

/* The inner loops for one degree and number of stages. Those of an iteration work on parts of the rod: gauss_sweep.c
 * says in which order. */
typedef struct wy_gauss_loops {
    /* the first guess of the stage velocities */
    void (*open)(const wy_gauss *m, wy_gauss_work *w, const wy_gauss_state *s);
    /* stage strains and mean stresses into the state */
    void (*keep)(const wy_gauss *m, const wy_gauss_work *w, wy_gauss_state *s, double dt);
    /* the step's end into the state; `missed`: integral along the rod of the square of (10.22) over dt,
     * `mean_kinetic`: kinetic energy of the mean velocities */
    void (*close)(double *missed, double *mean_kinetic, const wy_gauss *m, const wy_gauss_work *w, wy_gauss_state *s,
                  double dt);
    /* strains of the configuration X (12 rows) into blocks */
    void (*strains)(double *eps, const wy_gauss *m, const double *X, bool uses_H);
    /* (10.13): stage configurations from the stage velocities, `sweeps` times over the directors */
    void (*configure)(const wy_gauss *m, wy_gauss_work *w, wy_gauss_span nodes, double dt, int sweeps);
    /* w->strain_residual, and added to F: gradients of the stages with the stresses of w->eps */
    void (*evaluate)(const wy_gauss *m, wy_gauss_work *w, wy_gauss_span elements, double dt);
    /* added to R: what the strains miss, through the frozen B */
    void (*add_strain_residual)(const wy_gauss *m, wy_gauss_work *w, wy_gauss_span elements, double dt);
    /* right-hand sides of the roots from the residuals */
    void (*gather)(const wy_gauss *m, wy_gauss_work *w, wy_gauss_span nodes, double dt);
    /* with the factors of a root: towards the last node, inner nodes of `inner`, then end nodes of `ends`, ... */
    void (*eliminate)(const wy_gauss *m, wy_gauss_work *w, int root, wy_gauss_span inner, wy_gauss_span ends);
    /* ... and back */
    void (*substitute)(const wy_gauss *m, wy_gauss_work *w, int root, wy_gauss_span elements);
    /* corrections into the stages; the square of their energy norm is added to `square`, in four parts */
    void (*scatter)(const wy_gauss *m, wy_gauss_work *w, wy_gauss_span nodes, wy_gauss_span elements, double dt,
                    double square[4]);
    /* B, tangents and factors of all roots at w->frozen; false: a pivot is zero or not finite */
    bool (*factor)(const wy_gauss *m, wy_gauss_work *w, double dt);
    /* spatial residual of one node at one stage: with inertia, loads and all */
    void (*residual)(double r[6], const wy_gauss *m, const wy_gauss_work *w, double dt, size_t j, int stage);
    /* the same gradients for one configuration and stress (times weight): statics */
    void (*forces)(double *F, const wy_gauss *m, const double *X, const double *stress, bool uses_H);
    /* B of one element, its rows of H behind all others, and its geometric tangent at a stress (times weight),
     * 6(P+1) x 36, row major */
    void (*linearise)(double *B, double *geometric, const wy_gauss *m, const double *X, const double *stress,
                      bool uses_H);
} wy_gauss_loops;

typedef struct wy_gauss_kernel {
    const char *name;
    wy_gauss_loops loops[WY_ELEMENT_DEGREE - 1][WY_GAUSS_STAGES]; /* degree 2 .., stages 1 .. */
} wy_gauss_kernel;

extern const wy_gauss_kernel wy_gauss_portable;
const wy_gauss_kernel *wy_gauss_avx2(void); /* NULL where the processor or the compiler has none */
const wy_gauss_kernel *wy_gauss_avx512(void);

static inline const wy_gauss_loops *wy_gauss_loops_of(const wy_gauss *m) {
    return &m->kernel->loops[m->space.P - 2][m->time.S - 1];
}

#endif
