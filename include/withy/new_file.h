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

/* A folder that is being written: it appears under its name with all its files, or not at all. An existing folder of
 * that name stays until then. */
typedef struct wy_new_folder wy_new_folder;

/* Creates a folder that will be called `path`. Close it with wy_new_folder_finish or wy_new_folder_abandon. */
WY_API wy_status wy_new_folder_open(wy_new_folder **folder, const char *path, wy_error *err);

/* The folder to write the files into. */
WY_API const char *wy_new_folder_path(const wy_new_folder *folder);

/* Renames the folder atomically; frees `folder` in any case. An existing folder is replaced only if each file in it has
 * the name or the first bytes of a file of the new one; with `force` a file of the same name is enough. Any other file
 * in it prevents the replacement. */
WY_API wy_status wy_new_folder_finish(wy_new_folder *folder, bool force, wy_error *err);

/* Deletes the unfinished folder. NULL is allowed. */
WY_API void wy_new_folder_abandon(wy_new_folder *folder);

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
