/* Rows of s and numbers along the rod, linear in between: for loads and actuations. Internal to src/rod. */
#ifndef WY_ROD_ROWS_H
#define WY_ROD_ROWS_H

#include "rod/rod_definition.h"

/* The columns after the first at s; constant outside the rows. */
static inline void wy_rows_linear(double *out, const wy_samples *rows, size_t columns, double s) {
    size_t low = 0;
    while (low + 1 < rows->rows && rows->values[columns * (low + 1)] <= s)
        low++;
    const double *a = rows->values + columns * low, *b = low + 1 < rows->rows ? a + columns : a;
    const double x = s <= a[0] || a == b ? 0.0 : (s - a[0]) / (b[0] - a[0]);
    for (size_t k = 1; k < columns; k++)
        out[k - 1] = (1.0 - x) * a[k] + x * b[k];
}

/* The first row after s; INFINITY: none. */
double wy_rows_next(const wy_samples *rows, size_t columns, double s);

#endif
