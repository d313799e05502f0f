/* The energy of a rod at rest on director elements of degree 3, its gradient and its second derivative: the second,
 * independent code for equilibria. docs/math/statics.md 5.12. In the units of the model. Internal to the library. */
#ifndef WY_ENERGY_ROD_H
#define WY_ENERGY_ROD_H

#include "element/element_basis.h"
#include "equilibrium/equilibrium_model.h"
#include "system/system.h"

enum { ENERGY_DEGREE = 3, ENERGY_NODES = 4, ENERGY_ELEMENT = 24, ENERGY_POINTS = 3 };

typedef struct energy_rod {
    equilibrium_model *model; /* ends and loads: model->control */
    wy_element_basis basis;
    size_t elements, nodes;
    double h;
    double softest;             /* upper limit of the rigidities of stretch and shear in this model */
    double stiffest;            /* the largest of EI and GJ */
    double frame_stabilisation; /* stiffness k_G of G ... */
    double inner_stabilisation; /* ... and k_H of H */
    double *x, *d;              /* nodes x 3, nodes x 9 (d1, d2, d3 in space) */
    double *section;            /* points x 12: CM, CP, kappa*, nu* */
    double *dead;               /* nodes x 6: loads without a potential, at the last wy_energy_linearise */
    double *g;                  /* nodes x 6 */
    unsigned fixed[2];          /* bits of the constrained degrees of freedom of the first and the last node, ... */
    double axes[2][9];          /* ... along these axes */
    size_t only;                /* 0; or one more than the index of the only load that acts */
    wy_system_matrix *system;   /* second derivative: positive definite, else not solved with */
    void *memory;
} energy_rod;

wy_status wy_energy_rod_create(energy_rod *rod, equilibrium_model *model, size_t elements, wy_error *err);
void wy_energy_rod_free(energy_rod *rod);

/* Takes the ends' constraints from model->control, and moves the ends to their pose targets. */
void wy_energy_rod_constrain(energy_rod *rod);

/* Chooses k_G and k_H for a rod with forces of up to this size (10.25). */
void wy_energy_rod_set_stabilisation(energy_rod *rod, double force);
/* The largest force in the rod, at the Gauss points. */
double wy_energy_force(const energy_rod *rod);

/* The energy, without loads that have no potential. */
double wy_energy_of(const energy_rod *rod);

/* The nodes and elements of the rod as a system, in order; free with wy_system_free. One rod is a system of one;
 * another system (a ring, a frame) takes the same elements: block e is element e, between any nodes. */
wy_status wy_energy_system(wy_system_matrix **out, const energy_rod *rod, wy_system_form form, wy_error *err);
/* Applies the constraints of the rod's ends. */
void wy_energy_system_constrain(wy_system_matrix *system, const energy_rod *rod);

/* Energy, g, and the second derivative of every element added to H, which is cleared first (NULL: not computed);
 * constrained degrees of freedom have no gradient. Saves the loads without a potential in `dead`. */
double wy_energy_linearise(energy_rod *rod, wy_system_matrix *H);
/* The same, without clearing H. */
double wy_energy_add(energy_rod *rod, wy_system_matrix *H, size_t first_block);

/* Moves the nodes by part * p (displacement and rotation of each, constrained degrees of freedom in their axes);
 * returns the work of the dead loads. */
double wy_energy_move(energy_rod *rod, const double *p, double part);

/* The largest rotation of the frame over an element, rad. */
double wy_energy_turn(const energy_rod *rod);

/* The state (P, M, q, x) at s from 0 to 1. */
void wy_energy_state(double y[WY_STATIC_DIM], const energy_rod *rod, double s);

/* ---- energy_loads.c ---- */

/* Adds the loads on element e and returns their energy; g and H (may be NULL) are ENERGY_ELEMENT and its square. `dead`
 * (may be NULL) gets the loads without a potential, added to its nodes, and T (may be NULL), as large as H, their
 * derivative by the nodal motion. */
double wy_energy_loads(const energy_rod *rod, size_t e, double *g, double *H, double *dead, double *T);
double wy_energy_ends(const energy_rod *rod, int end, double *g, double *H, double *dead, double *T);
/* T of an element with its ends, constrained degrees of freedom in their axes. */
void wy_energy_dead_slope(const energy_rod *rod, size_t e, double *T);

/* ---- energy_element.c ---- */

/* The energy of element e; unless NULL its gradient is added to g and its second derivative to H, as above. */
double wy_energy_element(const energy_rod *rod, size_t e, double *g, double *H);
/* (m, n) at its Gauss points. */
void wy_energy_stresses(double stress[ENERGY_POINTS][6], const energy_rod *rod, size_t e);

/* ---- energy_minimise.c ---- */

typedef struct minimise_result {
    int64_t iterations;
    double gradient;  /* the largest remaining component */
    double step;      /* the last Newton step: largest rotation or displacement */
    bool converged;   /* the step is below the tolerance, or at the level of round-off */
    bool stable;      /* the second derivative is positive there, except for symmetries */
    int64_t descents; /* number of saddles left along negative curvature */
} minimise_result;

/* Descends from the present configuration to a minimum of the energy, in at most `most` iterations. */
wy_status wy_energy_minimise(minimise_result *result, energy_rod *rod, double tolerance, int64_t most, wy_error *err);

#endif
