/* Memory that ends while branches are followed: the n-th allocation fails, for every n; each time it is said, nothing
 * leaks. */
#include "support/branch_tools.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long left = -1;
static bool everything; /* from the failing one on, all fail */

static bool fails(void) {
    if (left < 0)
        return false;
    if (left > 0)
        left--;
    else if (!everything)
        left = -1;
    else
        return true;
    return left < 0;
}
void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}

static wy_status ignore(void *context, const wy_branch_solution *s, wy_error *err) {
    (void)err;
    *(size_t *)context += s->sort == WY_POINT_BRANCH;
    return WY_OK;
}

/* From the straight rod over a branch point to another branch, with a mesh that changes. */
static wy_status act(size_t *branch_points, wy_error *err) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = 0.05;
    o.elements = 6;
    o.tolerance = 1e-5;
    o.most_elements = 40;
    o.branches = 2;
    o.direction = 1;
    o.most_negative = 1;
    o.points = 12;
    o.eigenvalues = 1;
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = 0.004, .branch = WY_BRANCH_DIRECT, .mode = 1};
    return wy_branches_follow(&p, &o, ignore, branch_points, err);
}

/* A mesh that cannot be made leaves the solution as it was. */
START_TEST(refining_without_memory) {
    const plain_rod beam = thesis_beam(0.0, 0.3);
    wy_equilibrium_method m = collocation(6, 12);
    wy_equilibrium *solver = NULL;
    wy_error err = {0};
    ck_assert(!wy_equilibrium_create(&solver, rod_of(&beam), &m, &err) &&
              !wy_equilibrium_solve(solver, WY_BRANCH_PLANAR, 1, &err));
    const double force = wy_equilibrium_states(solver)[2];
    wy_status s = WY_NO_MEMORY;
    int n = 0;
    for (; s && n < 50; n++) {
        everything = false;
        left = n;
        s = wy_equilibrium_refine(solver, 1e-9, 300, NULL, &err);
        left = -1;
        ck_assert_msg(s == WY_OK || s == WY_NO_MEMORY, "allocation %d: %d %s", n, s, err.text);
        if (s)
            ck_assert(wy_equilibrium_states(solver)[2] == force && wy_equilibrium_count(solver) == 13);
    }
    ck_assert(s == WY_OK && n > 5 && wy_equilibrium_count(solver) > 13);
    ck_assert(wy_equilibrium_states(solver)[2] != force && fabs(wy_equilibrium_states(solver)[2] / force - 1.0) < 1e-4);
    wy_equilibrium_free(solver);
}
END_TEST

START_TEST(every_allocation_fails_once) {
    for (int all = 0; all < 2; all++) {
        wy_status s = WY_NO_MEMORY;
        int n = 0;
        size_t found = 0;
        everything = all;
        for (; s && n < 20000; n += n < 90 ? 1 : n / (all ? 4 : 12)) {
            wy_error err = {0};
            left = n;
            found = 0;
            s = act(&found, &err);
            left = -1;
            ck_assert_msg(s == WY_OK || (s == WY_NO_MEMORY && strlen(err.text) > 5), "allocation %d: %d %s", n, s,
                          err.text);
        }
        ck_assert_msg(s == WY_OK && n > 40 && found >= 2, "%d allocations, %zu branch points", n, found);
    }
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, refining_without_memory);
    tcase_add_test(tc, every_allocation_fails_once);
}

int main(void) {
    return run_suite("branches without memory", add);
}
