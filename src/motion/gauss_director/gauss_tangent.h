/* The derivative of a step of `gauss-director`, from the exact linearisation of all its stages (gauss_coupled.c). */
#ifndef WY_GAUSS_TANGENT_H
#define WY_GAUSS_TANGENT_H

#include "element/algebra_of_one.h"
#include "motion/gauss_director/gauss_director.h"

/* Most stages, Gauss points and nodes of an element, and the numbers in a row of a node's Q. */
enum { STAGES = WY_GAUSS_STAGES, POINTS = WY_ELEMENT_DEGREE, NODES = WY_ELEMENT_DEGREE + 1, Q_WIDTH = 3 * STAGES };

/* ---- gauss_change.c ---- */

/* Changes of the stages of a node. */
typedef struct wy_gauss_node_change {
    double X[STAGES][12], V[STAGES][12], omega[STAGES][3];
} wy_gauss_node_change;

/* By that of the start of the step, dp, dD (12), and u = dt dv, dt domega of all stages (6 S). (10.35) */
void wy_gauss_change_stages(wy_gauss_node_change *to, const wy_gauss *m, const wy_gauss_work *w, double dt, size_t j,
                            const double start[12], const double *u);
/* Change of a node's residual (space) at stage i, its gradients F kept: inertia, turning, damping. `start`: that of its
 * velocity and spin at the start of the step. */
void wy_gauss_change_node(double r[6], const wy_gauss *m, const wy_gauss_work *w, double dt, size_t j, int i,
                          const wy_gauss_node_change *by, const double start[6]);

/* An element at all stages. H is what stands behind its last point. */
typedef struct wy_gauss_element {
    const wy_gauss *m;
    double dt;
    bool uses_H;
    const double *X[STAGES], *rates[STAGES]; /* rows from its first node on */
    element_point_fields q[STAGES][POINTS], v[STAGES][POINTS];
    double slope[STAGES][NODES][3], vslope[STAGES][NODES][3];            /* p' and v' at the nodes, for H */
    double s[STAGES][POINTS + 1][8], K[POINTS + 1][8], V[POINTS + 1][8]; /* all times weight */
} wy_gauss_element;

void wy_gauss_take_element(wy_gauss_element *el, const wy_gauss *m, const wy_gauss_work *w, double dt, size_t e);

/* Its changes: of the fields and slopes; of the strains at the start, less those without stress, and of their rates. */
typedef struct wy_gauss_element_change {
    element_point_fields q[STAGES][POINTS];
    double slope[STAGES][NODES][3];
    double start[POINTS + 1][8], rate[STAGES][POINTS + 1][8];
} wy_gauss_element_change;

/* All but `start`, by the rows X and V (stride n), of which only node `only` has any (< 0: all). */
void wy_gauss_change_rates(wy_gauss_element_change *to, wy_gauss_element *el, const double *const X[STAGES],
                           const double *const V[STAGES], size_t n, int only);
/* Change of stress r at point g of stage i, its stiffness kept. (10.34) */
double wy_gauss_change_stress(const wy_gauss_element_change *c, const wy_gauss_element *el, int i, int g, int r);
/* Changes of the gradients F, where G and H become stiffer by parts of what they are. */
void wy_gauss_change_gradients(double F[STAGES][12][NODES], wy_gauss_element_change *c, wy_gauss_element *el,
                               const double *const X[STAGES], size_t n, const double stiffer[2]);

/* Stress (times weight) of a stage from the strains eps: as the kernels have it. */
double wy_gauss_stage_stress(const wy_gauss *m, const wy_gauss_work *w, double dt, size_t e, int i, size_t q);

/* ---- gauss_coupled.c ---- */

/* Q of (10.33) at a node, rows of 3 WY_GAUSS_STAGES, as the last factorisation left it. */
const double *wy_gauss_coupled_turns(const wy_gauss *m, const wy_gauss_work *w, size_t j);

/* Solves with the factors, in place. */
void wy_gauss_coupled_solve(double *b, const wy_gauss *m, const wy_gauss_work *w);

/* ---- gauss_tangent.c ---- */

size_t wy_gauss_tangent_size(const wy_motion *rod);
size_t wy_gauss_tangent_scratch(const wy_motion *rod);
void wy_gauss_tangent_end(double out[12], const wy_motion *rod, const double *x, const double *change, int end);

/* For the step: with its stages converged (w) and the state x still that of its start; and when the state is that of
 * its end. `dt` may be a part of `whole`, `more` says that it is not the first one. False: the linearisation is
 * singular. */
bool wy_gauss_tangent_take(wy_motion_tangent *tangent, const wy_motion *rod, const wy_gauss *m, const double *x,
                           wy_gauss_work *w, double dt, double whole, bool more);
void wy_gauss_tangent_follow(wy_motion_tangent *tangent, const wy_gauss *m, const double *x, const wy_gauss_work *w);

/* Remembers the directions where a step begins, and brings them back where an attempt has failed; there is room for
 * both behind the scratch. */
void wy_gauss_tangent_remember(wy_motion_tangent *tangent, const wy_motion *rod);
void wy_gauss_tangent_restore(wy_motion_tangent *tangent, const wy_motion *rod);

/* ---- gauss_step.c ---- */

wy_status wy_gauss_tangent_step(const wy_motion *rod, double *x, double *work, double dt, wy_motion_tangent *tangent,
                                wy_error *err);

#endif
