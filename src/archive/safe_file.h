/* A file that is replaced as a whole or not at all. */
#ifndef WY_SAFE_FILE_H
#define WY_SAFE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <withy/status.h>

/* Forces a file's contents to the disk. */
wy_status wy_file_sync(const char *path, wy_error *err);

/* Forces the folder of a file to the disk: what is called how. */
wy_status wy_folder_sync(const char *path, wy_error *err);

/* Makes a new file "PATH.somethingENDING" with a name that nobody can guess, writes the name to `name` and gives its
 * descriptor, or -1 (errno says why). Never opens what is there. */
int wy_file_make(char *name, size_t size, const char *path, const char *ending);

/* Copies a file. */
wy_status wy_file_copy(const char *from, const char *to, wy_error *err);

/* Puts `fresh` in the place of `path` in one move: at no moment is there no file, or half a one. Where the system can
 * exchange the two, what `path` was before is now called `fresh` and *kept is true; else it is gone. */
wy_status wy_file_replace(const char *path, const char *fresh, bool *kept, wy_error *err);

/* Claims a file for this writer until the descriptor is closed (-1: nothing to close), so that two runs do not write to one
 * file. Readers do not notice. A file that is not there, or a file system without locks, is no failure; a file that another
 * writer has claimed is. `create` makes the file where it is not there. */
wy_status wy_file_claim(int *descriptor, const char *path, bool create, wy_error *err);

#endif
