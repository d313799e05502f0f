/* Solutions at requested values of the parameter. */
#include "branches/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

/* The solution at exactly `lambda` between two points with a monotonic parameter between them.
 *
 * Where the ends of a uniform rod meet, it has one symmetry more (the shift along itself) than its neighbours. With
 * it the equations are doubly singular, and Newton may converge to solutions of slightly different ends. Such a
 * solution is interpolated from four neighbours, with an error of the fourth power of their distance. */
wy_status wy_explore_values_correct(explorer *x, path_point *out, const path_point *from, const path_point *to,
                                    double lambda, wy_error *err) {
    branch_path *p = &x->path;
    const double f = (lambda - from->lambda) / (to->lambda - from->lambda),
                 sign = to->lambda > from->lambda ? 1.0 : -1.0;
    for (size_t i = 0; i < p->n; i++)
        out->y[i] = (1.0 - f) * from->y[i] + f * to->y[i];
    size_t symmetries;
    wy_status s = wy_path_symmetries(p, &symmetries, out->y, lambda, err);
    if (s || symmetries <= from->symmetries || symmetries <= to->symmetries || from->symmetries == 0)
        return s ? s : wy_path_correct_at(p, out, lambda, sign, err);
    static const double both[4] = {-1.0 / 16.0, 9.0 / 16.0, 9.0 / 16.0, -1.0 / 16.0}, one[4] = {4.0, -6.0, 4.0, -1.0};
    const double *w = both, apart = 1e-3 * p->scale;
    for (int i = 0; i < 4 && !s; i++) {
        memcpy(x->near[i].y, out->y, p->n * sizeof *out->y);
        s = wy_path_correct_at(p, &x->near[i], lambda + (i - 1.5) * apart, sign, NULL);
    }
    if (s) { /* there is no solution on the other side: from this side alone */
        s = WY_OK;
        w = one;
        for (int i = 0; i < 4 && !s; i++) {
            memcpy(x->near[i].y, out->y, p->n * sizeof *out->y);
            s = wy_path_correct_at(p, &x->near[i], lambda - sign * (i + 1.0) * apart, sign, err);
        }
        if (s)
            return s;
    }
    memset(out->y, 0, p->n * sizeof *out->y);
    memset(out->t, 0, p->n * sizeof *out->t);
    out->slope = 0.0;
    for (int i = 0; i < 4; i++) {
        for (size_t k = 0; k < p->n; k++) {
            out->y[k] += w[i] * x->near[i].y[k];
            out->t[k] += w[i] * x->near[i].t[k];
        }
        out->slope += w[i] * x->near[i].slope;
    }
    out->lambda = lambda;
    out->symmetries = symmetries;
    return wy_path_count(p, out, err);
}

/* Solutions at requested values between two points with a monotonic parameter between them. */
wy_status wy_explore_values_pass(explorer *x, const path_point *from, double at_from, const path_point *to,
                                 double at_to, wy_error *err) {
    const wy_branch_options *o = &x->path.options;
    double low = from->lambda;
    const double sign = to->lambda > from->lambda ? 1.0 : -1.0;
    while (true) { /* in the order of the path */
        double best = NAN;
        for (size_t i = 0; i < o->value_count; i++)
            if (sign * (o->values[i] - low) > 1e-12 * x->path.scale && sign * (to->lambda - o->values[i]) >= 0.0 &&
                !(sign * (best - o->values[i]) <= 0.0))
                best = o->values[i];
        if (isnan(best) || best == o->to || best == o->from)
            return WY_OK;
        const double f = (best - from->lambda) / (to->lambda - from->lambda);
        wy_status s = wy_explore_values_correct(x, &x->b, from, to, best, err);
        if (s)
            return s;
        const double before = x->arclength;
        x->arclength += (1.0 - f) * at_from + f * at_to;
        s = wy_explore_report(x, &x->b, WY_POINT_VALUE, wy_explore_report_label(x, WY_POINT_VALUE), WY_END_NONE, NULL,
                              err);
        x->arclength = before;
        if (s)
            return s;
        low = best;
    }
}
