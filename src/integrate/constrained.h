/* Common code of the two methods for constrained Hamiltonian systems:
 *   p' = -H_q(p, q) - G(q)^T lambda,   q' = H_p(p, q),   g(q) = 0. */
#ifndef WY_CONSTRAINED_H
#define WY_CONSTRAINED_H

#include <withy/integrator.h>

size_t wy_constrained_work(const wy_integrator *self, const wy_system *system);

/* `two_halves`: RATTLE; otherwise symplectic Euler. docs/math (2.11), (2.12). */
wy_status wy_constrained_step(bool two_halves, const wy_system *system, double h, double *y, double *work,
                              wy_step_stats *stats, wy_error *err);

#endif
