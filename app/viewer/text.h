/* Text for pages: JSON that is also safe inside a <script> block, and base64. */
#ifndef WITHY_VIEWER_TEXT_H
#define WITHY_VIEWER_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* A JSON string. Whatever could end a script block, or is no UTF-8, is written as an escape. NULL: null. */
void json_text(FILE *out, const char *text);

/* The same for the first `length` bytes. */
void json_text_n(FILE *out, const char *text, size_t length);

/* A JSON number that reads back as the same double; null for NaN and infinity. */
void json_number(FILE *out, double x);

/* Base64 of bytes that come piece by piece. */
typedef struct base64 {
    FILE *out;
    unsigned char held[3];
    size_t count;
} base64;
void base64_add(base64 *b, const void *bytes, size_t size);
void base64_end(base64 *b);

#endif
