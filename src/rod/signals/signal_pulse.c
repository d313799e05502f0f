/* A triangle in time. */
#include <stddef.h>

#include <withy/rod.h>

static const wy_param params[] = {
    {.key = "from", .doc = "Where it leaves 0.", .unit = "s", .type = WY_TYPE_REAL, .fallback = "0",
     .offset = offsetof(wy_signal_pulse, from)},
    {.key = "peak", .doc = "Where it is 1.", .unit = "s", .type = WY_TYPE_REAL, .offset = offsetof(wy_signal_pulse, peak)},
    {.key = "until", .doc = "Where it is 0 again.", .unit = "s", .type = WY_TYPE_REAL,
     .offset = offsetof(wy_signal_pulse, until)},
    {0},
};

static wy_status check(const void *config, wy_error *err) {
    const wy_signal_pulse *c = config;
    if (!(c->peak >= c->from && c->until >= c->peak && c->until > c->from))
        return wy_fail(err, WY_BAD_INPUT, "a pulse from %g s with its peak at %g s until %g s: the times must rise", c->from,
                       c->peak, c->until);
    return WY_OK;
}

static double value(const void *config, double t) {
    const wy_signal_pulse *c = config;
    if (t <= c->from || t >= c->until)
        return 0.0;
    return t < c->peak ? (t - c->from) / (c->peak - c->from) : (c->until - t) / (c->until - c->peak);
}

static double rate(const void *config, double t) {
    const wy_signal_pulse *c = config;
    if (t < c->from || t >= c->until)
        return 0.0;
    return t < c->peak ? 1.0 / (c->peak - c->from) : -1.0 / (c->until - c->peak);
}

const wy_signal wy_signal_is_pulse = {
    .entry = {.name = "pulse", .doc = "A triangle: up to 1 and back to 0.", .params = params,
              .config_size = sizeof(wy_signal_pulse)},
    .check = check, .value = value, .rate = rate};
