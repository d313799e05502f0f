/* The numbers of an archive, thinned and packed for a page. */
#ifndef WITHY_VIEWER_FRAMES_H
#define WITHY_VIEWER_FRAMES_H

#include <stdio.h>

#include <withy/io.h>

/* How a channel's numbers are written, row by row of each frame. */
typedef enum frames_code {
    FRAMES_F8, /* doubles */
    FRAMES_F4, /* floats */
    FRAMES_U2  /* 16 bits between the least and the largest number of each column of each frame */
} frames_code;

/* Which frames and rows are taken, and how. */
typedef struct frames_plan {
    size_t first, end, stride, count; /* frames first, first + stride ..., and the last one before `end` */
    bool small;                       /* few enough for floats */
} frames_plan;

/* Takes all frames of [first, end) if they fit into about `most` bytes of text, else every so many. */
frames_plan frames_choose(const wy_recording *recording, size_t first, size_t end, size_t most);

/* The i-th frame of a plan. */
size_t frames_at(const frames_plan *plan, size_t i);

/* The shape of a channel on the page: rows taken (of a table along the rod), their distance, numbers in each row. */
typedef struct frames_shape {
    size_t rows, row_stride, columns;
    frames_code code;
} frames_shape;
frames_shape frames_shape_of(const wy_recording *recording, size_t channel, const frames_plan *plan);

/* Writes a channel as base64; with FRAMES_U2 only the numbers, and their `least, step` pairs by frames_scales. */
wy_status frames_write(FILE *out, const wy_recording *recording, size_t channel, const frames_plan *plan, bool scales,
                       wy_error *err);

#endif
