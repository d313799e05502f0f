/* Replays the fuzzers' corpora, and a few thousand mutations of them that are the same on every run. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>

#include "../fuzz/scenario.c"
#include "support/suite.h"

#define CORPUS TEST_SOURCE "/tests/fuzz/corpus/scenario"
enum { LARGEST = 1 << 16 };

static size_t load(const char *name, uint8_t *data) {
    char path[1024];
    snprintf(path, sizeof path, CORPUS "/%s", name);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t n = fread(data, 1, LARGEST, file);
    fclose(file);
    return n;
}

/* Bytes changed, removed, doubled: what a careless editor does. */
static size_t mutate(uint8_t *out, const uint8_t *in, size_t n, uint64_t *seed) {
    static const char odd[] = "[]{}:,-#&*!|>'\"%@`?\n\t 0e.\\";
    memcpy(out, in, n);
    for (uint64_t k = random_bits(seed) % 8 + 1; k > 0 && n > 1; k--) {
        const size_t at = random_bits(seed) % n, length = random_bits(seed) % 12 + 1;
        switch (random_bits(seed) % 4) {
        case 0: out[at] = (uint8_t)odd[random_bits(seed) % (sizeof odd - 1)]; break;
        case 1: out[at] = (uint8_t)random_bits(seed); break;
        case 2:
            if (at + length < n) {
                memmove(out + at, out + at + length, n - at - length);
                n -= length;
            }
            break;
        default:
            if (at + length < n && n + length < LARGEST) {
                memmove(out + at + length, out + at, n - at);
                n += length;
            }
        }
    }
    return n;
}

START_TEST(corpus) {
    uint8_t *data = malloc(LARGEST), *mutant = malloc(LARGEST);
    DIR *folder = opendir(CORPUS);
    ck_assert_ptr_nonnull(folder);
    int files = 0;
    uint64_t seed = 2026;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        files++;
        const size_t n = load(entry->d_name, data);
        LLVMFuzzerTestOneInput(data, n);
        for (int i = 0; i < 200; i++)
            LLVMFuzzerTestOneInput(mutant, mutate(mutant, data, n, &seed));
    }
    closedir(folder);
    free(data);
    free(mutant);
    ck_assert_int_ge(files, 5);
}
END_TEST

SUITE("fuzz corpus", corpus)
