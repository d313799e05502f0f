/* How near a moving rod comes to itself. docs/math/certificate.md, "What the elements tell". */
#include <math.h>

#include "math/vec3.h"
#include "motion/certificate/certificate.h"

/* Squared distance of the segments p0 p1 and q0 q1, and where on each (0 .. 1). */
static double segments(const double *p0, const double *p1, const double *q0, const double *q1, double *t, double *u) {
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

static double distance2(const double *x, size_t i, size_t j) {
    double d[3];
    v3_sub(d, x + 3 * i, x + 3 * j);
    return v3_dot(d, d);
}

/* No neighbouring pair of points is nearer. Next to the diagonal, where the distance is |s2 - s1|, one always is. */
static bool is_valley(const double *x, size_t i, size_t j, size_t count, double d2) {
    for (size_t a = i ? i - 1 : 0; a <= i + 1; a++)
        for (size_t b = j - 1; b <= j + 1 && b < count; b++)
            if (a < b && distance2(x, a, b) < d2)
                return false;
    return true;
}

/* A part that bends as sharply as it can is a diameter away from itself after pi/2 diameters of arc: nearer pairs are
 * neighbours. Beyond, valleys of the distance between points are places where the rod comes near itself. */
bool wy_self_distance(double *distance, double s[2], const double *x, size_t count, double spacing, double diameter) {
    const double apart = 1.5707963267948966 * diameter;
    bool found = false;
    *distance = INFINITY;
    for (size_t i = 0; i + 2 < count; i++)
        for (size_t j = i + 2; j < count; j++) {
            const double d2 = distance2(x, i, j), near = *distance + 2.0 * spacing;
            if ((double)(j - i) * spacing < apart || d2 >= near * near || !is_valley(x, i, j, count, d2))
                continue;
            for (size_t a = i ? i - 1 : 0; a <= i; a++)
                for (size_t c = j - 1; c <= j && c + 1 < count; c++) {
                    double t, u;
                    if (c <= a + 1)
                        continue;
                    const double here = sqrt(segments(x + 3 * a, x + 3 * a + 3, x + 3 * c, x + 3 * c + 3, &t, &u));
                    if (here < *distance) {
                        *distance = here;
                        s[0] = ((double)a + t) * spacing;
                        s[1] = ((double)c + u) * spacing;
                        found = true;
                    }
                }
        }
    return found;
}
