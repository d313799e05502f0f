/* A joint seen from space: the descriptor (withy/rod.h) speaks in the frame of a partner, the solvers in that of space.
 * Internal to the library. */
#ifndef WY_JOINT_H
#define WY_JOINT_H

#include <withy/rod.h>

/* The partner of a joint: its frame, and how that moves, in space. A partner of NULL is the ground. */
typedef struct wy_partner {
    double x[3], D[9];     /* position, and the axes one after another */
    double v[3], omega[3]; /* velocity and angular velocity */
} wy_partner;

/* The constrained components, their axes in space. */
void wy_joint_mask(wy_constraint_mask *mask, const wy_joint *joint, const void *config, const wy_partner *partner);

/* The constrained pose at time t in space, from the initial pose p0, D0 in the partner's frame. */
void wy_joint_pose(double p[3], double D[9], const wy_joint *joint, const void *config, const wy_partner *partner,
                   double t, const double p0[3], const double D0[9]);

/* Adds the wrench on the section, with its derivatives for a partner that keeps its motion; all in space. On the
 * partner acts the opposite force at the same point, and the opposite moment. */
void wy_joint_wrench(wy_wrench *wrench, const wy_joint *joint, const void *config, const wy_partner *partner,
                     const wy_material_point *at);

/* Potential energy of that wrench; NaN: it has none. */
double wy_joint_potential(const wy_joint *joint, const void *config, const wy_partner *partner,
                          const wy_material_point *at);

#endif
