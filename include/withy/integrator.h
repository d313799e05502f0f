/* One-step methods for autonomous systems y' = f(y) of known dimension. */
#ifndef WITHY_INTEGRATOR_H
#define WITHY_INTEGRATOR_H

#include <withy/param.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run of components that belong together: one vector, one quaternion. Tolerances are relative to the length of each
 * block; the spherical midpoint keeps the length of each block that is a sphere. */
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

/* The right-hand side. `context` is handed to the callbacks as it is. */
typedef struct wy_system {
    size_t dim;
    void (*field)(double *dy, const double *y, const void *context);
    void (*jacobian)(double *J, const double *y, const void *context); /* J[i*dim+j] = d f_i / d y_j; NULL: no Newton */
    const wy_block *blocks; /* must cover 0 .. dim-1 in order, without gaps; NULL: one block, no sphere */
    size_t block_count;
    const void *context;
    size_t
        quadratic;  /* the field is quadratic in the first so many components, which do not depend on the rest, and the
                         rest are integrals: Kahan's method takes those by the midpoint. 0: no such part is known */
    bool canonical; /* y = (p, q), halves of one size, with p' = -dH/dq, q' = dH/dp */
    const wy_constraint *constraint; /* of a canonical system; the field is that without it. NULL: none */
} wy_system;

typedef enum wy_iteration { WY_FIXED_POINT, WY_NEWTON } wy_iteration;

/* How an implicit method solves its equations. The iteration ends when the last change is at most `tolerance` times the
 * length of each block (or of what the step adds to it, if that is longer); with tolerance 0 it goes on until round-off
 * stops it from getting smaller. */
typedef struct wy_implicit {
    int solver; /* wy_iteration */
    double tolerance;
    int64_t max_iterations;
} wy_implicit;

/* The parameter table of wy_implicit: its names, limits and defaults. */
extern WY_API const wy_param wy_implicit_params[];

/* What a step cost. Counts add up over the steps until the caller clears them. */
typedef struct wy_step_stats {
    int64_t steps, iterations, evaluations;
    double change; /* the last change of the last iteration, relative; the largest over the steps */
} wy_step_stats;

enum {
    WY_KEEPS_LINEAR = 1,    /* every linear invariant is kept */
    WY_KEEPS_QUADRATIC = 2, /* condition (3.2): every quadratic invariant and the symplectic form are kept */
    WY_SYMMETRIC = 4,       /* a step by h and one by -h lead back to the start */
    WY_IMPLICIT = 8,        /* its configuration is a wy_implicit */
    WY_NEEDS_SPHERES = 16,  /* only for systems with sphere blocks */
    WY_NEEDS_CANONICAL = 32 /* only for canonical systems, constrained or not */
};

typedef struct wy_integrator {
    wy_entry entry;
    int order;
    unsigned traits;
    const void *data; /* the method's own constants, such as its tableau */
    /* How many doubles of scratch a step of this system needs. */
    size_t (*work_size)(const struct wy_integrator *self, const wy_system *system);
    /* Advances y by one step of size h (negative: backwards) in place. On failure y is as it was. */
    wy_status (*step)(const struct wy_integrator *self, const void *config, const wy_system *system, double h,
                      double *y, double *work, wy_step_stats *stats, wy_error *err);
    /* The same step together with its exact derivative: y becomes Phi(y), and the `columns` columns of D (dim x columns,
     * row major) become Phi'(y) D. Implicit methods differentiate their equations at the solution: no differences, no
     * iteration. Needs the system's Jacobian. On failure y and D are as they were. NULL: not offered. */
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

/* Makes a stepper. `config` is the integrator's configuration (a wy_implicit for the implicit ones) and is copied; NULL
 * means its defaults. The system is copied too, but not what it points to. Free with wy_stepper_free. */
WY_API wy_status wy_stepper_create(wy_stepper **stepper, const wy_integrator *integrator, const void *config,
                                   const wy_system *system, wy_error *err);

/* NULL is allowed. */
WY_API void wy_stepper_free(wy_stepper *stepper);

/* Advances y by one step of size h in place; allocates nothing. On failure y is as it was: no NaN, no half step. */
WY_API wy_status wy_stepper_step(wy_stepper *stepper, double h, double *y, wy_error *err);

/* Makes room for wy_stepper_tangent with up to `columns` columns. Fails where the system has no Jacobian or the method no
 * tangent. */
WY_API wy_status wy_stepper_reserve_tangent(wy_stepper *stepper, size_t columns, wy_error *err);

/* Advances y by one step and carries D (dim x columns, row major) along: y becomes Phi(y), D becomes Phi'(y) D. Allocates
 * nothing; room must have been reserved. On failure y and D are as they were. */
WY_API wy_status wy_stepper_tangent(wy_stepper *stepper, double h, double *y, double *D, size_t columns, wy_error *err);

/* What the steps have cost since the stepper was made. */
WY_API const wy_step_stats *wy_stepper_stats(const wy_stepper *stepper);

#ifdef __cplusplus
}
#endif

#endif
