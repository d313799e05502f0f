/* Every reproduction of chapter 4 of `002` on rods runs and passes, row by row, and has its figures. */
#include <withy/study.h>

#include "support/suite.h"

static void passes(const char *id) {
    const wy_study *study = (const wy_study *)(const void *)wy_catalogue_find(&wy_studies, id);
    ck_assert_ptr_nonnull(study);
    wy_report *r = NULL;
    wy_error err = {0};
    ck_assert_msg(wy_study_run(&r, study, NULL, &err) == WY_OK, "%s: %s", id, err.text);
    for (size_t k = 0; k < r->row_count; k++)
        if (!r->rows[k].ok)
            ck_abort_msg("%s: %s: measured %g (published %g), %s", id, r->rows[k].name, r->rows[k].measured,
                         r->rows[k].published, r->rows[k].note);
    ck_assert(r->pass && r->row_count > 2 && r->figure_count > 0);
    for (size_t k = 0; k < r->figure_count; k++)
        ck_assert_uint_gt(r->figures[k]->curve_count, 0);
    wy_report_free(r);
}

START_TEST(quick_ones) {
    passes("beam-invariants");
    passes("beam-shapes");
}
END_TEST

START_TEST(the_others) {
    static const char *const ids[] = {"beam-convergence",      "beam-invariant-grid", "beam-strains",
                                      "beam-momentum",         "beam-tangent",        "multisymplectic-convergence",
                                      "multisymplectic-shapes"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids && !SANITIZED; i++)
        passes(ids[i]);
}
END_TEST

static bool stop(void *context, double fraction) {
    (void)context;
    return fraction > 0.1;
}

START_TEST(they_stop_when_asked) {
    const wy_study *study = (const wy_study *)(const void *)wy_catalogue_find(&wy_studies, "beam-shapes");
    wy_report *r = NULL;
    wy_error err = {0};
    ck_assert_int_eq(wy_study_run(&r, study, &(wy_sink){.progress = stop}, &err), WY_CANCELLED);
    ck_assert_ptr_null(r);
}
END_TEST

SUITE("beam studies", quick_ones, the_others, they_stop_when_asked)
