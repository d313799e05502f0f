/* Configurations of the methods of moving rods that libwithy-lab adds to wy_motion_methods. */
#ifndef WITHY_LAB_METHODS_H
#define WITHY_LAB_METHODS_H

#include <withy/motion.h>

/* Configuration of the method `multi-symplectic-box`, */
typedef struct wy_motion_multi_symplectic_box {
    wy_motion_newton newton;
    double alpha; /* stiffness and inertia of the length of the quaternions, relative to those of the section */
} wy_motion_multi_symplectic_box;

/* ... and of the literal schemes `midpoint-shooting` and `bdf-alpha-shooting`. */
typedef struct wy_motion_midpoint_shooting {
    wy_motion_newton newton;
    bool literal_sign;    /* loads enter with the sign that the source prints */
    bool literal_viscous; /* viscosity enters as a load, with the sign that the source prints */
} wy_motion_midpoint_shooting;
typedef struct wy_motion_bdf_alpha_shooting {
    wy_motion_newton newton;
    double alpha;
} wy_motion_bdf_alpha_shooting;

#endif
