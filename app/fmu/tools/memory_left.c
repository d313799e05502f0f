/* In place of src/base/memory_left.c and memory_pages.c in an FMU's one-file source: a guest does not ask the system
 * how much memory there is, nor for pages of its own size. */
size_t wy_memory_left(void) {
    return SIZE_MAX;
}

void wy_memory_large_pages(void *memory, size_t bytes) {
    (void)memory, (void)bytes;
}
