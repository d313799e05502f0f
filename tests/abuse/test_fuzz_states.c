/* Replays the corpus of FMU states, and mutations of it that are the same on every run. (A file of its own: the target
 * holds the FMU's core.) */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>

#include "../fuzz/state.c"

#include "support/suite.h"

#define CORPUS TEST_SOURCE "/tests/fuzz/corpus/state"

START_TEST(states) {
    DIR *folder = opendir(CORPUS);
    ck_assert_ptr_nonnull(folder);
    int files = 0;
    uint64_t seed = 7;
    for (struct dirent *entry; (entry = readdir(folder));) {
        uint8_t data[4096];
        char name[1024];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, CORPUS "/%s", entry->d_name);
        FILE *file = fopen(name, "rb");
        ck_assert_ptr_nonnull(file);
        const size_t n = fread(data, 1, sizeof data, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, n);
        for (int i = 0; i < 100 && n; i++) {
            data[random_bits(&seed) % n] = (uint8_t)random_bits(&seed);
            LLVMFuzzerTestOneInput(data, n);
        }
        files++;
    }
    closedir(folder);
    ck_assert_int_ge(files, 5);
}
END_TEST

SUITE("fuzz states", states)
