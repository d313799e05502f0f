/* Signal `line`: a straight line that never ends. */
#include <stddef.h>

#include <withy/signal.h>

static const wy_param line_params[] = {
    WY_PARAM(wy_signal_line, value, .key = "value", .doc = "At t = 0, in the unit of what it drives.", .unit = "1",
             .type = WY_TYPE_REAL, .default_text = "0"),
    WY_PARAM(wy_signal_line, rate, .key = "rate", .doc = "Growth per second.", .unit = "1/s", .type = WY_TYPE_REAL),
    {0},
};

static double line_value(const void *config, double t) {
    const wy_signal_line *c = config;
    return c->value + c->rate * t;
}

static double line_rate(const void *config, double t) {
    (void)t;
    return ((const wy_signal_line *)config)->rate;
}

const wy_signal wy_signal_is_line = {
    .entry = {.name = "line", .doc = "value + rate t.", .params = line_params, .config_size = sizeof(wy_signal_line)},
    .value = line_value,
    .rate = line_rate};
