/* Compression as in ZIP archives (RFC 1951). Written here because the bytes of an FMU depend on its version alone, and
 * those of zlib on zlib's. */
#ifndef WITHY_FMU_DEFLATE_H
#define WITHY_FMU_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

/* `bytes` as a DEFLATE stream of *length bytes, in memory that the caller frees; *out is NULL where the stream would
 * not be shorter. False: no memory. */
bool fm_deflate(unsigned char **out, size_t *length, const unsigned char *bytes, size_t size);

#endif
