/* The solid capsule. */
#include "assembly/bodies/body_solid.h"
#include "math/constants.h"

static const wy_param capsule_body_params[] = {WY_BODY_LENGTH(radius, "Radius."),
                                               WY_BODY_LENGTH(length, "Length of its cylinder, without the caps."),
                                               WY_BODY_MASS,
                                               {0}};

static wy_status capsule_body_make(double *mass, double inertia[3], const void *config, wy_error *err) {
    const wy_body_solid *c = config;
    const double r = c->radius, h = c->length;
    const double cylinder = WY_PI * r * r * h, caps = 4.0 / 3.0 * WY_PI * r * r * r;
    const wy_status s = wy_body_solid_mass(mass, c, cylinder + caps, err);
    if (s)
        return s;
    const double m = *mass * cylinder / (cylinder + caps), n = *mass - m; /* of the cylinder, of the caps */
    inertia[0] = inertia[1] = m * (3.0 * r * r + h * h) / 12.0 + n * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r);
    inertia[2] = 0.5 * m * r * r + 0.4 * n * r * r;
    return WY_OK;
}

static void capsule_body_outline(wy_body_outline *outline, const void *config) {
    const wy_body_solid *c = config;
    outline->half_width[0] = outline->half_width[1] = c->radius;
    outline->half_width[2] = 0.5 * c->length + c->radius;
}

const wy_body_shape wy_body_shape_is_capsule = {
    .entry = {.name = "capsule",
              .doc = "A solid cylinder about its third axis with caps of half a sphere.",
              .params = capsule_body_params,
              .config_size = sizeof(wy_body_solid)},
    .make = capsule_body_make,
    .outline = capsule_body_outline,
};
