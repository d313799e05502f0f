/* Row by row: a row stores its entries from column i - lower to i + upper + lower, so that it can be exchanged with a
 * row below. Multipliers stay in the column of the step that computed them. */
#include "linalg/band.h"

#include <math.h>

size_t wy_band_size(size_t n, size_t lower, size_t upper) {
    return n * (2 * lower + upper + 1);
}

bool wy_band_factor(wy_band *A) {
    const size_t n = A->n;
    for (size_t k = 0; k < n; k++) {
        const size_t last = k + A->lower < n - 1 ? k + A->lower : n - 1;
        const size_t end = k + A->lower + A->upper < n - 1 ? k + A->lower + A->upper : n - 1;
        size_t p = k;
        double best = fabs(*wy_band_at(A, k, k));
        for (size_t i = k + 1; i <= last; i++) {
            const double size = fabs(*wy_band_at(A, i, k));
            if (size > best) {
                best = size;
                p = i;
            }
        }
        if (!(best > 0.0) || !isfinite(best))
            return false;
        A->pivots[k] = p;
        double *top = wy_band_at(A, k, k);
        const size_t width = end - k + 1;
        if (p != k) {
            double *other = wy_band_at(A, p, k);
            for (size_t j = 0; j < width; j++) {
                const double t = top[j];
                top[j] = other[j];
                other[j] = t;
            }
        }
        const double inverse = 1.0 / top[0];
        for (size_t i = k + 1; i <= last; i++) {
            double *row = wy_band_at(A, i, k);
            if (row[0] == 0.0)
                continue;
            const double f = row[0] * inverse;
            row[0] = f;
            for (size_t j = 1; j < width; j++)
                row[j] -= f * top[j];
        }
    }
    return true;
}

void wy_band_solve(double *b, const wy_band *A) {
    const size_t n = A->n;
    for (size_t k = 0; k < n; k++) {
        const size_t p = A->pivots[k], last = k + A->lower < n - 1 ? k + A->lower : n - 1;
        const double t = b[p];
        b[p] = b[k];
        b[k] = t;
        for (size_t i = k + 1; i <= last; i++)
            b[i] -= *wy_band_at(A, i, k) * t;
    }
    for (size_t k = n; k-- > 0;) {
        const size_t end = k + A->lower + A->upper < n - 1 ? k + A->lower + A->upper : n - 1;
        const double *row = wy_band_at(A, k, k);
        double t = b[k];
        for (size_t j = 1; j <= end - k; j++)
            t -= row[j] * b[k + j];
        b[k] = t / row[0];
    }
}
