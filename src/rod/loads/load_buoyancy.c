/* Buoyancy: -rho A g per length, the weight of the displaced fluid; everywhere, or below a surface. It includes the
 * pressure on the ends: forces inside the rod are effective tensions. */
#include <math.h>
#include <stddef.h>

#include "math/vec3.h"
#include "rod/loads/load_parts.h"

static const wy_param buoyancy_params[] = {
    WY_PARAM(wy_load_buoyancy, density, .key = "density", .doc = "Of the fluid.", .unit = "kg/m^3",
             .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE),
    WY_PARAM(wy_load_buoyancy, area, .key = "area",
             .doc = "Of the section, with its enclosed area; left out: that of a circle of the section's diameter.",
             .unit = "m^2", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""),
    WY_PARAM(wy_load_buoyancy, acceleration, .key = "acceleration", .doc = "Gravity, in space components.",
             .unit = "m/s^2", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, -9.80665]"),
    WY_PARAM(wy_load_buoyancy, surface, .key = "surface",
             .doc = "Only below this height against gravity, with a transition of one diameter; left out: everywhere.",
             .unit = "m", .type = WY_TYPE_REAL, .default_text = ""),
    {0},
};

static wy_status buoyancy_check(const void *config, double length, wy_error *err) {
    const wy_load_buoyancy *c = config;
    (void)length;
    const double g = v3_norm(c->acceleration);
    if (!(c->density >= 0.0) || !isfinite(c->density) || !isfinite(g) || isinf(c->surface))
        return wy_fail(err, WY_BAD_INPUT, "buoyancy in %g kg/m^3 under (%g, %g, %g) m/s^2, expected numbers",
                       c->density, c->acceleration[0], c->acceleration[1], c->acceleration[2]);
    if (c->area <= 0.0 || isinf(c->area))
        return wy_fail(err, WY_BAD_INPUT, "buoyancy of an area of %g m^2, expected a positive number", c->area);
    if (!isnan(c->surface) && g == 0.0)
        return wy_fail(err, WY_BAD_INPUT, "a surface needs gravity: 'acceleration' is zero");
    return WY_OK;
}

static unsigned buoyancy_varies(const void *config) {
    return isnan(((const wy_load_buoyancy *)config)->surface) ? 0 : WY_VARIES_POSITION;
}

static double buoyancy_area(const wy_load_buoyancy *c, const wy_section *section) {
    return isnan(c->area) ? 0.7853981633974483 * section->diameter * section->diameter : c->area;
}

/* Wet fraction of the section: linear over one diameter about the surface; `depth` of its centre, out: its slope. */
static double buoyancy_wet_fraction(double *slope, double *depth, const wy_load_buoyancy *c,
                                    const wy_material_point *at) {
    *slope = *depth = 0.0;
    if (isnan(c->surface))
        return 1.0;
    const double g = v3_norm(c->acceleration),
                 d = isnan(c->area) ? at->section->diameter : sqrt(c->area / 0.7853981633974483);
    *depth = c->surface + v3_dot(c->acceleration, at->x) / g;
    const double x = 0.5 + *depth / d;
    if (x <= 0.0 || x >= 1.0)
        return x <= 0.0 ? 0.0 : 1.0;
    *slope = 1.0 / d;
    return x;
}

static void buoyancy_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_buoyancy *c = config;
    double slope, depth;
    const double rho = c->density * buoyancy_area(c, at->section), part = buoyancy_wet_fraction(&slope, &depth, c, at),
                 *g = c->acceleration;
    for (int i = 0; i < 3; i++) {
        out->space[3 + i] -= rho * part * g[i];
        for (int j = 0; j < 3 && out->K && slope > 0.0; j++)
            out->K[6 * (3 + i) + 3 + j] -= rho * slope * g[i] * g[j] / v3_norm(g);
    }
}

/* rho A |g| times the integral of the wet fraction over the depth. */
static double buoyancy_potential(const void *config, const wy_material_point *at) {
    const wy_load_buoyancy *c = config;
    double slope, depth;
    const double rho = c->density * buoyancy_area(c, at->section), part = buoyancy_wet_fraction(&slope, &depth, c, at),
                 *g = c->acceleration;
    if (isnan(c->surface))
        return rho * v3_dot(g, at->x);
    if (slope > 0.0)
        return 0.5 * rho * v3_norm(g) * part * part / slope;
    return part * rho * v3_norm(g) * depth;
}

const wy_load wy_load_is_buoyancy = {
    .entry = {.name = "buoyancy",
              .doc = "Weight of the displaced fluid, upwards; everywhere or below a surface.",
              .params = buoyancy_params,
              .config_size = sizeof(wy_load_buoyancy)},
    .account = WY_ACCOUNT_WORK,
    .varies = buoyancy_varies,
    .check = buoyancy_check,
    .wrench = buoyancy_wrench,
    .potential = buoyancy_potential,
};
