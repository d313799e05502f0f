/* An output into memory. Internal to src/export. */
#ifndef WY_BUFFER_H
#define WY_BUFFER_H

#include <withy/writer.h>

/* Grows as it is written to; free(bytes) afterwards. */
typedef struct buffer {
    char *bytes;
    size_t length, capacity;
} buffer;

/* Empties `b` and makes an output into it. The output fails when there is no memory. */
void wy_buffer_output(wy_output *output, buffer *b);

#endif
