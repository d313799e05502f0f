/* What every Check program needs: its last line, and untidy numbers that are the same on every run.
 *
 * Assert once after a long loop, on the worst case, rather than inside it: an assertion of Check is not free. */
#ifndef WY_TEST_SUITE_H
#define WY_TEST_SUITE_H

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Runs the tests, or CK_RUN_CASE alone, and answers the exit code of the program. */
static inline int suite_run(const char *name, const TTest *const *tests, size_t count) {
    Suite *suite = suite_create(name);
    for (size_t i = 0; i < count; i++) {
        TCase *one = tcase_create(tests[i]->name);
        tcase_set_timeout(one, 800);
        tcase_add_test(one, tests[i]);
        suite_add_tcase(suite, one);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* int main of a test program: SUITE("rotations", test_a, test_b) */
#define SUITE(name, ...)                                             \
    int main(void) {                                                 \
        const TTest *const tests[] = {__VA_ARGS__};                  \
        return suite_run(name, tests, sizeof tests / sizeof *tests); \
    }

/* Where random cases begin: WITHY_SEED draws others than the usual ones. */
static inline uint64_t suite_seed(uint64_t usual) {
    const char *seed = getenv("WITHY_SEED");
    return seed && *seed ? strtoull(seed, NULL, 10) : usual;
}

/* SplitMix64. */
static inline uint64_t random_bits(uint64_t *seed) {
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in (low, high). */
static inline double random_in(uint64_t *seed, double low, double high) {
    return low + (high - low) * ((double)(random_bits(seed) >> 11) + 0.5) * 0x1p-53;
}

/* Standard normal, by Box and Muller. */
static inline double random_normal(uint64_t *seed) {
    const double u = random_in(seed, 0.0, 1.0), v = random_in(seed, 0.0, 6.283185307179586);
    return sqrt(-2.0 * log(u)) * cos(v);
}

#endif
