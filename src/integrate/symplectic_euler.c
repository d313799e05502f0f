/* Symplectic Euler with projection, (3.9)-(3.11) of `002`, corrected: (2.11), (2.12) with c = h. */
#include "integrate/constrained.h"

static wy_status symplectic_euler_step(const wy_integrator *self, const void *config, const wy_system *system, double h,
                                       double *y, double *work, wy_step_stats *stats, wy_error *err) {
    (void)self;
    (void)config;
    return wy_constrained_step(false, system, h, y, work, stats, err);
}

const wy_integrator wy_integrator_symplectic_euler = {
    .entry = {.name = "symplectic-euler",
              .alias = "SE",
              .doc = "First order, symplectic; for canonical systems (p, q), whose constraints it keeps."},
    .order = 1,
    .traits = WY_KEEPS_LINEAR | WY_NEEDS_CANONICAL,
    .work_size = wy_constrained_work,
    .step = symplectic_euler_step,
};
