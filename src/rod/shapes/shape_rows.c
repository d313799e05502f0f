/* See shape_rows.h. */
#include "rod/shapes/shape_rows.h"

#include <math.h>

wy_status wy_shape_rows_check(const wy_samples *v, double length, const char *name, wy_error *err) {
    if (v->rows < 1)
        return wy_fail(err, WY_BAD_INPUT, "a %s shape needs at least one row", name);
    for (size_t i = 0; i < v->rows; i++) {
        const double *row = v->values + 7 * i;
        for (int k = 0; k < 7; k++)
            if (!isfinite(row[k]))
                return wy_fail(err, WY_BAD_INPUT, "row %zu of a %s shape, column %d is %g, expected a number", i + 1,
                               name, k + 1, row[k]);
        if (row[0] < 0.0 || row[0] > length * (1.0 + 1e-9))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a %s shape: s = %g m is not on the rod of %g m", i + 1, name,
                           row[0], length);
        if (!(row[6] > 0.0))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a %s shape: nu3 is %g, expected a positive stretch", i + 1,
                           name, row[6]);
    }
    return WY_OK;
}

double wy_shape_rows_next(const wy_samples *v, double s) {
    for (size_t i = 0; i < v->rows; i++)
        if (v->values[7 * i] > s)
            return v->values[7 * i];
    return INFINITY;
}
