/* The high-order velocity-strain discretisation: what its files share. docs/math/cantilever.md.
 *
 * Velocities eta = [omega; v] sit at the p + 1 Gauss-Lobatto nodes of each element, strains xi = [kappa; nu] at its p
 * Gauss points. What is stored is gamma = xi - xi*, so that the stretch of a thin rod, many digits below 1, keeps its
 * own digits. A vector has eight numbers, the last two zero: whole registers. */
#ifndef WY_HIGH_ORDER_H
#define WY_HIGH_ORDER_H

#include "math/vec3.h"
#include "motion/velocity_strain/high_order_basis.h"
#include "motion/motion_internal.h"

enum {
    WY_VEC = 8,
    WY_BLOCK = 48,
    WY_CHAIN_SIZE = 88
}; /* doubles: a vector, a 6 x 6 block
(six columns), and the factors of an element of degree 1 (two packed blocks and two vectors) */

struct wy_high_order_kernel;

/* The immutable part, made once for a rod. */
typedef struct wy_high_order {
    wy_space_basis space;
    wy_time_basis time;
    const struct wy_high_order_kernel *kernel;
    size_t elements, nodes, points; /* p elements + 1 nodes, p elements points */
    double h;
    double K[WY_VEC], V[WY_VEC], M[WY_VEC]; /* stiffness, viscosity, inertia per length, in the order of the strain */
    bool damped;
    double mass_damping;
    unsigned held[2]; /* WY_HOLDS_... of the ends */
    double gravity[3];
    double alpha;  /* of BDF-alpha */
    bool bdf;      /* BDF-alpha instead of Gauss-Legendre */
    double *share; /* nodes: length of rod that belongs to the node (Gauss-Lobatto weights) */
    double *ref;   /* points x 8: xi* */
} wy_high_order;

/* The stages of a step, and one root's eigenvectors. */
typedef struct wy_high_order_stages {
    int stages;
    bool complex;
    const double *base; /* velocities of the nodes, then strains of the points, that the stages start from */
    double *E[WY_STAGES_MAX], *X[WY_STAGES_MAX], *Fe[WY_STAGES_MAX], *Fx[WY_STAGES_MAX];
    double left[WY_STAGES_MAX][2], right[WY_STAGES_MAX][2];
} wy_high_order_stages;

/* Elements from .. to - 1. Newton goes along the rod span by span, out and back, so that what one loop leaves the next
 * finds in the cache; results do not depend on the spans. */
typedef struct wy_span {
    size_t from, to;
} wy_span;

/* The inner loops, compiled for several instruction sets. They give the same bits: sums run in the same order, and
 * nothing is contracted. Fields are arrays of vectors: X, Fx over the points, E, Fe over the nodes; `load` (nodes x 8)
 * is the external wrench on each node in the body frame; it may be Fe itself. */
typedef struct wy_high_order_kernel {
    const char *name;
    /* Fx = xi. and Fe = generalised force on each node for the strains xi* + X and velocities E. The last node of a
     * span is complete when the next span is done. */
    void (*evaluate)(double *Fx, double *Fe, const wy_high_order *m, const double *X, const double *E,
                     const double *load, wy_span span);
    /* Factors the tangent for the complex step z (z_i = 0: real) around X, E; Fx are the rates there (for viscous
     * stress), `pull` (nodes x 3) the derivative of the load's force by a turn: force x turn, body frame. Spans in
     * order from the first. Answers whether every pivot is sound. */
    bool (*factor)(double *factors, const wy_high_order *m, const double z[2], const double *X, const double *E,
                   const double *Fx, const double *pull, wy_span span);
    /* e, x = l^T (base - Y) + z l^T F: the residuals of the stages in the direction of one root. A span has the nodes
     * up to, not with, its last one. */
    void (*gather)(double *e, double *x, const wy_high_order *m, const wy_high_order_stages *s, const double z[2],
                   wy_span span);
    /* Solve in place: residuals (e over nodes, x over points; second half of each: imaginary part) into increments,
     * forward over all spans (it adds to the last node), then backward over all of them. */
    void (*forward)(double *e, double *x, const double *factors, const wy_high_order *m, const double z[2],
                    wy_span span);
    void (*backward)(double *e, double *x, const double *factors, const wy_high_order *m, const double z[2],
                     wy_span span);
    /* Y += Re(r (e, x)); answers the square of the energy norm of e, x. Nodes as in gather. */
    double (*scatter)(const wy_high_order_stages *s, const wy_high_order *m, const double *e, const double *x,
                      wy_span span);
} wy_high_order_kernel;

extern const wy_high_order_kernel wy_high_order_portable;
/* NULL where the processor or the compiler has none. */
const wy_high_order_kernel *wy_high_order_avx2(void);
const wy_high_order_kernel *wy_high_order_avx512(void);

/* Doubles that the factors of one root take. */
size_t wy_high_order_factor_size(const wy_high_order *m, bool complex);

/* The method's part of a state, after the head. */
typedef struct wy_high_order_state {
    double *eta, *gamma, *q, *p; /* nodes x 8, points x 8, nodes x 4, nodes x 3 */
    double *old, *rate;          /* BDF-alpha: the same four one step before, and their rates now */
    double *last_dt;             /* of the last step; 0 at the start */
    double *factor_dt;           /* step that the factors are for; 0: none */
    double *factors;
    double *contraction; /* of the last steps' iterations: how much of an error is left by one more */
} wy_high_order_state;

size_t wy_high_order_fields(const wy_high_order *m); /* doubles of eta, gamma, q, p together */
size_t wy_high_order_state_size(const wy_high_order *m);
size_t wy_high_order_work_size(const wy_high_order *m);
wy_high_order_state wy_high_order_state_of(double *x, const wy_high_order *m);

/* What the iteration is told. */
typedef struct wy_high_order_config {
    wy_motion_newton newton;
    double refactor;  /* contraction above which a frozen factorisation is thrown away */
    bool cap_accepts; /* a step that runs out of iterations is accepted as it is */
    int64_t degree, order;
    double alpha;
    bool portable; /* the inner loops for any processor, whatever this one has */
} wy_high_order_config;

wy_status wy_high_order_step(const wy_motion *rod, const wy_high_order *m, const wy_high_order_config *config,
                             double *x, double *work, double dt, wy_error *err);

/* Clamped-free equilibrium under gravity and the dead force `tip` (space); leaves gamma and poses. */
wy_status wy_high_order_statics(const wy_motion *rod, const wy_high_order *m, wy_high_order_state *s, double *work,
                                const double tip[6], wy_error *err);

/* Poses of the nodes from those of s = 0 by integrating the strains. */
void wy_high_order_poses(double *p, double *q, const wy_high_order *m, const double *gamma);

/* Kinetic, strain and gravity energy, J. */
void wy_high_order_energies(wy_motion_energy *energy, const wy_high_order *m, const wy_high_order_state *s);

/* R(q)^T v, and R(q) v; q need not be of length 1. */
static inline void wy_high_order_turn(double out[3], const double q[4], const double v[3], bool transposed) {
    const double s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), sign = transposed ? -1.0 : 1.0;
    double t[3], u[3];
    v3_cross(t, q + 1, v);
    v3_cross(u, q + 1, t);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + s * (sign * q[0] * t[i] + u[i]);
}

#endif
