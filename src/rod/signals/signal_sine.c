/* sin(2 pi f t + phase) */
#include <math.h>
#include <stddef.h>

#include <withy/rod.h>

static const double PI2 = 6.283185307179586;

static const wy_param params[] = {
    {.key = "frequency", .doc = "Oscillations in a second.", .unit = "Hz", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE,
     .offset = offsetof(wy_signal_sine, frequency)},
    {.key = "phase", .doc = "Angle at t = 0.", .unit = "rad", .type = WY_TYPE_REAL, .fallback = "0",
     .offset = offsetof(wy_signal_sine, phase)},
    {0},
};

static double value(const void *config, double t) {
    const wy_signal_sine *c = config;
    return sin(PI2 * c->frequency * t + c->phase);
}

static double rate(const void *config, double t) {
    const wy_signal_sine *c = config;
    return PI2 * c->frequency * cos(PI2 * c->frequency * t + c->phase);
}

const wy_signal wy_signal_is_sine = {
    .entry = {.name = "sine", .doc = "sin(2 pi f t + phase).", .params = params, .config_size = sizeof(wy_signal_sine)},
    .value = value, .rate = rate};
