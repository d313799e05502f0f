/* A bed that supports the rod: where the rod is deeper than the plane n.x = height by d, the force is k d n per length,
 * and against further penetration c d. n; it never pulls. Force continuous, its derivative jumps at touch-down. */
#include <math.h>
#include <stddef.h>

#include "math/vec3.h"
#include "rod/loads/load_parts.h"

static const wy_param sea_bed_params[] = {
    WY_PARAM(wy_load_sea_bed, stiffness, .key = "stiffness", .doc = "Force per length and depth.", .unit = "N/m^2",
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE),
    WY_PARAM(wy_load_sea_bed, damping, .key = "damping", .doc = "Force per length and velocity into the bed.",
             .unit = "N s/m^2", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    WY_PARAM(wy_load_sea_bed, height, .key = "height", .doc = "Of the plane, along its normal.", .unit = "m",
             .type = WY_TYPE_REAL, .default_text = "0"),
    WY_PARAM(wy_load_sea_bed, normal, .key = "normal", .doc = "Of the plane, out of the bed; its length is set to 1.",
             .unit = "1", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 1]"),
    {0},
};

static wy_status sea_bed_check(const void *config, double length, wy_error *err) {
    const wy_load_sea_bed *c = config;
    (void)length;
    if (!(c->stiffness > 0.0) || !(c->damping >= 0.0) || !isfinite(c->stiffness + c->damping + c->height))
        return wy_fail(err, WY_BAD_INPUT, "a bed of %g N/m^2 and %g N s/m^2 at %g m, expected a positive stiffness",
                       c->stiffness, c->damping, c->height);
    if (!(v3_norm(c->normal) > 0.0) || !isfinite(v3_norm(c->normal)))
        return wy_fail(err, WY_BAD_INPUT, "the normal of a bed is (%g, %g, %g), expected a direction", c->normal[0],
                       c->normal[1], c->normal[2]);
    return WY_OK;
}

static unsigned sea_bed_varies(const void *config) {
    return WY_VARIES_POSITION | (((const wy_load_sea_bed *)config)->damping > 0.0 ? WY_VARIES_VELOCITY : 0U);
}

/* Depth below the plane, and its unit normal. */
static double sea_bed_depth(double n[3], const wy_load_sea_bed *c, const wy_material_point *at) {
    v3_scale(n, 1.0 / v3_norm(c->normal), c->normal);
    return c->height - v3_dot(n, at->x);
}

static void sea_bed_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_sea_bed *c = config;
    double n[3];
    const double d = sea_bed_depth(n, c, at), push = c->stiffness * d - c->damping * v3_dot(n, at->v);
    if (!(d > 0.0) || !(push > 0.0))
        return;
    for (int i = 0; i < 3; i++) {
        out->space[3 + i] += push * n[i];
        for (int j = 0; j < 3; j++) {
            if (out->K)
                out->K[6 * (3 + i) + 3 + j] -= c->stiffness * n[i] * n[j];
            if (out->C)
                out->C[6 * (3 + i) + 3 + j] -= c->damping * n[i] * n[j];
        }
    }
}

static double sea_bed_potential(const void *config, const wy_material_point *at) {
    const wy_load_sea_bed *c = config;
    double n[3];
    const double d = sea_bed_depth(n, c, at);
    return d > 0.0 ? 0.5 * c->stiffness * d * d : 0.0;
}

const wy_load wy_load_is_sea_bed = {
    .entry = {.name = "sea-bed",
              .doc = "A bed under a plane that supports the rod, with damping; it never pulls.",
              .params = sea_bed_params,
              .config_size = sizeof(wy_load_sea_bed)},
    .account = WY_ACCOUNT_WORK,
    .varies = sea_bed_varies,
    .check = sea_bed_check,
    .wrench = sea_bed_wrench,
    .potential = sea_bed_potential,
};
