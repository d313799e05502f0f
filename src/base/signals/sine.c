/* Signal `sine`: offset + amplitude sin(2 pi f t + phase). */
#include <math.h>
#include <stddef.h>

#include <withy/signal.h>

#include "math/constants.h"
#include "math/elementary.h"

static const wy_param sine_params[] = {
    WY_PARAM(wy_signal_sine, amplitude, .key = "amplitude", .doc = "In the unit of what it drives.", .unit = "1",
             .type = WY_TYPE_REAL, .default_text = "1"),
    WY_PARAM(wy_signal_sine, frequency, .key = "frequency", .doc = "Oscillations in a second.", .unit = "Hz",
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE),
    WY_PARAM(wy_signal_sine, phase, .key = "phase", .doc = "Angle at t = 0.", .unit = "rad", .type = WY_TYPE_REAL,
             .default_text = "0"),
    WY_PARAM(wy_signal_sine, offset, .key = "offset", .doc = "Mean value.", .unit = "1", .type = WY_TYPE_REAL,
             .default_text = "0"),
    {0},
};

static wy_status sine_check(const void *config, wy_error *err) {
    const wy_signal_sine *c = config;
    if (c->amplitude == 0.0)
        return wy_fail(err, WY_BAD_INPUT, "a sine of amplitude 0 does not move: use a constant");
    return WY_OK;
}

static double sine_value(const void *config, double t) {
    const wy_signal_sine *c = config;
    return c->offset + c->amplitude * wy_sin(WY_TWO_PI * c->frequency * t + c->phase);
}

static double sine_rate(const void *config, double t) {
    const wy_signal_sine *c = config;
    return c->amplitude * WY_TWO_PI * c->frequency * wy_cos(WY_TWO_PI * c->frequency * t + c->phase);
}

static double sine_shortest(const void *config, double until) {
    (void)until;
    return 1.0 / fabs(((const wy_signal_sine *)config)->frequency); /* 0 Hz: it has none */
}

const wy_signal wy_signal_is_sine = {.entry = {.name = "sine",
                                               .doc = "offset + amplitude sin(2 pi frequency t + phase).",
                                               .params = sine_params,
                                               .config_size = sizeof(wy_signal_sine)},
                                     .check = sine_check,
                                     .value = sine_value,
                                     .rate = sine_rate,
                                     .shortest = sine_shortest};
