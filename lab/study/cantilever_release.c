/* Source `001`: the steel cantilever released from its tip weight, T = 25 s. Compares the literal scheme with its trace
 * and both with the converged motion, and numerical damping with linear theory; shows where the literal shooting
 * fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <withy/study.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "study/cantilever.h"

enum { STEPS = 12500, FRAMES = 12 };
static const double TRACE_DT = 2e-3;

static const wy_cantilever_run literal_run = {.method = "bdf-alpha-shooting", .elements = 39, .dt = 2e-3};
static const wy_cantilever_run whole_rod_run = {
    .method = "bdf-alpha", .settings = "degree=2 tolerance=1e-8", .elements = 10, .dt = 2e-3};
static const wy_cantilever_run accurate_run = {
    .method = "gauss-director", .settings = "degree=3 stages=2 tolerance=1e-8", .elements = 3, .dt = 1e-3};

static const wy_cantilever_run default_run = {.method = "gauss-director", .elements = 10, .dt = 2e-3}; /* the default */

typedef struct trace {
    double t[STEPS + 1], x[STEPS + 1], z[STEPS + 1];
    double shape[FRAMES][2][WY_CANTILEVER_NODES]; /* shapes in the first period */
    size_t nodes;
    double cpu;
} trace;

/* The trace of 25 s, a point every 2 ms. The first 12 shapes are stored, one every 4 points. */
static wy_status record_trace(trace *out, const wy_cantilever_run *run, int points, wy_error *err) {
    wy_cantilever c;
    wy_status s = wy_cantilever_open(&c, run, err);
    const int each = (int)(TRACE_DT / run->dt + 0.5);
    out->cpu = 0.0;
    for (int n = 0; n <= points && !s; n++) {
        double p[3 * WY_CANTILEVER_NODES] = {0};
        out->nodes = wy_motion_nodes(c.rod);
        wy_motion_read(c.rod, c.state, &(wy_motion_view){.position = p});
        out->t[n] = n * TRACE_DT;
        out->x[n] = p[3 * (out->nodes - 1)];
        out->z[n] = p[3 * (out->nodes - 1) + 2];
        if (n % 4 == 0 && n / 4 < FRAMES)
            for (size_t j = 0; j < out->nodes; j++) {
                out->shape[n / 4][0][j] = p[3 * j + 2];
                out->shape[n / 4][1][j] = p[3 * j];
            }
        const clock_t from = clock();
        for (int k = 0; k < each && !s && n < points; k++)
            s = wy_motion_step(c.rod, c.state, c.work, run->dt, err);
        out->cpu += (double)(clock() - from) / CLOCKS_PER_SEC;
    }
    wy_cantilever_close(&c);
    return s;
}

/* Frequency from the upward crossings of the mean over the whole trace, with linear interpolation. */
static double crossing_frequency(const trace *t, int points) {
    double mean = 0.0, first = NAN, last = NAN;
    int crossings = 0;
    for (int n = 0; n <= points; n++)
        mean += t->x[n] / (points + 1);
    /* higher modes cross too: only crossings more than half a period after the last one count */
    for (int n = 1; n <= points; n++)
        if (t->x[n - 1] < mean && t->x[n] >= mean) {
            const double at = t->t[n - 1] + TRACE_DT * (mean - t->x[n - 1]) / (t->x[n] - t->x[n - 1]);
            if (isnan(first)) {
                first = last = at;
            } else if (at - last > 0.5 / 5.6) {
                last = at;
                crossings++;
            }
        }
    return crossings / (last - first);
}

/* ---- numerical damping ---- */

/* Root of (c0 - i w) q^2 + (c1 + d1 i w) q + c2 = 0 nearest to exp(i w dt), by Newton: modulus and angle. (7.3) */
static void damping_of_linear_theory(double *modulus, double *angle, double alpha, double w, double dt) {
    const double c0 = (1.5 + alpha) / (dt * (1.0 + alpha)), c1 = -2.0 / dt, c2 = (0.5 + alpha) / (dt * (1.0 + alpha)),
                 d1 = alpha / (1.0 + alpha);
    double q[2] = {wy_cos(w * dt), wy_sin(w * dt)};
    for (int k = 0; k < 50; k++) {
        const double a[2] = {c0, -w}, b[2] = {c1, d1 * w};
        const double aq[2] = {a[0] * q[0] - a[1] * q[1], a[0] * q[1] + a[1] * q[0]};
        const double s[2] = {aq[0] + b[0], aq[1] + b[1]};
        const double f[2] = {s[0] * q[0] - s[1] * q[1] + c2, s[0] * q[1] + s[1] * q[0]};
        const double g[2] = {2.0 * aq[0] + b[0], 2.0 * aq[1] + b[1]}, size = g[0] * g[0] + g[1] * g[1];
        q[0] -= (f[0] * g[0] + f[1] * g[1]) / size;
        q[1] -= (f[1] * g[0] - f[0] * g[1]) / size;
    }
    *modulus = wy_hypot(q[0], q[1]);
    *angle = wy_atan2(q[1], q[0]);
}

/* Amplitude of exp(i w t) in x over the points [from, to), by least squares together with a constant. */
static double fit_amplitude(const trace *t, int from, int to, double w) {
    double A[9] = {0}, b[3] = {0};
    for (int n = from; n < to; n++) {
        const double f[3] = {1.0, wy_cos(w * t->t[n]), wy_sin(w * t->t[n])};
        for (int i = 0; i < 3; i++) {
            b[i] += f[i] * t->x[n];
            for (int k = 0; k < 3; k++)
                A[3 * i + k] += f[i] * f[k];
        }
    }
    double r[3][3], x[3];
    for (int i = 0; i < 3; i++) /* Cramer */
        memcpy(r[i], A + 3 * (size_t)i, sizeof r[i]);
    double c[3];
    v3_cross(c, r[1], r[2]);
    const double det = v3_dot(r[0], c);
    for (int k = 0; k < 3; k++) {
        double m[3][3];
        memcpy(m, r, sizeof m);
        for (int i = 0; i < 3; i++)
            m[i][k] = b[i];
        v3_cross(c, m[1], m[2]);
        x[k] = v3_dot(m[0], c) / det;
    }
    return wy_hypot(x[1], x[2]);
}

static wy_status report_numerical_damping(wy_report *report, trace *t, wy_error *err) {
    static const struct {
        const char *settings;
        double alpha;
    } cases[] = {{"degree=2 tolerance=1e-11 alpha=0", 0.0},
                 {"degree=2 tolerance=1e-11 alpha=-0.1", -0.1},
                 {"degree=2 tolerance=1e-11 alpha=-0.2", -0.2},
                 {"degree=2 tolerance=1e-11 alpha=-0.3", -0.3},
                 {"degree=2 tolerance=1e-11 alpha=-0.5", -0.5}};
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = "numerical-damping",
                                                              .title = "Decay of the first mode, dt = 8 ms",
                                                              .x_label = "alpha",
                                                              .y_label = "rate / (1/s)"});
    enum { SMOOTH = 101 };
    const double w_rest = 2.0 * WY_PI * 5.59787;
    double a[5], theory[5], measured[5], fine_a[SMOOTH], fine[SMOOTH];
    for (int i = 0; i < SMOOTH; i++) {
        double modulus, angle;
        fine_a[i] = -0.5 + 0.5 * i / (SMOOTH - 1);
        damping_of_linear_theory(&modulus, &angle, fine_a[i], w_rest, 8e-3);
        fine[i] = fabs(wy_log(modulus)) / 8e-3;
    }
    for (int i = 0; i < 5; i++) {
        /* a step of 8 ms, so that the damping can be measured; a small oscillation about the equilibrium under the
         * weight */
        const wy_cantilever_run run = {
            .method = "bdf-alpha", .settings = cases[i].settings, .elements = 6, .dt = 2e-3, .weight = 2e-4};
        wy_cantilever_run coarse = run;
        coarse.dt = 8e-3;
        wy_cantilever c;
        wy_status s = wy_cantilever_open(&c, &coarse, err);
        const int points = 1000;
        for (int n = 0; n <= points && !s; n++) {
            double tip[3];
            wy_cantilever_tip(tip, &c);
            t->t[n] = n * coarse.dt;
            t->x[n] = tip[0];
            s = n < points ? wy_motion_step(c.rod, c.state, c.work, coarse.dt, err) : WY_OK;
        }
        wy_cantilever_close(&c);
        if (s)
            return s;
        double modulus, angle;
        damping_of_linear_theory(&modulus, &angle, cases[i].alpha, w_rest, coarse.dt);
        const double w = angle / coarse.dt, one = fit_amplitude(t, 200, 400, w), two = fit_amplitude(t, 800, 1000, w);
        a[i] = cases[i].alpha;
        theory[i] = fabs(wy_log(modulus)) / coarse.dt;
        measured[i] = wy_log(one / two) / (600 * coarse.dt);
        char name[100];
        snprintf(name, sizeof name, "decay rate of the first mode, alpha = %g", cases[i].alpha);
        wy_report_row(
            report, name, wy_prints_nothing(), measured[i], wy_near(theory[i], 0.03 * theory[i] + 1e-3),
            "1/s; reference: linear theory (7.3) at 5.59787 Hz; bdf-alpha of the whole rod, dt = 8 ms, small swing");
    }
    wy_figure_curve(figure, "linear theory", WY_LINES, SMOOTH, fine_a, fine, NULL);
    wy_figure_curve(figure, "measured", WY_POINTS, 5, a, measured, NULL);
    return WY_OK;
}

/* ---- where shooting fails ---- */

static wy_status report_failures(wy_report *report, wy_error *err) {
    static const int points[] = {20, 40, 80, 160, 320};
    static const double steps[] = {4e-3, 2e-3, 1.5e-3, 1e-3, 5e-4, 2.5e-4};
    double bad[2][30] = {{0}}, good[2][30] = {{0}};
    size_t bads = 0, goods = 0;
    int global_failures = 0;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 6; k++) {
            for (int which = 0; which < 2; which++) {
                wy_cantilever_run run = which ? whole_rod_run : literal_run;
                run.elements = points[i] - 1;
                run.dt = steps[k];
                wy_cantilever c;
                wy_error why;
                wy_status s = wy_cantilever_open(&c, &run, &why);
                for (int n = 0; n * steps[k] < 0.2 && !s; n++)
                    s = wy_motion_step(c.rod, c.state, c.work, run.dt, &why);
                wy_cantilever_close(&c);
                if (s == WY_NO_MEMORY)
                    return wy_fail(err, s, "%s", why.text);
                if (which) {
                    global_failures += s != WY_OK;
                } else {
                    double(*to)[30] = s ? bad : good;
                    size_t *count = s ? &bads : &goods;
                    to[0][*count] = points[i];
                    to[1][(*count)++] = steps[k];
                }
            }
        }
    wy_report_row(report, "cells of 30 where the literal shooting fails", wy_prints_nothing(), (double)bads,
                  wy_at_least(10), "20 to 320 points, dt = 0.25 to 4 ms, the first 0.2 s");
    wy_report_row(report, "cells of 30 where the literal shooting works", wy_prints_nothing(), (double)goods,
                  wy_at_least(5), "the same");
    wy_report_row(report, "cells of 30 where the solver for the whole rod fails", wy_prints_nothing(), global_failures,
                  wy_at_most(0), "the same BDF-alpha, alpha = -0.2");
    const double range[] = {12.0, 500.0, 1.5e-4, 6e-3};
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = "failures",
                                                              .title = "Where shooting fails",
                                                              .x_label = "points",
                                                              .y_label = "dt / s",
                                                              .log_x = true,
                                                              .log_y = true,
                                                              .range = range});
    wy_figure_curve(figure, "shooting works", WY_POINTS, goods, good[0], good[1], NULL);
    wy_figure_curve(figure, "shooting fails", WY_POINTS, bads, bad[0], bad[1], NULL);
    for (int i = 0; i < 5; i++) {
        char tick[16];
        snprintf(tick, sizeof tick, "%d", points[i]);
        wy_figure_tick(figure, points[i], tick);
    }
    wy_figure_note(figure, "the solver for the whole rod fails in %d of the 30 cells", (int)global_failures);
    return WY_OK;
}

/* ---- errors, history, damping ---- */

static wy_status report_tip_errors(wy_report *report, wy_error *err) {
    double rms, largest;
    wy_status s = wy_cantilever_error(&rms, &largest, &literal_run, wy_cantilever_scheme, err);
    if (s)
        return s;
    wy_report_row(
        report, "literal scheme: largest distance of the tip from its trace", wy_prints_nothing(), largest,
        wy_at_most(1e-7),
        "m, over the first second, from an independent code of the same scheme; 40 points, dt = 2 ms, alpha = -0.2");
    const struct {
        const char *name;
        const wy_cantilever_run *run;
        double limit;
    } cases[] = {{"literal scheme: error", &literal_run, 3.5e-3},
                 {"BDF-alpha for the whole rod: error", &whole_rod_run, 1.5e-2},
                 {"gauss-director, degree 3, 2 stages: error", &accurate_run, 1e-4}};
    for (int i = 0; i < 3 && !s; i++) {
        s = wy_cantilever_error(&rms, &largest, cases[i].run, wy_cantilever_converged, err);
        if (!s)
            wy_report_row(
                report, cases[i].name, wy_prints_nothing(), rms, wy_at_most(cases[i].limit),
                "rms distance of the tip from the converged motion over [0, 1] s, relative to L; largest %.3g m; %d "
                "elements, dt = %g s%s%s",
                largest, cases[i].run->elements, cases[i].run->dt, cases[i].run->settings ? ", " : "",
                cases[i].run->settings ? cases[i].run->settings : "");
    }
    return s;
}

static wy_status report_history(wy_report *report, trace *t, wy_error *err) {
    wy_figure *tip = wy_report_figure(
        report, &(wy_figure){.title = "Tip of the released cantilever", .x_label = "t / s", .y_label = "x / m"});
    const struct {
        const char *label;
        const wy_cantilever_run *run;
    } cases[] = {{"literal scheme of the cantilever chapter", &literal_run},
                 {"gauss-director, degree 3, 2 stages", &accurate_run},
                 {"default method (gauss-director, 10 elements, 2 ms)", &default_run}}; /* last: its shapes are drawn */
    static const wy_style styles[] = {WY_WIDE, WY_LINES, WY_DASHES};
    double f = 0.0;
    for (int i = 0; i < 3; i++) {
        const wy_status s = record_trace(t, cases[i].run, STEPS, err);
        if (s)
            return s;
        wy_figure_curve(tip, cases[i].label, styles[i], 501, t->t, t->x, NULL);
        if (i == 1)
            f = crossing_frequency(t, STEPS);
        char name[100];
        snprintf(name, sizeof name, "real-time ratio, %s", cases[i].label);
        wy_report_row(report, name, wy_prints_nothing(), 25.0 / t->cpu, wy_shown(),
                      "25 s simulated in %.3g s of CPU time; the source prints its ratio at run time", t->cpu);
    }
    wy_report_row(
        report, "frequency of the first mode", wy_prints_nothing(), f, wy_near(5.59881, 2e-3),
        "Hz, from 25 s of the nonlinear motion; reference: an independent code; Euler-Bernoulli 5.59591, about the "
        "bent equilibrium 5.59787");
    wy_figure *shapes = wy_report_figure(report, &(wy_figure){.name = "shapes",
                                                              .title = "The first 90 ms",
                                                              .x_label = "z / m",
                                                              .y_label = "x / m",
                                                              .scale_label = "t / ms",
                                                              .equal = true});
    const double range[] = {0.0, 0.55, -0.08, 0.08}; /* the same range in every frame */
    for (int n = 0; n < FRAMES; n++) {
        char name[40], title[60];
        wy_figure_scaled(shapes, 4e3 * TRACE_DT * n, WY_SMOOTH, t->nodes, t->shape[n][0], t->shape[n][1], NULL);
        snprintf(name, sizeof name, "frame-%02d", n);
        snprintf(title, sizeof title, "t = %g ms", 8.0 * n);
        wy_figure *frame = wy_report_figure(
            report, &(wy_figure){.name = name, .title = title, .x_label = "z / m", .y_label = "x / m", .range = range});
        wy_figure_curve(frame, NULL, WY_SMOOTH, t->nodes, t->shape[n][0], t->shape[n][1], NULL);
    }
    return WY_OK;
}

static wy_status report_viscous_decay(wy_report *report, trace *t, wy_error *err) {
    wy_figure *figure =
        wy_report_figure(report, &(wy_figure){.name = "damped",
                                              .title = "Bb = 1e-3, Bt = 2e-3 N m^2 s, Bs = 3, Be = 5 N s",
                                              .x_label = "t / s",
                                              .y_label = "x / m"});
    const double V[6] = {1e-3, 1e-3, 2e-3, 3.0, 3.0, 5.0};
    double end[2], swing[2];
    for (int i = 0; i < 2; i++) {
        wy_cantilever_run run = i ? whole_rod_run : literal_run;
        memcpy(run.viscosity, V, sizeof V);
        const wy_status s = record_trace(t, &run, 1000, err);
        if (s)
            return s;
        wy_figure_curve(figure, i ? "whole rod" : "literal", i ? WY_LINES : WY_WIDE, 1001, t->t, t->x, NULL);
        const double w = 2.0 * WY_PI * 5.59787;
        end[i] = fit_amplitude(t, 700, 900, w);
        swing[i] = fit_amplitude(t, 100, 300, w);
    }
    /* decay rate of a mode with viscosity proportional to stiffness: w^2 Bb/(2 EI) */
    const double w = 2.0 * WY_PI * 5.59787, EI = 200e9 * (WY_PI * 1e-12) / 4.0;
    const double theory = w * w * 1e-3 / (2.0 * EI), rate = wy_log(swing[1] / end[1]) / (600 * TRACE_DT);
    wy_report_row(report, "decay rate with Bb = 1e-3 N m^2 s", wy_prints_nothing(), rate,
                  wy_near(theory, 0.05 * theory),
                  "1/s; reference: w^2 Bb/(2 EI) of the linear mode; the literal scheme has %.4g",
                  wy_log(swing[0] / end[0]) / (600 * TRACE_DT));
    return WY_OK;
}

static wy_status cantilever_release_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    trace *t = malloc(sizeof *t);
    if (!t)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a trace of %d points", STEPS);
    wy_status s = report_tip_errors(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.1, err);
    if (!s)
        s = report_history(report, t, err);
    if (!s)
        s = wy_sink_progress(progress, 0.5, err);
    if (!s)
        s = report_numerical_damping(report, t, err);
    if (!s)
        s = report_viscous_decay(report, t, err);
    if (!s)
        s = wy_sink_progress(progress, 0.7, err);
    if (!s)
        s = report_failures(report, err);
    free(t);
    return s ? s : wy_sink_progress(progress, 1.0, err);
}

const wy_study wy_study_cantilever_release = {
    .entry = {.name = "cantilever-release",
              .doc = "The steel cantilever released from its tip weight: accuracy, damping, speed."},
    .source = "the cantilever chapter",
    .run = cantilever_release_run,
};
