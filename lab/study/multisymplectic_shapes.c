/* Figures 4.26-4.28 of `002`: shapes, constraints and the trajectory of the tangent by the multi-symplectic schemes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/multisymplectic.h>
#include <withy/rotation.h>

#include "math/vec3.h"
#include "study/thesis_beam.h"

/* Solves the rod by a scheme, from the accurate solution as guess. */
static wy_status solve_ms_shape(wy_ms_solver **out, double phi, double xi, int scheme, size_t N, wy_error *err) {
    wy_end_coaxial last;
    const wy_rod_definition beam = wy_thesis_beam(&last, phi, xi);
    wy_equilibrium *guess;
    *out = NULL;
    wy_status s = wy_thesis_beam_solve(&guess, phi, xi, NULL, 200, WY_BRANCH_MAIN, err);
    if (s)
        return s;
    s = wy_ms_solver_create(out, &beam, scheme, N, 0.0, err);
    if (!s)
        s = wy_ms_solve(*out, wy_equilibrium_states(guess), wy_equilibrium_states(guess) + 3, err);
    wy_equilibrium_free(guess);
    if (s) {
        wy_ms_solver_free(*out);
        *out = NULL;
    }
    return s;
}

/* Figure 4.26: {pi/2, 0.25} by RATTLE, the index-reduced Euler, and the equilibrium equations; <q, v> along the rod. */
static wy_status report_constraints(wy_report *report, wy_error *err) {
    enum { N = 200 };
    wy_figure *shape = wy_report_figure(report, &(wy_figure){.title = "{pi/2, 0.25} (figure 4.26(a))",
                                                             .x_label = "x / m",
                                                             .y_label = "y / m",
                                                             .z_label = "z / m",
                                                             .equal = true,
                                                             .space = true});
    wy_figure *error = wy_report_figure(report, &(wy_figure){.name = "constraint",
                                                             .title = "<q, v> along the rod (figure 4.26(b))",
                                                             .x_label = "s / m",
                                                             .y_label = "|<q, v>| / (MN m)",
                                                             .log_y = true});
    wy_figure *apart = wy_report_figure(
        report, &(wy_figure){.name = "difference",
                             .title = "Distance from the rod of IM on the equilibrium equations, {pi/2, 0.25}",
                             .x_label = "s / m",
                             .y_label = "distance / m",
                             .log_y = true});
    static const struct {
        int scheme;
        const char *label;
    } cases[] = {{WY_MS_RATTLE, "RM"},
                 {WY_MS_RATTLE_PRINTED, "RM, (4.8) as printed"},
                 {WY_MS_EULER, "SE, projected"},
                 {WY_MS_EULER_REDUCED, "SE, index-reduced"}};
    wy_equilibrium *im;
    wy_status s = wy_thesis_beam_solve(&im, 0.5 * WY_PI, 0.25, "IM", N, WY_BRANCH_MAIN, err);
    if (s)
        return s;
    double equilibrium[3 * (N + 1)];
    for (size_t i = 0; i <= N; i++)
        memcpy(equilibrium + 3 * i, wy_equilibrium_states(im) + i * WY_STATIC_DIM + WY_STATIC_X,
               3 * sizeof *equilibrium);
    wy_thesis_beam_curve(shape, "IM, equilibrium equations", WY_WIDE, wy_equilibrium_states(im), N + 1, WY_STATIC_DIM,
                         WY_STATIC_X);
    wy_equilibrium_free(im);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        wy_ms_solver *m;
        s = solve_ms_shape(&m, 0.5 * WY_PI, 0.25, cases[k].scheme, N, err);
        if (s)
            return s;
        double at[N + 1], qv[N + 1], worst = 0.0, norm = 0.0;
        for (size_t i = 0; i <= N; i++) {
            const double *z = wy_ms_nodes(m) + i * WY_MS_DIM, *q = z + WY_MS_Q, *v = z + WY_MS_V;
            at[i] = 10.0 * (double)i / N;
            qv[i] = fabs(q[0] * v[0] + q[1] * v[1] + q[2] * v[2] + q[3] * v[3]);
            worst = fmax(worst, qv[i]);
            norm = fmax(norm, fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0));
        }
        if (cases[k].scheme == WY_MS_RATTLE || cases[k].scheme == WY_MS_EULER_REDUCED)
            wy_thesis_beam_curve(shape, cases[k].label, WY_LINES, wy_ms_states(m), N + 1, WY_STATIC_DIM, WY_STATIC_X);
        double off[N + 1];
        for (size_t i = 0; i <= N; i++) {
            double d[3];
            v3_sub(d, wy_ms_states(m) + i * WY_STATIC_DIM + WY_STATIC_X, equilibrium + 3 * i);
            off[i] = v3_norm(d);
        }
        wy_figure_curve(apart, cases[k].label, WY_LINES, N, at + 1, off + 1, NULL);
        wy_figure_curve(error, cases[k].label, WY_LINES, N + 1, at, qv, NULL);
        wy_ms_solver_free(m);
        const bool right = cases[k].scheme == WY_MS_RATTLE || cases[k].scheme == WY_MS_EULER,
                   printed = cases[k].scheme == WY_MS_RATTLE_PRINTED;
        char name[80];
        snprintf(name, sizeof name, "<q, v>, %s", cases[k].label);
        wy_report_row(report, name, printed ? wy_prints(1e-3, "section 4.3.2") : wy_prints_nothing(), worst,
                      printed ? wy_at_least(1e-6) : wy_at_most(1e-11), "MN m, N = %d, terms are of the size 130; %s", N,
                      printed ? "the thesis says 'the accuracy was 10^-3' of its RATTLE: (4.8) lacks a half term"
                      : right ? "both constraints are conserved"
                              : "symplectic Euler conserves <q, v>, which is bilinear; |q| drifts");
        snprintf(name, sizeof name, "|q|^2 - 1, %s", cases[k].label);
        wy_report_row(report, name, wy_prints_nothing(), norm, right ? wy_at_most(1e-14) : wy_at_least(1e-9), "N = %d",
                      N);
    }
    return WY_OK;
}

/* Figure 4.27: axial shortening by RATTLE, up to the closed figure of eight at xi = 1. */
static wy_status report_ms_shortening(wy_report *report, wy_error *err) {
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = "shortening",
                                                              .title = "Axial shortening by RATTLE (figure 4.27)",
                                                              .x_label = "x / m",
                                                              .y_label = "z / m",
                                                              .equal = true});
    enum { N = 400 };
    for (int i = 1; i <= 5; i++) {
        wy_ms_solver *m;
        const double xi = 0.2 * i;
        const wy_status s = solve_ms_shape(&m, 0.0, xi, WY_MS_RATTLE, N, err);
        if (s)
            return s;
        double x[N + 1], z[N + 1];
        for (size_t k = 0; k <= N; k++) {
            x[k] = wy_ms_states(m)[k * WY_STATIC_DIM + WY_STATIC_X];
            z[k] = wy_ms_states(m)[k * WY_STATIC_DIM + WY_STATIC_X + 2];
        }
        char label[32];
        snprintf(label, sizeof label, "xi = %.1f", xi);
        wy_figure_curve(figure, label, WY_LINES, N + 1, x, z, NULL);
        if (i == 5) {
            const double F = -wy_ms_states(m)[2];
            wy_report_row(report, "compression at xi = 1, RATTLE", wy_prints_nothing(), F, wy_near(92.159209953, 0.092),
                          "MN, N = %d: second order; reference: closed form. Both ends meet: the figure of eight", N);
        }
        wy_ms_solver_free(m);
    }
    return WY_OK;
}

/* Figure 4.28: E(q)^T e3 for {pi, 0.4} on three grids. */
static wy_status report_tangent_paths(wy_report *report, wy_error *err) {
    static const size_t grids[3] = {20, 100, 10000};
    const double e3[3] = {0.0, 0.0, 1.0};
    for (int g = 0; g < 3; g++) {
        const size_t N = grids[g];
        char name[32], title[96];
        snprintf(name, sizeof name, "tangent-%c", 'a' + g);
        snprintf(title, sizeof title, "E(q)^T e3 for {pi, 0.4}, h = %g m (figure 4.28(%c))", 10.0 / (double)N, 'a' + g);
        wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = name,
                                                                  .title = title,
                                                                  .x_label = "t1",
                                                                  .y_label = "t2",
                                                                  .z_label = "t3",
                                                                  .equal = true,
                                                                  .space = true});
        wy_ms_solver *m[2] = {NULL, NULL};
        wy_status s = solve_ms_shape(&m[0], WY_PI, 0.4, WY_MS_RATTLE, N, err);
        if (!s)
            s = solve_ms_shape(&m[1], WY_PI, 0.4, WY_MS_EULER_REDUCED, N, err);
        double *curve = malloc(6 * (N + 1) * sizeof *curve), gap = 0.0;
        if (!s && !curve)
            s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu points", N);
        for (size_t k = 0; k < 2 && !s && curve; k++) {
            double *to = curve + 3 * k * (N + 1);
            for (size_t i = 0; i <= N; i++) {
                double q[4], t[3];
                wy_quat_normalize(q, wy_ms_nodes(m[k]) + i * WY_MS_DIM + WY_MS_Q);
                wy_quat_rotate_back(t, q, e3);
                for (size_t c = 0; c < 3; c++) {
                    to[c * (N + 1) + i] = t[c];
                    if (k)
                        gap = fmax(gap, fabs(t[c] - curve[c * (N + 1) + i]));
                }
            }
            wy_figure_curve(figure, k ? "SE, index-reduced" : "RM", k ? WY_DASHES : WY_LINES, N + 1, to, to + N + 1,
                            to + 2 * (N + 1));
        }
        free(curve);
        wy_ms_solver_free(m[0]);
        wy_ms_solver_free(m[1]);
        if (s)
            return s;
        snprintf(title, sizeof title, "RM against SE, h = %g m", 10.0 / (double)N);
        wy_report_row(report, title, wy_prints_nothing(), gap, wy_at_most(g < 2 ? 2.0 : 1e-2),
                      "largest distance of the two trajectories: first order in h");
    }
    return WY_OK;
}

static wy_status multisymplectic_shapes_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_status s = report_constraints(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.3, err);
    if (!s)
        s = report_ms_shortening(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.6, err);
    if (!s)
        s = report_tangent_paths(report, err);
    return s ? s : wy_sink_progress(progress, 1.0, err);
}

const wy_study wy_study_multisymplectic_shapes = {
    .entry = {.name = "multisymplectic-shapes",
              .doc = "Shapes, constraints and tangents with the multi-symplectic schemes."},
    .source = "the thesis, figures 4.26-4.28",
    .run = multisymplectic_shapes_run,
};
