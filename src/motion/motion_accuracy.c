/* From an accuracy to a discretisation: trials with companions beside them, each refined where the last one's error came from,
 * with elements graded where a layer is shorter than they are. docs/math/certificate.md, "Accuracy". */
#include <math.h>
#include <stdlib.h>

#include <withy/kind.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "motion/certificate/companions.h"
#include "motion/gauss_director/gauss_director.h"
#include "motion/motion_layers.h"

enum { TRIALS = 16, MOST_WORK = 2000000 /* elements times steps of a trial */ };

/* Period of the first bending mode, clamped-free or free-free, of the softer axis. */
static double first_period(const wy_rod_definition *d) {
    const double EI = fmin(d->section.EI1, d->section.EI2);
    const bool clamped = (!d->ends[0].entry || ((const wy_end *)(const void *)d->ends[0].entry)->holds) ||
                         (d->ends[1].entry && ((const wy_end *)(const void *)d->ends[1].entry)->holds);
    const double beta = clamped ? 1.8751041 : 4.7300407;
    return 2.0 * WY_PI * d->length * d->length / (beta * beta) * sqrt(d->section.rhoA / EI);
}

/* What a trial shows. */
typedef struct trial {
    wy_companion_error error;
    wy_motion_layers layers;
    double estimate; /* of a step by itself, mean */
} trial;

/* Runs the rod with its companions. A run that breaks down is one of which nothing is right. */
static wy_status attempt(trial *t, const wy_motion_definition *d, double step, int64_t steps, const wy_sink *sink,
                         wy_error *err) {
    wy_motion *rod = NULL;
    wy_motion_state *state = NULL;
    wy_motion_work *work = NULL;
    wy_companions *companions = NULL;
    double *wrench = NULL;
    *t = (trial){.error = {.path = 1.0,
                           .path_space = 1.0,
                           .path_time = 1.0,
                           .shape_space = 1.0,
                           .shape_time = 1.0,
                           .shape = 1.0,
                           .rate = 2.0}};
    wy_status s = wy_motion_create(&rod, d, err);
    if (!s)
        s = wy_motion_state_create(&state, rod, err);
    if (!s)
        s = wy_motion_work_create(&work, rod, err);
    if (!s)
        s = wy_motion_start(rod, state, work, err);
    if (!s)
        s = wy_companions_create(&companions, d, rod, state, steps, err);
    if (!s && !(wrench = malloc(6 * rod->elements * sizeof *wrench)))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for the wrenches of %zu elements", rod->elements);
    if (!s)
        wy_motion_layers_begin(&t->layers, rod);
    const wy_motion_view view = {.wrench = wrench};
    bool broken = false;
    for (int64_t n = 1; n <= steps && !s && !broken; n++) {
        broken = wy_motion_step(rod, state, work, step, err) != WY_OK;
        if (!broken) {
            wy_motion_estimate own = {0};
            rod->method->estimate(&own, rod, state->x);
            t->estimate += own.size / (double)steps;
            if (companions)
                wy_companions_follow(companions, rod, state, step, n == steps);
        }
        if (!broken && n % 4 == 0) { /* means over a step: what rings from step to step is no tension */
            wy_motion_read(rod, state, &view);
            wy_motion_layers_see(&t->layers, rod, wrench);
        }
        s = wy_sink_progress(sink, 0.0, err);
    }
    if (!s && !broken && companions) /* without them nothing is known */
        t->error = wy_companions_error(companions);
    free(wrench);
    wy_companions_free(companions);
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    wy_motion_free(rod);
    return s;
}

/* How many times finer makes an error the target, where a halving lowers it by `rate`. */
static double finer(double error, double target, double rate, double order, double most) {
    const double seen = fmin(order, fmax(1.0, wy_log(fmax(rate, 1.01)) / 0.6931471805599453));
    return error > target ? fmin(most, wy_pow(error / target, 1.0 / seen)) : 1.0;
}

static wy_status out_of_reach(double accuracy, const wy_motion_accuracy *best, const char *why, wy_error *err) {
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "the accuracy %g is out of reach (%s): the best of %lld trials has about %.2g (%lld elements of degree %lld, "
        "step %.3g s)",
        accuracy, why, (long long)best->trials, best->estimate, (long long)best->elements, (long long)best->degree,
        best->step);
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
    wy_gauss_config *config = wy_arena_take(arena, sizeof *config);
    if (!config)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a method");
    const bool fine = accuracy < 3e-6;
    const int stages = fine ? 3 : 2;
    *config = (wy_gauss_config){
        .newton = {.tolerance = fmax(1e-16, fmin(1e-9, 1e-5 * accuracy)), .max_iterations = 40, .halvings = 12},
        .degree = fine ? 5 : 3,
        .stages = stages,
        .stabiliser = 10.0};
    wy_motion_definition d = *definition;
    d.method = (wy_choice){wy_catalogue_find(&wy_motion_methods, "gauss-director"), config};
    /* errors of phase grow with time: a long run is tried in its beginning */
    const double period = first_period(&plain), span = fmin(duration, 30.0 * period), grow = fmax(1.0, duration / span);
    const double target = 0.4 * accuracy / grow;
    const double most = accuracy < 1e-14 ? 0.02 * MOST_WORK : MOST_WORK; /* round-off: no need to go on for hours */
    wy_motion_accuracy best = {.estimate = HUGE_VAL};
    double step = fmin(span / 16.0, period / 60.0);
    int64_t idle = 0;
    d.rod.elements = 4 * ((int64_t)wy_rod_bodies_inside(&plain) + 1); /* a quarter of them still has a joint for each */
    d.rod.mesh = (wy_samples){0};
    for (int64_t number = 1; number <= TRIALS; number++) {
        const double steps = ceil(span / step * (1.0 - 1e-12));
        best.trials = number - 1;
        if (!(steps * (double)d.rod.elements <= most))
            return out_of_reach(accuracy, &best, "the next would take too long", err);
        trial seen;
        step = span / steps;
        s = attempt(&seen, &d, step, (int64_t)steps, sink, err);
        if (s)
            return wy_fail_at(err, s, "trial %lld for the accuracy %g", (long long)number, accuracy);
        const wy_companion_error e = seen.error;
        const double estimate = e.path * grow;
        idle = estimate < 0.7 * best.estimate || estimate <= accuracy ? 0 : idle + 1;
        if (estimate < best.estimate || (estimate <= accuracy && e.shape <= WY_UNSURE))
            best = (wy_motion_accuracy){.elements = d.rod.elements,
                                        .degree = config->degree,
                                        .order = 2 * stages,
                                        .step = step,
                                        .tolerance = seen.estimate,
                                        .estimate = estimate};
        best.trials = number;
        if (estimate <= accuracy &&
            e.shape <= WY_UNSURE) { /* small against the length, but not against the motion: go on */
            definition->rod.elements = d.rod.elements;
            definition->rod.mesh = d.rod.mesh;
            definition->method = d.method;
            *chosen = best;
            return WY_OK;
        }
        if (idle == 2)
            return out_of_reach(accuracy, &best, "finer meshes and steps do not come nearer", err);
        const double mesh = fmax(finer(e.path_space, 0.5 * target, e.rate, 2.0 * stages, 2.0),
                                 finer(e.shape_space, 0.2 * WY_UNSURE, e.rate, 2.0 * stages, 2.0));
        const double pace = fmax(finer(e.path_time, 0.5 * target, e.rate, 2.0 * stages, 3.0),
                                 finer(e.shape_time, 0.2 * WY_UNSURE, e.rate, 2.0 * stages, 3.0));
        const bool neither = mesh <= 1.0 && pace <= 1.0;
        bool graded = false; /* just now: that is refinement enough */
        if (mesh > 1.0 && !d.rod.mesh.rows &&
            number > 1) { /* the first trial may be nonsense, with tensions that are */
            s = wy_motion_layers_mesh(&d.rod.mesh, &d.rod.elements, &seen.layers, d.rod.length,
                                      d.rod.length / (double)d.rod.elements, arena, err);
            if (s)
                return s;
            graded = d.rod.mesh.rows > 0;
        }
        if ((mesh > 1.0 || neither) && !graded)
            d.rod.elements = (int64_t)ceil(fmax((double)d.rod.elements + 1.0, (double)d.rod.elements * mesh));
        step /= neither ? 1.3 : pace;
    }
    return out_of_reach(accuracy, &best, "finer meshes and steps come nearer too slowly", err);
}
