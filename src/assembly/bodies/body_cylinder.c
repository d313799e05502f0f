/* The solid cylinder. */
#include "assembly/bodies/body_solid.h"
#include "math/constants.h"

static const wy_param cylinder_body_params[] = {
    WY_BODY_LENGTH(radius, "Radius."), WY_BODY_LENGTH(length, "Length along its third axis."), WY_BODY_MASS, {0}};

static wy_status cylinder_body_make(double *mass, double inertia[3], const void *config, wy_error *err) {
    const wy_body_solid *c = config;
    const double r = c->radius, h = c->length;
    const wy_status s = wy_body_solid_mass(mass, c, WY_PI * r * r * h, err);
    if (s)
        return s;
    inertia[0] = inertia[1] = *mass * (3.0 * r * r + h * h) / 12.0;
    inertia[2] = 0.5 * *mass * r * r;
    return WY_OK;
}

static void cylinder_body_outline(wy_body_outline *outline, const void *config) {
    const wy_body_solid *c = config;
    outline->half_width[0] = outline->half_width[1] = c->radius;
    outline->half_width[2] = 0.5 * c->length;
}

const wy_body_shape wy_body_shape_is_cylinder = {
    .entry = {.name = "cylinder",
              .doc = "A solid cylinder about its third axis.",
              .params = cylinder_body_params,
              .config_size = sizeof(wy_body_solid)},
    .make = cylinder_body_make,
    .outline = cylinder_body_outline,
};
