/* The static rod in its own units: lengths in L, forces in EI/L^2, moments in EI/L, so that every number of the solver
 * is of order one whether the rod is a riser or a hair. Internal to src/equilibrium. */
#ifndef WY_EQUILIBRIUM_MODEL_H
#define WY_EQUILIBRIUM_MODEL_H

#include <withy/equilibrium.h>

#include "rod/rod_definition.h"
#include "solve/bvp.h"

#define WY_STATIC_POINT_WIDTH 1e-5 /* of the rod: over how much a force at one place is spread */

/* The part of the rod on which a load acts, s from 0 to 1. A load at one place is spread over a thousandth of a percent of the
 * rod about it (force and first moment are right, the second moment is off by 1e-11), so that it has an element of its own and
 * the state is continuous. */
typedef struct equilibrium_load_span {
    double from, until;
    double per; /* what its wrench is multiplied by: 1, or 1/length of that piece in 1/m */
    int end;    /* a load at a place that is an end acts there: 0 or 1; -1: along the rod */
} equilibrium_load_span;

/* A definition that was copied, and what follows from it. */
typedef struct equilibrium_rod {
    wy_rod_definition def;
    wy_arena *arena;
    size_t given;                  /* loads of the definition; after them, in def.loads, the weights of its bodies */
    equilibrium_load_span *span;   /* of each load */
    wy_pose_target pose_target[2]; /* where its ends are held */
} equilibrium_rod;

/* Copies and checks a definition for statics. Free with wy_equilibrium_rod_free. */
wy_status wy_equilibrium_rod_create(equilibrium_rod **rod, const wy_rod_definition *definition, const char **part,
                                    wy_error *err);
void wy_equilibrium_rod_free(equilibrium_rod *rod);

/* The definition without what was added to it, to make another rod from. */
static inline wy_rod_definition wy_equilibrium_rod_given(const equilibrium_rod *rod) {
    wy_rod_definition d = rod->def;
    d.loads.count = rod->given;
    return d;
}

/* A law of force on an end that varies with its place or turn, asked where the end is; `weight` of it acts. */
typedef struct equilibrium_end_law {
    const wy_end *end;
    const void *config;
    double weight;
} equilibrium_end_law;

/* One end in rod units. The target orientation of a held end is orientation * (cos twist/2, 0, 0, sin twist/2), sign
 * included: q and -q are different ends of the double cover. */
typedef struct equilibrium_end {
    unsigned constrains;           /* WY_HOLDS_... */
    wy_constraint_mask constraint; /* the same by component, for ends of which some are held */
    double position[3], orientation[4], twist;
    double force[3], moment[3];           /* in space components, on what is not held */
    double body_force[3], body_moment[3]; /* in those of the section */
    equilibrium_end_law law[2];
} equilibrium_end;

/* Loads of up to two rods at once, on the way from one to the other. */
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
    double scale;                         /* of the force in EI/L^2: 1, and more for a line */
    bool uniform;                         /* section and unstressed strain are the same everywhere */
    bool straight;                        /* ... without curvature or shear when unstressed */
    bool wound;                           /* it turns by more than once when unstressed, as a spring does */
    bool round;                           /* a turn of the section about d3 changes nothing */
    double CM[3], CP[3], kappa[3], nu[3]; /* of a uniform rod; of another one those at s = 0 */
    double stiffest, stiffest_axial;      /* largest of CP, and of CP3, anywhere */
    double softest;                       /* smallest of CM1 and CM2 anywhere */
    double rhoA;                          /* at s = 0, kg/m */
    size_t pieces;                        /* between places where anything jumps or has a kink */
    double *breaks, *breaks_si;           /* pieces + 1, s from 0 to 1, and in m */
    size_t elements;
    double *s;     /* elements + 1 nodes in rod units */
    size_t *piece; /* of each element */
    bool literal;  /* as in equilibrium_coefficients */
    equilibrium_control control;
    size_t
        most_symmetries; /* that may be taken to act on a solution, WY_BVP_SYMMETRIES unless one of them hardly moves it */
    double ring_homotopy; /* 1; while a ring is sought less, from 0: a rod that is round, and straight at rest */
    double
        ratio; /* length of the rod now, in L: 1 unless a continuation changes the length; s always runs from 0 to 1 */
    /* The same rod a little before and after in a continuation's parameter, `span` apart; NULL where nothing is varied. */
    struct equilibrium_model *before, *after;
    double span;
} equilibrium_model;

wy_status wy_equilibrium_model_create(equilibrium_model **model, const wy_rod_definition *definition, size_t elements,
                                      wy_error *err);
void wy_equilibrium_model_free(equilibrium_model *model);

/* Units of force and moment that are so many times larger. */
/* The softest bending rigidity, relative to the unit of the model; at most 1, and 1 where the rod is round and
 * uniform. */
double wy_equilibrium_model_softness(const equilibrium_model *m);

void wy_equilibrium_model_rescale(equilibrium_model *model, double scale);

/* Makes the model that of another rod with jumps at the same places, in the old units and with the old mesh. */
wy_status wy_equilibrium_model_set(equilibrium_model *model, const wy_rod_definition *definition, wy_error *err);

/* Memory for meshes of up to `most` elements; moves s and piece. */
wy_status wy_equilibrium_model_reserve(equilibrium_model *model, size_t most, wy_error *err);

/* Another mesh, within what is reserved. `piece` says on which stretch between jumps each element lies. */
void wy_equilibrium_model_mesh(equilibrium_model *model, size_t elements, const double *s, const size_t *piece);

/* Ends and loads of a rod in the model's units; orientations are normalised. The rod must live as long as the control. */
equilibrium_control wy_equilibrium_model_control(const equilibrium_model *model, const equilibrium_rod *rod);

/* Between a (t = 0) and b (t = 1): linear, orientations along the shortest way. */
equilibrium_control wy_equilibrium_control_between(const equilibrium_control *a, const equilibrium_control *b,
                                                   double t);

/* Takes away everything that acts; what is held stays. */
void wy_equilibrium_control_unload(equilibrium_control *control);

/* The orientation that a held end asks for. */
void wy_equilibrium_end_target(double q[4], const equilibrium_end *end);

/* Whether some but not all displacements (half 0) or turns (half 1) of an end are held. */
static inline bool equilibrium_end_is_partial(const equilibrium_end *end, int half) {
    const unsigned bits = end->constraint.components >> (3 * half) & 7U;
    return bits != 0 && bits != 7U;
}

static inline bool equilibrium_end_constrains(const equilibrium_end *end, unsigned what) {
    return (end->constrains & what) == what;
}

/* Whether loads or ends act at all, and whether all that act have a potential. */
bool wy_equilibrium_control_loaded(const equilibrium_control *control);
bool wy_equilibrium_is_conservative(const equilibrium_model *model);

/* Potential of the loads per length at s, on the element, in the state y there, in rod units. */
double wy_equilibrium_model_load_potential(const equilibrium_model *model, size_t element, double s, const double *y);
/* ... and of what acts on an end. */
double wy_equilibrium_model_end_potential(const equilibrium_model *model, int end, const double *y);

/* The element that holds s. */
size_t wy_equilibrium_model_element(const equilibrium_model *model, double s);
/* Carries the pose (q, x) of the unstressed rod along from s to s + way: eight midpoints, fine enough for a start. */
void wy_equilibrium_model_unstressed(double q[4], double x[3], const equilibrium_model *model, double s, double way);

/* The boundary-value problem of the model with its present control; 7 left rows (|q| = 1 among them), 6 right rows. */
wy_bvp wy_equilibrium_model_bvp(const equilibrium_model *model);

/* States between rod units and SI. */
void wy_equilibrium_model_to_si(double *out, const equilibrium_model *model, const double *y, size_t count);
void wy_equilibrium_model_from_si(double *out, const equilibrium_model *model, const double *y, size_t count);

/* (5.1) and its derivative in any consistent units. `f` and `c` are the space loads per unit length at this place. */
typedef struct equilibrium_coefficients {
    double inv_CM[3], inv_CP[3], kappa[3], nu[3], f[3], c[3], f_body[3], c_body[3];
    bool literal; /* x' with the Euler-Rodrigues map (1.7) as printed, for |q| != 1 too */
    bool varies;  /* the loads depend on place or turn: */
    double K[36]; /* derivative of (c, f) by (turn, displacement) */
} equilibrium_coefficients;
/* What the model has at s, seen from `element`, with the loads that act there on the rod in the state y. */
equilibrium_coefficients wy_equilibrium_model_coefficients(const equilibrium_model *model, double s, size_t element,
                                                           const double *y);
/* Viscosity (kappa, nu) and the derivative of the loads by the velocities (omega, v/L) at s, in seconds times the units of rigidities and
 * loads. */
void wy_equilibrium_model_damping(double viscosity[6], double C[36], const equilibrium_model *model, double s,
                                  size_t element, const double *y);
/* The derivative of what acts on an end by its velocities (omega, v/L), in seconds times the units of its wrench. */
void wy_equilibrium_end_damping(double C[36], const equilibrium_model *model, int end, const double *y);
/* equilibrium_loads.c: adds those loads, and makes an end of a rod's. */
void wy_equilibrium_model_add_loads(equilibrium_coefficients *place, const equilibrium_model *model, double s,
                                    size_t element, const double *y);
equilibrium_end wy_equilibrium_model_end(const equilibrium_model *model, const equilibrium_rod *rod, int end);
/* Forces and moments of the loads, in space and in the section's frame, in rod units; `place` is set where one depends on place
 * or turn. Returns how many. */
typedef struct equilibrium_load_direction {
    double space[3], body[3];
} equilibrium_load_direction;
size_t wy_equilibrium_load_directions(equilibrium_load_direction *out, size_t most, unsigned *depend,
                                      const equilibrium_model *model, const equilibrium_loads *loads);
/* The section there, SI. */
wy_section wy_equilibrium_model_section(const equilibrium_model *model, double s, size_t element);
void wy_equilibrium_model_field(double dy[13], const equilibrium_coefficients *place, const double y[13]);

/* equilibrium_chart.c: the canonical variables (n, v, q, x) in which collocation works. docs/math/statics.md (5.34)-(5.36). */
enum { WY_STATIC_CHART = 14, WY_STATIC_CHART_V = 3, WY_STATIC_CHART_Q = 7, WY_STATIC_CHART_X = 11 };
void wy_equilibrium_to_chart(double *z, double *A, const double *y);
void wy_equilibrium_from_chart(double *y, const double *z);
void wy_equilibrium_from_chart_jacobian(double *B, const double *z);
void wy_equilibrium_chart_field(double *dz, const equilibrium_coefficients *place, const double *z);
void wy_equilibrium_chart_jacobian(double *J, const equilibrium_coefficients *place, const double *z);

void wy_equilibrium_model_jacobian(double J[169], const equilibrium_coefficients *place, const double y[13]);

/* What acts on an end in the state y, besides what holds it, in rod units: force and moment in space, in the section's frame,
 * and (K may be NULL) the derivative of those in space by (turn, displacement). */
void wy_equilibrium_end_wrench(double space[6], double body[6], double *K, const equilibrium_model *model,
                               const equilibrium_end *end, const double *y);

/* R(q) v = q v q* and R(q)^T v, whatever |q|, and their derivatives by q (3 x 4, row major). */
void wy_equilibrium_rotate(double w[3], const double q[4], const double v[3]);
void wy_equilibrium_rotate_back(double w[3], const double q[4], const double v[3]);
void wy_equilibrium_rotate_dq(double D[12], const double q[4], const double v[3]);
void wy_equilibrium_rotate_back_dq(double D[12], const double q[4], const double v[3]);
/* The turn that a change of q is, 3 x 4: phi = 2 Im(dq q*)/|q|^2. */
void wy_equilibrium_turn_dq(double T[12], const double q[4]);

/* equilibrium_ends.c: end conditions and symmetries. */
void wy_equilibrium_left_rows(double *r, double *B, const double *y, const void *model);
void wy_equilibrium_right_rows(double *r, double *B, const double *y, const void *model);
size_t wy_equilibrium_symmetries(double *phase, double *redundant, const double *y, const void *model);
/* Changes of the state along each symmetry that acts on the solution: modes x nodes x 13. Returns how many. */
size_t wy_equilibrium_symmetry_modes(double *modes, const double *y, const equilibrium_model *model);
/* The symmetries that the control leaves: at most 7 generators (w, a, g), orthonormal. Returns how many. */
size_t wy_equilibrium_control_symmetries(double generators[7][7], const equilibrium_model *model,
                                         const equilibrium_control *control);
/* Whether its ends meet in one frame, on a uniform rod without load. */
bool wy_equilibrium_is_closed(const equilibrium_model *model, const equilibrium_control *control);
/* Whether both ends are clamped on one axis, with no load that would prefer a direction about it. */
bool wy_equilibrium_control_coaxial(const equilibrium_model *model, const equilibrium_control *control);

#endif
