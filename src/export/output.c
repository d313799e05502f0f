/* Outputs: bytes to a file or a callback. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <withy/writer.h>

#include "export/buffer.h"

static bool to_file(void *file, const void *bytes, size_t count) {
    return fwrite(bytes, 1, count, file) == count;
}

void wy_output_to_file(wy_output *output, FILE *file) {
    *output = (wy_output){.context = file, .write = to_file};
}

void wy_output_bytes(wy_output *output, const void *bytes, size_t count) {
    if (count && !output->failed)
        output->failed = !output->write(output->context, bytes, count);
}

void wy_output_text(wy_output *output, const char *text) {
    wy_output_bytes(output, text, strlen(text));
}

void wy_output_print(wy_output *output, const char *format, ...) {
    char line[512], *text = line;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(line, sizeof line, format, args);
    if (length >= (int)sizeof line) {
        text = malloc((size_t)length + 1);
        if (text)
            vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(args);
    if (length < 0 || !text)
        output->failed = true;
    else
        wy_output_bytes(output, text, (size_t)length);
    if (text != line)
        free(text);
}

static bool to_buffer(void *context, const void *bytes, size_t count) {
    buffer *b = context;
    if (count > b->capacity - b->length) {
        if (count > SIZE_MAX / 4 || b->capacity > SIZE_MAX / 4)
            return false;
        const size_t capacity = 2 * (b->capacity + count);
        char *bigger = realloc(b->bytes, capacity);
        if (!bigger)
            return false;
        b->bytes = bigger;
        b->capacity = capacity;
    }
    memcpy(b->bytes + b->length, bytes, count);
    b->length += count;
    return true;
}

void wy_buffer_output(wy_output *output, buffer *b) {
    *b = (buffer){0};
    *output = (wy_output){.context = b, .write = to_buffer};
}
