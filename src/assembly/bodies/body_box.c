/* The solid box. */
#include "assembly/bodies/body_solid.h"

static const wy_param box_body_params[] = {WY_PARAM(wy_body_solid, size, .key = "size",
                                                    .doc = "Its lengths along its axes.", .unit = "m",
                                                    .type = WY_TYPE_VECTOR, .count = 3, .rule = WY_RULE_POSITIVE),
                                           WY_BODY_MASS,
                                           {0}};

static wy_status box_body_make(double *mass, double inertia[3], const void *config, wy_error *err) {
    const wy_body_solid *c = config;
    const double *a = c->size;
    const wy_status s = wy_body_solid_mass(mass, c, a[0] * a[1] * a[2], err);
    for (int k = 0; k < 3 && !s; k++) {
        const double b = a[(k + 1) % 3], d = a[(k + 2) % 3];
        inertia[k] = *mass * (b * b + d * d) / 12.0;
    }
    return s;
}

static void box_body_outline(wy_body_outline *outline, const void *config) {
    const wy_body_solid *c = config;
    for (int k = 0; k < 3; k++)
        outline->half_width[k] = 0.5 * c->size[k];
}

const wy_body_shape wy_body_shape_is_box = {
    .entry = {.name = "box", .doc = "A solid box.", .params = box_body_params, .config_size = sizeof(wy_body_solid)},
    .make = box_body_make,
    .outline = box_body_outline,
};
