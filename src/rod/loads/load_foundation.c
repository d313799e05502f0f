/* Winkler's foundation: springs along the rod towards a straight line, force -k (x - x0 - s e) per length. */
#include <math.h>
#include <stddef.h>

#include "math/vec3.h"
#include "rod/loads/load_parts.h"

static const wy_param foundation_params[] = {
    WY_PARAM(wy_load_foundation, stiffness, .key = "stiffness",
             .doc = "Force per length and displacement, along each axis of space.", .unit = "N/m^2",
             .type = WY_TYPE_VECTOR, .count = 3, .rule = WY_RULE_NONNEGATIVE),
    WY_PARAM(wy_load_foundation, origin, .key = "origin", .doc = "Position at which the section at s = 0 has no force.",
             .unit = "m", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_load_foundation, direction, .key = "direction",
             .doc = "The rod has no force along origin + s direction; its length is set to 1.", .unit = "1",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 1]"),
    WY_PARAM(wy_load_foundation, from, .key = "from", .doc = "Start of the loaded part; left out: the first end.",
             .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = ""),
    WY_PARAM(wy_load_foundation, until, .key = "until", .doc = "End of the loaded part; left out: the last end.",
             .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""),
    {0},
};

static wy_status foundation_check(const void *config, double length, wy_error *err) {
    const wy_load_foundation *c = config;
    for (int i = 0; i < 3; i++)
        if (!(c->stiffness[i] >= 0.0) || !isfinite(c->stiffness[i]) || !isfinite(c->origin[i]) ||
            !isfinite(c->direction[i]))
            return wy_fail(err, WY_BAD_INPUT,
                           "a foundation of %g N/m^2 along axis %d, expected a number that is not negative",
                           c->stiffness[i], i + 1);
    if (v3_norm(c->direction) == 0.0)
        return wy_fail(err, WY_BAD_INPUT, "the direction of a foundation is zero, expected the direction of the rod");
    const double from = isnan(c->from) ? 0.0 : c->from, until = isnan(c->until) ? length : c->until;
    if (!(from >= 0.0 && until > from && until <= length * (1.0 + 1e-9)))
        return wy_fail(err, WY_BAD_INPUT, "a foundation from %g m until %g m is not a part of the rod of %g m", from,
                       until, length);
    return WY_OK;
}

static unsigned foundation_varies(const void *config) {
    (void)config;
    return WY_VARIES_POSITION | WY_VARIES_ARC_LENGTH;
}

static void foundation_span(double *from, double *until, const void *config, double length) {
    const wy_load_foundation *c = config;
    *from = isnan(c->from) ? 0.0 : c->from;
    *until = isnan(c->until) ? length : fmin(c->until, length);
}

static void foundation_displacement(double d[3], const wy_load_foundation *c, const wy_material_point *at) {
    const double scale = at->s / v3_norm(c->direction);
    for (int i = 0; i < 3; i++)
        d[i] = at->x[i] - c->origin[i] - scale * c->direction[i];
}

static void foundation_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_foundation *c = config;
    double d[3];
    foundation_displacement(d, c, at);
    for (int i = 0; i < 3; i++) {
        out->space[3 + i] -= c->stiffness[i] * d[i];
        if (out->K)
            out->K[7 * (3 + i)] -= c->stiffness[i];
    }
}

static double foundation_potential(const void *config, const wy_material_point *at) {
    const wy_load_foundation *c = config;
    double d[3], sum = 0.0;
    foundation_displacement(d, c, at);
    for (int i = 0; i < 3; i++)
        sum += 0.5 * c->stiffness[i] * d[i] * d[i];
    return sum;
}

const wy_load wy_load_is_foundation = {
    .entry = {.name = "foundation",
              .doc = "An elastic foundation: springs along the rod towards a straight line.",
              .params = foundation_params,
              .config_size = sizeof(wy_load_foundation)},
    .account = WY_ACCOUNT_WORK,
    .varies = foundation_varies,
    .check = foundation_check,
    .span = foundation_span,
    .wrench = foundation_wrench,
    .potential = foundation_potential,
};
