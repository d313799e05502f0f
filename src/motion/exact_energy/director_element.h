/* The two-node director element: strains that are functions of quadratic invariants, and the force of a discrete
 * gradient. docs/math/dynamics.md, section "The element".
 *
 * A node carries p (3) and D = [d1 d2 d3] (9 doubles, director after director), both in space components. Strains and
 * stresses are angular first: [kappa; nu], [moment; force]. An element's increments are x = (dp_b - dp_a, phi_a, phi_b),
 * nine numbers in space components, and its force is conjugate to them. */
#ifndef WY_DIRECTOR_ELEMENT_H
#define WY_DIRECTOR_ELEMENT_H

typedef struct wy_director_element {
    double C[6];   /* stiffness, residual bending flexibility included (4.9) */
    double V[6];   /* Kelvin-Voigt viscosity */
    double ref[6]; /* strain of the reference shape, measured by this very element: it is free of stress, exactly */
} wy_director_element;

/* The invariants nu, s, c of one configuration of the element, what follows from them, and the strain (4.5)-(4.7). */
typedef struct wy_director_strain {
    double nu[3], s[3], c, t[3], a[3];
    double eps[6]; /* [kappa; nu^] */
} wy_director_strain;

void wy_director_strain_of(wy_director_strain *y, const double Da[9], const double Db[9], const double dp[3], double h);

/* The stress over a step from strain y0 to y1: C times the mean strain less the reference, plus V times the rate. */
void wy_director_stress(double sigma[6], const wy_director_element *e, const wy_director_strain *y0,
                        const wy_director_strain *y1, double inverse_dt);

/* Force f (9) of the stress sigma, at the configuration Da, Db, dp half way (4.8). */
void wy_director_force(double f[9], const double sigma[6], const wy_director_strain *y0, const wy_director_strain *y1,
                       const double Da[9], const double Db[9], const double dp[3], double h);

/* Derivative K[9 i + j] of the force f_i by the increment x_j of the new configuration Da1, Db1, dp1. `half` is the share
 * of the new configuration in the one where the force acts: 1/2 in a step, 1 in statics (where y0 = y1, Da = Da1 ...).
 * Where the derivative depends on the stress, `lagged` is used: with lagged = sigma it is the exact derivative, with the
 * stress predicted by the last iteration the mixed one. */
void wy_director_tangent(double K[81], const wy_director_element *e, const double lagged[6],
                         const wy_director_strain *y0, const wy_director_strain *y1, const double Da[9],
                         const double Db[9], const double dp[3], const double Da1[9], const double Db1[9],
                         const double dp1[3], double h, double half, double inverse_dt);

/* Change of the stress (to first order) by the increment x of the new configuration. */
void wy_director_stress_change(double dsigma[6], const wy_director_element *e, const wy_director_strain *y1,
                               const double Da1[9], const double Db1[9], const double dp1[3], const double x[9],
                               double h, double half, double inverse_dt);

/* The inverse of the strain: from D_a and eps the D_b and dp = p_b - p_a that have exactly this strain. It exists for
 * every eps, and turns by less than pi over the element. */
void wy_director_integrate(double Db[9], double dp[3], const double Da[9], const double eps[6], double h);

#endif
