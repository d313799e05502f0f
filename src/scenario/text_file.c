/* Reading text files. */
#define _POSIX_C_SOURCE 200809L
#include "scenario/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_FILE = 64 * 1024 * 1024 };

wy_status wy_text_file_read(char **text, size_t *length, const char *path, const char *what, wy_error *err) {
    *text = NULL;
    *length = 0;
    /* a pipe without a writer is empty, and not waited for */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (!file) {
        const wy_status failed = wy_fail(err, WY_CANNOT_READ, "cannot open %s '%s': %s", what, path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return failed;
    }
    size_t capacity = 0;
    wy_status s = WY_OK;
    for (;;) {
        if (*length == capacity) {
            capacity = capacity ? 2 * capacity : 16384;
            if (capacity > LARGEST_FILE) {
                s = wy_fail(err, WY_CANNOT_READ, "%s '%s' is larger than %d MiB", what, path, LARGEST_FILE / 1048576);
                break;
            }
            char *bigger = realloc(*text, capacity);
            if (!bigger) {
                s = wy_fail(err, WY_NO_MEMORY, "no memory to read %s '%s': %zu bytes", what, path, capacity);
                break;
            }
            *text = bigger;
        }
        const size_t n = fread(*text + *length, 1, capacity - *length, file);
        *length += n;
        if (n == 0) {
            if (ferror(file))
                s = wy_fail(err, WY_CANNOT_READ, "cannot read %s '%s': %s", what, path, strerror(errno));
            break;
        }
    }
    fclose(file);
    if (s) {
        free(*text);
        *text = NULL;
    }
    return s;
}
