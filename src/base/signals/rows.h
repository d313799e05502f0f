/* What signals given by rows of time and value share. */
#ifndef WY_SIGNAL_ROWS_H
#define WY_SIGNAL_ROWS_H

#include <math.h>

#include <withy/signal.h>

/* The shortest time from row to row before `until` within which the value changes, s. */
static inline double wy_samples_shortest(const wy_samples *v, double until) {
    double shortest = INFINITY;
    for (size_t i = 0; i + 1 < v->rows && v->values[2 * i] < until; i++)
        if (v->values[2 * i + 3] != v->values[2 * i + 1])
            shortest = fmin(shortest, v->values[2 * i + 2] - v->values[2 * i]);
    return shortest;
}

#endif
