/* A uniform strain along the rod or a part of it, times a signal: a pressurised finger, a muscle, a swelling gel. */
#include <math.h>
#include <stddef.h>

#include <withy/rod.h>

#include "base/signal_value.h"

static const wy_param uniform_params[] = {
    WY_PARAM(
        wy_actuation_uniform, strain, .key = "strain",
        .doc =
            "kappa1, kappa2, kappa3 (1/m), nu1, nu2, nu3 (1): added to the strain of the reference; nu3 = 0.1 makes it "
            "10 % longer.",
        .type = WY_TYPE_VECTOR, .count = 6),
    WY_PARAM(wy_actuation_uniform, from, .key = "from", .doc = "Start of the driven part; left out: the first end.",
             .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = ""),
    WY_PARAM(wy_actuation_uniform, until, .key = "until", .doc = "End of the driven part; left out: the last end.",
             .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""),
    WY_PARAM(wy_actuation_uniform, in_time, .key = "in_time", .doc = "Factor in time.", .type = WY_TYPE_CHOICE,
             .from = &wy_signals, .default_text = "constant"),
    {0},
};

static bool uniform_varies(const void *config) {
    return wy_signal_varies(&((const wy_actuation_uniform *)config)->in_time);
}

static wy_status uniform_check(const void *config, double length, wy_error *err) {
    const wy_actuation_uniform *c = config;
    for (int k = 0; k < 6; k++)
        if (!isfinite(c->strain[k]))
            return wy_fail(err, WY_BAD_INPUT, "component %d of the strain is %g, expected a number", k + 1,
                           c->strain[k]);
    const double from = isnan(c->from) ? 0.0 : c->from, until = isnan(c->until) ? length : c->until;
    if (!(from >= 0.0 && until > from && until <= length * (1.0 + 1e-9)))
        return wy_fail(err, WY_BAD_INPUT, "from %g m until %g m is not a part of the rod of %g m", from, until, length);
    return wy_signal_check(&c->in_time, err);
}

static void uniform_strain(double xi[6], const void *config, double s, int side, double length, double t) {
    const wy_actuation_uniform *c = config;
    const double from = isnan(c->from) ? 0.0 : c->from, until = isnan(c->until) ? length : c->until;
    if (side < 0 ? s <= from || s > until : s < from || (s >= until && until < length))
        return;
    const double f = wy_signal_value(&c->in_time, t);
    for (int k = 0; k < 6; k++)
        xi[k] += f * c->strain[k];
}

static double uniform_next_break(const void *config, double s) {
    const wy_actuation_uniform *c = config;
    if (c->from > s)
        return c->from;
    return c->until > s ? c->until : INFINITY;
}

const wy_actuation wy_actuation_is_uniform = {
    .entry = {.name = "uniform",
              .doc = "A uniform strain along the rod or a part of it, constant or in time.",
              .params = uniform_params,
              .config_size = sizeof(wy_actuation_uniform)},
    .varies = uniform_varies,
    .check = uniform_check,
    .strain = uniform_strain,
    .next_break = uniform_next_break,
};
