/* A space drawn on a page: the view, the projection, and the box with its scales. Internal to src/draw. */
#ifndef WY_SPACE_H
#define WY_SPACE_H

#include <stdio.h>

#include <withy/report.h>

/* Seen from a little above: u goes to the right and v up,
 *   u = cos(a) A + sin(a) B,   v = cos(e) C + sin(e) (cos(a) B - sin(a) A),
 * where C is the axis that points up and A, B are the other two, right-handed. */
typedef struct space_view {
    int axis[3];            /* which of x, y, z is A, B, C */
    double sign[3];         /* 1, or -1 where the axis points the other way */
    double low[3], high[3]; /* the box, in x, y, z */
    double cos_a, sin_a, cos_e, sin_e;
} space_view;

/* Chooses the view by the extent of what is to be seen: its longest horizontal direction lies nearly across the
 * page. */
void wy_space_choose(space_view *view, const wy_figure *figure);

/* u and v of a point, in the figure's units. */
void wy_space_project(double uv[2], const space_view *view, const double p[3]);

/* The corners of the box on the page: the least and the largest u and v. */
void wy_space_extent(double low[2], double high[2], const space_view *view);

#endif
