/* The error that coarse runs show. docs/math/certificate.md, "Coarse runs". */
#include "estimate/coarse_error.h"

#include <math.h>

#include "math/elementary.h"

enum { MOST_POINTS = 8 };

/* Orders of which no more is known than that they lie between two whole ones: halving gains the mean of what those
 * gain, (2 + 4)/2 = 3 between the first and the second, (4 + 8)/2 = 6 between the second and the third. */
static const double first_or_second = 1.584962500721156, second_or_third = 2.584962500721156; /* log2 of 3 and 6 */
/* Of two steps, or meshes, twice and four times as coarse as those of u, at the order 2: 4^2 - 2^2. */
static const double coarse_pair = 12.0;
/* Of u and a step of four times its length, between the first and the second order: 4^p - 1 = 3^2 - 1. */
static const double four_times = 8.0;

/* Of a level that halves the step, and of the elements takes `ratio`, where `fraction` of the error is theirs. */
static double level_of(double ratio, double fraction) {
    return ratio == 2.0 ? 2.0 : 2.0 * wy_pow(0.5 * ratio, fraction);
}

/* What part of u - a is `part`, as it was seen for as long as there was a c, which is `lasted` of the time; for the
 * rest of it, all. */
static double fraction_of(double part, double whole, double lasted) {
    return lasted * (whole > 0.0 ? part / whole : 1.0) + (1.0 - lasted);
}

/* By the distances d there, with b off by at most `off` anywhere; `size`: how large the thing itself is. */
static wy_error_parts converged(const wy_coarse_levels *c, const wy_coarse_gaps *d, double off, double size,
                                double promise) {
    wy_error_parts v = {.order = 1.0};
    if (!c->coarser[0]) { /* a has more elements than u, c those of u */
        const double gain = 1.0 - c->ratio[0] * c->ratio[0], lasted = c->last > 0.0 ? c->lasted_c / c->last : 0.0;
        v.space = WY_ERROR_MARGIN / gain * (c->refined_in_time ? d->ua : d->ua * fraction_of(d->ac, d->ua_c, lasted));
        v.time = WY_ERROR_MARGIN * (c->refined_in_time ? d->uc
                                    : d->ua_c > 0.0    ? d->ua / d->ua_c * d->uc / four_times
                                                       : 0.0);
        v.all = v.space + v.time;
        return v;
    }
    const double both = d->ac + d->cb;
    /* for at least half of the time c told space from time; else either may be all of it */
    const bool is_split_known = c->refined_in_time || c->lasted_c >= 0.5 * c->last;
    double fraction = is_split_known ? 1.0 : 0.5; /* of space */
    if (is_split_known && !c->refined_in_time && d->cb > 0.0)
        fraction = d->cb / both;
    else if (is_split_known && !c->refined_in_time &&
             d->ua > 0.0) /* no third mesh: the step alone makes at most half of a - c between a and u */
        fraction = 1.0 - fmin(1.0, 0.5 * d->ac / d->ua);
    const double q[2] = {level_of(c->ratio[0], fraction), level_of(c->ratio[1], fraction)};
    bool met = false;
    if (c->coarser[1] && d->ua_b > 0.0 && d->ab > 0.0) {
        const double seen = d->ab / d->ua_b;
        double most = promise;
        /* u and a have met by chance, errors of elements and step cancel in a: what these are by themselves tells */
        met = !c->refined_in_time && fmin(d->ac, d->cb) > ldexp(1.0, (int)c->order) * d->ua_b;
        if (off > WY_LOST_LEVEL * size || seen > ldexp(2.0, (int)promise) || c->b_was_lost)
            most = first_or_second;
        else if (off > WY_TARGET_LEVEL * size) /* b is coarse: what the next level gains is not what this one did */
            most = fmin(second_or_third, promise);
        /* a vibration too fast for all runs: their differences do not converge */
        if (c->turn_per_step > 1.0 && fraction <= 0.5)
            most = 1.0;
        v.order = wy_order_seen(seen, q, 1.0, most);
    } else if (!c->coarser[1] && fraction > 0.5) { /* a is as coarse as the pieces allow: of steps nothing is known */
        v.order = first_or_second;
    }
    const double level = v.order == 1.0 ? q[0] : wy_pow(q[0], v.order),
                 error = WY_ERROR_MARGIN * fmax(d->ua / (level - 1.0), met ? both / coarse_pair : 0.0);
    if (c->refined_in_time) { /* u - a: the mesh, and most of the step; a - c: the step */
        v.space = error;
        v.time = WY_ERROR_MARGIN * d->ac;
        v.all = v.space + v.time;
        return v;
    }
    v.all = error;
    v.time = is_split_known ? error * (1.0 - fraction) : error;
    v.space = !is_split_known ? error : d->cb > 0.0 ? error * fraction : error * (0.5 + 0.5 * fraction);
    return v;
}

/* What rings faster than the steps follow comes together with no order. `ringing`: what the fourth differences make
 * of it. (12.15) */
static wy_error_parts judge(const wy_coarse_levels *c, const wy_coarse_gaps *d, double off, double size, double promise,
                            double ringing) {
    wy_error_parts v = converged(c, d, off, size, promise);
    const double rings = WY_ERROR_MARGIN * ringing * d->fourth;
    if (rings > v.all) {
        v.all = rings;
        v.order = 1.0;
    }
    v.time = fmax(v.time, rings);
    return v;
}

wy_error_parts wy_coarse_error(const wy_coarse_levels *c, const wy_coarse_gaps *points, int count, double seconds,
                               double size, double promise, double ringing) {
    wy_error_parts worst = {0};
    wy_coarse_gaps d[MOST_POINTS];
    double off = 0.0;
    for (int i = 0; i < count; i++) {
        d[i] = points[i];
        if (seconds > 0.0) {
            const double with_b = c->lasted_b, with_c = c->lasted_c;
            d[i] = (wy_coarse_gaps){.ua = wy_coarse_root_mean(d[i].ua, seconds),
                                    .ua_b = wy_coarse_root_mean(d[i].ua_b, with_b),
                                    .ab = wy_coarse_root_mean(d[i].ab, with_b),
                                    .ua_c = wy_coarse_root_mean(d[i].ua_c, with_c),
                                    .ac = wy_coarse_root_mean(d[i].ac, with_c),
                                    .cb = wy_coarse_root_mean(d[i].cb, fmin(with_b, with_c)),
                                    .uc = wy_coarse_root_mean(d[i].uc, with_c),
                                    .fourth = wy_coarse_root_mean(d[i].fourth, seconds)};
        }
        off = fmax(off, d[i].ab);
    }
    for (int i = 0; i < count; i++) {
        const wy_error_parts v = judge(c, &d[i], off, size, promise, ringing);
        if (v.all >= worst.all) {
            worst.all = v.all;
            worst.order = v.order;
        }
        worst.space = fmax(worst.space, v.space);
        worst.time = fmax(worst.time, v.time);
    }
    return worst;
}

double wy_coarse_error_stated(double error) {
    const double most = 1.5, small = WY_TARGET_LEVEL;
    if (error <= small)
        return most * error;
    return error >= WY_WARNING_LEVEL
               ? error
               : error * wy_pow(most, wy_log(WY_WARNING_LEVEL / error) / wy_log(WY_WARNING_LEVEL / small));
}
