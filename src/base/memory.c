/* Asking for memory before it is spent. Systems promise more than they have, and end the program later, when it is
 * used. */
#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { LITTLE = 1 << 25 }; /* granted without looking */

/* "730 GB", with three digits. */
static const char *amount(char *text, size_t size, size_t bytes) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double x = (double)bytes;
    size_t u = 0;
    for (; x >= 999.5 && u + 1 < sizeof units / sizeof *units; u++)
        x /= 1000.0;
    snprintf(text, size, "%s%.3g %s", bytes == SIZE_MAX ? "more than " : "", x, units[u]);
    return text;
}

static wy_status refuse(size_t bytes, size_t left, wy_error *err, const char *what, va_list args) {
    char words[200], needs[40], has[40];
    vsnprintf(words, sizeof words, what, args);
    amount(needs, sizeof needs, bytes);
    if (left == SIZE_MAX)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %s: %s", words, needs);
    return wy_fail(err, WY_NO_MEMORY, "no memory for %s: it needs %s, and there are %s", words, needs,
                   amount(has, sizeof has, left));
}

/* SIZE_MAX: yes; else how much is left. */
static bool granted(size_t bytes, size_t *left) {
    *left = SIZE_MAX;
    if (bytes <= LITTLE)
        return true;
    *left = wy_memory_left();
    return bytes < SIZE_MAX / 2 && bytes <= *left;
}

wy_status wy_memory_ask(size_t bytes, wy_error *err, const char *what, ...) {
    size_t left;
    if (granted(bytes, &left))
        return WY_OK;
    va_list args;
    va_start(args, what);
    const wy_status s = refuse(bytes, left, err, what, args);
    va_end(args);
    return s;
}

void *wy_memory_take(size_t count, size_t each, wy_error *err, const char *what, ...) {
    const size_t bytes = wy_size_product(count, each);
    size_t left;
    void *memory = granted(bytes, &left) ? calloc(count ? count : 1, each ? each : 1) : NULL;
    if (memory && bytes > LITTLE)
        wy_memory_large_pages(memory, bytes);
    if (!memory) {
        va_list args;
        va_start(args, what);
        refuse(bytes, left, err, what, args);
        va_end(args);
    }
    return memory;
}
