/* The reproduction of `003` passes, and its rows say what they should; its measure of a mode agrees with a long run. */
#include "support/suite.h"

#include <withy/study.h>

#include "study/shaft_mode.h"

START_TEST(the_study_passes) {
    const wy_study *study = (const wy_study *)(const void *)wy_catalogue_find(&wy_studies, "lumped-rod");
    ck_assert_ptr_nonnull(study);
    wy_report *report;
    wy_error err;
    ck_assert_msg(!wy_study_run(&report, study, NULL, &err), "%s", err.text);
    for (size_t i = 0; i < report->row_count; i++)
        ck_assert_msg(report->rows[i].ok, "%s: %g", report->rows[i].name, report->rows[i].measured);
    ck_assert_uint_eq(report->row_count, 28);
    ck_assert_uint_eq(report->figure_count, 4);
    wy_report_free(report);
}
END_TEST

static bool stop(void *context, double fraction) {
    (void)context;
    return fraction > 0.4;
}

START_TEST(it_can_be_stopped) {
    const wy_study *study = (const wy_study *)(const void *)wy_catalogue_find(&wy_studies, "lumped-rod");
    wy_report *report;
    wy_error err;
    const wy_sink sink = {.progress = stop};
    ck_assert_int_eq(wy_study_run(&report, study, &sink, &err), WY_CANCELLED);
    wy_report_free(report);
}
END_TEST

/* Free vibration of one mode over many steps against the powers of its matrix. */
START_TEST(a_mode_stays_a_mode) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.elements = 12;
    c.compliance = 3e-3;
    c.damping = 0.3;
    const double h = 0.006;
    double A[4], x = 1.0, hw = 0.0, profile[24] = {0};
    ck_assert(!wy_shaft_mode_matrix(A, &c, 5, h, NULL));
    for (int k = 0; k < 12; k++)
        profile[k] = cos(5 * 3.14159265358979323846 * (k + 0.5) / 12);
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
    ck_assert(!wy_shaft_create(&shaft, &c, NULL) && !wy_shaft_state_create(&state, shaft, NULL) &&
              !wy_shaft_solver_create(&solver, shaft, NULL) && !wy_shaft_start(shaft, state, profile, NULL));
    const wy_shaft_input nothing[2] = {{.torque = 0.0}, {.torque = 0.0}};
    double worst = 0.0;
    for (int n = 0; n < 40; n++) {
        ck_assert(!wy_shaft_step(shaft, state, solver, h, nothing, NULL));
        const double y = A[0] * x + A[1] * hw;
        hw = A[2] * x + A[3] * hw;
        x = y;
        for (int k = 0; k < 12; k++)
            worst = fmax(worst, fabs(state->profile[k] - x * profile[k]));
    }
    ck_assert_msg(worst < 1e-12, "%.3g", worst);
    ck_assert(wy_shaft_mode_radius(A) < 1.0 && wy_shaft_mode_angle(A) > 0.0);
    wy_shaft_solver_free(solver);
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
}
END_TEST

SUITE("lumped rod", the_study_passes, it_can_be_stopped, a_mode_stays_a_mode)
