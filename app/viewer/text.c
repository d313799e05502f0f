/* JSON strings that no page can mistake for markup, and base64. */
#include "text.h"

#include <math.h>
#include <string.h>

#include <withy/io.h>
#include <withy/text.h>

void json_text_n(FILE *out, const char *text, size_t length) {
    fputc('"', out);
    for (size_t i = 0; i < length;) {
        const char *at = text + i;
        const size_t n = wy_text_character(at, length - i);
        const unsigned char c = (unsigned char)*at;
        if (n == 0)
            fputs("\\ufffd", out);
        else if (n == 1 && (c < 0x20 || c == 0x7f || strchr("\"\\<>&'", c)))
            fprintf(out, "\\u%04x", c);
        else if (n == 3 && memcmp(at, "\xe2\x80", 2) == 0 && (at[2] == '\xa8' || at[2] == '\xa9'))
            fputs(at[2] == '\xa8' ? "\\u2028" : "\\u2029", out); /* ends of lines, to a script */
        else
            fwrite(at, 1, n, out);
        i += n ? n : 1;
    }
    fputc('"', out);
}

void json_text(FILE *out, const char *text) {
    if (text)
        json_text_n(out, text, strlen(text));
    else
        fputs("null", out);
}

void json_number(FILE *out, double x) {
    char buffer[32];
    fputs(isfinite(x) ? wy_number_text(buffer, x) : "null", out);
}

static void base64_put(base64 *b) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *h = b->held;
    const char four[4] = {letters[h[0] >> 2], letters[(h[0] & 3) << 4 | h[1] >> 4],
                          b->count > 1 ? letters[(h[1] & 15) << 2 | h[2] >> 6] : '=',
                          b->count > 2 ? letters[h[2] & 63] : '='};
    fwrite(four, 1, sizeof four, b->out);
    memset(b->held, 0, sizeof b->held);
    b->count = 0;
}

void base64_add(base64 *b, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++) {
        b->held[b->count++] = p[i];
        if (b->count == 3)
            base64_put(b);
    }
}

void base64_end(base64 *b) {
    if (b->count)
        base64_put(b);
}
