/* The wrench and the potential of one force or moment, dead or following (load_parts.h). */
#include "rod/loads/load_parts.h"

#include <math.h>

#include "math/vec3.h"

void wy_wrench_add(wy_wrench *wrench, int half, const double F[3], double scale, bool following) {
    double *out = (following ? wrench->body : wrench->space) + half;
    for (int i = 0; i < 3; i++)
        out[i] += scale * F[i];
}

double wy_dead_potential(const double F[3], double scale, bool following, const wy_material_point *at) {
    return following && v3_dot(F, F) > 0.0 ? NAN : -scale * v3_dot(F, at->x);
}
