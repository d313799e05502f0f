/* Coarser runs of the same rod beside a run, and the error that they show. docs/math/certificate.md, "Coarse runs".
 *
 * The run u has N elements and the step dt. Beside it go
 *
 *   a: N/2, 2 dt      c: N/2, 4 dt      b: about N/4, 4 dt          (1/4 + 1/8 + 1/16 of the cost of u)
 *
 * (N/2 rounded up; N/4 or one more, so that b is not nested in a; in each piece of the rod between two jumps),
 * compared at the end of every window of four steps, each place and each hold of an end by itself. With q1 and q2
 * the levels from u to a and from a to b (2 in time, the ratio of the elements in space), the order p with which
 * they come together is that of
 *
 *   |a - b| / |u - a| = q1^p (q2^p - 1) / (q1^p - 1),        and the error of u is  |u - a| / (q1^p - 1).        (12.3)
 *
 * p is believed between 1 and what the method's order promises; where b is off by more than a hundredth, up to log2
 * 6, and where it has nothing to do with the answer any more, log2 3. |c - b| and |a - c| share it out between space
 * and time. Distances of places are the largest so far, so that crossings count for nothing; of forces, in which a
 * jerk is a moment's matter, the root of the mean square over the time so far.
 *
 * Up to three elements, or four with short steps, nothing coarser tells anything. Then
 *
 *   a: 3/2 N, 4 dt      c: N, 4 dt
 *   error in space |a - c| / (1 - (2/3)^2),      error in time |u - c| / (3^2 - 1)                            (12.9) */
#include "motion/estimate/coarse_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/cost_budget.h"
#include "estimate/second_core.h"
#include "math/vec3.h"

enum { WINDOW_STEPS = WY_PREDICTOR_STEPS };

/* Values of the run after its last steps, the newest first: five places, and the means of what holds its ends. */
enum { FOURTH = 4, EIGHTH = 8, PAST = EIGHTH, PAST_NUMBERS = 3 * WY_PROBE_POINTS + 12 };
typedef struct past_positions {
    double values[PAST][PAST_NUMBERS];
    double known, step; /* how many of them, of equal steps; that step, s */
} past_positions;

typedef struct coarse_run {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    bool borrows_rod; /* the rod of another one of the same mesh */
    bool bisect_only; /* option of its steps */
} coarse_run;

/* What a window of steps of the run leaves for its coarse runs, which follow when it is complete; a part of a
 * checkpoint. */
typedef struct window {
    wy_probe run;
    past_positions past;
    double rings[WINDOW_STEPS][WY_PROBE_POINTS + WY_PROBE_REACTIONS]; /* fourth differences, a step each; < 0: none */
    double steep[WINDOW_STEPS][WY_PROBE_REACTIONS];                   /* eighth ones of the forces; < 0: none */
    double times[WINDOW_STEPS + 1];                                   /* where its steps begin and end, s */
    double begin, length, end;                                        /* s; the end is known when it is complete */
    double step[WINDOW_STEPS];                                        /* s */
    double cost, taken;                                               /* of the run so far: its cost and steps */
    int64_t steps;
} window;

/* What the comparison of all windows so far has shown; a part of a checkpoint. */
typedef struct estimator_state {
    wy_probe of[WY_COARSE_RUNS];
    wy_coarse_gaps start[WY_PROBE_POINTS], displacement[WY_PROBE_POINTS],
        path[WY_PROBE_POINTS]; /* path: the ways as sums of squares */
    wy_coarse_gaps force[WY_PROBE_REACTIONS];
    double steep[WY_PROBE_REACTIONS]; /* eighth differences of its forces from step to step, sums of squares */
    double largest_displacement, largest_force; /* way and force of the run, m and N */
    double largest_moment;                      /* moment on an end, by the length, N */
    double parted;                    /* 1: a was left behind where it had nothing to do with the run any more, ... */
    double apart[WY_PROBE_REACTIONS]; /* ... and by how much their forces differed in the worst window, N */
    double alive[WY_COARSE_RUNS];
    double shape;                             /* its error after the last window, relative */
    double trusted, last, lasted_b, lasted_c; /* the last two: how long there was a b, and a c, s */
} estimator_state;

struct wy_coarse_runs {
    coarse_run of[WY_COARSE_RUNS];
    size_t *count[WY_COARSE_RUNS]; /* elements in each piece of the rod */
    int per[WY_COARSE_RUNS];       /* steps in a window of four */
    wy_coarse_levels levels;       /* but for what changes with every window */
    double length, deflection, least_displacement, least_force,
        least_moment;   /* deflection: unit of gaps at the start */
    double rounded;     /* by how much rounding a place moves strains and these the rod, in a second, 1/s */
    double swings;      /* the lowest frequency of the straight rod between its ends, rad/s */
    double planned;     /* steps that the run will take */
    bool trial;         /* for an error that may be a small one */
    double force_order; /* that of the forces on its ends, at most */
    double *nodes;
    size_t mean_velocity_size;  /* numbers of the mean velocities of a step, ... */
    double *mean_velocities[2]; /* ... and these, for the steps of `open`, and of `closed` */
    window open, closed;        /* the one that the run fills, and the one that its coarse runs follow */
    estimator_state now;
    bool checked, compared; /* what may come from an archive was checked; a window was compared */
    double window_cost;     /* what the coarse runs spent on the last window */
    const wy_motion *rod;   /* of the run */
    wy_estimated_error error;
    wy_second_core *core; /* NULL: there is one only */
};

static void drop(coarse_run *k) {
    wy_motion_work_free(k->work);
    wy_motion_state_free(k->state);
    if (!k->borrows_rod)
        wy_motion_free(k->rod);
    *k = (coarse_run){0};
}

void wy_coarse_runs_free(wy_coarse_runs *c) {
    if (!c)
        return;
    wy_second_core_free(c->core);
    for (int i = 0; i < WY_COARSE_RUNS; i++) {
        drop(&c->of[i]);
        free(c->count[i]);
    }
    free(c->nodes);
    free(c->mean_velocities[0]);
    free(c->mean_velocities[1]);
    free(c);
}

/* Missing memory is an error; a mesh that cannot be started is a coarse run that is not there. */
static wy_status make_coarse_run(coarse_run *k, const wy_motion_definition *definition, const wy_motion *rod,
                                 const size_t *count, double tolerance, wy_error *err) {
    wy_motion_definition d = *definition;
    wy_motion_newton *config;
    wy_status s = wy_coarse_method(&d.method, &config, rod, tolerance, err);
    if (s)
        return s;
    s = wy_motion_create_on_mesh(&k->rod, &d, rod, count, err);
    free(config); /* the rod has its own copy */
    if (!s)
        s = wy_motion_state_create(&k->state, k->rod, err);
    if (!s)
        s = wy_motion_work_create(&k->work, k->rod, err);
    if (!s)
        s = wy_motion_start(k->rod, k->state, k->work, err);
    return s;
}

/* One of the same mesh, which starts alike. */
static wy_status make_again(coarse_run *k, const coarse_run *other, wy_error *err) {
    k->rod = other->rod;
    k->borrows_rod = true;
    wy_status s = wy_motion_state_create(&k->state, k->rod, err);
    if (!s)
        s = wy_motion_work_create(&k->work, k->rod, err);
    return s ? s : wy_motion_state_copy(k->state, other->state, err);
}

/* Of four elements a coarse run of two shows little. One of more, with four times the step, shows more as long as
 * that step follows the second mode too, which is four to seven times as fast as the first; and no order, which
 * trials need. */
static const double RESOLVED = 0.05; /* omega dt of the first */

/* What the smallest motion and force are that are told from nothing: a thousandth of the deflection that the elastic
 * energy of the start could be, and what the stiffness makes of round-off. */
static void set_least(wy_coarse_runs *c, const wy_motion *rod, const wy_motion_state *state) {
    const double L = c->length, *K = rod->stiffness, EI = fmin(K[0], K[1]);
    wy_motion_energy energy;
    wy_motion_energies(&energy, rod, state);
    const double deflection = fmin(L, sqrt(2.0 * fmax(0.0, energy.strain) * L * L * L / (3.0 * EI)));
    c->deflection = rod->start.equilibrium ? fmax(1e-6 * L, deflection) : L;
    c->least_displacement = fmax(1e-9 * L, 1e-3 * deflection);
    c->least_force = fmax(1e-9 * EI / (L * L), 1e-12 * K[5]);
    c->least_moment = fmax(1e-3 * EI / (L * L), c->least_force); /* a turn of a thousandth from end to end */
    c->rounded = wy_coarse_rounding(rod);
    c->swings = wy_coarse_lowest_frequency(rod);
}

/* About so many elements in each piece: some meshes cannot start where others can. */
static wy_status make_about(coarse_run *k, size_t *count, const wy_motion_definition *d, const wy_motion *rod,
                            double tolerance, wy_error *err) {
    size_t longest = 0;
    for (size_t i = 1; i < rod->pieces; i++)
        longest = count[i] > count[longest] ? i : longest;
    const size_t wanted = count[longest], most = wanted / 4 < 6 ? wanted / 4 : 6;
    wy_status s = make_coarse_run(k, d, rod, count, tolerance, err);
    for (size_t off = 1; s == WY_BAD_INPUT && off <= most; off++)
        for (int side = 0; side < 2 && s == WY_BAD_INPUT; side++) {
            drop(k);
            count[longest] = side ? wanted + off : wanted - off;
            s = make_coarse_run(k, d, rod, count, tolerance, err);
        }
    return s;
}

wy_status wy_coarse_runs_create(wy_coarse_runs **out, const wy_motion_definition *d, const wy_motion *rod,
                                const wy_motion_state *state, const wy_coarse_plan *plan, wy_error *err) {
    *out = NULL;
    wy_coarse_runs *c = calloc(1, sizeof *c);
    if (c) {
        c->nodes = calloc(2 * rod->nodes + 2, 3 * sizeof *c->nodes);
        c->mean_velocity_size = rod->method->mean_velocity_size ? rod->method->mean_velocity_size(rod) : 0;
        for (int i = 0; i < 2; i++)
            c->mean_velocities[i] = calloc(WINDOW_STEPS * c->mean_velocity_size + 1, sizeof *c->mean_velocities[i]);
        for (int i = 0; i < WY_COARSE_RUNS; i++)
            c->count[i] = calloc(rod->pieces, sizeof *c->count[i]);
    }
    if (!c || !c->nodes || !c->mean_velocities[0] || !c->mean_velocities[1] || !c->count[WY_COARSE_A] ||
        !c->count[WY_COARSE_B] || !c->count[WY_COARSE_C]) {
        wy_coarse_runs_free(c);
        return wy_fail(err, WY_NO_MEMORY, "no memory for the coarse runs of a run");
    }
    const size_t N = rod->elements,
                 few = plan->trial || plan->step * wy_coarse_lowest_frequency(rod) > RESOLVED ? 3 : 4;
    const double tolerance = plan->trial ? 1e-12 : 9e-11;
    size_t single = 0, before = 0, after = 0,
           coarsest = 0; /* elements of pieces that have more than one: in u, a and b */
    for (size_t i = 0; i < rod->pieces; i++)
        single += rod->count[i] == 1;
    const bool fewer = N > few && 2 * single <= N; /* else one of half as many elements more */
    wy_coarse_meshes(c->count[WY_COARSE_A], c->count[WY_COARSE_B], rod, fewer);
    memcpy(c->count[WY_COARSE_C], fewer ? c->count[WY_COARSE_A] : rod->count,
           rod->pieces * sizeof *c->count[WY_COARSE_C]);
    c->levels.refined_in_time = plan->steps < 2 * WINDOW_STEPS;
    c->per[WY_COARSE_A] = c->levels.refined_in_time ? 4 : fewer ? 2 : 1;
    c->per[WY_COARSE_C] = c->per[WY_COARSE_B] = c->levels.refined_in_time ? 8 : 1;
    c->levels.coarser[0] = fewer;
    for (size_t i = 0; i < rod->pieces; i++)
        c->levels.coarser[1] =
            c->levels.coarser[1] || (fewer && rod->count[i] > 1 && c->count[WY_COARSE_B][i] < c->count[WY_COARSE_A][i]);
    c->length = d->rod.length;
    c->planned = (double)plan->steps;
    c->trial = plan->trial;
    c->force_order = wy_motion_force_order(rod);
    int space = 2, time = 2;
    if (rod->method->order)
        rod->method->order(&space, &time, rod);
    c->levels.order = space < time ? space : time;
    set_least(c, rod, state);
    c->rod = rod;
    wy_probe_begin(&c->open.run, rod, state, c->nodes);
    for (int i = 0; i < WY_COARSE_RUNS; i++) {
        if (i == WY_COARSE_B && !c->levels.coarser[1])
            continue;
        const wy_status s = i == WY_COARSE_C && fewer ? make_again(&c->of[WY_COARSE_C], &c->of[WY_COARSE_A], err)
                                                      : make_about(&c->of[i], c->count[i], d, rod, tolerance, err);
        if (s == WY_NO_MEMORY || (s && i == WY_COARSE_A)) {
            wy_coarse_runs_free(c);
            return s == WY_NO_MEMORY ? s : WY_OK;
        }
        c->now.alive[i] = s ? 0.0 : 1.0;
        if (!s && i == WY_COARSE_B) /* in a long run a step that is so hard for it is not worth that */
            c->of[WY_COARSE_B].bisect_only = plan->steps >= WY_SHORT_RUN;
        if (!s)
            wy_probe_begin(&c->now.of[i], c->of[i].rod, c->of[i].state, c->nodes);
    }
    for (size_t i = 0; i < rod->pieces; i++) {
        const bool counts = rod->count[i] > 1 || !fewer;
        before += counts ? rod->count[i] : 0;
        after += counts ? c->count[WY_COARSE_A][i] : 0;
        coarsest += counts ? c->count[WY_COARSE_B][i] : 0;
    }
    c->levels.ratio[0] = (double)before / (double)after;
    c->levels.ratio[1] = (double)after / (double)coarsest;
    c->core = wy_second_core_create();
    *out = c;
    return WY_OK;
}

wy_probe_distance wy_coarse_runs_scale(const wy_coarse_runs *c) {
    return (wy_probe_distance){.start = fmax(c->now.largest_displacement, c->deflection),
                               .displacement = fmax(c->now.largest_displacement, c->least_displacement),
                               .force = fmax(c->now.largest_force, c->least_force),
                               .moment = fmax(c->now.largest_moment, c->least_moment)};
}

/* What Newton may leave behind in each of a coarse run's steps: all of them together a small part of the gap that
 * they measure, as it is so far. (12.12) */
static double newton_tolerance_of(const wy_coarse_runs *c) {
    const double part = 0.03, fewest = 300.0, most = 1e-6;
    const estimator_state *r = &c->now;
    const wy_probe_distance scale = wy_coarse_runs_scale(c);
    double displacement = 0.0, force = 0.0;
    for (int i = 0; i < WY_PROBE_POINTS; i++)
        displacement = fmax(displacement, r->displacement[i].ua / scale.displacement);
    for (int i = 0; i < WY_PROBE_REACTIONS; i++)
        force = fmax(force, wy_coarse_root_mean(r->force[i].ua, r->last) / scale.force);
    const double gap = r->largest_force > 0.0 ? fmin(displacement, force) : displacement;
    return c->trial ? 0.0 : fmin(most, part * gap / fmax(fewest, c->planned));
}

/* The cost budget of (12.11). */
static wy_cost_budget cost_budget_of(const wy_coarse_runs *c) {
    const double elements = (double)c->rod->elements;
    wy_cost_budget t = {.run = c->closed.cost,
                        .elements = elements,
                        .taken = fmax(1.0, c->closed.taken),
                        .planned = c->planned,
                        .few = !c->levels.coarser[0]};
    for (int i = 0; i < WY_COARSE_RUNS; i++) {
        const coarse_run *k = &c->of[i];
        if (!k->state)
            continue;
        t.alive[i] = c->now.alive[i] != 0.0;
        t.spent[i] = wy_run_cost(k->rod, k->state);
        t.usual[i] = (double)k->rod->elements / elements * c->per[i] / WINDOW_STEPS;
    }
    return t;
}

/* A coarse run through the window: in equal steps. */
static void advance_coarse_run(wy_coarse_runs *c, int i) {
    coarse_run *k = &c->of[i];
    estimator_state *r = &c->now;
    const window *w = &c->closed;
    if (!r->alive[i])
        return;
    const wy_cost_budget budget = cost_budget_of(c);
    const double left = wy_cost_budget_left(&budget, i) / (double)k->rod->elements;
    wy_motion_step_options options = {.bisect_only = k->bisect_only,
                                      .newton_tol_floor = newton_tolerance_of(c),
                                      .max_work = c->levels.refined_in_time ? 0.0 : fmax(1.0, left)};
    if (c->mean_velocity_size > 0)
        options.predictor = (wy_motion_predictor){
            .run = c->rod, .steps = (int)w->steps, .times = w->times, .mean_velocities = c->mean_velocities[1]};
    const int64_t n = (c->per[i] * w->steps + WINDOW_STEPS - 1) / WINDOW_STEPS;
    const double dt = w->length / (double)n;
    for (int64_t j = 0; j < n; j++) {
        if (wy_motion_step_with(k->rod, k->state, k->work, dt, &options, NULL)) {
            r->alive[i] = 0.0;
            return;
        }
        wy_probe_step(&r->of[i], k->rod, k->state, dt);
    }
    wy_probe_close(&r->of[i], k->rod, k->state, c->nodes);
}

static void widen_most(double *most, double now) {
    *most = fmax(*most, now);
}

static void heap(double *sum, double now, double seconds) {
    *sum += seconds * now * now;
}

/* Adds one value to the same distance of one quantity: the largest so far, or a sum. */
#define NOTE(pair, gaps)                                                  \
    do {                                                                  \
        for (int i = 0; i < WY_PROBE_POINTS; i++) {                       \
            widen_most(&r->start[i].pair, (gaps).start[i]);               \
            widen_most(&r->displacement[i].pair, (gaps).displacement[i]); \
            heap(&r->path[i].pair, (gaps).displacement[i], w->length);    \
        }                                                                 \
        for (int i = 0; i < WY_PROBE_REACTIONS; i++)                      \
            heap(&r->force[i].pair, (gaps).force[i], w->length);          \
    } while (0)

static void compare(wy_coarse_runs *c) {
    estimator_state *r = &c->now;
    const window *w = &c->closed;
    const wy_probe *u = &w->run, *a = &r->of[WY_COARSE_A], *cc = &r->of[WY_COARSE_C], *b = &r->of[WY_COARSE_B];
    const double L = c->length;
    const bool A_is = r->alive[WY_COARSE_A], B_is = r->alive[WY_COARSE_B], C_is = r->alive[WY_COARSE_C];
    const wy_probe_distance size = wy_probe_scale(u, L);
    widen_most(&r->largest_displacement, size.displacement);
    widen_most(&r->largest_force, size.force);
    widen_most(&r->largest_moment, size.moment);
    for (int i = 0; i < WY_PROBE_REACTIONS && r->parted; i++)
        heap(&r->force[i].ua, r->apart[i], w->length);
    if (A_is) {
        const wy_probe_distances ua = wy_probe_distances_between(u, a, L);
        NOTE(ua, ua);
        for (int i = 0; i < WY_PROBE_REACTIONS; i++)
            widen_most(&r->apart[i], ua.force[i]);
        if (B_is) {
            const wy_probe_distances ab = wy_probe_distances_between(a, b, L);
            NOTE(ua_b, ua);
            NOTE(ab, ab);
            r->lasted_b += w->length;
        }
    }
    if (A_is && C_is) {
        const wy_probe_distances ac = wy_probe_distances_between(a, cc, L), uc = wy_probe_distances_between(u, cc, L);
        const wy_probe_distances ua = wy_probe_distances_between(u, a, L);
        NOTE(ac, ac);
        NOTE(uc, uc);
        NOTE(ua_c, ua);
        r->lasted_c += w->length;
    }
    if (C_is && B_is) {
        const wy_probe_distances cb = wy_probe_distances_between(cc, b, L);
        NOTE(cb, cb);
    }
}

/* The size of a difference of values that are steps apart: of the order FOURTH or EIGHTH, c the first component of
 * three. */
static double difference(const double *now, const past_positions *past, int c, int order) {
    static const double fourth[FOURTH] = {-4.0, 6.0, -4.0, 1.0},
                        eighth[EIGHTH] = {-8.0, 28.0, -56.0, 70.0, -56.0, 28.0, -8.0, 1.0};
    const double *weights = order == FOURTH ? fourth : eighth;
    double d[3];
    for (int i = c; i < c + 3; i++) {
        d[i - c] = now[i];
        for (int k = 0; k < order; k++)
            d[i - c] += weights[k] * past->values[k][i];
    }
    return v3_norm(d);
}

/* After a step of the run: what changes from step to step, motion that is too fast for the steps.
 * (12.15), (12.19) */
static void note_ringing(wy_coarse_runs *c, const wy_motion_state *state, double dt) {
    const wy_motion *rod = c->rod;
    past_positions *past = &c->open.past;
    double now[PAST_NUMBERS] = {0.0}, *rings = c->open.rings[c->open.steps], *steep = c->open.steep[c->open.steps];
    rings[0] = steep[0] = -1.0;
    if (c->levels.refined_in_time || c->trial || !rod->method->position_at)
        return;
    for (int i = 0; i < WY_PROBE_POINTS; i++)
        rod->method->position_at(now + 3 * i, rod, state->x, rod->def.length * i / (WY_PROBE_POINTS - 1.0));
    for (int e = 0; e < 2 && rod->method->reaction; e++)
        if (rod->constraint[e].components)
            rod->method->reaction(now + 15 + 6 * e, now + 18 + 6 * e, rod, state->x, e);
    const double t = wy_motion_time(state);
    if (fabs(dt - past->step) > 1e-6 * dt ||
        wy_motion_next_break(rod, t - dt * (1.0 + WY_STEP_SLIVER)) <= t - WY_STEP_SLIVER * dt)
        past->known = 0.0; /* across a break values may jump */
    past->step = dt;
    for (int i = 0; i < WY_PROBE_POINTS + WY_PROBE_REACTIONS && past->known >= FOURTH; i++)
        rings[i] = difference(now, past, 3 * i, FOURTH);
    for (int i = 0; i < WY_PROBE_REACTIONS && past->known >= EIGHTH; i++)
        steep[i] = difference(now, past, 3 * (WY_PROBE_POINTS + i), EIGHTH);
    memmove(past->values[1], past->values[0], (PAST - 1) * sizeof *past->values);
    memcpy(past->values[0], now, sizeof now);
    past->known = fmin(PAST, past->known + 1.0);
}

/* Adds those of the window to the worst, and to the sums, so far. */
static void add_ringing(estimator_state *r, const window *w, double length) {
    for (int64_t n = 0; n < w->steps; n++) {
        const double *rings = w->rings[n], dt = w->step[n];
        for (int i = 0; i < WY_PROBE_POINTS && rings[0] >= 0.0; i++) {
            widen_most(&r->displacement[i].fourth, rings[i]);
            heap(&r->path[i].fourth, rings[i], dt);
        }
        for (int i = 0; i < WY_PROBE_REACTIONS && rings[0] >= 0.0; i++)
            heap(&r->force[i].fourth, rings[WY_PROBE_POINTS + i] / (i % 2 ? length : 1.0), dt);
        for (int i = 0; i < WY_PROBE_REACTIONS && w->steep[n][0] >= 0.0; i++)
            heap(&r->steep[i], w->steep[n][i] / (i % 2 ? length : 1.0), dt);
    }
}

/* ---- the errors that they show ---- */

/* What no coarse run shows: what Newton leaves in the run itself, and what rounding does to all of them alike. A
 * place that is x away from where it was is rounded by eps |x|, strains between nodes by that over their spacing,
 * and waves make velocities of it. (12.10) */
static double round_off(const wy_coarse_runs *c) {
    return 2e-12 * c->length + c->rounded * c->now.largest_displacement * c->now.last;
}

bool wy_coarse_runs_failed(const wy_coarse_runs *c) {
    return !c->now.alive[WY_COARSE_A] && !c->now.parted;
}

static wy_error_parts relative(wy_error_parts e, double there, double size) {
    return (wy_error_parts){(e.all + there) / size, e.space / size, e.time / size, e.order};
}

static double cut_off(double error) {
    return fmin(error, WY_ERROR_UNKNOWN);
}

/* What rings in the forces of the steps themselves, in those from `first` on, each `every`, of the size `size`:
 * sqrt(2)/D of their eighth differences. (12.19) */
static double ringing_of_steps(const estimator_state *r, int first, int every, double size) {
    const double ringing_step = 0.0103;
    double most = 0.0;
    for (int i = first; i < WY_PROBE_REACTIONS; i += every)
        most = fmax(most, wy_coarse_root_mean(r->steep[i], r->last));
    return WY_ERROR_MARGIN * ringing_step * most / size;
}

static wy_estimated_error error_of(const wy_coarse_runs *c) {
    const estimator_state *r = &c->now;
    const wy_probe_distance scale = wy_coarse_runs_scale(c);
    wy_coarse_levels levels = c->levels;
    levels.b_was_lost = !r->alive[WY_COARSE_B];
    levels.turn_per_step = c->swings * c->closed.step[c->closed.steps > 0 ? c->closed.steps - 1 : 0];
    levels.last = r->last;
    levels.lasted_b = r->lasted_b;
    levels.lasted_c = r->lasted_c;
    const double jerky = fmin(c->force_order, c->levels.order); /* forces are not as smooth as the motion they cause */
    if (wy_coarse_runs_failed(c)) {
        const wy_error_parts unknown = {WY_ERROR_UNKNOWN, WY_ERROR_UNKNOWN, WY_ERROR_UNKNOWN, 1.0};
        return (wy_estimated_error){unknown,     unknown, unknown,    unknown,    unknown.all,
                                    unknown.all, 1.0,     r->trusted, unknown.all};
    }
#define OF(points, seconds, size, order, ringing) \
    wy_coarse_error(&levels, points, (int)(sizeof(points) / sizeof *(points)), seconds, size, order, ringing)
    const wy_coarse_gaps moments[2] = {r->force[WY_PROBE_MOMENT(0)], r->force[WY_PROBE_MOMENT(1)]}; /* alone too */
    const double nothing = 1e-3 * c->least_force;
    const wy_error_parts start = relative(OF(r->start, 0.0, scale.start, c->levels.order, 0.0), 0.0, scale.start),
                         moved =
                             relative(OF(r->displacement, 0.0, scale.displacement, c->levels.order, WY_RINGING_VALUE),
                                      round_off(c), scale.displacement);
    wy_estimated_error e = {
        .shape = {fmax(start.all, moved.all), fmax(start.space, moved.space), fmax(start.time, moved.time),
                  moved.order},
        .path = relative(OF(r->path, r->last, scale.displacement, c->levels.order, WY_RINGING_VALUE), 0.0, c->length),
        .reaction = relative(OF(r->force, r->last, scale.force, jerky, WY_RINGING_MEAN),
                             r->largest_force > 0.0 ? nothing : 0.0, scale.force),
        .moment = relative(OF(moments, r->last, scale.moment, jerky, WY_RINGING_MEAN),
                           r->largest_moment > 0.0 ? nothing : 0.0, scale.moment),
        .trusted = r->trusted};
#undef OF
    if (r->largest_force > 0.0) /* forces are hardly more exact than the motion they cause */
        e.reaction.all = fmax(e.reaction.all, 0.01 * e.shape.all);
    if (r->largest_moment > 0.0)
        e.moment.all = fmax(e.moment.all, 0.01 * e.shape.all);
    e.order = e.reaction.all > e.shape.all ? e.reaction.order : e.shape.order;
    e.space = cut_off(fmax(e.shape.space, e.reaction.space));
    e.time = cut_off(fmax(e.shape.time, e.reaction.time));
    wy_error_parts *const all[] = {&e.shape, &e.reaction, &e.moment};
    for (int i = 0; i < 3; i++)
        all[i]->all = cut_off(wy_coarse_error_stated(all[i]->all));
    const double rings =
        fmax(ringing_of_steps(r, 0, 1, scale.force), ringing_of_steps(r, WY_PROBE_MOMENT(0), 2, scale.moment));
    e.reaction_step = cut_off(fmax(rings, fmax(e.reaction.all, e.moment.all)));
    return e;
}

static double spent_by(const wy_coarse_runs *c) {
    double sum = 0.0;
    for (int i = 0; i < WY_COARSE_RUNS; i++)
        if (c->of[i].state)
            sum += wy_run_cost(c->of[i].rod, c->of[i].state);
    return sum;
}

/* ---- window by window ---- */

/* The records may come from an archive: they are checked. Impossible ones are discarded, and the coarse runs with
 * them. */
static void distrust(wy_coarse_runs *c) {
    estimator_state *r = &c->now;
    window *w = &c->open;
    const double times[] = {r->trusted, r->last, r->lasted_b, r->lasted_c, w->begin, w->length};
    bool good = w->steps >= 0 && w->steps < WINDOW_STEPS && (r->parted == 0.0 || r->parted == 1.0);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        good = good && isfinite(times[i]) && times[i] >= 0.0;
    for (int64_t i = 0; good && i < w->steps; i++)
        good = w->times[i + 1] > w->times[i] && isfinite(w->times[i + 1] - w->times[i]);
    for (int i = 0; i < WY_PROBE_REACTIONS; i++)
        good = good && r->apart[i] >= 0.0 && isfinite(r->apart[i]);
    good = good && (w->past.known >= 0.0 && w->past.known <= PAST);
    for (int i = 0; i < WY_COARSE_RUNS; i++)
        good = good && (r->alive[i] == 0.0 || (r->alive[i] == 1.0 && c->of[i].state));
    c->checked = true;
    if (good)
        return;
    memset(r->alive, 0, sizeof r->alive);
    memset(r->apart, 0, sizeof r->apart);
    w->steps = 0;
    r->parted = w->past.known = 0.0;
    r->trusted = w->length = w->begin = r->last = r->lasted_b = r->lasted_c = 0.0;
}

/* The coarse runs follow through the closed window and are compared at its end. */
static void follow_window(void *context) {
    wy_coarse_runs *c = context;
    estimator_state *r = &c->now;
    const double before = spent_by(c);
    add_ringing(r, &c->closed, c->length);
    const bool off = r->alive[WY_COARSE_A] && !wy_error_is_known(r->shape);
    for (int i = 0; i < WY_COARSE_RUNS; i++)
        advance_coarse_run(c, i);
    const wy_cost_budget budget = cost_budget_of(c);
    for (int i = 0; i < WY_COARSE_RUNS && !c->levels.refined_in_time; i++)
        if (wy_cost_budget_left(&budget, i) < 0.0)
            r->alive[i] = 0.0;
    if (off && !r->alive[WY_COARSE_A]) /* it told all that it had to tell */
        r->parted = 1.0;
    compare(c);
    r->last = c->closed.end;
    c->error = error_of(c);
    r->shape = c->error.shape.all;
    if (r->shape <= WY_WARNING_LEVEL)
        c->error.trusted = r->trusted = r->last;
    c->window_cost = spent_by(c) - before;
}

bool wy_coarse_runs_step(wy_estimated_error *error, wy_coarse_runs *c, const wy_motion *rod,
                         const wy_motion_state *state, double dt, bool last) {
    const double worth_a_thread = 300.0; /* iterations of an element: 0.3 ms, ten times what a thread takes to begin */
    window *w = &c->open;
    if (!c->checked)
        distrust(c);
    wy_probe_step(&w->run, rod, state, dt);
    note_ringing(c, state, dt);
    if (c->mean_velocity_size > 0)
        rod->method->mean_velocity(c->mean_velocities[0] + (size_t)w->steps * c->mean_velocity_size, rod, state->x);
    w->times[w->steps] = w->begin + w->length;
    w->length += dt;
    w->step[w->steps++] = dt;
    w->times[w->steps] = w->begin + w->length;
    if (w->steps < WINDOW_STEPS && !last)
        return false;
    wy_second_core_wait(c->core);
    wy_probe_close(&w->run, rod, state, c->nodes);
    w->cost = wy_run_cost(rod, state);
    w->taken = state->x[WY_STATE_STEPS];
    w->end = wy_motion_time(state);
    c->closed = *w;
    memcpy(c->mean_velocities[1], c->mean_velocities[0],
           (size_t)w->steps * c->mean_velocity_size * sizeof *c->mean_velocities[0]);
    w->begin = w->end;
    w->length = 0.0;
    w->steps = 0;
    c->compared = true;
    if (error || c->window_cost < worth_a_thread || !wy_second_core_start(c->core, follow_window, c))
        follow_window(c);
    if (error)
        *error = c->error;
    return true;
}

bool wy_coarse_runs_read(wy_estimated_error *error, wy_coarse_runs *c) {
    wy_second_core_wait(c->core);
    *error = c->error;
    return c->compared;
}

wy_estimated_error wy_coarse_runs_error(wy_coarse_runs *c) {
    wy_second_core_wait(c->core);
    return error_of(c);
}

double wy_coarse_runs_cost(wy_coarse_runs *c) {
    wy_second_core_wait(c->core);
    return spent_by(c);
}

void wy_coarse_runs_blocks(wy_checkpoint_block parts[WY_COARSE_BLOCKS], wy_coarse_runs *c) {
    for (int i = 0; i < WY_COARSE_RUNS; i++)
        parts[i] = c->of[i].state ? (wy_checkpoint_block){wy_motion_state_numbers(c->of[i].state),
                                                          wy_motion_state_size(c->of[i].state) * sizeof(double)}
                                  : (wy_checkpoint_block){&c->now, 0};
    parts[WY_COARSE_RUNS] = (wy_checkpoint_block){c->mean_velocities[0],
                                                  WINDOW_STEPS * c->mean_velocity_size * sizeof *c->mean_velocities[0]};
    parts[WY_COARSE_RUNS + 1] = (wy_checkpoint_block){&c->open, sizeof c->open};
    parts[WY_COARSE_RUNS + 2] = (wy_checkpoint_block){&c->now, sizeof c->now};
}
