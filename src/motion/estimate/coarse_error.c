/* The error that coarse runs show. docs/math/certificate.md, "Coarse runs". */
#include <math.h>

#include "math/elementary.h"
#include "motion/estimate/coarse_internal.h"

/* What (12.3) gives for p, less `seen`, times something positive: it grows with p. `log_q`: of the ratios. */
static double beyond(double seen, const double log_q[2], double p) {
    const double u = wy_exp(p * log_q[0]);
    return u * (wy_exp(p * log_q[1]) - 1.0) - seen * (u - 1.0);
}

/* The order with which levels of the ratios q come together, between 1 and `most`. */
static double order_of(double seen, const double q[2], double most) {
    double low = 1.0, high = fmax(1.0, most);
    if (q[0] == q[1]) /* seen = q^p */
        return fmin(high, fmax(low, wy_log(seen) / wy_log(q[0])));
    const double log_q[2] = {wy_log(q[0]), wy_log(q[1])};
    double below = beyond(seen, log_q, low), above = below < 0.0 ? beyond(seen, log_q, high) : 0.0, p = high;
    if (below >= 0.0)
        return low;
    if (above <= 0.0)
        return high;
    int side = 0;
    for (int i = 0; i < 20; i++) { /* chords; an end that stays is given half of its weight (Illinois) */
        const double last = p;
        p = low - below * (high - low) / (above - below);
        if (fabs(p - last) < 1e-5)
            break;
        const double now = beyond(seen, log_q, p);
        if (now < 0.0) {
            low = p;
            below = now;
            above *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = p;
            above = now;
            below *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
    }
    return p;
}

/* Of a level that halves the step, and of the elements takes `ratio`, where `fraction` of the error is theirs. */
static double level_of(double ratio, double fraction) {
    return ratio == 2.0 ? 2.0 : 2.0 * wy_pow(0.5 * ratio, fraction);
}

/* What part of u - a is `part`, as it was seen for as long as there was a c, which is `lasted` of the time; for the
 * rest of it, all. */
static double fraction_of(double part, double whole, double lasted) {
    return lasted * (whole > 0.0 ? part / whole : 1.0) + (1.0 - lasted);
}

/* What is known of one quantity at one place. */
typedef struct verdict {
    double all, space, time; /* errors */
    double order;
} verdict;

static const double sure = 1.5; /* by how much more is told */

/* By the distances d there, with b off by at most `off` anywhere; `size`: how large the thing itself is. */
static verdict converged(const wy_coarse_runs *c, const distances *d, double off, double size, double promise) {
    const double coarse = 2.584962500721156, lost = 1.584962500721156; /* log2 of 6 and 3 */
    verdict v = {.order = 1.0};
    if (!c->coarser[0]) { /* a has more elements than u, c those of u */
        const double gain = 1.0 - c->ratio[0] * c->ratio[0],
                     lasted = c->now.last > 0.0 ? c->now.lasted_c / c->now.last : 0.0;
        v.space = sure / gain * (c->refined_in_time ? d->ua : d->ua * fraction_of(d->ac, d->ua_c, lasted));
        v.time = sure * (c->refined_in_time ? d->uc : d->ua_c > 0.0 ? d->ua / d->ua_c * d->uc / 8.0 : 0.0);
        v.all = v.space + v.time;
        return v;
    }
    const double both = d->ac + d->cb;
    /* for at least half of the time c told space from time; else either may be all of it */
    const bool is_split_known = c->refined_in_time || c->now.lasted_c >= 0.5 * c->now.last;
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
        if (off > 0.3 * size || seen > ldexp(2.0, (int)promise) || !c->now.alive[WY_COARSE_B])
            most = lost;
        else if (off > 0.01 * size) /* b is coarse: what the next level gains is not what this one did */
            most = fmin(coarse, promise);
        /* a vibration too fast for all runs: their differences do not converge */
        if (c->swings * c->step > 1.0 && fraction <= 0.5)
            most = 1.0;
        v.order = order_of(seen, q, most);
    } else if (!c->coarser[1] && fraction > 0.5) { /* a is as coarse as the pieces allow: of steps nothing is known */
        v.order = lost;
    }
    const double level = v.order == 1.0 ? q[0] : wy_pow(q[0], v.order),
                 error = sure * fmax(d->ua / (level - 1.0), met ? both / 12.0 : 0.0);
    if (c->refined_in_time) { /* u - a: the mesh, and most of the step; a - c: the step */
        v.space = error;
        v.time = sure * d->ac;
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
static verdict judge(const wy_coarse_runs *c, const distances *d, double off, double size, double promise,
                     double ringing) {
    verdict v = converged(c, d, off, size, promise);
    const double rings = sure * ringing * d->fourth;
    if (rings > v.all) {
        v.all = rings;
        v.order = 1.0;
    }
    v.time = fmax(v.time, rings);
    return v;
}

/* sqrt(2) W/D: motion of every frequency between a radian a step and two steps a period, of which the run and the
 * truth each have as much, with phases that have nothing to do with each other. D is its fourth difference; W what
 * of it is left in a value after a step, and in the mean over four. */
static const double ringing_value = 0.1396, ringing_mean = 0.0302;

/* The worst of `count` places, each part for itself. `seconds`, and those that b lasted: the distances are sums over
 * them; 0: maxima. */
static verdict worst_of(const wy_coarse_runs *c, const distances *points, int count, double seconds, double size,
                        double promise, double ringing) {
    verdict worst = {0};
    distances d[WY_PROBE_POINTS];
    double off = 0.0;
    for (int i = 0; i < count; i++) {
        d[i] = points[i];
        if (seconds > 0.0) {
            const double with_b = c->now.lasted_b, with_c = c->now.lasted_c;
            d[i] = (distances){.ua = wy_coarse_root_mean(d[i].ua, seconds),
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
        const verdict v = judge(c, &d[i], off, size, promise, ringing);
        if (v.all >= worst.all) {
            worst.all = v.all;
            worst.order = v.order;
        }
        worst.space = fmax(worst.space, v.space);
        worst.time = fmax(worst.time, v.time);
    }
    return worst;
}

/* What is small is taken further by the rate seen than what is not, and the margin raises no warning:
 * half as much again below 1 %, nothing at 5 %. (12.7) */
static double careful(double error) {
    const double most = 1.5, small = 0.2 * WY_WARNING_LEVEL;
    if (error <= small)
        return most * error;
    return error >= WY_WARNING_LEVEL
               ? error
               : error * wy_pow(most, wy_log(WY_WARNING_LEVEL / error) / wy_log(WY_WARNING_LEVEL / small));
}

/* What no coarse run shows: what Newton leaves in the run itself, and what rounding does to all of them alike. A
 * place that is x away from where it was is rounded by eps |x|, strains between nodes by that over their spacing,
 * and waves make velocities of it. (12.10) */
static double round_off(const wy_coarse_runs *c) {
    return 2e-12 * c->length + c->rounded * c->now.largest_displacement * c->now.last;
}

bool wy_coarse_runs_failed(const wy_coarse_runs *c) {
    return !c->now.alive[WY_COARSE_A] && !c->now.parted;
}

wy_estimated_error wy_coarse_runs_error(const wy_coarse_runs *c) {
    const estimator_state *r = &c->now;
    const wy_probe_distance scale = wy_coarse_runs_scale(c);
    const double jerky = fmin(c->force_order, c->order); /* forces are not as smooth as the motion they cause */
    const distances moments[2] = {r->force[WY_PROBE_MOMENT(0)], r->force[WY_PROBE_MOMENT(1)]}; /* by themselves too */
    const verdict start = worst_of(c, r->start, WY_PROBE_POINTS, 0.0, scale.start, c->order, 0.0),
                  displacement =
                      worst_of(c, r->displacement, WY_PROBE_POINTS, 0.0, scale.displacement, c->order, ringing_value),
                  path = worst_of(c, r->path, WY_PROBE_POINTS, r->last, scale.displacement, c->order, ringing_value),
                  force = worst_of(c, r->force, WY_PROBE_REACTIONS, r->last, scale.force, jerky, ringing_mean),
                  moment = worst_of(c, moments, 2, r->last, scale.moment, jerky, ringing_mean);
    const double L = c->length, nothing = 1e-3 * c->least_force, held = r->largest_force > 0.0 ? nothing : 0.0,
                 turned = r->largest_moment > 0.0 ? nothing : 0.0;
    wy_estimated_error e = {.shape =
                                fmax(start.all / scale.start, (displacement.all + round_off(c)) / scale.displacement),
                            .reaction = (force.all + held) / scale.force,
                            .moment = (moment.all + turned) / scale.moment,
                            .moment_space = moment.space / scale.moment,
                            .moment_time = moment.time / scale.moment,
                            .shape_space = fmax(start.space / scale.start, displacement.space / scale.displacement),
                            .shape_time = fmax(start.time / scale.start, displacement.time / scale.displacement),
                            .path = path.all / L,
                            .path_space = path.space / L,
                            .path_time = path.time / L,
                            .trusted = r->trusted};
    e.space = fmax(e.shape_space, force.space / scale.force);
    e.time = fmax(e.shape_time, force.time / scale.force);
    if (wy_coarse_runs_failed(c))
        e.shape = e.reaction = e.moment = e.space = e.time = e.shape_space = e.shape_time = e.path = e.path_space =
            e.path_time = e.moment_space = e.moment_time = 1.0;
    if (r->largest_force > 0.0) /* forces are hardly more exact than the motion they cause */
        e.reaction = fmax(e.reaction, 0.01 * e.shape);
    if (r->largest_moment > 0.0)
        e.moment = fmax(e.moment, 0.01 * e.shape);
    e.rate = wy_pow(2.0, e.reaction > e.shape ? force.order : displacement.order);
    e.moment_rate = wy_pow(2.0, moment.order);
    e.shape = fmin(careful(e.shape), 1.0);
    e.reaction = fmin(careful(e.reaction), 1.0);
    e.moment = fmin(careful(e.moment), 1.0);
    e.space = fmin(e.space, 1.0);
    e.time = fmin(e.time, 1.0);
    return e;
}
