/* Joints of elements where bodies sit. A body is a mass at one place, and moves as a node does: the joint nearest to it is moved there, and those
 * between two such places with it, each in its proportion. docs/math/motion.md, "Bodies". */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "rod/rod_along.h"
#include "rod/rod_definition.h"

static const double same = 1e-9, /* of the length: one place */
    on_joint = 1e-6,             /* of an element: there already */
    shortest = 1e-5;             /* of the length: an element */

static int by_place(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Where bodies sit inside the rod, in order, each place once: the caller frees it. */
static wy_status places_of(double **out, size_t *count, const wy_rod_definition *d, wy_error *err) {
    const size_t rows = d->bodies.rows;
    double *s = wy_memory_take(rows + 1, sizeof *s, err, "the places of %zu bodies", rows);
    size_t n = 0;
    if (!s)
        return WY_NO_MEMORY;
    for (size_t i = 0; i < rows; i++)
        s[i] = d->bodies.values[WY_BODY_COLUMNS * i];
    qsort(s, rows, sizeof *s, by_place);
    for (size_t i = 0; i < rows; i++)
        if (s[i] > (n ? s[n - 1] : 0.0) + same * d->length && s[i] < (1.0 - same) * d->length)
            s[n++] = s[i];
    *out = s;
    *count = n;
    return WY_OK;
}

/* The joint nearest to s. */
static size_t nearest(const double *joint, size_t elements, double s) {
    size_t low = 0, high = elements;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(joint[middle] <= s ? &low : &high) = middle;
    }
    return s - joint[low] <= joint[high] - s ? low : high;
}

size_t wy_rod_bodies_inside(const wy_rod_definition *d) {
    size_t inside = 0;
    for (size_t i = 0; i < d->bodies.rows; i++) {
        const double s = d->bodies.values[WY_BODY_COLUMNS * i];
        inside += s > same * d->length && s < (1.0 - same) * d->length;
    }
    return inside;
}

bool wy_rod_bodies_between(const wy_rod_definition *d) {
    const double h = d->length / (double)d->elements;
    for (size_t i = 0; i < d->bodies.rows; i++) {
        const double at = d->bodies.values[WY_BODY_COLUMNS * i] / h;
        if (fabs(at - floor(at + 0.5)) > on_joint)
            return true;
    }
    return false;
}

wy_status wy_rod_bodies_check(const wy_rod_definition *d, wy_error *err) {
    const double least = shortest * d->length;
    double *s;
    size_t n;
    if (!d->bodies.rows || !wy_rod_bodies_between(d))
        return WY_OK;
    if (places_of(&s, &n, d, err))
        return WY_NO_MEMORY;
    wy_status status = WY_OK;
    if (n >= (size_t)d->elements)
        status =
            wy_fail(err, WY_BAD_INPUT,
                    "bodies at %zu places inside the rod, each where two elements meet, need %zu elements or more, "
                    "not %lld",
                    n, n + 1, (long long)d->elements);
    for (size_t i = 0; i <= n && !status; i++) {
        const double from = i ? s[i - 1] : 0.0, until = i < n ? s[i] : d->length;
        if (until - from < least)
            status =
                wy_fail(err, WY_BAD_INPUT,
                        "%s at s = %.10g m is only %.3g m from %s at s = %.10g m, and an element would lie between "
                        "them: put them at one place, or at least %.3g m apart",
                        i < n ? "the body" : "the end", until, until - from, i ? "the body" : "the end", from, least);
    }
    free(s);
    return status;
}

wy_status wy_rod_joints_at_bodies(double *joint, const wy_rod_definition *d, wy_error *err) {
    const size_t N = (size_t)d->elements;
    double *s, was = 0.0, is = 0.0; /* the last joint that was moved, before and after */
    size_t n, last = 0;
    if (places_of(&s, &n, d, err))
        return WY_NO_MEMORY;
    for (size_t i = 0; i <= n; i++) {
        size_t j = N;
        if (i < n) { /* none twice, and enough of them for those to come */
            j = nearest(joint, N, s[i]);
            j = j > last ? j : last + 1;
            j = j < N - (n - i) ? j : N - (n - i);
        }
        const double to = i < n ? s[i] : d->length, before = joint[j];
        for (size_t k = last + 1; k < j; k++)
            joint[k] = is + (joint[k] - was) * ((to - is) / (before - was));
        joint[j] = to;
        was = before;
        is = to;
        last = j;
    }
    free(s);
    return WY_OK;
}
