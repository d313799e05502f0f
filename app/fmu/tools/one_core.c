/* In place of src/estimate/second_core.c in an FMU's one-file source: a guest starts no threads. */
wy_second_core *wy_second_core_create(void) {
    return NULL;
}

void wy_second_core_free(wy_second_core *core) {
    (void)core;
}

bool wy_second_core_start(wy_second_core *core, void (*work)(void *context), void *context) {
    (void)core, (void)work, (void)context;
    return false;
}

void wy_second_core_wait(wy_second_core *core) {
    (void)core;
}
