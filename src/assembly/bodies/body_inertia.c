/* A rigid body by its numbers. */
#include <withy/assembly.h>

typedef struct body_numbers {
    double mass, moments[3];
} body_numbers;

static const wy_param inertia_body_params[] = {
    WY_PARAM(body_numbers, mass, .key = "mass", .doc = "Mass.", .unit = "kg", .type = WY_TYPE_REAL,
             .rule = WY_RULE_POSITIVE),
    WY_PARAM(body_numbers, moments, .key = "moments",
             .doc = "Moments of inertia about its axes, through its centre of mass.", .unit = "kg m^2",
             .type = WY_TYPE_VECTOR, .count = 3, .rule = WY_RULE_POSITIVE),
    {0},
};

static wy_status inertia_body_make(double *mass, double inertia[3], const void *config, wy_error *err) {
    const body_numbers *c = config;
    *mass = c->mass;
    for (int k = 0; k < 3; k++) {
        inertia[k] = c->moments[k];
        if (!(c->moments[k] <= (1.0 + 1e-9) * (c->moments[(k + 1) % 3] + c->moments[(k + 2) % 3])))
            return wy_fail(err, WY_BAD_INPUT, "moment of inertia %d is %g, more than the sum of the other two", k + 1,
                           c->moments[k]);
    }
    return WY_OK;
}

const wy_body_shape wy_body_shape_is_inertia = {
    .entry = {.name = "inertia",
              .doc = "A rigid body by its mass and its moments of inertia.",
              .params = inertia_body_params,
              .config_size = sizeof(body_numbers)},
    .make = inertia_body_make,
};
