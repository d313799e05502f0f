/* Distance of a rod from itself. docs/math/statics.md, 5.7. */
#include "rod/self_distance.h"

#include <math.h>

#include "math/vec3.h"
#include "rod/rod_along.h"

double wy_segment_distance2(const double *p0, const double *p1, const double *q0, const double *q1, double *t,
                            double *u) {
    double d1[3], d2[3], r[3], gap[3];
    v3_sub(d1, p1, p0);
    v3_sub(d2, q1, q0);
    v3_sub(r, p0, q0);
    const double a = v3_dot(d1, d1), e = v3_dot(d2, d2), f = v3_dot(d2, r), c = v3_dot(d1, r), b = v3_dot(d1, d2);
    const double det = a * e - b * b;
    *t = det > 1e-12 * a * e ? fmin(1.0, fmax(0.0, (b * f - c * e) / det)) : 0.0;
    *u = e > 0.0 ? (b * *t + f) / e : 0.0;
    if (*u < 0.0 || *u > 1.0) {
        *u = *u < 0.0 ? 0.0 : 1.0;
        *t = a > 0.0 ? fmin(1.0, fmax(0.0, (*u * b - c) / a)) : 0.0;
    }
    for (int i = 0; i < 3; i++)
        gap[i] = r[i] + *t * d1[i] - *u * d2[i];
    return v3_dot(gap, gap);
}

/* round: arc length from the first point along the rod and across the gap of its ends back to it; infinite if they do
 * not meet */
typedef struct curve {
    const double *x, *s;
    size_t stride, count;
    double round;
} curve;

static const double *curve_point(const curve *c, size_t i) {
    return c->x + i * c->stride;
}

static double squared_point_distance(const curve *c, size_t i, size_t j) {
    double d[3];
    v3_sub(d, curve_point(c, i), curve_point(c, j));
    return v3_dot(d, d);
}

/* Along the rod, or across the gap where its ends meet. */
static double arc_between(const curve *c, double from, double to) {
    return fmin(to - from, c->round - (to - from));
}

/* The ends face each other if their tangents agree to 18 degrees and the first is ahead of the last by less than a
 * diameter, aside by less than half of one. */
static double closed_arc_length(const curve *c, double diameter) {
    double first[3], last[3], gap[3];
    const size_t n = c->count;
    v3_sub(first, curve_point(c, 1), curve_point(c, 0));
    v3_sub(last, curve_point(c, n - 1), curve_point(c, n - 2));
    v3_sub(gap, curve_point(c, 0), curve_point(c, n - 1));
    const double size = v3_norm(last), along = v3_dot(gap, last) / size, aside2 = v3_dot(gap, gap) - along * along;
    const bool face = v3_dot(first, last) > 0.95 * size * v3_norm(first) && along < diameter &&
                      along > -1e-3 * diameter && aside2 < 0.25 * diameter * diameter;
    return face ? c->s[n - 1] - c->s[0] + fmax(along, 0.0) : INFINITY;
}

/* No neighbouring pair of points is nearer. Next to the diagonal, where the distance is |s2 - s1|, one always is. */
static bool is_local_minimum(const curve *c, size_t i, size_t j, double d2) {
    for (size_t a = i ? i - 1 : 0; a <= i + 1; a++)
        for (size_t b = j - 1; b <= j + 1 && b < c->count; b++)
            if (a < b && squared_point_distance(c, a, b) < d2)
                return false;
    return true;
}

/* A part that bends as sharply as it can (radius half a diameter) is a diameter away from itself after pi/2
 * diameters of arc: nearer pairs are neighbours. Beyond, minima of the distance between points are self-approaches;
 * they are refined on the adjacent segments. */
bool wy_self_distance(double *distance, double at[2], const double *x, size_t stride, const double *s, size_t count,
                      double diameter) {
    const double apart = 1.5707963267948966 * diameter;
    bool found = false;
    *distance = INFINITY;
    if (count < 3)
        return false;
    curve c = {.x = x, .s = s, .stride = stride, .count = count};
    c.round = closed_arc_length(&c, diameter);
    for (size_t i = 0; i + 2 < count; i++)
        for (size_t j = i + 2; j < count; j++) {
            const double d2 = squared_point_distance(&c, i, j),
                         near = *distance + (s[i + 1] - s[i]) + (s[j] - s[j - 1]);
            if (arc_between(&c, s[i], s[j]) < apart || d2 >= near * near || !is_local_minimum(&c, i, j, d2))
                continue;
            for (size_t a = i ? i - 1 : 0; a <= i; a++)
                for (size_t b = j - 1; b <= j && b + 1 < count; b++) {
                    double t, u;
                    if (b <= a + 1)
                        continue;
                    const double here = sqrt(wy_segment_distance2(curve_point(&c, a), curve_point(&c, a + 1),
                                                                  curve_point(&c, b), curve_point(&c, b + 1), &t, &u));
                    if (here < *distance) {
                        *distance = here;
                        at[0] = s[a] + t * (s[a + 1] - s[a]);
                        at[1] = s[b] + u * (s[b + 1] - s[b]);
                        found = true;
                    }
                }
        }
    return found;
}

double wy_rod_largest_diameter(const wy_rod_definition *rod) {
    wy_section section;
    wy_rod_section_at(&section, rod, 0.0, 1);
    double largest = section.diameter;
    for (size_t i = 0; i < rod->taper.rows; i++) { /* a taper is widest at one of its rows, or at an end */
        wy_rod_section_at(&section, rod, fmin(rod->taper.values[2 * i], rod->length), 0);
        largest = fmax(largest, section.diameter);
    }
    return largest;
}
