/* Elliptic integrals, and the planar buckled rod in closed form. docs/math, chapter "Statics", 3.10. */
#ifndef WITHY_ELASTICA_H
#define WITHY_ELASTICA_H

#include <withy/beam.h>

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

/* Carlson's symmetric integrals R_F(x, y, z), R_D(x, y, z), R_J(x, y, z, p), R_C(x, y); arguments not negative, at most one
 * zero (R_D, R_J: z, p positive; R_C: y positive). */
WY_API double wy_carlson_RF(double x, double y, double z);
WY_API double wy_carlson_RD(double x, double y, double z);
WY_API double wy_carlson_RJ(double x, double y, double z, double p);
WY_API double wy_carlson_RC(double x, double y);

/* The rod of flexural rigidity A, shear rigidity GA, extensional rigidity EA and length L between two coaxial clamps,
 * buckled in a plane in `waves` full waves (planar mode 2 waves - 1), without twist. */
typedef struct wy_elastica {
    double A, GA, EA, length;
    int waves;
    double shortening; /* xi */
    double k;          /* sin of half the largest slope angle */
    double F;          /* axial compression, N */
    double M0;         /* M2 at s = 0, N m; positive */
} wy_elastica;

/* Solves for k, F and M0 at a shortening beyond buckling and up to where the slope angle reaches pi. */
WY_API wy_status wy_elastica_planar(wy_elastica *elastica, double A, double GA, double EA, double length, int waves,
                                    double shortening, wy_error *err);

/* The force and the shortening at which it buckles: F (1 + b F) = (2 pi waves/L)^2 A, b = 1/GA - 1/EA. */
WY_API void wy_elastica_buckling(double *F, double *shortening, double A, double GA, double EA, double length, int waves);

/* The state (P, M, q, x) of the static rod at s, bent about e2 from a clamp at the origin along e3. */
WY_API void wy_elastica_state(double y[WY_BEAM_DIM], const wy_elastica *elastica, double s);

#endif
