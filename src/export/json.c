/* Writing JSON. */
#include "export/json.h"

#include <math.h>

#include <withy/writer.h>

void wy_json_text(wy_output *out, const char *text) {
    if (!text) {
        wy_output_text(out, "null");
        return;
    }
    wy_output_text(out, "\"");
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            wy_output_print(out, "\\%c", *p);
        else if (*p == '\n')
            wy_output_text(out, "\\n");
        else if (*p < 0x20)
            wy_output_print(out, "\\u%04x", *p);
        else
            wy_output_bytes(out, p, 1);
    }
    wy_output_text(out, "\"");
}

void wy_json_number(wy_output *out, double x) {
    char buffer[32];
    wy_output_text(out, isfinite(x) ? wy_number_text(buffer, x) : "null");
}
