/* Pages that the build put into the command. */
#ifndef WITHY_VIEWER_EMBEDDED_H
#define WITHY_VIEWER_EMBEDDED_H

#include <stddef.h>

typedef struct viewer_file {
    const char *label; /* "three" (where npm could be reached) or "plain" */
    const unsigned char *bytes;
    size_t size;
} viewer_file;

/* Ended by a NULL label. */
extern const viewer_file viewer_embedded[];

#endif
