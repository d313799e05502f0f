/* The value of a chosen signal at a time. */
#ifndef WY_SIGNAL_VALUE_H
#define WY_SIGNAL_VALUE_H

#include <withy/signal.h>

/* A signal with its configuration, resolved. */
static inline double wy_signal_value(const wy_choice *c, double t) {
    return c->entry ? ((const wy_signal *)(const void *)c->entry)->value(c->config, t) : 1.0;
}

static inline double wy_signal_rate(const wy_choice *c, double t) {
    return c->entry ? ((const wy_signal *)(const void *)c->entry)->rate(c->config, t) : 0.0;
}

/* Whether it is anything but one number for ever. */
bool wy_signal_varies(const wy_choice *signal);

#endif
