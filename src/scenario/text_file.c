/* Reading text files. */
#include "scenario/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 64 * 1024 * 1024 };

wy_status wy_text_file_read(char **text, size_t *length, const char *path, const char *what, wy_error *err) {
    *text = NULL;
    *length = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return wy_fail(err, WY_CANNOT_READ, "cannot open %s '%s': %s", what, path, strerror(errno));
    size_t room = 0;
    wy_status s = WY_OK;
    for (;;) {
        if (*length == room) {
            room = room ? 2 * room : 16384;
            char *bigger = room > LARGEST_FILE ? NULL : realloc(*text, room);
            if (!bigger) {
                s = wy_fail(err, WY_CANNOT_READ, "%s '%s' is larger than %d MiB", what, path, LARGEST_FILE / 1048576);
                break;
            }
            *text = bigger;
        }
        const size_t n = fread(*text + *length, 1, room - *length, file);
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
