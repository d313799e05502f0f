/* A helix of given radius and pitch: kappa = (0, r, b)/(r^2 + b^2), b = pitch/(2 pi). */
#include <math.h>
#include <stddef.h>

#include <withy/rod.h>

static const wy_param helix_params[] = {
    WY_PARAM(wy_shape_helix, radius, .key = "radius", .doc = "Distance of the centreline from the axis.", .unit = "m",
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE),
    WY_PARAM(wy_shape_helix, pitch, .key = "pitch", .doc = "Rise of one turn; negative for a left-handed helix.",
             .unit = "m", .type = WY_TYPE_REAL),
    {0},
};

static wy_status helix_check(const void *config, double length, wy_error *err) {
    (void)length;
    const wy_shape_helix *c = config;
    if (!(c->radius > 0.0) || !isfinite(c->radius) || !isfinite(c->pitch))
        return wy_fail(err, WY_BAD_INPUT, "a helix of radius %g m and pitch %g m: the radius must be positive",
                       c->radius, c->pitch);
    return WY_OK;
}

static void helix_strain(double xi[6], const void *config, double s, int side, double length) {
    (void)side;
    (void)s;
    (void)length;
    const wy_shape_helix *c = config;
    const double b = c->pitch / 6.283185307179586, d = c->radius * c->radius + b * b;
    xi[0] = 0.0;
    xi[1] = c->radius / d;
    xi[2] = b / d;
    xi[3] = xi[4] = 0.0;
    xi[5] = 1.0;
}

const wy_shape wy_shape_is_helix = {.entry = {.name = "helix",
                                              .doc = "A helix of given radius and pitch.",
                                              .params = helix_params,
                                              .config_size = sizeof(wy_shape_helix)},
                                    .check = helix_check,
                                    .strain = helix_strain};
