/* Numbers as text that reads back as the same double, whatever the locale. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/param.h>

const char *wy_number_text(char *buffer, double x) {
    /* the shortest of 15, 16, 17 digits that comes back unchanged */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, x);
        if (strtod(buffer, NULL) == x)
            break;
    }
    const char *point = localeconv()->decimal_point;
    char *at = strcmp(point, ".") == 0 ? NULL : strstr(buffer, point);
    if (at) {
        *at = '.';
        memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
    }
    return buffer;
}
