/* Eigenvalues and vectors of small dense symmetric matrices, by Jacobi's cyclic rotations. */
#include "linalg/symmetric.h"

#include <math.h>

static void jacobi_rotate(double *A, double *V, size_t n, size_t p, size_t q) {
    const double apq = A[p * n + q];
    if (apq == 0.0)
        return;
    const double theta = (A[q * n + q] - A[p * n + p]) / (2.0 * apq);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (size_t k = 0; k < n; k++) {
        const double x = A[k * n + p], y = A[k * n + q];
        A[k * n + p] = c * x - s * y;
        A[k * n + q] = s * x + c * y;
    }
    for (size_t k = 0; k < n; k++) {
        const double x = A[p * n + k], y = A[q * n + k];
        A[p * n + k] = c * x - s * y;
        A[q * n + k] = s * x + c * y;
    }
    for (size_t k = 0; k < n; k++) {
        const double x = V[k * n + p], y = V[k * n + q];
        V[k * n + p] = c * x - s * y;
        V[k * n + q] = s * x + c * y;
    }
}

void wy_symmetric_eigen(double *values, double *V, double *A, size_t n) {
    for (size_t i = 0; i < n * n; i++)
        V[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0.0, all = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                all += A[i * n + j] * A[i * n + j];
                off += i == j ? 0.0 : A[i * n + j] * A[i * n + j];
            }
        if (!(off > 1e-36 * all))
            break;
        for (size_t p = 0; p + 1 < n; p++)
            for (size_t q = p + 1; q < n; q++)
                jacobi_rotate(A, V, n, p, q);
    }
    for (size_t i = 0; i < n; i++)
        values[i] = A[i * n + i];
    for (size_t i = 0; i + 1 < n; i++) { /* ascending */
        size_t least = i;
        for (size_t j = i + 1; j < n; j++)
            if (values[j] < values[least])
                least = j;
        const double v = values[i];
        values[i] = values[least];
        values[least] = v;
        for (size_t k = 0; k < n && least != i; k++) {
            const double x = V[k * n + i];
            V[k * n + i] = V[k * n + least];
            V[k * n + least] = x;
        }
    }
}
