/* RATTLE, (3.12)-(3.15) of `002`, corrected: (2.11), (2.12) with c = h/2. Without a constraint it is the
 * Stoermer-Verlet method. */
#include "integrate/constrained.h"

static wy_status rattle_step(const wy_integrator *self, const void *config, const wy_system *system, double h,
                             double *y, double *work, wy_step_stats *stats, wy_error *err) {
    (void)self;
    (void)config;
    return wy_constrained_step(true, system, h, y, work, stats, err);
}

const wy_integrator wy_integrator_rattle = {
    .entry = {.name = "rattle",
              .alias = "RM",
              .doc = "Second order, symmetric, symplectic; for canonical systems (p, q), whose constraints it keeps."},
    .order = 2,
    .traits = WY_KEEPS_LINEAR | WY_SYMMETRIC | WY_NEEDS_CANONICAL,
    .work_size = wy_constrained_work,
    .step = rattle_step,
};
