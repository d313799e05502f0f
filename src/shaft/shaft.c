/* The lumped torsional rod: configuration, states, energies. The step is in shaft_step.c. */
#include "base/given.h"
#include "shaft/shaft_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void wy_shaft_config_init(wy_shaft_config *config) {
    const wy_shaft_end end = {.drive = WY_DRIVE_SPRING, .integrate = true, .sign = 1.0};
    *config = (wy_shaft_config){.elements = 10,
                                .inertia = 10.0,
                                .compliance = 1e-4,
                                .damping = 2.0,
                                .end = {end, end},
                                .form = WY_SHAFT_MULTIPLIER};
}

static wy_status blame(const char **key, const char *name, wy_status status) {
    if (key)
        *key = name;
    return status;
}

static wy_status check_end(const wy_shaft_end *end, int number, const char **key, wy_error *err) {
    if (end->drive < WY_DRIVE_SPRING || end->drive > WY_DRIVE_HARD_ANGLE)
        return blame(key, "drive",
                     wy_fail(err, WY_BAD_INPUT, "end %d: drive is %d, expected spring, hard-speed or hard-angle",
                             number, end->drive));
    if (!(end->stiffness >= 0.0 && isfinite(end->stiffness)))
        return blame(key, "stiffness",
                     wy_fail(err, WY_BAD_INPUT, "end %d: driver stiffness %g N m/rad must be finite and not negative",
                             number, end->stiffness));
    if (!(end->damping >= 0.0 && isfinite(end->damping)))
        return blame(key, "damping",
                     wy_fail(err, WY_BAD_INPUT, "end %d: driver damping %g N m s/rad must be finite and not negative",
                             number, end->damping));
    if (end->sign != 1.0 && end->sign != -1.0)
        return blame(key, "sign",
                     wy_fail(err, WY_BAD_INPUT, "end %d: driver sign %g must be 1 or -1", number, end->sign));
    return WY_OK;
}

wy_status wy_shaft_check(const wy_shaft_config *c, const char **key, wy_error *err) {
    WY_GIVEN(c, err);
    blame(key, NULL, WY_OK);
    if (c->elements < 1)
        return blame(key, "n_elements",
                     wy_fail(err, WY_BAD_INPUT, "a shaft of %lld elements: n_elements must be at least 1",
                             (long long)c->elements));
    if (!(c->inertia > 0.0 && isfinite(c->inertia)))
        return blame(key, "inertia",
                     wy_fail(err, WY_BAD_INPUT, "inertia J = %g kg m^2 must be positive and finite", c->inertia));
    if (!(c->compliance >= 0.0 && isfinite(c->compliance)))
        return blame(
            key, "compliance",
            wy_fail(err, WY_BAD_INPUT, "compliance %g rad/(N m) must be finite and not negative", c->compliance));
    if (!(c->damping >= 0.0 && isfinite(c->damping)))
        return blame(key, c->viscous ? "gamma" : "D",
                     wy_fail(err, WY_BAD_INPUT, "damping %s = %g must be finite and not negative",
                             c->viscous ? "gamma" : "D", c->damping));
    if (c->form != WY_SHAFT_MULTIPLIER && c->form != WY_SHAFT_ELIMINATED)
        return blame(key, "form", wy_fail(err, WY_BAD_INPUT, "form is %d, expected multiplier or eliminated", c->form));
    if (c->form == WY_SHAFT_ELIMINATED && c->compliance == 0.0)
        return blame(key, "form",
                     wy_fail(err, WY_BAD_INPUT,
                             "the eliminated form (11) divides by the compliance, which is 0: use the "
                             "multiplier form"));
    for (int e = 0; e < 2; e++) {
        const wy_status s = check_end(&c->end[e], e + 1, key, err);
        if (s)
            return s;
        if (!isfinite(c->angle[e]) || !isfinite(c->speed[e]))
            return blame(key, isfinite(c->angle[e]) ? "omega0" : "theta0",
                         wy_fail(err, WY_BAD_INPUT, "end %d starts at angle %g rad, speed %g rad/s: not finite", e + 1,
                                 c->angle[e], c->speed[e]));
    }
    if (c->end[0].drive != WY_DRIVE_SPRING && c->end[1].drive != WY_DRIVE_SPRING &&
        (c->compliance == 0.0 || c->elements == 1))
        return blame(key, "drive",
                     wy_fail(err, WY_BAD_INPUT,
                             "both ends of a rigid shaft (compliance %g rad/(N m), %lld elements) are driven hard: two "
                             "drivers cannot move one body",
                             c->compliance, (long long)c->elements));
    return WY_OK;
}

/* So many elements, and no more: half a terabyte on 64 bits. */
#define MOST_ELEMENTS ((uint64_t)(SIZE_MAX >> (sizeof(size_t) == 8 ? 31 : 7)))

wy_status wy_shaft_create(wy_shaft **shaft, const wy_shaft_config *config, wy_error *err) {
    if (!shaft || !config)
        return wy_fail(err, WY_BAD_INPUT, "no shaft to make, or nowhere to put it: NULL");
    *shaft = NULL;
    const wy_status s = wy_shaft_check(config, NULL, err);
    if (s)
        return s;
    if ((uint64_t)config->elements > MOST_ELEMENTS) /* 40 bytes each: no size below wraps around */
        return wy_fail(err, WY_NO_MEMORY,
                       "no memory for a shaft of %lld elements: it needs %.3g GB, and at most %.3g are given",
                       (long long)config->elements, 40e-9 * (double)config->elements, 40e-9 * (double)MOST_ELEMENTS);
    wy_shaft *new = malloc(sizeof *new);
    if (!new)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a shaft");
    *new = (wy_shaft){.config = *config,
                      .n = (size_t)config->elements,
                      .m = config->inertia / (double)config->elements,
                      .c = config->compliance / (double)config->elements};
    *shaft = new;
    return WY_OK;
}

void wy_shaft_free(wy_shaft *shaft) {
    free(shaft);
}

const wy_shaft_config *wy_shaft_settings(const wy_shaft *shaft) {
    return &shaft->config;
}

size_t wy_shaft_state_size(const wy_shaft *shaft) {
    return sizeof(wy_shaft_state) + 2 * shaft->n * sizeof(double);
}

wy_status wy_shaft_state_create(wy_shaft_state **state, const wy_shaft *shaft, wy_error *err) {
    if (!state || !shaft)
        return wy_fail(err, WY_BAD_INPUT, "no shaft to make a state for, or nowhere to put it: NULL");
    *state = NULL;
    wy_shaft_state *new = calloc(1, wy_shaft_state_size(shaft));
    if (!new)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the state of %zu elements", shaft->n);
    const wy_status s = wy_shaft_start(shaft, new, NULL, err);
    if (s) {
        free(new);
        return s;
    }
    *state = new;
    return WY_OK;
}

void wy_shaft_state_free(wy_shaft_state *state) {
    free(state);
}

/* A rigid shaft has one angle and one speed. */
static wy_status make_rigid(double *x, size_t n, bool project, const char *what, const char *unit, wy_error *err) {
    double low = x[0], high = x[0], sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
        sum += x[i];
    }
    if (low == high)
        return WY_OK;
    if (!project)
        return wy_fail(
            err, WY_BAD_INPUT,
            "a shaft without compliance cannot start with %s from %.9g to %.9g %s: make them equal, or ask for "
            "their mean (project)",
            what, low, high, unit);
    for (size_t i = 0; i < n; i++)
        x[i] = sum / (double)n;
    return WY_OK;
}

wy_status wy_shaft_start(const wy_shaft *shaft, wy_shaft_state *state, const double *profile, wy_error *err) {
    WY_GIVEN(shaft && state, err);
    const wy_shaft_config *c = &shaft->config;
    const size_t n = shaft->n;
    double *theta = state->profile, *w = theta + n;
    *state = (wy_shaft_state){0};
    if (profile) {
        for (size_t i = 0; i < 2 * n; i++)
            if (!isfinite(profile[i]))
                return wy_fail(err, WY_NOT_FINITE, "the initial %s of element %zu is %g", i < n ? "angle" : "speed",
                               i % n + 1, profile[i]);
        memcpy(theta, profile, 2 * n * sizeof(double));
    } else if (n == 1) { /* both ends are the same element: two values are a stretch that it cannot have */
        double ends[2] = {c->angle[0], c->angle[1]}, speeds[2] = {c->speed[0], c->speed[1]};
        wy_status s = make_rigid(ends, 2, c->project, "angles", "rad", err);
        if (!s)
            s = make_rigid(speeds, 2, c->project, "speeds", "rad/s", err);
        if (s)
            return s;
        theta[0] = ends[0];
        w[0] = speeds[0];
    } else {
        for (size_t i = 0; i < n; i++) {
            const double x = (double)i / (double)(n - 1);
            theta[i] = (1.0 - x) * c->angle[0] + x * c->angle[1];
            w[i] = (1.0 - x) * c->speed[0] + x * c->speed[1];
        }
        if (c->angle[0] == c->angle[1]) /* (1-x) a + x a may be off by an ulp: keep what is uniform uniform */
            for (size_t i = 0; i < n; i++)
                theta[i] = c->angle[0];
        if (c->speed[0] == c->speed[1])
            for (size_t i = 0; i < n; i++)
                w[i] = c->speed[0];
    }
    if (shaft->c > 0.0)
        return WY_OK;
    const wy_status s = make_rigid(theta, n, c->project, "angles", "rad", err);
    return s ? s : make_rigid(w, n, c->project, "speeds", "rad/s", err);
}

/* Kinetic, potential and total energy, momentum. docs/math/shaft.md (6.12), (6.13) */
static wy_shaft_energy measure(const wy_shaft *shaft, const wy_shaft_state *state, double h) {
    const size_t n = shaft->n;
    const double *theta = state->profile, *w = theta + n;
    double square = 0.0, sum = 0.0, stretch = 0.0, half_stretch = 0.0;
    for (size_t i = 0; i < n; i++) {
        square += w[i] * w[i];
        sum += w[i];
    }
    for (size_t i = 0; i + 1 < n; i++) {
        const double e = theta[i] - theta[i + 1], x = e - 0.5 * h * (w[i] - w[i + 1]);
        stretch += e * e;
        half_stretch += x * x;
    }
    const bool elastic = shaft->c > 0.0;
    wy_shaft_energy e = {.kinetic = 0.5 * shaft->m * square,
                         .potential = elastic ? 0.5 * stretch / shaft->c : 0.0,
                         .momentum = shaft->m * sum};
    e.total = e.kinetic + (elastic ? 0.5 * half_stretch / shaft->c : 0.0);
    return e;
}

wy_shaft_energy wy_shaft_measure(const wy_shaft *shaft, const wy_shaft_state *state, const wy_shaft_state *start,
                                 double h) {
    wy_shaft_energy e = measure(shaft, state, h);
    if (start)
        e.dissipated = measure(shaft, start, h).total + (state->work - start->work) - e.total;
    return e;
}
