/* Writes ZIP archives; nothing has to be linked for it. The first file is stored, so that an archive is known by what
 * stands at its beginning; the others are compressed where that makes them shorter. */
#ifndef WITHY_FMU_ZIP_H
#define WITHY_FMU_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct fm_zip fm_zip;

/* Begins an archive in an open file; NULL when there is no memory. */
fm_zip *fm_zip_begin(FILE *file);

/* Adds a file. The date is always 1980-01-01, so that the same content gives the same archive. */
void fm_zip_add(fm_zip *zip, const char *name, const void *bytes, size_t size);

/* Writes the directory and frees the archive. False where something could not be written. */
bool fm_zip_end(fm_zip *zip);

#endif
