/* Replays the fuzzers' corpora, and mutations of them that are the same on every run. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>

#define LLVMFuzzerTestOneInput fuzz_scenario
#include "../fuzz/scenario.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_archive
#include "../fuzz/archive.c"
#undef LLVMFuzzerTestOneInput

#include "support/suite.h"

#define CORPUS TEST_SOURCE "/tests/fuzz/corpus/"
enum { LARGEST = 1 << 16 };

static size_t load(const char *target, const char *name, uint8_t *data) {
    char file_name[1024];
    snprintf(file_name, sizeof file_name, CORPUS "%s/%s", target, name);
    FILE *file = fopen(file_name, "rb");
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

static void replay(const char *target, int (*fuzz)(const uint8_t *, size_t), int mutants, int at_least) {
    uint8_t *data = malloc(LARGEST), *mutant = malloc(LARGEST);
    char folder_name[1024];
    snprintf(folder_name, sizeof folder_name, CORPUS "%s", target);
    DIR *folder = opendir(folder_name);
    ck_assert_ptr_nonnull(folder);
    int files = 0;
    uint64_t seed = 2026;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        files++;
        const size_t n = load(target, entry->d_name, data);
        fuzz(data, n);
        for (int i = 0; i < mutants; i++)
            fuzz(mutant, mutate(mutant, data, n, &seed));
    }
    closedir(folder);
    free(data);
    free(mutant);
    ck_assert_int_ge(files, at_least);
}

START_TEST(scenarios) {
    replay("scenario", fuzz_scenario, 200, 5);
}
END_TEST

START_TEST(archives) {
    replay("archive", fuzz_archive, 20, 10);
    remove(path);
}
END_TEST

SUITE("fuzz corpus", scenarios, archives)
