/* Mass of a solid body. */
#include "assembly/bodies/body_solid.h"

#include <math.h>

wy_status wy_body_solid_mass(double *mass, const wy_body_solid *solid, double volume, wy_error *err) {
    if (isnan(solid->mass) == isnan(solid->density))
        return wy_fail(err, WY_BAD_INPUT, "a rigid body has a 'mass' or a 'density', one of them");
    *mass = isnan(solid->mass) ? solid->density * volume : solid->mass;
    return WY_OK;
}
