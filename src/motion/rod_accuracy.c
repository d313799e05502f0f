/* From an accuracy to a discretisation: rungs of degree, order, elements and steps, each run against the next one.
 * docs/cantilever.md, "Accuracy". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/velocity_strain/high_order.h"

typedef struct rung {
    int degree, order, elements, divide; /* step = period/(90 divide) */
    double tolerance;
} rung;

/* Each is several times as accurate as the one before on a smooth motion. */
static const rung rungs[] = {
    {2, 2, 2, 1, 1e-4}, {2, 2, 3, 2, 1e-5},  {3, 4, 3, 2, 1e-7},    {4, 4, 4, 4, 1e-8},
    {5, 6, 4, 4, 1e-9}, {5, 6, 8, 8, 1e-10}, {5, 6, 16, 16, 1e-11}, {5, 6, 32, 32, 1e-12},
};
enum { RUNGS = sizeof rungs / sizeof *rungs };

/* Period of the first bending mode, clamped-free or free-free, of the softer axis. */
static double first_period(const wy_rod_definition *d) {
    const double pi = 3.14159265358979323846, EI = fmin(d->section.EI1, d->section.EI2);
    const bool clamped = (!d->ends[0].entry || ((const wy_end *)(const void *)d->ends[0].entry)->holds) ||
                         (d->ends[1].entry && ((const wy_end *)(const void *)d->ends[1].entry)->holds);
    const double beta = clamped ? 1.8751041 : 4.7300407;
    return 2.0 * pi * d->length * d->length / (beta * beta) * sqrt(d->section.rhoA / EI);
}

/* Both end positions at every sample time. */
static wy_status pilot(double *ends, const wy_rod_definition *definition, const rung *r, double sample, size_t samples,
                       wy_error *err) {
    const wy_high_order_config config = {.newton = {.tolerance = r->tolerance, .max_iterations = 30, .halvings = 12},
                                         .refactor = 0.1,
                                         .degree = r->degree,
                                         .order = r->order};
    wy_rod_definition d = *definition;
    d.elements = r->elements;
    d.method = (wy_choice){wy_catalogue_find(&wy_rod_methods, "velocity-strain"), &config};
    wy_rod *rod = NULL;
    wy_rod_state *state = NULL;
    wy_rod_work *work = NULL;
    wy_status s = wy_rod_create(&rod, &d, err);
    if (!s)
        s = wy_rod_state_create(&state, rod, err);
    if (!s)
        s = wy_rod_work_create(&work, rod, err);
    if (!s)
        s = wy_rod_start(rod, state, work, err);
    for (size_t n = 0; n < samples && !s; n++) {
        for (int k = 0; k < r->divide && !s; k++)
            s = wy_rod_step(rod, state, work, sample / r->divide, err);
        if (s)
            break;
        const wy_high_order_state x = wy_high_order_state_of(wy_rod_state_numbers(state), rod->own);
        memcpy(ends + 6 * n, x.p, 3 * sizeof *ends);
        memcpy(ends + 6 * n + 3, x.p + 3 * (size_t)(r->degree * r->elements), 3 * sizeof *ends);
    }
    wy_rod_work_free(work);
    wy_rod_state_free(state);
    wy_rod_free(rod);
    return s;
}

/* Root mean square over time of the larger distance of the two ends, relative to the length. */
static double distance(const double *a, const double *b, size_t samples, double length) {
    double sum = 0.0;
    for (size_t n = 0; n < samples; n++) {
        double d[3], e[3];
        v3_sub(d, a + 6 * n, b + 6 * n);
        v3_sub(e, a + 6 * n + 3, b + 6 * n + 3);
        sum += fmax(v3_dot(d, d), v3_dot(e, e));
    }
    return sqrt(sum / (double)samples) / length;
}

wy_status wy_rod_for_accuracy(wy_rod_accuracy *chosen, wy_rod_definition *definition, double accuracy, double duration,
                              wy_arena *arena, wy_error *err) {
    if (!(accuracy > 0.0) || !isfinite(accuracy))
        return wy_fail(err, WY_BAD_INPUT, "an accuracy of %g was asked for, expected a positive number", accuracy);
    if (!(duration > 0.0) || !isfinite(duration))
        return wy_fail(err, WY_BAD_INPUT, "a duration of %g s, expected a positive number", duration);
    const char *part;
    wy_rod_definition plain = *definition;
    plain.method = (wy_choice){0};
    wy_status s = wy_rod_motion_check(&plain, &part, err);
    if (!s) /* section and damping as numbers */
        s = wy_rod_definition_copy(definition, &plain, arena, &part, err);
    if (s)
        return s;
    const double sample = first_period(definition) / 90.0, longest = 1000.0 * sample;
    const double span = fmin(duration, longest);
    const size_t samples = (size_t)fmax(1.0, ceil(span / sample));
    double *ends = malloc(12 * samples * sizeof *ends);
    wy_high_order_config *config = wy_arena_take(arena, sizeof *config);
    if (!ends || !config) {
        free(ends);
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu points of a pilot run", samples);
    }
    double *now = ends, *next = ends + 6 * samples, best = HUGE_VAL;
    s = pilot(now, definition, &rungs[0], sample, samples, err);
    for (int k = 0; k + 1 < RUNGS && !s; k++) {
        s = pilot(next, definition, &rungs[k + 1], sample, samples, err);
        if (s)
            break;
        /* errors of phase grow with time */
        const double estimate = distance(now, next, samples, definition->length) * fmax(1.0, duration / span);
        best = fmin(best, estimate);
        if (estimate <= accuracy) {
            const rung *r = &rungs[k];
            *config =
                (wy_high_order_config){.newton = {.tolerance = r->tolerance, .max_iterations = 30, .halvings = 12},
                                       .refactor = 0.1,
                                       .degree = r->degree,
                                       .order = r->order};
            *chosen = (wy_rod_accuracy){.elements = r->elements,
                                        .degree = r->degree,
                                        .order = r->order,
                                        .step = sample / r->divide,
                                        .estimate = estimate};
            definition->elements = r->elements;
            definition->method = (wy_choice){wy_catalogue_find(&wy_rod_methods, "velocity-strain"), config};
            free(ends);
            return WY_OK;
        }
        double *swap = now;
        now = next;
        next = swap;
    }
    free(ends);
    return s ? wy_fail_at(err, s, "pilot run for the accuracy %g", accuracy)
             : wy_fail(err, WY_NO_CONVERGENCE,
                       "the accuracy %g is out of reach: the finest of %d rungs has %.3g (%d elements of degree %d)",
                       accuracy, RUNGS, best, rungs[RUNGS - 2].elements, rungs[RUNGS - 2].degree);
}
