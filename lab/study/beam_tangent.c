/* Figure 4.24 of `002`: the trajectory of E(q)^T e3 for {pi, 0.4} on three grids. The thesis calls it the centre of
 * mass; the tangent is R e3. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <withy/rotation.h>

#include "study/thesis_beam.h"

static const size_t tangent_grids[] = {20, 100, 1000}; /* h = 0.5, 0.1, 0.01 m */
enum { GRIDS = 3 };

static wy_status draw_tangent_path(wy_report *report, wy_figure *figure, const char *method, size_t steps,
                                   const wy_equilibrium *reference, double *worst, wy_error *err) {
    wy_equilibrium *solver;
    const wy_status s = wy_thesis_beam_solve(&solver, WY_PI, 0.4, method, steps, WY_BRANCH_MAIN, err);
    if (s)
        return s;
    (void)report;
    const double e3[3] = {0.0, 0.0, 1.0};
    const size_t every = (wy_equilibrium_count(reference) - 1) / steps;
    double *curve = malloc(3 * (steps + 1) * sizeof *curve);
    *worst = 0.0;
    for (size_t i = 0; curve && i <= steps; i++) {
        double printed[3], t[3], exact[3];
        const double *q = wy_equilibrium_states(solver) + i * WY_STATIC_DIM + WY_STATIC_Q;
        wy_quat_rotate_back(printed, q, e3);
        wy_quat_rotate(t, q, e3);
        wy_quat_rotate(exact, wy_equilibrium_states(reference) + i * every * WY_STATIC_DIM + WY_STATIC_Q, e3);
        for (size_t c = 0; c < 3; c++) {
            curve[c * (steps + 1) + i] = printed[c];
            *worst = fmax(*worst, fabs(t[c] - exact[c]));
        }
    }
    if (curve) {
        char label[48];
        snprintf(label, sizeof label, "h = %g m", 10.0 / (double)steps);
        wy_figure_curve(figure, label, steps == tangent_grids[GRIDS - 1] ? WY_DASHES : WY_LINES, steps + 1, curve,
                        curve + steps + 1, curve + 2 * (steps + 1));
    }
    free(curve);
    wy_equilibrium_free(solver);
    return curve ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for %zu points", steps);
}

static wy_status beam_tangent_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_equilibrium *reference;
    wy_status s = wy_thesis_beam_solve(&reference, WY_PI, 0.4, NULL, tangent_grids[GRIDS - 1], WY_BRANCH_MAIN, err);
    for (int m = 0; m < THESIS_BEAM_METHODS && !s; m++) {
        const char *method = wy_thesis_beam_methods[m];
        wy_figure *figure =
            wy_report_figure(report, &(wy_figure){.title = method,
                                                  .heading = m ? NULL : "E(q)^T e3 for {pi, 0.4} (figure 4.24)",
                                                  .joined = m > 0,
                                                  .width = 0.5,
                                                  .key_below = true,
                                                  .x_label = "t1",
                                                  .y_label = "t2",
                                                  .z_label = "t3",
                                                  .equal = true,
                                                  .space = true});
        double e[GRIDS];
        for (int g = 0; g < GRIDS && !s; g++)
            s = draw_tangent_path(report, figure, method, tangent_grids[g], reference, &e[g], err);
        for (int g = 0; g < GRIDS && !s; g++) {
            char name[48];
            snprintf(name, sizeof name, "%s tangent, h = %g m", method, 10.0 / (double)tangent_grids[g]);
            wy_report_row(report, name, wy_prints_nothing(), e[g], g ? wy_at_most(0.1 * e[g - 1]) : wy_shown(),
                          "largest error of the tangent R e3 against collocation of order 6%s",
                          g ? "; at most a tenth of that on the grid before" : "");
        }
        if (!s)
            s = wy_sink_progress(progress, (m + 1.0) / THESIS_BEAM_METHODS, err);
    }
    wy_equilibrium_free(reference);
    return s;
}

const wy_study wy_study_beam_tangent = {
    .entry = {.name = "beam-tangent", .doc = "Trajectory of the tangent on three grids."},
    .source = "the thesis, figure 4.24",
    .run = beam_tangent_run,
};
