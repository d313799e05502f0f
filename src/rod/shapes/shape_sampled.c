/* Strain given at points along the rod, linear in between. */
#include <stddef.h>

#include "rod/shapes/shape_rows.h"

static const wy_param shape_sampled_params[] = {
    WY_PARAM(
        wy_shape_sampled, strain, .key = "strain",
        .doc =
            "Rows of s, kappa1, kappa2, kappa3, nu1, nu2, nu3; linear in between, two rows at the same s are a jump, "
            "constant outside.",
        .type = WY_TYPE_SAMPLES, .count = 7),
    {0},
};

static wy_status shape_sampled_check(const void *config, double length, wy_error *err) {
    const wy_samples *v = &((const wy_shape_sampled *)config)->strain;
    const wy_status s = wy_shape_rows_check(v, length, "sampled", err);
    for (size_t i = 1; i < v->rows && !s; i++) {
        if (v->values[7 * i] < v->values[7 * (i - 1)])
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a sampled shape: s = %g m comes before %g m", i + 1,
                           v->values[7 * i], v->values[7 * (i - 1)]);
        if (i > 1 && v->values[7 * i] == v->values[7 * (i - 2)])
            return wy_fail(err, WY_BAD_INPUT,
                           "row %zu of a sampled shape: three rows at s = %g m, expected two at a jump", i + 1,
                           v->values[7 * i]);
    }
    return s;
}

static void sampled_strain(double xi[6], const void *config, double s, int side, double length) {
    (void)length;
    const wy_samples *v = &((const wy_shape_sampled *)config)->strain;
    /* the piece from row `low` to the next that contains s, on the given side */
    size_t low = 0;
    while (low + 1 < v->rows && (side < 0 ? v->values[7 * (low + 1)] < s : v->values[7 * (low + 1)] <= s))
        low++;
    const double *a = v->values + 7 * low, *b = low + 1 < v->rows ? a + 7 : a;
    const double x = s <= a[0] || b[0] == a[0] ? 0.0 : (s - a[0]) / (b[0] - a[0]);
    for (int k = 0; k < 6; k++)
        xi[k] = (1.0 - x) * a[1 + k] + x * b[1 + k];
}

static double shape_sampled_next_break(const void *config, double s) {
    return wy_shape_rows_next(&((const wy_shape_sampled *)config)->strain, s);
}

const wy_shape wy_shape_is_sampled = {.entry = {.name = "sampled",
                                                .doc = "Strain given at points along the rod.",
                                                .params = shape_sampled_params,
                                                .config_size = sizeof(wy_shape_sampled)},
                                      .check = shape_sampled_check,
                                      .strain = sampled_strain,
                                      .next_break = shape_sampled_next_break};
