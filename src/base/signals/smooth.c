/* A smooth curve through given points: between two rows the polynomial of degree five with the values, slopes and
 * curvatures that the polynomials through the five nearest rows have there. Value, rate and curvature are
 * continuous; fifth order. */
#include <math.h>
#include <stddef.h>

#include "base/signals/rows.h"

static const wy_param smooth_params[] = {
    WY_PARAM(wy_signal_smooth, values, .key = "values",
             .doc = "Rows of time and value, the times rising; held before the first and after the last.",
             .type = WY_TYPE_SAMPLES, .count = 2),
    {0},
};

static wy_status smooth_check(const void *config, wy_error *err) {
    const wy_samples *v = &((const wy_signal_smooth *)config)->values;
    if (v->rows < 2)
        return wy_fail(err, WY_BAD_INPUT, "a smooth signal needs at least two rows of time and value");
    for (size_t i = 0; i < v->rows; i++) {
        const double *row = v->values + 2 * i;
        if (!isfinite(row[0]) || !isfinite(row[1]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a smooth signal is (%g, %g), expected numbers", i + 1, row[0],
                           row[1]);
        if (i > 0 && !(row[0] > row[-2]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a smooth signal: time %g s does not come after %g s", i + 1,
                           row[0], row[-2]);
    }
    return WY_OK;
}

/* Slope and curvature in row i of the polynomial through the (at most) five rows about it, by Newton's divided
 * differences. The outermost rows are left and reached at rest, as the held value asks. */
static void bend(double *slope, double *curvature, const wy_samples *v, size_t i) {
    enum { MOST = 5 };
    *slope = *curvature = 0.0;
    if (i == 0 || i + 1 == v->rows)
        return;
    const size_t count = v->rows < MOST ? v->rows : MOST;
    size_t first = i < count / 2 ? 0 : i - count / 2;
    if (first + count > v->rows)
        first = v->rows - count;
    const double *r = v->values + 2 * first, t = v->values[2 * i];
    double d[MOST] = {0.0};
    for (size_t k = 0; k < count; k++)
        d[k] = r[2 * k + 1];
    for (size_t k = 1; k < count; k++)
        for (size_t j = count - 1; j >= k; j--)
            d[j] = (d[j] - d[j - 1]) / (r[2 * j] - r[2 * (j - k)]);
    double p = d[count - 1];
    for (size_t k = count - 1; k-- > 0;) { /* Horner, with two derivatives */
        const double x = t - r[2 * k];
        *curvature = *curvature * x + 2.0 * *slope;
        *slope = *slope * x + p;
        p = p * x + d[k];
    }
}

/* Value and rate of the curve between rows i and i + 1: f0 + h x (...) in the powers of x = (t - t0)/h. */
static double smooth_curve(double *rate, const wy_samples *v, double t) {
    const double *last = v->values + 2 * (v->rows - 1);
    *rate = 0.0;
    if (t <= v->values[0])
        return v->values[1];
    if (t >= last[0])
        return last[1];
    size_t low = 0, high = v->rows - 1;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (v->values[2 * middle] <= t)
            low = middle;
        else
            high = middle;
    }
    const double *a = v->values + 2 * low, h = a[2] - a[0], x = (t - a[0]) / h;
    double s0, c0, s1, c1;
    bend(&s0, &c0, v, low);
    bend(&s1, &c1, v, low + 1);
    s0 *= h;
    s1 *= h;
    c0 *= 0.5 * h * h;
    c1 *= 0.5 * h * h;
    const double u = a[3] - a[1] - s0 - c0, w = s1 - s0 - 2.0 * c0, z = c1 - c0; /* what is left for x^3, x^4, x^5 */
    const double k3 = 10.0 * u - 4.0 * w + z, k4 = -15.0 * u + 7.0 * w - 2.0 * z, k5 = 6.0 * u - 3.0 * w + z;
    *rate = (s0 + x * (2.0 * c0 + x * (3.0 * k3 + x * (4.0 * k4 + x * 5.0 * k5)))) / h;
    return a[1] + x * (s0 + x * (c0 + x * (k3 + x * (k4 + x * k5))));
}

static double smooth_value(const void *config, double t) {
    double unused;
    return smooth_curve(&unused, &((const wy_signal_smooth *)config)->values, t);
}

static double smooth_rate(const void *config, double t) {
    double rate;
    smooth_curve(&rate, &((const wy_signal_smooth *)config)->values, t);
    return rate;
}

static double smooth_shortest(const void *config, double until) {
    return wy_samples_shortest(&((const wy_signal_smooth *)config)->values, until);
}

const wy_signal wy_signal_is_smooth = {.entry = {.name = "smooth",
                                                 .doc = "A smooth curve through given points, at rest outside.",
                                                 .params = smooth_params,
                                                 .config_size = sizeof(wy_signal_smooth)},
                                       .check = smooth_check,
                                       .value = smooth_value,
                                       .rate = smooth_rate,
                                       .shortest = smooth_shortest};
