/* The thesis' own programs for the twisted, shortened rod, reconstructed from its text and its numbers:
 * docs/sources.md. */
#ifndef WY_THESIS_PROGRAM_H
#define WY_THESIS_PROGRAM_H

#include "study/thesis_beam.h"

/* One run: single shooting on v0 = (P0, M0) with the error function (4.3), which weighs metres and quaternions alike;
 * least squares if a method has no exact root (|q| has changed). Implicit methods iterate by fixed point from zero
 * until the change is below `tolerance`, and return the iterate BEFORE the last; tolerance = 0: the last, at
 * round-off. */
typedef struct wy_thesis_program {
    const char *method; /* EM, IM, KM, RK4 or GL4 */
    size_t steps;
    double phi, xi, tolerance;
} wy_thesis_program;

enum { THESIS_STATE = 13 }; /* (P, M, q, x), as in the static rod */

/* Solves from the guess v (P0, M0), which becomes the solution; fills steps + 1 nodes. The straight rod (xi = 0) is
 * integrated from its exact v0 without a solve. */
wy_status wy_thesis_program_run(double *nodes, double v[6], const wy_thesis_program *program, wy_error *err);

/* Largest changes of P.P, P.M, J and J + |q|^2 since the first node. */
typedef struct wy_thesis_changes {
    double PP, PM, J, J_qq;
} wy_thesis_changes;

wy_thesis_changes wy_thesis_program_changes(const double *nodes, size_t steps);

#endif
