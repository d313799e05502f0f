/* Writing a run to HDF5 so that the file under its name is whole at every moment, and stays so for every reader that
 * has it open.
 *
 * HDF5 itself does not promise that a file survives a kill in the middle of a write, and its single-writer mode
 * leaves a mark that plain readers refuse. So no visible file is ever written to. There are two files: RUN.h5, which
 * readers see, and a hidden one, RUN.h5.something.part. A flush appends the new frames to the hidden one, closes it,
 * forces it to the disk, exchanges the two names in one system call and forces the folder to the disk; what was
 * visible becomes the next hidden file. The hidden file is then one flush behind, so frames stay in memory until
 * both have them. The cost of a flush does not depend on the length of the file.
 *
 * A reader may still have open what is now hidden. Then that file is left to him, and the visible one is copied. */
#define _XOPEN_SOURCE 700 /* POSIX 2008, and realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <withy/archive.h>
#include <withy/version.h>

#include "archive/claim.h"
#include "archive/guard.h"
#include "archive/overrides.h"
#include "archive/recording_store.h"
#include "archive/safe_file.h"
#include "archive/store.h"

enum { MOST_BUFFERED = 16 * 1024 * 1024 };

/* What a run needs to go on from a frame. */
typedef struct kept {
    char *bytes;
    size_t size, capacity;
} kept;

struct wy_archive {
    char *path, *hidden;
    size_t hidden_capacity;
    const wy_scenario *scenario;
    wy_archive_options options;
    wy_sink sink;
    wy_claim claim;
    wy_channel *channels;             /* a copy: the last flush comes after the run has ended */
    size_t channel_count, frame_size; /* numbers in a frame */
    size_t *offsets;                  /* of each channel in a frame */
    /* frames first_kept .. frames-1 are in the buffer */
    double *buffer;
    size_t capacity, first_kept, frames;
    size_t visible_frames, hidden_frames; /* what each file holds */
    bool visible_exists, hidden_exists;
    dev_t hidden_device; /* which file the hidden one is: it must not be exchanged */
    ino_t hidden_inode, visible_inode;
    dev_t visible_device;
    bool broken; /* a write failed: HDF5 may hold on to the hidden file, and what it says of it is no longer true */
    double last_flush;
    kept next, last;     /* announced for the frame to come; belonging to the last frame */
    char *resume_from;   /* the same of the run before, while this one takes it up */
    bool resumed;        /* and not flushed since */
    wy_recording *again; /* a run that keeps nothing goes once more through the frames that are there: these */
    size_t repeated;     /* and so many of them have come */
    double *scratch;
    char warnings[4096]; /* a line each */
};

static void discard(wy_archive *a) {
    wy_claim_drop(&a->claim);
    wy_recording_free(a->again);
    free(a->scratch);
    free(a->path);
    free(a->hidden);
    free(a->channels);
    free(a->offsets);
    free(a->buffer);
    free(a->next.bytes);
    free(a->last.bytes);
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

/* ---- the hidden file
 * -------------------------------------------------------------------------------------------------- */

/* A new hidden file, empty; its name goes into the claim, so that the next writer after a kill can remove it. */
static int make_hidden(wy_archive *a, wy_error *err) {
    struct stat file;
    if (!wy_file_part_name(a->hidden, a->hidden_capacity, a->path))
        return wy_fail(err, WY_CANNOT_WRITE, "cannot create '%s': %s", a->path, strerror(errno)), -1;
    /* the claim names the file before it exists: a program that is killed leaves none without a name */
    if (wy_claim_note(&a->claim, a->hidden + strlen(a->path), err))
        return -1;
    const int fd = wy_file_make(a->hidden);
    if (fd < 0 || fstat(fd, &file) != 0) {
        wy_fail(err, WY_CANNOT_WRITE, "cannot create '%s': %s", a->path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    a->hidden_device = file.st_dev;
    a->hidden_inode = file.st_ino;
    a->hidden_exists = true;
    a->hidden_frames = 0;
    return fd;
}

static void leave_hidden(wy_archive *a) {
    if (a->hidden_exists)
        unlink(a->hidden);
    a->hidden_exists = false;
}

/* The hidden file, if it is still ours alone. */
static int reopen_hidden(wy_archive *a) {
    struct stat file;
    const int fd = a->hidden_exists ? open(a->hidden, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd >= 0 && fstat(fd, &file) == 0 && file.st_dev == a->hidden_device && file.st_ino == a->hidden_inode &&
        wy_file_alone(fd))
        return fd;
    if (fd >= 0)
        close(fd);
    leave_hidden(a);
    return -1;
}

/* The hidden file opened for HDF5, holding a->hidden_frames: the one that is there, a copy of the visible one, or a
 * new one. */
static hid_t open_hidden(wy_archive *a, int *descriptor, wy_error *err) {
    char name[4200];
    const wy_store_head head = {a->scenario, a->channels, a->channel_count};
    hid_t file = -1;
    *descriptor = reopen_hidden(a);
    if (*descriptor >= 0) {
        wy_store_name(name, sizeof name, *descriptor, a->hidden);
        file = wy_store_open(name);
        if (file >= 0)
            return file;
        close(*descriptor); /* another process opened it, or it was damaged: a copy will do */
        leave_hidden(a);
    }
    *descriptor = make_hidden(a, err);
    if (*descriptor < 0)
        return -1;
    wy_store_name(name, sizeof name, *descriptor, a->hidden);
    if (a->visible_exists) {
        if (wy_file_copy(*descriptor, a->path, err))
            return -1;
        a->hidden_frames = a->visible_frames;
        file = wy_store_open(name);
    } else {
        file = wy_store_create(name, &head);
    }
    if (file < 0)
        h5_failed(a, "create", err);
    return file;
}

enum { MUCH_KEPT = 1 << 16 };

static wy_status write_frames(hid_t file, const wy_archive *a, wy_error *err) {
    const size_t first = a->hidden_frames, count = a->frames - first;
    double *strip = malloc((count * a->frame_size + 1) * sizeof *strip);
    if (!strip)
        return wy_fail(err, WY_NO_MEMORY, "no memory to write %zu frames of %zu numbers to '%s'", count, a->frame_size,
                       a->path);
    wy_status s = WY_OK;
    for (size_t c = 0; c < a->channel_count && count && !s; c++) {
        const size_t size = wy_channel_size(&a->channels[c]);
        for (size_t i = 0; i < count; i++)
            memcpy(strip + i * size, a->buffer + (first - a->first_kept + i) * a->frame_size + a->offsets[c],
                   size * sizeof *strip);
        if (!wy_store_append(file, &a->channels[c], first, count, strip))
            s = h5_failed(a, "write", err);
    }
    free(strip);
    return s;
}

static wy_status write_hidden(wy_archive *a, int *descriptor, const char *outcome, wy_error *err) {
    const hid_t file = open_hidden(a, descriptor, err);
    if (file < 0)
        return WY_CANNOT_WRITE;
    if (!outcome && a->resumed)
        outcome = "running";
    wy_status s = write_frames(file, a, err);
    /* what is done is not gone on with, and a first frame is soon made again: a short run need not carry much */
    const bool there = H5Lexists(file, "checkpoint", H5P_DEFAULT) > 0, much = a->last.size > MUCH_KEPT;
    const bool needed = (a->frames > 1 || outcome) && !(outcome && strcmp(outcome, "done") == 0);
    const bool keeps = a->last.size && (there || needed || !much);
    if (!s && (!a->visible_exists || (keeps && !there)) &&
        wy_h5_put_text(file, "resume", keeps ? "checkpoint" : "again") < 0)
        s = h5_failed(a, "write", err);
    if (!s && keeps && !wy_store_checkpoint(file, a->last.bytes, a->last.size, a->frames))
        s = h5_failed(a, "write", err);
    if (!s && outcome &&
        (wy_h5_put_text(file, "outcome", outcome) < 0 ||
         (a->warnings[0] && wy_h5_put_text(file, "warnings", a->warnings) < 0)))
        s = h5_failed(a, "write", err);
    if (H5Fclose(file) < 0 && !s)
        return h5_failed(a, "close", err);
    return s;
}

/* ---- flushing
 * ------------------------------------------------------------------------------------------------------ */

/* Frames that both files have are forgotten. */
static void forget(wy_archive *a) {
    const size_t done = a->hidden_frames - a->first_kept;
    if (!done)
        return;
    memmove(a->buffer, a->buffer + done * a->frame_size,
            (a->frames - a->hidden_frames) * a->frame_size * sizeof *a->buffer);
    a->first_kept = a->hidden_frames;
}

/* Puts the hidden file in the visible one's place. */
static wy_status exchange(wy_archive *a, wy_error *err) {
    bool left;
    wy_status s = wy_file_replace(a->path, a->hidden, a->visible_exists, &left, err);
    if (s)
        return s;
    const dev_t device = a->visible_device;
    const ino_t inode = a->visible_inode;
    a->visible_device = a->hidden_device;
    a->visible_inode = a->hidden_inode;
    a->hidden_device = device;
    a->hidden_inode = inode;
    a->hidden_exists = left;
    a->hidden_frames = left ? a->visible_frames : a->frames;
    a->visible_exists = true;
    a->visible_frames = a->frames;
    return wy_folder_sync(a->path, err);
}

/* Brings the hidden file up to date and puts it in the visible one's place. */
static wy_status flush(wy_archive *a, const char *outcome, wy_error *err) {
    if (a->broken)
        return wy_fail(err, WY_CANNOT_WRITE, "'%s' ends after %zu of %zu frames: the rest could not be written",
                       a->path, a->visible_frames, a->frames);
    wy_status s = wy_claim_check(&a->claim, err);
    int descriptor = -1;
    if (!s) {
        wy_h5_quiet quiet;
        wy_h5_hush(&quiet);
        s = write_hidden(a, &descriptor, outcome, err);
        wy_h5_restore(&quiet);
    }
    if (!s && fsync(descriptor) != 0)
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot force '%s' to the disk: %s", a->path, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    if (!s)
        s = exchange(a, err);
    if (s) {
        a->broken = true;
        return s;
    }
    forget(a);
    a->last_flush = now();
    a->resumed = false;
    wy_claim_heartbeat(&a->claim);
    if (a->options.flushed)
        a->options.flushed(a->options.context, a->frames);
    return WY_OK;
}

/* ---- the sink
 * ------------------------------------------------------------------------------------------------------- */

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

/* A frame that is there already: it must be the same, or the run is another one. */
static wy_status repeat(wy_archive *a, const double *const *values, wy_error *err) {
    const size_t at = a->repeated;
    if (at == 0 && a->again->channel_count != a->channel_count)
        return wy_fail(err, WY_BAD_INPUT, "'%s' has %zu channels, this run %zu: nothing to go on with", a->path,
                       a->again->channel_count, a->channel_count);
    for (size_t c = 0; c < a->channel_count; c++) {
        const size_t size = wy_channel_size(&a->channels[c]);
        if (wy_channel_size(&a->again->channels[c]) != size ||
            strcmp(a->again->channels[c].name, a->channels[c].name) != 0)
            return wy_fail(err, WY_BAD_INPUT, "'%s' has other channels than this run: nothing to go on with", a->path);
        const wy_status s = wy_recording_read(a->again, c, at, 1, a->scratch, err);
        if (s)
            return s;
        for (size_t i = 0; i < size; i++)
            if (!(values[c][i] == a->scratch[i]))
                return wy_fail(
                    err, WY_BAD_INPUT,
                    "'%s' of frame %zu is %.17g now and %.17g in '%s': this is another run, nothing to go on with",
                    a->channels[c].name, at, values[c][i], a->scratch[i], a->path);
    }
    a->repeated++;
    if (a->repeated == a->again->frames) {
        wy_recording_free(a->again);
        a->again = NULL;
    }
    return WY_OK;
}

static wy_status frame(void *context, const double *const *values, wy_error *err) {
    wy_archive *a = context;
    if (a->again)
        return repeat(a, values, err);
    const size_t held = a->frames - a->first_kept;
    if (held == a->capacity) {
        const size_t capacity = a->capacity ? 2 * a->capacity : 4;
        double *bigger = realloc(a->buffer, capacity * a->frame_size * sizeof *bigger);
        if (!bigger)
            return wy_fail(err, WY_NO_MEMORY, "no memory to hold %zu frames of %zu numbers", capacity, a->frame_size);
        a->buffer = bigger;
        a->capacity = capacity;
    }
    for (size_t i = 0; i < a->channel_count; i++)
        memcpy(a->buffer + held * a->frame_size + a->offsets[i], values[i],
               wy_channel_size(&a->channels[i]) * sizeof **values);
    a->frames++;
    const kept spare = a->last;
    a->last = a->next;
    a->next = spare;
    if (isinf(a->options.flush_seconds))
        return WY_OK;
    const size_t waiting = (a->frames - a->visible_frames) * a->frame_size * sizeof *a->buffer;
    if (!a->visible_exists || waiting >= MOST_BUFFERED || now() - a->last_flush >= a->options.flush_seconds)
        return flush(a, NULL, err);
    return WY_OK;
}

static wy_status keep(void *context, const wy_checkpoint_block *parts, size_t count, wy_error *err) {
    wy_archive *a = context;
    kept *k = &a->next;
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].size;
    if (size > k->capacity) {
        char *bigger = realloc(k->bytes, size);
        if (!bigger)
            return wy_fail(err, WY_NO_MEMORY, "no memory to keep %zu bytes to go on from", size);
        k->bytes = bigger;
        k->capacity = size;
    }
    char *at = k->bytes;
    for (size_t i = 0; i < count; i++) {
        memcpy(at, parts[i].data, parts[i].size);
        at += parts[i].size;
    }
    k->size = size;
    return WY_OK;
}

static bool progress(void *context, double fraction) {
    wy_archive *a = context;
    wy_claim_heartbeat(&a->claim);
    return a->options.progress && a->options.progress(a->options.context, fraction);
}

static void archive_note(void *context, const char *text) {
    wy_archive *a = context;
    if (a->options.note && !a->again)
        a->options.note(a->options.context, text);
}

static void archive_warning(void *context, const char *text) {
    wy_archive *a = context;
    const size_t used = strlen(a->warnings);
    snprintf(a->warnings + used, sizeof a->warnings - used, "%s%s", used ? "\n" : "", text);
    if (a->options.warning)
        a->options.warning(a->options.context, text);
    else
        archive_note(context, text);
}

/* ---- begin and end
 * ---------------------------------------------------------------------------------------------------- */

/* Whether a file is an archive of withy; asked in a child process, because it may be anything. WY_CANNOT_WRITE: not to
 * be seen, because another program has locked it. */
static wy_status is_ours(void *context, wy_error *err) {
    const char *const path = *(const char **)context;
    wy_h5_quiet quiet;
    char reason[200] = "";
    wy_h5_hush(&quiet);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        wy_h5_reason(reason, sizeof reason);
    const bool ours = file >= 0 && H5Aexists(file, "withy_version") > 0;
    wy_h5_close(file);
    wy_h5_restore(&quiet);
    if (strstr(reason, "lock"))
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", path, reason);
    return ours ? WY_OK : wy_fail(err, WY_CANNOT_READ, "no archive of withy");
}

/* Whether there is something of that name that must stay. */
static wy_status check_destination(const char *path, bool force, wy_error *err) {
    struct stat there;
    if (stat(path, &there) != 0) {
        if (lstat(path, &there) == 0)
            return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': it is a link to nothing", path);
        return WY_OK;
    }
    /* the exchange of names would move a folder or a device aside as readily as an older archive */
    if (!S_ISREG(there.st_mode))
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': it is there already and is not a file", path);
    if (force || there.st_size == 0)
        return WY_OK;
    if ((there.st_mode & 0222) == 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': it is there already and may not be written to", path);
    wy_error why;
    const wy_status s = wy_guard(is_ours, &path, path, &why);
    if (s == WY_OK)
        return WY_OK;
    if (s == WY_CANNOT_WRITE)
        return wy_fail(err, s, "%s", why.text);
    return wy_fail(err, WY_CANNOT_WRITE,
                   "cannot write '%s': there is a file of that name that is no archive of withy (--force replaces it)",
                   path);
}

/* An archive that holds the claim, with nothing in it. */
static wy_status prepare(wy_archive **archive, const char *path, const wy_scenario *scenario,
                         const wy_archive_options *options, wy_error *err) {
    *archive = NULL;
    struct stat there;
    wy_archive *a = calloc(1, sizeof *a);
    if (a)
        a->claim.descriptor = -1;
    /* behind a link is what is written, so that two names of one file have one claim */
    char *real = lstat(path, &there) == 0 && S_ISLNK(there.st_mode) ? realpath(path, NULL) : NULL;
    const char *name = real ? real : path;
    const size_t n = strlen(name);
    if (a) {
        a->hidden_capacity = n + 32;
        a->path = malloc(n + 1);
        a->hidden = malloc(a->hidden_capacity);
    }
    if (!a || !a->path || !a->hidden) {
        if (a)
            discard(a);
        free(real);
        return wy_fail(err, WY_NO_MEMORY, "no memory for the archive '%s'", path);
    }
    memcpy(a->path, name, n + 1);
    free(real);
    a->scenario = scenario;
    if (options)
        a->options = *options;
    if (!options || options->flush_seconds < 0.0)
        a->options.flush_seconds = 1.0;
    a->sink = (wy_sink){.context = a,
                        .begin = begin,
                        .frame = frame,
                        .checkpoint = keep,
                        .progress = progress,
                        .note = archive_note,
                        .warning = archive_warning};
    const wy_status s = wy_claim_take(&a->claim, a->path, a->options.take_over, err);
    if (s)
        discard(a);
    else
        *archive = a;
    return s;
}

wy_status wy_archive_create(wy_archive **archive, const char *path, const wy_scenario *scenario,
                            const wy_archive_options *options, wy_error *err) {
    if (!archive || !path || !scenario)
        return wy_fail(err, WY_BAD_INPUT, "an archive needs a path and a scenario: NULL");
    *archive = NULL;
    const wy_status s = check_destination(path, options && options->force, err);
    return s ? s : prepare(archive, path, scenario, options, err);
}

/* Only the same run can go on: same scenario, same overrides, same version. */
static wy_status check_same(const wy_recording *r, const wy_scenario *scenario, wy_error *err) {
    if (strcmp(r->scenario, wy_scenario_text(scenario)) != 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' was made from another scenario: nothing to go on with", r->path);
    if (!wy_overrides_equal(r->overrides, wy_scenario_overrides(scenario)))
        return wy_fail(err, WY_BAD_INPUT, "'%s' was made with other overrides (--set): nothing to go on with", r->path);
    if (strcmp(r->version, wy_version()) != 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' was made by withy %s, this is %s: nothing to go on with", r->path,
                       r->version, wy_version());
    return WY_OK;
}

/* A kind that keeps nothing, such as a continuation, goes through its frames once more. */
static wy_status go_again(wy_archive *a, wy_recording *r, wy_error *err) {
    size_t largest = 1;
    for (size_t i = 0; i < r->channel_count; i++)
        largest = wy_channel_size(&r->channels[i]) > largest ? wy_channel_size(&r->channels[i]) : largest;
    a->scratch = malloc(largest * sizeof *a->scratch);
    if (!a->scratch)
        return wy_fail(err, WY_NO_MEMORY, "no memory to read '%s'", r->path);
    a->again = r;
    return WY_OK;
}

/* Frames and what to go on from, through one handle: they belong together. Keeps `r` where it is needed longer. */
static wy_status take_up(wy_archive *a, wy_recording **r, wy_error *err) {
    size_t frames;
    wy_status s = wy_recording_checkpoint(&a->resume_from, &a->sink.resume_size, &frames, *r, err);
    if (s)
        return s;
    if (!a->resume_from && !wy_recording_is_recomputed(*r))
        return wy_fail(err, WY_CANNOT_READ, "'%s' holds nothing to go on from", a->path);
    if (a->resume_from && frames != (*r)->frames)
        return wy_fail(err, WY_CANNOT_READ, "'%s' has %zu frames, what it holds to go on from belongs to frame %zu",
                       a->path, (*r)->frames, frames);
    a->sink.resume_data = a->resume_from;
    a->frames = a->first_kept = a->visible_frames = (*r)->frames;
    if (a->resume_from) { /* should the run end before the next frame */
        a->last.bytes = malloc(a->sink.resume_size);
        if (!a->last.bytes)
            return wy_fail(err, WY_NO_MEMORY, "no memory for the %zu bytes to go on from", a->sink.resume_size);
        memcpy(a->last.bytes, a->resume_from, a->sink.resume_size);
        a->last.size = a->last.capacity = a->sink.resume_size;
    } else if ((*r)->frames) {
        s = go_again(a, *r, err);
        if (!s)
            *r = NULL;
    }
    return s;
}

wy_status wy_archive_resume(wy_archive **archive, bool *finished, const char *path, const wy_scenario *scenario,
                            const wy_archive_options *options, wy_error *err) {
    if (!archive || !finished || !path || !scenario)
        return wy_fail(err, WY_BAD_INPUT, "an archive needs a path and a scenario: NULL");
    *archive = NULL;
    *finished = false;
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return wy_fail(err, WY_CANNOT_READ, "cannot open '%s': it is not a file", path);
    wy_archive *a;
    wy_status s = prepare(&a, path, scenario, options, err);
    if (s)
        return s;
    if (lstat(a->path, &there) != 0 && errno == ENOENT) { /* a new run */
        *archive = a;
        return WY_OK;
    }
    wy_recording *r;
    s = wy_recording_open_whole(&r, a->path, err);
    if (!s)
        s = check_same(r, scenario, err);
    if (!s) /* damage in earlier frames would stay in an archive that says it is done */
        s = wy_recording_read_all(r, err);
    *finished = !s && strcmp(r->outcome, "done") == 0;
    if (!s && !*finished)
        s = take_up(a, &r, err);
    if (!s && stat(a->path, &there) == 0) {
        a->visible_device = there.st_dev;
        a->visible_inode = there.st_ino;
    }
    wy_recording_free(r);
    if (s || *finished) {
        discard(a);
        return s;
    }
    a->visible_exists = true;
    a->resumed = true;
    a->last_flush = now();
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
    if (wy_claim_is_copy(&a->claim)) { /* in a forked process: the files are the parent's */
        s = wy_claim_check(&a->claim, err);
        discard(a);
        return s;
    }
    if (a->again && !outcome) /* it ended with fewer frames than are there */
        s = wy_fail(err, WY_BAD_INPUT, "'%s' has %zu frames, this run made %zu: it is another one", a->path,
                    a->again->frames, a->repeated);
    else if (!a->again && (a->visible_exists || a->frames)) { /* failed before its first frame: nothing is left */
        char text[WY_ERROR_TEXT + 16] = "done";
        if (outcome)
            snprintf(text, sizeof text, "failed: %s", outcome_error ? outcome_error->text : wy_status_name(outcome));
        s = flush(a, text, err);
    }
    leave_hidden(a); /* whatever happened: what is worth keeping is under the other name */
    discard(a);
    return s;
}
