/* Views of a space. gnuplot's own three axes know neither gravity nor the page: they waste most of it. */
#include "draw/space.h"

#include <math.h>

#include "math/elementary.h"

static const double ELEVATION = 0.38, ASIDE = 0.45; /* rad: from above, and the longest direction out of the page */

static void bounds(space_view *view, const wy_figure *f) {
    for (int k = 0; k < 3; k++) {
        view->low[k] = INFINITY;
        view->high[k] = -INFINITY;
    }
    for (size_t c = 0; c < f->curve_count && !f->range; c++) {
        const double *const xyz[3] = {f->curves[c].x, f->curves[c].y, f->curves[c].z};
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < f->curves[c].count; i++) {
                view->low[k] = fmin(view->low[k], xyz[k] ? xyz[k][i] : 0.0);
                view->high[k] = fmax(view->high[k], xyz[k] ? xyz[k][i] : 0.0);
            }
    }
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        if (f->range) {
            view->low[k] = f->range[2 * k];
            view->high[k] = f->range[2 * k + 1];
        }
        if (!(view->high[k] >= view->low[k]))
            view->low[k] = view->high[k] = 0.0;
        size = fmax(size, view->high[k] - view->low[k]);
    }
    if (!(size > 0.0))
        size = 1.0;
    for (int k = 0; k < 3; k++) { /* a margin, and no box thinner than a fifth of its length */
        const double more = fmax(0.03 * size, 0.5 * (0.2 * size - (view->high[k] - view->low[k])));
        view->low[k] -= more;
        view->high[k] += more;
    }
}

/* The direction, as an angle from A, in which the points spread most. */
static double longest_direction(const space_view *view, const wy_figure *f) {
    double mean[2] = {0, 0}, saa = 0, sbb = 0, sab = 0;
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t c = 0; c < f->curve_count; c++) {
            const double *const xyz[3] = {f->curves[c].x, f->curves[c].y, f->curves[c].z};
            const double *a = xyz[view->axis[0]], *b = xyz[view->axis[1]];
            for (size_t i = 0; a && b && i < f->curves[c].count; i++) {
                const double p = view->sign[0] * a[i], q = view->sign[1] * b[i];
                if (pass == 0) {
                    mean[0] += p;
                    mean[1] += q;
                    n++;
                } else {
                    saa += (p - mean[0]) * (p - mean[0]);
                    sbb += (q - mean[1]) * (q - mean[1]);
                    sab += (p - mean[0]) * (q - mean[1]);
                }
            }
        }
        for (int k = 0; k < 2 && pass == 0 && n; k++)
            mean[k] /= (double)n;
    }
    return 0.5 * wy_atan2(2.0 * sab, saa - sbb);
}

void wy_space_choose(space_view *view, const wy_figure *f) {
    const int up = f->up ? f->up : 3, c = (up > 0 ? up : -up) - 1;
    view->axis[2] = c;
    view->axis[0] = (c + 1) % 3;
    view->axis[1] = (c + 2) % 3;
    view->sign[2] = up > 0 ? 1.0 : -1.0;
    view->sign[0] = view->sign[2]; /* two axes turned: still right-handed */
    view->sign[1] = 1.0;
    bounds(view, f);
    double angle = longest_direction(view, f) + ASIDE;
    if (f->range) { /* the same view whatever is in it */
        const double *low = view->low, *high = view->high;
        const int A = view->axis[0], B = view->axis[1];
        angle = ASIDE + (high[B] - low[B] > high[A] - low[A] ? 1.57079632679489662 : 0.0);
    }
    const double quarter = 1.57079632679489662, least = 0.25;
    /* not along an axis: its scale would be a point */
    const double turns = floor(angle / quarter), within = angle - turns * quarter;
    angle = turns * quarter + fmin(fmax(within, least), quarter - least);
    view->cos_a = wy_cos(angle);
    view->sin_a = wy_sin(angle);
    view->cos_e = wy_cos(ELEVATION);
    view->sin_e = wy_sin(ELEVATION);
}

void wy_space_project(double uv[2], const space_view *v, const double p[3]) {
    double abc[3];
    for (int k = 0; k < 3; k++)
        abc[k] = v->sign[k] * p[v->axis[k]];
    uv[0] = v->cos_a * abc[0] + v->sin_a * abc[1];
    uv[1] = v->cos_e * abc[2] + v->sin_e * (v->cos_a * abc[1] - v->sin_a * abc[0]);
}

void wy_space_extent(double low[2], double high[2], const space_view *v) {
    for (int k = 0; k < 2; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int corner = 0; corner < 8; corner++) {
        double p[3], uv[2];
        for (int k = 0; k < 3; k++)
            p[k] = corner >> k & 1 ? v->high[k] : v->low[k];
        wy_space_project(uv, v, p);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], uv[k]);
            high[k] = fmax(high[k], uv[k]);
        }
    }
}
