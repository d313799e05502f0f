/* Continuation with adaptive steps: one law of the step for all paths. */
#include "solve/homotopy.h"

#include <math.h>

/* A rejected step shrinks by SHRINK, an easy one grows by GROW. Of an arc: a step is easy where its direction turns by
 * less than acos STRAIGHT, and one that turns by more than acos BENT is followed by one of MEANWHILE its length. */
static const double SHRINK = 0.4, GROW = 1.7, STRAIGHT = 0.95, BENT = 0.8, MEANWHILE = 0.6, DECADE = 10.0;

/* The step to the next lambda: at the end of the path exactly there. */
static void plan(wy_homotopy_step *k, const wy_homotopy *h, double at, double step) {
    const double close = 1e-9 * fabs(h->to - h->from);
    *k = (wy_homotopy_step){.before = at, .length = step, .slope = h->slope, .alignment = 1.0};
    if (h->steps == WY_STEPS_EVEN) {
        k->lambda = at + step < h->to - close ? at + step : h->to;
    } else if (h->steps == WY_STEPS_BY_FACTOR) {
        k->lambda = fmin(h->to, at * step);
    } else {
        k->lambda = at + step * h->slope;
        k->still = k->lambda >= h->to || (h->ends_both_sides && k->lambda <= h->back);
        if (k->still) {
            k->lambda = k->lambda >= h->to ? h->to : h->back;
            k->length = (k->lambda - at) / h->slope;
        }
    }
}

static double shrunk(const wy_homotopy *h, double step) {
    return h->steps == WY_STEPS_BY_FACTOR ? sqrt(step) : SHRINK * step;
}

static bool too_short(const wy_homotopy *h, double step) {
    return h->steps == WY_STEPS_BY_FACTOR ? step - 1.0 < h->least : step < h->least;
}

static double after_success(const wy_homotopy *h, const wy_homotopy_step *k, double step) {
    if (k->iterations <= h->easy && k->alignment > STRAIGHT)
        return h->steps == WY_STEPS_BY_FACTOR ? fmin(DECADE, step * step) : fmin(h->largest, GROW * step);
    return k->alignment < BENT ? MEANWHILE * step : step;
}

static wy_status give_up(const wy_homotopy *h, const char *why, wy_error *err) {
    if (!h->what)
        return wy_fail(err, WY_NO_CONVERGENCE, "%s", why);
    const double fraction = (h->reached - h->from) / (h->to - h->from);
    return wy_fail(err, WY_NO_CONVERGENCE,
                   "continuation in %s stopped on the way from %g to %g %s: last good %.9g (residual there below %g), "
                   "next step failed down to %.1g of the interval (%.300s)",
                   h->what, h->named_from, h->named_to, h->unit,
                   h->named_from + fraction * (h->named_to - h->named_from), h->tolerance, h->least, why);
}

wy_status wy_homotopy_follow(wy_homotopy *h, wy_error *err) {
    double at = h->from, last = 0.0, step = h->first;
    h->reached = at;
    wy_homotopy_step k = {0};
    while (at != h->to && !k.still) {
        wy_error why = {0};
        if (h->stop && h->stop(h->stop_context))
            return wy_fail(err, WY_CANCELLED, "cancelled on the way in %s", h->what ? h->what : "a path");
        if ((h->most && h->tries >= h->most) || (h->most_iterations && h->iterations >= h->most_iterations))
            return give_up(h, "too many steps", err);
        plan(&k, h, at, step);
        k.secant = h->steps == WY_STEPS_EVEN && last > 0.0 ? (k.lambda - at) / last : 0.0;
        if (h->set)
            h->set(h->problem, k.lambda);
        wy_status s = h->correct(h->problem, &k, &why);
        h->tries++;
        h->iterations += k.iterations;
        if (s == WY_NO_MEMORY || s == WY_CANCELLED)
            return wy_fail(err, s, "%s", why.text);
        if (s) {
            h->rejected++;
            if (h->set)
                h->set(h->problem, at);
            if (h->restore)
                h->restore(h->problem, &k);
            step = shrunk(h, step);
            k.still = false;
            if (too_short(h, step))
                return give_up(h, why.text, err);
            continue;
        }
        if (h->save)
            h->save(h->problem, &k);
        h->folds += k.slope * h->slope < 0.0;
        h->slope = k.slope;
        last = k.lambda - at;
        h->reached = at = k.lambda;
        if (h->steps == WY_STEPS_OF_ARC && !h->ends_both_sides && at < h->back)
            return give_up(h, "the path turns back", err);
        step = after_success(h, &k, step);
    }
    return WY_OK;
}
