/* The planar buckled rod in closed form. docs/math, chapter "Statics". */
#ifndef WITHY_ELASTICA_H
#define WITHY_ELASTICA_H

#include <withy/equilibrium.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The rod of bending rigidity A, shear rigidity GA, extensional rigidity EA and length L between two coaxial clamps,
 * buckled in a plane in `waves` full waves (planar mode 2 waves - 1), without twist. */
typedef struct wy_elastica {
    double A, GA, EA, length;
    int waves;
    double shortening; /* xi */
    double k;          /* sin of half the largest slope angle */
    double F;          /* axial compression, N */
    double M0;         /* M2 at s = 0, N m; positive */
} wy_elastica;

/* Solves for k, F and M0 at a shortening between buckling and a slope angle of pi. */
WY_API wy_status wy_elastica_planar(wy_elastica *elastica, double A, double GA, double EA, double length, int waves,
                                    double shortening, wy_error *err);

/* The force and the shortening at which it buckles: F (1 + b F) = (2 pi waves/L)^2 A, b = 1/GA - 1/EA. */
WY_API void wy_elastica_buckling(double *F, double *shortening, double A, double GA, double EA, double length,
                                 int waves);

/* The state (P, M, q, x) of the static rod at s, bent about e2 from a clamp at the origin along e3. */
WY_API void wy_elastica_state(double y[WY_STATIC_DIM], const wy_elastica *elastica, double s);

#ifdef __cplusplus
}
#endif

#endif
