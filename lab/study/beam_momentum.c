/* Figures 4.18-4.23 of `002`: balance of linear momentum. p = R P is constant. The thesis plots E(q)^T P, the force
 * rotated by the inverse, which moves on the sphere of radius |p|. Both are computed; the figures show E(q)^T P, a
 * panel for each method (in 4.18 all curves coincide), and the rows have the radius of the sphere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "study/thesis_beam.h"

static const struct {
    const char *name, *label;
    double phi, xi, h;
    int branch;
} momentum_cases[] = {
    {NULL, "{pi, 0.4}, h = 0.01 m (figure 4.18)", WY_PI, 0.4, 0.01, WY_BRANCH_MAIN},
    {"h1", "{pi, 0.4}, h = 1 m (figure 4.19)", WY_PI, 0.4, 1.0, WY_BRANCH_MAIN},
    {"h0.5", "{pi, 0.4}, h = 0.5 m (figure 4.20)", WY_PI, 0.4, 0.5, WY_BRANCH_MAIN},
    {"h0.1", "{pi, 0.4}, h = 0.1 m (figure 4.21)", WY_PI, 0.4, 0.1, WY_BRANCH_MAIN},
    {"two-loop-h0.5", "{0, 0.8}, two-loop, h = 0.5 m (figure 4.22)", 0.0, 0.8, 0.5, WY_BRANCH_TWO_LOOP},
    {"two-loop-h0.05", "{0, 0.8}, two-loop, h = 0.05 m (figure 4.23)", 0.0, 0.8, 0.05, WY_BRANCH_TWO_LOOP},
};

/* The sphere of radius |p| as thin circles. */
static void draw_momentum_sphere(wy_figure *figure, double radius) {
    enum { POINTS = 61, CIRCLES = 6 };
    double x[POINTS], y[POINTS], z[POINTS];
    for (int c = 0; c < 2 * CIRCLES - 1; c++) {
        for (int i = 0; i < POINTS; i++) {
            const double t = 2.0 * WY_PI * i / (POINTS - 1), a = WY_PI * (c % CIRCLES) / CIRCLES,
                         b = WY_PI * (c - CIRCLES + 1) / CIRCLES;
            const bool meridian = c < CIRCLES;
            x[i] = radius * (meridian ? wy_cos(a) * wy_cos(t) : wy_sin(b) * wy_cos(t));
            y[i] = radius * (meridian ? wy_sin(a) * wy_cos(t) : wy_sin(b) * wy_sin(t));
            z[i] = radius * (meridian ? wy_sin(t) : wy_cos(b));
        }
        wy_figure_curve(figure, NULL, WY_FAINT, POINTS, x, y, z);
    }
}

static wy_status report_momentum(wy_report *report, wy_figure *figure, size_t k, int m, wy_error *err) {
    const char *method = wy_thesis_beam_methods[m];
    const size_t steps = (size_t)floor(10.0 / momentum_cases[k].h + 0.5);
    wy_equilibrium *solver;
    const wy_status s = wy_thesis_beam_solve(&solver, momentum_cases[k].phi, momentum_cases[k].xi, method, steps,
                                             momentum_cases[k].branch, err);
    if (s)
        return s;
    const size_t count = wy_equilibrium_count(solver);
    const double *y = wy_equilibrium_states(solver);
    double *curve = malloc(3 * count * sizeof *curve), p0[3], worst = 0.0, radius = 0.0;
    if (!curve) {
        wy_equilibrium_free(solver);
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu points", count);
    }
    wy_quat_rotate(p0, y + WY_STATIC_Q, y + WY_STATIC_P);
    const double size = sqrt(p0[0] * p0[0] + p0[1] * p0[1] + p0[2] * p0[2]);
    draw_momentum_sphere(figure, size);
    for (size_t i = 0; i < count; i++) {
        const double *P = y + i * WY_STATIC_DIM + WY_STATIC_P, *q = y + i * WY_STATIC_DIM + WY_STATIC_Q;
        double wrong[3], p[3];
        wy_quat_rotate_back(wrong, q, P);
        wy_quat_rotate(p, q, P);
        for (size_t c = 0; c < 3; c++) {
            curve[c * count + i] = wrong[c];
            worst = fmax(worst, fabs(p[c] - p0[c]) / size);
        }
        radius = fmax(radius, fabs(sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]) / size - 1.0));
    }
    wy_figure_curve(figure, NULL, WY_LINES, count, curve, curve + count, curve + 2 * count);
    free(curve);
    wy_equilibrium_free(solver);
    const bool keeps = method[0] == 'I' || method[0] == 'G';
    char name[96];
    snprintf(name, sizeof name, "%s |P|, %s", method, momentum_cases[k].name ? momentum_cases[k].name : "h0.01");
    wy_report_row(report, name, wy_prints_nothing(), radius, keeps ? wy_at_most(1e-11) : wy_shown(),
                  "largest relative change of |P| = |p|, the sphere's radius; %s", momentum_cases[k].label);
    snprintf(name, sizeof name, "%s R P, %s", method, momentum_cases[k].name ? momentum_cases[k].name : "h0.01");
    /* R P is cubic in the state: it is conserved to the order of the method, by no method to round-off */
    const bool fourth = method[0] == 'R' || method[0] == 'G';
    const double h2 = momentum_cases[k].h * momentum_cases[k].h, bound = fourth ? 0.6 * h2 * h2 + 1e-12 : 6.0 * h2;
    wy_report_row(report, name, wy_prints_nothing(), worst, wy_at_most(bound),
                  "largest relative change of p = R P, which is constant in the exact rod; at most %g h^%d; %s",
                  fourth ? 0.6 : 6.0, fourth ? 4 : 2, momentum_cases[k].label);
    return WY_OK;
}

static wy_status beam_momentum_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    const size_t count = sizeof momentum_cases / sizeof *momentum_cases;
    for (size_t k = 0; k < count; k++) {
        for (int m = 0; m < THESIS_BEAM_METHODS; m++) {
            const char *method = wy_thesis_beam_methods[m];
            char heading[160];
            snprintf(heading, sizeof heading, "E(q)^T P, %s", momentum_cases[k].label);
            wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = momentum_cases[k].name,
                                                                      .title = method,
                                                                      .heading = m == 0 ? heading : NULL,
                                                                      .joined = m > 0,
                                                                      .width = 0.5,
                                                                      .x_label = "p1 / MN",
                                                                      .y_label = "p2 / MN",
                                                                      .z_label = "p3 / MN",
                                                                      .equal = true,
                                                                      .space = true});
            wy_status s = report_momentum(report, figure, k, m, err);
            if (!s)
                s = wy_sink_progress(progress, ((double)k + (m + 1.0) / THESIS_BEAM_METHODS) / (double)count, err);
            if (s)
                return s;
        }
    }
    return WY_OK;
}

const wy_study wy_study_beam_momentum = {
    .entry = {.name = "beam-momentum", .doc = "Balance of linear momentum along the rod, on coarse and fine grids."},
    .source = "the thesis, figures 4.18-4.23",
    .run = beam_momentum_run,
};
