/* Reads an archive: its attributes, its channels, and their rows frame by frame. */
#define _DEFAULT_SOURCE /* flock; the rest is POSIX */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <withy/archive.h>

#include "archive/guard.h"
#include "archive/overrides.h"
#include "archive/recording_store.h"
#include "archive/store.h"

struct wy_recording_store {
    wy_arena *arena;
    hid_t file;
    hid_t transfer; /* how numbers are read */
    hid_t *sets;    /* of each channel */
    wy_h5_chunks *chunks;
    size_t set_count;
    bool repeats;
};

static wy_status not_ours(const char *path, const char *why, wy_error *err) {
    return wy_fail(err, WY_CANNOT_READ, "'%s' is not an archive of withy: %s", path, why);
}

/* More numbers in one frame than any run writes: a damaged head must not ask for memory that is not there, nor wrap
 * around. */
enum { MOST_NUMBERS = 1 << 28 };

/* The object of "objects/leg/state/position", and what follows it. */
static const char *name_object(wy_channel *c, const char *path, wy_arena *arena) {
    static const char objects[] = "objects/";
    const char *name = path + sizeof objects - 1;
    const size_t length = strncmp(path, objects, sizeof objects - 1) == 0 ? strcspn(name, "/") : 0;
    if (length == 0 || !name[length])
        return path;
    c->object = wy_arena_text(arena, name, length);
    return c->object ? name + length + 1 : path;
}

/* One dataset as a channel, which stays open; what is wrong with it, or NULL. */
static const char *read_channel(wy_recording *r, const char *path, wy_channel *c, size_t *frames) {
    struct wy_recording_store *store = r->store;
    const char *wrong, *inside = name_object(c, path, store->arena), *slash = strrchr(inside, '/');
    c->name = slash ? slash + 1 : inside;
    c->group = slash ? wy_arena_text(store->arena, inside, (size_t)(slash - inside)) : NULL;
    const char *now = wy_channel_renamed(c->group, c->name);
    if (now) /* an archive of an earlier version */
        c->name = now;
    const hid_t set = wy_h5_open_plain(store->file, path, &wrong);
    if (set < 0)
        return wrong;
    store->sets[store->set_count++] = set;
    c->unit = wy_h5_get_text(set, "unit", store->arena);
    c->doc = wy_h5_get_text(set, "description", store->arena);
    c->panel = wy_h5_get_text(set, "panel", store->arena);
    c->meaning = wy_h5_get_text(set, "meaning", store->arena);
    if (!c->unit || !c->doc)
        return "it has no unit, or no description";
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const bool number = type >= 0 && wy_h5_is_number(type);
    c->whole = number && H5Tget_class(type) == H5T_INTEGER;
    hsize_t dims[1 + WY_CHANNEL_RANK] = {0};
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const bool good = rank >= 1 && rank <= 1 + WY_CHANNEL_RANK && H5Sget_simple_extent_dims(space, dims, NULL) == rank;
    wy_h5_close(space);
    wy_h5_close(type);
    if (!number)
        return "it does not hold numbers";
    if (!good)
        return "it is no list of numbers, vectors or tables";
    c->rank = (size_t)rank - 1;
    size_t capacity = MOST_NUMBERS;
    for (size_t i = 0; i < c->rank; i++) {
        if (dims[1 + i] > capacity)
            return "a frame of it is larger than any run's";
        c->dims[i] = (size_t)dims[1 + i];
        capacity /= c->dims[i] ? c->dims[i] : 1;
    }
    *frames = (size_t)dims[0];
    return NULL;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A channel that is listed twice would be drawn, exported and counted twice; *twice is one, or NULL. */
static bool find_twice(const char **twice, const char *const *paths, size_t count) {
    const char **sorted = malloc(count * sizeof *sorted);
    *twice = NULL;
    if (!sorted)
        return false;
    memcpy(sorted, paths, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_text);
    for (size_t i = 1; i < count && !*twice; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            *twice = sorted[i];
    free(sorted);
    return true;
}

/* The paths of the channels, a line each in `list`. */
static wy_status read_paths(const char ***paths, size_t *count, wy_recording *r, const char *list, wy_error *err) {
    wy_arena *arena = r->store->arena;
    char why[240];
    *count = 1;
    for (const char *p = list; *p; p++)
        *count += *p == '\n';
    if (*count > WY_STORE_MOST_CHANNELS) {
        snprintf(why, sizeof why, "it lists %zu channels, expected at most %d", *count, WY_STORE_MOST_CHANNELS);
        return not_ours(r->path, why, err);
    }
    *paths = wy_arena_take(arena, *count * sizeof **paths);
    bool good = *paths != NULL;
    for (size_t i = 0; i < *count && good; i++) {
        const size_t n = strcspn(list, "\n");
        good = ((*paths)[i] = wy_arena_text(arena, list, n)) != NULL;
        list += n + 1;
    }
    const char *twice;
    if (!good || !find_twice(&twice, *paths, *count))
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu channels", *count);
    if (!twice)
        return WY_OK;
    snprintf(why, sizeof why, "channel '%.100s' is listed twice", twice);
    return not_ours(r->path, why, err);
}

static wy_status read_channels(wy_recording *r, const char *list, wy_error *err) {
    wy_arena *arena = r->store->arena;
    size_t count;
    const char **paths = NULL;
    const wy_status s = read_paths(&paths, &count, r, list, err);
    if (s)
        return s;
    wy_channel *channels = wy_arena_take(arena, count * sizeof *channels);
    r->store->sets = wy_arena_take(arena, count * sizeof *r->store->sets);
    r->store->chunks = wy_arena_take(arena, count * sizeof *r->store->chunks);
    if (!channels || !r->store->sets || !r->store->chunks)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu channels", count);
    for (size_t i = 0; i < count; i++) {
        const char *path = paths[i];
        size_t frames = 0;
        const char *wrong = read_channel(r, path, &channels[i], &frames);
        if (wrong) {
            char why[240];
            snprintf(why, sizeof why, "channel '%.100s' is missing or damaged: %s", path, wrong);
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
        if (!wy_h5_is_stored(r->store->sets[i]) || !wy_h5_chunks_of(&r->store->chunks[i], r->store->sets[i])) {
            char why[240];
            snprintf(why, sizeof why, "channel '%.100s' is missing or damaged: not all of its %zu frames are stored",
                     path, frames);
            return not_ours(r->path, why, err);
        }
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
    r->outcome = wy_h5_get_text(file, "outcome", arena);
    r->warnings = wy_h5_get_text(file, "warnings", arena);
    if (!r->warnings) /* up to 0.2.0 */
        r->warnings = wy_h5_get_text(file, "complaints", arena);
    if (!r->warnings)
        r->warnings = "";
    r->swept_scenario = wy_h5_get_text(file, "swept_scenario", arena);
    if (!r->swept_scenario)
        r->swept_scenario = "";
    const char *overrides = wy_h5_get_text(file, "overrides", arena),
               *format = wy_h5_get_text(file, "withy_format", arena);
    const char *list = wy_h5_get_text(file, "channels", arena), *resume = wy_h5_get_text(file, "resume", arena);
    r->store->repeats = resume && strcmp(resume, "again") == 0;
    if (!r->version || !r->kind || !r->title || !r->scenario || !overrides || !r->outcome || !list)
        return not_ours(r->path, "its attributes are missing", err);
    wy_error why;
    const wy_status s = format && atoi(format) >= 3 ? wy_overrides_read(&r->overrides, overrides, arena, &why)
                                                    : wy_overrides_read_lines(&r->overrides, overrides, arena, &why);
    if (s)
        return s == WY_NO_MEMORY ? wy_fail(err, s, "%s", why.text) : not_ours(r->path, why.text, err);
    return read_channels(r, list, err);
}

/* Frees it; false where HDF5 does not let go of the file. */
static bool close_here(wy_recording *r) {
    struct wy_recording_store *store = r->store;
    bool good = true;
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
    for (size_t i = 0; i < store->set_count; i++)
        good = H5Dclose(store->sets[i]) >= 0 && good;
    if (store->file >= 0)
        good = H5Fclose(store->file) >= 0 && good;
    if (store->transfer != H5P_DEFAULT)
        H5Pclose(store->transfer);
    wy_h5_restore(&quiet);
    wy_arena_free(store->arena);
    return good;
}

/* A run removes the file that a reader has open. HDF5's default driver then refuses the link in /proc/self/fd, because
 * it asks for the name behind it. The driver of C streams does not ask, but forgets the reason of a failure. */
static hid_t open_for_reading(const char *name, char *reason, size_t size) {
    hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file >= 0)
        return file;
    wy_h5_reason(reason, size);
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    file = list >= 0 && H5Pset_fapl_stdio(list) >= 0 ? H5Fopen(name, H5F_ACC_RDONLY, list) : -1;
    wy_h5_close(list);
    return file;
}

/* Opens what HDF5 finds under `name`, which is called `path` in errors. */
static wy_status open_here(wy_recording **recording, const char *name, const char *path, wy_error *err) {
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
    store->transfer = wy_h5_transfer();
    wy_status s;
    char reason[200];
    store->file = open_for_reading(name, reason, sizeof reason);
    s = store->file < 0 ? wy_fail(err, WY_CANNOT_READ, "cannot open '%s': %s", path, reason) : read_head(r, err);
    wy_h5_restore(&quiet);
    if (s) {
        close_here(r);
        return s;
    }
    *recording = r;
    return WY_OK;
}

/* ---- in a child process first ---- */

enum { SMALL_FILE = 1 << 24, STRIP_NUMBERS = 1 << 16 };

typedef enum trial { NO_TRIAL, TRIAL, TRIAL_OF_ALL } trial; /* in a child process; with every object of the file */

typedef struct attempt {
    const char *name, *path;
    off_t size;
    trial kind;
} attempt;

/* Reads a channel as readers do. */
static wy_status read_through(const wy_recording *r, size_t channel, bool all, wy_error *err) {
    const size_t size = wy_channel_size(&r->channels[channel]);
    size_t rows = size && all ? STRIP_NUMBERS / size : 1;
    rows = rows ? rows : 1;
    double *values = malloc((rows * size + 1) * sizeof *values);
    if (!values)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu numbers", rows * size);
    wy_status s = WY_OK;
    for (size_t at = 0; at < r->frames && !s; at += rows) {
        if (!all && at > 0) /* of a large one the first frame and the last */
            at = r->frames - 1;
        s = wy_recording_read(r, channel, at, r->frames - at < rows ? r->frames - at : rows, values, err);
    }
    free(values);
    return s;
}

/* Opens the archive and touches everything that a reader may touch. */
static wy_status try_to_open(void *context, wy_error *err) {
    const attempt *a = context;
    wy_recording *r;
    const wy_status s = open_here(&r, a->name, a->path, err);
    if (s)
        return s;
    for (size_t i = 0; i < r->channel_count; i++) /* what is wrong with its numbers is told to those who ask for them */
        read_through(r, i, a->size <= SMALL_FILE, NULL);
    const bool whole = a->kind < TRIAL_OF_ALL || wy_h5_is_whole(r->store->file);
    char *bytes;
    size_t size, frames;
    if (wy_recording_checkpoint(&bytes, &size, &frames, r, NULL) == WY_OK)
        free(bytes);
    if (!close_here(r)) /* HDF5 would try again when the program ends, and break down */
        return wy_fail(err, WY_CANNOT_READ, "cannot open '%s': it is damaged, and HDF5 cannot close it", a->path);
    return whole ? WY_OK : wy_fail(err, WY_CANNOT_READ, "'%s' is damaged: a checksum in it does not agree", a->path);
}

/* Whether the name leads to another file than the descriptor. */
static bool is_replaced(int fd, const char *path) {
    struct stat here, there;
    return fstat(fd, &here) == 0 && stat(path, &there) == 0 &&
           (here.st_dev != there.st_dev || here.st_ino != there.st_ino);
}

/* Opens the file and marks it as read by a shared lock, as HDF5 does. A run does not take back a visible file that is
 * marked. A file that a writer has locked, or that is no longer visible once it is marked, has been taken back already:
 * the name is opened again. The name may lead back to the same file later, so the check must come before reading. After
 * the last try HDF5 reports who has locked the file. */
static int open_marked(const char *path) {
    enum { TRIES = 200 };
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int tries = 1;; tries++) {
        const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe would be waited for */
        if (fd < 0)
            return -1;
        const bool held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if ((!held && !is_replaced(fd, path)) || tries == TRIES)
            return fd;
        close(fd);
        nanosleep(&moment, NULL);
    }
}

/* Opens through one descriptor, so that both attempts read the same file. Where the file system has no locks, an
 * attempt that fails because a run has replaced the file is repeated with the new file: *again. */
static wy_status open_once(wy_recording **recording, const char *path, trial first, bool *again, wy_error *err) {
    const int fd = open_marked(path);
    struct stat there;
    char name[4200];
    if (fd < 0)
        return wy_fail(err, WY_CANNOT_READ, "cannot open '%s': no such file, or not readable", path);
    wy_store_name(name, sizeof name, fd, path);
    wy_status s = WY_OK;
    if (fstat(fd, &there) != 0 || !S_ISREG(there.st_mode))
        s = wy_fail(err, WY_CANNOT_READ, "cannot open '%s': it is not a file", path);
    if (!s && first > NO_TRIAL)
        s = wy_guard(try_to_open, &(attempt){name, path, there.st_size, first}, path, err);
    if (!s)
        s = open_here(recording, name, path, err);
    *again = s && is_replaced(fd, path);
    close(fd);
    return s;
}

static wy_status open_file(wy_recording **recording, const char *path, trial first, wy_error *err) {
    if (!recording)
        return wy_fail(err, WY_BAD_INPUT, "nowhere to put a recording: NULL");
    *recording = NULL;
    if (!path)
        return wy_fail(err, WY_BAD_INPUT, "no archive to open: NULL");
    bool again = true;
    wy_status s = WY_OK;
    for (int tries = 0; tries < 100 && again; tries++) {
        again = false;
        s = open_once(recording, path, first, &again, err);
    }
    return s;
}

wy_status wy_recording_open(wy_recording **recording, const char *path, wy_error *err) {
    return open_file(recording, path, TRIAL, err);
}

wy_status wy_recording_open_unguarded(wy_recording **recording, const char *path, wy_error *err) {
    return open_file(recording, path, NO_TRIAL, err);
}

wy_status wy_recording_open_whole(wy_recording **recording, const char *path, wy_error *err) {
    return open_file(recording, path, TRIAL_OF_ALL, err);
}

wy_status wy_recording_read_all(const wy_recording *r, wy_error *err) {
    wy_status s = WY_OK;
    for (size_t i = 0; i < r->channel_count && !s; i++)
        s = read_through(r, i, true, err);
    return s;
}

void wy_recording_free(wy_recording *recording) {
    if (recording)
        close_here(recording);
}

wy_status wy_recording_checkpoint(char **bytes, size_t *size, size_t *frames, const wy_recording *r, wy_error *err) {
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
    const wy_status s = wy_store_read_checkpoint(bytes, size, frames, r->store->file, r->path, err);
    wy_h5_restore(&quiet);
    return s;
}

bool wy_recording_is_recomputed(const wy_recording *r) {
    return r->store->repeats;
}

wy_status wy_recording_read(const wy_recording *r, size_t channel, size_t first, size_t count, double *values,
                            wy_error *err) {
    if (!r || !values || channel >= r->channel_count)
        return wy_fail(err, WY_BAD_INPUT, "no recording, no room for its numbers, or no channel %zu", channel);
    const wy_channel *c = &r->channels[channel];
    if (first > r->frames || count > r->frames - first)
        return wy_fail(err, WY_BAD_INPUT, "frames %zu to %zu of '%s' asked for, and there are %zu", first,
                       first + count, c->name, r->frames);
    if (count == 0)
        return WY_OK;
    hsize_t start[1 + WY_CHANNEL_RANK] = {first}, block[1 + WY_CHANNEL_RANK] = {count};
    for (size_t i = 0; i < c->rank; i++)
        block[1 + i] = c->dims[i];
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
    const hid_t set = r->store->sets[channel];
    const hid_t there = H5Dget_space(set), here = H5Screate_simple((int)c->rank + 1, block, NULL);
    const bool fit = wy_h5_chunks_fit(&r->store->chunks[channel], set, first, count);
    const bool good = fit && there >= 0 && here >= 0 &&
                      H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
                      H5Dread(set, H5T_NATIVE_DOUBLE, here, there, r->store->transfer, values) >= 0;
    wy_status s = WY_OK;
    if (!good) {
        char reason[200];
        s = wy_fail(err, WY_CANNOT_READ, "cannot read '%s%s%s' of '%s': %s", c->group ? c->group : "",
                    c->group ? "/" : "", c->name, r->path,
                    fit ? wy_h5_reason(reason, sizeof reason)
                        : "it is damaged, a part of it has not the length that it must have");
    }
    /* a run writes only finite numbers, so another is damage; a sweep NaN for what a point did not reach */
    const bool sweep = *r->swept_scenario;
    const size_t size = wy_channel_size(c);
    for (size_t i = 0; i < count * size && !s; i++)
        if (!isfinite(values[i]) && !(sweep && isnan(values[i])))
            s = wy_fail(err, WY_CANNOT_READ, "'%s' of '%s' is damaged: component %zu is %g in frame %zu", c->name,
                        r->path, i % size, values[i], first + i / size);
    wy_h5_close(here);
    wy_h5_close(there);
    wy_h5_restore(&quiet);
    return s;
}

wy_status wy_recording_find(size_t *channel, const wy_recording *r, const char *name, wy_error *err) {
    if (!channel || !r || !name)
        return wy_fail(err, WY_BAD_INPUT, "no recording to look in, or no name to look for: NULL");
    wy_error why = {0};
    const wy_status s = wy_channel_find(channel, r->channels, r->channel_count, name, &why);
    return s ? wy_fail(err, s, "'%s': %s", r->path, why.text) : WY_OK;
}

wy_status wy_recording_drift(double *largest, const wy_recording *r, size_t channel, wy_error *err) {
    if (!largest || !r || channel >= r->channel_count)
        return wy_fail(err, WY_BAD_INPUT, "no recording, nowhere to put its drift, or no channel %zu", channel);
    const size_t size = wy_channel_size(&r->channels[channel]);
    const size_t most = size && STRIP_NUMBERS / size ? STRIP_NUMBERS / size : 1;
    const size_t strip = most < r->frames ? most : r->frames;
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
