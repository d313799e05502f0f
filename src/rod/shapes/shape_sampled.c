/* Strain given at points along the rod, linear in between. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/rod.h>

static const wy_param params[] = {
    {.key = "strain",
     .doc = "Rows of s, kappa1, kappa2, kappa3, nu1, nu2, nu3; s rising, linear in between, held outside.",
     .type = WY_TYPE_SAMPLES,
     .count = 7,
     .offset = offsetof(wy_shape_sampled, strain)},
    {0},
};

static wy_status check(const void *config, double length, wy_error *err) {
    const wy_samples *v = &((const wy_shape_sampled *)config)->strain;
    if (v->rows < 1)
        return wy_fail(err, WY_BAD_INPUT, "a sampled shape needs at least one row");
    for (size_t i = 0; i < v->rows; i++) {
        const double *row = v->values + 7 * i;
        for (int k = 0; k < 7; k++)
            if (!isfinite(row[k]))
                return wy_fail(err, WY_BAD_INPUT, "row %zu of a sampled shape, column %d is %g, expected a number",
                               i + 1, k + 1, row[k]);
        if (i > 0 && !(row[0] > row[-7]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a sampled shape: s = %g m does not come after %g m", i + 1,
                           row[0], row[-7]);
        if (row[0] < 0.0 || row[0] > length * (1.0 + 1e-9))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a sampled shape: s = %g m is not on the rod of %g m", i + 1,
                           row[0], length);
        if (!(row[6] > 0.0))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a sampled shape: nu3 is %g, expected a positive stretch",
                           i + 1, row[6]);
    }
    return WY_OK;
}

static void strain(double xi[6], const void *config, double s, double length) {
    (void)length;
    const wy_samples *v = &((const wy_shape_sampled *)config)->strain;
    size_t low = 0, high = v->rows - 1;
    if (s <= v->values[0] || high == 0) {
        memcpy(xi, v->values + 1, 6 * sizeof *xi);
        return;
    }
    if (s >= v->values[7 * high]) {
        memcpy(xi, v->values + 7 * high + 1, 6 * sizeof *xi);
        return;
    }
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (v->values[7 * middle] <= s)
            low = middle;
        else
            high = middle;
    }
    const double *a = v->values + 7 * low, *b = a + 7, x = (s - a[0]) / (b[0] - a[0]);
    for (int k = 0; k < 6; k++)
        xi[k] = (1.0 - x) * a[1 + k] + x * b[1 + k];
}

const wy_shape wy_shape_is_sampled = {.entry = {.name = "sampled",
                                                .doc = "Strain given at points along the rod.",
                                                .params = params,
                                                .config_size = sizeof(wy_shape_sampled)},
                                      .check = check,
                                      .strain = strain};
