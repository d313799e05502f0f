/* The little of JSON that is needed to write it. */
#ifndef WY_JSON_H
#define WY_JSON_H

#include <stdio.h>

/* Writes a quoted and escaped string; NULL becomes null. */
void wy_json_text(FILE *out, const char *text);

/* Writes a number that reads back the same; NaN and infinity, which JSON does not have, become null. */
void wy_json_number(FILE *out, double x);

#endif
