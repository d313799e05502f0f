/* A file that is made beside the name that it will get. */
#define _POSIX_C_SOURCE 200809L
#include <withy/new_file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/given.h"
#include "archive/safe_file.h"

enum { ALIKE = 24, TAIL = 256 }; /* bytes at the beginning that must agree; where the mark is looked for */

struct wy_new_file {
    FILE *stream;
    char *path, *part; /* no part: `path` is no plain file and is written to as it is */
};

/* Reads up to `count` bytes at an offset from the start, or, negative, from the end. */
static size_t peek(int fd, off_t size, off_t offset, void *bytes, size_t count) {
    if (offset < 0)
        offset = size + offset > 0 ? size + offset : 0;
    const ssize_t n = pread(fd, bytes, count, offset);
    return n > 0 ? (size_t)n : 0;
}

static bool is_ours(int fd, off_t size, const void *beginning, size_t count) {
    char head[ALIKE], tail[TAIL + 1] = "";
    const size_t n = count < ALIKE ? count : ALIKE;
    if (n && peek(fd, size, 0, head, n) == n && memcmp(head, beginning, n) == 0)
        return true;
    const size_t there = peek(fd, size, -TAIL, tail, TAIL);
    for (size_t i = 0; i < there; i++)
        if (tail[i] == 0)
            tail[i] = ' ';
    return strstr(tail, WY_FILE_MARK) != NULL;
}

wy_status wy_file_may_replace(const char *path, const void *beginning, size_t count, wy_error *err) {
    WY_GIVEN(path, err);
    struct stat there;
    if (stat(path, &there) != 0 || (!S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)))
        return WY_OK;
    if (S_ISDIR(there.st_mode))
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': it is a folder", path);
    if ((there.st_mode & 0222) == 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': it is there already and may not be written to", path);
    if (there.st_size == 0)
        return WY_OK;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool ours = fd >= 0 && is_ours(fd, there.st_size, beginning, count);
    if (fd >= 0)
        close(fd);
    return ours ? WY_OK
                : wy_fail(err, WY_CANNOT_WRITE,
                          "cannot write '%s': there is a file of that name that this command did not make (--force "
                          "replaces it)",
                          path);
}

static void discard(wy_new_file *file) {
    free(file->path);
    free(file->part);
    free(file);
}

wy_status wy_new_file_open(wy_new_file **file, const char *path, wy_error *err) {
    if (!file)
        return wy_fail(err, WY_BAD_INPUT, "nowhere to put a file: NULL");
    *file = NULL;
    if (!path)
        return wy_fail(err, WY_BAD_INPUT, "a file needs a name: NULL");
    const size_t capacity = strlen(path) + 32;
    wy_new_file *f = calloc(1, sizeof *f);
    if (f) {
        f->path = malloc(capacity);
        f->part = malloc(capacity);
    }
    if (!f || !f->path || !f->part) {
        if (f)
            discard(f);
        return wy_fail(err, WY_NO_MEMORY, "no memory to write '%s'", path);
    }
    memcpy(f->path, path, strlen(path) + 1);
    struct stat there;
    int fd;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)) {
        free(f->part);
        f->part = NULL;
        fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe without a reader is an error */
        if (fd >= 0)
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    } else if (S_ISDIR(stat(path, &there) == 0 ? there.st_mode : 0)) {
        fd = -1;
        errno = EISDIR;
    } else {
        fd = wy_file_make_locked(f->part, capacity, path);
    }
    f->stream = fd >= 0 ? fdopen(fd, f->part ? "w+b" : "wb") : NULL;
    if (!f->stream) {
        const int why = errno;
        if (fd >= 0)
            close(fd);
        if (fd >= 0 && f->part)
            remove(f->part);
        discard(f);
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", path, strerror(why));
    }
    *file = f;
    return WY_OK;
}

FILE *wy_new_file_stream(wy_new_file *file) {
    return file->stream;
}

void wy_new_file_abandon(wy_new_file *file) {
    if (!file)
        return;
    fclose(file->stream);
    if (file->part)
        remove(file->part);
    discard(file);
}

static wy_status replace_by_new(wy_new_file *f, bool force, wy_error *err) {
    char head[ALIKE];
    const int fd = fileno(f->stream);
    struct stat before;
    wy_status s = WY_OK;
    if (!force)
        s = wy_file_may_replace(f->path, head, peek(fd, 0, 0, head, sizeof head), err);
    if (s)
        return s;
    if (lstat(f->path, &before) == 0 && S_ISREG(before.st_mode)) /* who could read it still can */
        (void)!fchmod(fd, before.st_mode & 0777);
    if (fsync(fd) != 0 && errno != EINVAL)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot force '%s' to the disk: %s", f->path, strerror(errno));
    if (rename(f->part, f->path) != 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", f->path, strerror(errno));
    return wy_folder_sync(f->path, err);
}

wy_status wy_new_file_finish(wy_new_file *f, bool force, wy_error *err) {
    WY_GIVEN(f, err);
    errno = 0;
    wy_status s = WY_OK;
    if (fflush(f->stream) != 0 || ferror(f->stream))
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", f->path,
                    errno ? strerror(errno) : "something was lost");
    if (!s && f->part)
        s = replace_by_new(f, force, err);
    if (fclose(f->stream) != 0 && !s)
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", f->path, strerror(errno));
    if (s && f->part)
        remove(f->part);
    discard(f);
    return s;
}
