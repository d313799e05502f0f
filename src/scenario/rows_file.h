/* Rows of numbers from a file. */
#ifndef WY_ROWS_FILE_H
#define WY_ROWS_FILE_H

#include <withy/param.h>

/* Reads a file of rows, each a line with param->count numbers between commas, semicolons, tabs or spaces. Empty
 * lines and lines that begin with '#' are skipped, and so is a first line that begins with a letter or a quote: a
 * heading. Errors name the line. The rows live in the arena. */
wy_status wy_rows_file_read(wy_samples *rows, const char *path, const wy_param *param, wy_arena *arena, wy_error *err);

#endif
