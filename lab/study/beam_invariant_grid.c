/* Figures 4.12-4.17 and A.2-A.5 of `002`: errors of P.P, P.M and J for 25 cells {phi, xi} and five methods, N = 200,
 * each from the unstressed rod.
 *
 * The thesis prints numbers of its charts for J only: 4.14 (EM) and 4.17 (IM, KM, RK4, GL4). 4.14 and 4.17(b) tabulate
 * J + |q|^2, not J. Cell {0, 0.8} is on the two-loop branch there; it is computed here on both branches. There are two
 * sets of rows: accurate rods, and the thesis' own programs (thesis_program.h), whose fixed point is what figure
 * 4.17(a), (b), (d) shows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "math/constants.h"
#include "study/thesis_program.h"

enum { CELLS = 5, N = 200, QUANTITIES = 3 };

/* Printed values of J (or J + |q|^2): [method][xi][phi]. */
static const double printed_J[THESIS_BEAM_METHODS][CELLS][CELLS] = {
    {{0, 7.432e-10, 1.189e-08, 6.02e-08, 1.902e-07},
     {0.00412, 0.004001, 0.003682, 0.00324, 0.002745},
     {0.008066, 0.007479, 0.006329, 0.005137, 0.00403},
     {0.01164, 0.006685, 0.004543, 0.002971, 0.002036},
     {0.01836, 0.001215, 0.0007726, 0.0007134, 0.0007586}},
    {{0, 9.29e-11, 1.486e-09, 7.525e-09, 2.378e-08},
     {1.715e-10, 1.672e-10, 1.793e-10, 1.87e-10, 1.756e-10},
     {2.964e-10, 2.826e-10, 2.103e-10, 1.471e-10, 9.863e-11},
     {7.648e-10, 6.58e-10, 4.87e-10, 3.662e-10, 2.83e-10},
     {5.899e-11, 5.933e-10, 2.567e-10, 2.283e-10, 2.136e-09}},
    {{0, 7.432e-10, 1.189e-08, 5.209e-13, 2.93e-12},
     {0.003793, 0.003686, 0.003396, 0.00299, 0.00253},
     {0.007305, 0.006763, 0.00572, 0.004644, 0.003636},
     {0.01022, 0.005401, 0.003589, 0.002292, 0.002326},
     {0.01276, 0.0009464, 0.0007033, 0.000472, 0.0005414}},
    {{0, 2.22e-16, 4.441e-16, 4.441e-16, 0},
     {4.232e-07, 4.066e-07, 3.619e-07, 3.005e-07, 2.334e-07},
     {1.191e-06, 1.09e-06, 8.821e-07, 6.623e-07, 4.626e-07},
     {2.624e-06, 1.508e-06, 9.499e-07, 5.559e-07, 6.136e-07},
     {7.4e-06, 7.79e-07, 6.449e-07, 5.09e-07, 3.831e-07}},
    {{0, 2.477e-10, 1.11e-14, 1.159e-13, 6.528e-13},
     {1.194e-12, 1.474e-12, 1.535e-12, 1.609e-12, 2e-12},
     {1.868e-11, 1.693e-11, 1.33e-11, 1.038e-11, 7.591e-12},
     {2.935e-11, 2.914e-11, 2.398e-11, 1.877e-11, 1.513e-11},
     {5.187e-12, 2.67e-11, 1.485e-11, 9.621e-12, 8.715e-12}},
};
static const char *const phi_names[CELLS] = {"0", "pi/4", "pi/2", "3pi/4", "pi"};
static const char *const quantities[QUANTITIES] = {"P.P", "P.M", "J"};
static const char *const figures[THESIS_BEAM_METHODS] = {"figure 4.14", "figure 4.17(a)", "figure 4.17(b)",
                                                         "figure 4.17(c)", "figure 4.17(d)"};

static bool keeps_invariants(int m) {
    return m == 1 || m == 4;
}

static void report_grid_cell(wy_report *report, int m, int x, int p, bool two_loop, const wy_thesis_drift *d) {
    const char *method = wy_thesis_beam_methods[m];
    const bool jumped =
        x == 4 && p == 0 && !two_loop; /* the thesis' number for this cell belongs to the two-loop branch */
    const double measured[QUANTITIES] = {d->PP, d->PM, method[0] == 'E' || method[0] == 'K' ? d->J_qq : d->J};
    const double terms[QUANTITIES] = {d->terms_PP, d->terms_PM, d->terms_J};
    for (int q = 0; q < QUANTITIES; q++) {
        char name[96];
        snprintf(name, sizeof name, "%s %s {%s, %.1f}%s", method, quantities[q], phi_names[p], 0.2 * x,
                 two_loop ? " two-loop" : "");
        const double value = q == 2 && !jumped ? printed_J[m][x][p] : NAN;
        wy_verdict verdict = wy_shown();
        const char *why = (x == 2 && p == 4) || two_loop ? "only pictured here; table 4.4 has it: beam-invariants"
                                                         : "only pictured in the thesis";
        if (keeps_invariants(m)) {
            verdict = wy_at_most(1e-11 * fmax(terms[q], 1.0));
            why = "conserved: below 1e-11 of the largest term; printed: limited by tolerances of 1e-10";
        } else if (x == 0) {
            verdict = wy_at_most(1e-6);
            why = q < 2              ? "straight and twisted: kept by every method"
                  : method[0] == 'R' ? "straight and twisted: J is kept; printed: round-off"
                  : method[0] == 'E' ? "straight and twisted: the change is that of |q|^2"
                                     : "straight and twisted: kept; printed: the last but one iterate of a fixed point";
        } else if (jumped) {
            why = "main branch; the thesis' number for this cell belongs to the two-loop branch";
        } else if (q == 2) {
            /* EM and KM have no exact root: the weights of their least squares for the end conditions change the
             * digits */
            verdict = wy_near_printed((method[0] == 'R' ? 5e-4 : method[0] == 'E' ? 6e-4 : 1.5e-3) * value);
            why = method[0] == 'R' ? "J" : "J + |q|^2, as printed there; no exact root: least squares at the far end";
        }
        wy_report_row(report, name, wy_prints(value, figures[m]), measured[q], verdict,
                      "N = %d, from the unstressed rod; %s", N, why);
    }
}

/* Half a unit of the last of the four digits that the thesis prints, plus 10 % for its own rounding. */
static double half_last_digit(double value) {
    double unit = 1.0;
    while (value >= 10.0 * unit)
        unit *= 10.0;
    while (value < unit)
        unit *= 0.1;
    return 0.55e-3 * unit;
}

/* One cell by the thesis' program. */
static wy_status report_thesis_grid_cell(wy_report *report, int m, int x, int p, const double start[6], double *nodes,
                                         wy_error *err) {
    const char *method = wy_thesis_beam_methods[m];
    const wy_thesis_program program = {
        .method = method, .steps = N, .phi = 0.25 * p * WY_PI, .xi = 0.2 * x, .tolerance = 1e-10};
    double v[6];
    memcpy(v, start, sizeof v);
    const wy_status s = wy_thesis_program_run(nodes, v, &program, err);
    if (s)
        return s;
    const wy_thesis_changes c = wy_thesis_program_changes(nodes, program.steps);
    const bool plain = method[0] == 'R';
    const double value = printed_J[m][x][p], measured = plain ? c.J : c.J_qq,
                 digit = half_last_digit(fmax(value, 1e-300));
    wy_verdict verdict = wy_near_printed(digit);
    const char *why = "equal to the printed digits";
    if (plain && x == 0) {
        verdict = wy_at_most(1e-14);
        why = "printed: round-off";
    } else if (method[0] == 'G' || (method[0] == 'I' && x > 0)) {
        /* round-off as a random walk: sqrt(200) eps times the terms of J, which are about 100 */
        verdict = wy_near_printed(digit + 3.2e-13);
        why = "equal to the printed digits up to the round-off of J over 200 steps, 3e-13";
    } else if (method[0] == 'K' && x == 0) {
        verdict = wy_near_printed(digit + 4e-15);
        why = "equal to the printed digits up to the round-off of |q|^2";
    }
    char name[96];
    snprintf(name, sizeof name, "%s J {%s, %.1f}, the thesis' program", method, phi_names[p], 0.2 * x);
    wy_report_row(report, name, wy_prints(value, figures[m]), measured, verdict, "%s; N = %zu%s; %s",
                  plain ? "J" : "J + |q|^2", program.steps, x == 4 && p == 0 ? ", two-loop branch" : "", why);
    return WY_OK;
}

static wy_status report_thesis_grid(wy_report *report, wy_error *err) {
    double *nodes = malloc((N + 1) * sizeof(double[THESIS_STATE]));
    wy_status s = nodes ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for %d nodes", N + 1);
    for (int x = 0; x < CELLS && !s; x++)
        for (int p = 0; p < CELLS && !s; p++) {
            double start[6] = {0};
            wy_equilibrium *solver = NULL;
            if (x > 0)
                s = wy_thesis_beam_solve(&solver, 0.25 * p * WY_PI, 0.2 * x, NULL, N,
                                         x == 4 && p == 0 ? WY_BRANCH_TWO_LOOP : WY_BRANCH_MAIN, err);
            if (solver && !s)
                memcpy(start, wy_equilibrium_states(solver), sizeof start);
            wy_equilibrium_free(solver);
            for (int m = 0; m < THESIS_BEAM_METHODS && !s; m++)
                s = report_thesis_grid_cell(report, m, x, p, start, nodes, err);
        }
    free(nodes);
    return s;
}

typedef double grid_values[QUANTITIES][CELLS][CELLS];

/* One panel with all 25 cells: a group of five bars (phi) for each of the five xi. A change of exactly 0 is a bar
 * without height. */
static void draw_bar_panel(wy_report *report, const wy_figure *head, const double values[CELLS][CELLS]) {
    double least = INFINITY, most = 0.0, low = 1.0, high = 1.0;
    for (int i = 0; i < CELLS * CELLS; i++) {
        const double v = values[i / CELLS][i % CELLS];
        least = v > 0.0 ? fmin(least, v) : least;
        most = fmax(most, v);
    }
    while (low > least) /* whole decades around the values, with space below the smallest bar */
        low *= 0.1;
    while (high < most)
        high *= 10.0;
    while (high > 10.0 * most)
        high *= 0.1;
    low = least < 2.0 * low ? 0.1 * low : low;
    const double range[4] = {-0.6, CELLS - 0.4, low, high};
    wy_figure shaped = *head;
    shaped.range = range;
    wy_figure *figure = wy_report_figure(report, &shaped);
    for (int p = 0; p < CELLS; p++) {
        double x[CELLS], y[CELLS];
        for (int i = 0; i < CELLS; i++) {
            x[i] = i;
            y[i] = fmax(values[i][p], low);
        }
        char label[32];
        snprintf(label, sizeof label, "phi = %s", phi_names[p]);
        wy_figure_curve(figure, label, WY_BARS, CELLS, x, y, NULL);
    }
    static const char *const ticks[CELLS] = {"0", "0.2", "0.4", "0.6", "0.8"};
    for (int i = 0; i < CELLS; i++)
        wy_figure_tick(figure, i, ticks[i]);
}

/* Layout of the thesis: bars of EM in three figures (4.12-4.14); the four other methods side by side for each quantity
 * (4.15-4.17, tables there); the three quantities side by side for each of these methods (A.2-A.5). */
static void draw_invariant_bars(wy_report *report, const grid_values *values) {
    static const char *const short_names[QUANTITIES] = {"P.P", "P.M", "J"};
    static const char *const units[QUANTITIES] = {"change / MN^2", "change / (MN^2 m)", "change / MN"};
    char name[32], title[120], heading[120];
    for (int q = 0; q < QUANTITIES; q++) {
        snprintf(name, sizeof name, "figure-4.%d", 12 + q);
        snprintf(title, sizeof title, "EM: largest change of %s along the rod (figure 4.%d)", short_names[q], 12 + q);
        draw_bar_panel(report,
                       &(wy_figure){.name = q ? name : NULL,
                                    .title = title,
                                    .x_label = "shortening xi (no bar: exactly 0)",
                                    .y_label = units[q],
                                    .log_y = true},
                       (const double(*)[CELLS])values[0][q]);
    }
    for (int q = 0; q < QUANTITIES; q++)
        for (int m = 1; m < THESIS_BEAM_METHODS; m++) {
            snprintf(name, sizeof name, "figure-4.%d", 15 + q);
            snprintf(heading, sizeof heading, "Largest change of %s along the rod (figure 4.%d)", short_names[q],
                     15 + q);
            snprintf(title, sizeof title, "(%c) %s", 'a' + m - 1, wy_thesis_beam_methods[m]);
            draw_bar_panel(report,
                           &(wy_figure){.name = name,
                                        .heading = m == 1 ? heading : NULL,
                                        .title = title,
                                        .x_label = "shortening xi (no bar: exactly 0)",
                                        .y_label = units[q],
                                        .log_y = true,
                                        .joined = m > 1,
                                        .width = 0.5,
                                        .height = 260,
                                        .key_below = true},
                           (const double(*)[CELLS])values[m][q]);
        }
    for (int m = 1; m < THESIS_BEAM_METHODS; m++)
        for (int q = 0; q < QUANTITIES; q++) {
            snprintf(name, sizeof name, "figure-A.%d", 1 + m);
            snprintf(heading, sizeof heading, "%s: largest changes along the rod (figure A.%d)",
                     wy_thesis_beam_methods[m], 1 + m);
            snprintf(title, sizeof title, "(%c) %s", 'a' + q, short_names[q]);
            draw_bar_panel(report,
                           &(wy_figure){.name = name,
                                        .heading = q ? NULL : heading,
                                        .title = title,
                                        .x_label = "shortening xi (no bar: exactly 0)",
                                        .y_label = units[q],
                                        .log_y = true,
                                        .joined = q > 0,
                                        .width = 0.333,
                                        .height = 300,
                                        .key_below = true},
                           (const double(*)[CELLS])values[m][q]);
        }
}

static wy_status beam_invariant_grid_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    const clock_t began = clock();
    int converged = 0;
    grid_values values[THESIS_BEAM_METHODS];
    for (int m = 0; m < THESIS_BEAM_METHODS; m++) {
        for (int x = 0; x < CELLS; x++)
            for (int p = 0; p < CELLS; p++)
                for (int two_loop = 0; two_loop < (x == 4 && p == 0 ? 2 : 1); two_loop++) {
                    wy_equilibrium *solver;
                    wy_status s = wy_thesis_beam_solve(&solver, 0.25 * p * WY_PI, 0.2 * x, wy_thesis_beam_methods[m], N,
                                                       two_loop ? WY_BRANCH_TWO_LOOP : WY_BRANCH_MAIN, err);
                    if (s)
                        return s;
                    const wy_thesis_drift d = wy_thesis_beam_drift(solver);
                    wy_equilibrium_free(solver);
                    report_grid_cell(report, m, x, p, two_loop, &d);
                    values[m][0][x][p] = d.PP;
                    values[m][1][x][p] = d.PM;
                    values[m][2][x][p] = d.J;
                    converged++;
                    s = wy_sink_progress(progress, (m * 26.0 + x * CELLS + p + 1.0) / (26.0 * THESIS_BEAM_METHODS),
                                         err);
                    if (s)
                        return s;
                }
    }
    draw_invariant_bars(report, (const grid_values *)values);
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    wy_report_row(
        report, "cells that converged", wy_prints_nothing(), converged, wy_at_least(26 * THESIS_BEAM_METHODS),
        "25 cells and {0, 0.8} on both branches, five methods, each from the unstressed rod, without a guess");
    wy_report_row(report, "CPU time of the whole grid", wy_prints_nothing(), seconds, wy_shown(),
                  "s; %.1f ms for each cell", 1e3 * seconds / converged);
    return report_thesis_grid(report, err);
}

const wy_study wy_study_beam_invariant_grid = {
    .entry = {.name = "beam-invariant-grid",
              .doc = "Errors of the invariants over 25 twists and shortenings, five methods."},
    .source = "the thesis, figures 4.12-4.17 and A.2-A.5",
    .run = beam_invariant_grid_run,
};
