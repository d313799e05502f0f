/* Signal `sampled`: straight lines between given points. */
#include <math.h>
#include <stddef.h>

#include "base/signals/rows.h"

static const wy_param signal_sampled_params[] = {
    WY_PARAM(wy_signal_sampled, values, .key = "values",
             .doc = "Rows of time and value, the times rising; held before the first and after the last.",
             .type = WY_TYPE_SAMPLES, .count = 2),
    {0},
};

static wy_status signal_sampled_check(const void *config, wy_error *err) {
    const wy_signal_sampled *c = config;
    if (c->values.rows < 1)
        return wy_fail(err, WY_BAD_INPUT, "a sampled signal needs at least one row of time and value");
    for (size_t i = 0; i < c->values.rows; i++) {
        const double *row = c->values.values + 2 * i;
        if (!isfinite(row[0]) || !isfinite(row[1]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a sampled signal is (%g, %g), expected numbers", i + 1,
                           row[0], row[1]);
        if (i > 0 && !(row[0] > row[-2]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a sampled signal: time %g s does not come after %g s", i + 1,
                           row[0], row[-2]);
    }
    return WY_OK;
}

/* The last row at or before t; the caller has excluded both outsides. */
static const double *row_before(const wy_samples *v, double t) {
    size_t low = 0, high = v->rows - 1;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (v->values[2 * middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return v->values + 2 * low;
}

static double sampled_value(const void *config, double t) {
    const wy_samples *v = &((const wy_signal_sampled *)config)->values;
    const double *last = v->values + 2 * (v->rows - 1);
    if (t <= v->values[0])
        return v->values[1];
    if (t >= last[0])
        return last[1];
    const double *r = row_before(v, t);
    return r[1] + (r[3] - r[1]) * (t - r[0]) / (r[2] - r[0]);
}

static double sampled_rate(const void *config, double t) {
    const wy_samples *v = &((const wy_signal_sampled *)config)->values;
    if (v->rows < 2 || t < v->values[0] || t >= v->values[2 * (v->rows - 1)])
        return 0.0;
    const double *r = row_before(v, t);
    return (r[3] - r[1]) / (r[2] - r[0]);
}

/* Knots do not break it, jumps do: a row-to-row time less than a hundredth of both beside it. Before the first row
 * and after the last one it is held for ever. */
static bool jumps(const wy_samples *v, size_t i) {
    const double few = 0.01, *r = v->values + 2 * i, time = r[2] - r[0];
    return r[3] != r[1] && (i == 0 || time < few * (r[0] - r[-2])) &&
           (i + 2 == v->rows || time < few * (r[4] - r[2])) && v->rows > 2;
}

static double signal_sampled_next_break(const void *config, double t) {
    const wy_samples *v = &((const wy_signal_sampled *)config)->values;
    if (v->rows < 2 || t >= v->values[2 * (v->rows - 1)])
        return INFINITY;
    for (size_t i = t < v->values[0] ? 0 : (size_t)(row_before(v, t) - v->values) / 2; i + 1 < v->rows; i++)
        if (jumps(v, i))
            return v->values[2 * i] > t ? v->values[2 * i] : v->values[2 * i + 2];
    return INFINITY;
}

static double sampled_shortest(const void *config, double until) {
    return wy_samples_shortest(&((const wy_signal_sampled *)config)->values, until);
}

const wy_signal wy_signal_is_sampled = {.entry = {.name = "sampled",
                                                  .doc = "Straight lines between given points.",
                                                  .params = signal_sampled_params,
                                                  .config_size = sizeof(wy_signal_sampled)},
                                        .check = signal_sampled_check,
                                        .value = sampled_value,
                                        .rate = sampled_rate,
                                        .next_break = signal_sampled_next_break,
                                        .shortest = sampled_shortest};
