/* Elliptic integrals and Jacobi's amplitude. */
#ifndef WITHY_ELLIPTIC_H
#define WITHY_ELLIPTIC_H

#include <withy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Legendre's complete integrals of modulus k, 0 <= k < 1 (k^2 = m). NaN outside. */
WY_API double wy_elliptic_K(double k);
WY_API double wy_elliptic_E(double k);

/* Legendre's incomplete integrals F(phi, k) and E(phi, k), any phi, 0 <= k < 1, and the complete one of the third kind,
 * Pi(n, k) = int_0^{pi/2} dt / ((1 - n sin^2 t) sqrt(1 - k^2 sin^2 t)), n < 1. */
WY_API double wy_elliptic_F(double phi, double k);
WY_API double wy_elliptic_E_incomplete(double phi, double k);
WY_API double wy_elliptic_Pi(double n, double k);

/* Jacobi's amplitude: the phi with F(phi, k) = u. sn = sin phi, cn = cos phi, dn = sqrt(1 - k^2 sn^2). */
WY_API double wy_elliptic_am(double u, double k);

/* Carlson's symmetric integrals R_F(x, y, z), R_D(x, y, z), R_J(x, y, z, p), R_C(x, y); arguments not negative, at
 * most one zero (R_D, R_J: z, p positive; R_C: y positive). */
WY_API double wy_carlson_RF(double x, double y, double z);
WY_API double wy_carlson_RD(double x, double y, double z);
WY_API double wy_carlson_RJ(double x, double y, double z, double p);
WY_API double wy_carlson_RC(double x, double y);

#ifdef __cplusplus
}
#endif

#endif
