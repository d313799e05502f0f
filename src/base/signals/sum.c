/* Signal `sum`: signals added. */
#include <stddef.h>

#include "base/signals/terms.h"

static const wy_param sum_params[] = {
    WY_PARAM(wy_signal_sum, terms, .key = "terms", .doc = "The signals that are added.", .type = WY_TYPE_LIST,
             .from = &wy_signals),
    {0},
};

static double sum_value(const void *config, double t) {
    const wy_list *terms = &((const wy_signal_sum *)config)->terms;
    double sum = 0.0;
    for (size_t i = 0; i < terms->count; i++)
        sum += wy_signal_value(&terms->items[i], t);
    return sum;
}

static double sum_rate(const void *config, double t) {
    const wy_list *terms = &((const wy_signal_sum *)config)->terms;
    double sum = 0.0;
    for (size_t i = 0; i < terms->count; i++)
        sum += wy_signal_rate(&terms->items[i], t);
    return sum;
}

const wy_signal wy_signal_is_sum = {
    .entry = {.name = "sum", .doc = "Signals added.", .params = sum_params, .config_size = sizeof(wy_signal_sum)},
    .check = wy_signal_terms_check,
    .value = sum_value,
    .rate = sum_rate,
    .next_break = wy_signal_terms_next_break,
    .shortest = wy_signal_terms_shortest};
