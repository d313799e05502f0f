/* Gauss and Gauss-Lobatto points and Lagrange polynomials, from their definitions in long double: the energy balance
 * of a million steps shows the last bit of a weight. */
#include "element/element_basis.h"

#include <math.h>
#include <string.h>

#include "element/polynomials.h"
#include "math/constants.h"
#include "math/elementary.h"

typedef long double real;
/* Where Newton's iterations for the points begin. */
static real first_cos(real x) {
    return (real)wy_cos((double)x);
}

static const real pi = WY_PI_LONG;

/* Legendre's P_n and P_(n-1) at x. */
static void legendre(real *value, real *before, int n, real x) {
    real p0 = 1.0L, p1 = x;
    for (int k = 2; k <= n; k++) {
        const real p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
    }
    *value = n == 0 ? 1.0L : p1;
    *before = p0;
}

/* Roots of P_n. */
void wy_gauss_points(real *x, real *w, int n) {
    for (int i = 0; i < n; i++) {
        real t = -first_cos(pi * (i + 0.75L) / (n + 0.5L)), value, before, slope = 1.0L;
        for (int k = 0; k < 60; k++) {
            legendre(&value, &before, n, t);
            slope = n * (t * value - before) / (t * t - 1.0L);
            t -= value / slope;
        }
        if (2 * i + 1 == n)
            t = 0.0L;
        legendre(&value, &before, n, t);
        slope = n * (t * value - before) / (t * t - 1.0L);
        x[i] = 0.5L * (1.0L + t);
        w[i] = 1.0L / ((1.0L - t * t) * slope * slope);
    }
}

/* Gauss-Lobatto points on [0, 1]: the ends and the roots of P_n', n + 1 in all. */
static void lobatto(real *x, real *w, int n) {
    for (int i = 0; i <= n; i++) {
        real t = -first_cos(pi * i / n), value, before;
        for (int k = 0; k < 100 && i > 0 && i < n; k++) {
            legendre(&value, &before, n, t);
            t -= (t * value - before) / ((n + 1) * value);
        }
        if (2 * i == n)
            t = 0.0L;
        if (i == 0 || i == n)
            t = i == 0 ? -1.0L : 1.0L;
        legendre(&value, &before, n, t);
        x[i] = 0.5L * (1.0L + t);
        w[i] = 1.0L / (n * (n + 1) * value * value);
    }
}

void wy_lagrange(real *value, real *slope, const real *at, int n, int i, real x) {
    *value = 1.0L;
    *slope = 0.0L;
    for (int k = 0; k < n; k++) {
        if (k == i)
            continue;
        const real d = 1.0L / (at[i] - at[k]);
        *slope = *slope * (x - at[k]) * d + *value * d;
        *value *= (x - at[k]) * d;
    }
}

void wy_element_basis_make(wy_element_basis *b, int P, double h) {
    memset(b, 0, sizeof *b);
    b->P = P;
    b->groups = (P + WY_ELEMENT_LANES - 1) / WY_ELEMENT_LANES;
    real node[WY_ELEMENT_DEGREE + 1], node_weight[WY_ELEMENT_DEGREE + 1], point[WY_ELEMENT_DEGREE],
        weight[WY_ELEMENT_DEGREE];
    real value, slope, before;
    lobatto(node, node_weight, P);
    wy_gauss_points(point, weight, P);
    for (int g = 0; g < P; g++) {
        b->point[g] = (double)point[g];
        b->point_weight[g] = (double)weight[g];
        b->W[g / WY_ELEMENT_LANES][g % WY_ELEMENT_LANES] = (double)(weight[g] * (real)h);
        for (int j = 0; j <= P; j++) {
            wy_lagrange(&value, &slope, node, P + 1, j, point[g]);
            b->N[g / WY_ELEMENT_LANES][j][g % WY_ELEMENT_LANES] = (double)value;
            b->D[g / WY_ELEMENT_LANES][j][g % WY_ELEMENT_LANES] = (double)(slope / (real)h);
            b->N_at[g][j] = (double)value;
            b->D_at[g][j] = (double)(slope / (real)h);
        }
    }
    for (int i = 0; i <= P; i++) {
        b->node[i] = (double)node[i];
        b->node_weight[i] = (double)node_weight[i];
        for (int j = 0; j <= P; j++) {
            wy_lagrange(&value, &slope, node, P + 1, j, node[i]);
            b->slope[i][j] = (double)(slope / (real)h);
        }
        legendre(&value, &before, P, 2.0L * node[i] - 1.0L);
        b->hourglass[i] = (double)(sqrtl((real)P) * node_weight[i] * value);
    }
}

static void polynomials(double *weight, const double *at, int n, double x) {
    real point[WY_ELEMENT_DEGREE + 1], value, slope;
    for (int i = 0; i < n; i++)
        point[i] = (real)at[i];
    for (int i = 0; i < n; i++) {
        wy_lagrange(&value, &slope, point, n, i, (real)x);
        weight[i] = (double)value;
    }
}

void wy_element_basis_nodal(double *weight, const wy_element_basis *b, double x) {
    polynomials(weight, b->node, b->P + 1, x);
}

void wy_element_basis_points(double *weight, const wy_element_basis *b, double x) {
    polynomials(weight, b->point, b->P, x);
}
