/* What steps in time see of a signal. */
#include "estimate/signal_features.h"

#include <math.h>
#include <stdio.h>

bool wy_signal_unseen(char *text, size_t size, const wy_signal_use *use, double duration, double step, int points) {
    enum { MOST_CUTS = 64, MOST_STEPS = 100000 };
    const double feature = wy_signal_shortest(use->signal, duration), limit = 0.02;
    const char *kind = use->signal->entry->name;
    if (!(feature < 4.0 * step))
        return false;
    const double steps = ceil(duration / step * (1.0 - 1e-12)), stride = fmax(1.0, floor(steps / MOST_STEPS));
    double missed = 0.0, all = 0.0;
    for (double n = 0.0; n < steps; n += stride) { /* of a very long run, some steps */
        double t = duration * n / steps;
        const double end = duration * (n + 1.0) / steps, whole = end - t;
        while (t < end) {
            const double next = wy_signal_next_break(use->signal, t + WY_STEP_SLIVER * whole),
                         until = wy_step_part(end, next, whole), part = until - t;
            const int cuts = (int)fmin(MOST_CUTS, ceil(8.0 * part / feature));
            const double seen = wy_signal_mean_by_parts(use->signal, t, until, 1, points),
                         there = wy_signal_mean_by_parts(use->signal, t, until, cuts, 2);
            missed += part * (seen - there) * (seen - there);
            all += part * wy_signal_mean_by_parts(use->signal, t, until, cuts, 2) * there;
            for (int i = 0; i < cuts; i++) { /* mean square, not the square of the mean */
                const double x = wy_signal_value(use->signal, t + (i + 0.5) * part / cuts) - there;
                all += part * x * x / cuts;
            }
            t = until;
        }
    }
    if (missed > limit * limit * all) {
        snprintf(
            text, size,
            "the signal '%s' (%s) changes within %.3g s, and the steps of %.3g s see it wrong by about %.2g %%: steps "
            "of "
            "at most %.2g s would see it",
            use->name, kind, feature, step, 100.0 * fmin(1.0, sqrt(missed / all)), 0.25 * feature);
        return true;
    }
    return false;
}

bool wy_signal_too_short(char *text, size_t size, const wy_signal_use *use, double duration, double step) {
    enum { MOST_BREAKS = 100000 };
    double from = wy_signal_next_break(use->signal, -INFINITY);
    for (int i = 0; i < MOST_BREAKS && from < duration; i++) {
        const double next = wy_signal_next_break(use->signal, from);
        if (!(next > from) || next >= duration)
            return false;
        if (next - from < 2.0 * WY_STEP_SLIVER * step || next - from < 1e-13 * next) {
            snprintf(
                text, size,
                "the signal '%s' (%s) has a feature of %.3g s at t = %.6g s, which is too short for any step: it is "
                "not seen",
                use->name, use->signal->entry->name, next - from, from);
            return true;
        }
        from = next;
    }
    return false;
}
