/* The static rod in its own units: lengths in L, forces in EI/L^2, moments in EI/L, so that every number of the solver
 * is of order one whether the rod is a riser or a hair. Internal to src/equilibrium. */
#ifndef WY_BEAM_MODEL_H
#define WY_BEAM_MODEL_H

#include <withy/beam.h>

#include "solve/bvp.h"

/* One station in rod units. */
typedef struct beam_station {
    double s, CM[3], CP[3], kappa[3], nu[3], rhoA; /* rhoA stays in kg/m: gravity carries the unit */
} beam_station;

/* Everything that a continuation may change, in rod units. The target orientation of a held end is
 * orientation * (cos twist/2, 0, 0, sin twist/2), sign included: q and -q are different ends of the double cover. */
typedef struct beam_control {
    wy_beam_end left, right;
    wy_beam_load load;
} beam_control;

typedef struct beam_model {
    wy_beam beam;            /* as the caller gave it; stations are our copy */
    double L, force, moment; /* the units */
    size_t stations;
    beam_station *station;
    size_t elements;
    double *s;     /* elements + 1 nodes in rod units */
    size_t *piece; /* of each element: the station at its left */
    bool literal;  /* as in beam_place */
    bool round;    /* a turn of the section about d3 changes nothing */
    beam_control control;
    double
        ratio; /* length of the rod now, in L: 1 unless a continuation changes the length; s always runs from 0 to 1 */
    /* The same rod a little before and after in a continuation's parameter, `span` apart; NULL where nothing is varied. */
    struct beam_model *before, *after;
    double span;
} beam_model;

wy_status beam_model_create(beam_model **model, const wy_beam *beam, size_t elements, wy_error *err);
void beam_model_free(beam_model *model);

/* Makes the model that of another beam with as many stations, in the old units and with the old mesh. */
wy_status beam_model_set(beam_model *model, const wy_beam *beam, wy_error *err);

/* Memory for meshes of up to `most` elements; moves s and piece. */
wy_status beam_model_reserve(beam_model *model, size_t most, wy_error *err);

/* Another mesh, within what is reserved. `piece` says on which stretch between stations each element lies. */
void beam_model_mesh(beam_model *model, size_t elements, const double *s, const size_t *piece);

/* Ends and loads of the beam in the model's units; orientations are normalised. */
beam_control beam_model_control(const beam_model *model, const wy_beam *beam);

/* Between a (t = 0) and b (t = 1): linear, orientations along the shortest way. */
beam_control beam_control_between(const beam_control *a, const beam_control *b, double t);

/* The orientation that a held end asks for. */
void beam_end_target(double q[4], const wy_beam_end *end);

/* The boundary-value problem of the model with its present control; 7 left rows (|q| = 1 among them), 6 right rows. */
wy_bvp beam_model_bvp(const beam_model *model);

/* States between rod units and SI. */
void beam_model_to_si(double *out, const beam_model *model, const double *y, size_t count);
void beam_model_from_si(double *out, const beam_model *model, const double *y, size_t count);

/* (5.1) and its derivative in any consistent units. `f` and `c` are the space loads per unit length at this place. */
typedef struct beam_place {
    double inv_CM[3], inv_CP[3], kappa[3], nu[3], f[3], c[3], f_body[3], c_body[3];
    bool literal; /* x' with the Euler-Rodrigues map (1.7) as printed, for |q| != 1 too */
} beam_place;
/* What the model has at s, seen from `element`. */
beam_place beam_model_place(const beam_model *model, double s, size_t element);
void beam_field(double dy[13], const beam_place *place, const double y[13]);
void beam_jacobian(double J[169], const beam_place *place, const double y[13]);

/* R(q) v = q v q* and R(q)^T v, whatever |q|, and their derivatives by q (3 x 4, row major). */
void beam_rotate(double w[3], const double q[4], const double v[3]);
void beam_rotate_back(double w[3], const double q[4], const double v[3]);
void beam_rotate_dq(double D[12], const double q[4], const double v[3]);
void beam_rotate_back_dq(double D[12], const double q[4], const double v[3]);

/* beam_ends.c: end conditions and symmetries. */
void beam_left_rows(double *r, double *B, const double *y, const void *model);
void beam_right_rows(double *r, double *B, const double *y, const void *model);
size_t beam_symmetries(double *phase, double *redundant, const double *y, const void *model);
/* Changes of the state along each symmetry that acts on the solution: modes x nodes x 13. Returns how many. */
size_t beam_symmetry_modes(double *modes, const double *y, const beam_model *model);
/* The symmetries that the control leaves: at most 7 generators (w, a, g), orthonormal. Returns how many. */
size_t beam_control_symmetries(double generators[7][7], const beam_model *model, const beam_control *control);
/* Whether both ends are clamped on one axis, with no load that would prefer a direction about it. */
bool beam_control_coaxial(const beam_model *model, const beam_control *control);

#endif
