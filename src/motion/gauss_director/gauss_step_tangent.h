/* What the files of a step's derivative share while they differentiate one step. */
#ifndef WY_GAUSS_STEP_TANGENT_H
#define WY_GAUSS_STEP_TANGENT_H

#include "motion/gauss_director/gauss_tangent.h"

/* A direction's numbers: dp, dD (12 rows), dv (3), dOmega (3), the change of the strains without stress, and then
 * those of the force c F that k_G and k_H follow (10.25), and of the largest force in the last step. */
enum { ROWS = 18, AT_V = 12, AT_SPIN = 15 };
enum { BY_RULE, BY_FORCE, MORE };

/* The derivative of one step by all directions, one after another. */
typedef struct wy_gauss_step_tangent {
    const wy_motion *rod;
    const wy_gauss *m;
    wy_gauss_work *w;
    const double *x; /* the state at the start of the step */
    wy_gauss_reading s;
    double dt;
    int S, P;
    bool varies; /* loads depend on the configuration */
    /* scratch */
    double *X[STAGES], *V[STAGES], *omega[STAGES]; /* rows: 12, 12, 3: changes of the stages */
    double *u, *r;                                 /* 6 S a node */
    double *load[STAGES];                          /* 6 rows: changes of the loads */
    wy_gauss_work shifted;                         /* with X, V, w, load and v0 of its own */
    double *v0;
} wy_gauss_step_tangent;

/* The stages' change at a node. */
wy_gauss_node_change wy_gauss_tangent_node(const wy_gauss_step_tangent *k, size_t j);

/* Where a driven end is at the end of the step, how it is turned, and its velocities there: all changes. */
typedef struct wy_gauss_end_change {
    double p[3], turn[3], v[3], omega[3];
} wy_gauss_end_change;

/* ---- gauss_tangent_ends.c ---- */

/* u of driven ends for direction n; false: an end does not turn as its path asks. */
bool wy_gauss_tangent_prescribe(wy_gauss_step_tangent *k, const wy_motion_tangent *tangent, size_t n,
                                const double *change, wy_gauss_end_change land[2]);
/* The direction at the end of the step, from its stages. */
void wy_gauss_tangent_finish(const wy_gauss_step_tangent *k, double *change, const wy_motion_tangent *tangent,
                             const wy_gauss_end_change land[2]);

#endif
