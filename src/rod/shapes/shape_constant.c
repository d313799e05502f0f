/* Uniform strain: an arc, a helix. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/rod.h>

static const wy_param shape_constant_params[] = {
    WY_PARAM(wy_shape_constant, strain, .key = "strain",
             .doc = "kappa1, kappa2, kappa3 in rad/m, then nu1, nu2, nu3; the straight rod has 0 0 0 0 0 1.",
             .unit = "rad/m, 1", .type = WY_TYPE_VECTOR, .count = 6),
    {0},
};

static wy_status constant_check(const void *config, double length, wy_error *err) {
    (void)length;
    const wy_shape_constant *c = config;
    for (int i = 0; i < 6; i++)
        if (!isfinite(c->strain[i]))
            return wy_fail(err, WY_BAD_INPUT, "component %d of the strain is %g, expected a number", i + 1,
                           c->strain[i]);
    if (!(c->strain[5] > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "nu3 is %g, expected a positive stretch", c->strain[5]);
    return WY_OK;
}

static void constant_strain(double xi[6], const void *config, double s, int side, double length) {
    (void)side;
    (void)s;
    (void)length;
    memcpy(xi, ((const wy_shape_constant *)config)->strain, 6 * sizeof *xi);
}

const wy_shape wy_shape_is_constant = {.entry = {.name = "constant",
                                                 .doc = "Uniform strain along the rod.",
                                                 .params = shape_constant_params,
                                                 .config_size = sizeof(wy_shape_constant)},
                                       .check = constant_check,
                                       .strain = constant_strain};
