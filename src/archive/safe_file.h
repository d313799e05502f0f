/* A file that is replaced as a whole or not at all. */
#ifndef WY_SAFE_FILE_H
#define WY_SAFE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <withy/status.h>

/* Forces the folder of a file to the disk: what is called how. */
wy_status wy_folder_sync(const char *path, wy_error *err);

/* Writes "PATH.twelveletters.part", a name that cannot be guessed, to `name`; false: errno says why. */
bool wy_file_part_name(char *name, size_t size, const char *path);

/* The descriptor of a new file, or -1: errno says why. Never opens an existing file. */
int wy_file_make(const char *name);

/* Both, locked as long as the descriptor is open, after the removal of such files that killed commands left. */
int wy_file_make_locked(char *name, size_t size, const char *path);

/* The same, a folder. */
int wy_folder_make(char *name, size_t size, const char *path);

/* Removes "PATH.something.part" that no process has locked: what killed commands left. Nothing where an archive is
 * being written. */
void wy_file_clear(const char *path);

/* Removes a folder and the files in it. */
void wy_folder_remove(const char *path);

/* Fills the empty file `to` with what `from` holds, and gives it the same permissions. */
wy_status wy_file_copy(int to, const char *from, wy_error *err);

/* Puts `fresh` in the place of `path` in one move: at no moment is there no file, or half a one. With `keep`, and
 * where the system can exchange the two, what `path` was before is now called `fresh` and *kept is true; else it is
 * gone. */
wy_status wy_file_replace(const char *path, const char *fresh, bool keep, bool *kept, wy_error *err);

/* True if only `fd` has the file open, as far as the system tells: then it may be changed without anybody
 * noticing. */
bool wy_file_alone(int fd);

#endif
