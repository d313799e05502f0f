/* Gauss and Gauss-Lobatto points, Lagrange polynomials, and the eigenvectors of Gauss-Legendre methods. All of it is
 * computed from definitions: no table of digits to mistype. */
#include "motion/velocity_strain/high_order_basis.h"

#include <math.h>
#include <string.h>

#include "math/constants.h"
#include "math/elementary.h"

/* Legendre's P_n and its derivative at x in (-1, 1). */
static void legendre(double *value, double *slope, int n, double x) {
    double p0 = 1.0, p1 = x;
    for (int k = 2; k <= n; k++) {
        const double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
    }
    if (n == 0)
        p1 = 1.0;
    *value = p1;
    *slope = n == 0 ? 0.0 : n * (x * p1 - p0) / (x * x - 1.0);
}

/* Gauss points on [0, 1]: roots of P_n. */
static void gauss(double *x, double *w, int n) {
    for (int i = 0; i < n; i++) {
        double t = -wy_cos(WY_PI * (i + 0.75) / (n + 0.5)), value, slope;
        for (int k = 0; k < 20; k++) {
            legendre(&value, &slope, n, t);
            t -= value / slope;
        }
        if (2 * i + 1 == n)
            t = 0.0;
        legendre(&value, &slope, n, t);
        x[i] = 0.5 * (1.0 + t);
        w[i] = 1.0 / ((1.0 - t * t) * slope * slope);
    }
}

/* Gauss-Lobatto points on [0, 1]: the ends and the roots of P_n', n + 1 in all. */
static void lobatto(double *x, double *w, int n) {
    for (int i = 0; i <= n; i++) {
        double t = -wy_cos(WY_PI * i / n), value, slope;
        for (int k = 0; k < 30 && i > 0 && i < n; k++) {
            legendre(&value, &slope, n, t);
            /* (1 - t^2) P'' = 2 t P' - n (n + 1) P */
            const double second = (2.0 * t * slope - n * (n + 1) * value) / (1.0 - t * t);
            t -= slope / second;
        }
        if (2 * i == n)
            t = 0.0;
        if (i == 0 || i == n)
            value = (i == 0 && n % 2) ? -1.0 : 1.0;
        else
            legendre(&value, &slope, n, t);
        x[i] = i == 0 ? 0.0 : i == n ? 1.0 : 0.5 * (1.0 + t);
        w[i] = 1.0 / (n * (n + 1) * value * value);
    }
}

/* Lagrange polynomial of point i of n at x, and its derivative. */
static void lagrange(double *value, double *slope, const double *at, int n, int i, double x) {
    *value = 1.0;
    *slope = 0.0;
    for (int k = 0; k < n; k++) {
        if (k == i)
            continue;
        const double d = 1.0 / (at[i] - at[k]);
        *slope = *slope * (x - at[k]) * d + *value * d;
        *value *= (x - at[k]) * d;
    }
}

void wy_space_basis_make(wy_space_basis *b, int p) {
    memset(b, 0, sizeof *b);
    b->p = p;
    gauss(b->gauss, b->gauss_weight, p);
    lobatto(b->node, b->node_weight, p);
    for (int g = 0; g < p; g++)
        for (int i = 0; i <= p; i++)
            lagrange(&b->N[g][i], &b->D[g][i], b->node, p + 1, i, b->gauss[g]);
}

void wy_space_basis_strain(double *weight, const wy_space_basis *b, double x) {
    for (int g = 0; g < b->p; g++) {
        double slope;
        lagrange(&weight[g], &slope, b->gauss, b->p, g, x);
    }
}

/* ---- time ---- */

typedef struct number {
    double r, i;
} number;
static number times(number a, number b) {
    return (number){a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}
static number minus(number a, number b) {
    return (number){a.r - b.r, a.i - b.i};
}
static number over(number a, number b) {
    const double d = b.r * b.r + b.i * b.i;
    return (number){(a.r * b.r + a.i * b.i) / d, (a.i * b.r - a.r * b.i) / d};
}

/* A vector that the (singular) matrix B = A - lambda, or its transpose, takes to zero; n = 1, 2 or 3. */
static void null_vector(number *v, double A[WY_STAGES_MAX][WY_STAGES_MAX], int n, number lambda, bool transposed) {
    number B[3][3] = {{{0.0, 0.0}}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            B[i][j] = (number){transposed ? A[j][i] : A[i][j], 0.0};
            if (i == j)
                B[i][j] = minus(B[i][j], lambda);
        }
    if (n == 1) {
        v[0] = (number){1.0, 0.0};
    } else if (n == 2) {
        v[0] = (number){-B[0][1].r, -B[0][1].i};
        v[1] = B[0][0];
    } else { /* the cross product of two rows */
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            v[k] = minus(times(B[0][a], B[1][b]), times(B[0][b], B[1][a]));
        }
    }
}

/* Eigenvalues of Gauss' A: the roots of the denominator of the Pade approximation of exp, reversed.
 *   s = 1: x - 1/2;  s = 2: x^2 - x/2 + 1/12;  s = 3: x^3 - x^2/2 + x/10 - 1/120                              (7.9) */
static int eigenvalues(number *lambda, int stages) {
    if (stages == 1) {
        lambda[0] = (number){0.5, 0.0};
        return 1;
    }
    if (stages == 2) {
        lambda[0] = (number){0.25, sqrt(1.0 / 48.0)};
        return 1;
    }
    double x = 0.2;
    for (int k = 0; k < 50; k++)
        x -= (((x - 0.5) * x + 0.1) * x - 1.0 / 120.0) / ((3.0 * x - 1.0) * x + 0.1);
    const double sum = 0.5 - x, product = 1.0 / (120.0 * x);
    lambda[0] = (number){x, 0.0};
    lambda[1] = (number){0.5 * sum, sqrt(product - 0.25 * sum * sum)};
    return 2;
}

void wy_time_basis_make(wy_time_basis *t, int s) {
    memset(t, 0, sizeof *t);
    t->stages = s;
    gauss(t->c, t->b, s);
    /* A_ij = integral of the Lagrange polynomial of c_j from 0 to c_i, by the Gauss rule itself */
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            for (int k = 0; k < s; k++) {
                double value, slope;
                lagrange(&value, &slope, t->c, s, j, t->c[i] * t->c[k]);
                t->A[i][j] += t->c[i] * t->b[k] * value;
            }
    /* The collocation polynomial through y (at 0) and the Y_i, at 1. */
    double at[WY_STAGES_MAX + 1] = {0.0};
    memcpy(at + 1, t->c, sizeof t->c);
    for (int i = 0; i < s; i++) {
        double slope;
        lagrange(&t->last[i], &slope, at, s + 1, i + 1, 1.0);
    }
    number lambda[2];
    t->roots = eigenvalues(lambda, s);
    for (int e = 0; e < t->roots; e++) {
        number l[3] = {{0.0, 0.0}}, r[3] = {{0.0, 0.0}}, dot = {0.0, 0.0};
        null_vector(l, t->A, s, lambda[e], true);
        null_vector(r, t->A, s, lambda[e], false);
        for (int i = 0; i < s; i++) {
            const number x = times(l[i], r[i]);
            dot.r += x.r;
            dot.i += x.i;
        }
        t->complex[e] = lambda[e].i != 0.0;
        t->lambda[e][0] = lambda[e].r;
        t->lambda[e][1] = lambda[e].i;
        for (int i = 0; i < s; i++) {
            r[i] = over(r[i], dot);
            const double twice = t->complex[e] ? 2.0 : 1.0;
            t->left[e][i][0] = l[i].r;
            t->left[e][i][1] = l[i].i;
            t->right[e][i][0] = twice * r[i].r;
            t->right[e][i][1] = twice * r[i].i;
        }
    }
}
