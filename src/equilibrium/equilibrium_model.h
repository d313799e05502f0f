/* The static rod in scaled units: lengths in L, forces in scale EI/L^2, moments in scale EI/L. Every number of the
 * solver is then of order one, for a riser as for a hair. Internal to the library. */
#ifndef WY_EQUILIBRIUM_MODEL_H
#define WY_EQUILIBRIUM_MODEL_H

#include <withy/equilibrium.h>

#include "base/lab_api.h"
#include "rod/rod_definition.h"
#include "solve/bvp.h"

#define WY_STATIC_POINT_WIDTH 1e-5 /* length over which a force on a point is spread, relative to L */

/* The part of the rod on which a load acts, s from 0 to 1. A load on a point is spread over WY_STATIC_POINT_WIDTH about
 * it, so that it has an element of its own and the state is continuous: force and first moment are exact, the error of
 * the second moment is 1e-11. */
typedef struct equilibrium_load_span {
    double from, until;
    double per; /* factor of its wrench: 1, or 1/length of that piece in 1/m */
    int end;    /* the end on which a load on a point acts: 0 or 1; -1: along the rod */
} equilibrium_load_span;

/* A copy of a definition, with derived data. */
typedef struct equilibrium_rod {
    wy_rod_definition def;
    wy_arena *arena;
    size_t given;                  /* loads of the definition; after them, in def.loads, the weights of its bodies */
    equilibrium_load_span *span;   /* of each load */
    wy_pose_target pose_target[2]; /* of its constrained ends */
} equilibrium_rod;

/* Copies and checks a definition for statics. Free with wy_equilibrium_rod_free. */
wy_status wy_equilibrium_rod_create(equilibrium_rod **rod, const wy_rod_definition *definition, const char **part,
                                    wy_error *err);
void wy_equilibrium_rod_free(equilibrium_rod *rod);

/* The definition without the added loads, to create another rod from. */
static inline wy_rod_definition wy_equilibrium_rod_given(const equilibrium_rod *rod) {
    wy_rod_definition d = rod->def;
    d.loads.count = rod->given;
    return d;
}

/* A force law of an end that varies with its position or orientation, evaluated at the state of the end and
 * multiplied by `weight`. */
typedef struct equilibrium_end_law {
    const wy_joint *end;
    const void *config;
    double weight;
} equilibrium_end_law;

/* One end in rod units. The target orientation of a constrained end is orientation * (cos twist/2, 0, 0, sin twist/2),
 * sign included: q and -q are different ends of the double cover. */
typedef struct equilibrium_end {
    unsigned constrains;           /* WY_CONSTRAINS_... */
    wy_constraint_mask constraint; /* the same by component, for ends with some components constrained */
    double position[3], orientation[4], twist;
    double force[3], moment[3];           /* in space components, on the unconstrained components */
    double body_force[3], body_moment[3]; /* in components of the section */
    equilibrium_end_law law[2];
} equilibrium_end;

/* Loads of up to two rods at once, with weights: a point of the homotopy from one to the other. */
typedef struct equilibrium_loads {
    const equilibrium_rod *of[2];
    double weight[2];
} equilibrium_loads;

/* Everything that a continuation may change, in rod units. */
typedef struct equilibrium_control {
    equilibrium_end left, right;
    equilibrium_loads load;
} equilibrium_control;

typedef struct equilibrium_model {
    equilibrium_rod *rod;
    double L, force, moment;              /* the units */
    double scale;                         /* of the force in EI/L^2: 1, and more for a cable */
    bool uniform;                         /* section and unstressed strain are the same everywhere */
    bool straight;                        /* ... without curvature or shear when unstressed */
    bool wound;                           /* the unstressed rod turns by more than one turn, as a coil spring does */
    bool round;                           /* symmetric to rotation of the section about d3 */
    double CM[3], CP[3], kappa[3], nu[3]; /* of a uniform rod; of another one those at s = 0 */
    double stiffest, stiffest_axial;      /* largest of CP, and of CP3, anywhere */
    double softest;                       /* smallest of CM1 and CM2 anywhere */
    double rhoA;                          /* at s = 0, kg/m */
    size_t pieces;                        /* between points where a property or load jumps or has a kink */
    double *breaks, *breaks_si;           /* pieces + 1, s from 0 to 1, and in m */
    size_t elements;
    double *s;     /* elements + 1 nodes in rod units */
    size_t *piece; /* of each element */
    bool literal;  /* as in equilibrium_coefficients */
    equilibrium_control control;
    size_t most_symmetries; /* of a solution: WY_BVP_SYMMETRIES, less if one hardly moves the solution */
    double ring_homotopy;   /* 1; less during the homotopy of a ring, from 0: a round rod, straight when unstressed */
    double ratio; /* present length in L: 1 unless a continuation changes the length; s always runs from 0 to 1 */
    /* The rod at a smaller and a larger value of a continuation's parameter, `span` apart; NULL: nothing is varied. */
    struct equilibrium_model *before, *after;
    double span;
} equilibrium_model;

WY_LAB_API wy_status wy_equilibrium_model_create(equilibrium_model **model, const wy_rod_definition *definition,
                                                 size_t elements, wy_error *err);
WY_LAB_API void wy_equilibrium_model_free(equilibrium_model *model);

/* The softest bending rigidity, relative to the unit of the model; at most 1, and 1 where the rod is round and
 * uniform. */
double wy_equilibrium_model_softness(const equilibrium_model *m);

/* Makes the units of force and moment `scale` times larger. */
void wy_equilibrium_model_rescale(equilibrium_model *model, double scale);

/* Replaces the rod by another one with jumps at the same points; units and mesh stay. */
wy_status wy_equilibrium_model_set(equilibrium_model *model, const wy_rod_definition *definition, wy_error *err);

/* Memory for meshes of up to `most` elements; moves s and piece. */
wy_status wy_equilibrium_model_reserve(equilibrium_model *model, size_t most, wy_error *err);

/* Replaces the mesh, within the reserved memory. `piece` is the piece between jumps on which each element lies. */
void wy_equilibrium_model_mesh(equilibrium_model *model, size_t elements, const double *s, const size_t *piece);

/* Ends and loads of a rod in the model's units; orientations are normalised. The rod must outlive the control. */
equilibrium_control wy_equilibrium_model_control(const equilibrium_model *model, const equilibrium_rod *rod);

/* Interpolates between a (t = 0) and b (t = 1): linear, orientations along the shortest rotation. */
equilibrium_control wy_equilibrium_control_between(const equilibrium_control *a, const equilibrium_control *b,
                                                   double t);

/* Removes all loads; constraints stay. */
void wy_equilibrium_control_unload(equilibrium_control *control);

/* The target orientation of a constrained end. */
WY_LAB_API void wy_equilibrium_end_target(double q[4], const equilibrium_end *end);

/* Whether some but not all displacements (half 0) or rotations (half 1) of an end are constrained. */
static inline bool equilibrium_end_is_partial(const equilibrium_end *end, int half) {
    const unsigned bits = end->constraint.components >> (3 * half) & 7U;
    return bits != 0 && bits != 7U;
}

static inline bool equilibrium_end_constrains(const equilibrium_end *end, unsigned what) {
    return (end->constrains & what) == what;
}

/* Whether loads or end forces act at all, and whether all of them have a potential. */
WY_LAB_API bool wy_equilibrium_control_loaded(const equilibrium_control *control);
bool wy_equilibrium_is_conservative(const equilibrium_model *model);

/* Potential of the loads per length at s, on the element, at the state y, in rod units. */
double wy_equilibrium_model_load_potential(const equilibrium_model *model, size_t element, double s, const double *y);
/* ... and of what acts on an end. */
double wy_equilibrium_model_end_potential(const equilibrium_model *model, int end, const double *y);

/* The element that contains s. */
size_t wy_equilibrium_model_element(const equilibrium_model *model, double s);
/* Integrates the pose (q, x) of the unstressed rod from s to s + length: eight midpoint steps, accurate enough for a
 * start. */
void wy_equilibrium_model_unstressed(double q[4], double x[3], const equilibrium_model *model, double s, double length);

/* The boundary-value problem of the model with its present control; 7 left rows (|q| = 1 among them), 6 right rows. */
wy_bvp wy_equilibrium_model_bvp(const equilibrium_model *model);

/* Converts states between rod units and SI. */
WY_LAB_API void wy_equilibrium_model_to_si(double *out, const equilibrium_model *model, const double *y, size_t count);
void wy_equilibrium_model_from_si(double *out, const equilibrium_model *model, const double *y, size_t count);

/* (5.1) and its derivative in any consistent units. `f` and `c` are the space loads per unit length at this point. */
typedef struct equilibrium_coefficients {
    double inv_CM[3], inv_CP[3], kappa[3], nu[3], f[3], c[3], f_body[3], c_body[3];
    bool literal; /* x' with the Euler-Rodrigues map (1.7) as printed, for |q| != 1 too */
    bool varies;  /* the loads depend on position or orientation: */
    double K[36]; /* derivative of (c, f) by (rotation, displacement) */
} equilibrium_coefficients;
/* The coefficients at s on `element`, with the loads at the state y. */
equilibrium_coefficients wy_equilibrium_model_coefficients(const equilibrium_model *model, double s, size_t element,
                                                           const double *y);
/* Viscosity (kappa, nu) and the derivative of the loads by the velocities (omega, v/L) at s, in seconds times the units
 * of rigidities and loads. */
void wy_equilibrium_model_damping(double viscosity[6], double C[36], const equilibrium_model *model, double s,
                                  size_t element, const double *y);
/* The derivative of an end's wrench by its velocities (omega, v/L), in seconds times the units of the wrench. */
void wy_equilibrium_end_damping(double C[36], const equilibrium_model *model, int end, const double *y);
/* equilibrium_loads.c: adds those loads; converts an end of a rod. */
void wy_equilibrium_model_add_loads(equilibrium_coefficients *coefficients, const equilibrium_model *model, double s,
                                    size_t element, const double *y);
equilibrium_end wy_equilibrium_model_end(const equilibrium_model *model, const equilibrium_rod *rod, int end);
/* Forces and moments of the loads, in space and in the section's frame, in rod units; `depend` gets the bits of the
 * variables on which one depends. Returns how many. */
typedef struct equilibrium_load_direction {
    double space[3], body[3];
} equilibrium_load_direction;
size_t wy_equilibrium_load_directions(equilibrium_load_direction *out, size_t most, unsigned *depend,
                                      const equilibrium_model *model, const equilibrium_loads *loads);
/* The section at s, SI. */
wy_section wy_equilibrium_model_section(const equilibrium_model *model, double s, size_t element);
void wy_equilibrium_model_field(double dy[13], const equilibrium_coefficients *coefficients, const double y[13]);

/* equilibrium_chart.c: the canonical variables (n, v, q, x) in which collocation works. docs/math/statics.md
 * (5.34)-(5.36). */
enum { WY_STATIC_CHART = 14, WY_STATIC_CHART_V = 3, WY_STATIC_CHART_Q = 7, WY_STATIC_CHART_X = 11 };
void wy_equilibrium_to_chart(double *z, double *A, const double *y);
void wy_equilibrium_from_chart(double *y, const double *z);
void wy_equilibrium_from_chart_jacobian(double *B, const double *z);
void wy_equilibrium_chart_field(double *dz, const equilibrium_coefficients *coefficients, const double *z);
void wy_equilibrium_chart_jacobian(double *J, const equilibrium_coefficients *coefficients, const double *z);

void wy_equilibrium_model_jacobian(double J[169], const equilibrium_coefficients *coefficients, const double y[13]);

/* The wrench on an end at the state y, without reactions, in rod units: force and moment in space, in the section's
 * frame, and (K may be NULL) the derivative of those in space by (rotation, displacement). */
void wy_equilibrium_end_wrench(double space[6], double body[6], double *K, const equilibrium_model *model,
                               const equilibrium_end *end, const double *y);

/* R(q) v = q v q* and R(q)^T v, for any |q|, and their derivatives by q (3 x 4, row major). */
WY_LAB_API void wy_equilibrium_rotate(double w[3], const double q[4], const double v[3]);
WY_LAB_API void wy_equilibrium_rotate_back(double w[3], const double q[4], const double v[3]);
WY_LAB_API void wy_equilibrium_rotate_dq(double D[12], const double q[4], const double v[3]);
WY_LAB_API void wy_equilibrium_rotate_back_dq(double D[12], const double q[4], const double v[3]);
/* The rotation of a change of q, 3 x 4: phi = 2 Im(dq q*)/|q|^2. */
void wy_equilibrium_turn_dq(double T[12], const double q[4]);

/* equilibrium_ends.c: end conditions and symmetries. */
void wy_equilibrium_left_rows(double *r, double *B, const double *y, const void *model);
WY_LAB_API void wy_equilibrium_right_rows(double *r, double *B, const double *y, const void *model);
WY_LAB_API size_t wy_equilibrium_symmetries(double *phase, double *redundant, const double *y, const void *model);
/* Changes of the state along each symmetry that acts on the solution: modes x nodes x 13. Returns how many. */
size_t wy_equilibrium_symmetry_modes(double *modes, const double *y, const equilibrium_model *model);
/* The symmetries of the control: at most 7 generators (w, a, g), orthonormal. Returns how many. */
size_t wy_equilibrium_control_symmetries(double generators[7][7], const equilibrium_model *model,
                                         const equilibrium_control *control);
/* Whether the two ends have one common pose target, on a uniform rod without load. */
bool wy_equilibrium_is_closed(const equilibrium_model *model, const equilibrium_control *control);
/* Whether both ends are clamped on one axis, with no load that prefers a direction about it. */
bool wy_equilibrium_control_coaxial(const equilibrium_model *model, const equilibrium_control *control);

#endif
