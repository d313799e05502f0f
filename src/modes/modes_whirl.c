/* Whirl of a rod over the speed of its spin, and its critical speeds. docs/math/branches.md, "Shaking and spinning". */
#include <withy/modes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/given.h"

/* Of a rod that nothing holds so many motions have no frequency while it spins; the sixth is its nutation. */
enum { FREE_WITHOUT_FREQUENCY = 5 };

typedef struct whirl {
    wy_modes *m;
    size_t first;    /* the first frequency shown */
    double *scratch; /* 3 (first + count) */
} whirl;

static wy_status whirl_at_spin(const whirl *w, size_t i, double spin, double critical, wy_error *err) {
    wy_modes *m = w->m;
    const size_t count = m->whirl_count, all = w->first + count, bytes = count * sizeof *m->omega;
    const wy_status s =
        wy_equilibrium_whirl(w->scratch, w->scratch + all, w->scratch + 2 * all, all, m->table, m->solver, spin, err);
    if (s)
        return s;
    m->spin[i] = spin;
    m->critical[i] = critical;
    memcpy(m->omega + i * count, w->scratch + w->first, bytes);
    memcpy(m->omega_errors + i * count, w->scratch + all + w->first, bytes);
    memcpy(m->sense + i * count, w->scratch + 2 * all + w->first, bytes);
    return WY_OK;
}

/* Where frequency k is as fast as the spin, between speeds i and i + 1: the root of omega - spin, by regula falsi
 * (Illinois), put at place `to`. */
static wy_status find_critical(const whirl *w, size_t to, size_t i, size_t k, wy_error *err) {
    const wy_modes *m = w->m;
    double a = m->spin[i], b = m->spin[i + 1], fa = m->omega[i * m->whirl_count + k] - a,
           fb = m->omega[(i + 1) * m->whirl_count + k] - b;
    wy_status s = WY_OK;
    for (int it = 0; it < 40 && !s; it++) {
        const double c = b - fb * (b - a) / (fb - fa);
        s = whirl_at_spin(w, to, c, (double)(k + 1), err);
        const double f = s ? 0.0 : m->omega[to * m->whirl_count + k] - c;
        if (!s && fabs(f) <= 1e-12 * c)
            break;
        if ((f > 0.0) == (fb > 0.0)) {
            fa *= 0.5;
        } else {
            a = b;
            fa = fb;
        }
        b = c;
        fb = f;
    }
    return s;
}

/* Into the order of the speeds, with the critical ones among them. */
static void sort_speeds(wy_modes *m) {
    double *const lists[] = {m->spin, m->critical, m->omega, m->omega_errors, m->sense};
    for (size_t i = 1; i < m->speed_count; i++)
        for (size_t j = i; j > 0 && m->spin[j] < m->spin[j - 1]; j--)
            for (size_t l = 5; l-- > 0;) { /* the speeds last */
                const size_t width = l < 2 ? 1 : m->whirl_count;
                for (size_t c = 0; c < width; c++) {
                    double *a = lists[l] + j * width + c, *b = a - width, keep = *a;
                    *a = *b;
                    *b = keep;
                }
            }
}

wy_status wy_modes_spin(wy_modes *m, const wy_sink *sink, wy_error *err) {
    WY_GIVEN(m && m->table, err);
    whirl w = {.m = m, .first = m->rigid_below > 0.0 ? FREE_WITHOUT_FREQUENCY : 0};
    const size_t asked = (size_t)m->config.count, there = m->table->count - w.first;
    const size_t count = m->whirl_count = asked < there ? asked : there;
    const size_t points = m->config.points ? (size_t)m->config.points : 21, capacity = points + 2 * count;
    free(m->spin);
    m->speed_count = 0;
    m->spin = malloc(((2 + 3 * count) * capacity + 3 * (w.first + count)) * sizeof *m->spin);
    if (!m->spin)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu speeds", capacity);
    m->critical = m->spin + capacity;
    m->omega = m->critical + capacity;
    m->omega_errors = m->omega + count * capacity;
    m->sense = m->omega_errors + count * capacity;
    w.scratch = m->sense + count * capacity;
    wy_status s = WY_OK;
    for (size_t i = 0; i < points && !s; i++) {
        s = whirl_at_spin(&w, i, m->config.spin * (double)i / (double)(points - 1), 0.0, err);
        if (!s && sink)
            s = wy_sink_progress(sink, 0.9 * (double)(i + 1) / (double)points, err);
    }
    size_t speeds = points;
    for (size_t k = 0; k < count && !s; k++) { /* at rest forward and backward are one; then as a little later */
        m->sense[k] = m->sense[count + k];
        for (size_t i = 0; i + 1 < points && speeds < capacity && !s; i++)
            if (m->omega[i * count + k] > m->spin[i] && m->omega[(i + 1) * count + k] <= m->spin[i + 1]) {
                s = find_critical(&w, speeds, i, k, err);
                /* twist and stretch are not driven by a rod that turns bent */
                speeds += s || m->sense[speeds * count + k] != WY_WHIRL_ALONG;
            }
    }
    if (s)
        return s;
    m->speed_count = speeds;
    sort_speeds(m);
    return WY_OK;
}
