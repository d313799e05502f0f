/* The motion of an assembly as a scenario describes it: models of its rods, the nodes that they share, states. */
#ifndef WY_ASSEMBLY_MOTION_H
#define WY_ASSEMBLY_MOTION_H

#include "motion/motion_assembly.h"

typedef struct wy_assembly_motion {
    size_t rod_count, body_count;
    wy_motion **rod;
    wy_motion_assembly *assembly;
    size_t *body_member;      /* of each body: its number among the members */
    double (*body_arm)[3];    /* of its centre of mass from its node, along the node's directors, m */
    double (*body_frame)[4];  /* its axes in those of the node, a quaternion */
    wy_motion_state **state;  /* of each member */
    wy_motion_assembly_work *work;
} wy_assembly_motion;

/* Models and states, started. `coarser`: by how much the elements are longer; 1: as the definition says. `key` as in
 * wy_assembly_resolve. Names and definitions live in the assembly. */
wy_status wy_assembly_motion_open(wy_assembly_motion *motion, const wy_assembly *assembly, const wy_choice *method,
                                  int64_t coarser, wy_error *err);
void wy_assembly_motion_close(wy_assembly_motion *motion);

/* Position, orientation (quaternion, body to space), velocity (omega, v in the frame of the body) of a body's centre of
 * mass. */
void wy_assembly_body_read(double x[3], double q[4], double velocity[6], const wy_assembly_motion *motion,
                           size_t body);

#endif
