/* Signal `constant`: the same value at all times. */
#include <stddef.h>

#include <withy/signal.h>

static const wy_param signal_constant_params[] = {
    WY_PARAM(wy_signal_constant, value, .key = "value", .doc = "The value, in the unit of what it drives or scales.",
             .unit = "1", .type = WY_TYPE_REAL, .default_text = "1"),
    {0},
};

static double constant_value(const void *config, double t) {
    (void)t;
    return config ? ((const wy_signal_constant *)config)->value : 1.0;
}

static double constant_rate(const void *config, double t) {
    (void)config;
    (void)t;
    return 0.0;
}

const wy_signal wy_signal_is_constant = {.entry = {.name = "constant",
                                                   .doc = "The same value at all times.",
                                                   .params = signal_constant_params,
                                                   .config_size = sizeof(wy_signal_constant)},
                                         .value = constant_value,
                                         .rate = constant_rate};
