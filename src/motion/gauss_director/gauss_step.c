/* One step of `gauss-director`: Newton with frozen factors, halving, the energy balance. docs/math/motion.md, "A
 * step". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_network.h"

/* ---- the state at the step's start, kept part by part before it is changed ---- */

static void keep_part(const wy_gauss_stepping *k, const double *from, size_t count) {
    memcpy(k->w.backup + (from - k->x), from, count * sizeof *from);
}

static void put_back(const wy_gauss_stepping *k, double *to, size_t count) {
    memcpy(to, k->w.backup + (to - k->x), count * sizeof *to);
}

static size_t motion_size(const wy_gauss_stepping *k) {
    return (size_t)(k->s.frozen - k->x) - WY_STATE_HEAD;
}

static void keep_small(wy_gauss_stepping *k) {
    keep_part(k, k->x, WY_STATE_HEAD);
    keep_part(k, k->s.frozen, WY_FROZEN_HEAD);
    keep_part(k, k->s.numbers, WY_GAUSS_NUMBERS + wy_gauss_history_size(k->m));
}

void wy_gauss_keep_frozen(wy_gauss_stepping *k) {
    if (!k->kept_frozen)
        keep_part(k, k->s.frozen + WY_FROZEN_HEAD, wy_gauss_frozen_size(k->m) - WY_FROZEN_HEAD);
    k->kept_frozen = true;
}

static void keep_motion(wy_gauss_stepping *k) {
    WY_EACH_ROD (r, k) {
        if (!r->kept_motion)
            keep_part(r, r->x + WY_STATE_HEAD, motion_size(r));
        r->kept_motion = true;
    }
}

static void put_all_back(wy_gauss_stepping *k) {
    WY_EACH_ROD (r, k) {
        put_back(r, r->x, WY_STATE_HEAD);
        put_back(r, r->s.frozen, r->kept_frozen ? wy_gauss_frozen_size(r->m) : WY_FROZEN_HEAD);
        put_back(r, r->s.numbers, WY_GAUSS_NUMBERS + wy_gauss_history_size(r->m));
        if (r->kept_motion)
            put_back(r, r->x + WY_STATE_HEAD, motion_size(r));
    }
}

/* A loose tolerance of Newton is looked at every so many steps; tightened where it has changed the energy balance by
 * so much. */
enum { CHECK_INTERVAL = 16 };
static const double TOO_MUCH = 0.02;

static void watch_energy_balance(wy_gauss_stepping *k) {
    const double steps = k->x[WY_STATE_STEPS];
    if (k->m->config->newton.tolerance <= WY_GAUSS_TIGHT_TOLERANCE || k->m->bdf || (int64_t)steps % CHECK_INTERVAL != 0)
        return;
    const double off = wy_gauss_balance(k) - k->s.numbers[WY_GAUSS_BALANCE];
    if (fabs(off) > TOO_MUCH * k->x[WY_STATE_LARGEST] && k->x[WY_STATE_LARGEST] > 0.0)
        k->s.numbers[WY_GAUSS_TOLERANCE_TIGHTENED] = 1.0;
}

static bool try_step(wy_gauss_stepping *k, double dt, int depth) {
    if (k->m->bdf) {
        keep_motion(k);
        const bool done = wy_gauss_bdf_try(k, dt);
        if (done)
            wy_gauss_add_part(k, dt);
        return done;
    }
    k->turned_too_far = !wy_gauss_begin(k, dt, 0.0);
    k->failed_at = k->x[WY_STATE_TIME];
    k->failed_dt = dt;
    if (k->turned_too_far)
        return false;
    if (!wy_gauss_newton(k, dt) && !wy_gauss_globalise(k, dt, depth))
        return false;
    if (depth > 0 || k->m->time.radau) /* the rest of the step may still fail */
        keep_motion(k);
    wy_gauss_accept(k, dt);
    return true;
}

/* What a step may take in all, in iterations: fifty for each part of one that is cut twelve times over. */
static const double MOST_WORK_UNITS = 200000.0;

static bool exhausted(const wy_gauss_stepping *k) {
    return wy_gauss_work_units(k) - k->work_at_start > MOST_WORK_UNITS;
}

/* A step, or its halves. Where the last step had to be cut, parts much longer than the one that was taken are not
 * tried. */
static bool advance_halving(wy_gauss_stepping *k, double dt, int64_t halvings, int depth) {
    const double cut = k->x[WY_STATE_BISECTED];
    const bool hopeless = cut > 0.0 && dt > 2.5 * cut && halvings > 0;
    if (exhausted(k))
        return false;
    if (!hopeless && try_step(k, dt, depth)) {
        k->x[WY_STATE_BISECTED] = depth > 0 ? dt : 0.0;
        return true;
    }
    if (halvings <= 0 || wy_gauss_work_exceeded(k))
        return false;
    k->x[WY_STATE_HALVINGS] += 1.0;
    return advance_halving(k, 0.5 * dt, halvings - 1, depth + 1) &&
           advance_halving(k, 0.5 * dt, halvings - 1, depth + 1);
}

/* A front starts where the velocity of a moved end jumps. */
static bool jolted(wy_gauss_stepping *k) {
    const double t = k->x[WY_STATE_TIME];
    double lasts = 0.0;
    WY_EACH_ROD (r, k)
        lasts = fmax(lasts, k->m->bdf ? 0.0 : wy_gauss_velocity_jump_duration(r->rod, r->m, t, k->whole));
    if (lasts > 0.0)
        k->s.numbers[WY_GAUSS_IMPULSIVE_UNTIL] = t + lasts;
    return lasts > 0.0 && k->m->config->newton.halvings > 0;
}

/* The first time after t at which something that acts on a rod breaks. */
static double next_break_after(wy_gauss_stepping *k, double t) {
    double next = INFINITY;
    WY_EACH_ROD (r, k)
        next = fmin(next, wy_motion_next_break(r->rod, t));
    return next;
}

static void set_time(wy_gauss_stepping *k, double t) {
    WY_EACH_ROD (r, k)
        r->x[WY_STATE_TIME] = t;
}

/* The first step of a front. */
static const double FRONT[] = {0.125, 0.125, 0.25, 0.5};
enum { FRONT_PARTS = 4 };

/* A part of a step from the present time on, in parts between the breaks of what acts on the rod. (10.47) */
static bool advance_to_breaks(wy_gauss_stepping *k, double dt, int64_t halvings, int depth) {
    const double begin = k->x[WY_STATE_TIME], end = begin + dt;
    double t = begin, next = next_break_after(k, begin + WY_STEP_SLIVER * k->whole);
    if (wy_step_part(end, next, k->whole) == end)
        return advance_halving(k, dt, halvings, depth);
    keep_motion(k); /* the rest of the step may still fail */
    while (t < end) {
        const double until = wy_step_part(end, next, k->whole);
        const bool front = t > begin && jolted(k);
        for (int i = 0; i < (front ? FRONT_PARTS : 1); i++)
            if (!advance_halving(k, (front ? FRONT[i] : 1.0) * (until - t), halvings, front ? depth + 1 : depth))
                return false;
        if (front)
            k->x[WY_STATE_BISECTED] = 0.0;
        set_time(k, t = until); /* on the break, not beside it */
        next = next_break_after(k, t + WY_STEP_SLIVER * k->whole);
    }
    return true;
}

/* Back to where the step began, but for what was counted. */
static void restore(wy_gauss_stepping *k) {
    static const int counters[] = {WY_STATE_ITERATIONS, WY_STATE_RETRIES, WY_STATE_HALVINGS};
    double counted[3];
    const double work_units = k->s.numbers[WY_GAUSS_WORK_UNITS];
    for (int i = 0; i < 3; i++)
        counted[i] = k->x[counters[i]];
    put_all_back(k);
    k->s.numbers[WY_GAUSS_WORK_UNITS] = work_units;
    WY_EACH_ROD (r, k)
        r->parts = 0;
    for (int i = 0; i < 3; i++)
        k->x[counters[i]] = counted[i];
}

/* A step in parts while the front runs that an end sent out which started with a velocity of its own: the first one
 * in an eighth, an eighth, a quarter and a half, those after it in halves. docs/math/motion.md, "Consistent starts". */
static bool impulsive_start(const wy_gauss_stepping *k, double dt) {
    return k->x[WY_STATE_TIME] + 0.5 * dt < k->s.numbers[WY_GAUSS_IMPULSIVE_UNTIL] && k->m->config->newton.halvings > 0;
}

static bool in_parts(wy_gauss_stepping *k, double dt) {
    static const double later[] = {0.5, 0.5};
    const bool fresh = k->front_starts || k->s.numbers[WY_GAUSS_LAST_DT] == 0.0;
    for (size_t i = 0; i < (fresh ? FRONT_PARTS : 2); i++)
        if (!advance_to_breaks(k, (fresh ? FRONT : later)[i] * dt, 2, 1))
            return false;
    k->x[WY_STATE_BISECTED] = 0.0;
    return true;
}

/* So far, this step included: a rod at rest has none before it. At least that of strains that Newton leaves of
 * nothing. */
static double largest_energy(const wy_gauss_stepping *k) {
    wy_motion_energy e;
    wy_gauss_energies_of_step(&e, k);
    const double rounded = 1e-13;
    return fmax(fmax(k->x[WY_STATE_LARGEST], rounded * rounded * k->m->EA_least * k->m->length),
                fmax(e.kinetic, e.strain));
}

/* A step with dissipative stages. Radau IIA leaves directors that must be made orthonormal, which stretches a thin
 * rod that turns far: where that gave more energy than `gain` of the largest, the step is taken in parts. */
static bool dissipative(wy_gauss_stepping *k, double dt, double gain) {
    const int64_t halvings = k->m->config->newton.halvings;
    bool done = false;
    for (int64_t cuts = 0; cuts <= halvings && !done && !(cuts > 0 && (wy_gauss_work_exceeded(k) || exhausted(k)));
         cuts++) {
        if (cuts > 0 || k->fallback)
            restore(k);
        if (cuts > 0)
            k->x[WY_STATE_HALVINGS] += 1.0;
        k->singular = false;
        if (k->tangent)
            wy_gauss_tangent_restore(k->tangent, k->rod);
        if (k->fallback) {
            k->x[WY_STATE_BISECTED] = 0.0;
            wy_gauss_drop_factors(k); /* they are of other stages */
        }
        k->s.numbers[WY_GAUSS_ESTIMATE] = 0.0;
        const double taken = k->x[WY_STATE_NUMERICAL];
        const int64_t parts = (int64_t)1 << cuts;
        const bool front = cuts == 0 && !k->fallback && impulsive_start(k, dt);
        done = front ? in_parts(k, dt) : true;
        for (int64_t i = 0; i < parts && done && !front; i++)
            done = advance_to_breaks(k, dt / (double)parts, halvings - cuts, (int)cuts);
        done = done && k->x[WY_STATE_NUMERICAL] >= taken - gain * largest_energy(k);
        if (k->turned_too_far)
            return false;
    }
    return done;
}

/* The exact stages, or, where even an eighth of the step is too violent for them, the whole of it with Radau IIA,
 * whose loss is booked: modes that no step of this length shows would otherwise cut it to shreds. After such a step
 * the exact ones get one attempt each time, until they have managed ten steps in a row. docs/math/motion.md, "Steps
 * that are too violent". */
static bool step_with_fallback(wy_gauss_stepping *k, double dt) {
    enum { CUTS = 3, QUIET_STEPS = 10 };
    const wy_gauss *m = k->m;
    const int64_t halvings = m->config->newton.halvings;
    if (m->time.radau && !m->bdf)
        return dissipative(k, dt, 1e-4);
    if (m->bdf || m->config->exact_only)
        return advance_to_breaks(k, dt, halvings, 0);
    const double waiting = k->x[WY_STATE_BISECTED];
    if (waiting == 0.0 && impulsive_start(k, dt)) {
        if (in_parts(k, dt))
            return true;
        restore(k);
        if (k->tangent)
            wy_gauss_tangent_restore(k->tangent, k->rod);
    }
    k->single_attempt = waiting < 0.0;
    if (advance_to_breaks(k, dt, k->single_attempt ? 0 : halvings < CUTS ? halvings : CUTS, 0)) {
        if (k->single_attempt)
            k->x[WY_STATE_BISECTED] = waiting + 1.0;
        return true;
    }
    if (k->turned_too_far || wy_gauss_work_exceeded(k))
        return false;
    wy_gauss one, *other = k->network ? k->network->fallback : &one;
    for (size_t i = 0; i < k->count; i++) {
        other[i] = *k[i].m;
        other[i].time = m->fallback_time;
        k[i].m = &other[i];
    }
    k->fallback = true;
    k->single_attempt = false;
    const bool done = dissipative(k, dt, 1e-9);
    WY_EACH_ROD (r, k)
        r->m = r->rod->method_data;
    wy_gauss_drop_factors(k);
    k->x[WY_STATE_BISECTED] = -QUIET_STEPS;
    k->x[WY_STATE_FALLBACK_STEPS] += 1.0;
    return done;
}

/* A step of a rod that is about to be taken; of several, the first one leads. */
static wy_gauss_stepping stepping_of(const wy_motion *rod, double *x, double *work, double dt,
                                     const wy_motion_step_options *options) {
    const wy_gauss *m = rod->method_data;
    return (wy_gauss_stepping){.rod = rod,
                               .m = m,
                               .options = options,
                               .loops = wy_gauss_loops_of(m),
                               .whole = dt,
                               .x = x,
                               .s = wy_gauss_state_of(x, m),
                               .w = wy_gauss_work_of(work, m, options->factors_slot)};
}

static wy_status describe_failure(const wy_gauss_stepping *k, double dt, double before, bool long_work, double taken,
                                  double part, wy_error *err) {
    const long long step = (long long)k->x[WY_STATE_STEPS] + 1;
    if (long_work && !k->turned_too_far)
        return wy_fail(
            err, WY_NO_CONVERGENCE,
            "t = %.9g s, step %lld: a step of %.3g s takes more than %.0f iterations, in parts of about %.2g s of "
            "which it had taken %.0f %%: it is too long by far for how this rod moves; take a shorter one",
            before, step, dt, MOST_WORK_UNITS, part, 100.0 * taken);
    if (k->turned_too_far)
        return wy_fail(err, WY_NO_CONVERGENCE,
                       "t = %.9g s, step %lld: an end turns by more than 90 degrees within %.3g s", k->failed_at, step,
                       k->failed_dt);
    char of[40] = "";
    if (k->count > 1)
        snprintf(of, sizeof of, " of rod %zu", k->failed_rod + 1);
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "t = %.9g s, step %lld: Newton fails even for a step of %.3g s (correction %.3g after %d iterations, "
        "largest near s = %.4g m%s)",
        k->failed_at, step, k->failed_dt, k->failed_error, k->failed_iterations,
        wy_gauss_node_arc_length(k[k->failed_rod].m, k->failed_node), of);
}

/* The step of the rods that k leads. */
static wy_status take_step(wy_gauss_stepping *k, wy_error *err) {
    const wy_gauss *m = k->m;
    double *x = k->x;
    const double dt = k->whole, before = x[WY_STATE_TIME];
    bool breaks = false;
    WY_EACH_ROD (r, k) {
        keep_small(r);
        r->s.numbers[WY_GAUSS_ESTIMATE] = 0.0;
        breaks = breaks || (r->rod->signal_count > 0 && wy_motion_breaks_at(r->rod, before, dt));
    }
    k->work_at_start = wy_gauss_work_units(k);
    k->failed_dt_before = k->s.numbers[WY_GAUSS_FAILED_DT];
    k->skip_steps = k->s.numbers[WY_GAUSS_SKIP_STEPS];
    if (k->tangent)
        wy_gauss_tangent_remember(k->tangent, k->rod);
    const bool first = k->s.numbers[WY_GAUSS_LAST_DT] == 0.0;
    if (first)
        k->s.numbers[WY_GAUSS_BALANCE] = wy_gauss_balance(k);
    k->front_starts = before > 0.0 && breaks && jolted(k);
    if (first && !m->bdf) {
        double lasts = 0.0;
        WY_EACH_ROD (r, k)
            lasts = fmax(lasts, wy_gauss_impulsive_start_duration(r->rod, r->m, dt));
        k->s.numbers[WY_GAUSS_IMPULSIVE_UNTIL] = before + lasts;
    }
    if (step_with_fallback(k, dt)) {
        k->s.numbers[WY_GAUSS_SKIP_STEPS] = k->skip_steps == 1.0  ? -2.0
                                            : k->skip_steps > 0.0 ? k->skip_steps - 1.0
                                                                  : k->skip_steps;
        k->s.numbers[WY_GAUSS_FAILED_DT] = k->failed_dt_before;
        wy_gauss_report_parts(k);
        watch_energy_balance(k);
        set_time(k, before + dt); /* one rounding, however often the step was cut */
        return !k->singular
                   ? WY_OK
                   : wy_fail(err, WY_NO_CONVERGENCE, "t = %.9g s: the linearisation of the step is singular", before);
    }
    const bool long_work = exhausted(k);
    const double taken = (x[WY_STATE_TIME] - before) / dt,
                 part = x[WY_STATE_BISECTED] > 0.0 ? x[WY_STATE_BISECTED] : k->failed_dt;
    put_all_back(k);
    return describe_failure(k, dt, before, long_work, taken, part, err);
}

static wy_status step_alone(const wy_motion *rod, double *x, double *work, double dt,
                            const wy_motion_step_options *options, wy_motion_tangent *tangent, wy_error *err) {
    wy_gauss_stepping k = stepping_of(rod, x, work, dt, options);
    k.leader = &k;
    k.count = 1;
    k.tangent = tangent;
    return take_step(&k, err);
}

wy_status wy_gauss_step(const wy_motion *rod, double *x, double *work, double dt, const wy_motion_step_options *options,
                        wy_error *err) {
    return step_alone(rod, x, work, dt, options, NULL, err);
}

static const wy_motion_step_options no_options;

wy_status wy_gauss_tangent_step(const wy_motion *rod, double *x, double *work, double dt, wy_motion_tangent *tangent,
                                wy_error *err) {
    return step_alone(rod, x, work, dt, &no_options, tangent, err);
}

wy_status wy_gauss_network_step(void *network, double *const *x, double *const *work, double dt, wy_error *err) {
    wy_gauss_network *w = network;
    wy_gauss_stepping *k = w->stepping;
    const size_t count = w->assembly->count;
    for (size_t i = 0; i < count; i++) {
        k[i] = stepping_of(w->assembly->member[i], x[i], work[i], dt, &no_options);
        k[i].leader = k;
        k[i].w.run = &w->run[i];
    }
    k->count = count;
    k->network = w;
    return take_step(k, err);
}
