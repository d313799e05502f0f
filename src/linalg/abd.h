/* Linear systems of two-point boundary-value problems: almost block diagonal, with a border.
 *
 *   B_left y_0                + b_left mu   = r_left          left rows
 *   y_{i+1} - T_i y_i         + b_i mu      = t_i             i = 0 .. elements-1, dim rows each
 *   B_right y_N               + b_right mu  = r_right         right rows
 *   sum_i c_i y_i             + d mu        = r_bottom        bottom rows: an arclength condition, an integral ...
 *
 * with left + right + bottom = dim + (number of mu). Gaussian elimination with row pivoting in a window of left + dim
 * rows: O(N), and stable where the product of the T_i (shooting) is not. The window always has a pivot, because y_{i+1}
 * has a unit matrix; singularity of the whole appears only in the last, small system, which includes the bottom rows. A
 * system that is regular with its border is therefore solved accurately even where it is singular without it: at a
 * fold. */
#ifndef WY_ABD_H
#define WY_ABD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wy_abd {
    size_t dim, elements, left, right, border;
    size_t columns; /* right-hand sides solved at once */
    size_t bottom;
} wy_abd;

/* The matrices, row major. A border that is NULL is zero. */
typedef struct wy_abd_parts {
    const double *left_B, *left_b, *left_r;       /* left x dim, x border, x columns */
    const double *T, *t_b, *t;                    /* elements x dim x dim, x border, x columns */
    const double *right_B, *right_b, *right_r;    /* right x dim, x border, x columns */
    const double *bottom_c, *bottom_d, *bottom_r; /* bottom x (elements+1) x dim, x border, x columns */
} wy_abd_parts;

/* The determinant: its sign, up to a factor that depends on the shape alone, and its magnitude. */
typedef struct wy_abd_determinant {
    int sign;
    double log; /* natural logarithm of |det| */
} wy_abd_determinant;

/* Doubles of scratch that a solve needs. */
size_t wy_abd_work(const wy_abd *shape);

/* Solves the system. y: (elements+1) x dim x columns, mu: border x columns. `det` may be NULL. Returns false if the
 * matrix is singular to working precision. */
bool wy_abd_solve_parts(const wy_abd *shape, const wy_abd_parts *parts, double *y, double *mu, wy_abd_determinant *det,
                        double *work);

/* The same if the border is in the right rows only and there are no bottom rows. */
bool wy_abd_solve(const wy_abd *shape, const double *left_B, const double *left_r, const double *T, const double *t,
                  const double *right_B, const double *right_b, const double *right_r, double *y, double *mu,
                  double *work);

#endif
