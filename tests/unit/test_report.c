/* Reports: rows and figures that grow, copies of everything, and no NaN in a measured value. */
#include <stdio.h>

#include <withy/study.h>

#include "study/fit.h"
#include "support/suite.h"

START_TEST(rows_grow_and_are_copied) {
    wy_report *r = wy_report_create("an-id", "a source");
    ck_assert_str_eq(r->id, "an-id");
    ck_assert_str_eq(r->source, "a source");
    ck_assert(r->pass);
    ck_assert_uint_eq(r->row_count, 0);
    char name[16] = "";
    for (int i = 0; i < 100; i++) {
        name[0] = (char)('A' + i % 26);
        wy_report_row(r, name, i % 3 ? wy_prints(i, name) : wy_prints_nothing(), 1.5 * i, wy_shown(), "note %d of %s",
                      i, name);
    }
    name[0] = '?';
    ck_assert_uint_eq(r->row_count, 100);
    for (int i = 0; i < 100; i++) {
        char note[32];
        snprintf(note, sizeof note, "note %d of %c", i, 'A' + i % 26);
        ck_assert_int_eq(r->rows[i].name[0], 'A' + i % 26);
        ck_assert_str_eq(r->rows[i].note, note);
        ck_assert_double_eq(r->rows[i].measured, 1.5 * i);
        ck_assert(i % 3 ? r->rows[i].published == i : isnan(r->rows[i].published));
        ck_assert(i % 3 ? r->rows[i].location[0] == 'A' + i % 26 : !r->rows[i].location);
    }
    ck_assert(r->pass);
    wy_report_row(r, "bad", wy_prints(1, "p. 1"), 2, wy_near_printed(0.5), "off");
    ck_assert(!r->pass);
    wy_report_row(r, "good", wy_prints(1, "p. 1"), 1, wy_near_printed(0.5), "on");
    ck_assert(!r->pass); /* one bad row is enough */
    wy_report_free(r);
    wy_report_free(NULL);
}
END_TEST

START_TEST(a_measured_nan_never_passes) {
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        const wy_verdict tests[] = {wy_shown(),        wy_near(bad[i], 1e300), wy_near(0.0, INFINITY),
                                    wy_at_most(1e300), wy_at_least(-1e300),    wy_near_printed(1e300)};
        for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
            wy_report *r = wy_report_create("x", "y");
            wy_report_row(r, "row", wy_prints(1.0, "p. 1"), bad[i], tests[k], "claimed to pass");
            ck_assert_msg(!r->rows[0].ok, "%g, test %zu", bad[i], k);
            ck_assert(!r->pass);
            wy_report_free(r);
        }
    }
}
END_TEST

/* Each test on both sides of its limit; the reference goes before the published value. */
START_TEST(rows_are_judged_by_their_tolerance) {
    static const struct {
        double published, measured;
        wy_test test;
        double reference, tolerance;
        bool ok;
    } cases[] = {
        {NAN, 3.0, WY_SHOWN, NAN, NAN, true},    {NAN, 3.0, WY_AT_MOST, NAN, 3.0, true},
        {NAN, 3.1, WY_AT_MOST, NAN, 3.0, false}, {NAN, -9.0, WY_AT_MOST, NAN, 3.0, true},
        {NAN, 3.0, WY_AT_LEAST, NAN, 3.0, true}, {NAN, 2.9, WY_AT_LEAST, NAN, 3.0, false},
        {NAN, 2.5, WY_NEAR, 2.0, 0.5, true},     {NAN, 1.5, WY_NEAR, 2.0, 0.5, true},
        {NAN, 2.51, WY_NEAR, 2.0, 0.5, false},   {NAN, 1.49, WY_NEAR, 2.0, 0.5, false},
        {2.0, 2.4, WY_NEAR, NAN, 0.5, true},     {2.0, 2.6, WY_NEAR, NAN, 0.5, false},
        {9.0, 2.4, WY_NEAR, 2.0, 0.5, true},     {2.4, 2.4, WY_NEAR, 9.0, 0.5, false},
        {NAN, 2.4, WY_NEAR, NAN, 0.5, false},    {NAN, 2.4, WY_NEAR, 2.4, NAN, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wy_report *r = wy_report_create("x", "y");
        const wy_verdict v = {cases[i].test, cases[i].reference, cases[i].tolerance};
        wy_report_row(r, "row", wy_prints(cases[i].published, "p. 1"), cases[i].measured, v, "note");
        ck_assert_msg(r->rows[0].ok == cases[i].ok, "case %zu", i);
        ck_assert_msg(r->pass == cases[i].ok, "case %zu", i);
        ck_assert(isnan(cases[i].published) ? !r->rows[0].location : strcmp(r->rows[0].location, "p. 1") == 0);
        wy_report_free(r);
    }
}
END_TEST

START_TEST(a_failed_run_is_a_failed_row) {
    wy_report *r = wy_report_create("x", "y");
    wy_report_failure(r, "run", wy_prints(1.5, "table 1"), "broke down at %g s", 0.04);
    ck_assert(!r->pass && !r->rows[0].ok && r->rows[0].failed && isnan(r->rows[0].measured));
    ck_assert_str_eq(r->rows[0].note, "broke down at 0.04 s");
    ck_assert_double_eq(r->rows[0].published, 1.5);
    wy_report_free(r);
}
END_TEST

START_TEST(a_long_note_is_cut) {
    wy_report *r = wy_report_create("x", "y");
    char text[5000];
    memset(text, 'n', sizeof text - 1);
    text[sizeof text - 1] = 0;
    wy_report_row(r, text, wy_prints_nothing(), 1, wy_shown(), "%s", text);
    ck_assert_uint_eq(strlen(r->rows[0].name), sizeof text - 1);
    ck_assert_uint_eq(strlen(r->rows[0].note), 1023);
    wy_report_free(r);
}
END_TEST

START_TEST(figures_and_curves_are_copied) {
    wy_report *r = wy_report_create("x", "y");
    wy_figure *figures[20];
    for (int i = 0; i < 20; i++) {
        char title[16] = "title ?";
        title[6] = (char)('a' + i);
        figures[i] =
            wy_report_figure(r, &(wy_figure){.title = title, .x_label = "x", .equal = i % 2, .curve_count = 99});
        ck_assert_ptr_nonnull(figures[i]);
        ck_assert_uint_eq(figures[i]->curve_count, 0); /* those of the head are ignored */
        ck_assert_ptr_null(figures[i]->name);
        ck_assert_ptr_null(figures[i]->z_label);
    }
    ck_assert_uint_eq(r->figure_count, 20);
    for (int i = 0; i < 20; i++) {
        ck_assert_ptr_eq(r->figures[i], figures[i]);
        ck_assert_int_eq(r->figures[i]->title[6], 'a' + i);
        ck_assert_int_eq(r->figures[i]->equal, i % 2);
    }
    for (int k = 0; k < 30; k++) {
        double x[3] = {k, k + 1, k + 2}, y[3] = {-k, 0, 5}, z[3] = {7, 8, 9};
        wy_figure_curve(figures[3], k % 2 ? "odd" : NULL, WY_DASHES, 3, x, y, k % 5 ? NULL : z);
        memset(x, 0, sizeof x);
    }
    ck_assert_uint_eq(figures[3]->curve_count, 30);
    for (int k = 0; k < 30; k++) {
        const wy_curve *c = &figures[3]->curves[k];
        ck_assert_uint_eq(c->count, 3);
        ck_assert_double_eq(c->x[0], k);
        ck_assert_double_eq(c->x[2], k + 2);
        ck_assert_double_eq(c->y[0], -k);
        ck_assert_int_eq(c->style, WY_DASHES);
        ck_assert((c->label != NULL) == (k % 2 == 1));
        ck_assert((c->z != NULL) == (k % 5 == 0));
        if (c->z)
            ck_assert_double_eq(c->z[2], 9.0);
    }
    wy_figure_curve(NULL, "nowhere", WY_LINES, 0, NULL, NULL, NULL);
    wy_report_free(r);
}
END_TEST

/* What cannot be drawn is left out: not finite anywhere, not positive on a logarithmic axis. */
START_TEST(undrawable_points_are_left_out) {
    wy_report *r = wy_report_create("x", "y");
    const double x[] = {1, NAN, 3, -4, 5, 6, 0, 8}, y[] = {1, 2, INFINITY, 4, -5, 0, 7, 8},
                 z[] = {1, 2, 3, 4, 5, 6, 7, -INFINITY};
    static const struct {
        bool log_x, log_y, space;
        size_t count;
    } cases[] = {{false, false, false, 6},
                 {true, false, false, 4},
                 {false, true, false, 4},
                 {true, true, false, 2},
                 {false, false, true, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wy_figure *f = wy_report_figure(r, &(wy_figure){.log_x = cases[i].log_x, .log_y = cases[i].log_y});
        wy_figure_curve(f, "c", WY_POINTS, 8, x, y, cases[i].space ? z : NULL);
        const wy_curve *c = &f->curves[0];
        ck_assert_uint_eq(c->count, cases[i].count);
        for (size_t k = 0; k < c->count; k++) {
            ck_assert(isfinite(c->x[k]) && isfinite(c->y[k]));
            ck_assert(!cases[i].log_x || c->x[k] > 0);
            ck_assert(!cases[i].log_y || c->y[k] > 0);
        }
    }
    wy_report_free(r);
}
END_TEST

/* ---- running a study ---- */

static wy_status bad_study(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_report_row(report, "before", wy_prints_nothing(), 1, wy_shown(), "fine");
    return progress ? wy_sink_progress(progress, 0.5, err) : wy_fail(err, WY_NO_CONVERGENCE, "no luck after %d", 7);
}
static wy_status nan_study(wy_report *report, const wy_sink *progress, wy_error *err) {
    (void)progress, (void)err;
    wy_report_row(report, "fine", wy_prints_nothing(), 1, wy_shown(), "fine");
    wy_report_row(report, "broken", wy_prints(3.5, "p. 1"), NAN, wy_shown(), "the run thinks it is fine");
    return WY_OK;
}
static wy_status good_study(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_report_row(report, "fine", wy_prints_nothing(), 1, wy_shown(), "fine");
    return wy_sink_progress(progress, 1.0, err);
}
/* A curve longer than any memory, when the array of curves has just been doubled; then a good one. */
static wy_status huge_study(wy_report *report, const wy_sink *progress, wy_error *err) {
    (void)progress, (void)err;
    const double one[] = {1.0};
    wy_figure *f = wy_report_figure(report, &(wy_figure){.title = "t"});
    for (int i = 0; i < 8; i++)
        wy_figure_curve(f, "small", WY_LINES, 1, one, one, NULL);
    wy_report_row(report, "fine", wy_prints_nothing(), 1, wy_shown(), "stands right after the eight curves");
    wy_figure_curve(f, "huge", WY_LINES, SIZE_MAX / 16, one, one, NULL);
    wy_figure_curve(f, "huge", WY_LINES, SIZE_MAX / 2 + 1, one, one, NULL);
    for (int i = 0; i < 8; i++)
        wy_figure_curve(f, "small", WY_LINES, 1, one, one, NULL);
    ck_assert_uint_eq(f->curve_count, 16);
    for (int i = 0; i < 16; i++)
        ck_assert_str_eq(f->curves[i].label, "small");
    ck_assert_str_eq(report->rows[0].name, "fine");
    return WY_OK;
}
static bool stop(void *context, double fraction) {
    (void)context, (void)fraction;
    return true;
}

START_TEST(running) {
    wy_report *r = NULL;
    wy_error err = {0};
    const wy_study good = {.entry = {.name = "good"}, .source = "s", .run = good_study};
    ck_assert_int_eq(wy_study_run(&r, &good, NULL, &err), WY_OK);
    ck_assert_str_eq(r->id, "good");
    ck_assert_uint_eq(r->row_count, 1);
    wy_report_free(r);
    const wy_study bad = {.entry = {.name = "bad"}, .source = "s", .run = bad_study};
    ck_assert_int_eq(wy_study_run(&r, &bad, NULL, &err), WY_NO_CONVERGENCE);
    ck_assert_ptr_null(r);
    ck_assert_str_eq(err.text, "no luck after 7");
    ck_assert_int_eq(wy_study_run(&r, &bad, &(wy_sink){.progress = stop}, &err), WY_CANCELLED);
    ck_assert_ptr_null(r);
    const wy_study not_finite = {.entry = {.name = "nan"}, .source = "s", .run = nan_study};
    ck_assert_int_eq(wy_study_run(&r, &not_finite, NULL, &err), WY_NOT_FINITE);
    ck_assert_ptr_null(r);
    ck_assert_ptr_nonnull(strstr(err.text, "'broken' of nan is"));
    const wy_study huge = {.entry = {.name = "huge"}, .source = "s", .run = huge_study};
    ck_assert_int_eq(wy_study_run(&r, &huge, NULL, &err), WY_NO_MEMORY);
    ck_assert_ptr_null(r);
}
END_TEST

/* Every study of the catalogue that is about the rigid body runs and passes, row by row. */
START_TEST(rigid_body_studies_pass) {
    static const char *const ids[] = {"rigid-body-convergence", "rigid-body-invariants"};
    for (int i = 0; i < 2; i++) {
        const wy_study *study = (const wy_study *)(const void *)wy_catalogue_find(&wy_studies, ids[i]);
        ck_assert_ptr_nonnull(study);
        wy_report *r = NULL;
        wy_error err = {0};
        ck_assert_msg(wy_study_run(&r, study, NULL, &err) == WY_OK, "%s", err.text);
        for (size_t k = 0; k < r->row_count; k++)
            ck_assert_msg(r->rows[k].ok, "%s: %s: measured %g (published %g), %s", r->id, r->rows[k].name,
                          r->rows[k].measured, r->rows[k].published, r->rows[k].note);
        ck_assert(r->pass);
        ck_assert_uint_gt(r->figure_count, 0);
        for (size_t k = 0; k < r->figure_count; k++)
            ck_assert_uint_gt(r->figures[k]->curve_count, 0);
        wy_report_free(r);
    }
}
END_TEST

START_TEST(fit_of_a_power) {
    const double h[] = {0.3, 0.11, 0.05, 0.021};
    double e[4];
    for (int i = 0; i < 4; i++)
        e[i] = 17.0 * pow(h[i], 3.7);
    ck_assert_double_eq_tol(wy_fit_rate(h, e, 4), 3.7, 1e-13);
    e[0] *= 2.0; /* least squares, not end to end: the same as polyfit of degree one */
    const double slope = wy_fit_rate(h, e, 4);
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < 4; i++) {
        sx += log(h[i]), sy += log(e[i]);
        sxx += log(h[i]) * log(h[i]), sxy += log(h[i]) * log(e[i]);
    }
    ck_assert_double_eq_tol(slope, (4 * sxy - sx * sy) / (4 * sxx - sx * sx), 1e-12);
}
END_TEST

SUITE("reports", rows_grow_and_are_copied, a_measured_nan_never_passes, rows_are_judged_by_their_tolerance,
      a_failed_run_is_a_failed_row, a_long_note_is_cut, figures_and_curves_are_copied, undrawable_points_are_left_out,
      running, rigid_body_studies_pass, fit_of_a_power)
