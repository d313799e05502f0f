/* Figures to pictures, for those who draw many. Internal to src/draw. */
#ifndef WY_GNUPLOT_H
#define WY_GNUPLOT_H

#include <stdio.h>

#include <withy/draw.h>

/* Appends the figures to an open file as one PNG of the page's own size, 1000 pixels wide and an even number high.
 * `name` stands in errors. */
wy_status wy_gnuplot_append_png(FILE *picture, const wy_figure *const *figures, size_t count, const char *name,
                                wy_error *err);

#endif
