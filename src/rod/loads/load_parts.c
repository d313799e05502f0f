/* See load_parts.h. */
#include "rod/loads/load_parts.h"

void wy_load_add(wy_load_point *point, int row, const double F[3], double factor, bool following) {
    double *out = row == 0 ? point->force : point->moment;
    if (!following) {
        for (int i = 0; i < 3; i++)
            out[i] += factor * F[i];
        return;
    }
    const double *D = point->D, *E = point->D1;
    double g[3];
    for (int i = 0; i < 3; i++) {
        out[i] += factor * (D[i] * F[0] + D[3 + i] * F[1] + D[6 + i] * F[2]);
        g[i] = factor * point->half * (E[i] * F[0] + E[3 + i] * F[1] + E[6 + i] * F[2]);
    }
    if (point->K) { /* minus the derivative of phi x g by phi is [g]x */
        double *K = point->K + 6 * row + 3;
        K[1] -= g[2];
        K[2] += g[1];
        K[6] += g[2];
        K[8] -= g[0];
        K[12] -= g[1];
        K[13] += g[0];
    }
}
