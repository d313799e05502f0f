/* The derivative of a step of `gauss-director`, from the exact linearisation of all its stages (gauss_coupled.c). */
#ifndef WY_GAUSS_TANGENT_H
#define WY_GAUSS_TANGENT_H

#include "element/algebra_of_one.h"
#include "motion/gauss_director/gauss_director.h"

/* Most stages, Gauss points and nodes of an element, and the numbers in a row of a node's Q. */
enum { STAGES = WY_GAUSS_STAGES, POINTS = WY_ELEMENT_DEGREE, NODES = WY_ELEMENT_DEGREE + 1, Q_WIDTH = 3 * STAGES };

/* ---- gauss_coupled.c ---- */

/* Stress (times weight) of a stage from the strains eps: as the kernels have it. */
double wy_gauss_stage_stress(const wy_gauss *m, const wy_gauss_work *w, double dt, size_t e, int i, size_t q);

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
