/* Figure 4.8 of `002`: strains against twist and shortening, and the bifurcation of the planar rod.
 *
 * The thesis sees kappa3 grow with the twist. At xi = 0.4 it falls at first, because the rod takes up twist by writhing
 * out of its plane. */
#include <math.h>
#include <stdio.h>

#include "study/thesis_beam.h"

enum { STEPS = 48, N = 100 };

static wy_status report_twist_strain(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.title = "Twist strain, xi = 0.4 (figure 4.8(a))",
                                                              .x_label = "phi / rad",
                                                              .y_label = "kappa3 / (rad/m)"});
    double phi[STEPS + 1], kappa3[STEPS + 1];
    int top = 0, zero = 0;
    for (int i = 0; i <= STEPS; i++) {
        wy_equilibrium *solver;
        phi[i] = 1.5 * WY_PI * i / STEPS;
        wy_status s = wy_thesis_beam_solve(&solver, phi[i], 0.4, NULL, N, WY_BRANCH_MAIN, err);
        if (s)
            return s;
        kappa3[i] = wy_equilibrium_states(solver)[5] / 85.2;
        wy_equilibrium_free(solver);
        if (kappa3[i] > kappa3[top])
            top = i;
        zero += i > 0 && kappa3[i] < kappa3[i - 1];
        s = wy_sink_progress(progress, 0.7 * (i + 1) / (STEPS + 1), err);
        if (s)
            return s;
    }
    wy_figure_curve(figure, "kappa3", WY_LINES_POINTS, STEPS + 1, phi, kappa3, NULL);
    wy_report_row(report, "kappa3 at {pi, 0.4}", wy_prints_nothing(), kappa3[STEPS * 2 / 3],
                  wy_near(10.162978319687 / 85.2, 1e-8), "rad/m; reference: an independent code");
    wy_report_row(report, "steps on which kappa3 falls", wy_prints_nothing(), zero, wy_at_least(1),
                  "of %d from phi = 0 to 3pi/2 at xi = 0.4: not monotone; largest %.6f at phi = %.4f", STEPS,
                  kappa3[top], phi[top]);
    return WY_OK;
}

/* gamma3 at s = 0 on the planar branch, which continues to xi = 1, and on the two-loop branch, to which the root finder
 * of the thesis jumped at 0.8: this is the fall in its figure. Both branches are drawn wherever they exist. */
static wy_status report_extension(wy_report *report, wy_error *err) {
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = "shortening",
                                                              .title = "Extension at s = 0, phi = 0 (figure 4.8(b))",
                                                              .x_label = "shortening xi",
                                                              .y_label = "-gamma3: compression above, tension below"});
    enum { POINTS = 20, LOOPS = 6 };
    double xi[POINTS], extension[POINTS], jump_xi[POINTS], jump[POINTS];
    for (int two_loop = 0; two_loop < 2; two_loop++) {
        const int count = two_loop ? LOOPS : POINTS;
        for (int i = 0; i < count; i++) {
            wy_equilibrium *solver;
            xi[i] = two_loop ? 0.75 + 0.05 * i : 0.05 * (i + 1);
            const wy_status s = wy_thesis_beam_solve(&solver, 0.0, xi[i], NULL, N,
                                                     two_loop ? WY_BRANCH_TWO_LOOP : WY_BRANCH_PLANAR, err);
            if (s)
                return s;
            extension[i] = -wy_equilibrium_states(solver)[2] / 6080.5;
            wy_equilibrium_free(solver);
            if (!two_loop &&
                xi[i] < 0.78) { /* the curve of the thesis: the planar branch up to 0.75, then the two-loop branch */
                jump_xi[i] = xi[i];
                jump[i] = extension[i];
            } else if (two_loop && i > 0) {
                jump_xi[14 + i] = xi[i];
                jump[14 + i] = extension[i];
            }
        }
        wy_figure_curve(figure, two_loop ? "two loops" : "planar", WY_LINES_POINTS, (size_t)count, xi, extension, NULL);
    }
    wy_figure_curve(figure, "what the thesis draws", WY_DASHES, POINTS, jump_xi, jump, NULL);
    double before = jump[14], after = jump[15];
    wy_report_row(report, "-gamma3 at {0, 0.75}, planar", wy_prints_nothing(), before, wy_at_least(0.0),
                  "compression, still growing with xi");
    wy_report_row(report, "-gamma3 at {0, 0.8}, two loops", wy_prints_nothing(), after,
                  wy_near(-66.640693 / 6080.5, 1e-8),
                  "tension: the fall that the thesis calls a bifurcation; reference: an independent code");
    return WY_OK;
}

/* Near the bifurcation M3 of the spatial branch grows with the square root of xi - xi_b: M3^2 is interpolated through
 * three points to its zero. */
static wy_status report_bifurcation_point(wy_report *report, wy_error *err) {
    static const double xi[3] = {0.5850, 0.5865, 0.5880};
    double v[3];
    for (int i = 0; i < 3; i++) {
        wy_equilibrium *solver;
        const wy_status s = wy_thesis_beam_solve(&solver, 0.0, xi[i], NULL, N, WY_BRANCH_SPATIAL, err);
        if (s)
            return s;
        v[i] = wy_equilibrium_states(solver)[5] * wy_equilibrium_states(solver)[5];
        wy_equilibrium_free(solver);
    }
    /* inverse quadratic interpolation: xi as a polynomial in M3^2, evaluated at 0 */
    const double at = xi[0] * v[1] * v[2] / ((v[0] - v[1]) * (v[0] - v[2])) +
                      xi[1] * v[0] * v[2] / ((v[1] - v[0]) * (v[1] - v[2])) +
                      xi[2] * v[0] * v[1] / ((v[2] - v[0]) * (v[2] - v[1]));
    wy_report_row(
        report, "shortening at which the planar rod bifurcates", wy_prints(0.8, "section 4.2.2"), at,
        wy_near(0.583492098, 1e-5),
        "reference: closed form and AUTO; extrapolated here from the spatial branch. The thesis' 0.8 is where "
        "its root finder jumped to the two-loop branch");
    return WY_OK;
}

static wy_status beam_strains_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_status s = report_twist_strain(report, progress, err);
    if (!s)
        s = report_extension(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.9, err);
    if (!s)
        s = report_bifurcation_point(report, err);
    return s ? s : wy_sink_progress(progress, 1.0, err);
}

const wy_study wy_study_beam_strains = {
    .entry = {.name = "beam-strains",
              .doc = "Strains against twist and shortening; the bifurcation of the planar rod."},
    .source = "the thesis, figure 4.8",
    .run = beam_strains_run,
};
