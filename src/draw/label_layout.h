/* Labels beside points, so that none lies on another. Internal to src/draw. */
#ifndef WY_LABEL_LAYOUT_H
#define WY_LABEL_LAYOUT_H

#include "draw/page.h"

typedef struct label_box {
    const char *text;
    double point[2]; /* pixels: what it names */
    double box[4];   /* pixels: left, top, right, bottom of the text */
} label_box;

/* Where the labels of a panel's WY_NAMED and WY_MARKS curves go; `count` of them, to be freed by the caller; NULL
 * with count 0 where there are none, or no memory (`err` says). */
wy_status wy_label_layout(label_box **label_boxes, size_t *count, const panel *p, wy_error *err);

#endif
