/* Figures 4.6 and 4.7 of `002`: the centre line for growing twist, and for growing shortening.
 *
 * The untwisted rod is the planar buckled one up to xi = 0.7, and beyond: nothing happens to it at 0.8. There the root
 * finder of the thesis jumps to a planar rod with two loops under tension, and the thesis takes this for an
 * instability. The instability is at xi = 0.5835, where the planar rod starts to bend out of its plane (see
 * beam-strains). */
#include <math.h>
#include <stdio.h>

#include <withy/elastica.h>

#include "study/thesis_beam.h"

enum { N = 200 };

static wy_status draw_thesis_rod(wy_figure *figure, wy_equilibrium **out, const char *label, double phi, double xi,
                                 int branch, wy_error *err) {
    wy_equilibrium *solver;
    const wy_status s = wy_thesis_beam_solve(&solver, phi, xi, NULL, N, branch, err);
    if (s)
        return s;
    wy_thesis_beam_curve(figure, label, WY_LINES, wy_equilibrium_states(solver), wy_equilibrium_count(solver),
                         WY_STATIC_DIM, WY_STATIC_X);
    if (out)
        *out = solver;
    else
        wy_equilibrium_free(solver);
    return WY_OK;
}

static void report_contact(wy_report *report, const char *name, const wy_equilibrium *solver) {
    const wy_equilibrium_contact c = wy_equilibrium_self_distance(solver);
    char text[160];
    wy_report_row(report, name, wy_prints_nothing(), c.found ? c.distance : NAN, wy_at_least(0.0), "m; the rod %s",
                  wy_equilibrium_contact_text(text, sizeof text, &c));
}

static wy_status report_twisted_rods(wy_report *report, wy_error *err) {
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.title = "Growing twist, xi = 0.4 (figure 4.6)",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .equal = true,
                                                              .space = true});
    const double axis[2] = {0.0, 0.0}, along[2] = {0.0, 10.0};
    wy_figure_curve(figure, "undeformed", WY_FAINT, 2, axis, axis, along);
    for (int i = 0; i <= 6; i++) {
        char label[32];
        snprintf(label, sizeof label, "phi = %d pi/4", i);
        wy_equilibrium *solver;
        const wy_status s = draw_thesis_rod(figure, &solver, label, 0.25 * i * WY_PI, 0.4, WY_BRANCH_MAIN, err);
        if (s)
            return s;
        if (i == 4) {
            static const double expected[3] = {2.2212027251, 2.1215493978, 3.0};
            const double *mid = &wy_equilibrium_states(solver)[N / 2 * WY_STATIC_DIM + WY_STATIC_X];
            for (int c = 0; c < 3; c++) {
                char name[48];
                snprintf(name, sizeof name, "middle of {pi, 0.4}, %c", 'x' + c);
                wy_report_row(report, name, wy_prints_nothing(), mid[c], wy_near(expected[c], 1e-8),
                              "m; reference: an independent code");
            }
            wy_report_row(report, "{pi, 0.4} comes near itself", wy_prints_nothing(),
                          wy_equilibrium_self_distance(solver).found, wy_at_most(0.0),
                          "times; the rods {0, 0.8} do, see below");
        }
        wy_equilibrium_free(solver);
    }
    return WY_OK;
}

static wy_status report_shortened_rods(wy_report *report, wy_error *err) {
    wy_figure *first = wy_report_figure(report, &(wy_figure){.name = "shortening",
                                                             .title = "Growing shortening, phi = 0 (figure 4.7(a))",
                                                             .x_label = "x / m",
                                                             .y_label = "z / m",
                                                             .equal = true});
    for (int i = 0; i <= 8; i++) {
        const double xi = 0.1 * i;
        wy_equilibrium *solver;
        wy_status s = wy_thesis_beam_solve(&solver, 0.0, xi, NULL, N, WY_BRANCH_MAIN, err);
        if (s)
            return s;
        double x[N + 1], z[N + 1];
        for (int k = 0; k <= N; k++) {
            x[k] = wy_equilibrium_states(solver)[k * WY_STATIC_DIM + WY_STATIC_X];
            z[k] = wy_equilibrium_states(solver)[k * WY_STATIC_DIM + WY_STATIC_X + 2];
        }
        char label[32];
        snprintf(label, sizeof label, "xi = %.1f", xi);
        wy_figure_curve(first, label, WY_LINES, N + 1, x, z, NULL);
        if (i > 0) {
            wy_elastica e;
            s = wy_elastica_planar(&e, 110.8, 2338.6, 6080.5, 10.0, 1, xi, err);
            if (s) {
                wy_equilibrium_free(solver);
                return s;
            }
            const double F = -wy_equilibrium_states(solver)[2];
            char name[48];
            snprintf(name, sizeof name, "compression {0, %.1f}", xi);
            wy_report_row(report, name, wy_prints_nothing(), F, wy_near(e.F, 1e-9 * e.F),
                          "MN; reference: closed form with extension and shear");
        }
        wy_equilibrium_free(solver);
    }
    return WY_OK;
}

static wy_status report_three_branches(wy_report *report, wy_error *err) {
    wy_figure *figure =
        wy_report_figure(report, &(wy_figure){.name = "beyond",
                                              .title = "Three rods with phi = 0, xi = 0.8 (figure 4.7(b))",
                                              .x_label = "x / m",
                                              .y_label = "y / m",
                                              .z_label = "z / m",
                                              .equal = true,
                                              .space = true});
    static const struct {
        int branch;
        const char *label, *row;
    } cases[] = {{WY_BRANCH_PLANAR, "planar, the continued branch", "self-distance {0, 0.8}, planar"},
                 {WY_BRANCH_TWO_LOOP, "two loops, what the thesis shows", "self-distance {0, 0.8}, two-loop"},
                 {WY_BRANCH_SPATIAL, "spatial, from the bifurcation at 0.5835", "self-distance {0, 0.8}, spatial"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        wy_equilibrium *solver;
        const wy_status s = draw_thesis_rod(figure, &solver, cases[k].label, 0.0, 0.8, cases[k].branch, err);
        if (s)
            return s;
        report_contact(report, cases[k].row, solver);
        if (cases[k].branch == WY_BRANCH_TWO_LOOP)
            wy_report_row(report, "tension of the two-loop rod {0, 0.8}", wy_prints_nothing(),
                          wy_equilibrium_states(solver)[2], wy_near(66.640693, 1e-6),
                          "MN; reference: an independent code");
        wy_equilibrium_free(solver);
    }
    return WY_OK;
}

static wy_status beam_shapes_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_status s = report_twisted_rods(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.4, err);
    if (!s)
        s = report_shortened_rods(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.7, err);
    if (!s)
        s = report_three_branches(report, err);
    return s ? s : wy_sink_progress(progress, 1.0, err);
}

const wy_study wy_study_beam_shapes = {
    .entry = {.name = "beam-shapes", .doc = "Centre lines of the twisted and of the shortened rod."},
    .source = "the thesis, figures 4.6 and 4.7",
    .run = beam_shapes_run,
};
