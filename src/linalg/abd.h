/* Linear systems of two-point boundary-value problems: almost block diagonal, with a border.
 *
 *   B_left y_0                       = r_left          left rows
 *   y_{i+1} - T_i y_i                = t_i             i = 0 .. elements-1, dim rows each
 *   B_right y_N + border mu          = r_right         right rows
 *
 * with left + right = dim + (number of mu). Gaussian elimination with row pivoting in a window of left + dim rows:
 * O(N), and stable where multiplying the T_i together (shooting) is not. */
#ifndef WY_ABD_H
#define WY_ABD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wy_abd {
    size_t dim, elements, left, right, border;
    size_t columns; /* right-hand sides solved at once */
} wy_abd;

/* Doubles of scratch that a solve needs. */
size_t wy_abd_work(const wy_abd *shape);

/* Solves; all matrices are row major. left_B: left x dim, left_r: left x columns, T: elements x dim x dim, t: elements
 * x dim x columns, right_B: right x dim, right_b: right x border, right_r: right x columns. y: (elements+1) x dim x
 * columns, mu: border x columns. Returns false where the matrix is singular to working precision. */
bool wy_abd_solve(const wy_abd *shape, const double *left_B, const double *left_r, const double *T, const double *t,
                  const double *right_B, const double *right_b, const double *right_r, double *y, double *mu,
                  double *work);

#endif
