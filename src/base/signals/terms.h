/* What sums and products of signals share. */
#ifndef WY_SIGNAL_TERMS_H
#define WY_SIGNAL_TERMS_H

#include "base/signal_value.h"

/* Refuses none, and what a term itself refuses. */
static inline wy_status wy_signal_terms_check(const void *config, wy_error *err) {
    const wy_list *terms = &((const wy_signal_terms *)config)->terms;
    if (terms->count == 0)
        return wy_fail(err, WY_BAD_INPUT, "a sum or product of signals needs at least one term");
    for (size_t i = 0; i < terms->count; i++) {
        const wy_status s = wy_signal_check(&terms->items[i], err);
        if (s)
            return wy_fail_at(err, s, "term %zu", i + 1);
    }
    return WY_OK;
}

#endif
