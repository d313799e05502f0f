/* Strain that is constant between jumps: corners, rods composed of arcs. */
#include <stddef.h>
#include <string.h>

#include "rod/shapes/shape_rows.h"

static const wy_param piecewise_params[] = {
    WY_PARAM(wy_shape_piecewise, strain, .key = "strain",
             .doc = "Rows of s, kappa1, kappa2, kappa3, nu1, nu2, nu3: the strain from s on, until the next "
                    "row; the first at 0.",
             .type = WY_TYPE_SAMPLES, .count = 7),
    {0},
};

static wy_status piecewise_check(const void *config, double length, wy_error *err) {
    const wy_samples *v = &((const wy_shape_piecewise *)config)->strain;
    const wy_status s = wy_shape_rows_check(v, length, "piecewise", err);
    if (!s && v->values[0] != 0.0)
        return wy_fail(err, WY_BAD_INPUT, "a piecewise shape starts at s = %g m, expected 0", v->values[0]);
    for (size_t i = 1; i < v->rows && !s; i++)
        if (!(v->values[7 * i] > v->values[7 * (i - 1)]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a piecewise shape: s = %g m does not come after %g m", i + 1,
                           v->values[7 * i], v->values[7 * (i - 1)]);
    return s;
}

static void piecewise_strain(double xi[6], const void *config, double s, int side, double length) {
    (void)length;
    const wy_samples *v = &((const wy_shape_piecewise *)config)->strain;
    size_t i = 0;
    while (i + 1 < v->rows && (side < 0 ? v->values[7 * (i + 1)] < s : v->values[7 * (i + 1)] <= s))
        i++;
    memcpy(xi, v->values + 7 * i + 1, 6 * sizeof *xi);
}

static double piecewise_next_break(const void *config, double s) {
    return wy_shape_rows_next(&((const wy_shape_piecewise *)config)->strain, s);
}

const wy_shape wy_shape_is_piecewise = {.entry = {.name = "piecewise",
                                                  .doc = "Constant strain between jumps: a sequence of arcs.",
                                                  .params = piecewise_params,
                                                  .config_size = sizeof(wy_shape_piecewise)},
                                        .check = piecewise_check,
                                        .strain = piecewise_strain,
                                        .next_break = piecewise_next_break};
