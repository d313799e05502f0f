/* Heat: at x1 d1 + x2 d2 from the axis the free thermal strain is alpha (T + g1 x1 + g2 x2). The axial strain there is
 *   nu3 - 1 - kappa2 x1 + kappa1 x2,
 * so that without stress nu3 grows by alpha T, kappa1 by alpha g2, kappa2 by -alpha g1. */
#include <math.h>
#include <stddef.h>

#include <withy/rod.h>

#include "base/signal_value.h"

static const wy_param heat_params[] = {
    WY_PARAM(wy_actuation_heat, expansion, .key = "expansion", .doc = "Coefficient of thermal expansion.",
             .unit = "1/K", .type = WY_TYPE_REAL),
    WY_PARAM(wy_actuation_heat, temperature, .key = "temperature", .doc = "On the axis, above that of the reference.",
             .unit = "K", .type = WY_TYPE_REAL, .default_text = "0"),
    WY_PARAM(wy_actuation_heat, gradient, .key = "gradient", .doc = "Of the temperature along d1 and d2.",
             .unit = "K/m", .type = WY_TYPE_VECTOR, .count = 2, .default_text = "[0, 0]"),
    WY_PARAM(wy_actuation_heat, in_time, .key = "in_time", .doc = "Factor of both in time.", .type = WY_TYPE_CHOICE,
             .from = &wy_signals, .default_text = "constant"),
    {0},
};

static bool heat_varies(const void *config) {
    return wy_signal_varies(&((const wy_actuation_heat *)config)->in_time);
}

static wy_status heat_check(const void *config, double length, wy_error *err) {
    const wy_actuation_heat *c = config;
    (void)length;
    if (!isfinite(c->expansion) || !isfinite(c->temperature) || !isfinite(c->gradient[0]) || !isfinite(c->gradient[1]))
        return wy_fail(err, WY_BAD_INPUT, "heat of %g K and (%g, %g) K/m with %g 1/K, expected numbers", c->temperature,
                       c->gradient[0], c->gradient[1], c->expansion);
    return wy_signal_check(&c->in_time, err);
}

static void heat_strain(double xi[6], const void *config, double s, int side, double length, double t) {
    const wy_actuation_heat *c = config;
    (void)s;
    (void)side;
    (void)length;
    const double f = c->expansion * wy_signal_value(&c->in_time, t);
    xi[0] += f * c->gradient[1];
    xi[1] -= f * c->gradient[0];
    xi[5] += f * c->temperature;
}

const wy_actuation wy_actuation_is_heat = {
    .entry = {.name = "heat",
              .doc = "Thermal expansion, and bending by a difference of temperature across the section.",
              .params = heat_params,
              .config_size = sizeof(wy_actuation_heat)},
    .varies = heat_varies,
    .check = heat_check,
    .strain = heat_strain,
};
