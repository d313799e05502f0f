/* A text file, whole. */
#ifndef WY_TEXT_FILE_H
#define WY_TEXT_FILE_H

#include <withy/status.h>

#include <stddef.h>

/* Reads a file of at most 64 MiB into memory that the caller frees. `what` names it in errors: "scenario",
 * "sweep". */
wy_status wy_text_file_read(char **text, size_t *length, const char *path, const char *what, wy_error *err);

#endif
