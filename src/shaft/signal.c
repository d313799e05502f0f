/* The signals: constant, ramp, sine, table. */
#include "shaft/signal.h"

#include <math.h>
#include <stddef.h>

static const double TWO_PI = 6.28318530717958647692;

typedef struct constant_config {
    double value;
} constant_config;

static const wy_param constant_params[] = {
    {.key = "value",
     .doc = "The value, in the unit of what it drives.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .fallback = "0",
     .offset = offsetof(constant_config, value)},
    {0},
};

static double constant_value(const void *config, double t) {
    (void)t;
    return ((const constant_config *)config)->value;
}

typedef struct ramp_config {
    double value, rate, from, to;
} ramp_config;

static const wy_param ramp_params[] = {
    {.key = "value",
     .doc = "The value before the ramp begins.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .fallback = "0",
     .offset = offsetof(ramp_config, value)},
    {.key = "rate",
     .doc = "Growth per second on the ramp.",
     .unit = "1/s",
     .type = WY_TYPE_REAL,
     .offset = offsetof(ramp_config, rate)},
    {.key = "from",
     .doc = "When the ramp begins.",
     .unit = "s",
     .type = WY_TYPE_REAL,
     .fallback = "0",
     .offset = offsetof(ramp_config, from)},
    {.key = "to",
     .doc = "When it ends and the value stays; left out: never.",
     .unit = "s",
     .type = WY_TYPE_REAL,
     .fallback = "",
     .offset = offsetof(ramp_config, to)},
    {0},
};

static double ramp_value(const void *config, double t) {
    const ramp_config *c = config;
    const double end = isnan(c->to) ? t : fmin(t, c->to);
    return c->value + c->rate * fmax(0.0, end - c->from);
}

typedef struct sine_config {
    double amplitude, frequency, phase, offset;
} sine_config;

static const wy_param sine_params[] = {
    {.key = "amplitude",
     .doc = "Amplitude, in the unit of what it drives.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .offset = offsetof(sine_config, amplitude)},
    {.key = "frequency",
     .doc = "Cycles per second.",
     .unit = "Hz",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .offset = offsetof(sine_config, frequency)},
    {.key = "phase",
     .doc = "Phase at t = 0.",
     .unit = "rad",
     .type = WY_TYPE_REAL,
     .fallback = "0",
     .offset = offsetof(sine_config, phase)},
    {.key = "offset",
     .doc = "Mean value.",
     .unit = "1",
     .type = WY_TYPE_REAL,
     .fallback = "0",
     .offset = offsetof(sine_config, offset)},
    {0},
};

static double sine_value(const void *config, double t) {
    const sine_config *c = config;
    return c->offset + c->amplitude * sin(TWO_PI * c->frequency * t + c->phase);
}

typedef struct table_config {
    wy_samples points;
} table_config;

static const wy_param table_params[] = {
    {.key = "points",
     .doc = "Rows of time and value, times rising; straight lines in between, constant outside.",
     .unit = "1",
     .type = WY_TYPE_SAMPLES,
     .count = 2,
     .offset = offsetof(table_config, points)},
    {0},
};

static wy_status table_check(const void *config, wy_error *err) {
    const wy_samples *p = &((const table_config *)config)->points;
    if (p->rows < 1)
        return wy_fail(err, WY_BAD_INPUT, "a table signal needs at least one row of time and value");
    for (size_t i = 1; i < p->rows; i++)
        if (!(p->values[2 * i] > p->values[2 * i - 2]))
            return wy_fail(err, WY_BAD_INPUT, "times of a table signal must rise: row %zu has %g s after %g s", i + 1,
                           p->values[2 * i], p->values[2 * i - 2]);
    return WY_OK;
}

static double table_value(const void *config, double t) {
    const wy_samples *p = &((const table_config *)config)->points;
    size_t low = 0, high = p->rows - 1; /* bisection: t is between the rows low and high */
    if (t <= p->values[0])
        return p->values[1];
    if (t >= p->values[2 * high])
        return p->values[2 * high + 1];
    while (high - low > 1) {
        const size_t mid = low + (high - low) / 2;
        if (p->values[2 * mid] <= t)
            low = mid;
        else
            high = mid;
    }
    const double *a = p->values + 2 * low, *b = p->values + 2 * high;
    return a[1] + (b[1] - a[1]) * (t - a[0]) / (b[0] - a[0]);
}

#define SIGNALS(ROW)                                                                          \
    ROW(constant, NULL, "The same value at all times.")                                       \
    ROW(ramp, NULL, "A straight line in time, from one moment on and, if asked, up to another.") \
    ROW(sine, NULL, "offset + amplitude sin(2 pi frequency t + phase).")                      \
    ROW(table, table_check, "Straight lines between given points in time.")

#define DEFINE(id, checker, words)                                                                              \
    static const wy_shaft_signal signal_##id = {                                                                      \
        .entry = {.name = #id, .doc = words, .params = id##_params, .config_size = sizeof(id##_config)},        \
        .value = id##_value,                                                                                    \
        .check = checker,                                                                                       \
    };
SIGNALS(DEFINE)

#define ENTRY(id, checker, words) &signal_##id.entry,
static const wy_entry *const rows[] = {SIGNALS(ENTRY) NULL};

const wy_catalogue wy_shaft_signals = {
    .name = "shaft-signals",
    .singular = "signal",
    .doc = "Functions of time for torques and drivers of a shaft.",
    .entries = rows,
};

static const wy_shaft_signal *signal_of(const wy_choice *choice) {
    return (const wy_shaft_signal *)(const void *)choice->entry;
}

double wy_shaft_signal_value(const wy_choice *signal, double t) {
    return signal_of(signal)->value(signal->config, t);
}

wy_status wy_shaft_signal_check(const wy_choice *signal, wy_error *err) {
    const wy_shaft_signal *s = signal_of(signal);
    return s->check ? s->check(signal->config, err) : WY_OK;
}
