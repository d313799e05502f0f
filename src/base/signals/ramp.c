/* Signal `ramp`: from one value to another between two times. */
#include <math.h>
#include <stddef.h>

#include <withy/signal.h>

static const wy_param ramp_params[] = {
    WY_PARAM(wy_signal_ramp, from, .key = "from", .doc = "When it begins.", .unit = "s", .type = WY_TYPE_REAL,
             .default_text = "0"),
    WY_PARAM(wy_signal_ramp, until, .key = "until", .doc = "When it ends.", .unit = "s", .type = WY_TYPE_REAL),
    WY_PARAM(wy_signal_ramp, low, .key = "low", .doc = "The value before, in the unit of what it drives.", .unit = "1",
             .type = WY_TYPE_REAL, .default_text = "0"),
    WY_PARAM(wy_signal_ramp, high, .key = "high", .doc = "The value after.", .unit = "1", .type = WY_TYPE_REAL,
             .default_text = "1"),
    WY_PARAM(wy_signal_ramp, smooth, .key = "smooth", .doc = "Without a jump of its rate: 3 x^2 - 2 x^3.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    {0},
};

static wy_status ramp_check(const void *config, wy_error *err) {
    const wy_signal_ramp *c = config;
    if (!(c->until > c->from))
        return wy_fail(err, WY_BAD_INPUT, "a ramp from %g s until %g s: 'until' must come after 'from'", c->from,
                       c->until);
    if (c->low == c->high)
        return wy_fail(err, WY_BAD_INPUT, "a ramp from %g to %g goes nowhere: use a constant", c->low, c->high);
    return WY_OK;
}

static double ramp_value(const void *config, double t) {
    const wy_signal_ramp *c = config;
    const double x = (t - c->from) / (c->until - c->from);
    const double f = x <= 0.0 ? 0.0 : x >= 1.0 ? 1.0 : c->smooth ? x * x * (3.0 - 2.0 * x) : x;
    return c->low + (c->high - c->low) * f;
}

static double ramp_rate(const void *config, double t) {
    const wy_signal_ramp *c = config;
    const double T = c->until - c->from, x = (t - c->from) / T;
    return x < 0.0 || x >= 1.0 ? 0.0 : (c->high - c->low) * (c->smooth ? 6.0 * x * (1.0 - x) : 1.0) / T;
}

static double ramp_next_break(const void *config, double t) {
    const wy_signal_ramp *c = config;
    return t < c->from ? c->from : t < c->until ? c->until : INFINITY;
}

const wy_signal wy_signal_is_ramp = {.entry = {.name = "ramp",
                                               .doc = "From one value to another between two times.",
                                               .params = ramp_params,
                                               .config_size = sizeof(wy_signal_ramp)},
                                     .check = ramp_check,
                                     .value = ramp_value,
                                     .rate = ramp_rate,
                                     .next_break = ramp_next_break};
