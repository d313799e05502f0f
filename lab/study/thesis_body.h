/* The rigid body of `002`, section 4.1, used by two studies. */
#ifndef WY_THESIS_BODY_H
#define WY_THESIS_BODY_H

#include <withy/body.h>

enum { THESIS_METHODS = 5 };

/* IM, KM, SM, RK4, GL4, in the order of table 4.1. */
extern const char *const wy_thesis_methods[THESIS_METHODS];

/* I = diag(2, 1, 2/3). */
extern const wy_body wy_thesis_body;

/* M0 = (cos 1.1, 0, sin 1.1), q0 = (cos pi/8, sin pi/8, 0, 0): (4.1). */
void wy_thesis_start(double y[7]);

/* M at time t by Jacobi's functions: the closed solution of Euler's equations from this start. docs/math, "Body". */
void wy_thesis_exact(double M[3], double t);

/* The settings of the thesis: fixed point to an absolute tolerance. (|M| = |q| = 1 here, so absolute is relative.) */
wy_implicit wy_thesis_settings(double tolerance);

/* (2.1) with the sign that the thesis prints, M' = I^-1 M x M, and (2.5). q is on its sphere; M too if
 * `momentum_on_sphere`. */
wy_system wy_thesis_printed(bool momentum_on_sphere);

/* Integrates from the start to time T in `steps` steps; y is the end. `system` NULL: with the right sign. */
wy_status wy_thesis_march(double y[7], const wy_system *system, const char *method, const wy_implicit *settings,
                          double T, long steps, wy_error *err);

#endif
