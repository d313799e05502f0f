/* The motion of an assembly as a scenario describes it: models of its rods and bodies, states, steps. What is joined,
 * directly or by others, is a part: parts know nothing of each other, and a rod by itself steps as one rod does. */
#ifndef WY_ASSEMBLY_MOTION_H
#define WY_ASSEMBLY_MOTION_H

#include "motion/motion_assembly.h"

/* What shares nodes; `assembly` is NULL for a rod by itself. */
typedef struct wy_assembly_part {
    wy_motion_assembly *assembly;
    wy_motion_assembly_work *work;
    wy_motion_work *work_of_one;
    size_t count;            /* members: rods, then bodies */
    wy_motion_state **state; /* of each member: of those of the whole */
} wy_assembly_part;

typedef struct wy_assembly_motion {
    size_t rod_count, body_count, part_count;
    wy_motion **rod;
    const wy_motion **body;
    wy_motion_state **state; /* of each rod, then of each body */
    wy_assembly_part *part;
    double (*body_arm)[3];   /* of its centre of mass from its node, along the node's directors, m */
    double (*body_frame)[4]; /* its axes in those of the node, a quaternion */
} wy_assembly_motion;

/* Models and states, started. `coarser`: by how much the elements are longer; 1: as the definition says. Names and
 * definitions live in the assembly. */
wy_status wy_assembly_motion_open(wy_assembly_motion *motion, const wy_assembly *assembly, const wy_choice *method,
                                  int64_t coarser, wy_error *err);
void wy_assembly_motion_close(wy_assembly_motion *motion);

wy_status wy_assembly_motion_step(wy_assembly_motion *motion, double dt, wy_error *err);

/* Sums; `largest` is the sum of the largest energies of the parts. Angular momentum about the origin. */
void wy_assembly_motion_energies(wy_motion_energy *energy, const wy_assembly_motion *motion);
void wy_assembly_motion_momenta(double linear[3], double angular[3], const wy_assembly_motion *motion);
/* What the steps took, and the energy that dissipative ones took. */
void wy_assembly_motion_statistics(wy_motion_stats *stats, double *fallback_energy, const wy_assembly_motion *motion);

/* Position, orientation (quaternion, body to space), velocity (omega, v in the frame of the body) of a body's centre of
 * mass. */
void wy_assembly_body_read(double x[3], double q[4], double velocity[6], const wy_assembly_motion *motion, size_t body);

#endif
