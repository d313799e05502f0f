/* One, always. */
#include "rod/rod_internal.h"

static double value(const void *config, double t) {
    (void)config;
    (void)t;
    return 1.0;
}

static double rate(const void *config, double t) {
    (void)config;
    (void)t;
    return 0.0;
}

const wy_signal wy_signal_is_constant = {
    .entry = {.name = "constant", .doc = "1 at all times."}, .value = value, .rate = rate};

wy_status wy_signal_check(const wy_choice *c, wy_error *err) {
    if (!c->entry)
        return WY_OK;
    const wy_signal *signal = (const wy_signal *)(const void *)c->entry;
    return signal->check ? signal->check(c->config, err) : WY_OK;
}
