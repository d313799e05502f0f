/* From an accuracy to a discretisation: trials with coarse runs beside them, each refined where the last one's error
 * came from, with elements graded where a layer is shorter than they are; then coarser ones, as long as they stay
 * within the accuracy when compared with the finest, which is how their error is known. docs/math/certificate.md,
 * "Accuracy". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/kind.h>

#include "estimate/signal_features.h"
#include "math/constants.h"
#include "math/elementary.h"
#include "motion/motion_trial.h"

enum {
    TRIALS = 16,
    MOST_WORK = 2000000 /* elements times steps of a trial */
};

/* Period of the first bending mode, clamped-free or free-free, of the softer axis. */
static double first_period(const wy_rod_definition *d) {
    const double EI = fmin(d->section.EI1, d->section.EI2);
    const bool clamped = (!d->ends[0].entry || ((const wy_joint *)(const void *)d->ends[0].entry)->constrains) ||
                         (d->ends[1].entry && ((const wy_joint *)(const void *)d->ends[1].entry)->constrains);
    const double beta = clamped ? 1.8751041 : 4.7300407;
    return 2.0 * WY_PI * d->length * d->length / (beta * beta) * sqrt(d->section.rhoA / EI);
}

/* How many times finer brings an error to the target, with the order that was seen but no more than `order`. */
static double refinement_to_target(double error, double target, double seen, double order, double most) {
    return fmin(most, wy_refinement(error, target, fmin(order, fmax(1.0, seen))));
}

static wy_status out_of_reach(double accuracy, const wy_motion_accuracy *best, const char *why, wy_error *err) {
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "the accuracy %g is out of reach (%s): the best of %lld trials has about %.2g (%lld elements of degree %lld, "
        "step %.3g s)",
        accuracy, why, (long long)best->trials, best->estimate, (long long)best->elements, (long long)best->degree,
        best->step);
}

/* What the search has: the rod as it is now, and what was found to be good enough. */
typedef struct search {
    wy_motion_definition d;
    double accuracy, span, grow;
    int64_t least; /* elements */
    bool unsure;   /* what is in `best` will not do after all */
    wy_motion_accuracy best;
} search;

/* Steps of at most that length, in as many as can be sampled. */
static double whole_steps(double *step, const search *f) {
    const double steps = WY_TRIAL_SAMPLES * ceil(f->span / *step / WY_TRIAL_SAMPLES * (1.0 - 1e-12));
    *step = f->span / steps;
    return steps;
}

/* The trial `fine` of the discretisation in `best` is good enough by its coarse runs, which mostly say too much.
 * Coarser ones are rehearsed and compared with it: what is between them is their error, but for its own. Where
 * nothing can be coarser, something finer is run to tell. (12.8) */
static wy_status settle(search *f, wy_motion_trial *fine, const wy_sink *sink, wy_error *err) {
    const double by = 1.5, order = 3.0; /* between 2, of what is not smooth, and 4 */
    const double quiet_level =
        0.3 * WY_WARNING_LEVEL; /* with other frames the steps are others, and coarse runs scatter */
    const double tolerance = fine->estimate, base = f->best.step;
    const int power = fine->power;
    wy_motion_accuracy *best = &f->best, next = f->best;
    const bool finer = next.elements < by * (double)f->least;
    double level = by; /* of the candidate by the reference */
    if (finer) {
        f->d.rod.elements = (int64_t)ceil(by * (double)next.elements);
        double step = next.step / by;
        const double steps = whole_steps(&step, f);
        const wy_status s =
            wy_motion_trial_run(fine, &f->d, &(wy_motion_trial_plan){.step = step, .steps = (int64_t)steps}, sink, err);
        best->trials++;
        if (s == WY_NO_CONVERGENCE || (!s && !fine->done)) /* what the coarse runs say stays */
            return WY_OK;
        if (s)
            return s;
    } else {
        next.elements = (int64_t)ceil((double)next.elements / by);
        next.step *= by;
    }
    for (int candidates = 0; candidates < 4; candidates++) {
        wy_motion_trial t;
        double shape = 1.0, step = next.step;
        const double steps = whole_steps(&step, f);
        next.step = step;
        next.tolerance = tolerance;
        for (int i = 0; i < power; i++)
            next.tolerance *= step / base;
        f->d.rod.elements = next.elements;
        const wy_motion_trial_plan plan = {step, (int64_t)steps, next.tolerance, true};
        const wy_status s = wy_motion_trial_run(&t, &f->d, &plan, sink, err);
        if (s && (t.started || (s != WY_BAD_INPUT && s != WY_NO_CONVERGENCE))) /* a mesh may not start */
            return s;
        next.trials = ++best->trials;
        const double gap = t.done ? f->grow * wy_motion_trial_gap(&shape, &t, fine) / f->d.rod.length : HUGE_VAL;
        const double rest = wy_part_of_finer(level, order); /* the reference's own error, by the gap */
        if (!(gap * (1.0 + rest) <= f->accuracy) || shape > WY_WARNING_LEVEL || t.error.shape.all > quiet_level) {
            if (candidates == 0 && t.done && !finer) /* the reference it is, and by this its error is known */
                best->estimate = fmin(best->estimate, gap * rest);
            if (candidates == 0 && finer) { /* the coarse runs said too little, or will say too much */
                best->estimate = fmax(best->estimate, fmin(1.0, gap * (1.0 + rest)));
                f->unsure = true;
            }
            return WY_OK;
        }
        next.estimate = gap * (1.0 + rest);
        *best = next;
        const double growth = fmin(2.0, wy_pow(0.6 * f->accuracy / fmax(next.estimate, 1e-3 * f->accuracy), 0.25));
        if (growth < 1.2)
            return WY_OK;
        next.elements = (int64_t)fmax((double)f->least, ceil((double)next.elements / growth));
        next.step *= growth;
        level *= growth;
    }
    return WY_OK;
}

/* The beginning of a long run by which it is judged: some periods, also after the last break of what acts on the
 * rod. */
static double tried_for(const wy_motion *rod, double period) {
    enum { MOST_BREAKS = 1000 };
    double last = wy_motion_next_break(rod, 0.0);
    if (last == INFINITY)
        return 30.0 * period;
    for (int i = 0; i < MOST_BREAKS; i++) {
        const double next = wy_motion_next_break(rod, last);
        if (next == INFINITY)
            return fmax(30.0 * period, last + 15.0 * period);
        last = next;
    }
    return INFINITY;
}

/* Steps that see the signals: a sixth of the shortest feature where that is no break, on which steps end. */
static double seen_in(const wy_motion *rod, double span) {
    double step = INFINITY;
    char text[WY_ERROR_TEXT];
    for (size_t i = 0; i < rod->signal_count; i++)
        for (double d = fmin(step, span / WY_TRIAL_SAMPLES);
             wy_signal_unseen(text, sizeof text, &rod->signals[i], span, d, 2) && d > 1e-7 * span;)
            step = d *= 0.5;
    return step;
}

/* The first method that an accuracy can choose. */
static wy_status choose_method(wy_choice *method, int64_t *degree, int64_t *order, double accuracy, wy_arena *arena,
                               wy_error *err) {
    size_t i = 0;
    const wy_motion_method *m;
    do
        m = (const wy_motion_method *)(const void *)wy_catalogue_entry(&wy_motion_methods, i++);
    while (m && !m->choose_settings);
    if (!m)
        return wy_fail(err, WY_UNSUPPORTED, "no method can be chosen by an accuracy");
    method->entry = &m->entry;
    return m->choose_settings(&method->config, degree, order, accuracy, arena, err);
}

wy_status wy_motion_for_accuracy(wy_motion_accuracy *chosen, wy_motion_definition *definition, double accuracy,
                                 double duration, wy_arena *arena, const wy_sink *sink, wy_error *err) {
    if (!(accuracy > 0.0) || !isfinite(accuracy))
        return wy_fail(err, WY_BAD_INPUT, "an accuracy of %g was asked for, expected a positive number", accuracy);
    if (!(duration > 0.0) || !isfinite(duration))
        return wy_fail(err, WY_BAD_INPUT, "a duration of %g s was asked for, expected a positive number", duration);
    wy_rod_definition plain;
    const char *part;
    wy_status s = wy_rod_definition_check(&definition->rod, &part, err);
    if (!s) /* section and damping as numbers */
        s = wy_rod_definition_copy(&plain, &definition->rod, arena, &part, err);
    if (s)
        return s;
    search f = {.d = *definition, .accuracy = accuracy, .best.estimate = HUGE_VAL};
    wy_motion_definition *d = &f.d;
    wy_motion_accuracy *best = &f.best;
    int64_t degree = 0, order = 0;
    s = choose_method(&d->method, &degree, &order, accuracy, arena, err);
    if (s)
        return s;
    /* errors of phase grow with time: a long run is tried in its beginning */
    const double period = first_period(&plain);
    wy_motion signals = {.def = plain, .arena = arena};
    for (int e = 0; e < 2; e++)
        signals.ends[e] = (const wy_joint *)(const void *)plain.ends[e].entry;
    s = wy_motion_find_signals(&signals, err);
    if (s)
        return s;
    f.span = fmin(duration, tried_for(&signals, period));
    f.grow = fmax(1.0, duration / f.span);
    const double target = 0.4 * accuracy / f.grow;
    const double most = accuracy < 1e-14 ? 0.02 * MOST_WORK : MOST_WORK; /* round-off: no need to go on for hours */
    double step = fmin(fmin(f.span / WY_TRIAL_SAMPLES, period / 60.0), seen_in(&signals, f.span));
    int64_t idle = 0;
    wy_rod_breaks breaks; /* every piece between two jumps has an element in any case: fewer are no coarser mesh */
    s = wy_rod_breaks_find(&breaks, &plain, &(wy_rod_break_rule){.shortest = WY_SHORTEST_PIECE}, err);
    free(breaks.at);
    if (s)
        return s;
    f.least = breaks.pieces < 4 ? 4 : (int64_t)breaks.pieces;
    d->rod.elements = f.least;
    d->rod.mesh = (wy_samples){0};
    for (int64_t number = 1; number <= TRIALS; number++) {
        const double steps = whole_steps(&step, &f);
        if (!(steps * (double)d->rod.elements <= most))
            return out_of_reach(accuracy, best, "the next would take too long", err);
        wy_motion_trial seen;
        const wy_motion_trial_plan plan = {.step = step, .steps = (int64_t)steps, .estimate = true};
        s = wy_motion_trial_run(&seen, d, &plan, sink, err);
        if (s)
            return wy_fail_at(err, s, "trial %lld for the accuracy %g", (long long)number, accuracy);
        const wy_estimated_error e = seen.error;
        const double estimate = e.path.all * f.grow;
        /* small against the length, but not against the motion: go on */
        const bool good = estimate <= accuracy && e.shape.all <= WY_WARNING_LEVEL;
        idle = estimate < 0.7 * best->estimate || estimate <= accuracy ? 0 : idle + 1;
        const int64_t taken = best->trials + 1;
        if (estimate < best->estimate || good)
            *best = (wy_motion_accuracy){.elements = d->rod.elements,
                                         .degree = degree,
                                         .order = order,
                                         .step = step,
                                         .tolerance = seen.estimate,
                                         .estimate = estimate};
        best->trials = taken;
        if (good) {
            const int64_t elements = d->rod.elements;
            f.unsure = false;
            s = settle(&f, &seen, sink, err);
            if (s)
                return wy_fail_at(err, s, "a rehearsal for the accuracy %g", accuracy);
            if (best->estimate <= accuracy && !f.unsure) {
                definition->rod.elements = best->elements;
                definition->rod.mesh = d->rod.mesh;
                definition->method = d->method;
                *chosen = *best;
                return WY_OK;
            }
            d->rod.elements = elements;
        }
        if (idle == 2)
            return out_of_reach(accuracy, best, "finer meshes and steps do not come nearer", err);
        const double mesh = fmax(refinement_to_target(e.path.space, 0.5 * target, e.order, (double)order, 2.0),
                                 refinement_to_target(e.shape.space, WY_TARGET_LEVEL, e.order, (double)order, 2.0));
        const double time_factor =
            fmax(refinement_to_target(e.path.time, 0.5 * target, e.order, (double)order, 3.0),
                 refinement_to_target(e.shape.time, WY_TARGET_LEVEL, e.order, (double)order, 3.0));
        const bool neither = mesh <= 1.0 && time_factor <= 1.0;
        bool graded = false; /* just now: that is refinement enough */
        if (mesh > 1.0 && !d->rod.mesh.rows &&
            number > 1) { /* the first trial may be nonsense, with tensions that are */
            s = wy_motion_layers_mesh(&d->rod.mesh, &d->rod.elements, &seen.layers, d->rod.length,
                                      d->rod.length / (double)d->rod.elements, arena, err);
            if (s)
                return s;
            graded = d->rod.mesh.rows > 0;
        }
        if ((mesh > 1.0 || neither) && !graded)
            d->rod.elements = (int64_t)ceil(fmax((double)d->rod.elements + 1.0, (double)d->rod.elements * mesh));
        step /= neither ? 1.3 : time_factor;
    }
    return out_of_reach(accuracy, best, "finer meshes and steps come nearer too slowly", err);
}
