/* Breaks in time of what acts on a moving rod: jumps and kinks of its signals, on which steps end.
 * docs/math/motion.md, "Breaks in time". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/motion_internal.h"

double wy_motion_next_break(const wy_motion *rod, double t) {
    double next = wy_signals_next_break(rod->signals, rod->signal_count, t);
    for (size_t i = 0; i < rod->def.loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)rod->def.loads.items[i].entry;
        if (load->next_break_in_time)
            next = fmin(next, load->next_break_in_time(rod->def.loads.items[i].config, t));
    }
    for (int e = 0; e < 2; e++)
        if (rod->ends[e] && rod->ends[e]->next_break_in_time)
            next = fmin(next, rod->ends[e]->next_break_in_time(rod->def.ends[e].config, t));
    return next;
}

bool wy_motion_breaks_at(const wy_motion *rod, double t, double dt) {
    return wy_motion_next_break(rod, t - WY_STEP_SLIVER * dt) <= t + WY_STEP_SLIVER * dt;
}

double wy_motion_force_order(const wy_motion *rod) {
    enum { MOST_BREAKS = 100 };
    double order = 2.0;
    for (size_t i = 0; i < rod->signal_count; i++) {
        const wy_choice *s = rod->signals[i].signal;
        const int e = strncmp(rod->signals[i].name, "last_end.", 9) == 0;
        if ((!e && strncmp(rod->signals[i].name, "first_end.", 10) != 0) || !rod->ends[e]->pose)
            continue;
        double t = wy_signal_next_break(s, 0.0);
        for (int k = 0; k < MOST_BREAKS && t < INFINITY; k++) {
            const double next = wy_signal_next_break(s, t), part = fmin(t, next - t), soon = 1e-6 * part,
                         before = wy_signal_rate(s, t - soon), after = wy_signal_rate(s, t + soon),
                         about = fmax(fabs(wy_signal_rate(s, t - 0.5 * part)), fabs(wy_signal_rate(s, t + 0.5 * part)));
            if (fabs(after - before) > 0.05 * fmax(about, fmax(fabs(after), fabs(before))))
                return 1.0;
            order = 1.5;
            t = next;
        }
    }
    return order;
}

static size_t find(wy_signal_use *out, size_t capacity, const char *owner, const wy_choice *choice) {
    return choice->entry ? wy_signals_find(out, capacity, owner, choice->entry->params, choice->config) : 0;
}

/* All of them, or as many as there is room for; how many there are. */
static size_t find_all(wy_signal_use *out, size_t capacity, const wy_rod_definition *d) {
    static const char *const ends[2] = {"first_end", "last_end"};
    size_t n = 0;
    char owner[sizeof out->name];
    for (int e = 0; e < 2; e++)
        n += find(out + n, n < capacity ? capacity - n : 0, ends[e], &d->ends[e]);
    for (size_t i = 0; i < d->loads.count; i++) {
        snprintf(owner, sizeof owner, "loads.%zu", i);
        n += find(out + n, n < capacity ? capacity - n : 0, owner, &d->loads.items[i]);
    }
    for (size_t i = 0; i < d->actuation.count; i++) {
        snprintf(owner, sizeof owner, "actuation.%zu", i);
        n += find(out + n, n < capacity ? capacity - n : 0, owner, &d->actuation.items[i]);
    }
    return n;
}

wy_status wy_motion_find_signals(wy_motion *rod, wy_error *err) {
    wy_signal_use none;
    const size_t count = find_all(&none, 0, &rod->def);
    if (count == 0)
        return WY_OK;
    rod->signals = wy_arena_take(rod->arena, count * sizeof *rod->signals);
    if (!rod->signals)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu signals", count);
    rod->signal_count = find_all(rod->signals, count, &rod->def);
    return WY_OK;
}
