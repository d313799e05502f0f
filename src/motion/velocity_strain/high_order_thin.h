/* Static corrections of a clamped-free rod, however thin. */
#ifndef WY_HIGH_ORDER_THIN_H
#define WY_HIGH_ORDER_THIN_H

#include "motion/velocity_strain/high_order.h"

/* Doubles that the solve stores. */
size_t wy_high_order_thin_size(const wy_high_order *m);

/* In: residual forces e (nodes x 8) around the strains xi* + gamma, and the loads' forces `pull` (nodes x 3, body
 * frame). Out: twists of the nodes in e, changes of the strain in x (points x 8). False where the matrix is singular.
 */
bool wy_high_order_thin_solve(double *e, double *x, double *store, const wy_high_order *m, const double *gamma,
                              const double *pull, double length);

#endif
