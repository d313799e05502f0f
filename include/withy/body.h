/* The rigid body: angular momentum M in body components and orientation q, free or under a torque. docs/math, chapter
 * "Body". */
#ifndef WITHY_BODY_H
#define WITHY_BODY_H

#include <withy/integrator.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_body {
    double inertia[3]; /* principal moments of inertia, kg m^2, positive */
    /* the Hamiltonian form's regularising number, kg m^2, not zero; its value does not affect the motion. 0: the mean
     * of the moments of inertia */
    double alpha;
} wy_body;

/* y = (M, q): seven components, M' = M x I^-1 M, q' = 1/2 q (0, I^-1 M). Both blocks are spheres. The system points to
 * `body`, which must outlive it. */
WY_API wy_system wy_body_quaternion_system(const wy_body *body);

/* y = (M, q, T, T'): thirteen components, the same body under a torque T in body components that grows at the rate
 * T': M' = M x I^-1 M + T, T'' = 0. The torque of a step is written into y before it; the tangent of the step then
 * has the derivative by the torque in the columns of T and T'. No block is a sphere. */
WY_API wy_system wy_body_driven_system(const wy_body *body);

/* y = (p, q): eight components, the canonical form (2.12)-(2.13) of `002`, with p = 2 q (0, M). */
WY_API wy_system wy_body_hamiltonian_system(const wy_body *body);

/* (p, q) from (M, q), and (M, q) from (p, q). Outputs may alias inputs. */
WY_API void wy_body_to_hamiltonian(double pq[8], const double Mq[7]);
WY_API void wy_body_from_hamiltonian(double Mq[7], const double pq[8]);

/* Kinetic energy 1/2 M.I^-1 M, J. */
WY_API double wy_body_energy(const wy_body *body, const double M[3]);

/* The angular momentum in space, m = R(q) M, constant without torque. */
WY_API void wy_body_spatial_momentum(double m[3], const double Mq[7]);

#ifdef __cplusplus
}
#endif

#endif
