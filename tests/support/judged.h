/* Judged scenes for tests/laws/test_fresh_scenes.py, which adds up those of all generators: one line each in the file
 * WITHY_JUDGED: family, number, what became of it, true error, stated error, warned, hides. */
#ifndef TEST_JUDGED_H
#define TEST_JUDGED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* `fate`: ran, refused (with a message), unreferenced (no finer run to compare with). `hides`: some error is above five
 * times what is stated of it. */
static inline void report_judged(const char *family, int64_t number, const char *fate, double truth, double stated,
                                 bool warned, bool hides) {
    const char *name = getenv("WITHY_JUDGED");
    FILE *file = name ? fopen(name, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s %lld %s %.6g %.6g %d %d\n", family, (long long)number, fate, truth, stated, warned, hides);
    fclose(file);
}

#endif
