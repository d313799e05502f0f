/* From 0 to 1, and then 1. */
#include <stddef.h>

#include <withy/rod.h>

static const wy_param params[] = {
    {.key = "from", .doc = "Where it leaves 0.", .unit = "s", .type = WY_TYPE_REAL, .fallback = "0",
     .offset = offsetof(wy_signal_ramp, from)},
    {.key = "until", .doc = "Where it reaches 1.", .unit = "s", .type = WY_TYPE_REAL,
     .offset = offsetof(wy_signal_ramp, until)},
    {.key = "smooth", .doc = "Without a jump of its rate: 3 x^2 - 2 x^3.", .type = WY_TYPE_BOOL, .fallback = "false",
     .offset = offsetof(wy_signal_ramp, smooth)},
    {0},
};

static wy_status check(const void *config, wy_error *err) {
    const wy_signal_ramp *c = config;
    if (!(c->until > c->from))
        return wy_fail(err, WY_BAD_INPUT, "a ramp from %g s until %g s: 'until' must come after 'from'", c->from, c->until);
    return WY_OK;
}

static double value(const void *config, double t) {
    const wy_signal_ramp *c = config;
    const double x = (t - c->from) / (c->until - c->from);
    return x <= 0.0 ? 0.0 : x >= 1.0 ? 1.0 : c->smooth ? x * x * (3.0 - 2.0 * x) : x;
}

static double rate(const void *config, double t) {
    const wy_signal_ramp *c = config;
    const double T = c->until - c->from, x = (t - c->from) / T;
    return x < 0.0 || x >= 1.0 ? 0.0 : (c->smooth ? 6.0 * x * (1.0 - x) : 1.0) / T;
}

const wy_signal wy_signal_is_ramp = {
    .entry = {.name = "ramp", .doc = "From 0 to 1 between two times.", .params = params,
              .config_size = sizeof(wy_signal_ramp)},
    .check = check, .value = value, .rate = rate};
