/* Where everything of a picture goes, in pixels, before gnuplot is told. Internal to src/draw. */
#ifndef WY_PAGE_H
#define WY_PAGE_H

#include <withy/draw.h>

#include "draw/space.h"

enum { PAGE_WIDTH = 1000, LINE_HEIGHT = 18, CHARACTER = 8 /* width of a letter, on the safe side */ };

/* One figure on the page. Pixels from the left and from the TOP of the page. */
typedef struct panel {
    const wy_figure *figure;
    bool empty;                   /* nothing but notes, or nothing at all */
    int x, y, width, height;      /* all of it */
    int left, right, top, bottom; /* the edges of the axes */
    int heading;                  /* height of the line above */
    int keys;                     /* entries of the legend */
    int key_width, key_rows, key_columns;
    bool key_below;
    double low[2], high[2]; /* what the axes show: of x and y, or of the projection of a space */
    space_view view;        /* a space */
} panel;

typedef struct page {
    int width, height;
    size_t count;
    panel *panels;
} page;

/* Lays the figures out: from left to right while there is room, then from top to bottom. Free with wy_page_free. */
wy_status wy_page_lay_out(page *made, const wy_figure *const *figures, size_t count, wy_error *err);
void wy_page_free(page *made);

/* The pixel of a point of a curve. */
void wy_page_pixel(double pixel[2], const panel *p, double x, double y, double z);

/* Whether the curve has a line in the legend. */
bool wy_page_in_key(const wy_curve *curve);

/* A step of 1, 2 or 5 times a power of ten that divides `span` into about `wanted` parts. */
double wy_page_nice_step(double span, double wanted);

#endif
