/* Rods of `gauss-director` that share nodes and step together. docs/math/motion.md, "Rods that share nodes". */
#ifndef WY_GAUSS_NETWORK_H
#define WY_GAUSS_NETWORK_H

#include "motion/gauss_director/gauss_stepping.h"
#include "motion/motion_assembly.h"
#include "system/system.h"

/* Scratch of the steps of an assembly. */
typedef struct wy_gauss_network {
    const wy_motion_assembly *assembly;
    wy_gauss_run *run;           /* of each rod */
    wy_gauss *fallback;          /* of each rod: the model with dissipative stages */
    wy_gauss_stepping *stepping; /* of each rod */
    wy_system_matrix *system[2]; /* of the kept nodes, for a real root and for a complex one: six unknowns, or twelve */
    double *rhs;                 /* of the kept nodes */
    void *memory;
} wy_gauss_network;

void wy_gauss_network_start_of_end(double start[18], const wy_motion *rod, int end);
void wy_gauss_take_inertia(double *mass, double inertia[3], wy_motion *rod, int end);
wy_status wy_gauss_make_body(wy_motion *rod, double mass, const double inertia[3], const double start[18],
                             wy_error *err);
wy_status wy_gauss_network_create(void **out, const wy_motion_assembly *assembly, wy_error *err);
void wy_gauss_network_free(void *network);
wy_status wy_gauss_network_step(void *network, double *const *x, double *const *work, double dt, wy_error *err);

/* ---- for the step that k leads ---- */

/* Factors of the kept nodes at the factors of the rods; false: singular. */
bool wy_gauss_network_factor(wy_gauss_stepping *k, double dt);
/* Between the way out and the way back along the rods: the corrections of the kept nodes. */
void wy_gauss_network_solve(wy_gauss_stepping *k);
/* All ends at a kept node have the velocities of the end that leads it; after a step also its position and frame. */
void wy_gauss_network_tie_rates(wy_gauss_stepping *k);
void wy_gauss_network_tie_nodes(wy_gauss_stepping *k);
/* Whether another end or a body is at the node of an end. */
bool wy_gauss_network_is_joined(const wy_gauss_stepping *rod, int end);
/* Adds to the residual of an end what the other rods that meet it there have at the stage. */
void wy_gauss_network_add_residuals(double r[6], const wy_gauss_stepping *rod, int end, double dt, int stage);

#endif
