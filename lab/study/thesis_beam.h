/* The rod of `002`, section 4.2, with the values of its tables, used by the studies of rods in space. Forces are in MN
 * and moments in MN m, as in the thesis, so that its numbers (and J + |q|^2, which it prints for J) compare
 * directly. */
#ifndef WY_THESIS_BEAM_H
#define WY_THESIS_BEAM_H

#include <withy/equilibrium.h>
#include <withy/study.h>

#include "math/constants.h"

enum { THESIS_BEAM_METHODS = 5 };
extern const char *const wy_thesis_beam_methods[THESIS_BEAM_METHODS]; /* EM, IM, KM, RK4, GL4 */

/* Table 4.2, twisted by phi and shortened by xi. The definition refers to `last`, which must live as long. */
wy_rod_definition wy_thesis_beam(wy_end_coaxial *last, double phi, double xi);

/* Solves by shooting with the named method ("" or NULL: collocation of order 6) and the map (1.7) as printed; implicit
 * steps to round-off. *solver is NULL after a failure. */
wy_status wy_thesis_beam_solve(wy_equilibrium **solver, double phi, double xi, const char *method, size_t steps,
                               int branch, wy_error *err);

/* Largest change along the rod of P.P, P.M, J and J + |q|^2, and the size of their terms. */
typedef struct wy_thesis_drift {
    double PP, PM, J, J_qq, terms_PP, terms_PM, terms_J;
} wy_thesis_drift;
wy_thesis_drift wy_thesis_beam_drift(const wy_equilibrium *solver);

/* Root mean square distance of the centre lines of two solutions at eleven points, relative to L. Both numbers of steps
 * must be multiples of ten. */
double wy_thesis_beam_distance(const wy_equilibrium *a, const wy_equilibrium *b);

/* Draws the centre line of nodes of `width` numbers with x at `offset`, as a curve in space. */
void wy_thesis_beam_curve(wy_figure *figure, const char *label, wy_style style, const double *nodes, size_t count,
                          size_t width, size_t offset);

#endif
