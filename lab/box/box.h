/* The method `multi-symplectic-box`: the rod in space and time as one multi-symplectic system, on boxes of h x dt.
 * What its files share. docs/math/box.md.
 *
 * u = (x, q) at the nodes: position, and a quaternion whose length is not prescribed (it stays near 1 by itself).
 * Their two momenta are p = dL/d(u_t) and v = dL/d(u_s): of p only the mean over an element matters, of v only that
 * over a step. */
#ifndef WY_BOX_H
#define WY_BOX_H

#include "motion/motion_internal.h"

enum { WY_BOX_U = 7, WY_BOX_LAWS = 8 }; /* numbers of u: x (3), q (4) */

/* The method's part of a state: u at nodes, P at elements, V at nodes (of the last step), and the last step, s. */
typedef struct wy_box_state {
    double *u, *P, *V, *dt;
} wy_box_state;

wy_box_state wy_box_state_of(double *x, const wy_motion *rod);
size_t wy_box_state_size(const wy_motion *rod);
size_t wy_box_work_size(const wy_motion *rod);

/* What an element is made of. K and J have a fourth number, that of the length of q, first. */
typedef struct wy_box_element {
    double J[4], C[4]; /* (j0, rho I1, rho I2, rho J), (c0, EI1, EI2, GJ) */
    double CP[3], rhoA;
    double kappa[4], nu[3]; /* strain without stress, as the box measures it; kappa[0] = 0 */
    double g[3];            /* acceleration of gravity */
} wy_box_element;

void wy_box_element_of(wy_box_element *element, const wy_motion *rod, size_t e);

/* A point of a box: u, u_t, u_s there ... */
typedef struct wy_box_point {
    double u[WY_BOX_U], t[WY_BOX_U], s[WY_BOX_U];
} wy_box_point;
/* ... and p, v and F = dL/du there. Also what their derivative needs. */
typedef struct wy_box_forces {
    double p[WY_BOX_U], v[WY_BOX_U], F[WY_BOX_U];
    double unit[4], r[4], inverse[4];                    /* q/|q|, q/|q|^2, 1/q */
    double omega[4], Pi[4], kappa[4], M[4], nu[3], n[3]; /* velocity, momentum, strain, stress in the body */
} wy_box_forces;

void wy_box_evaluate(wy_box_forces *out, const wy_box_element *element, const wy_box_point *at);

/* The change (dp, dv, dF) for a change of the point. */
void wy_box_change(double dp[WY_BOX_U], double dv[WY_BOX_U], double dF[WY_BOX_U], const wy_box_element *element,
                   const wy_box_forces *at, const wy_box_point *change);

/* The energy density e(u, p, u_s), and (u, v, u_t) -> g = <v, u_s> - L, the flux of momentum along the rod. */
double wy_box_energy_density(const wy_box_element *element, const double u[WY_BOX_U], const double p[WY_BOX_U],
                             const double us[WY_BOX_U], double *kinetic, double *strain);
double wy_box_momentum_flux(const wy_box_element *element, const double u[WY_BOX_U], const double v[WY_BOX_U],
                            const double ut[WY_BOX_U]);

wy_status wy_box_step(const wy_motion *rod, double *x, double *work, double dt, const wy_motion_step_options *options,
                      wy_error *err);

/* What is left of the local laws in the box of element e between two states one step apart (whole states: head and
 * all), and how large the terms in them are. For rods on which nothing but gravity acts between its ends. The atlas
 * asks for them too. */
typedef struct wy_box_laws {
    double energy, momentum;    /* (1.4): e_t + f_s and i_t + g_s */
    double force[3], moment[3]; /* of linear and angular momentum */
    double energy_size, momentum_size, force_size, moment_size;
} wy_box_laws;
void wy_box_local_laws(wy_box_laws *laws, const wy_motion *rod, const double *before, const double *after, size_t e);

/* Carries variations along with a step that was taken. In: `du` (nodes x 7) and `dP` (elements x 7) at its start;
 * out: the same at its end, and `dV` (nodes x 7) in between. False where the equations of the step are singular. */
bool wy_box_vary(const wy_motion *rod, const double *before, const double *after, double *du, double *dP, double *dV,
                 double *work);

extern const wy_param wy_box_params[];

#endif
