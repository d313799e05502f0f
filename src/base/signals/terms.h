/* What sums and products of signals share. */
#ifndef WY_SIGNAL_TERMS_H
#define WY_SIGNAL_TERMS_H

#include <math.h>

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

/* The first break of any term, and the shortest feature of all. */
static inline double wy_signal_terms_next_break(const void *config, double t) {
    const wy_list *terms = &((const wy_signal_terms *)config)->terms;
    double next = INFINITY;
    for (size_t i = 0; i < terms->count; i++)
        next = fmin(next, wy_signal_next_break(&terms->items[i], t));
    return next;
}

static inline double wy_signal_terms_shortest(const void *config, double until) {
    const wy_list *terms = &((const wy_signal_terms *)config)->terms;
    double shortest = INFINITY;
    for (size_t i = 0; i < terms->count; i++)
        shortest = fmin(shortest, wy_signal_shortest(&terms->items[i], until));
    return shortest;
}

#endif
