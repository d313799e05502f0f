/* The method `exact-energy`: what its files share. docs/math/dynamics.md, "Directors". */
#ifndef WY_DIRECTOR_METHOD_H
#define WY_DIRECTOR_METHOD_H

#include "linalg/block6.h"
#include "motion/rod_internal.h"

/* The method's part of a state, after the head: nodes x (p 3, what rounding took from p 3, v 3, D 9, D. 9) and the last
 * step's increments for the next guess: nodes x (u 3, theta 3) and the step they belong to. The second word of p lets the
 * distance of two nodes keep its digits far from the origin and in a stiff rod. */
typedef struct wy_director_state {
    double *p, *p_low, *v, *D, *V, *u, *theta, *dt;
} wy_director_state;

size_t wy_director_state_size(size_t nodes);
wy_director_state wy_director_state_of(double *x, size_t nodes);

/* p_b - p_a of element e, both words. */
static inline void wy_director_span(double dp[3], const double *p, const double *p_low, size_t e) {
    for (size_t i = 3 * e; i < 3 * e + 3; i++)
        dp[i - 3 * e] = (p[i + 3] - p[i]) + (p_low[i + 3] - p_low[i]);
}

/* Scratch, laid over one run of doubles. */
typedef struct wy_director_work {
    double *p1, *p1_low, *D1, *u, *theta; /* the new configuration and the increments that lead to it */
    double *pm, *Dm;                      /* the configuration where forces act */
    wy_director_strain *y0, *y1;          /* strains before and after, each element */
    double *sigma, *lagged;               /* stress over the step, and its prediction by the last iteration */
    double *r;                            /* nodes x 6: residual, then correction; scaled */
    double *u_kept, *theta_kept;          /* a continuation's last success */
    wy_block6 matrix;
    double *backup; /* a whole state */
} wy_director_work;

size_t wy_director_work_size(const wy_rod *rod);
wy_director_work wy_director_work_of(double *work, const wy_rod *rod);

/* The equations of one step, or of statics. */
typedef struct wy_director_problem {
    const wy_rod *rod;
    const double *head; /* of the state; in the static start one with the force that is let go */
    wy_director_state x;
    double dt, inverse_dt; /* inverse_dt = 0: statics */
    double t;              /* where the loads are taken */
    double half;           /* 1/2, or 1 in statics */
    double scale;          /* of all loads: load stepping */
} wy_director_problem;

/* The new configuration from the increments: p1 = p + u, D1 = cay(theta) D, but for held ends, which stay. */
void wy_director_configure(const wy_director_problem *f, wy_director_work *w);

/* Which tangent to assemble: none, the exact derivative, or the mixed one with the stress in w->lagged. */
typedef enum wy_director_tangent_sort { WY_TANGENT_NONE, WY_TANGENT_EXACT, WY_TANGENT_MIXED } wy_director_tangent_sort;

/* Residual into w->r and, if asked, tangent into w->matrix, of the configuration in w. Rows of held freedoms are kept in
 * the residual if `reactions`, else replaced by zero (and one in the tangent). Also leaves the stress in w->sigma. */
void wy_director_assemble(const wy_director_problem *f, wy_director_work *w, wy_director_tangent_sort sort,
                          bool reactions);

typedef struct wy_director_outcome {
    bool converged;
    int iterations;
    double error; /* the last correction, relative to the length or to 1 rad */
    size_t node;  /* where it was largest */
    bool singular;
} wy_director_outcome;

/* Newton with the mixed tangent from the increments in w->u, w->theta. Held ends must be in w->p1, w->D1. */
wy_director_outcome wy_director_newton(const wy_director_problem *f, wy_director_work *w);

/* Moves rod->start_p, start_D to the static equilibrium under the loads at t = 0. Allocates. */
wy_status wy_director_equilibrium(wy_rod *rod, wy_error *err);

/* Angular velocity in the body frame of node j: what its angular momentum makes of it. */
void wy_director_spin(double omega[3], const wy_rod *rod, size_t j, const double D[9], const double V[9]);

/* Second moments of mass E_k along the directors: I1 = E2 + E3, ... */
static inline void wy_director_moments(double E[3], const double inertia[6]) {
    const double I1 = inertia[0], I2 = inertia[1], J = inertia[2];
    E[0] = 0.5 * (I2 + J - I1);
    E[1] = 0.5 * (I1 + J - I2);
    E[2] = 0.5 * (I1 + I2 - J);
    for (int k = 0; k < 3; k++)
        if (E[k] < 1e-12 * (I1 + I2 + J))
            E[k] = 0.0;
}

#endif
