/* Files that appear under their name only when they are complete, and that replace only files of withy. Part of
 * libwithy-io. */
#ifndef WITHY_NEW_FILE_H
#define WITHY_NEW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <withy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file that is being written: it is created under a random name in the folder of its final name, so that existing
 * links are not followed. A pipe or a device of that name is written to directly. */
typedef struct wy_new_file wy_new_file;

/* Opens a file that will be called `path`. Close it with wy_new_file_finish or wy_new_file_abandon. */
WY_API wy_status wy_new_file_open(wy_new_file **file, const char *path, wy_error *err);

/* The stream to write to. */
WY_API FILE *wy_new_file_stream(wy_new_file *file);

/* Flushes the file to disk and renames it atomically; frees `file` in any case. Unless `force` is set, an existing
 * file is replaced only if wy_file_may_replace allows it for the first bytes of the new one. */
WY_API wy_status wy_new_file_finish(wy_new_file *file, bool force, wy_error *err);

/* Deletes the unfinished file. NULL is allowed. */
WY_API void wy_new_file_abandon(wy_new_file *file);

/* Whether `path` may be written without losing a file that withy did not write: it does not exist, or is not a
 * regular file (a pipe, a device), or is empty, or has withy's mark, as pictures have, or begins with the given bytes
 * (none: NULL, 0). A write-protected file (mode 0444) is kept. Otherwise WY_CANNOT_WRITE with the reason. */
WY_API wy_status wy_file_may_replace(const char *path, const void *beginning, size_t count, wy_error *err);

/* The mark at the end of pictures, in a comment of their format. */
#define WY_FILE_MARK "drawn by withy"

#ifdef __cplusplus
}
#endif

#endif
