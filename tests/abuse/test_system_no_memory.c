/* A system whose memory ends: the n-th allocation fails, for every n, and each time create says so and leaves nothing
 * behind. Factors and solutions take none. */
#include "support/suite.h"
#include "system/system.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static long left = -1; /* allocations until one fails; negative: none does */
static long held, asked;

static bool fails(void) {
    asked++;
    return left >= 0 && left-- == 0;
}

static void *given(void *p) {
    held += p != NULL;
    return p;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : given(__real_malloc(size));
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : given(__real_calloc(count, size));
}
void *__wrap_realloc(void *old, size_t size) {
    if (fails())
        return NULL;
    held -= old != NULL;
    return given(__real_realloc(old, size));
}
void __wrap_free(void *old) {
    held -= old != NULL;
    __real_free(old);
}

/* A ring of four elements, or the same open. */
static wy_status make(wy_system_matrix **s, bool ring, wy_system_form form, wy_error *err) {
    static const size_t list[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0};
    static const size_t open[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    wy_system_block block[4];
    for (size_t e = 0; e < 4; e++)
        block[e] = (wy_system_block){(ring ? list : open) + 3 * e, 4, false};
    const wy_system_definition d = {.nodes = ring ? 12 : 13, .blocks = 4, .block = block};
    return wy_system_create(s, &d, form, NULL, err);
}

START_TEST(create_says_so) {
    for (int which = 0; which < 6; which++) {
        wy_status status = WY_NO_MEMORY;
        long n = 0;
        for (; status && n < 500; n++) {
            wy_system_matrix *s = NULL;
            wy_error err = {0};
            const long before = held;
            left = n;
            status = make(&s, which % 2, (wy_system_form)(which / 2), &err);
            left = -1;
            const bool said = !status || (status == WY_NO_MEMORY && !s && strstr(err.text, "no memory"));
            wy_system_free(s);
            const long after = held;
            ck_assert(said);
            ck_assert_int_eq(after, before);
        }
        ck_assert_int_eq(status, WY_OK);
        ck_assert_int_gt(n, 5);
    }
}
END_TEST

START_TEST(solving_takes_none) {
    double K[24 * 24], x[78];
    for (int i = 0; i < 24 * 24; i++)
        K[i] = i % 25 == 0 ? 30.0 : 1.0 / (1.0 + i % 24 + (double)(i / 24));
    for (int which = 0; which < 6; which++) {
        wy_system_matrix *s;
        ck_assert_int_eq(make(&s, which % 2, (wy_system_form)(which / 2), NULL), WY_OK);
        const long before = asked;
        wy_system_clear(s);
        for (size_t e = 0; e < 4; e++)
            wy_system_add(s, e, K);
        for (size_t i = 0; i < wy_system_unknowns(s); i++)
            x[i] = 1.0;
        wy_system_constrain(s, 3, WY_SYSTEM_PRESCRIBED);
        const wy_status status = wy_system_factor(s, 0.5, NULL, NULL);
        wy_system_solve(x, s);
        const long after = asked;
        ck_assert_int_eq(status, WY_OK);
        ck_assert_int_eq(after, before);
        wy_system_free(s);
    }
}
END_TEST

SUITE("systems without memory", create_says_so, solving_takes_none)
