/* Runge-Kutta methods from their tableau: the explicit and the implicit step. */
#ifndef WY_RUNGE_KUTTA_H
#define WY_RUNGE_KUTTA_H

#include <withy/integrator.h>

/* z_{n+1} = z_n + h sum b_i K_i,  K_i = f(z_n + h sum a_ij K_j).        (table 3.1 of `002`) */
typedef struct wy_tableau {
    size_t stages;
    const double *a; /* stages x stages, row major */
    const double *b;
} wy_tableau;

/* Steps of integrators that are defined by a tableau, which is their `data`. */
size_t wy_explicit_rk_work(const wy_integrator *self, const wy_system *system);
wy_status wy_explicit_rk_step(const wy_integrator *self, const void *config, const wy_system *system, double h,
                              double *y, double *work, wy_step_stats *stats, wy_error *err);

size_t wy_implicit_rk_work(const wy_integrator *self, const wy_system *system);
wy_status wy_implicit_rk_step(const wy_integrator *self, const void *config, const wy_system *system, double h,
                              double *y, double *work, wy_step_stats *stats, wy_error *err);

/* Their tangents. */
size_t wy_explicit_rk_tangent_work(const wy_integrator *self, const wy_system *system, size_t columns);
wy_status wy_explicit_rk_tangent(const wy_integrator *self, const void *config, const wy_system *system, double h,
                                 double *y, double *D, size_t columns, double *work, wy_step_stats *stats,
                                 wy_error *err);
size_t wy_implicit_rk_tangent_work(const wy_integrator *self, const wy_system *system, size_t columns);
wy_status wy_implicit_rk_tangent(const wy_integrator *self, const void *config, const wy_system *system, double h,
                                 double *y, double *D, size_t columns, double *work, wy_step_stats *stats,
                                 wy_error *err);

#endif
