/* From differences between levels to orders, errors, causes and remedies: answers whose error is known. */
#include "estimate/coarse_error.h"
#include "estimate/remedy.h"
#include "estimate/resolution.h"
#include "estimate/second_core.h"
#include "support/suite.h"

/* Errors that fall like h^p give p back, for equal and for other ratios; else the nearest limit. */
START_TEST(test_orders_are_seen) {
    static const double ratios[][2] = {{2.0, 2.0}, {3.0, 3.0}, {2.0, 1.6}, {1.7, 2.0}};
    for (size_t i = 0; i < 4; i++)
        for (double p = 1.1; p < 6.0; p += 0.7) {
            const double *q = ratios[i], u = pow(q[0], p), seen = u * (pow(q[1], p) - 1.0) / (u - 1.0);
            ck_assert_double_eq_tol(wy_order_seen(seen, q, 1.0, 8.0), p, 1e-4);
            ck_assert_double_eq(wy_order_seen(seen, q, 1.0, 1.05), 1.05);
            ck_assert_double_eq(wy_order_seen(seen, q, 7.0, 8.0), 7.0);
        }
}
END_TEST

START_TEST(test_parts_of_a_difference) {
    const double e = 0.003, q = 1.5, p = 4.0, coarse = e * pow(q, p), gap = coarse - e;
    ck_assert_double_eq_tol(gap * wy_part_of_finer(q, p), e, 1e-15);
    ck_assert_double_eq_tol(gap * wy_part_of_coarser(q, p), coarse, 1e-15);
    const double finer = wy_refinement(coarse, e, p);
    ck_assert_double_eq_tol(finer, q, 1e-12);
    ck_assert_double_eq(wy_refinement(e, coarse, p), 1.0);
}
END_TEST

START_TEST(test_unknown_is_no_number) {
    char text[40];
    const double unknown[] = {-1.0, 1.0, 3.0, INFINITY, NAN};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        ck_assert(!wy_error_is_known(unknown[i]));
        wy_error_in_words(text, sizeof text, unknown[i]);
        ck_assert_str_eq(text, "by an unknown amount");
    }
    ck_assert(wy_error_is_known(0.0) && wy_error_is_known(0.999));
    wy_error_in_words(text, sizeof text, 0.031);
    ck_assert_str_eq(text, "by about 3.1 %");
}
END_TEST

/* u: N, h. a: N/2, 2h. c: N/2, 4h. b: N/4, 4h. Errors `space` and `time` of u, with the order p. */
static wy_coarse_gaps gaps_of(double space, double time, double p) {
    const double two = pow(2.0, p), four = pow(4.0, p), u = space + time, a = two * (space + time),
                 c = two * space + four * time, b = four * (space + time);
    return (wy_coarse_gaps){.ua = fabs(a - u),
                            .ua_b = fabs(a - u),
                            .ua_c = fabs(a - u),
                            .ab = fabs(b - a),
                            .ac = fabs(c - a),
                            .cb = fabs(b - c),
                            .uc = fabs(c - u)};
}

static const wy_coarse_levels levels = {
    .coarser = {true, true}, .ratio = {2.0, 2.0}, .order = 4.0, .last = 1.0, .lasted_b = 1.0, .lasted_c = 1.0};

START_TEST(test_coarse_runs_give_the_error_and_its_parts) {
    for (double p = 2.0; p <= 4.0; p += 1.0)
        for (int part = 0; part < 3; part++) {
            const double e = 1e-6, none = 1e-6 * e, space = part == 1 ? none : e, time = part == 0 ? none : e;
            const wy_coarse_gaps gaps = gaps_of(space, time, p);
            const wy_error_parts found = wy_coarse_error(&levels, &gaps, 1, 0.0, 1.0, 4.0, 0.0);
            ck_assert_double_eq_tol(found.order, p, 1e-6);
            ck_assert_double_eq_tol(found.all, WY_ERROR_MARGIN * (space + time), 1e-9 * e);
            if (part < 2) { /* one of them almost alone is found to be so */
                ck_assert_double_eq_tol(found.space, WY_ERROR_MARGIN * space, 1e-5 * e);
                ck_assert_double_eq_tol(found.time, WY_ERROR_MARGIN * time, 1e-5 * e);
            }
        }
}
END_TEST

/* A coarse run b that has lost the answer tells no order: it lies between the first and the second. */
START_TEST(test_a_lost_run_has_no_order) {
    const wy_coarse_gaps gaps = gaps_of(0.0, 0.02, 4.0);
    const wy_error_parts found = wy_coarse_error(&levels, &gaps, 1, 0.0, 1.0, 4.0, 0.0);
    ck_assert_double_eq_tol(pow(2.0, found.order), 3.0, 1e-9);
    ck_assert_double_eq_tol(found.all, WY_ERROR_MARGIN * gaps.ua / 2.0, 1e-12);
    wy_coarse_levels lost = levels;
    const wy_coarse_gaps small = gaps_of(0.0, 1e-6, 4.0);
    lost.b_was_lost = true;
    ck_assert_double_eq_tol(pow(2.0, wy_coarse_error(&lost, &small, 1, 0.0, 1.0, 4.0, 0.0).order), 3.0, 1e-9);
}
END_TEST

/* Errors of mesh and step of opposite signs that cancel in a: |u - a| is small, and what they are alone counts. */
START_TEST(test_errors_that_cancel_are_seen) {
    const wy_coarse_gaps gaps = gaps_of(1e-4, -0.99e-4, 2.0);
    const wy_error_parts found = wy_coarse_error(&levels, &gaps, 1, 0.0, 1.0, 4.0, 0.0);
    ck_assert_double_gt(found.all, WY_ERROR_MARGIN * 1.9e-4);
}
END_TEST

START_TEST(test_causes_and_remedies) {
    const wy_error_parts mesh = {0.16, 0.16, 0.001, 2.0}, both = {0.3, 0.2, 0.2, 4.0}, small = {0.005, 0.005, 0.0, 2.0},
                         slow = {0.2, 0.2, 0.0, 1.0}, unknown = {1.0, 0.0, 0.0, 1.0};
    wy_remedy r = wy_remedy_for(&mesh, true);
    ck_assert(r.cause == WY_CAUSE_MESH && r.known);
    ck_assert_double_eq_tol(r.mesh, 4.0, 1e-12); /* 16 % to 1 % with the second order */
    ck_assert_double_eq(r.step, 1.0);
    r = wy_remedy_for(&both, true);
    ck_assert(r.cause == WY_CAUSE_BOTH && r.known && r.mesh == r.step);
    ck_assert(wy_remedy_for(&mesh, false).cause == WY_CAUSE_MODEL && !wy_remedy_for(&mesh, false).known);
    ck_assert(wy_remedy_for(&small, true).cause == WY_CAUSE_NONE);
    ck_assert(!wy_remedy_for(&slow, true).known); /* the order that is taken where levels do not converge */
    ck_assert(wy_remedy_for(&unknown, true).cause == WY_CAUSE_UNKNOWN);
}
END_TEST

START_TEST(test_elements_against_layers) {
    wy_resolution worst = {0};
    wy_resolution_add(&worst, 0.1, 0.05, 0.3, 2.0, -5.0); /* compression has no layer */
    ck_assert(worst.by_layer == 0.0 && worst.turn == 0.3);
    wy_resolution_add(&worst, 0.2, 0.2, 0.1, 2.0, 200.0);
    ck_assert_double_eq_tol(worst.by_layer, 2.0, 1e-15);
    ck_assert_double_eq(worst.by_layer_at, 0.2);
    ck_assert_double_eq(worst.turn_at, 0.05);
    ck_assert_double_eq_tol(wy_bending_layer(2.0, 200.0), 0.1, 1e-15);
    ck_assert(isinf(wy_bending_layer(2.0, 0.0)));
}
END_TEST

static void count_up(void *context) {
    for (int i = 0; i < 1000; i++)
        ++*(int *)context;
}

START_TEST(test_work_is_waited_for) {
    wy_second_core *core = wy_second_core_create();
    int count = 0;
    for (int i = 0; i < 20; i++) {
        if (!wy_second_core_start(core, count_up, &count))
            count_up(&count);
        wy_second_core_wait(core);
        ck_assert_int_eq(count, 1000 * (i + 1));
    }
    wy_second_core_wait(NULL);
    wy_second_core_free(core);
    ck_assert(!wy_second_core_start(NULL, count_up, &count));
}
END_TEST

SUITE("estimates", test_orders_are_seen, test_parts_of_a_difference, test_unknown_is_no_number,
      test_coarse_runs_give_the_error_and_its_parts, test_a_lost_run_has_no_order, test_errors_that_cancel_are_seen,
      test_causes_and_remedies, test_elements_against_layers, test_work_is_waited_for)
