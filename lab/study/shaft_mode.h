/* One vibration mode of a free shaft under the steps of the library. */
#ifndef WY_SHAFT_MODE_H
#define WY_SHAFT_MODE_H

#include <withy/shaft.h>

/* The 2 x 2 matrix, row by row, that one step of length h applies to (theta, h w) of mode `i` (1 .. N-1), measured on
 * the shaft itself. The shape of the mode is cos(i pi (k - 1/2)/N) for element k = 1 .. N. */
wy_status wy_shaft_mode_matrix(double A[4], const wy_shaft_config *config, int i, double h, wy_error *err);

/* Omega_i = 2 sqrt(k/m) sin(i pi/2N), rad/s, of the chain in continuous time; infinite for a rigid shaft. (6.15) */
double wy_shaft_mode_frequency(const wy_shaft_config *config, int i);

/* The largest modulus of the two eigenvalues, and their angle (0 or pi if they are real). */
double wy_shaft_mode_radius(const double A[4]);
double wy_shaft_mode_angle(const double A[4]);

#endif
