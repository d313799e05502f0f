/* Block elimination for chains of 6 x 6 blocks. Plain loops of fixed length: the compiler turns them into vectors. */
#include "linalg/block6.h"

#include <math.h>
#include <string.h>

/* C -= A B for 6 x 6 row-major blocks */
static void subtract_product(double *restrict C, const double *restrict A, const double *restrict B) {
    for (int i = 0; i < 6; i++) {
        double row[6];
        for (int k = 0; k < 6; k++)
            row[k] = C[6 * i + k];
        for (int l = 0; l < 6; l++) {
            const double a = A[6 * i + l];
            for (int k = 0; k < 6; k++)
                row[k] -= a * B[6 * l + k];
        }
        for (int k = 0; k < 6; k++)
            C[6 * i + k] = row[k];
    }
}

/* A = P L U in place (unit L; the diagonal of U is stored inverted), and C becomes A^-1 C. */
static bool eliminate(double *restrict A, double *restrict C, unsigned char *restrict pivots) {
    for (int k = 0; k < 6; k++) {
        int p = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(A[6 * i + k]) > fabs(A[6 * p + k]))
                p = i;
        const double pivot = A[6 * p + k];
        if (pivot == 0.0 || !isfinite(pivot))
            return false;
        pivots[k] = (unsigned char)p;
        if (p != k)
            for (int j = 0; j < 6; j++) {
                const double a = A[6 * k + j], c = C[6 * k + j];
                A[6 * k + j] = A[6 * p + j];
                A[6 * p + j] = a;
                C[6 * k + j] = C[6 * p + j];
                C[6 * p + j] = c;
            }
        const double inverse = 1.0 / pivot;
        A[6 * k + k] = inverse;
        for (int i = k + 1; i < 6; i++) {
            const double f = A[6 * i + k] * inverse;
            A[6 * i + k] = f;
            for (int j = k + 1; j < 6; j++)
                A[6 * i + j] -= f * A[6 * k + j];
            for (int j = 0; j < 6; j++)
                C[6 * i + j] -= f * C[6 * k + j];
        }
    }
    for (int k = 5; k >= 0; k--) {
        const double inverse = A[6 * k + k];
        for (int j = 0; j < 6; j++)
            C[6 * k + j] *= inverse;
        for (int i = 0; i < k; i++) {
            const double f = A[6 * i + k];
            for (int j = 0; j < 6; j++)
                C[6 * i + j] -= f * C[6 * k + j];
        }
    }
    return true;
}

size_t wy_block6_factor(wy_block6 *m) {
    for (size_t j = 0; j < m->n; j++) {
        double *A = m->A + WY_BLOCK6 * j, *C = m->C + WY_BLOCK6 * j;
        if (j > 0)
            subtract_product(A, m->B + WY_BLOCK6 * j, C - WY_BLOCK6);
        if (j + 1 == m->n)
            memset(C, 0, WY_BLOCK6 * sizeof *C);
        if (!eliminate(A, C, m->pivots + 6 * j))
            return j;
    }
    return m->n;
}

void wy_block6_solve(const wy_block6 *m, double *r) {
    for (size_t j = 0; j < m->n; j++) {
        const double *A = m->A + WY_BLOCK6 * j;
        double *x = r + 6 * j;
        if (j > 0) {
            const double *B = m->B + WY_BLOCK6 * j;
            for (int i = 0; i < 6; i++) {
                double sum = 0.0;
                for (int k = 0; k < 6; k++)
                    sum += B[6 * i + k] * x[k - 6];
                x[i] -= sum;
            }
        }
        /* rows were swapped whole, multipliers included: first all swaps, then both triangles */
        for (int k = 0; k < 6; k++) {
            const int p = m->pivots[6 * j + (size_t)k];
            const double t = x[k];
            x[k] = x[p];
            x[p] = t;
        }
        for (int i = 1; i < 6; i++)
            for (int k = 0; k < i; k++)
                x[i] -= A[6 * i + k] * x[k];
        for (int i = 5; i >= 0; i--) {
            for (int k = i + 1; k < 6; k++)
                x[i] -= A[6 * i + k] * x[k];
            x[i] *= A[6 * i + i];
        }
    }
    for (size_t j = m->n - 1; j-- > 0;) {
        const double *C = m->C + WY_BLOCK6 * j;
        double *x = r + 6 * j;
        for (int i = 0; i < 6; i++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++)
                sum += C[6 * i + k] * x[6 + k];
            x[i] -= sum;
        }
    }
}

bool wy_inverse6(double A[36]) {
    double I[36] = {0};
    unsigned char pivots[6];
    for (int i = 0; i < 6; i++)
        I[7 * i] = 1.0;
    if (!eliminate(A, I, pivots))
        return false;
    memcpy(A, I, sizeof I);
    return true;
}
