/* Files that appear under their name only when they are whole, and never in the place of somebody else's. Part of
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

/* A file in the making: it has a name that nobody can guess beside the one that it will get, and was made anew, so that no
 * link that somebody put there is followed. A pipe or a device of that name is written to as it is. */
typedef struct wy_new_file wy_new_file;

/* Begins a file that will be called `path`. Ends with one of the two below. */
WY_API wy_status wy_new_file_open(wy_new_file **file, const char *path, wy_error *err);

/* Where to write to. */
WY_API FILE *wy_new_file_stream(wy_new_file *file);

/* Forces what was written to the disk and gives it its name, in one move; frees `file` in any case. Unless `force` is set,
 * a file of that name is replaced only where wy_file_may_replace allows it for the beginning of the new one. */
WY_API wy_status wy_new_file_finish(wy_new_file *file, bool force, wy_error *err);

/* Throws the unfinished file away. NULL is allowed. */
WY_API void wy_new_file_abandon(wy_new_file *file);

/* A folder in the making, in the same way: it appears under its name with everything in it, or not at all, and what was there before stays until then. */
typedef struct wy_new_folder wy_new_folder;

/* Begins a folder that will be called `path`. Ends with one of the two below. */
WY_API wy_status wy_new_folder_open(wy_new_folder **folder, const char *path, wy_error *err);

/* The folder to write the files into. */
WY_API const char *wy_new_folder_path(const wy_new_folder *folder);

/* Gives the folder its name, in one move, and frees `folder` in any case. A folder of that name is replaced only if all that it holds are files that
 * are called or begin as those of the new one do; with `force` also what is called as one of them. What else is in it keeps it from being replaced. */
WY_API wy_status wy_new_folder_finish(wy_new_folder *folder, bool force, wy_error *err);

/* Throws the unfinished folder away. NULL is allowed. */
WY_API void wy_new_folder_abandon(wy_new_folder *folder);

/* Whether `path` may be written without losing what is not withy's: there is no such file, or it is no plain file (a pipe, a
 * device), or it is empty, or it bears withy's mark, as pictures do, or it begins with the bytes given (none: NULL, 0).
 * A file that may not be written to (mode 0444) stays. Else WY_CANNOT_WRITE with the reason. */
WY_API wy_status wy_file_may_replace(const char *path, const void *beginning, size_t count, wy_error *err);

/* The mark: pictures end with it in the manner of their format. */
#define WY_FILE_MARK "drawn by withy"

#ifdef __cplusplus
}
#endif

#endif
