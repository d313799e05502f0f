/* The method `velocity-strain`, p = 1: what its files share. docs/math/dynamics.md, "Velocity and strain". */
#ifndef WY_VELOCITY_STRAIN_H
#define WY_VELOCITY_STRAIN_H

#include "motion/motion_internal.h"

/* The method's part of a state: eta (nodes x 6) and xi (elements x 6) in the body frame, and poses that are stepped along:
 * q (nodes x 4), p (nodes x 3). */
typedef struct wy_vs_state {
    double *eta, *xi, *q, *p;
} wy_vs_state;

wy_vs_state wy_vs_state_of(double *x, const wy_motion *rod);
size_t wy_vs_state_size(const wy_motion *rod);
size_t wy_vs_work_size(const wy_motion *rod);

/* Length that belongs to node j: Gauss-Lobatto, p = 1. */
static inline double wy_vs_share(const wy_motion *rod, size_t j) {
    return j == 0 || j + 1 == rod->nodes ? 0.5 * rod->h : rod->h;
}

/* Is node j clamped? */
static inline bool wy_vs_held(const wy_motion *rod, size_t j) {
    return (j == 0 && rod->ends[0]->holds) || (j + 1 == rod->nodes && rod->ends[1]->holds);
}

wy_status wy_vs_step(const wy_motion *rod, double *x, double *work, double dt, wy_error *err);

/* Degree 1, order 2, with any load and a taper. */
extern const wy_motion_method wy_velocity_strain_general;

#endif
