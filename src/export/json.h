/* The little of JSON that is needed to write it. */
#ifndef WY_JSON_H
#define WY_JSON_H

#include <withy/writer.h>

#include "base/lab_api.h"

/* Writes a quoted and escaped string; NULL becomes null. */
WY_LAB_API void wy_json_text(wy_output *out, const char *text);

/* Writes a number that reads back the same; NaN and infinity, which JSON does not have, become null. */
WY_LAB_API void wy_json_number(wy_output *out, double x);

#endif
