/* Element boundaries of a mesh between two points. docs/math/motion.md, "Graded meshes" and "Jumps".
 *
 * Rows (s, size) give the relative length of an element there; linear in between, constant outside. With
 *
 *   F(s) = int_0^s ds / size(s)
 *
 * the j-th of n boundaries between a and b is where F = F(a) + j/n (F(b) - F(a)): neighbouring elements grow by about
 * the slope of `size`, a mesh of 2 n elements halves those of n, and one of n/2 joins them in pairs. */
#include <math.h>

#include "math/elementary.h"
#include "rod/rod_definition.h"

/* A piece of the rod on which the size is linear. */
typedef struct piece {
    double from, until, a, b;
} piece;

static piece mesh_piece(const wy_rod_definition *d, size_t i) {
    const wy_samples *m = &d->mesh;
    const double *before = m->values + 2 * (i > 0 ? i - 1 : 0),
                 *after = m->values + 2 * (i < m->rows ? i : m->rows - 1);
    return (piece){.from = i > 0 ? fmin(before[0], d->length) : 0.0,
                   .until = i < m->rows ? fmin(after[0], d->length) : d->length,
                   .a = before[1],
                   .b = after[1]};
}

/* F of a whole piece; and the distance into it at which F has grown by f. */
static double piece_measure(const piece *p) {
    const double x = (p->b - p->a) / p->a, uniform = (p->until - p->from) / p->a;
    return fabs(x) < 1e-9 ? uniform : uniform * wy_log(1.0 + x) / x;
}

static double distance_into_piece(const piece *p, double f) {
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

static double whole_measure(const wy_rod_definition *d) {
    double all = 0.0;
    for (size_t i = 0; i <= d->mesh.rows; i++) {
        const piece p = mesh_piece(d, i);
        all += piece_measure(&p);
    }
    return all;
}

static double position_of_fraction(const wy_rod_definition *d, double fraction) {
    double f = whole_measure(d) * fraction;
    for (size_t i = 0; i < d->mesh.rows; i++) {
        const piece p = mesh_piece(d, i);
        const double whole = piece_measure(&p);
        if (f <= whole)
            return fmin(p.until, p.from + distance_into_piece(&p, f));
        f -= whole;
    }
    const piece last = mesh_piece(d, d->mesh.rows);
    return fmin(d->length, last.from + distance_into_piece(&last, f));
}

static double fraction_before(const wy_rod_definition *d, double s) {
    double f = 0.0;
    for (size_t i = 0; i <= d->mesh.rows; i++) {
        piece p = mesh_piece(d, i);
        if (s < p.until && p.until > p.from) {
            p.b = p.a + (p.b - p.a) * (fmax(s, p.from) - p.from) / (p.until - p.from);
            p.until = fmax(s, p.from);
        }
        f += piece_measure(&p);
    }
    return f / whole_measure(d);
}

size_t wy_rod_mesh_count(const wy_rod_definition *d, double from, double until, double elements, double up) {
    const double fraction = d->mesh.rows > 1 ? fraction_before(d, until) - fraction_before(d, from)
                                             : (until == d->length ? 1.0 : until / d->length) - from / d->length,
                 count = floor(elements * fraction + up);
    return count < 1.0 ? 1 : (size_t)count;
}

double wy_rod_mesh_boundary(const wy_rod_definition *d, double from, double until, size_t j, size_t count) {
    const double t = (double)j / (double)count;
    if (j == 0 || j >= count)
        return j ? until : from;
    if (d->mesh.rows < 2)
        return from + (until - from) * t;
    const double a = fraction_before(d, from), b = fraction_before(d, until);
    return position_of_fraction(d, a + t * (b - a));
}
