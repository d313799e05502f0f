/* Writing a run to HDF5 so that the file under its name is whole at every moment.
 *
 * HDF5 itself does not promise that a file survives a kill in the middle of a write, and its single-writer mode leaves a
 * mark that plain readers refuse. So no visible file is ever written to. There are two files: RUN.h5, which readers see,
 * and RUN.h5.part. A flush appends the new frames to the hidden one, closes it, forces it to the disk and exchanges the two
 * names in one system call; what was visible becomes the next hidden file. The hidden file is then one flush behind, so
 * frames stay in memory until both have them. The cost of a flush does not depend on the length of the file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <withy/archive.h>
#include <withy/version.h>

#include "archive/h5.h"
#include "archive/safe_file.h"

enum { CHUNK_BYTES = 32 * 1024, MOST_BUFFERED = 16 * 1024 * 1024, FORMAT = 1 };

struct wy_archive {
    char *path, *hidden;
    const wy_scenario *scenario;
    wy_archive_options options;
    wy_sink sink;
    wy_channel *channels;             /* a copy: the last flush comes after the run has ended */
    size_t channel_count, frame_size; /* numbers in a frame */
    size_t *offsets;                  /* of each channel in a frame */
    /* frames first_kept .. frames-1 are in the buffer */
    double *buffer;
    size_t room, first_kept, frames;
    size_t visible_frames, hidden_frames; /* what each file holds */
    bool visible_exists, hidden_exists;
    int visible_claim, hidden_claim; /* descriptors that keep other writers away; -1: none */
    bool broken; /* a write failed: HDF5 may hold on to the hidden file, and what it says of it is no longer true */
    double last_flush;
    char *kept; /* what the run needs to go on from the last frame */
    size_t kept_size, kept_room;
    char *resume_from; /* the same of the run before, while this one takes it up */
    bool resumed;      /* and not flushed since */
};

static void drop_claim(int *descriptor) {
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static void discard(wy_archive *a) {
    drop_claim(&a->visible_claim);
    drop_claim(&a->hidden_claim);
    free(a->path);
    free(a->hidden);
    free(a->channels);
    free(a->offsets);
    free(a->buffer);
    free(a->kept);
    free(a->resume_from);
    free(a);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static wy_status h5_failed(const wy_archive *a, const char *doing, wy_error *err) {
    char reason[200];
    return wy_fail(err, WY_CANNOT_WRITE, "cannot %s '%s': %s", doing, a->path, wy_h5_reason(reason, sizeof reason));
}

/* ---- HDF5: create the file, append frames ------------------------------------------------------------------------- */

static hid_t create_dataset(hid_t group, const wy_channel *c) {
    hsize_t dims[1 + WY_CHANNEL_RANK] = {0}, most[1 + WY_CHANNEL_RANK] = {H5S_UNLIMITED}, chunk[1 + WY_CHANNEL_RANK];
    const size_t size = wy_channel_size(c);
    const size_t rows = CHUNK_BYTES / (sizeof(double) * (size ? size : 1));
    chunk[0] = rows ? rows : 1;
    for (size_t i = 0; i < c->rank; i++)
        dims[1 + i] = most[1 + i] = chunk[1 + i] = c->dims[i];
    const hid_t space = H5Screate_simple((int)c->rank + 1, dims, most);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    if (space >= 0 && H5Pset_chunk(plist, (int)c->rank + 1, chunk) >= 0)
        set = H5Dcreate2(group, c->name, c->whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, space, H5P_DEFAULT, plist,
                         H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    if (set >= 0 && (wy_h5_put_text(set, "unit", c->unit) < 0 || wy_h5_put_text(set, "description", c->doc) < 0 ||
                     (c->panel && wy_h5_put_text(set, "panel", c->panel) < 0))) {
        H5Dclose(set);
        return -1;
    }
    return set;
}

/* "state/momentum" below the file, making the group where it is not there. */
static bool create_channel(hid_t file, const wy_channel *c) {
    hid_t group = file;
    if (c->group) {
        group = H5Lexists(file, c->group, H5P_DEFAULT) > 0
                    ? H5Gopen2(file, c->group, H5P_DEFAULT)
                    : H5Gcreate2(file, c->group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0)
            return false;
    }
    const hid_t set = create_dataset(group, c);
    if (c->group)
        H5Gclose(group);
    if (set < 0)
        return false;
    H5Dclose(set);
    return true;
}

static void channel_path(char *buffer, size_t size, const wy_channel *c) {
    snprintf(buffer, size, "%s%s%s", c->group ? c->group : "", c->group ? "/" : "", c->name);
}

/* The order of the channels, which HDF5 does not keep: one path a line. */
static bool put_channel_list(hid_t file, const wy_archive *a) {
    char *list = calloc(a->channel_count + 1, 128);
    if (!list)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < a->channel_count; i++) {
        channel_path(list + at, 127, &a->channels[i]);
        at += strlen(list + at);
        list[at++] = '\n';
    }
    list[at ? at - 1 : 0] = 0;
    const bool good = wy_h5_put_text(file, "channels", list) >= 0;
    free(list);
    return good;
}

static hid_t create_file(const wy_archive *a) {
    const hid_t file = H5Fcreate(a->hidden, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0)
        return file;
    const wy_scenario *s = a->scenario;
    char format[16];
    snprintf(format, sizeof format, "%d", FORMAT);
    bool good = wy_h5_put_text(file, "withy_version", wy_version()) >= 0 &&
                wy_h5_put_text(file, "withy_format", format) >= 0 &&
                wy_h5_put_text(file, "kind", wy_scenario_kind(s)->entry.name) >= 0 &&
                wy_h5_put_text(file, "title", wy_scenario_title(s)) >= 0 &&
                wy_h5_put_text(file, "scenario", wy_scenario_text(s)) >= 0 &&
                wy_h5_put_text(file, "overrides", wy_scenario_overrides(s)) >= 0 &&
                wy_h5_put_text(file, "outcome", "running") >= 0 && put_channel_list(file, a);
    for (size_t i = 0; good && i < a->channel_count; i++)
        good = create_channel(file, &a->channels[i]);
    if (good)
        return file;
    H5Fclose(file);
    remove(a->hidden);
    return -1;
}

/* Appends frames from `first` to the end to one channel's dataset. `strip` has room for them. */
static bool append_channel(hid_t file, const wy_archive *a, size_t c, size_t first, double *strip) {
    const wy_channel *channel = &a->channels[c];
    const size_t size = wy_channel_size(channel), count = a->frames - first;
    char path[256];
    channel_path(path, sizeof path, channel);
    for (size_t i = 0; i < count; i++)
        memcpy(strip + i * size, a->buffer + (first - a->first_kept + i) * a->frame_size + a->offsets[c],
               size * sizeof *strip);
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0)
        return false;
    hsize_t total[1 + WY_CHANNEL_RANK] = {a->frames}, start[1 + WY_CHANNEL_RANK] = {first},
                      block[1 + WY_CHANNEL_RANK] = {count};
    for (size_t i = 0; i < channel->rank; i++)
        total[1 + i] = block[1 + i] = channel->dims[i];
    bool good = H5Dset_extent(set, total) >= 0;
    const hid_t there = H5Dget_space(set), here = H5Screate_simple((int)channel->rank + 1, block, NULL);
    good = good && H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
           H5Dwrite(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, strip) >= 0;
    H5Sclose(here);
    H5Sclose(there);
    return H5Dclose(set) >= 0 && good; /* closing is what writes the last chunks: a full disk shows here */
}

/* What the run needs to go on, in place of what it needed before: a plain array of bytes. */
static bool put_kept(hid_t file, const wy_archive *a) {
    const hsize_t size = a->kept_size;
    if (H5Lexists(file, "checkpoint", H5P_DEFAULT) > 0) {
        const hid_t set = H5Dopen2(file, "checkpoint", H5P_DEFAULT);
        const bool good = set >= 0 && H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->kept) >= 0;
        H5Dclose(set);
        return good;
    }
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t set = H5Dcreate2(file, "checkpoint", H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool good =
        set >= 0 && H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->kept) >= 0 &&
        wy_h5_put_text(set, "description", "What withy needs to go on from the last frame (--resume).") >= 0;
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return good;
}

static wy_status write_hidden(wy_archive *a, const char *outcome, wy_error *err) {
    const hid_t file = a->hidden_exists ? H5Fopen(a->hidden, H5F_ACC_RDWR, H5P_DEFAULT) : create_file(a);
    if (file < 0)
        return h5_failed(a, "create", err);
    a->hidden_exists = true;
    double *strip = malloc(((a->frames - a->hidden_frames) * a->frame_size + 1) * sizeof *strip);
    bool good = strip != NULL;
    for (size_t c = 0; good && c < a->channel_count && a->frames > a->hidden_frames; c++)
        good = append_channel(file, a, c, a->hidden_frames, strip);
    free(strip);
    if (good && a->kept_size)
        good = put_kept(file, a);
    if (good && !outcome && a->resumed)
        outcome = "running";
    if (good && outcome)
        good = wy_h5_put_text(file, "outcome", outcome) >= 0;
    const wy_status s = good ? WY_OK : h5_failed(a, "write", err);
    if (H5Fclose(file) < 0 && !s)
        return h5_failed(a, "close", err);
    return s;
}

/* ---- flushing ------------------------------------------------------------------------------------------------------ */

/* Makes sure that nobody else writes these two files. */
static wy_status claim(wy_archive *a, wy_error *err) {
    wy_status s = WY_OK;
    if (a->visible_claim < 0)
        s = wy_file_claim(&a->visible_claim, a->path, false, err);
    if (!s && a->hidden_claim < 0)
        s = wy_file_claim(&a->hidden_claim, a->hidden, true, err);
    if (!s && !a->visible_exists) /* an older file of that name: it will not be ours */
        drop_claim(&a->visible_claim);
    return s;
}

/* Brings the hidden file up to date and puts it in the visible one's place. */
static wy_status flush(wy_archive *a, const char *outcome, wy_error *err) {
    wy_status s;
    if (a->broken)
        return wy_fail(err, WY_CANNOT_WRITE, "'%s' ends after %zu of %zu frames: the rest could not be written",
                       a->path, a->visible_frames, a->frames);
    s = claim(a, err);
    if (s) {
        a->broken = true;
        return s;
    }
    if (!a->hidden_exists && a->visible_exists) {
        s = wy_file_copy(a->path, a->hidden, err);
        if (s)
            return s;
        a->hidden_exists = true;
        a->hidden_frames = a->visible_frames;
    }
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
    s = write_hidden(a, outcome, err);
    a->broken = s != WY_OK;
    wy_h5_restore(&quiet);
    if (!s)
        s = wy_file_sync(a->hidden, err);
    if (s)
        return s;
    bool kept;
    s = wy_file_replace(a->path, a->hidden, &kept, err);
    if (s)
        return s;
    /* On the first flush of a run an older file of that name may have been exchanged: that one is not ours to append to. */
    if (kept && !a->visible_exists) {
        remove(a->hidden);
        kept = false;
    }
    const int claim_before = a->visible_claim;
    a->visible_claim = a->hidden_claim;
    a->hidden_claim = claim_before;
    if (!kept)
        drop_claim(&a->hidden_claim);
    a->hidden_exists = kept;
    a->hidden_frames = kept ? a->visible_frames : a->frames;
    a->visible_exists = true;
    a->visible_frames = a->frames;
    /* forget what both files have */
    const size_t done = a->hidden_frames - a->first_kept;
    if (done) {
        memmove(a->buffer, a->buffer + done * a->frame_size,
                (a->frames - a->hidden_frames) * a->frame_size * sizeof *a->buffer);
        a->first_kept = a->hidden_frames;
    }
    a->last_flush = now();
    a->resumed = false;
    if (a->options.flushed)
        a->options.flushed(a->options.context, a->frames);
    return WY_OK;
}

/* ---- the sink ------------------------------------------------------------------------------------------------------- */

static wy_status begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    wy_archive *a = context;
    a->channels = malloc(count * sizeof *a->channels);
    a->offsets = malloc(count * sizeof *a->offsets);
    if (!a->channels || !a->offsets)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the archive of %zu channels", count);
    memcpy(a->channels, channels, count * sizeof *channels);
    a->channel_count = count;
    for (size_t i = 0; i < count; i++) {
        a->offsets[i] = a->frame_size;
        a->frame_size += wy_channel_size(&channels[i]);
    }
    return WY_OK;
}

static wy_status frame(void *context, const double *const *values, wy_error *err) {
    wy_archive *a = context;
    const size_t held = a->frames - a->first_kept;
    if (held == a->room) {
        const size_t room = a->room ? 2 * a->room : 64;
        double *bigger = realloc(a->buffer, room * a->frame_size * sizeof *bigger);
        if (!bigger)
            return wy_fail(err, WY_NO_MEMORY, "no memory to hold %zu frames of %zu numbers", room, a->frame_size);
        a->buffer = bigger;
        a->room = room;
    }
    for (size_t i = 0; i < a->channel_count; i++)
        memcpy(a->buffer + held * a->frame_size + a->offsets[i], values[i],
               wy_channel_size(&a->channels[i]) * sizeof **values);
    a->frames++;
    const size_t waiting = (a->frames - a->visible_frames) * a->frame_size * sizeof *a->buffer;
    if (!a->visible_exists || waiting >= MOST_BUFFERED || now() - a->last_flush >= a->options.flush_seconds)
        return flush(a, NULL, err);
    return WY_OK;
}

static wy_status keep(void *context, const wy_part *parts, size_t count, wy_error *err) {
    wy_archive *a = context;
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].size;
    if (size > a->kept_room) {
        char *bigger = realloc(a->kept, size);
        if (!bigger)
            return wy_fail(err, WY_NO_MEMORY, "no memory to keep %zu bytes to go on from", size);
        a->kept = bigger;
        a->kept_room = size;
    }
    char *at = a->kept;
    for (size_t i = 0; i < count; i++) {
        memcpy(at, parts[i].data, parts[i].size);
        at += parts[i].size;
    }
    a->kept_size = size;
    return WY_OK;
}

static bool progress(void *context, double fraction) {
    const wy_archive *a = context;
    return a->options.progress && a->options.progress(a->options.context, fraction);
}

static void remark(void *context, const char *text) {
    wy_archive *a = context;
    if (a->options.remark)
        a->options.remark(a->options.context, text);
}

wy_status wy_archive_create(wy_archive **archive, const char *path, const wy_scenario *scenario,
                            const wy_archive_options *options, wy_error *err) {
    *archive = NULL;
    /* The exchange of names would move a folder or a device aside as readily as an older archive. */
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': it is there already and is not a file", path);
    wy_archive *a = calloc(1, sizeof *a);
    if (a)
        a->visible_claim = a->hidden_claim = -1;
    const size_t n = strlen(path);
    if (a) {
        a->path = malloc(n + 1);
        a->hidden = malloc(n + 6);
    }
    if (!a || !a->path || !a->hidden) {
        if (a)
            discard(a);
        return wy_fail(err, WY_NO_MEMORY, "no memory for the archive '%s'", path);
    }
    snprintf(a->path, n + 1, "%s", path);
    snprintf(a->hidden, n + 6, "%s.part", path);
    a->scenario = scenario;
    if (options)
        a->options = *options;
    if (!options || options->flush_seconds < 0.0)
        a->options.flush_seconds = 1.0;
    a->sink =
        (wy_sink){.context = a, .begin = begin, .frame = frame, .keep = keep, .progress = progress, .remark = remark};
    *archive = a;
    return WY_OK;
}

/* The bytes kept in an archive, into a->kept. */
static wy_status load_kept(wy_archive *a, wy_error *err) {
    const hid_t file = H5Fopen(a->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const bool there = file >= 0 && H5Lexists(file, "checkpoint", H5P_DEFAULT) > 0;
    const hid_t set = there ? H5Dopen2(file, "checkpoint", H5P_DEFAULT) : -1;
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    const hssize_t size = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    wy_status s = WY_OK;
    a->kept = size > 0 ? malloc((size_t)size) : NULL;
    if (size <= 0)
        s = wy_fail(err, WY_CANNOT_READ, "'%s' holds nothing to go on from", a->path);
    else if (!a->kept)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for the %lld bytes to go on from", (long long)size);
    else if (H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->kept) < 0)
        s = wy_fail(err, WY_CANNOT_READ, "cannot read what '%s' holds to go on from", a->path);
    a->kept_size = a->kept_room = (size_t)size;
    if (space >= 0)
        H5Sclose(space);
    if (set >= 0)
        H5Dclose(set);
    if (file >= 0)
        H5Fclose(file);
    return s;
}

/* Only the same run can go on: same scenario, same overrides, same version. */
static wy_status check_same(const wy_recording *r, const wy_scenario *scenario, wy_error *err) {
    if (strcmp(r->scenario, wy_scenario_text(scenario)) != 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' was made from another scenario: nothing to go on with", r->path);
    if (strcmp(r->overrides, wy_scenario_overrides(scenario)) != 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' was made with other overrides (--set): nothing to go on with", r->path);
    if (strcmp(r->version, wy_version()) != 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' was made by withy %s, this is %s: nothing to go on with", r->path,
                       r->version, wy_version());
    return WY_OK;
}

wy_status wy_archive_resume(wy_archive **archive, bool *finished, const char *path, const wy_scenario *scenario,
                            const wy_archive_options *options, wy_error *err) {
    *archive = NULL;
    *finished = false;
    wy_recording *r;
    wy_status s = wy_recording_open(&r, path, err);
    if (s)
        return s;
    const size_t frames = r->frames;
    s = check_same(r, scenario, err);
    *finished = !s && strcmp(r->outcome, "done") == 0;
    wy_recording_free(r);
    if (s || *finished)
        return s;
    wy_archive *a;
    s = wy_archive_create(&a, path, scenario, options, err);
    if (s)
        return s;
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
    s = load_kept(a, err);
    wy_h5_restore(&quiet);
    if (s) {
        discard(a);
        return s;
    }
    a->frames = a->first_kept = a->visible_frames = frames;
    a->visible_exists = true;
    a->resumed = true;
    a->last_flush = now();
    a->sink.kept_size = a->kept_size;
    /* the sink's own copy: a->kept moves on with the run */
    char *copy = malloc(a->kept_size + 1);
    if (!copy) {
        s = wy_fail(err, WY_NO_MEMORY, "no memory for the %zu bytes to go on from", a->kept_size);
        discard(a);
        return s;
    }
    memcpy(copy, a->kept, a->kept_size);
    a->sink.kept = a->resume_from = copy;
    *archive = a;
    return WY_OK;
}

const wy_sink *wy_archive_sink(wy_archive *archive) {
    return &archive->sink;
}

wy_status wy_archive_close(wy_archive *a, wy_status outcome, const wy_error *outcome_error, wy_error *err) {
    if (!a)
        return WY_OK;
    wy_status s = WY_OK;
    if (a->visible_exists || a->frames) { /* a run that failed before its first frame leaves nothing */
        char text[WY_ERROR_TEXT + 16] = "done";
        if (outcome)
            snprintf(text, sizeof text, "failed: %s", outcome_error ? outcome_error->text : wy_status_name(outcome));
        s = flush(a, text, err);
        if (a->hidden_exists) /* whatever happened: what is worth keeping is under the other name */
            remove(a->hidden);
    }
    discard(a);
    return s;
}
