/* Memory that ends: the n-th allocation fails, for every n; each call says so and leaks nothing. */
#include <withy/multisymplectic.h>

#include "support/beam_tools.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static long left = -1;

static bool fails(void) {
    return left >= 0 && left-- == 0;
}
void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

static wy_status collocate(wy_error *err) {
    const plain_rod beam = thesis_beam(0.0, 0.05);
    wy_equilibrium_method m = collocation(2, 8);
    wy_equilibrium *s = NULL;
    wy_status status = wy_equilibrium_create(&s, rod_of(&beam), &m, err);
    if (!status) {
        const long keep = left;
        left = 0; /* from here on nothing is allocated at all */
        status = wy_equilibrium_solve(s, WY_BRANCH_MAIN, 1, err);
        if (left != 0 && !status)
            status = WY_UNSUPPORTED;
        left = keep;
    }
    wy_equilibrium_free(s);
    return status;
}

static wy_status shoot(wy_error *err) {
    const plain_rod beam = thesis_beam(0.0, 0.05);
    wy_equilibrium_method m = shooting("GL4", 8);
    wy_equilibrium *s = NULL;
    const wy_status status = wy_equilibrium_create(&s, rod_of(&beam), &m, err);
    wy_equilibrium_free(s);
    return status;
}

static wy_status multisymplectic(wy_error *err) {
    const plain_rod beam = thesis_beam(0.0, 0.05);
    wy_ms_solver *s = NULL;
    const wy_status status = wy_ms_solver_create(&s, rod_of(&beam), WY_MS_RATTLE, 8, 0.0, err);
    wy_ms_solver_free(s);
    return status;
}

START_TEST(every_allocation_fails_once) {
    wy_status (*const acts[])(wy_error *) = {collocate, shoot, multisymplectic};
    for (size_t a = 0; a < 3; a++) {
        wy_status s = WY_NO_MEMORY;
        int n = 0;
        for (; s && n < 200; n++) {
            wy_error err = {0};
            left = n;
            s = acts[a](&err);
            left = -1;
            ck_assert_msg(s == WY_OK || s == WY_NO_MEMORY, "act %zu, allocation %d: %d %s", a, n, s, err.text);
        }
        ck_assert_msg(s == WY_OK && n > 3, "act %zu: %d", a, n);
    }
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, every_allocation_fails_once);
}

int main(void) {
    return run_suite("beam without memory", add);
}
