/* The table of signals: to add one, write its file in this folder and add its row here. */
#include <math.h>

#include <withy/signal.h>

#include "base/given.h"
#include "base/signal_value.h"

#define ROWS(ROW) \
    ROW(constant) \
    ROW(line)     \
    ROW(ramp)     \
    ROW(sine)     \
    ROW(chirp)    \
    ROW(pulse)    \
    ROW(sampled)  \
    ROW(smooth)   \
    ROW(sum)      \
    ROW(product)

#define DECLARE(name) extern const wy_signal wy_signal_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_signal_is_##name.entry,
static const wy_entry *const signal_rows[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_signals = {
    .name = "signals",
    .singular = "signal",
    .doc = "Functions of time that scale loads, move ends and drive shafts.",
    .entries = signal_rows,
};

wy_status wy_signal_check(const wy_choice *choice, wy_error *err) {
    WY_GIVEN(choice, err);
    const wy_signal *signal = (const wy_signal *)(const void *)choice->entry;
    return signal && signal->check ? signal->check(choice->config, err) : WY_OK;
}

double wy_signal_next_break(const wy_choice *choice, double t) {
    const wy_signal *signal = (const wy_signal *)(const void *)choice->entry;
    return signal && signal->next_break ? signal->next_break(choice->config, t) : INFINITY;
}

double wy_signal_shortest(const wy_choice *choice, double until) {
    enum { MOST_BREAKS = 100000 };
    const wy_signal *signal = (const wy_signal *)(const void *)choice->entry;
    double shortest = signal && signal->shortest ? signal->shortest(choice->config, until) : INFINITY;
    double from = wy_signal_next_break(choice, -INFINITY);
    for (int i = 0; i < MOST_BREAKS && from < until; i++) {
        const double next = wy_signal_next_break(choice, from);
        shortest = fmin(shortest, next - from);
        if (!(next > from))
            break;
        from = next;
    }
    return shortest;
}

bool wy_signal_varies(const wy_choice *choice) {
    return choice->entry && choice->entry != &wy_signal_is_constant.entry;
}
