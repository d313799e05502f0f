/* Asking for memory before it is spent. Systems promise more than they have, and end the program later, when it is used. */
#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* RLIMIT_AS; sysconf's names for the memory */
#endif
#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined(_WIN32)
#include <sys/resource.h>
#include <unistd.h>
#endif

enum { LITTLE = 1 << 25 }; /* granted without looking */

#if !defined(_WIN32)
/* The first number of a file; false where there is none, such as "max". */
static bool read_number(size_t *number, const char *path, int which) {
    FILE *file = fopen(path, "r");
    unsigned long long values[2] = {0, 0};
    const int read = file ? fscanf(file, "%llu %llu", &values[0], &values[1]) : 0;
    if (file)
        fclose(file);
    if (read <= which)
        return false;
    *number = values[which] < SIZE_MAX ? (size_t)values[which] : SIZE_MAX;
    return true;
}

static void lower(size_t *limit, size_t to) {
    if (to < *limit)
        *limit = to;
}

static void lower_to(size_t *limit, int resource, size_t held) {
    struct rlimit r;
    if (getrlimit(resource, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
        lower(limit, r.rlim_cur > held ? (size_t)(r.rlim_cur - held) : 0);
}

size_t wy_memory_left(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    size_t left = SIZE_MAX, total, held[2] = {0, 0}, number;
    if (size <= 0)
        return SIZE_MAX;
    for (int i = 0; i < 2; i++) /* its addresses, and what of them is memory; Linux */
        if (read_number(&held[i], "/proc/self/statm", i))
            held[i] = wy_size_product(held[i], (size_t)size);
    total = pages > 0 ? wy_size_product((size_t)pages, (size_t)size) : SIZE_MAX;
    /* a container's share */
    if (read_number(&number, "/sys/fs/cgroup/memory.max", 0) ||
        read_number(&number, "/sys/fs/cgroup/memory/memory.limit_in_bytes", 0))
        lower(&total, number);
    if (total < SIZE_MAX)
        left = total > held[1] ? total - held[1] : 0;
    lower_to(&left, RLIMIT_AS, held[0]);
    lower_to(&left, RLIMIT_DATA, held[1]);
    return left;
}
#else
size_t wy_memory_left(void) {
    return SIZE_MAX;
}
#endif

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
    if (!memory) {
        va_list args;
        va_start(args, what);
        refuse(bytes, left, err, what, args);
        va_end(args);
    }
    return memory;
}
