/* Collocation methods in time: Gauss and Radau points, their coefficients and eigenvectors. Computed in long double:
 * the energy balance of a million steps shows the last bit of a_ij. */
#include "motion/gauss_director/gauss_time.h"

#include <math.h>
#include <string.h>

#include "element/polynomials.h"

typedef long double real;

/* Radau's points with the right end. */
static void radau(real *x, int n) {
    const real r6 = sqrtl(6.0L);
    const real points[3][3] = {{1.0L}, {1.0L / 3.0L, 1.0L}, {(4.0L - r6) / 10.0L, (4.0L + r6) / 10.0L, 1.0L}};
    for (int i = 0; i < n; i++)
        x[i] = points[n - 1][i];
}

/* int_0^to of Lagrange's polynomial j, by Gauss' rule of four points. */
static real integral(const real *c, int S, int j, real to) {
    real x[4], w[4], sum = 0.0L, value, slope;
    wy_gauss_points(x, w, 4);
    for (int q = 0; q < 4; q++) {
        wy_lagrange(&value, &slope, c, S, j, to * x[q]);
        sum += to * w[q] * value;
    }
    return sum;
}

typedef struct complex_real {
    real r, i;
} complex_real;
static complex_real times(complex_real a, complex_real b) {
    return (complex_real){a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}
static complex_real over(complex_real a, complex_real b) {
    const real d = b.r * b.r + b.i * b.i;
    return (complex_real){(a.r * b.r + a.i * b.i) / d, (a.i * b.r - a.r * b.i) / d};
}

static real minor(real A[3][3], int i, int j) {
    const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return A[a][c] * A[b][d] - A[a][d] * A[b][c];
}

/* Eigenvalues of A, one of each pair, from its characteristic polynomial. A is padded with zeros to 3 x 3. */
static int eigenvalues(complex_real *lambda, real A[3][3], int S) {
    if (S == 1) {
        lambda[0] = (complex_real){A[0][0], 0.0L};
        return 1;
    }
    real trace = A[0][0] + A[1][1], product = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    int n = 0;
    if (S == 3) { /* x^3 - t x^2 + m x - d: the real root first */
        const real t = trace + A[2][2], m = minor(A, 0, 0) + minor(A, 1, 1) + minor(A, 2, 2);
        const real d = A[0][0] * minor(A, 0, 0) + A[0][1] * minor(A, 0, 1) + A[0][2] * minor(A, 0, 2);
        real x = 0.25L;
        for (int k = 0; k < 100; k++)
            x -= (((x - t) * x + m) * x - d) / ((3.0L * x - 2.0L * t) * x + m);
        lambda[n++] = (complex_real){x, 0.0L};
        trace = t - x;
        product = d / x;
    }
    lambda[n++] = (complex_real){0.5L * trace, sqrtl(product - 0.25L * trace * trace)};
    return n;
}

/* A vector that A - lambda, or its transpose, takes to zero. */
static void null_vector(complex_real *v, real A[3][3], int S, complex_real lambda, bool transposed) {
    complex_real B[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            B[i][j] = (complex_real){(transposed ? A[j][i] : A[i][j]) - (i == j ? lambda.r : 0.0L),
                                     i == j ? -lambda.i : 0.0L};
    if (S == 1) {
        v[0] = (complex_real){1.0L, 0.0L};
    } else if (S == 2) {
        v[0] = (complex_real){-B[0][1].r, -B[0][1].i};
        v[1] = B[0][0];
    } else { /* the cross product of two rows */
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            const complex_real x = times(B[0][a], B[1][b]), y = times(B[0][b], B[1][a]);
            v[k] = (complex_real){x.r - y.r, x.i - y.i};
        }
    }
}

static void invert_small(real out[3][3], real A[3][3], int S) {
    if (S == 1) {
        out[0][0] = 1.0L / A[0][0];
    } else if (S == 2) {
        const real d = A[0][0] * A[1][1] - A[0][1] * A[1][0];
        out[0][0] = A[1][1] / d;
        out[1][1] = A[0][0] / d;
        out[0][1] = -A[0][1] / d;
        out[1][0] = -A[1][0] / d;
    } else {
        const real d = A[0][0] * minor(A, 0, 0) + A[0][1] * minor(A, 0, 1) + A[0][2] * minor(A, 0, 2);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                out[i][j] = minor(A, j, i) / d;
    }
}

void wy_gauss_time_make(wy_gauss_time *t, int S, bool is_radau) {
    memset(t, 0, sizeof *t);
    t->S = S;
    t->radau = is_radau;
    t->order = is_radau ? 2 * S - 1 : 2 * S;
    real c[3], b[3], A[3][3] = {{0}}, inverse[3][3] = {{0}}, slope, value;
    if (is_radau) {
        radau(c, S);
        for (int j = 0; j < S; j++)
            b[j] = integral(c, S, j, 1.0L);
    } else {
        wy_gauss_points(c, b, S);
    }
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            A[i][j] = integral(c, S, j, c[i]);
    invert_small(inverse, A, S);
    for (int i = 0; i < S; i++) {
        real last = 0.0L;
        t->c[i] = (double)c[i];
        t->b[i] = (double)b[i];
        for (int j = 0; j < S; j++) {
            t->A[i][j] = (double)A[i][j];
            t->inverse[i][j] = (double)inverse[i][j];
            last += b[j] * inverse[j][i];
        }
        t->last[i] = (double)last;
        wy_lagrange(&value, &slope, c, S, i, 0.0L);
        t->first[i] = (double)value;
    }
    complex_real lambda[2];
    t->roots = eigenvalues(lambda, A, S);
    for (int e = 0; e < t->roots; e++) {
        complex_real l[3] = {{0}}, r[3] = {{0}}, dot = {0.0L, 0.0L};
        null_vector(l, A, S, lambda[e], true);
        null_vector(r, A, S, lambda[e], false);
        for (int i = 0; i < S; i++) {
            const complex_real x = times(l[i], r[i]);
            dot.r += x.r;
            dot.i += x.i;
        }
        t->complex[e] = lambda[e].i != 0.0L;
        t->lambda[e][0] = (double)lambda[e].r;
        t->lambda[e][1] = (double)lambda[e].i;
        for (int i = 0; i < S; i++) {
            const complex_real x = over(r[i], dot);
            const real twice = t->complex[e] ? 2.0L : 1.0L;
            t->left[e][i][0] = (double)l[i].r;
            t->left[e][i][1] = (double)l[i].i;
            t->right[e][i][0] = (double)(twice * x.r);
            t->right[e][i][1] = (double)(twice * x.i);
        }
    }
}

void wy_gauss_time_weights(double *weight, const wy_gauss_time *t, double theta) {
    real c[3];
    for (int i = 0; i < t->S; i++)
        c[i] = (real)t->c[i];
    for (int i = 0; i < t->S; i++)
        weight[i] = (double)integral(c, t->S, i, (real)theta);
}

void wy_gauss_root_factors(double factor[2][WY_GAUSS_STAGES][2], const wy_gauss_time *t, double dt) {
    for (int e = 0; e < t->roots; e++) {
        const double *z = t->lambda[e], zr = -dt * dt * (z[0] * z[0] - z[1] * z[1]), zi = -dt * dt * 2.0 * z[0] * z[1];
        for (int i = 0; i < t->S; i++) {
            const double *l = t->left[e][i];
            factor[e][i][0] = zr * l[0] - zi * l[1];
            factor[e][i][1] = zr * l[1] + zi * l[0];
        }
    }
}
