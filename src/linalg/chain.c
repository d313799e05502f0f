/* Inertia of symmetric block-tridiagonal chains. */
#include "linalg/chain.h"

#include <math.h>
#include <string.h>

enum { D = WY_CHAIN, BLOCK = D * D };

/* One factored block: P D P^T = L E L^T, unit lower L below the diagonal of `m`, E with 1 x 1 and 2 x 2 blocks. */
typedef struct chain_block_factor {
    double m[BLOCK];
    double X[BLOCK]; /* D_{j-1}^-1 B_j^T of this block row */
    double B[BLOCK]; /* B_j of H - shift M */
    double order[D]; /* the permutation: small whole numbers */
    double pair[D];  /* 1 at the first row of a 2 x 2 pivot, else 0 */
} chain_block_factor;

size_t wy_chain_work(size_t n) {
    return n * (sizeof(chain_block_factor) / sizeof(double));
}

static void chain_swap_rows_columns(double *A, double *order, int a, int b) {
    if (a == b)
        return;
    for (int j = 0; j < D; j++) {
        const double t = A[D * a + j];
        A[D * a + j] = A[D * b + j];
        A[D * b + j] = t;
    }
    for (int j = 0; j < D; j++) {
        const double t = A[D * j + a];
        A[D * j + a] = A[D * j + b];
        A[D * j + b] = t;
    }
    const double t = order[a];
    order[a] = order[b];
    order[b] = t;
}

/* Bunch and Parlett: the pivot is the largest diagonal entry, or the 2 x 2 block of the largest entry if that is much
 * larger. */
static bool chain_factor_block(chain_block_factor *f, size_t *negative) {
    const double alpha = 0.6403882032022076; /* (1 + sqrt 17)/8 */
    double *A = f->m, largest = 0.0;
    for (int i = 0; i < BLOCK; i++)
        largest = fmax(largest, fabs(A[i]));
    for (int i = 0; i < D; i++) {
        f->order[i] = i;
        f->pair[i] = 0.0;
    }
    for (int k = 0; k < D;) {
        int p = k, r = k, q = k;
        double diagonal = -1.0, off = -1.0;
        for (int i = k; i < D; i++) {
            if (!isfinite(A[D * i + i]))
                return false;
            if (fabs(A[D * i + i]) > diagonal) {
                diagonal = fabs(A[D * i + i]);
                p = i;
            }
            for (int j = k; j < i; j++)
                if (fabs(A[D * i + j]) > off) {
                    off = fabs(A[D * i + j]);
                    r = i;
                    q = j;
                }
        }
        if (k + 1 == D || diagonal >= alpha * off) {
            if (!(largest > 0.0))
                return false;
            if (!(diagonal > 0.0)) /* an exactly zero eigenvalue counts as positive */
                A[D * p + p] = 1e-16 * largest;
            chain_swap_rows_columns(A, f->order, k, p);
            const double d = A[D * k + k];
            *negative += d < 0.0;
            for (int i = k + 1; i < D; i++) {
                const double l = A[D * i + k] / d;
                for (int j = k + 1; j < D; j++)
                    A[D * i + j] -= l * A[D * k + j];
                A[D * i + k] = l;
            }
            k++;
        } else {
            chain_swap_rows_columns(A, f->order, k, q);
            chain_swap_rows_columns(A, f->order, k + 1, r);
            const double a = A[D * k + k], b = A[D * k + k + 1], c = A[D * (k + 1) + k + 1], det = a * c - b * b;
            if (!(fabs(det) > 0.0))
                return false;
            *negative += det < 0.0 ? 1 : a < 0.0 ? 2 : 0;
            for (int i = k + 2; i < D; i++) {
                const double x = A[D * i + k], y = A[D * i + k + 1];
                const double l = (c * x - b * y) / det, m = (a * y - b * x) / det;
                for (int j = k + 2; j < D; j++)
                    A[D * i + j] -= l * A[D * k + j] + m * A[D * (k + 1) + j];
                A[D * i + k] = l;
                A[D * i + k + 1] = m;
            }
            f->pair[k] = 1.0;
            k += 2;
        }
    }
    return true;
}

/* Solves for x (D rows of `columns` numbers) in place: all columns in one sweep, with the same operations for each. */
static inline void chain_solve_columns(double *x, int columns, const chain_block_factor *f) {
    const double *A = f->m;
    double z[D][D];
    for (int i = 0; i < D; i++)
        for (int c = 0; c < columns; c++)
            z[i][c] = x[(int)f->order[i] * columns + c];
    for (int k = 0; k < D; k++) {
        if (f->pair[k] != 0.0) {
            for (int i = k + 2; i < D; i++)
                for (int c = 0; c < columns; c++)
                    z[i][c] -= A[D * i + k] * z[k][c] + A[D * i + k + 1] * z[k + 1][c];
            k++;
        } else {
            for (int i = k + 1; i < D; i++)
                for (int c = 0; c < columns; c++)
                    z[i][c] -= A[D * i + k] * z[k][c];
        }
    }
    for (int k = 0; k < D; k++) {
        if (f->pair[k] != 0.0) {
            const double a = A[D * k + k], b = A[D * k + k + 1], c = A[D * (k + 1) + k + 1], det = a * c - b * b;
            for (int j = 0; j < columns; j++) {
                const double u = z[k][j], v = z[k + 1][j];
                z[k][j] = (c * u - b * v) / det;
                z[k + 1][j] = (a * v - b * u) / det;
            }
            k++;
        } else {
            for (int c = 0; c < columns; c++)
                z[k][c] /= A[D * k + k];
        }
    }
    for (int k = D - 1; k >= 0; k--) {
        const int below = f->pair[k] != 0.0 ? 2 : 1; /* the column of L of a 2 x 2 pivot starts below both rows */
        for (int i = k + below; i < D; i++)
            for (int c = 0; c < columns; c++)
                z[k][c] -= A[D * i + k] * z[i][c];
    }
    for (int i = 0; i < D; i++)
        for (int c = 0; c < columns; c++)
            x[(int)f->order[i] * columns + c] = z[i][c];
}

static void chain_solve_block(double *x, const chain_block_factor *f) {
    chain_solve_columns(x, D, f);
}

static void chain_solve_vector(double *x, const chain_block_factor *f) {
    chain_solve_columns(x, 1, f);
}

bool wy_chain_factor(size_t *negative, const wy_chain *H, const wy_chain *M, double shift, double *work) {
    chain_block_factor *f = (chain_block_factor *)(void *)work;
    *negative = 0;
    for (size_t n = 0; n < H->n; n++, f++) {
        const double *A = H->A + n * BLOCK, *B = H->B + n * BLOCK;
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++) {
                f->m[D * i + j] = 0.5 * (A[D * i + j] + A[D * j + i]);
                f->B[D * i + j] = n ? B[D * i + j] : 0.0;
                if (M) {
                    const double *a = M->A + n * BLOCK, *b = M->B + n * BLOCK;
                    f->m[D * i + j] -= 0.5 * shift * (a[D * i + j] + a[D * j + i]);
                    f->B[D * i + j] -= n ? shift * b[D * i + j] : 0.0;
                }
            }
        if (n > 0) {
            for (int i = 0; i < D; i++)
                for (int j = 0; j < D; j++)
                    f->X[D * i + j] = f->B[D * j + i];
            chain_solve_block(f->X, f - 1);
            for (int i = 0; i < D; i++)
                for (int j = 0; j <= i; j++) {
                    double sum = 0.0;
                    for (int k = 0; k < D; k++)
                        sum += f->B[D * i + k] * f->X[D * k + j];
                    f->m[D * i + j] -= sum;
                    f->m[D * j + i] = f->m[D * i + j];
                }
        }
        if (!chain_factor_block(f, negative))
            return false;
    }
    return true;
}

void wy_chain_solve(double *x, size_t n, const double *work) {
    const chain_block_factor *f = (const chain_block_factor *)(const void *)work;
    for (size_t k = 1; k < n; k++) /* x_k -= B_k D_{k-1}^-1 x_{k-1} = X_k^T x_{k-1} */
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++)
                x[D * k + (size_t)i] -= f[k].X[D * j + i] * x[D * (k - 1) + (size_t)j];
    for (size_t k = 0; k < n; k++)
        chain_solve_vector(x + D * k, &f[k]);
    for (size_t k = n - 1; k-- > 0;) /* x_k -= X_{k+1} x_{k+1} */
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++)
                x[D * k + (size_t)i] -= f[k + 1].X[D * i + j] * x[D * (k + 1) + (size_t)j];
}

void wy_chain_product(double *y, const wy_chain *H, const double *x) {
    for (size_t k = 0; k < H->n; k++)
        for (int i = 0; i < D; i++) {
            double sum = 0.0;
            for (int j = 0; j < D; j++) {
                sum += 0.5 * (H->A[k * BLOCK + (size_t)(D * i + j)] + H->A[k * BLOCK + (size_t)(D * j + i)]) *
                       x[D * k + (size_t)j];
                if (k > 0)
                    sum += H->B[k * BLOCK + (size_t)(D * i + j)] * x[D * (k - 1) + (size_t)j];
                if (k + 1 < H->n)
                    sum += H->B[(k + 1) * BLOCK + (size_t)(D * j + i)] * x[D * (k + 1) + (size_t)j];
            }
            y[D * k + (size_t)i] = sum;
        }
}
