/* The claims of `003` about its lumped rod: stability at any stiffness, damping, frequencies, cost. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <withy/shaft.h>
#include <withy/study.h>

#include "math/elementary.h"
#include "study/shaft_mode.h"

enum { STEPS = 1000, POINTS = 60 };
static const double H = 0.01;

static wy_shaft_config shaft_config_with(double compliance, double D) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.compliance = compliance;
    c.damping = D;
    return c;
}

typedef struct rig {
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
} rig;

static wy_status rig_create(rig *r, const wy_shaft_config *c, wy_error *err) {
    *r = (rig){NULL, NULL, NULL};
    wy_status s = wy_shaft_create(&r->shaft, c, err);
    if (!s)
        s = wy_shaft_state_create(&r->state, r->shaft, err);
    return s ? s : wy_shaft_solver_create(&r->solver, r->shaft, err);
}

static void rig_free(rig *r) {
    wy_shaft_solver_free(r->solver);
    wy_shaft_state_free(r->state);
    wy_shaft_free(r->shaft);
}

/* Releases a twisted rod and follows its energy. A rigid rod cannot be twisted: a torque accelerates it instead, and
 * the measure is the relative angle of its ends, over their angle. */
static wy_status follow_energy(const wy_shaft_config *config, double *growth, double *steps, double *curve,
                               int *exploded, wy_error *err) {
    wy_shaft_config c = *config;
    const bool rigid = c.compliance == 0.0;
    c.angle[0] = rigid ? 0.0 : -0.5;
    c.angle[1] = rigid ? 0.0 : 0.5;
    rig r;
    wy_status s = rig_create(&r, &c, err);
    const wy_shaft_input in[2] = {{.torque = rigid ? 1.0 : 0.0}, {.torque = 0.0}};
    const size_t n = (size_t)c.elements;
    double e0 = 0.0;
    *growth = 0.0;
    *exploded = 0;
    if (!s)
        e0 = wy_shaft_measure(r.shaft, r.state, NULL, H).total;
    for (int k = 0; k < STEPS && !s; k++) {
        s = wy_shaft_step(r.shaft, r.state, r.solver, H, in, err);
        if (s == WY_NOT_FINITE) { /* the printed update diverges: this is the result to show */
            *exploded = *exploded ? *exploded : k + 1;
            s = WY_OK;
            break;
        }
        if (s)
            break;
        const double e = wy_shaft_measure(r.shaft, r.state, NULL, H).total;
        const double measure = rigid ? fabs(r.state->profile[0] - r.state->profile[n - 1]) /
                                           (fabs(r.state->profile[0]) + fabs(r.state->profile[n - 1]))
                                     : e / e0;
        *growth = fmax(*growth, rigid ? measure : fabs(measure - 1.0));
        if (measure > 1e6 && !*exploded)
            *exploded = k + 1;
        if (curve && k < POINTS) {
            steps[k] = k + 1;
            curve[k] = measure;
        }
    }
    rig_free(&r);
    return s;
}

static wy_status report_stability(wy_report *report, wy_error *err) {
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.title = "Energy of a twisted rod, D = 0, h = 0.01 s",
                                                              .x_label = "step",
                                                              .y_label = "E/E0",
                                                              .log_y = true});
    static const double stiffness[] = {1.0, 1e3, 1e6, 1e9, 1e12, INFINITY};
    for (int k = 0; k < 6; k++) {
        const double K = stiffness[k], C = isinf(K) ? 0.0 : 1.0 / K;
        double growth, steps[POINTS] = {0}, curve[POINTS] = {0};
        int exploded;
        char name[120], label[80];
        wy_shaft_config c = shaft_config_with(C, 0.0);
        wy_status s = follow_energy(&c, &growth, steps, curve, &exploded, err);
        if (s)
            return s;
        if (isinf(K)) {
            wy_report_row(report, "rigid rod (K infinite), torque step: relative stretch", wy_prints_nothing(), growth,
                          wy_at_most(1e-12), "%d steps of %g s, D = 0; stays a rigid body", STEPS, H);
            break;
        }
        snprintf(name, sizeof name, "K = %g N m/rad: largest relative change of the energy", K);
        wy_report_row(report, name, wy_prints_nothing(), growth, wy_at_most(1e-9),
                      "%d steps of %g s, D = 0, h Omega_max = %.3g: stable at any stiffness, and conservative", STEPS,
                      H, H * wy_shaft_mode_frequency(&c, 9));
        snprintf(label, sizeof label, "K = %g", K);
        double some[2][POINTS]; /* all curves are at 1: their points alternate so that each is visible */
        size_t shown = 0;
        for (int i = k; i < POINTS; i += 5) {
            some[0][shown] = steps[i];
            some[1][shown++] = curve[i];
        }
        wy_figure_curve(figure, label, WY_POINTS, shown, some[0], some[1], NULL);
        c.printed_update = true;
        s = follow_energy(&c, &growth, steps, curve, &exploded, err);
        if (s)
            return s;
        if (k == 0) {
            wy_report_row(
                report, "K = 1 N m/rad: growth of the energy by (9) as printed", wy_prints_nothing(), growth,
                wy_at_least(0.1),
                "theta += h w with the OLD w: each mode grows by sqrt(1 + (h Omega)^2/(1 + a)) a step, at any h; %d "
                "steps at h Omega << 1",
                STEPS);
        } else {
            snprintf(name, sizeof name, "K = %g N m/rad: steps until (9) as printed has a million times the energy", K);
            wy_report_row(report, name, wy_prints_nothing(), exploded ? exploded : STEPS, wy_at_most(99),
                          "theta += h w with the OLD w, as printed: unstable; the new w is meant");
        }
        if (K == 1e3) {
            int drawn = exploded && exploded < POINTS ? exploded : POINTS;
            wy_figure_curve(figure, "K = 1000, (9) as printed", WY_DASHES, (size_t)drawn, steps, curve, NULL);
        }
    }
    return WY_OK;
}

static double steps_to_half(double radius) {
    return wy_log(0.5) / wy_log(radius);
}

/* |mu| of the slower root, a = (h Omega)^2/4. In a mode h w' = p h w - q theta, theta' = theta + h w', with
 * p = (1 + a)/(1 + a/g), q = 4 a/(1 + a/g); the determinant is p. (6.16) */
static double theory_radius(double a, double D) {
    const double g = 1.0 / (1.0 + 4.0 * D);
    const double p = isinf(a) ? g : (1.0 + a) / (1.0 + a / g), q = isinf(a) ? 4.0 * g : 4.0 * a / (1.0 + a / g);
    const double mean = 0.5 * (1.0 - q + p), d = mean * mean - p;
    return d < 0.0 ? sqrt(p) : fabs(mean) + sqrt(d);
}

static wy_status report_dissipation(wy_report *report, wy_error *err) {
    static const double ratios[] = {0.1, 0.5, 2.0, 10.0, 100.0}; /* D = rho/h */
    double A[4];
    for (int k = 0; k < 5; k++) {
        const double D = ratios[k];
        const wy_shaft_config c = shaft_config_with(0.0, D);
        const wy_status s = wy_shaft_mode_matrix(A, &c, 3, H, err);
        if (s)
            return s;
        const double measured = steps_to_half(wy_shaft_mode_radius(A)),
                     theory = steps_to_half(theory_radius(INFINITY, D));
        char name[100];
        snprintf(name, sizeof name, "steps to half amplitude, rigid joints, D = %g", D);
        wy_report_row(report, name, wy_prints_nothing(), measured, wy_near(theory, 1e-6 * theory),
                      "the source, after (10): rho/h steps, here %g. %s", D,
                      D == 2.0  ? "D = 2 is critical damping of a rigid joint: |mu| = 1/3, the fastest there is"
                      : D > 2.0 ? "for D >> 2 it is D ln 2"
                                : "below 2 it is 2 ln 2/ln(1 + 4 D): more damping is faster");
    }
    static const struct { double D, hOmega; } cases[] = {{0.1, 0.1}, {0.1, 1.0}, {0.1, 10.0}, {2.0, 0.1}, {2.0, 0.01}};
    for (int k = 0; k < 5; k++) {
        const double D = cases[k].D, x = cases[k].hOmega, a = 0.25 * x * x;
        wy_shaft_config c = shaft_config_with(1.0, D);
        const double Omega = wy_shaft_mode_frequency(&c, 4); /* proportional to 1/sqrt(C) */
        c.compliance = H * Omega / x * (H * Omega / x);
        const wy_status s = wy_shaft_mode_matrix(A, &c, 4, H, err);
        if (s)
            return s;
        const double measured = -wy_log(wy_shaft_mode_radius(A)) / (2.0 * D * a);
        const double theory = wy_log((1.0 + a * (1.0 + 4.0 * D)) / (1.0 + a)) / (4.0 * D * a);
        char name[100];
        snprintf(name, sizeof name, "damping over the natural one, D = %g, h Omega = %g", D, x);
        wy_report_row(
            report, name, wy_prints_nothing(), measured, wy_near(theory, 1e-6 * theory),
            "the source says: natural (that is 1) below rho/h = 1/10. It is h Omega that must be small, whatever D");
    }
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = "damping",
                                                              .title = "Steps to half amplitude",
                                                              .x_label = "D = rho/h",
                                                              .y_label = "steps",
                                                              .log_x = true,
                                                              .log_y = true});
    double x[POINTS], y[POINTS];
    static const double curves[] = {0.1, 1.0, 10.0, INFINITY};
    for (int j = 0; j < 4; j++) {
        for (int k = 0; k < POINTS; k++) {
            x[k] = wy_pow(10.0, -2.0 + 4.0 * k / (POINTS - 1));
            wy_shaft_config c = shaft_config_with(1.0, x[k]);
            const double ratio = H * wy_shaft_mode_frequency(&c, 4) / curves[j];
            c.compliance = isinf(curves[j]) ? 0.0 : ratio * ratio;
            const wy_status s = wy_shaft_mode_matrix(A, &c, 4, H, err);
            if (s)
                return s;
            y[k] = steps_to_half(wy_shaft_mode_radius(A));
        }
        char label[40];
        snprintf(label, sizeof label, isinf(curves[j]) ? "rigid joints" : "h Omega = %g", curves[j]);
        wy_figure_curve(figure, label, curves[j] == 10.0 ? WY_WIDE : WY_LINES, POINTS, x, y, NULL);
    }
    wy_figure_curve(figure, "claimed: D", WY_DASHES, POINTS, x, x, NULL);
    return WY_OK;
}

static wy_status report_frequencies(wy_report *report, wy_error *err) {
    double worst = 0.0, radius = 0.0, x[POINTS], y[POINTS], formula[POINTS];
    double A[4];
    int count = 0;
    for (int j = 0; j < 14; j++)
        for (int i = 1; i < 10; i++) {
            const wy_shaft_config c = shaft_config_with(1e-9 * wy_pow(5.0, j), 0.0);
            const wy_status s = wy_shaft_mode_matrix(A, &c, i, H, err);
            if (s)
                return s;
            const double hOmega = H * wy_shaft_mode_frequency(&c, i), theory = 2.0 * wy_atan(0.5 * hOmega);
            radius = fmax(radius, fabs(wy_shaft_mode_radius(A) - 1.0));
            if (hOmega < 1e3)
                worst = fmax(worst, fabs(wy_shaft_mode_angle(A) / theory - 1.0));
            if (i % 4 == 1 && hOmega < 1e3 && count < POINTS) {
                x[count] = hOmega;
                y[count] = wy_shaft_mode_angle(A);
                formula[count++] = theory;
            }
        }
    wy_report_row(report, "frequencies: largest relative distance from (2/h) atan(h Omega/2)", wy_prints_nothing(),
                  worst, wy_at_most(1e-9),
                  "all modes of ten elements, h Omega from 1e-3 to 1e3; Omega_i = 2 sqrt(k/m) sin(i pi/2N)");
    wy_report_row(report, "D = 0: largest distance of an eigenvalue from the unit circle", wy_prints_nothing(), radius,
                  wy_at_most(1e-12), "the same modes, and stiffer ones up to h Omega = 2e4");
    wy_figure *figure =
        wy_report_figure(report, &(wy_figure){.name = "frequencies",
                                              .title = "Frequency of the steps against that of the chain",
                                              .x_label = "h Omega",
                                              .y_label = "h times frequency",
                                              .log_x = true,
                                              .log_y = true});
    wy_figure_curve(figure, "measured", WY_POINTS, (size_t)count, x, y, NULL);
    for (int i = 0; i < POINTS; i++) {
        x[i] = wy_pow(10.0, -3.0 + 6.0 * i / (POINTS - 1));
        formula[i] = 2.0 * wy_atan(0.5 * x[i]);
    }
    wy_figure_curve(figure, "2 atan(h Omega/2)", WY_LINES, POINTS, x, formula, NULL);
    return WY_OK;
}

static double wall_clock(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static wy_status report_cost(wy_report *report, wy_error *err) {
    enum { SIZES = 5 };
    double N[SIZES], ns[SIZES];
    for (int k = 0; k < SIZES; k++) {
        wy_shaft_config c = shaft_config_with(1e-3, 2.0);
        c.elements = (int64_t)wy_pow(10.0, k + 1);
        rig r;
        wy_status s = rig_create(&r, &c, err);
        const wy_shaft_input in[2] = {{.torque = 1.0}, {.torque = 0.0}};
        const int steps = (int)(1000000 / c.elements);
        double best = INFINITY;
        for (int round = 0; round < 5 && !s; round++) {
            const double start = wall_clock();
            for (int i = 0; i < steps && !s; i++)
                s = wy_shaft_step(r.shaft, r.state, r.solver, H, in, err);
            best = fmin(best, wall_clock() - start);
        }
        rig_free(&r);
        if (s)
            return s;
        N[k] = (double)c.elements;
        ns[k] = 1e9 * best / ((double)steps * N[k]);
        char name[80];
        snprintf(name, sizeof name, "cost of a step, N = %.0f, ns per element", N[k]);
        wy_report_row(report, name, wy_prints_nothing(), ns[k], wy_shown(), "best of 5 rounds on this machine");
    }
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = "cost",
                                                              .title = "Cost of a step per element",
                                                              .x_label = "elements",
                                                              .y_label = "ns",
                                                              .log_x = true,
                                                              .log_y = true});
    wy_figure_curve(figure, NULL, WY_LINES_POINTS, SIZES, N, ns, NULL);
    return WY_OK;
}

static wy_status lumped_rod_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_status s = report_stability(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.3, err);
    if (!s)
        s = report_dissipation(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.5, err);
    if (!s)
        s = report_frequencies(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.7, err);
    if (!s)
        s = report_cost(report, err);
    return s ? s : wy_sink_progress(progress, 1.0, err);
}

const wy_study wy_study_lumped_rod = {
    .entry = {.name = "lumped-rod", .doc = "Stability, damping, frequencies and cost of the lumped torsional rod."},
    .source = "the lumped-rod note, equations (9) to (11) and its claims about them",
    .run = lumped_rod_run,
};
