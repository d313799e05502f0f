/* The solid sphere. */
#include "assembly/bodies/body_solid.h"
#include "math/constants.h"

static const wy_param sphere_body_params[] = {WY_BODY_LENGTH(radius, "Radius."), WY_BODY_MASS, {0}};

static wy_status sphere_body_make(double *mass, double inertia[3], const void *config, wy_error *err) {
    const wy_body_solid *c = config;
    const double r = c->radius;
    const wy_status s = wy_body_solid_mass(mass, c, 4.0 / 3.0 * WY_PI * r * r * r, err);
    for (int k = 0; k < 3 && !s; k++)
        inertia[k] = 0.4 * *mass * r * r;
    return s;
}

static void sphere_body_outline(wy_body_outline *outline, const void *config) {
    const wy_body_solid *c = config;
    for (int k = 0; k < 3; k++)
        outline->half_width[k] = c->radius;
}

const wy_body_shape wy_body_shape_is_sphere = {
    .entry = {.name = "sphere",
              .doc = "A solid sphere.",
              .params = sphere_body_params,
              .config_size = sizeof(wy_body_solid)},
    .make = sphere_body_make,
    .outline = sphere_body_outline,
};
