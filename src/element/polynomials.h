/* Gauss points and Lagrange's polynomials in long double. */
#ifndef WY_POLYNOMIALS_H
#define WY_POLYNOMIALS_H

/* The n Gauss points on [0, 1] and their weights. */
void wy_gauss_points(long double *x, long double *w, int n);

/* Lagrange's polynomial of point i of n at x, and its derivative. */
void wy_lagrange(long double *value, long double *slope, const long double *at, int n, int i, long double x);

#endif
