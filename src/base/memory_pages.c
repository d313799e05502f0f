/* Pages of two megabytes for what is large and read from end to end: the processor finds its way to few of them, and
 * follows a run of numbers to the end of a page. Only Linux is asked; elsewhere, and where it has none, nothing
 * happens. */
#define _GNU_SOURCE /* madvise */
#include "base/memory.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

void wy_memory_large_pages(void *memory, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)2 << 20, from = ((uintptr_t)memory + page - 1) / page * page,
                    to = ((uintptr_t)memory + bytes) / page * page;
    if (to > from)
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE); /* a wish: no harm where it is not granted */
#else
    (void)memory;
    (void)bytes;
#endif
}
