/* `004`: viscosity and gravity on the soft rod. Three columns: the source's scheme with its sign and its viscous term
 * as printed, withy's default method with the same mesh and step, and the converged motion (withy's default refined, or
 * the table). */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/soft_rod.h"

enum { LITERAL, DEFAULT, CONVERGED, COLUMNS };
static const char *const column_names[COLUMNS] = {"source's scheme", "gauss-director", "converged"};

/* One case in three columns: N = 100 and dt = 0.01 s for the first two, N = 60 and dt = 5e-4 s for the third. */
static wy_status run_columns(wy_soft_rod_trace out[COLUMNS], double mu, bool bent, bool gravity, double duration,
                             wy_error *err) {
    for (int c = 0; c < COLUMNS; c++) {
        const wy_soft_rod_run run = {.literal = c == LITERAL,
                                     .elements = c == CONVERGED ? 60 : 99,
                                     .dt = c == CONVERGED ? 5e-4 : 0.01,
                                     .duration = duration,
                                     .bent = bent,
                                     .gravity = gravity,
                                     .mu = mu,
                                     .every = 0.01};
        const wy_status s = wy_soft_rod_follow(&out[c], &run, NULL, NULL, err);
        if (s)
            return s;
    }
    return WY_OK;
}

static void draw_columns(wy_report *report, const char *name, const char *title, const char *y_label,
                         const wy_soft_rod_trace t[COLUMNS], size_t offset) {
    wy_figure *figure =
        wy_report_figure(report, &(wy_figure){.name = name, .title = title, .x_label = "time / s", .y_label = y_label});
    for (int c = COLUMNS - 1; c >= 0; c--) /* the converged curve lies under the others */
        wy_figure_curve(figure, column_names[c], c == CONVERGED ? WY_WIDE : WY_LINES, (size_t)t[c].count, t[c].t,
                        (const double *)(const void *)((const char *)&t[c] + offset), NULL);
}

/* A row for each column: the value of the trace's member at `offset` at time t. `literal` and `truth` are values of
 * independent codes (NaN: not known); the default's error is that of its step. A column that broke down before t is a
 * failed row. */
static void report_columns(wy_report *report, const char *what, const wy_soft_rod_trace trace[COLUMNS], size_t offset,
                           double t, double literal, double truth, double close, const char *note) {
    char name[160];
    const int point = (int)(t / 0.01 + 0.5);
    for (int c = 0; c < COLUMNS; c++) {
        const double known = c == LITERAL ? literal : truth, limit = c == DEFAULT ? close : 0.01;
        const double *values = (const double *)(const void *)((const char *)&trace[c] + offset);
        const char *how = c == LITERAL   ? "N = 100, dt = 0.01 s, sign and viscous term as the source prints them"
                          : c == DEFAULT ? "N = 100, dt = 0.01 s"
                                         : "N = 60, dt = 5e-4 s";
        snprintf(name, sizeof name, "%s, %s", what, column_names[c]);
        if (trace[c].count <= point)
            wy_report_failure(report, name, wy_prints_nothing(), "broke down at %g s; %s", trace[c].failed_at, how);
        else
            wy_report_row(report, name, wy_prints_nothing(), values[point],
                          isnan(known) ? wy_shown() : wy_near(known, limit * fabs(known)), "%s; %s", note, how);
    }
}

static wy_status report_viscous(wy_report *report, wy_soft_rod_trace *t, wy_error *err) {
    static const double mu[2] = {300.0, 30000.0};
    for (int k = 0; k < 2; k++) {
        char name[80], title[120];
        wy_status s = run_columns(t, mu[k], true, false, 1.0, err);
        if (s)
            return s;
        snprintf(name, sizeof name, "energy-mu-%g", mu[k]);
        snprintf(title, sizeof title, "Energy with mu = %g Pa s", mu[k]);
        draw_columns(report, k ? name : NULL, title, "energy / J", t, offsetof(wy_soft_rod_trace, energy));
        snprintf(name, sizeof name, "energy at 1 s, mu = %g", mu[k]);
        report_columns(report, name, t, offsetof(wy_soft_rod_trace, energy), 1.0, k ? NAN : 9.67e-4, k ? NAN : 4.557e-4,
                       0.1, k ? "J; the rod returns slowly" : "J; references: independent codes");
        snprintf(name, sizeof name, "energy balance, mu = %g, gauss-director", mu[k]);
        wy_report_row(report, name, wy_prints_nothing(), fmax(t[1].drift, t[2].drift), wy_at_most(1e-11),
                      "largest change of kinetic + strain + dissipated, relative");
    }
    return WY_OK;
}

static wy_status report_fall(wy_report *report, wy_soft_rod_trace *t, wy_error *err) {
    wy_status s = run_columns(t, 0.0, false, true, 1.0, err);
    if (s)
        return s;
    draw_columns(report, "cantilever", "Tip of the cantilever under its weight", "x / m", t,
                 offsetof(wy_soft_rod_trace, tip_x));
    draw_columns(report, "energy-gravity", "Energy with gravity", "energy / J", t, offsetof(wy_soft_rod_trace, total));
    report_columns(report, "tip x at 0.1 s under gravity towards -x", t, offsetof(wy_soft_rod_trace, tip_x), 0.1,
                   0.0371, wy_soft_rod_fall[10][0], 0.01,
                   "m; with the printed sign the rod falls upwards; references: independent codes");
    for (int c = 0; c < COLUMNS; c++) {
        char name[120];
        double most = 0.0;
        for (int i = 0; i < t[c].count; i++)
            most = fmax(most, fabs(t[c].total[i] - t[c].total[0]));
        snprintf(name, sizeof name, "largest change of the energy with gravity in 1 s, %s", column_names[c]);
        wy_report_row(
            report, name, wy_prints_nothing(), most, c == LITERAL ? wy_shown() : wy_at_most(1e-12),
            "J; about 1e-3 J oscillates%s",
            c == LITERAL ? "; the source says \"oscillates slightly about 0\": its own energy is never below 0" : "");
        if (c != LITERAL) {
            const double rms = wy_soft_rod_rms(&t[c], wy_soft_rod_fall);
            snprintf(name, sizeof name, "rms distance of the tip over 1 s, %s", column_names[c]);
            wy_report_row(report, name, wy_prints_nothing(), rms, wy_at_most(c == DEFAULT ? 2e-3 : 1e-4),
                          "m from the converged motion of an independent code");
        }
    }
    return WY_OK;
}

static wy_status report_viscous_fall(wy_report *report, wy_soft_rod_trace *t, wy_error *err) {
    wy_status s = run_columns(t, 300.0, false, true, 2.0, err);
    if (s)
        return s;
    draw_columns(report, "viscous-cantilever", "Tip of the viscous cantilever, mu = 300 Pa s", "x / m", t,
                 offsetof(wy_soft_rod_trace, tip_x));
    draw_columns(report, "energy-gravity-viscous", "Energy with gravity and viscosity", "energy / J", t,
                 offsetof(wy_soft_rod_trace, total));
    const double truth = t[CONVERGED].tip_x[t[CONVERGED].count - 1];
    report_columns(
        report, "tip x at 2 s, gravity and mu = 300", t, offsetof(wy_soft_rod_trace, tip_x), 2.0, NAN, truth, 0.1,
        "m; still oscillating, with the phase error of nine periods at the default's long step; reference: the "
        "converged "
        "column; the source does not say which mu it took here");
    wy_report_row(report, "energy balance, gravity and mu = 300, gauss-director", wy_prints_nothing(),
                  fmax(t[1].drift, t[2].drift), wy_at_most(1e-11),
                  "largest change of kinetic + strain + gravity + dissipated, relative");
    return WY_OK;
}

static wy_status loaded_dynamics_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_soft_rod_trace *t = malloc(COLUMNS * sizeof *t);
    if (!t)
        return wy_fail(err, WY_NO_MEMORY, "no memory for traces");
    wy_status s = report_viscous(report, t, err);
    if (!s)
        s = wy_sink_progress(progress, 0.4, err);
    if (!s)
        s = report_fall(report, t, err);
    if (!s)
        s = wy_sink_progress(progress, 0.7, err);
    if (!s)
        s = report_viscous_fall(report, t, err);
    free(t);
    return s ? s : wy_sink_progress(progress, 1.0, err);
}

const wy_study wy_study_loaded_dynamics = {
    .entry = {.name = "loaded-dynamics",
              .doc =
                  "Viscosity and gravity on a soft rod: the source's scheme, gauss-director and the converged motion."},
    .source = "the loads tutorial: energy with mu = 300 and 30000, cantilever with and without viscosity, "
              "energy with gravity",
    .run = loaded_dynamics_run,
};
