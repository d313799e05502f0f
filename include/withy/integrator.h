/* One-step methods for autonomous systems y' = f(y) of known dimension. */
#ifndef WITHY_INTEGRATOR_H
#define WITHY_INTEGRATOR_H

#include <withy/param.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block of consecutive components: one vector, one quaternion. Tolerances are relative to the length of each block;
 * the spherical midpoint keeps the length of each block that is a sphere. */
typedef struct wy_block {
    size_t offset, size;
    bool sphere;
} wy_block;

/* g(q) = 0 for the positions of a canonical system. */
typedef struct wy_constraint {
    size_t count;                                                      /* of conditions */
    void (*value)(double *g, const double *q, const void *context);    /* g */
    void (*gradient)(double *G, const double *q, const void *context); /* G[k*n+i] = d g_k / d q_i, n = dim/2 */
} wy_constraint;

/* The right-hand side. `context` is passed to the callbacks. */
typedef struct wy_system {
    size_t dim;
    void (*field)(double *dy, const double *y, const void *context);
    void (*jacobian)(double *J, const double *y, const void *context); /* J[i*dim+j] = d f_i / d y_j; NULL: no Newton */
    const wy_block *blocks; /* must cover 0 .. dim-1 in order, without gaps; NULL: one block, no sphere */
    size_t block_count;
    const void *context;
    /* number of leading components in which the field is quadratic and which do not depend on the rest; the rest are
     * integrals of them: Kahan's method integrates those by the midpoint. 0: no such part */
    size_t quadratic;
    bool canonical;                  /* y = (p, q), halves of one size, with p' = -dH/dq, q' = dH/dp */
    const wy_constraint *constraint; /* of a canonical system; the field is that without it. NULL: none */
} wy_system;

typedef enum wy_iteration { WY_FIXED_POINT, WY_NEWTON } wy_iteration;

/* How an implicit method solves its equations. The iteration ends when the last change is at most `tolerance` times
 * the length of each block (or of what the step adds to it, if that is longer); with tolerance 0 it continues until
 * the change stops decreasing at round-off. */
typedef struct wy_implicit {
    int solver; /* wy_iteration */
    double tolerance;
    int64_t max_iterations;
} wy_implicit;

/* The parameter table of wy_implicit: its names, limits and defaults. */
extern WY_API const wy_param wy_implicit_params[];

/* Cost of the steps. Counts accumulate until the caller clears them. */
typedef struct wy_step_stats {
    int64_t steps, iterations, evaluations;
    double change; /* the last change of the last iteration, relative; the largest over the steps */
} wy_step_stats;

enum {
    WY_KEEPS_LINEAR = 1,    /* conserves every linear invariant */
    WY_KEEPS_QUADRATIC = 2, /* condition (3.2): conserves every quadratic invariant and the symplectic form */
    WY_SYMMETRIC = 4,       /* a step by h followed by one by -h is the identity */
    WY_IMPLICIT = 8,        /* its configuration is a wy_implicit */
    WY_NEEDS_SPHERES = 16,  /* only for systems with sphere blocks */
    WY_NEEDS_CANONICAL = 32 /* only for canonical systems, constrained or not */
};

typedef struct wy_integrator {
    wy_entry entry;
    int order;
    unsigned traits;
    const void *data; /* constants of the method, such as its tableau */
    /* Number of doubles of scratch for a step of this system. */
    size_t (*work_size)(const struct wy_integrator *self, const wy_system *system);
    /* Advances y by one step of size h (negative: backwards) in place. On failure y is unchanged. */
    wy_status (*step)(const struct wy_integrator *self, const void *config, const wy_system *system, double h,
                      double *y, double *work, wy_step_stats *stats, wy_error *err);
    /* The same step together with its exact derivative: y becomes Phi(y), and the `columns` columns of D (dim x
     * columns, row major) become Phi'(y) D. Implicit methods differentiate their equations at the solution: no
     * differences, no iteration. Needs the system's Jacobian. On failure y and D are unchanged. NULL: not available. */
    size_t (*tangent_work_size)(const struct wy_integrator *self, const wy_system *system, size_t columns);
    wy_status (*tangent)(const struct wy_integrator *self, const void *config, const wy_system *system, double h,
                         double *y, double *D, size_t columns, double *work, wy_step_stats *stats, wy_error *err);
} wy_integrator;

/* All integrators. */
extern WY_API const wy_catalogue wy_integrators;

/* The integrator called `name` (or with that alias, such as "IM"), or NULL. */
WY_API const wy_integrator *wy_integrator_find(const char *name);

/* An integrator, a system and the scratch memory between them. */
typedef struct wy_stepper wy_stepper;

/* Creates a stepper. `config` is the integrator's configuration (a wy_implicit for the implicit ones) and is copied;
 * NULL means its defaults. The system is copied too, but not what it points to. Free with wy_stepper_free. */
WY_API wy_status wy_stepper_create(wy_stepper **stepper, const wy_integrator *integrator, const void *config,
                                   const wy_system *system, wy_error *err);

/* NULL is allowed. */
WY_API void wy_stepper_free(wy_stepper *stepper);

/* Advances y by one step of size h in place; allocates nothing. On failure y is unchanged. */
WY_API wy_status wy_stepper_step(wy_stepper *stepper, double h, double *y, wy_error *err);

/* Reserves memory for wy_stepper_tangent with up to `columns` columns. Fails if the system has no Jacobian or the
 * method no tangent. */
WY_API wy_status wy_stepper_reserve_tangent(wy_stepper *stepper, size_t columns, wy_error *err);

/* Advances y by one step and carries D (dim x columns, row major) along: y becomes Phi(y), D becomes Phi'(y) D.
 * Allocates nothing; call wy_stepper_reserve_tangent first. On failure y and D are unchanged. */
WY_API wy_status wy_stepper_tangent(wy_stepper *stepper, double h, double *y, double *D, size_t columns, wy_error *err);

/* Cost of the steps since the stepper was created. */
WY_API const wy_step_stats *wy_stepper_stats(const wy_stepper *stepper);

#ifdef __cplusplus
}
#endif

#endif
