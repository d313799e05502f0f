/* Integrals over mode shapes: modal masses, and the gyroscopic coupling of a spinning rod. Internal to src/branches. */
#ifndef WY_MODAL_H
#define WY_MODAL_H

#include <withy/branches.h>

/* A node of the mesh as a point of a quadrature rule, and the mass of the section there. */
typedef struct modal_point {
    size_t node;
    double weight;                  /* m; bodies: 1 */
    double rhoA, water, inertia[3]; /* water: added mass across d3 */
} modal_point;

typedef struct modal_sums {
    size_t count; /* of points */
    modal_point *points;
    double *mass; /* of each mode, kg m^2: int rhoA L^2 |u|^2 + phi.R rhoI R^T phi, water and bodies too */
} modal_sums;

typedef enum modal_rule { MODAL_SIMPSON, MODAL_TRAPEZOID } modal_rule;

/* By Simpson's rule over pairs of elements with every `stride`-th node, or by the trapezoidal rule, whose weights
 * are smooth, as loads need. Free with wy_modal_sums_free. */
wy_status wy_modal_sums_create(modal_sums *sums, const wy_mode_table *table, const wy_rod_definition *rod,
                               modal_rule rule, size_t stride, wy_error *err);
void wy_modal_sums_free(modal_sums *sums);

/* G_kl = int rhoJ d3.(phi_k x phi_l)/sqrt(m_k m_l): count x count of the table, skew. */
void wy_modal_gyroscopic(double *G, const modal_sums *sums, const wy_mode_table *table);

/* The moments rhoJ phi x d3 of rotations (nodes x 6) on the nodes, added to `loads` (nodes x 6) times `factor`. */
void wy_modal_gyroscopic_moments(double *loads, double factor, const double *x, const modal_sums *sums,
                                 const wy_mode_table *table);

/* d3.(a x b) at a node with the quaternion q. */
double wy_modal_about(const double q[4], const double a[3], const double b[3]);

/* The node nearest to an arc length. */
size_t wy_modal_nearest(const double *s, size_t nodes, double at);

#endif
