/* Does the rod pass through itself? */
#include <math.h>
#include <stdio.h>

#include "math/vec3.h"
#include "equilibrium/equilibrium_solver.h"

enum { D = WY_REST_DIM };

/* Nearest points of the segments p0 p1 and q0 q1: their squared distance, and where on each (0 .. 1). */
double wy_equilibrium_segments(const double *p0, const double *p1, const double *q0, const double *q1, double *t,
                               double *u) {
    double d1[3], d2[3], r[3];
    v3_sub(d1, p1, p0);
    v3_sub(d2, q1, q0);
    v3_sub(r, p0, q0);
    const double a = v3_dot(d1, d1), e = v3_dot(d2, d2), f = v3_dot(d2, r), c = v3_dot(d1, r), b = v3_dot(d1, d2);
    const double det = a * e - b * b;
    *t = det > 1e-12 * a * e ? fmin(1.0, fmax(0.0, (b * f - c * e) / det)) : 0.0;
    *u = (b * *t + f) / e;
    if (*u < 0.0) {
        *u = 0.0;
        *t = fmin(1.0, fmax(0.0, -c / a));
    } else if (*u > 1.0) {
        *u = 1.0;
        *t = fmin(1.0, fmax(0.0, (b - c) / a));
    }
    double gap[3];
    for (int i = 0; i < 3; i++)
        gap[i] = r[i] + *t * d1[i] - *u * d2[i];
    return v3_dot(gap, gap);
}

static double distance2(const double *x, size_t i, size_t j) {
    double d[3];
    v3_sub(d, x + i * D, x + j * D);
    return v3_dot(d, d);
}

/* No neighbouring pair of nodes is nearer. Next to the diagonal, where the distance is |s2 - s1|, one always is. */
static bool is_valley(const double *x, size_t i, size_t j, size_t N, double d2) {
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) {
            const size_t a = i + (size_t)di, b = j + (size_t)dj;
            if (a > N || b > N || a >= b)
                continue; /* (size_t)-1 is more than N */
            if (distance2(x, a, b) < d2)
                return false;
        }
    return true;
}

/* The distance of points s1 < s2 of the rod has a valley along s1 = s2, where it is |s2 - s1|. A part that bends as
 * sharply as it can (radius half a diameter) is a diameter away from itself after pi/2 diameters of arc: nearer pairs
 * are neighbours. Beyond, local minima of the distance are places where the rod comes near itself; they are found on
 * the nodes and refined on the segments beside them. */
wy_equilibrium_contact wy_equilibrium_self_distance(const wy_equilibrium *b) {
    wy_equilibrium_contact best = {.distance = INFINITY};
    if (!b->solved)
        return best;
    double diameter = 0.0;
    for (size_t i = 0; i <= b->model->pieces; i++) { /* a taper is widest at one of its rows */
        wy_section section;
        wy_rod_section_at(&section, &b->model->rod->def, b->model->breaks_si[i], 0);
        diameter = fmax(diameter, section.diameter);
    }
    const size_t N = b->model->elements;
    const double *s = b->s_si, *x = b->si + WY_REST_X, apart = 1.5707963267948966 * diameter;
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 2; j <= N; j++) {
            const double d2 = distance2(x, i, j), element = (s[i + 1] - s[i]) + (s[j] - s[j - 1]),
                         near = best.distance + element;
            if (s[j] - s[i] < apart || d2 >= near * near || !is_valley(x, i, j, N, d2))
                continue;
            for (size_t a = i ? i - 1 : 0; a <= i && a < N; a++)
                for (size_t c = j - 1; c <= j && c < N; c++) {
                    if (c <= a + 1)
                        continue;
                    double t, u;
                    const double here =
                        sqrt(wy_equilibrium_segments(x + a * D, x + (a + 1) * D, x + c * D, x + (c + 1) * D, &t, &u));
                    if (here < best.distance)
                        best =
                            (wy_equilibrium_contact){.found = true,
                                                     .distance = here,
                                                     .s = {s[a] + t * (s[a + 1] - s[a]), s[c] + u * (s[c + 1] - s[c])}};
                }
        }
    best.through = best.found && best.distance < diameter;
    return best;
}

const char *wy_equilibrium_contact_text(char *buffer, size_t size, const wy_equilibrium_contact *c, double diameter) {
    if (!c->found)
        snprintf(buffer, size, "comes near itself nowhere");
    else
        snprintf(buffer, size, "%s itself at s = %.4g m, s = %.4g m: %.3g m apart, diameter %.3g m",
                 c->through ? "passes through" : "comes nearest to", c->s[0], c->s[1], c->distance, diameter);
    return buffer;
}
