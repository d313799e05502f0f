/* The linearised equations of a static rod, element by element, and their assembly: shared by stability, modes and
 * harmonic response. docs/math/branches.md (8.5)-(8.9). Internal to src/equilibrium. */
#ifndef WY_EQUILIBRIUM_VARIATION_H
#define WY_EQUILIBRIUM_VARIATION_H

#include "equilibrium/equilibrium_stability.h"

enum { VARIATION = 12, HALF = 6, STAGES = 3, MASSES = 5 };

struct equilibrium_stability {
    size_t nodes, symmetries;
    wy_chain H, M, probe;         /* probe: the dynamic stiffness at a second mu, from which M follows */
    double *modes;                /* symmetries x nodes x 13, then x 6 */
    double *zero;                 /* symmetries x nodes x 6, in the scaled variables of the chain */
    double *heavy;                /* the mass matrix times them */
    double *work, *x, *y, *scale; /* scale: of each node's displacement */
    double asymmetry;
    double tiny;           /* round-off of a zero eigenvalue, in EI/(rho A L^4) */
    bool has_mass, coarse; /* coarse: an element may have a conjugate point inside it */
    double wave;           /* the largest phase of a buckling wave over an element */
    double edge[2][36];    /* couples the ends to their neighbour nodes, before the constraints are applied */
};

typedef struct gauss {
    size_t stages;
    const double *a, *b, *c;
    const wy_bvp_solver *of; /* owner of the stages */
} gauss;
gauss wy_variation_gauss(const wy_bvp_solver *collocation, double a[STAGES * STAGES]);

/* The matrix of (8.5) in the order (phi, u, dm, dn). `mass` is (rhoI1, rhoI2, rhoJ, rhoA, added mass across d3), K the
 * derivative of the loads (NULL: none). The matrix is affine in compliances, mu and K: with `rest` false the result is
 * its linear part, at the same state. */
void wy_variation_field(double *A, const equilibrium_coefficients *p, const double inv_CM[3], const double inv_CP[3],
                        const double *K, const double *y, const double mass[MASSES], double mu, bool rest);

/* Mass of the section at s in units of rhoA at s = 0 and L; for a section without mass, that of a material of density
 * one: rhoI = EI/EA. */
void wy_variation_mass(double mass[MASSES], const equilibrium_model *m, const equilibrium_coefficients *p, double s,
                       size_t element, const double *y);

/* The propagator S (12 x 12) of (8.5) over element e, and the stiffness between its ends (8.6); false if singular. */
bool wy_variation_propagate(double S[VARIATION * VARIATION], const equilibrium_model *m, const gauss *g,
                            const double *y, size_t e, double mu);
bool wy_variation_stiffness(double Kaa[36], double Kba[36], double Kbb[36], const double S[VARIATION * VARIATION],
                            double *asymmetry);

/* For the assembled matrix: the scales of displacements; the constraints, with `diagonal` on the diagonal of a
 * constrained variation; springs at an end; rigid bodies, -centre times their mass into H, and `into_M` times it into
 * M. */
void wy_variation_scales(equilibrium_stability *s, const equilibrium_model *m);
void wy_variation_constrain(wy_chain *H, size_t node, const equilibrium_end *end, double diagonal);
void wy_variation_spring(wy_chain *H, const equilibrium_stability *s, size_t node, const equilibrium_model *m,
                         const equilibrium_end *end, const double *y);
void wy_variation_add_bodies(equilibrium_stability *s, const equilibrium_model *m, const double *y, double centre,
                             double into_M);

/* Assembles H at mu = `centre`, and with `mass` M. */
wy_status wy_variation_assemble(equilibrium_stability *s, const equilibrium_model *m, const wy_bvp_solver *collocation,
                                const double *y, double centre, bool mass, wy_error *err);

#endif
