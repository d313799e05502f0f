/* Letting go what cannot be let go, with options that make no sense, without memory, and stopped half way. */
#include <withy/release.h>

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

static const plain_station rod = {.section = {1.7, 1.7, 1.3, 6e3, 6e3, 1.5e4, 1e-4, 1e-4, 2e-4, 0.8, 0},
                                  .stretch = {0, 0, 1}};

static void refuse(const plain_rod *beam, wy_status wanted, const char *says) {
    wy_release *r;
    wy_error err = {0};
    wy_equilibrium *s = solved(beam, collocation(6, 12), WY_BRANCH_DIRECT, 1);
    const wy_status status = wy_release_create(&r, s, NULL, &err);
    ck_assert_msg(status == wanted && strstr(err.text, says), "%d: %s", status, err.text);
    ck_assert_ptr_null(r);
    wy_equilibrium_free(s);
}

/* Ends that the library has no name for, and jumps of the unstressed shape: the same rod moves as it rests. */
static void allow(const plain_rod *beam) {
    wy_release *r;
    wy_error err = {0};
    wy_equilibrium *s = solved(beam, collocation(6, 12), WY_BRANCH_DIRECT, 1);
    const wy_status status = wy_release_create(&r, s, NULL, &err);
    ck_assert_msg(status == WY_OK, "%d: %s", status, err.text);
    wy_release_free(r);
    wy_equilibrium_free(s);
}

START_TEST(rods_that_cannot_be_let_go) {
    plain_rod beam = cantilever(&rod, 1.0);
    plain_station massless = rod, at[4] = {rod, rod, rod, rod};
    massless.section.rhoA = 0.0;
    beam.stations = &massless;
    refuse(&beam, WY_BAD_INPUT, "mass");
    massless = rod;
    massless.section.rhoI1 = 0.0;
    refuse(&beam, WY_BAD_INPUT, "rho I1 = 0");
    beam.stations = &rod;
    beam.right.rotation = HELD; /* may move but not turn */
    allow(&beam);
    beam.right.rotation = FOLLOWING;
    beam.right.force[0] = 0.2;
    beam.right.moment[1] = 0.1;
    allow(&beam);
    beam.right = (plain_end){.translation = HELD,
                             .rotation = DEAD,
                             .position = {0, 0, 1},
                             .moment = {0.1, 0, 0},
                             .orientation = {1, 0, 0, 0}};
    allow(&beam);
    beam = cantilever(at, 1.0);
    beam.station_count = 4;
    at[1].s = at[2].s = 0.4;
    at[3].s = 1.0;
    at[2].curvature[1] = at[3].curvature[1] = 0.3;
    allow(&beam);
    at[0].curvature[1] = at[1].curvature[1] = 0.3;
    at[3].section.rhoJ = 0.0;
    refuse(&beam, WY_BAD_INPUT, "rhoJ");
}
END_TEST

START_TEST(options_that_make_no_sense) {
    const plain_rod beam = cantilever(&rod, 1.0);
    wy_equilibrium *s = solved(&beam, collocation(6, 12), WY_BRANCH_DIRECT, 1);
    wy_release *r;
    wy_error err;
    wy_release_options good;
    wy_release_options_init(&good);
    for (int i = 0; i < 11; i++) {
        wy_release_options o = good;
        switch (i) {
        case 0: o.push = 0.0; break;
        case 1: o.push = 3.0; break;
        case 2: o.push = NAN; break;
        case 3: o.damping = -1.0; break;
        case 4: o.duration = 0.0; break;
        case 5: o.duration = INFINITY; break;
        case 6: o.tolerance = 1e-12; break;
        case 7: o.tolerance = NAN; break;
        case 8: o.elements = 3; break;
        case 9: o.most_elements = 10; break;
        default: o.elements = 2000000; break;
        }
        ck_assert_msg(wy_release_create(&r, s, &o, &err) == WY_BAD_INPUT, "%d", i);
        ck_assert_ptr_null(r);
    }
    ck_assert_int_eq(wy_release_create(&r, s, &good, &err), WY_OK);
    /* before it moved there is nothing to settle or to compare */
    wy_solution_match like;
    ck_assert_int_eq(wy_release_settle(r, NULL, &err), WY_BAD_INPUT);
    ck_assert_int_eq(
        wy_release_compare(&like, r, wy_equilibrium_count(s), wy_equilibrium_s(s), wy_equilibrium_states(s), &err),
        WY_BAD_INPUT);
    ck_assert_int_eq(wy_release_move(r, NULL, &err), WY_OK);
    ck_assert_int_eq(wy_release_compare(&like, r, 1, wy_equilibrium_s(s), wy_equilibrium_states(s), &err),
                     WY_BAD_INPUT);
    wy_release_free(r);
    wy_release_free(NULL);
    wy_equilibrium_free(s);
    wy_equilibrium_method m = collocation(6, 12);
    ck_assert_int_eq(wy_equilibrium_create(&s, rod_of(&beam), &m, &err), WY_OK);
    ck_assert_int_eq(wy_release_create(&r, s, NULL, &err), WY_BAD_INPUT);
    ck_assert(strstr(err.text, "has no equilibrium to release") != NULL);
    wy_equilibrium_free(s);
}
END_TEST

static bool stop_at(void *context, double fraction) {
    (void)fraction;
    return --*(int *)context <= 0;
}

START_TEST(stopped_in_the_middle) {
    plain_rod beam = cantilever(&rod, 1.0);
    beam.right.force[2] = -1.2 * 2.4674 * 1.7;
    wy_equilibrium *s = solved(&beam, collocation(6, 20), WY_BRANCH_DIRECT, 1);
    wy_release *r;
    wy_error err;
    ck_assert_int_eq(wy_release_create(&r, s, NULL, &err), WY_OK);
    int after = 30;
    const wy_sink sink = {.context = &after, .progress = stop_at};
    ck_assert_int_eq(wy_release_move(r, &sink, &err), WY_CANCELLED);
    ck_assert(!wy_release_get_result(r)->rest);
    ck_assert_int_eq(wy_release_move(r, NULL, &err), WY_OK); /* again from the start */
    after = 5;
    ck_assert_int_eq(wy_release_settle(r, &sink, &err), WY_CANCELLED);
    ck_assert_int_eq(wy_release_settle(r, NULL, &err), WY_OK);
    ck_assert(wy_release_get_result(r)->reached);
    wy_release_free(r);
    wy_equilibrium_free(s);
}
END_TEST

/* The n-th allocation fails, for every n: said, and nothing leaks. */
START_TEST(memory_ends) {
    plain_station at[2] = {rod, rod};
    at[1].s = 1.0;
    at[1].curvature[0] = 0.2;
    plain_rod beam = cantilever(at, 1.0);
    beam.station_count = 2;
    beam.load.gravity[0] = 0.3;
    beam.load.force[1] = 0.2;
    beam.right.force[0] = 0.1;
    wy_equilibrium *s = solved(&beam, collocation(6, 12), WY_BRANCH_DIRECT, 1);
    wy_release_options o;
    wy_release_options_init(&o);
    o.elements = 8;
    o.tolerance = 0.1;
    wy_status status = WY_NO_MEMORY;
    int n = 0;
    for (; status && n < 1000; n++) {
        wy_error err = {0};
        wy_release *r;
        wy_solution_match like;
        left = n;
        status = wy_release_create(&r, s, &o, &err);
        if (!status)
            status = wy_release_move(r, NULL, &err);
        if (!status)
            status = wy_release_settle(r, NULL, &err);
        if (!status)
            status = wy_release_compare(&like, r, wy_equilibrium_count(s), wy_equilibrium_s(s),
                                        wy_equilibrium_states(s), &err);
        left = -1;
        wy_release_free(r);
        ck_assert_msg(status == WY_OK || status == WY_NO_MEMORY, "allocation %d: %d %s", n, status, err.text);
    }
    ck_assert_msg(status == WY_OK && n > 30, "%d", n);
    wy_equilibrium_free(s);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, rods_that_cannot_be_let_go);
    tcase_add_test(tc, options_that_make_no_sense);
    tcase_add_test(tc, stopped_in_the_middle);
    tcase_add_test(tc, memory_ends);
}

int main(void) {
    return run_suite("release abuse", add);
}
