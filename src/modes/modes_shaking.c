/* The answer of a rod to shaking, over frequency. docs/math/branches.md, "Shaking and spinning". */
#include <withy/modes.h>

#include <math.h>
#include <stdlib.h>

#include "base/given.h"
#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Around each resonance, in units of its width. */
static const double about[] = {-8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0};
enum { ABOUT = sizeof about / sizeof *about };

/* Evenly, or by equal ratios where they span more than eight times; and about each resonance as closely as its damping
 * asks. */
static size_t choose_frequencies(double *out, double from, double to, size_t points, const wy_mode_table *t) {
    size_t count = 0;
    const bool ratios = from > 0.0 && to > 8.0 * from;
    for (size_t i = 0; i < points; i++) {
        const double f = (double)i / (double)(points - 1);
        out[count++] = ratios ? from * wy_pow(to / from, f) : from + (to - from) * f;
    }
    out[points - 1] = to;
    for (size_t k = 0; k < t->count; k++) {
        if (!(t->eigenvalues[k] > 0.0))
            continue;
        const double omega = sqrt(t->eigenvalues[k]), ratio = fmin(fmax(0.5 * t->damping[k] / omega, 1e-4), 0.05);
        for (size_t i = 0; i < ABOUT; i++) {
            const double f = omega / WY_TWO_PI * (1.0 + about[i] * ratio);
            if (f > from && f < to)
                out[count++] = f;
        }
    }
    qsort(out, count, sizeof *out, compare_doubles);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (out[i] > out[kept - 1] * (1.0 + 1e-9))
            out[kept++] = out[i];
    return kept;
}

wy_status wy_modes_shake(wy_modes *m, wy_error *err) {
    WY_GIVEN(m && m->table, err);
    const wy_modes_shaking *k = &m->config.shaking;
    const double L = m->rod.length,
                 at = k->what        ? 0.0
                      : isnan(k->at) ? L
                                     : k->at,
                 observed_at = isnan(k->observed_at) ? L : k->observed_at;
    if (!(at >= 0.0 && at <= L && observed_at >= 0.0 && observed_at <= L))
        return wy_fail(err, WY_BAD_INPUT, "places along the rod are from 0 to %g m", L);
    m->excitation = (wy_equilibrium_excitation){.end = k->what - 1, .s = at, .response_at = observed_at};
    v3_copy(m->excitation.direction, k->direction);
    const size_t points = m->config.points ? (size_t)m->config.points : 101,
                 capacity = points + ABOUT * m->table->count;
    free(m->frequencies);
    m->frequencies = malloc(10 * capacity * sizeof *m->frequencies);
    if (!m->frequencies)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu frequencies", capacity);
    m->response = m->frequencies + capacity;
    m->response_errors = m->response + 6 * capacity;
    m->frequency_count = choose_frequencies(m->frequencies, k->from, k->to, points, m->table);
    const wy_status s = wy_equilibrium_frequency_response(
        m->response, m->response_errors, &m->force_at, &m->response_at, m->frequencies, m->frequency_count,
        &m->excitation, wy_modes_tolerance(m), (size_t)m->config.elements, m->solver, err);
    if (s)
        m->frequency_count = 0;
    return s;
}

double wy_modes_amplitude(const wy_modes *m, size_t i, size_t c) {
    const double *a = m->response + 6 * i + 2 * c;
    return wy_hypot(a[0], a[1]);
}

double wy_modes_phase(const wy_modes *m, size_t i, size_t c) {
    const double *a = m->response + 6 * i + 2 * c;
    return wy_modes_amplitude(m, i, c) > 0.0 ? wy_atan2(a[1], a[0]) : 0.0;
}
