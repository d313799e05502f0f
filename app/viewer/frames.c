/* Thinning and packing. Scalars stay doubles; what lies along the rod becomes floats or, in long runs, 16 bits between
 * the least and the largest number of each column of each frame: x = least + step k, 0 <= k <= 65535. */
#include "frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { MOST_ROWS = 400, STRIP_NUMBERS = 1 << 16, SMALL_BYTES = 4 << 20 };

/* Whether a channel lies along the rod: a table, or a list with a number for each node. */
static bool along(const wy_recording *r, const wy_channel *c) {
    if (c->rank == 2)
        return true;
    if (c->rank == 0 || !c->group)
        return false;
    for (size_t i = 0; i < r->channel_count; i++)
        if (strcmp(r->channels[i].name, "position") == 0 && r->channels[i].rank == 2)
            return c->dims[0] == r->channels[i].dims[0] && c->dims[0] > 4;
    return strcmp(c->group, "state") == 0 && c->dims[0] > 4;
}

static frames_shape shape_of(const wy_recording *r, const wy_channel *c, bool small) {
    frames_shape f = {.rows = 1, .row_stride = 1, .columns = wy_channel_size(c), .code = FRAMES_F8};
    if (!along(r, c))
        return f;
    f.columns = c->rank == 2 ? c->dims[1] : 1;
    f.rows = c->dims[0];
    if (f.rows > MOST_ROWS) {
        f.row_stride = (f.rows - 1 + MOST_ROWS - 1) / MOST_ROWS;
        f.rows = (f.rows - 1 + f.row_stride - 1) / f.row_stride + 1; /* the last row is among them */
    }
    f.code = small ? FRAMES_F4 : FRAMES_U2;
    return f;
}

frames_shape frames_shape_of(const wy_recording *r, size_t channel, const frames_plan *plan) {
    return shape_of(r, &r->channels[channel], plan->small);
}

/* Bytes of one frame, before base64. */
static double frame_bytes(const wy_recording *r, bool small) {
    double bytes = 0.0;
    for (size_t i = 0; i < r->channel_count; i++) {
        const frames_shape f = shape_of(r, &r->channels[i], small);
        const double width = f.code == FRAMES_F8 ? 8.0 : f.code == FRAMES_F4 ? 4.0 : 2.0;
        bytes += width * (double)f.rows * (double)f.columns + (f.code == FRAMES_U2 ? 8.0 * (double)f.columns : 0.0);
    }
    return bytes;
}

frames_plan frames_choose(const wy_recording *r, size_t first, size_t end, size_t most) {
    frames_plan p = {.first = first, .end = end, .stride = 1};
    const double frames = (double)(end - first);
    p.small = frames * frame_bytes(r, true) <= SMALL_BYTES;
    const double fitting = (double)most * 0.75 / frame_bytes(r, p.small); /* base64: 4 letters for 3 bytes */
    if (frames > fitting)
        p.stride = (size_t)ceil(frames / fmax(fitting, 2.0));
    p.count = end > first ? (end - first - 1 + p.stride - 1) / p.stride + 1 : 0;
    return p;
}

size_t frames_at(const frames_plan *p, size_t i) {
    const size_t at = p->first + i * p->stride;
    return at < p->end ? at : p->end - 1;
}

/* One frame of a channel, thinned to the rows that are taken. */
static void pick_rows(double *to, const double *from, const wy_channel *c, const frames_shape *f) {
    const size_t all = wy_channel_size(c) / (f->columns ? f->columns : 1);
    for (size_t i = 0; i < f->rows; i++) {
        const size_t row = i * f->row_stride < all ? i * f->row_stride : all - 1;
        memcpy(to + i * f->columns, from + row * f->columns, f->columns * sizeof *to);
    }
}

/* Least number and step of a column, as they will be read: floats. */
static void scale_of(float scale[2], const double *x, const frames_shape *f, size_t column) {
    double low = x[column], high = low;
    for (size_t i = 1; i < f->rows; i++) {
        low = fmin(low, x[i * f->columns + column]);
        high = fmax(high, x[i * f->columns + column]);
    }
    scale[0] = (float)low;
    scale[1] = (float)((high - low) / 65535.0);
}

/* `scale` has room for a pair for each column. */
static void put_frame(base64 *b, const double *x, const frames_shape *f, bool scales, float *scale) {
    const size_t size = f->rows * f->columns;
    if (f->code == FRAMES_F8)
        base64_add(b, x, size * sizeof *x);
    for (size_t k = 0; k < size && f->code == FRAMES_F4; k++) {
        const float number = (float)x[k];
        base64_add(b, &number, sizeof number);
    }
    if (f->code != FRAMES_U2)
        return;
    for (size_t k = 0; k < f->columns; k++)
        scale_of(scale + 2 * k, x, f, k);
    if (scales)
        base64_add(b, scale, 2 * f->columns * sizeof *scale);
    for (size_t k = 0; k < size && !scales; k++) {
        const float *of = scale + 2 * (k % f->columns);
        const double step = of[1] > 0.0f ? of[1] : 1.0;
        const uint16_t n = (uint16_t)fmin(65535.0, fmax(0.0, round((x[k] - of[0]) / step)));
        base64_add(b, &n, sizeof n);
    }
}

wy_status frames_write(FILE *out, const wy_recording *r, size_t channel, const frames_plan *p, bool scales,
                       wy_error *err) {
    const wy_channel *c = &r->channels[channel];
    const frames_shape f = frames_shape_of(r, channel, p);
    const size_t size = wy_channel_size(c);
    const size_t strip = size && STRIP_NUMBERS / size ? STRIP_NUMBERS / size : 1;
    double *values = calloc(strip * size + f.rows * f.columns + 1, sizeof *values);
    float *scale = calloc(2 * f.columns + 1, sizeof *scale);
    if (!values || !scale) {
        free(values);
        free(scale);
        return wy_fail(err, WY_NO_MEMORY, "no memory to read '%s'", c->name);
    }
    double *picked = values + strip * size;
    base64 b = {.out = out};
    wy_status s = WY_OK;
    size_t from = 0, until = 0; /* the frames in `values` */
    for (size_t i = 0; i < p->count && !s; i++) {
        const size_t at = frames_at(p, i);
        if (at >= until) {
            from = at;
            until = at + (p->stride < strip ? strip : 1);
            until = until < p->end ? until : p->end;
            s = wy_recording_read(r, channel, from, until - from, values, err);
        }
        if (s)
            break;
        pick_rows(picked, values + (at - from) * size, c, &f);
        put_frame(&b, picked, &f, scales, scale);
    }
    base64_end(&b);
    free(scale);
    free(values);
    return s;
}
