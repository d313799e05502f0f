/* Asked for the impossible, a continuation says so; asked to stop, it stops. */
#include "support/branch_tools.h"

static wy_status never(void *context, const wy_branch_solution *s, wy_error *err) {
    (void)context;
    (void)s;
    return wy_fail(err, WY_CANCELLED, "enough");
}

static void refused(const wy_branch_problem *p, const wy_branch_options *o, wy_status expected, const char *part) {
    kept_run run = {0};
    wy_error err = {0};
    const wy_status s = wy_branches_follow(p, o, keep_point, &run, &err);
    ck_assert_int_eq(s, expected);
    ck_assert_msg(strstr(err.text, part) != NULL, "'%s' lacks '%s'", err.text, part);
    ck_assert_uint_eq(run.count, 0);
    drop(&run);
}

static wy_status nothing_plain(plain_rod *beam, void *context, double x, wy_error *err) {
    (void)context;
    static plain_station none;
    none = thesis_station;
    none.section.EA = 6e9 * x; /* nothing at x = 0 */
    *beam = thesis_beam(0.0, 0.1);
    beam->stations = &none;
    (void)err;
    return WY_OK;
}
ROD_AT(nothing)

START_TEST(impossible_options) {
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = 0.3, .branch = WY_BRANCH_DIRECT, .mode = 1};
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.from = 0.4;
    refused(&p, &o, WY_BAD_INPUT, "0.3 is not within the bounds 0.4 to 1");
    wy_branch_options_init(&o);
    o.to = -1.0;
    refused(&p, &o, WY_BAD_INPUT, "from 0 to -1");
    o.to = NAN;
    refused(&p, &o, WY_BAD_INPUT, "bounds");
    wy_branch_options_init(&o);
    o.step = 0.0;
    refused(&p, &o, WY_BAD_INPUT, "steps");
    wy_branch_options_init(&o);
    o.largest_step = 11.0;
    refused(&p, &o, WY_BAD_INPUT, "at most 10");
    wy_branch_options_init(&o);
    o.points = 0;
    refused(&p, &o, WY_BAD_INPUT, "0 points");
    wy_branch_options_init(&o);
    o.eigenvalues = 9;
    refused(&p, &o, WY_BAD_INPUT, "9 eigenvalues");
    wy_branch_options_init(&o);
    o.tolerance = -1e-9;
    refused(&p, &o, WY_BAD_INPUT, "tolerance -1e-09");
    o.tolerance = NAN;
    refused(&p, &o, WY_BAD_INPUT, "tolerance");
    wy_branch_options_init(&o);
    o.most_elements = 63;
    refused(&p, &o, WY_BAD_INPUT, "64 to 63 elements");
    const double value = 1.7;
    wy_branch_options_init(&o);
    o.values = &value;
    o.value_count = 1;
    refused(&p, &o, WY_BAD_INPUT, "1.7 is not within");
    wy_branch_options_init(&o);
    o.order = 5;
    refused(&p, &o, WY_BAD_INPUT, "order 5");
    /* a rod without stiffness */
    wy_branch_options_init(&o);
    const wy_branch_problem empty = {.rod_at = nothing_at, .start = 0.0, .branch = WY_BRANCH_DIRECT, .mode = 1};
    refused(&empty, &o, WY_BAD_INPUT, "EA");
}
END_TEST

START_TEST(a_report_can_stop_the_run) {
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = 0.3, .branch = WY_BRANCH_PLANAR, .mode = 1};
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.elements = 20;
    wy_error err = {0};
    ck_assert_int_eq(wy_branches_follow(&p, &o, never, NULL, &err), WY_CANCELLED);
    ck_assert_str_eq(err.text, "enough");
    /* and it ends after as many points as asked */
    o.points = 3;
    o.direction = 1;
    kept_run run = follow(&p, &o);
    ck_assert_int_eq(run.points[run.count - 1].at.end, WY_END_POINTS);
    ck_assert_uint_eq(run.count, 4);
    drop(&run);
}
END_TEST

/* A force that follows the tip has no potential: the count is not known, and says so instead of guessing. */
static wy_status follower_plain(plain_rod *beam, void *context, double F, wy_error *err) {
    (void)context;
    (void)err;
    static const plain_station station = {.section = {1.0, 1.2, 0.7, 1e4, 1e4, 1e4, 0, 0, 0, 1.0, 0},
                                          .stretch = {0, 0, 1}};
    *beam = cantilever(&station, 1.0);
    beam->right.translation = FOLLOWING;
    beam->right.force[0] = F;
    return WY_OK;
}
ROD_AT(follower)

START_TEST(stability_is_not_claimed_without_an_energy) {
    const wy_branch_problem p = {.rod_at = follower_at, .start = 0.0, .branch = WY_BRANCH_DIRECT, .mode = 1};
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = 3.0;
    o.elements = 16;
    kept_run run = follow(&p, &o);
    for (size_t i = 0; i < run.count; i++)
        ck_assert_int_eq((int)run.points[i].at.negative, run.points[i].at.parameter == 0.0 ? 0 : -1);
    ck_assert(run.points[run.count - 1].at.parameter == 3.0);
    drop(&run);
}
END_TEST

START_TEST(vibrations_need_mass_and_a_potential) {
    wy_error err = {0};
    double value;
    wy_equilibrium_modes modes = {.eigenvalues = &value};
    const plain_rod beam = thesis_beam(0.0, 0.3);
    wy_equilibrium *s = solved(&beam, collocation(6, 16), WY_BRANCH_PLANAR, 1);
    ck_assert_int_eq(wy_equilibrium_vibrations(&modes, 1, s, &err), WY_BAD_INPUT);
    ck_assert(strstr(err.text, "mass") != NULL);
    wy_equilibrium_free(s);
    plain_rod loaded;
    follower_plain(&loaded, NULL, 0.5, &err);
    s = solved(&loaded, collocation(6, 16), WY_BRANCH_DIRECT, 1);
    ck_assert_int_eq(wy_equilibrium_vibrations(&modes, 1, s, &err), WY_UNSUPPORTED);
    wy_equilibrium_free(s);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, impossible_options);
    tcase_add_test(tc, a_report_can_stop_the_run);
    tcase_add_test(tc, stability_is_not_claimed_without_an_energy);
    tcase_add_test(tc, vibrations_need_mass_and_a_potential);
}

int main(void) {
    return run_suite("branch refusals", add);
}
