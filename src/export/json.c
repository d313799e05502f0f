/* Writing JSON. */
#include "export/json.h"

#include <math.h>

#include <withy/io.h>

void wy_json_text(FILE *out, const char *text) {
    if (!text) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p == '\n')
            fputs("\\n", out);
        else if (*p < 0x20)
            fprintf(out, "\\u%04x", *p);
        else
            fputc(*p, out);
    }
    fputc('"', out);
}

void wy_json_number(FILE *out, double x) {
    char buffer[32];
    fputs(isfinite(x) ? wy_number_text(buffer, x) : "null", out);
}
