/* Two-point boundary-value problems y' = f(s, y) with separated end conditions, and the interface of their solvers.
 *
 * A problem may have continuous symmetries that its end conditions do not break (a coaxially clamped round rod can be
 * spun about its axis). Each symmetry makes the linear system singular twice: a null direction (the motion along the
 * symmetry) and a redundant end condition (the conserved quantity of the symmetry). The problem names both, and the
 * solvers border the system: a phase row excludes the step along the symmetry, and a multiplier mu times the redundant
 * combination of right rows is added, which gives the least-squares step. At a solution of a conserving method mu is
 * zero; for other methods |mu| is the lowest attainable residual. docs/math, "Statics" (5.9). */
#ifndef WY_BVP_H
#define WY_BVP_H

#include <withy/integrator.h>

#include "base/lab_api.h"

enum { WY_BVP_SYMMETRIES = 2, WY_BVP_DIM = 16 };

/* Variables z(y) for collocation inside an element, so that quantities linear or quadratic in z are conserved exactly.
 * The nodes stay y. The maps are inverse to each other; z may have more components than y if the flow stays on the
 * image of y. */
typedef struct wy_bvp_chart {
    size_t dim, core; /* as in wy_bvp, of z */
    size_t
        /* the first `lead` components of f may be independent of z in an element; their stages are then not unknowns */
        lead;
    /* z(y), and A = dz/dy, chart dim x dim (A may be NULL); y(z); B = dy/dz, dim x chart dim */
    void (*to_chart)(double *z, double *A, const double *y);
    void (*from_chart)(double *y, const double *z);
    void (*from_chart_jacobian)(double *B, const double *z);
    /* z' = f(s, z), df/dz, and df/dlambda, as in wy_bvp */
    void (*field)(double *dz, double s, size_t element, const double *z, const void *context);
    void (*jacobian)(double *J, double s, size_t element, const double *z, const void *context);
    void (*field_slope)(double *df, double s, size_t element, const double *z, const void *context);
} wy_bvp_chart;

typedef struct wy_bvp {
    size_t dim;         /* components of y */
    size_t core;        /* f depends on the first `core` components only; the others are integrals */
    size_t left, right; /* end conditions; left + right = dim */
    size_t elements;
    const double *s; /* elements + 1 nodes, increasing */
    bool autonomous; /* f does not depend on s */
    /* dy = f(s, y); `element` selects the side of s if f jumps there */
    void (*field)(double *dy, double s, size_t element, const double *y, const void *context);
    /* J = df/dy, dim x dim */
    void (*jacobian)(double *J, double s, size_t element, const double *y, const void *context);
    /* Residuals of the end conditions and their derivative B by y, one row each. */
    void (*left_rows)(double *r, double *B, const double *y, const void *context);
    void (*right_rows)(double *r, double *B, const double *y, const void *context);
    /* Number of symmetries of the solution y (all nodes); writes for each a phase row (dim numbers, on y_0) and a
     * redundancy (a column of the right x count matrix `redundant`). */
    size_t (*symmetries)(double *phase, double *redundant, const double *y, const void *context);
    /* Projects y onto its manifold (normalises the quaternion), and D (dim x columns) accordingly. For projected
     * methods. */
    void (*project)(double *y, double *D, size_t columns, const void *context);
    /* Derivatives with respect to a free parameter (wy_collocation_close) of f and of the residuals of the end
     * conditions; NULL if there is none. */
    void (*field_slope)(double *df, double s, size_t element, const double *y, const void *context);
    void (*left_slope)(double *dr, const double *y, const void *context);
    void (*right_slope)(double *dr, const double *y, const void *context);
    const wy_bvp_chart *chart; /* NULL: collocation works in y */
    const wy_block *blocks;    /* as in wy_system */
    size_t block_count;
    const void *context;
} wy_bvp;

/* Result of a Newton iteration. */
typedef struct wy_bvp_stats {
    int64_t iterations;
    double step;     /* largest component of the last Newton step */
    double residual; /* largest residual of the end conditions at the solution; also of the interior if not converged */
    double redundant_residual; /* largest |mu|: residual of the redundant end condition */
    double condition;          /* lower estimate of the condition number of the last linear system */
} wy_bvp_stats;

typedef struct wy_newton {
    int64_t max_iterations;
    double tolerance; /* on the step; 0 = down to round-off */
    double limit;     /* a step with a larger component is scaled to this */
} wy_newton;

/* A solver with its memory. It corrects the nodes y ((elements+1) x dim) in place. */
typedef struct wy_bvp_solver wy_bvp_solver;

/* Global Newton on all nodes and stages, Gauss-Legendre with 1, 2 or 3 stages (order 2, 4, 6). */
wy_status wy_collocation_create(wy_bvp_solver **solver, const wy_bvp *bvp, int order, wy_error *err);

/* Newton on y_0 alone; the integrator and its exact tangent give all other nodes. With `project`, y is projected onto
 * its manifold after each step. */
wy_status wy_shooting_create(wy_bvp_solver **solver, const wy_bvp *bvp, const wy_integrator *integrator,
                             const void *config, bool project, wy_error *err);

void wy_bvp_solver_free(wy_bvp_solver *solver);

/* Newton from the nodes y to a solution, in place. Allocates nothing. On failure y has the last iterate, which is not a
 * solution; `stats` is set in both cases. */
wy_status wy_bvp_solver_correct(wy_bvp_solver *solver, const wy_newton *newton, double *y, wy_bvp_stats *stats,
                                wy_error *err);

/* ---- collocation with a free parameter, for continuation ---- */

/* One more unknown, the parameter, and one more equation, row.dy + slope dlambda = rhs. Three right-hand sides are
 * solved with one factorisation; each answer has (elements+1) x dim numbers at stride WY_CLOSED, and one of the
 * parameter:
 *   WY_CLOSED_STEP     the Newton step: minus the residuals, and rhs
 *   WY_CLOSED_TANGENT  zeros, and 1 in the row: the direction of the branch, up to its length
 *   WY_CLOSED_PROBE    pseudo-random numbers, and 0 in the row: large along a null vector, if there is one */
enum { WY_CLOSED_STEP, WY_CLOSED_TANGENT, WY_CLOSED_PROBE, WY_CLOSED };
typedef struct wy_closed {
    const double *dy;
    double dlambda[WY_CLOSED];
    double length;     /* largest component of the Newton step in y */
    int sign;          /* of the determinant */
    size_t symmetries; /* signs are comparable for equal numbers of symmetries only */
} wy_closed;

/* Initialises the stages from the nodes (as wy_bvp_solver_correct does at its beginning). */
void wy_collocation_begin(wy_bvp_solver *solver, const double *y);

/* Solves for the stages with fixed nodes y. False if it does not converge; at a solution it does. */
bool wy_collocation_relax(wy_bvp_solver *solver, const double *y);

/* Linearises at y (and at the present parameter of the problem) and solves with the row. */
wy_status wy_collocation_close(wy_bvp_solver *solver, const double *y, const double *row, double slope, double rhs,
                               wy_closed *closed, wy_bvp_stats *stats, wy_error *err);

/* y += scale * Newton step; updates the stages too. */
void wy_collocation_advance(wy_bvp_solver *solver, double scale, double *y, const wy_closed *closed);

/* Number of stages, their positions in the element (fractions), and their weights. */
size_t wy_collocation_stages(const wy_bvp_solver *solver, const double **c, const double **b);
/* The state at a stage of an element, from the nodes y to which the stages belong; components beyond the core are those
 * of the left node. */
void wy_collocation_stage(double *out, const wy_bvp_solver *solver, const double *y, size_t element, size_t stage);

/* Sets the number of elements, at most that at creation; bvp.s must have the nodes. False if larger. */
bool wy_collocation_resize(wy_bvp_solver *solver, size_t elements);

/* Local error of each element: the exact solution of y' = f from its left node, minus its right node, estimated from
 * two half elements. elements x dim numbers into `local`; y must be a solution whose stages the solver has. With
 * `anywhere` y need only be near a solution: the whole element is solved again too, and its result replaces the right
 * node. */
wy_status wy_collocation_local_error(wy_bvp_solver *solver, const double *y, bool anywhere, double *local,
                                     wy_error *err);

/* Error of y against the exact solution of the differential equation, to first order, given the local errors: the
 * linear system of a Newton step with row.error + slope dlambda = 0. (elements+1) x dim numbers into `error`. */
wy_status wy_collocation_error(wy_bvp_solver *solver, const double *y, const double *row, double slope,
                               const double *local, double *error, double *dlambda, wy_error *err);

/* The matrices T_i of (5.8), dy_{i+1} = T_i dy_i, elements x dim x dim, of the last linearisation (by any of the two
 * above, or a Newton step): how a change at a node propagates to the next. Valid until the next call. */
const double *wy_collocation_transfer(const wy_bvp_solver *solver);

/* ---- implementation of the solvers ---- */

struct wy_bvp_solver {
    wy_bvp bvp;
    void (*destroy)(struct wy_bvp_solver *self);
    /* Prepares a new iteration from the nodes y. */
    wy_status (*begin)(struct wy_bvp_solver *self, double *y, wy_error *err);
    /* Computes the Newton step at y (shooting first integrates from the first node to the others): sets `residual`,
     * `redundant_residual` and `condition` of stats, and `length`, its largest component. */
    wy_status (*step)(struct wy_bvp_solver *self, double *y, double *length, wy_bvp_stats *stats, wy_error *err);
    /* y += scale * step. */
    wy_status (*apply)(struct wy_bvp_solver *self, double scale, double *y, wy_error *err);
};

/* A number in (-1, 1) that depends on i alone: the right-hand side of the condition estimate. */
WY_LAB_API double wy_bvp_probe(size_t i);

#endif
