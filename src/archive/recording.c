/* Reading an archive back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <withy/archive.h>

#include "archive/h5.h"

struct wy_recording_store {
    wy_arena *arena;
    hid_t file;
};

static wy_status not_ours(const char *path, const char *why, wy_error *err) {
    return wy_fail(err, WY_CANNOT_READ, "'%s' is not an archive of withy: %s", path, why);
}

/* More numbers in one frame than any run writes: a damaged head must not ask for memory that is not there, nor wrap around. */
enum { MOST_NUMBERS = 1 << 28 };

/* One dataset as a channel; false if it does not look like one. */
static bool read_channel(wy_recording *r, const char *path, wy_channel *c, size_t *frames) {
    wy_arena *arena = r->store->arena;
    const char *slash = strrchr(path, '/');
    c->name = slash ? slash + 1 : path;
    c->group = slash ? wy_arena_text(arena, path, (size_t)(slash - path)) : NULL;
    const hid_t set = H5Dopen2(r->store->file, path, H5P_DEFAULT);
    if (set < 0)
        return false;
    c->unit = wy_h5_get_text(set, "unit", arena);
    c->doc = wy_h5_get_text(set, "description", arena);
    c->panel = wy_h5_get_text(set, "panel", arena);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const H5T_class_t class = H5Tget_class(type);
    c->whole = class == H5T_INTEGER;
    hsize_t dims[1 + WY_CHANNEL_RANK] = {0};
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool good = (class == H5T_INTEGER || class == H5T_FLOAT) && rank >= 1 && rank <= 1 + WY_CHANNEL_RANK &&
                      H5Sget_simple_extent_dims(space, dims, NULL) == rank;
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    if (!good || !c->unit || !c->doc)
        return false;
    c->rank = (size_t)rank - 1;
    size_t room = MOST_NUMBERS;
    for (size_t i = 0; i < c->rank; i++) {
        if (dims[1 + i] > room)
            return false;
        c->dims[i] = (size_t)dims[1 + i];
        room /= c->dims[i] ? c->dims[i] : 1;
    }
    *frames = (size_t)dims[0];
    return true;
}

static wy_status read_channels(wy_recording *r, const char *list, wy_error *err) {
    wy_arena *arena = r->store->arena;
    size_t count = 1;
    for (const char *p = list; *p; p++)
        count += *p == '\n';
    wy_channel *channels = wy_arena_take(arena, count * sizeof *channels);
    if (!channels)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu channels", count);
    const char *at = list;
    for (size_t i = 0; i < count; i++) {
        const size_t n = strcspn(at, "\n");
        const char *path = wy_arena_text(arena, at, n);
        size_t frames = 0;
        if (!path)
            return wy_fail(err, WY_NO_MEMORY, "no memory for %zu channels", count);
        if (!read_channel(r, path, &channels[i], &frames)) {
            char why[200];
            snprintf(why, sizeof why, "channel '%.100s' is missing or damaged", path);
            return not_ours(r->path, why, err);
        }
        if (i == 0 && channels[0].rank != 0)
            return not_ours(r->path, "its axis is not one number a frame", err);
        if (i == 0)
            r->frames = frames;
        if (frames != r->frames) {
            char why[200];
            snprintf(why, sizeof why, "channel '%.100s' has %zu frames, the axis has %zu", path, frames, r->frames);
            return not_ours(r->path, why, err);
        }
        at += n + 1;
    }
    r->channels = channels;
    r->channel_count = count;
    return WY_OK;
}

static wy_status read_head(wy_recording *r, wy_error *err) {
    const hid_t file = r->store->file;
    wy_arena *arena = r->store->arena;
    r->version = wy_h5_get_text(file, "withy_version", arena);
    r->kind = wy_h5_get_text(file, "kind", arena);
    r->title = wy_h5_get_text(file, "title", arena);
    r->scenario = wy_h5_get_text(file, "scenario", arena);
    r->overrides = wy_h5_get_text(file, "overrides", arena);
    r->outcome = wy_h5_get_text(file, "outcome", arena);
    const char *list = wy_h5_get_text(file, "channels", arena);
    if (!r->version || !r->kind || !r->title || !r->scenario || !r->overrides || !r->outcome || !list)
        return not_ours(r->path, "its attributes are missing", err);
    return read_channels(r, list, err);
}

wy_status wy_recording_open(wy_recording **recording, const char *path, wy_error *err) {
    *recording = NULL;
    wy_arena *arena = wy_arena_create();
    wy_recording *r = arena ? wy_arena_take(arena, sizeof *r) : NULL;
    struct wy_recording_store *store = r ? wy_arena_take(arena, sizeof *store) : NULL;
    if (!store || !(r->path = wy_arena_text(arena, path, strlen(path)))) {
        wy_arena_free(arena);
        return wy_fail(err, WY_NO_MEMORY, "no memory to open '%s'", path);
    }
    r->store = store;
    store->arena = arena;
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
    wy_status s;
    store->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (store->file < 0) {
        char reason[200];
        if (access(path, R_OK) != 0)
            s = wy_fail(err, WY_CANNOT_READ, "cannot open '%s': no such file, or not readable", path);
        else
            s = wy_fail(err, WY_CANNOT_READ, "cannot open '%s' as HDF5: %s", path, wy_h5_reason(reason, sizeof reason));
    } else {
        s = read_head(r, err);
    }
    wy_h5_restore(&quiet);
    if (s) {
        wy_recording_free(r);
        return s;
    }
    *recording = r;
    return WY_OK;
}

void wy_recording_free(wy_recording *recording) {
    if (!recording)
        return;
    if (recording->store->file >= 0)
        H5Fclose(recording->store->file);
    wy_arena_free(recording->store->arena);
}

wy_status wy_recording_read(const wy_recording *r, size_t channel, size_t first, size_t count, double *values,
                            wy_error *err) {
    const wy_channel *c = &r->channels[channel];
    if (first > r->frames || count > r->frames - first)
        return wy_fail(err, WY_BAD_INPUT, "frames %zu to %zu of '%s' asked for, and there are %zu", first,
                       first + count, c->name, r->frames);
    if (count == 0)
        return WY_OK;
    char path[256];
    snprintf(path, sizeof path, "%s%s%s", c->group ? c->group : "", c->group ? "/" : "", c->name);
    hsize_t start[1 + WY_CHANNEL_RANK] = {first}, block[1 + WY_CHANNEL_RANK] = {count};
    for (size_t i = 0; i < c->rank; i++)
        block[1 + i] = c->dims[i];
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
    const hid_t set = H5Dopen2(r->store->file, path, H5P_DEFAULT);
    const hid_t there = H5Dget_space(set), here = H5Screate_simple((int)c->rank + 1, block, NULL);
    const bool good = set >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
                      H5Dread(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values) >= 0;
    wy_status s = WY_OK;
    if (!good) {
        char reason[200];
        s = wy_fail(err, WY_CANNOT_READ, "cannot read '%s' of '%s': %s", c->name, r->path,
                    wy_h5_reason(reason, sizeof reason));
    }
    /* a run writes only finite numbers, so another is damage */
    const size_t size = wy_channel_size(c);
    for (size_t i = 0; i < count * size && !s; i++)
        if (!isfinite(values[i]))
            s = wy_fail(err, WY_CANNOT_READ, "'%s' of '%s' is damaged: component %zu is %g in frame %zu", c->name,
                        r->path, i % size, values[i], first + i / size);
    H5Sclose(here);
    if (there >= 0)
        H5Sclose(there);
    if (set >= 0)
        H5Dclose(set);
    wy_h5_restore(&quiet);
    return s;
}

wy_status wy_recording_find(size_t *channel, const wy_recording *r, const char *name, wy_error *err) {
    wy_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        char path[256];
        snprintf(path, sizeof path, "%s/%s", c->group ? c->group : "", c->name);
        if (strcmp(c->name, name) == 0 || strcmp(path, name) == 0) {
            *channel = i;
            return WY_OK;
        }
        wy_nearest_offer(&nearest, c->name);
    }
    if (nearest.best)
        return wy_fail(err, WY_BAD_INPUT, "'%s' has no channel '%s'; did you mean '%s'?", r->path, name, nearest.best);
    return wy_fail(err, WY_BAD_INPUT, "'%s' has no channel '%s' (see `withy info`)", r->path, name);
}

wy_status wy_recording_drift(double *largest, const wy_recording *r, size_t channel, wy_error *err) {
    enum { STRIP_NUMBERS = 1 << 16 };
    const size_t size = wy_channel_size(&r->channels[channel]);
    const size_t strip = size && STRIP_NUMBERS / size ? STRIP_NUMBERS / size : 1;
    double *first = calloc((strip + 1) * (size + 1), sizeof *first), *values = first ? first + size : NULL;
    *largest = 0.0;
    if (!first)
        return wy_fail(err, WY_NO_MEMORY, "no memory to read '%s'", r->channels[channel].name);
    wy_status s = r->frames ? wy_recording_read(r, channel, 0, 1, first, err) : WY_OK;
    for (size_t at = 0; at < r->frames && !s; at += strip) {
        const size_t rows = r->frames - at < strip ? r->frames - at : strip;
        s = wy_recording_read(r, channel, at, rows, values, err);
        for (size_t i = 0; i < rows * size && !s; i++)
            *largest = fmax(*largest, fabs(values[i] - first[i % size]));
    }
    free(first);
    return s;
}
