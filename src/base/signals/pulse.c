/* Signal `pulse`: a triangle in time. */
#include <math.h>
#include <stddef.h>

#include <withy/signal.h>

static const wy_param pulse_params[] = {
    WY_PARAM(wy_signal_pulse, from, .key = "from", .doc = "When it leaves 0.", .unit = "s", .type = WY_TYPE_REAL,
             .default_text = "0"),
    WY_PARAM(wy_signal_pulse, peak, .key = "peak", .doc = "When it is highest.", .unit = "s", .type = WY_TYPE_REAL),
    WY_PARAM(wy_signal_pulse, until, .key = "until", .doc = "When it is 0 again.", .unit = "s", .type = WY_TYPE_REAL),
    WY_PARAM(wy_signal_pulse, height, .key = "height", .doc = "At the peak, in the unit of what it drives.",
             .unit = "1", .type = WY_TYPE_REAL, .default_text = "1"),
    {0},
};

static wy_status pulse_check(const void *config, wy_error *err) {
    const wy_signal_pulse *c = config;
    if (!(c->peak >= c->from && c->until >= c->peak && c->until > c->from))
        return wy_fail(err, WY_BAD_INPUT, "a pulse from %g s with its peak at %g s until %g s: the times must rise",
                       c->from, c->peak, c->until);
    if (c->height == 0.0)
        return wy_fail(err, WY_BAD_INPUT, "a pulse of height 0 is none");
    return WY_OK;
}

/* At a jump, the value before it. */
static double pulse_value(const void *config, double t) {
    const wy_signal_pulse *c = config;
    if (t <= c->from || t > c->until)
        return 0.0;
    return c->height * (t <= c->peak ? (t - c->from) / (c->peak - c->from) : (c->until - t) / (c->until - c->peak));
}

static double pulse_rate(const void *config, double t) {
    const wy_signal_pulse *c = config;
    if (t < c->from || t >= c->until)
        return 0.0;
    return c->height * (t < c->peak ? 1.0 / (c->peak - c->from) : -1.0 / (c->until - c->peak));
}

static double pulse_next_break(const void *config, double t) {
    const wy_signal_pulse *c = config;
    return t < c->from ? c->from : t < c->peak ? c->peak : t < c->until ? c->until : INFINITY;
}

const wy_signal wy_signal_is_pulse = {.entry = {.name = "pulse",
                                                .doc = "A triangle in time, and 0 outside.",
                                                .params = pulse_params,
                                                .config_size = sizeof(wy_signal_pulse)},
                                      .check = pulse_check,
                                      .value = pulse_value,
                                      .rate = pulse_rate,
                                      .next_break = pulse_next_break};
