/* How much memory the system has left for this process. */
#define _GNU_SOURCE /* RLIMIT_AS; sysconf's names for the memory */
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"

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
