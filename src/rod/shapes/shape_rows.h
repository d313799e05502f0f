/* Shared by shapes given in rows. */
#ifndef WY_SHAPE_ROWS_H
#define WY_SHAPE_ROWS_H

#include <withy/rod.h>

/* Rows of seven numbers on the rod, with a positive stretch. */
wy_status wy_shape_rows_check(const wy_samples *rows, double length, const char *name, wy_error *err);

/* s of the first row after s. */
double wy_shape_rows_next(const wy_samples *rows, double s);

#endif
