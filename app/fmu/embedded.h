/* Files that the build put into the command: binaries and sources of the FMUs, and the licence. */
#ifndef WITHY_FMU_EMBEDDED_H
#define WITHY_FMU_EMBEDDED_H

#include <stddef.h>

typedef struct fm_file {
    const char *label; /* "MODEL/STANDARD/so", "MODEL/STANDARD/c", "licence" */
    const unsigned char *bytes;
    size_t size;
} fm_file;

/* Ended by a NULL label. */
extern const fm_file fm_embedded[];

#endif
