/* The signals in a configuration, found by its table, and what steps in time see of them. docs/math/certificate.md,
 * "Signals". */
#include "base/signal_uses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct finder {
    wy_signal_use *out;
    size_t capacity, count;
} finder;

static void find_in_table(finder *f, const char *owner, const wy_param *params, const void *config);

static void find_in_choice(finder *f, const char *name, const wy_choice *choice, bool signal) {
    if (!choice->entry)
        return;
    if (!signal) {
        find_in_table(f, name, choice->entry->params, choice->config);
    } else if (wy_signal_varies(choice)) {
        if (f->count < f->capacity) {
            f->out[f->count].signal = choice;
            snprintf(f->out[f->count].name, sizeof f->out[f->count].name, "%s", name);
        }
        f->count++;
    }
}

static void find_in_table(finder *f, const char *owner, const wy_param *params, const void *config) {
    char name[sizeof f->out->name];
    for (const wy_param *p = params; config && p && p->key; p++) {
        const void *where = (const char *)config + p->offset;
        snprintf(name, sizeof name, "%s%s%s", owner, *owner ? "." : "", p->key);
        if (p->type == WY_TYPE_GROUP)
            find_in_table(f, name, p->group, where);
        else if (p->type == WY_TYPE_CHOICE)
            find_in_choice(f, name, where, p->from == &wy_signals);
        else if (p->type == WY_TYPE_NAMED)
            for (size_t i = 0; i < ((const wy_named *)where)->count; i++) {
                const wy_named_item *item = &((const wy_named *)where)->items[i];
                snprintf(name, sizeof name, "%s%s%s.%s", owner, *owner ? "." : "", p->key, item->name);
                find_in_table(f, name, p->group, item->config);
            }
        else if (p->type == WY_TYPE_LIST)
            for (size_t i = 0; i < ((const wy_list *)where)->count; i++) {
                snprintf(name, sizeof name, "%s%s%s.%zu", owner, *owner ? "." : "", p->key, i);
                find_in_choice(f, name, &((const wy_list *)where)->items[i], p->from == &wy_signals);
            }
    }
}

size_t wy_signals_find(wy_signal_use *out, size_t capacity, const char *owner, const wy_param *params,
                       const void *config) {
    finder f = {out, capacity, 0};
    find_in_table(&f, owner, params, config);
    return f.count;
}

double wy_signals_next_break(const wy_signal_use *uses, size_t count, double t) {
    double next = INFINITY;
    for (size_t i = 0; i < count; i++)
        next = fmin(next, wy_signal_next_break(uses[i].signal, t));
    return next;
}

double wy_step_part(double end, double next_break, double whole) {
    return next_break < end - WY_STEP_SLIVER * whole ? next_break : end;
}

/* ---- what steps see ---- */

double wy_signal_mean_by_parts(const wy_choice *signal, double a, double b, int cuts, int points) {
    const double off = points == 2 ? 0.28867513459481287 : 0.0; /* sqrt(1/12) */
    double sum = 0.0;
    for (int i = 0; i < cuts; i++) {
        const double d = (b - a) / cuts, middle = a + (i + 0.5) * d;
        sum += 0.5 * (wy_signal_value(signal, middle - off * d) + wy_signal_value(signal, middle + off * d)) / cuts;
    }
    return sum;
}

double wy_signal_mean(const wy_choice *signal, double t, double end) {
    const double whole = end - t, sliver = WY_STEP_SLIVER * whole;
    double sum = 0.0;
    for (double from = t, until; signal->entry && from < end; from = until) {
        until = wy_step_part(end, wy_signal_next_break(signal, from + sliver), whole);
        sum += (until - from) * wy_signal_mean_by_parts(signal, from, until, 1, 2);
    }
    return sum / whole;
}

double wy_signal_after(const wy_choice *signal, double t, double step) {
    const double sliver = WY_STEP_SLIVER * step;
    if (!signal->entry)
        return 0.0;
    const double now = wy_signal_value(signal, t);
    if (!(wy_signal_next_break(signal, t - sliver) <= t + sliver))
        return now;
    const double after = wy_signal_value(signal, t + 2.0 * sliver), /* a kink, or a jump */
        size = fmax(fmax(fabs(after), fabs(now)), fabs(wy_signal_value(signal, t + step)));
    return fabs(after - now) > 1e-6 * size ? after : now;
}

bool wy_signal_breaks_within(const wy_choice *signal, double duration, double step) {
    enum { MOST_BREAKS = 1000 };
    double t = wy_signal_next_break(signal, 0.0);
    for (int i = 0; i < MOST_BREAKS && t < duration; i++) {
        const double steps = t / step;
        if (fabs(steps - floor(steps + 0.5)) > 1e-6)
            return true;
        t = wy_signal_next_break(signal, t);
    }
    return false;
}
