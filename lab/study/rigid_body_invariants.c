/* Figures 4.1, 4.3 and A.1 of `002`: conservation of |M|^2 and H over T = 1000 with h = T/2^13. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <withy/study.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "study/thesis_body.h"

enum { STEPS = 8192, EVERY = 8, POINTS = STEPS / EVERY };
static const double T = 1000.0;

typedef struct trace {
    double t[POINTS], square[POINTS], energy[POINTS];
    double M[3][POINTS]; /* in the first POINTS steps */
    double worst_square, worst_energy, worst_spatial;
} trace;

static wy_status follow_body(trace *out, const char *method, const wy_implicit *settings, bool printed_sign,
                             wy_error *err) {
    const wy_system system = printed_sign ? wy_thesis_printed(true) : wy_body_quaternion_system(&wy_thesis_body);
    wy_stepper *stepper;
    wy_status s = wy_stepper_create(&stepper, wy_integrator_find(method), settings, &system, err);
    double y[7], m0[3], m[3];
    wy_thesis_start(y);
    wy_body_spatial_momentum(m0, y);
    const double square0 = v3_dot(y, y), energy0 = wy_body_energy(&wy_thesis_body, y);
    out->worst_square = out->worst_energy = out->worst_spatial = 0.0;
    double peak_square = 0.0, peak_energy = 0.0; /* largest over the steps between two points of the figure */
    for (int n = 1; n <= STEPS && !s; n++) {
        s = wy_stepper_step(stepper, T / STEPS, y, err);
        peak_square = fmax(peak_square, fabs(v3_dot(y, y) - square0));
        peak_energy = fmax(peak_energy, fabs(wy_body_energy(&wy_thesis_body, y) - energy0));
        wy_body_spatial_momentum(m, y);
        v3_sub(m, m, m0);
        out->worst_spatial = fmax(out->worst_spatial, v3_norm(m));
        for (int k = 0; k < 3 && n <= POINTS; k++)
            out->M[k][n - 1] = y[k];
        if (n % EVERY == 0) {
            const int i = n / EVERY - 1;
            out->t[i] = T * n / STEPS;
            out->square[i] = peak_square;
            out->energy[i] = peak_energy;
            out->worst_square = fmax(out->worst_square, peak_square);
            out->worst_energy = fmax(out->worst_energy, peak_energy);
            peak_square = peak_energy = 0.0;
        }
    }
    wy_stepper_free(stepper);
    return s ? wy_fail_at(err, s, "%s over T = %g", method, T) : WY_OK;
}

/* Known error of a method, which depends on the step alone; 0: the method conserves the invariant, to `limit`. */
typedef struct expectation {
    const char *method;
    double square, energy;
} expectation;

static wy_verdict invariant_verdict(double known, double limit) {
    return known > 0.0 ? wy_near(known, 0.002 * known) : wy_at_most(limit);
}

static wy_figure *error_figure(wy_report *report, const char *name, const char *title, const char *y_label) {
    return wy_report_figure(
        report, &(wy_figure){.name = name, .title = title, .x_label = "time / s", .y_label = y_label, .log_y = true});
}

static wy_status report_invariants(wy_report *report, trace *out, double tolerance, double limit, const char *figure,
                                   wy_error *err) {
    static const expectation expected[THESIS_METHODS] = {
        {"IM", 0, 0}, {"KM", 3.83e-4, 2.48e-4}, {"SM", 0, 0}, {"RK4", 5.63e-6, 2.50e-6}, {"GL4", 0, 0}};
    char name[80], title[120];
    snprintf(name, sizeof name, "%s-momentum", figure);
    snprintf(title, sizeof title, "Error of |M|^2, tolerance %g (figure %s)", tolerance, figure);
    wy_figure *square = error_figure(report, name, title, "|M.M - M0.M0|");
    snprintf(name, sizeof name, "%s-energy", figure);
    snprintf(title, sizeof title, "Error of H, tolerance %g (figure %s)", tolerance, figure);
    wy_figure *energy = error_figure(report, name, title, "|H - H0|");
    const wy_implicit settings = wy_thesis_settings(tolerance);
    for (int m = 0; m < THESIS_METHODS; m++) {
        const expectation *x = &expected[m];
        const wy_status s = follow_body(out, x->method, &settings, false, err);
        if (s)
            return s;
        snprintf(name, sizeof name, "largest error of |M|^2, %s, tolerance %g", x->method, tolerance);
        wy_report_row(report, name, wy_prints_nothing(), out->worst_square, invariant_verdict(x->square, limit),
                      "figure %s; T = %g, h = T/2^13, fixed point", figure, T);
        snprintf(name, sizeof name, "largest error of H, %s, tolerance %g", x->method, tolerance);
        wy_report_row(report, name, wy_prints_nothing(), out->worst_energy, invariant_verdict(x->energy, limit),
                      "figure %s; T = %g, h = T/2^13, fixed point", figure, T);
        wy_figure_curve(square, x->method, WY_LINES, POINTS, out->t, out->square, NULL);
        wy_figure_curve(energy, x->method, WY_LINES, POINTS, out->t, out->energy, NULL);
    }
    return WY_OK;
}

/* The spatial momentum R M is constant; with the sign printed in (2.1) it is not. */
static wy_status report_spatial_momentum(wy_report *report, trace *out, wy_error *err) {
    const wy_implicit settings = wy_thesis_settings(1e-10);
    wy_status s = follow_body(out, "GL4", &settings, false, err);
    if (s)
        return s;
    wy_report_row(report, "largest change of the spatial momentum R M, GL4", wy_prints_nothing(), out->worst_spatial,
                  wy_at_most(1e-6), "M' = M x I^-1 M; constant to the method's order (|M| = 1)");
    s = follow_body(out, "GL4", &settings, true, err);
    if (s)
        return s;
    wy_report_row(report, "the same with (2.1) as printed", wy_prints_nothing(), out->worst_spatial, wy_at_least(0.1),
                  "M' = I^-1 M x M turns the momentum in space although no torque acts: (2.1) has the sign wrong");
    return WY_OK;
}

/* The sphere |M| = 1 as circles of latitude and longitude, behind the path. */
static void draw_unit_sphere(wy_figure *figure) {
    enum { CIRCLES = 6, SIDES = 60 };
    double x[SIDES + 1], y[SIDES + 1], z[SIDES + 1];
    for (int c = 0; c < 2 * CIRCLES - 1; c++) {
        for (int i = 0; i <= SIDES; i++) {
            const bool meridian = c < CIRCLES;
            const double turn = 2.0 * WY_PI * i / SIDES;
            const double latitude = meridian ? turn : WY_PI * ((c - CIRCLES + 1.0) / CIRCLES - 0.5);
            const double longitude = meridian ? WY_PI * c / CIRCLES : turn;
            x[i] = wy_cos(latitude) * wy_cos(longitude);
            y[i] = wy_cos(latitude) * wy_sin(longitude);
            z[i] = wy_sin(latitude);
        }
        wy_figure_curve(figure, NULL, WY_FAINT, SIDES + 1, x, y, z);
    }
}

static wy_status rigid_body_invariants_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    trace *out = malloc(sizeof *out);
    if (!out)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a trace of %d points", POINTS);
    wy_figure *sphere = wy_report_figure(report, &(wy_figure){.title = "Angular momentum, IM (figure 4.1)",
                                                              .x_label = "M1",
                                                              .y_label = "M2",
                                                              .z_label = "M3",
                                                              .equal = true,
                                                              .space = true});
    const wy_implicit settings = wy_thesis_settings(1e-10);
    wy_status s = follow_body(out, "IM", &settings, false, err);
    if (!s) {
        draw_unit_sphere(sphere);
        wy_figure_curve(sphere, "M", WY_POINTS, POINTS, out->M[0], out->M[1], out->M[2]);
        s = report_invariants(report, out, 1e-10, 1e-9, "4.3", err);
    }
    if (!s)
        s = wy_sink_progress(progress, 0.5, err);
    if (!s)
        s = report_invariants(report, out, 1e-13, 1e-12, "A.1", err);
    if (!s)
        s = wy_sink_progress(progress, 0.9, err);
    if (!s)
        s = report_spatial_momentum(report, out, err);
    free(out);
    return s ? s : wy_sink_progress(progress, 1.0, err);
}

const wy_study wy_study_rigid_body_invariants = {
    .entry = {.name = "rigid-body-invariants",
              .doc = "Conservation of |M|^2 and the energy over a long time by each method."},
    .source = "the thesis, figures 4.1, 4.3 and A.1",
    .run = rigid_body_invariants_run,
};
