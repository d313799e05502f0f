/* Signal `product`: signals multiplied, such as a sine under a ramp. */
#include <stddef.h>

#include "base/signals/terms.h"

static const wy_param product_params[] = {
    WY_PARAM(wy_signal_product, terms, .key = "terms", .doc = "The signals that are multiplied.", .type = WY_TYPE_LIST,
             .from = &wy_signals),
    {0},
};

static double product_value(const void *config, double t) {
    const wy_list *terms = &((const wy_signal_product *)config)->terms;
    double product = 1.0;
    for (size_t i = 0; i < terms->count; i++)
        product *= wy_signal_value(&terms->items[i], t);
    return product;
}

/* (f g h)' = f' g h + f g' h + f g h' */
static double product_rate(const void *config, double t) {
    const wy_list *terms = &((const wy_signal_product *)config)->terms;
    double sum = 0.0;
    for (size_t i = 0; i < terms->count; i++) {
        double product = wy_signal_rate(&terms->items[i], t);
        for (size_t j = 0; j < terms->count; j++)
            if (j != i)
                product *= wy_signal_value(&terms->items[j], t);
        sum += product;
    }
    return sum;
}

const wy_signal wy_signal_is_product = {.entry = {.name = "product",
                                                  .doc = "Signals multiplied: a sine that a ramp lets in, say.",
                                                  .params = product_params,
                                                  .config_size = sizeof(wy_signal_product)},
                                        .check = wy_signal_terms_check,
                                        .value = product_value,
                                        .rate = product_rate,
                                        .next_break = wy_signal_terms_next_break,
                                        .shortest = wy_signal_terms_shortest};
