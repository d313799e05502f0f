/* Where the elements of a mesh meet between two places. docs/math/motion.md, "Graded meshes" and "Jumps".
 *
 * Rows (s, size) say how long an element is there, relative to others; linear in between, held outside. With
 *
 *   F(s) = int_0^s ds / size(s)
 *
 * the j-th of n joints between a and b is where F = F(a) + j/n (F(b) - F(a)): neighbouring elements grow by about the slope of
 * `size`, a mesh of 2 n elements halves those of n, and one of n/2 joins them in pairs. */
#include <math.h>

#include "math/elementary.h"
#include "rod/rod_definition.h"

/* A piece of the rod on which the size is linear. */
typedef struct piece {
    double from, until, a, b;
} piece;

static piece piece_of(const wy_rod_definition *d, size_t i) {
    const wy_samples *m = &d->mesh;
    const double *before = m->values + 2 * (i > 0 ? i - 1 : 0),
                 *after = m->values + 2 * (i < m->rows ? i : m->rows - 1);
    return (piece){.from = i > 0 ? fmin(before[0], d->length) : 0.0,
                   .until = i < m->rows ? fmin(after[0], d->length) : d->length,
                   .a = before[1],
                   .b = after[1]};
}

/* F of a whole piece; and how far into it F has grown by f. */
static double measure(const piece *p) {
    const double x = (p->b - p->a) / p->a, way = (p->until - p->from) / p->a;
    return fabs(x) < 1e-9 ? way : way * wy_log(1.0 + x) / x;
}

static double way_to(const piece *p, double f) {
    const double all = p->until - p->from, x = (p->b - p->a) / p->a;
    if (!(all > 0.0))
        return 0.0;
    return fabs(x) < 1e-9 ? f * p->a : all * (wy_exp(f * p->a * x / all) - 1.0) / x;
}

wy_status wy_rod_mesh_check(const wy_rod_definition *d, wy_error *err) {
    const wy_status s = wy_rows_check(&d->mesh, 2, d->length, "the mesh", err);
    double least = HUGE_VAL, most = 0.0;
    for (size_t i = 0; i < d->mesh.rows && !s; i++) {
        const double size = d->mesh.values[2 * i + 1];
        if (!(size > 0.0))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of the mesh: size %g, expected a positive number", i + 1, size);
        least = fmin(least, size);
        most = fmax(most, size);
    }
    if (!s && most > 1e4 * least)
        return wy_fail(err, WY_BAD_INPUT, "the mesh has elements %.3g times as long as others, expected at most 1e4",
                       most / least);
    return s;
}

static double measure_all(const wy_rod_definition *d) {
    double all = 0.0;
    for (size_t i = 0; i <= d->mesh.rows; i++) {
        const piece p = piece_of(d, i);
        all += measure(&p);
    }
    return all;
}

static double place_of(const wy_rod_definition *d, double share) {
    double f = measure_all(d) * share;
    for (size_t i = 0; i < d->mesh.rows; i++) {
        const piece p = piece_of(d, i);
        const double own = measure(&p);
        if (f <= own)
            return fmin(p.until, p.from + way_to(&p, f));
        f -= own;
    }
    const piece last = piece_of(d, d->mesh.rows);
    return fmin(d->length, last.from + way_to(&last, f));
}

static double share_before(const wy_rod_definition *d, double s) {
    double f = 0.0;
    for (size_t i = 0; i <= d->mesh.rows; i++) {
        piece p = piece_of(d, i);
        if (s < p.until && p.until > p.from) {
            p.b = p.a + (p.b - p.a) * (fmax(s, p.from) - p.from) / (p.until - p.from);
            p.until = fmax(s, p.from);
        }
        f += measure(&p);
    }
    return f / measure_all(d);
}

size_t wy_rod_mesh_count(const wy_rod_definition *d, double from, double until, double elements, double up) {
    const double share = d->mesh.rows > 1 ? share_before(d, until) - share_before(d, from)
                                          : (until == d->length ? 1.0 : until / d->length) - from / d->length,
                 count = floor(elements * share + up);
    return count < 1.0 ? 1 : (size_t)count;
}

double wy_rod_mesh_boundary(const wy_rod_definition *d, double from, double until, size_t j, size_t count) {
    const double t = (double)j / (double)count;
    if (j == 0 || j >= count)
        return j ? until : from;
    if (d->mesh.rows < 2)
        return from + (until - from) * t;
    const double a = share_before(d, from), b = share_before(d, until);
    return place_of(d, a + t * (b - a));
}
