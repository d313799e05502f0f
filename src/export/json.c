/* Writes texts and numbers in JSON (NaN as null). */
#include "export/json.h"

#include <math.h>
#include <string.h>

#include <withy/text.h>
#include <withy/writer.h>

void wy_json_text(wy_output *out, const char *text) {
    if (!text) {
        wy_output_text(out, "null");
        return;
    }
    wy_output_text(out, "\"");
    for (size_t left = strlen(text), step; left; text += step, left -= step) {
        const size_t n = wy_text_character(text, left);
        step = n ? n : 1;
        if (*text == '"' || *text == '\\')
            wy_output_print(out, "\\%c", *text);
        else if (*text == '\n')
            wy_output_text(out, "\\n");
        else if (n == 1 && wy_text_is_control(text, 1))
            wy_output_print(out, "\\u%04x", (unsigned)*text);
        else if (n == 0) /* no character: JSON is UTF-8 whatever the archive says */
            wy_output_text(out, "\\ufffd");
        else
            wy_output_bytes(out, text, n);
    }
    wy_output_text(out, "\"");
}

void wy_json_number(wy_output *out, double x) {
    char buffer[32];
    wy_output_text(out, isfinite(x) ? wy_number_text(buffer, x) : "null");
}
