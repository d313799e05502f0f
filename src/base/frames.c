/* Frames in memory: one growing array for each channel. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <withy/frames.h>

#include "base/given.h"

typedef struct column {
    double *values;
    size_t size; /* numbers in a frame */
} column;

struct wy_frames {
    wy_sink sink;
    void *context;
    bool (*progress)(void *context, double fraction);
    void (*note)(void *context, const char *text), (*warning)(void *context, const char *text);
    wy_channel *channels;
    column *columns;
    size_t channel_count, count, capacity;
};

static void clear(wy_frames *f) {
    for (size_t i = 0; i < f->channel_count; i++)
        free(f->columns[i].values);
    free(f->columns);
    free(f->channels);
    f->columns = NULL;
    f->channels = NULL;
    f->channel_count = f->count = f->capacity = 0;
}

static wy_status begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    wy_frames *f = context;
    clear(f);
    f->channels = calloc(count ? count : 1, sizeof *f->channels);
    f->columns = calloc(count ? count : 1, sizeof *f->columns);
    if (!f->channels || !f->columns)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu channels", count);
    memcpy(f->channels, channels, count * sizeof *channels);
    f->channel_count = count;
    for (size_t i = 0; i < count; i++)
        f->columns[i].size = wy_channel_size(&channels[i]);
    return WY_OK;
}

static wy_status grow(wy_frames *f, wy_error *err) {
    const size_t capacity = f->capacity ? 2 * f->capacity : 16;
    for (size_t i = 0; i < f->channel_count; i++) {
        column *c = &f->columns[i];
        double *more = c->size && capacity > SIZE_MAX / sizeof *more / c->size
                           ? NULL
                           : realloc(c->values, (c->size ? c->size : 1) * capacity * sizeof *more);
        if (!more)
            return wy_fail(err, WY_NO_MEMORY, "no memory for %zu frames of '%s' (%zu numbers each)", capacity,
                           f->channels[i].name, c->size);
        c->values = more;
    }
    f->capacity = capacity;
    return WY_OK;
}

static wy_status frame(void *context, const double *const *values, wy_error *err) {
    wy_frames *f = context;
    if (f->count == f->capacity) {
        const wy_status s = grow(f, err);
        if (s)
            return s;
    }
    for (size_t i = 0; i < f->channel_count; i++) {
        const size_t size = f->columns[i].size;
        memcpy(f->columns[i].values + f->count * size, values[i], size * sizeof **values);
    }
    f->count++;
    return WY_OK;
}

static bool progress(void *context, double fraction) {
    const wy_frames *f = context;
    return f->progress && f->progress(f->context, fraction);
}

static void note(void *context, const char *text) {
    const wy_frames *f = context;
    if (f->note)
        f->note(f->context, text);
}

static void warning(void *context, const char *text) {
    const wy_frames *f = context;
    f->warning(f->context, text);
}

wy_status wy_frames_create(wy_frames **frames, bool (*on_progress)(void *context, double fraction),
                           void (*on_note)(void *context, const char *text), void *context, wy_error *err) {
    if (!frames)
        return wy_fail(err, WY_BAD_INPUT, "nowhere to put frames: NULL");
    wy_frames *f = calloc(1, sizeof *f);
    *frames = f;
    if (!f)
        return wy_fail(err, WY_NO_MEMORY, "no memory to keep frames");
    f->context = context;
    f->progress = on_progress;
    f->note = on_note;
    f->sink = (wy_sink){.context = f, .begin = begin, .frame = frame, .progress = progress, .note = note};
    return WY_OK;
}

void wy_frames_on_warning(wy_frames *frames, void (*on_warning)(void *context, const char *text)) {
    frames->warning = on_warning;
    frames->sink.warning = on_warning ? warning : NULL;
}

void wy_frames_free(wy_frames *frames) {
    if (frames)
        clear(frames);
    free(frames);
}

const wy_sink *wy_frames_sink(wy_frames *frames) {
    return &frames->sink;
}

size_t wy_frames_count(const wy_frames *frames) {
    return frames->count;
}

size_t wy_frames_channels(const wy_channel **channels, const wy_frames *frames) {
    *channels = frames->channels;
    return frames->channel_count;
}

wy_status wy_frames_values(const double **values, size_t *size, const wy_frames *frames, const char *name,
                           wy_error *err) {
    WY_GIVEN(values && frames && name, err);
    size_t i;
    const wy_status s = wy_channel_find(&i, frames->channels, frames->channel_count, name, err);
    if (s)
        return s;
    *values = frames->columns[i].values;
    if (size)
        *size = frames->columns[i].size;
    return WY_OK;
}
