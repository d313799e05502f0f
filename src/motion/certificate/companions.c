/* Coarser runs of the same rod beside a run, and the error that they show. docs/math/certificate.md, "Companions".
 *
 * The run u has N elements and the step dt. Beside it go
 *
 *   a: N/2, 2 dt      c: N/2, 4 dt      b: N/4, 4 dt                (1/4 + 1/8 + 1/16 of the cost of u)
 *
 * compared at the end of every window of four steps. With rho = |a - b| / |u - a|, the factor by which one level lowers the
 * error, the error of u is |u - a| / (rho - 1). It is believed between 2 (then it is the difference seen) and
 * what the method's order promises; where b is off by more than a hundredth, 6 at most, and where it has nothing to do with the
 * answer any more, 3. |c - b| and |a - c| share it
 * out between space and time. Distances of places are the largest so far, so that crossings count for nothing; of forces, in
 * which a jerk is a moment's matter, the root of the mean square over the time so far. */
#include "motion/certificate/companions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

enum { A, C, B };
enum { WINDOW = 4, MOST_HALVINGS = 3 };

/* Distances so far: maxima, or sums of squares times the time that they lasted. */
typedef struct distances {
    double ua, ab, ac, cb;
} distances;

typedef struct companion {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
} companion;

/* All that is not a companion's state: one part of a checkpoint. */
typedef struct record {
    wy_probe own, of[WY_COMPANIONS];
    distances start, way, path, force; /* path: the ways as sums of squares */
    double longest, strongest;         /* way and force of the run */
    double alive[WY_COMPANIONS];
    double trusted, window, last;
    int64_t steps; /* in the window */
} record;

struct wy_companions {
    companion of[WY_COMPANIONS];
    int per[WY_COMPANIONS]; /* steps in a window of four */
    bool fine;              /* few steps: the companions' are not longer but shorter */
    bool coarser[2];        /* a has fewer elements than u, b than a */
    double length, deflection, least_way, least_force,
        promise; /* deflection: what a gap of the starts is measured by */
    double *nodes;
    record now;
};

static void drop(companion *k) {
    wy_motion_work_free(k->work);
    wy_motion_state_free(k->state);
    wy_motion_free(k->rod);
    *k = (companion){0};
}

void wy_companions_free(wy_companions *c) {
    if (!c)
        return;
    for (int i = 0; i < WY_COMPANIONS; i++)
        drop(&c->of[i]);
    free(c->nodes);
    free(c);
}

/* The method as it was made for the rod, but for steps that are cut to shreds: a companion that needs them tells nothing, and
 * takes more time than the run. */
static wy_status method_of(wy_choice *method, const wy_motion *rod, wy_error *err) {
    const size_t size = rod->chosen.entry->config_size;
    *method = (wy_choice){rod->chosen.entry, NULL};
    if (!rod->chosen.config || size < sizeof(wy_motion_newton))
        return WY_OK;
    wy_motion_newton *config = malloc(size);
    if (!config)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a method");
    memcpy(config, rod->chosen.config, size);
    if (config->halvings > MOST_HALVINGS)
        config->halvings = MOST_HALVINGS;
    config->tolerance = fmax(config->tolerance, 1e-12); /* it measures errors, it keeps no books */
    method->config = config;
    return WY_OK;
}

/* Of memory we complain; a mesh that cannot be started is a companion that is not there. */
static wy_status make(companion *k, const wy_motion_definition *definition, const wy_motion *rod, int64_t elements,
                      wy_error *err) {
    wy_motion_definition d = *definition;
    d.rod.elements = elements;
    wy_status s = method_of(&d.method, rod, err);
    if (s)
        return s;
    s = wy_motion_create(&k->rod, &d, err);
    free((void *)(size_t)d.method.config); /* the rod has its own copy */
    if (!s)
        s = wy_motion_state_create(&k->state, k->rod, err);
    if (!s)
        s = wy_motion_work_create(&k->work, k->rod, err);
    if (!s)
        s = wy_motion_start(k->rod, k->state, k->work, err);
    return s;
}

/* What the smallest motion and force are that are told from nothing: a thousandth of the deflection that the elastic energy of
 * the start could be, and what the stiffness makes of round-off. */
static void set_least(wy_companions *c, const wy_motion *rod, const wy_motion_state *state) {
    const double L = c->length, *K = rod->stiffness, EI = fmin(K[0], K[1]);
    wy_motion_energy energy;
    wy_motion_energies(&energy, rod, state);
    const double deflection = fmin(L, sqrt(2.0 * fmax(0.0, energy.strain) * L * L * L / (3.0 * EI)));
    c->deflection = rod->start.equilibrium ? fmax(1e-6 * L, deflection) : L;
    c->least_way = fmax(1e-9 * L, 1e-3 * deflection);
    c->least_force = fmax(1e-9 * EI / (L * L), 1e-12 * K[5]);
}

/* About so many elements: some meshes cannot start where others can. */
static wy_status make_about(companion *k, int64_t *elements, const wy_motion_definition *d, const wy_motion *rod,
                            wy_error *err) {
    const int64_t wanted = *elements, most = wanted / 4 < 6 ? wanted / 4 : 6;
    wy_status s = make(k, d, rod, wanted, err);
    for (int64_t off = 1; s == WY_BAD_INPUT && off <= most; off++)
        for (int side = -1; side <= 1 && s == WY_BAD_INPUT; side += 2) {
            drop(k);
            *elements = wanted + side * off;
            s = make(k, d, rod, *elements, err);
        }
    return s;
}

wy_status wy_companions_create(wy_companions **out, const wy_motion_definition *d, const wy_motion *rod,
                               const wy_motion_state *state, int64_t steps, wy_error *err) {
    *out = NULL;
    wy_companions *c = calloc(1, sizeof *c);
    if (c)
        c->nodes = calloc(2 * rod->nodes + 2, 3 * sizeof *c->nodes);
    if (!c || !c->nodes) {
        free(c);
        return wy_fail(err, WY_NO_MEMORY, "no memory for the companions of a run");
    }
    const int64_t N = (int64_t)rod->elements, least = (int64_t)wy_rod_bodies_inside(&rod->def) + 1;
    const bool fewer = N > 1 && N / 2 >= least; /* else one of twice the elements */
    const int64_t half = fewer ? N / 2 : 2 * N, quarter = half > 1 ? half / 2 : 1;
    int64_t elements[WY_COMPANIONS] = {[A] = half, [C] = half, [B] = quarter};
    c->fine = steps < 2 * WINDOW;
    c->per[A] = c->fine ? 4 : fewer ? 2 : 1;
    c->per[C] = c->per[B] = c->fine ? 8 : 1;
    c->coarser[0] = fewer;
    c->coarser[1] = fewer && quarter < half && quarter >= least;
    c->length = d->rod.length;
    int space = 2, time = 2;
    if (rod->method->order)
        rod->method->order(&space, &time, rod);
    c->promise = ldexp(1.0, space < time ? space : time);
    set_least(c, rod, state);
    wy_probe_begin(&c->now.own, rod, state, c->nodes);
    for (int i = 0; i < WY_COMPANIONS; i++) {
        if (i == B && !c->coarser[1])
            continue;
        if (i == C)
            elements[C] = elements[A];
        const wy_status s = make_about(&c->of[i], &elements[i], d, rod, err);
        if (s == WY_NO_MEMORY || (s && i == A)) {
            wy_companions_free(c);
            return s == WY_NO_MEMORY ? s : WY_OK;
        }
        c->now.alive[i] = s ? 0.0 : 1.0;
        if (!s)
            wy_probe_begin(&c->now.of[i], c->of[i].rod, c->of[i].state, c->nodes);
    }
    *out = c;
    return WY_OK;
}

/* A companion through the window: in equal steps. */
static void advance(wy_companions *c, int i) {
    companion *k = &c->of[i];
    record *r = &c->now;
    if (!r->alive[i])
        return;
    const int64_t n = (c->per[i] * r->steps + WINDOW - 1) / WINDOW;
    const double dt = r->window / (double)n;
    for (int64_t j = 0; j < n; j++) {
        if (wy_motion_step(k->rod, k->state, k->work, dt, NULL)) {
            r->alive[i] = 0.0;
            return;
        }
        wy_probe_step(&r->of[i], k->rod, k->state, dt);
    }
    wy_probe_close(&r->of[i], k->rod, k->state, c->nodes);
}

static void widen(double *most, double now) {
    *most = fmax(*most, now);
}

static void heap(double *sum, double now, double seconds) {
    *sum += seconds * now * now;
}

static void compare(wy_companions *c) {
    record *r = &c->now;
    const wy_probe *u = &r->own, *a = &r->of[A], *cc = &r->of[C], *b = &r->of[B];
    const double L = c->length;
    const wy_probe_gap size = wy_probe_size(u, L);
    widen(&r->longest, size.way);
    widen(&r->strongest, size.force);
    if (r->alive[A]) {
        const wy_probe_gap g = wy_probe_between(u, a, L);
        widen(&r->start.ua, g.start), widen(&r->way.ua, g.way), heap(&r->path.ua, g.way, r->window),
            heap(&r->force.ua, g.force, r->window);
    }
    if (r->alive[A] && r->alive[C]) {
        const wy_probe_gap g = wy_probe_between(a, cc, L);
        widen(&r->start.ac, g.start), widen(&r->way.ac, g.way), heap(&r->path.ac, g.way, r->window),
            heap(&r->force.ac, g.force, r->window);
    }
    if (r->alive[C] && r->alive[B]) {
        const wy_probe_gap g = wy_probe_between(cc, b, L);
        widen(&r->start.cb, g.start), widen(&r->way.cb, g.way), heap(&r->path.cb, g.way, r->window),
            heap(&r->force.cb, g.force, r->window);
    }
    if (r->alive[A] && r->alive[B]) {
        const wy_probe_gap g = wy_probe_between(a, b, L);
        widen(&r->start.ab, g.start), widen(&r->way.ab, g.way), heap(&r->path.ab, g.way, r->window),
            heap(&r->force.ab, g.force, r->window);
    }
}

/* The factor by which one level lowers the error; 2 where nothing is known. `scale`: how large the thing itself is. */
static double rate(const wy_companions *c, const distances *d, double scale, double promise) {
    if (!c->coarser[1] || !(d->ua > 0.0) || !(d->ab > 0.0))
        return 2.0;
    const double seen = d->ab / d->ua;
    double most = promise;
    if (d->ab > 0.3 * scale || seen > 2.0 * promise)
        most = 3.0;
    else if (d->ab > 0.01 * scale) /* b is coarse: what the next level gains is not what this one did */
        most = fmin(6.0, promise);
    return fmin(most, fmax(2.0, seen));
}

static double root_mean(double sum, double seconds) {
    return seconds > 0.0 ? sqrt(sum / seconds) : 0.0;
}

static distances root_means(const distances *sum, double seconds) {
    return (distances){.ua = root_mean(sum->ua, seconds),
                       .ab = root_mean(sum->ab, seconds),
                       .ac = root_mean(sum->ac, seconds),
                       .cb = root_mean(sum->cb, seconds)};
}

/* Relative errors in space and in time, by the distances of one quantity whose largest value is `size`. */
static void split(double *space, double *time, double *all, const wy_companions *c, const distances *d, double scale,
                  double size, double promise) {
    const double sure = 1.5, r = rate(c, d, size, promise);
    if (c->fine) { /* u - a: the mesh, and most of the step; a - c: the step */
        *time = sure * d->ac / scale;
        *space = c->coarser[0] ? sure * d->ua / (r - 1.0) / scale : sure * d->ua / scale;
        *all = *space + *time;
        return;
    }
    *all = (c->coarser[0] ? sure * d->ua / (r - 1.0) : sure * d->ua) / scale;
    if (!(d->cb > 0.0)) { /* no third mesh: the step alone makes at most half of a - c between a and u */
        const double share = d->ua > 0.0 ? fmin(1.0, 0.5 * d->ac / d->ua) : 0.0;
        *time = *all * share;
        *space = *all * (1.0 - 0.5 * share);
        return;
    }
    const double both = d->ac + d->cb;
    *time = both > 0.0 ? *all * d->ac / both : *all;
    *space = both > 0.0 ? *all * d->cb / both : *all;
}

wy_probe_gap wy_companions_scale(const wy_companions *c) {
    return (wy_probe_gap){.start = fmax(c->now.longest, c->deflection),
                          .way = fmax(c->now.longest, c->least_way),
                          .force = fmax(c->now.strongest, c->least_force)};
}

/* What is small is taken further by the rate seen than what is not, and there is no complaint to be raised by care: half as much again
 * below 1 %, nothing at 5 %. (12.7) */
static double careful(double error) {
    const double most = 1.5, small = 0.2 * WY_UNSURE;
    if (error <= small)
        return most * error;
    return error >= WY_UNSURE ? error : error * wy_pow(most, wy_log(WY_UNSURE / error) / wy_log(WY_UNSURE / small));
}

wy_companion_error wy_companions_error(const wy_companions *c) {
    const record *r = &c->now;
    const wy_probe_gap scale = wy_companions_scale(c);
    const distances force = root_means(&r->force, r->last), path = root_means(&r->path, r->last);
    const double jerky = fmin(4.0, c->promise); /* forces are not as smooth as the motion they cause */
    double space[3], time[3], all[3];
    split(&space[0], &time[0], &all[0], c, &r->start, scale.start, scale.start, c->promise);
    split(&space[1], &time[1], &all[1], c, &r->way, scale.way, scale.way, c->promise);
    split(&space[2], &time[2], &all[2], c, &force, scale.force, scale.force, jerky);
    wy_companion_error e = {.shape = fmax(all[0], all[1]), .reaction = all[2], .trusted = r->trusted};
    for (int i = 0; i < 3; i++) {
        e.space = fmax(e.space, space[i]);
        e.time = fmax(e.time, time[i]);
    }
    e.shape_space = fmax(space[0], space[1]);
    e.shape_time = fmax(time[0], time[1]);
    split(&e.path_space, &e.path_time, &e.path, c, &path, c->length, scale.way, c->promise);
    if (!r->alive[A]) /* lost: nothing is known */
        e.shape = e.reaction = e.space = e.time = e.shape_space = e.shape_time = e.path = e.path_space = e.path_time =
            1.0;
    if (r->strongest > 0.0) /* forces are hardly more exact than the motion they cause */
        e.reaction = fmax(e.reaction, 0.01 * e.shape);
    e.shape = fmin(careful(e.shape), 1.0);
    e.reaction = fmin(careful(e.reaction), 1.0);
    e.space = fmin(e.space, 1.0);
    e.time = fmin(e.time, 1.0);
    e.rate = all[2] > e.shape ? rate(c, &force, scale.force, jerky) : rate(c, &r->way, scale.way, c->promise);
    return e;
}

/* A companion that costs far more than its share (steps cut, iterations without end) is left behind. */
static void keep_cheap(wy_companions *c, const wy_motion *rod, const wy_motion_state *state) {
    static const double most[WY_COMPANIONS] = {[A] = 0.6, [C] = 0.2, [B] = 0.12};
    wy_motion_stats stats;
    wy_motion_statistics(&stats, state);
    const double own = (double)stats.iterations * (double)rod->elements, slack = 200.0 * (double)rod->elements;
    for (int i = 0; i < WY_COMPANIONS && !c->fine; i++) {
        if (!c->now.alive[i])
            continue;
        wy_motion_statistics(&stats, c->of[i].state);
        const double share = c->coarser[0] ? most[i] : 1.5; /* a rod of one element has no coarser one */
        if ((double)stats.iterations * (double)c->of[i].rod->elements > share * own + slack)
            c->now.alive[i] = 0.0;
    }
}

/* The record may come from an archive: nobody says that it is true. One that cannot be is given up, and the companions with it. */
static void distrust(wy_companions *c) {
    record *r = &c->now;
    bool good = r->steps >= 0 && r->steps < WINDOW;
    for (int i = 0; i < WY_COMPANIONS; i++)
        good = good && (r->alive[i] == 0.0 || (r->alive[i] == 1.0 && c->of[i].state));
    if (good)
        return;
    memset(r->alive, 0, sizeof r->alive);
    r->steps = 0;
}

void wy_companions_follow(wy_companions *c, const wy_motion *rod, const wy_motion_state *state, double dt, bool last) {
    record *r = &c->now;
    distrust(c);
    wy_probe_step(&r->own, rod, state, dt);
    r->window += dt;
    r->steps++;
    if (r->steps < WINDOW && !last)
        return;
    wy_probe_close(&r->own, rod, state, c->nodes);
    for (int i = 0; i < WY_COMPANIONS; i++)
        advance(c, i);
    keep_cheap(c, rod, state);
    compare(c);
    r->last = wy_motion_time(state);
    r->window = 0.0;
    r->steps = 0;
    if (wy_companions_error(c).shape <= WY_UNSURE)
        r->trusted = r->last;
}

double wy_companions_cost(const wy_companions *c) {
    double sum = 0.0;
    for (int i = 0; i < WY_COMPANIONS; i++)
        if (c->of[i].state) {
            wy_motion_stats stats;
            wy_motion_statistics(&stats, c->of[i].state);
            sum += (double)stats.iterations * (double)c->of[i].rod->elements;
        }
    return sum;
}

void wy_companions_parts(wy_part parts[WY_COMPANION_PARTS], wy_companions *c) {
    for (int i = 0; i < WY_COMPANIONS; i++)
        parts[i] = c->of[i].state ? (wy_part){wy_motion_state_numbers(c->of[i].state),
                                              wy_motion_state_size(c->of[i].state) * sizeof(double)}
                                  : (wy_part){&c->now, 0};
    parts[WY_COMPANIONS] = (wy_part){&c->now, sizeof c->now};
}
