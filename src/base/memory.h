/* Memory whose size comes from outside: sums and products that do not wrap around, and a question before it is
 * spent. */
#ifndef WY_MEMORY_H
#define WY_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <withy/status.h>

#include "base/lab_api.h"

/* a + b and a b, or SIZE_MAX where that is more than can be counted: malloc refuses that. */
static inline size_t wy_size_sum(size_t a, size_t b) {
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

static inline size_t wy_size_product(size_t a, size_t b) {
    return b && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* How many bytes this process may still take: what the machine has, or what the system allows the process, less what it
 * holds. SIZE_MAX: not known. */
size_t wy_memory_left(void);

/* Whether so many bytes can be had. If not: WY_NO_MEMORY, "no memory for WHAT: it needs 7.3 GB, and there are 2.1
 * GB". Small amounts are granted without looking. */
wy_status wy_memory_ask(size_t bytes, wy_error *err, const char *what, ...) WY_PRINTF(3, 4);

/* Asks for `count` times `each` bytes and gives them, all zero. NULL with that sentence where they cannot be had. To
 * be freed with free. */
WY_LAB_API void *wy_memory_take(size_t count, size_t each, wy_error *err, const char *what, ...) WY_PRINTF(4, 5);

/* Before it is used: that this memory should lie in large pages, where the system has them. */
void wy_memory_large_pages(void *memory, size_t bytes);

#endif
