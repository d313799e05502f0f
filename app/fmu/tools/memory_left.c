/* In place of src/base/memory_left.c in an FMU's one-file source: a guest does not ask the system how much memory there is. */
size_t wy_memory_left(void) {
    return SIZE_MAX;
}
