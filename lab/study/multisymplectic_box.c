/* The rod in space and time in multi-symplectic form by the box scheme, which the thesis leaves to future work, with
 * the laws (1.3)-(1.5) of `002` measured in every box. docs/math/box.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/study.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "box/box.h"
#include "study/fit.h"
#include "study/round_section.h"

enum { U = WY_BOX_U, ROWS = 801, NODES = 129, SHOWN = 6 };

/* cosh(beta) cos(beta) = 1 */
static const double BETA = 4.7300407448627040, SIGMA = 0.98250221457623869;

/* A free rod: model, state, scratch memory, and a copy of the state one step before. */
typedef struct flight {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    double *before;
    double rows[7 * ROWS]; /* strain at the start */
} flight;

static void flight_free(flight *f) {
    wy_motion_work_free(f->work);
    wy_motion_state_free(f->state);
    wy_motion_free(f->rod);
    free(f->before);
}

/* The soft rod of the tutorials, free and turning, bent and twisted in the shape of its first free vibrations, so that
 * the start is smooth: curvature cosh z - cos z - sigma (sinh z - sin z), z = beta s/L, and twist sin(pi s/L). */
static wy_status flight_create(flight *f, int elements, const char *method, const void *config, wy_error *err) {
    memset(f, 0, sizeof *f);
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.1;
    d.rod.elements = elements;
    d.rod.section = wy_soft_rod_section();
    for (int i = 0; i < ROWS; i++) {
        const double x = (double)i / (ROWS - 1), z = BETA * x, up = wy_exp(z), down = wy_exp(-z);
        const double b = 0.5 * ((1.0 - SIGMA) * up + (1.0 + SIGMA) * down) - wy_cos(z) + SIGMA * wy_sin(z);
        const double slope = BETA * (0.5 * ((1.0 - SIGMA) * up - (1.0 + SIGMA) * down) + wy_sin(z) + SIGMA * wy_cos(z));
        const double shear =
            /* n = M': the shear force of the bending, so that no waves start */
            d.rod.section.EI1 / d.rod.section.GA1 * slope / d.rod.length;
        const double row[7] = {d.rod.length * x, 4.0 * b,     3.0 * b, 9.0 * wy_sin(WY_PI * x),
                               -3.0 * shear,     4.0 * shear, 1.0};
        memcpy(f->rows + 7 * i, row, sizeof row);
    }
    const wy_shape_sampled shape = {{ROWS, f->rows}};
    d.start.shape = (wy_choice){wy_catalogue_find(&wy_shapes, "sampled"), &shape};
    d.rod.ends[0] = d.rod.ends[1] = (wy_choice){wy_catalogue_find(&wy_ends, "free"), NULL};
    d.method = (wy_choice){wy_catalogue_find(&wy_motion_methods, method), config};
    v3_set(d.start.velocity, 0.03, -0.02, 0.04);
    v3_set(d.start.spin, 0.8, 0.5, -7.0);
    wy_status s = wy_motion_create(&f->rod, &d, err);
    if (!s)
        s = wy_motion_state_create(&f->state, f->rod, err);
    if (!s)
        s = wy_motion_work_create(&f->work, f->rod, err);
    if (!s && !(f->before = malloc(wy_motion_state_size(f->state) * sizeof *f->before)))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for a state");
    if (!s)
        s = wy_motion_start(f->rod, f->state, f->work, err);
    if (s)
        flight_free(f);
    return s;
}

static wy_status flight_step(flight *f, double dt, wy_error *err) {
    memcpy(f->before, f->state->x, wy_motion_state_size(f->state) * sizeof *f->before);
    return wy_motion_step(f->rod, f->state, f->work, dt, err);
}

/* Largest residual of each law over the boxes of the last step; those of the momenta relative to the size of their
 * terms. */
enum { ENERGY, MOMENTUM, LINEAR, ANGULAR, LAWS };
static void largest_law_residuals(double worst[LAWS], const flight *f) {
    memset(worst, 0, LAWS * sizeof *worst);
    for (size_t e = 0; e < f->rod->elements; e++) {
        wy_box_laws laws;
        wy_box_local_laws(&laws, f->rod, f->before, f->state->x, e);
        const double now[LAWS] = {fabs(laws.energy), fabs(laws.momentum), v3_norm(laws.force) / laws.force_size,
                                  v3_norm(laws.moment) / laws.moment_size};
        for (int i = 0; i < LAWS; i++)
            worst[i] = fmax(worst[i], now[i]);
    }
}

/* ---- the local laws in space and time ---- */

/* Two variations that are advanced with the motion; from them the residual of (13.10) in every box, relative to its
 * largest term. */
typedef struct variation {
    double u0[U * NODES], P0[U * NODES], u1[U * NODES], P1[U * NODES], V[U * NODES];
} variation;

static wy_status advance_variations(double *worst, variation v[2], const flight *f, wy_error *err) {
    const double h = f->rod->h, dt = *wy_box_state_of(f->state->x, f->rod).dt;
    for (int k = 0; k < 2; k++) {
        memcpy(v[k].u0, v[k].u1, sizeof v[k].u0);
        memcpy(v[k].P0, v[k].P1, sizeof v[k].P0);
        if (!wy_box_vary(f->rod, f->before, f->state->x, v[k].u1, v[k].P1, v[k].V, f->work->x))
            return wy_fail(err, WY_NO_CONVERGENCE, "the variation of a step is singular");
    }
    *worst = 0.0;
    for (size_t e = 0; e < f->rod->elements; e++) {
        double area[4] = {0.0}, total, size = 0.0; /* start, end, node a, node b */
        for (size_t i = U * e; i < U * e + U; i++)
            for (int s = 0; s < 2; s++) {
                const variation *a = &v[s], *b = &v[1 - s];
                const double sign = s ? -0.5 : 0.5;
                area[0] += sign * (a->u0[i] + a->u0[i + U]) * b->P0[i] / dt;
                area[1] += sign * (a->u1[i] + a->u1[i + U]) * b->P1[i] / dt;
                area[2] += sign * (a->u0[i] + a->u1[i]) * b->V[i] / h;
                area[3] += sign * (a->u0[i + U] + a->u1[i + U]) * b->V[i + U] / h;
            }
        for (int i = 0; i < 4; i++)
            size = fmax(size, fabs(area[i]));
        total = area[1] - area[0] + area[3] - area[2];
        *worst = fmax(*worst, fabs(total) / size);
    }
    return WY_OK;
}

static void start_variations(variation v[2], const wy_motion *rod) {
    for (int k = 0; k < 2; k++) /* arbitrary numbers, unrelated to the motion */
        for (size_t i = 0; i < U * rod->nodes; i++) {
            const double a = (double)((i * 7919 + 104729 * (size_t)k + 31) % 1009) / 504.5 - 1.0;
            v[k].u1[i] = a * (i % U < 3 ? rod->def.length : 1.0);
            v[k].P1[i] = (a * a - 0.3) * (i % U < 3 ? 1e-2 : 1e-4);
        }
}

static wy_status report_local_laws(wy_report *report, wy_error *err) {
    enum { N = 32, STEPS = 400 };
    const double dt = 5e-5;
    flight f;
    wy_status s = flight_create(&f, N, "multi-symplectic-box", NULL, err);
    if (s)
        return s;
    static const char *const names[] = {"energy (1.4): e_t + f_s", "momentum (1.4): i_t + g_s", "linear momentum",
                                        "angular momentum"};
    wy_figure *in_time =
        wy_report_figure(report, &(wy_figure){.title = "Residuals of the local laws: largest of all boxes of a step",
                                              .x_label = "time / s",
                                              .y_label = "residual / size of the law's terms",
                                              .log_y = true,
                                              .key_below = true});
    wy_figure *in_space = wy_report_figure(
        report, &(wy_figure){.name = "energy-in-space-and-time",
                             .title = "Residual of e_t + f_s along the rod, at six times (dt = 0.05 ms)",
                             .x_label = "s / m",
                             .y_label = "residual / (W/m)",
                             .scale_label = "time / s"});
    double t[STEPS], rest[LAWS + 1][STEPS], size[LAWS] = {0.0, 0.0, 1.0, 1.0}, worst[LAWS + 1] = {0.0};
    variation *v = malloc(2 * sizeof *v);
    if (!v)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for variations");
    else
        start_variations(v, f.rod);
    for (int n = 0; n < STEPS && !s; n++) {
        double now[LAWS];
        s = flight_step(&f, dt, err);
        if (!s)
            s = advance_variations(&rest[LAWS][n], v, &f, err);
        if (s)
            break;
        largest_law_residuals(now, &f);
        t[n] = wy_motion_time(f.state);
        for (int i = 0; i < LAWS; i++)
            rest[i][n] = now[i];
        double along[N], at[N];
        for (size_t e = 0; e < N; e++) {
            wy_box_laws laws_here;
            wy_box_local_laws(&laws_here, f.rod, f.before, f.state->x, e);
            size[ENERGY] = fmax(size[ENERGY], laws_here.energy_size);
            size[MOMENTUM] = fmax(size[MOMENTUM], laws_here.momentum_size);
            at[e] = f.rod->h * ((double)e + 0.5);
            along[e] = laws_here.energy;
        }
        if ((n + 1) % (STEPS / SHOWN) == 0 && (n + 1) / (STEPS / SHOWN) <= SHOWN)
            wy_figure_scaled(in_space, t[n], WY_LINES, N, at, along, NULL);
    }
    free(v);
    flight_free(&f);
    if (s)
        return s;
    for (int i = 0; i <= LAWS; i++)
        for (int n = 0; n < STEPS; n++) {
            if (i < LAWS)
                rest[i][n] /= size[i];
            worst[i] = fmax(worst[i], rest[i][n]);
        }
    for (int i = 0; i < LAWS; i++)
        wy_figure_curve(in_time, names[i], WY_LINES, STEPS, t, rest[i], NULL);
    wy_figure_curve(in_time, "multi-symplecticity (1.3)", WY_LINES, STEPS, t, rest[LAWS], NULL);
    wy_report_row(report, "multi-symplecticity (1.3), in every box", wy_prints_nothing(), worst[LAWS],
                  wy_at_most(1e-10), "relative to the largest of its four terms; %d elements, %d steps of %g s", N,
                  STEPS, dt);
    for (int i = LINEAR; i < LAWS; i++) {
        char name[80];
        snprintf(name, sizeof name, "local law of %s, in every box", names[i]);
        wy_report_row(report, name, wy_prints_nothing(), worst[i], wy_at_most(1e-10),
                      "relative to its terms: to round-off, since translations and rotations act linearly");
    }
    wy_report_row(report, "local law of energy (1.4), largest residual", wy_prints_nothing(), worst[ENERGY],
                  wy_at_most(1e-2), "relative to its largest term; (13.8): dt^2/24 e'''(y_t, y_t, y_t)");
    wy_report_row(report, "local law of momentum (1.4), largest residual", wy_prints_nothing(), worst[MOMENTUM],
                  wy_at_most(1e-1), "relative to its largest term; (13.9): h^2/24 g'''(w_s, w_s, w_s)");
    return WY_OK;
}

/* ---- their orders ---- */

static wy_status residuals_over_run(double worst[LAWS], int elements, double dt, wy_error *err) {
    flight f;
    memset(worst, 0, LAWS * sizeof *worst);
    wy_status s = flight_create(&f, elements, "multi-symplectic-box", NULL, err);
    if (s)
        return s;
    for (long n = 0; n < lround(0.004 / dt) && !s; n++) {
        double now[LAWS];
        s = flight_step(&f, dt, err);
        if (s)
            break;
        largest_law_residuals(now, &f);
        for (int i = 0; i < LAWS; i++)
            worst[i] = fmax(worst[i], now[i]);
    }
    flight_free(&f);
    return s;
}

static wy_status report_orders(wy_report *report, wy_error *err) {
    enum { POINTS = 4 };
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.name = "orders",
                                                              .title = "e_t + f_s falls with dt^2, i_t + g_s with h^2",
                                                              .x_label = "dt / 0.2 ms, h / (L/16)",
                                                              .y_label = "largest residual / (W/m, N/m)",
                                                              .log_x = true,
                                                              .log_y = true,
                                                              .key_below = true});
    double x[POINTS], by_dt[LAWS][POINTS], by_h[LAWS][POINTS];
    for (int k = 0; k < POINTS; k++) {
        double worst[LAWS];
        x[k] = 1.0 / (1 << k);
        wy_status s = residuals_over_run(worst, 64, 2e-4 * x[k], err);
        for (int i = 0; i < LAWS && !s; i++)
            by_dt[i][k] = worst[i];
        if (!s)
            s = residuals_over_run(worst, 16 << k, 2.5e-5, err);
        if (s)
            return s;
        for (int i = 0; i < LAWS; i++)
            by_h[i][k] = worst[i];
    }
    wy_figure_curve(figure, "energy, by dt (64 elements)", WY_LINES_POINTS, POINTS, x, by_dt[ENERGY], NULL);
    wy_figure_curve(figure, "energy, by h (dt = 0.025 ms)", WY_LINES_POINTS, POINTS, x, by_h[ENERGY], NULL);
    wy_figure_curve(figure, "momentum along the rod, by h (dt = 0.025 ms)", WY_LINES_POINTS, POINTS, x, by_h[MOMENTUM],
                    NULL);
    wy_figure_curve(figure, "momentum along the rod, by dt (64 elements)", WY_LINES_POINTS, POINTS, x, by_dt[MOMENTUM],
                    NULL);
    wy_report_row(report, "order in dt of the residual of e_t + f_s", wy_prints_nothing(),
                  wy_fit_rate(x + POINTS - 2, by_dt[ENERGY] + POINTS - 2, 2), wy_near(2.0, 0.1),
                  "64 elements, dt = 0.05 and 0.025 ms");
    wy_report_row(report, "the same when h is halved: ratio of the residuals", wy_prints_nothing(),
                  by_h[ENERGY][POINTS - 1] / by_h[ENERGY][POINTS - 2], wy_near(1.0, 0.05),
                  "64 and 128 elements, dt = 0.025 ms: independent of h");
    wy_report_row(report, "order in h of the residual of i_t + g_s", wy_prints_nothing(),
                  wy_fit_rate(x + POINTS - 2, by_h[MOMENTUM] + POINTS - 2, 2), wy_near(2.0, 0.1),
                  "64 and 128 elements, dt = 0.025 ms");
    wy_report_row(report, "the same when dt is halved: ratio of the residuals", wy_prints_nothing(),
                  by_dt[MOMENTUM][POINTS - 1] / by_dt[MOMENTUM][POINTS - 2], wy_near(1.0, 0.05),
                  "64 elements, dt = 0.05 and 0.025 ms: independent of dt");
    return WY_OK;
}

/* ---- (1.5): the totals over many steps ---- */

static wy_status report_totals(wy_report *report, const wy_sink *progress, wy_error *err) {
    enum { STEPS = 100000, POINTS = 1000 };
    const double dt = 2.5e-4;
    flight f;
    wy_status s = flight_create(&f, 6, "multi-symplectic-box", NULL, err);
    if (s)
        return s;
    wy_motion_energy first, now;
    double l0[3], a0[3], l[3], a[3], t[POINTS], e[POINTS], band[2] = {0.0, 0.0}, moved = 0.0, length = 0.0;
    wy_motion_energies(&first, f.rod, f.state);
    wy_motion_momenta(l0, a0, f.rod, f.state);
    const double size = sqrt(2.0 * f.rod->def.section.rhoA * f.rod->def.length * first.balance); /* of a momentum */
    for (int n = 0; n < STEPS && !s; n++) {
        s = wy_motion_step(f.rod, f.state, f.work, dt, err);
        if (s)
            break;
        wy_motion_energies(&now, f.rod, f.state);
        const double off = now.balance / first.balance - 1.0;
        band[n >= STEPS / 2] = fmax(band[n >= STEPS / 2], fabs(off));
        if ((n + 1) % (STEPS / POINTS))
            continue;
        const int k = n / (STEPS / POINTS);
        t[k] = wy_motion_time(f.state);
        e[k] = off;
        wy_motion_momenta(l, a, f.rod, f.state);
        v3_sub(l, l, l0);
        v3_sub(a, a, a0);
        moved = fmax(moved, fmax(v3_norm(l), v3_norm(a) / f.rod->def.length) / size);
        const wy_box_state at = wy_box_state_of(f.state->x, f.rod);
        for (size_t j = 0; j < f.rod->nodes; j++) {
            const double *q = at.u + U * j + 3;
            length = fmax(length, fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0));
        }
        if (k % 50 == 0)
            s = wy_sink_progress(progress, 0.3 + 0.5 * k / POINTS, err);
    }
    flight_free(&f);
    if (s)
        return s;
    wy_figure *figure =
        wy_report_figure(report, &(wy_figure){.name = "energy",
                                              .title = "Energy over 100000 steps, relative to the start",
                                              .x_label = "time / s",
                                              .y_label = "E/E(0) - 1"});
    wy_figure_curve(figure, "multi-symplectic-box, every 100th step", WY_POINTS, POINTS, t, e, NULL);
    wy_report_row(report, "energy (1.5), largest change in the first 50000 steps", wy_prints_nothing(), band[0],
                  wy_at_most(1e-3), "relative; 6 elements, dt = %g s", dt);
    wy_report_row(report, "the same in the second 50000, relative to the first", wy_prints_nothing(), band[1] / band[0],
                  wy_at_most(1.25), "no growth");
    wy_report_row(report, "linear and angular momentum (1.5), largest change", wy_prints_nothing(), moved,
                  wy_at_most(1e-8), "relative to sqrt(2 m E), and L times that: the round-off of 100000 steps");
    wy_report_row(report, "lengths of the quaternions, largest |q| - 1", wy_prints_nothing(), length, wy_at_most(1e-2),
                  "not constrained: the lengths are unknowns without force, up to O(h^2 + dt^2)");
    return WY_OK;
}

/* ---- convergence to the motion of the default method ---- */

static wy_status positions_at(double *positions, int elements, const char *method, const void *config, double dt,
                              double until, wy_error *err) {
    flight f;
    wy_status s = flight_create(&f, elements, method, config, err);
    if (s)
        return s;
    for (long n = 0; n < lround(until / dt) && !s; n++)
        s = wy_motion_step(f.rod, f.state, f.work, dt, err);
    if (!s)
        wy_motion_read(f.rod, f.state, &(wy_motion_view){.position = positions});
    flight_free(&f);
    return s;
}

static wy_status report_convergence(wy_report *report, wy_error *err) {
    enum { POINTS = 4, FINE = 16 };
    static const wy_motion_gauss_director fine = {.newton = {1e-13, 30, 12}, .degree = 4, .stages = 3};
    const double until = 0.03;
    double truth[3 * NODES], x[POINTS], error[POINTS];
    wy_status s = positions_at(truth, FINE, "gauss-director", &fine, 1e-4, until, err);
    for (int k = 0; k < POINTS && !s; k++) {
        const int N = FINE << k;
        double at[3 * NODES];
        x[k] = 0.1 / N;
        s = positions_at(at, N, "multi-symplectic-box", NULL, 4e-4 / (1 << k), until, err);
        error[k] = 0.0;
        for (int j = 0; j <= FINE && !s; j++) {
            double d[3];
            v3_sub(d, at + (size_t)3 * (size_t)(j << k), truth + (size_t)3 * (size_t)j);
            error[k] = fmax(error[k], v3_norm(d));
        }
    }
    if (s)
        return s;
    wy_figure *figure = wy_report_figure(
        report, &(wy_figure){.name = "convergence",
                             .title = "Distance from the motion of gauss-director after 0.03 s, dt proportional to h",
                             .x_label = "h / m",
                             .y_label = "largest distance of a node / m",
                             .log_x = true,
                             .log_y = true});
    double second[POINTS];
    for (int k = 0; k < POINTS; k++)
        second[k] = 0.7 * error[0] * x[k] * x[k] / (x[0] * x[0]);
    wy_figure_curve(figure, "multi-symplectic-box", WY_LINES_POINTS, POINTS, x, error, NULL);
    wy_figure_curve(figure, "second order", WY_DASHES, POINTS, x, second, NULL);
    wy_report_row(report, "order towards the motion of gauss-director", wy_prints_nothing(),
                  wy_fit_rate(x + 1, error + 1, POINTS - 1), wy_near(2.0, 0.15),
                  "32 to 128 elements, dt = 0.2 ms to 0.05 ms; distances %.3g, %.3g, %.3g m", error[1], error[2],
                  error[3]);
    wy_figure *shapes = wy_report_figure(report, &(wy_figure){.name = "motion",
                                                              .title = "The rod in flight, every 10 ms",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .equal = true,
                                                              .space = true});
    for (int k = 0; k <= 4 && !s; k++) {
        double at[3 * NODES], c[3][NODES];
        char label[40];
        s = positions_at(at, 64, "multi-symplectic-box", NULL, 1e-4, 0.01 * k, err);
        for (int j = 0; j <= 64 && !s; j++)
            for (int i = 0; i < 3; i++)
                c[i][j] = at[3 * j + i];
        snprintf(label, sizeof label, "%g s", 0.01 * k);
        if (!s)
            wy_figure_curve(shapes, label, WY_LINES, 65, c[0], c[1], c[2]);
    }
    return s;
}

static wy_status multisymplectic_box_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    wy_status s = report_local_laws(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.1, err);
    if (!s)
        s = report_orders(report, err);
    if (!s)
        s = wy_sink_progress(progress, 0.3, err);
    if (!s)
        s = report_totals(report, progress, err);
    if (!s)
        s = wy_sink_progress(progress, 0.8, err);
    if (!s)
        s = report_convergence(report, err);
    return s ? s : wy_sink_progress(progress, 1.0, err);
}

const wy_study wy_study_multisymplectic_box = {
    .entry =
        {.name = "multisymplectic-box",
         .doc =
             "The rod in space and time by the box scheme, and the local laws of energy, momentum and symplecticity."},
    .source = "the thesis, section 1.2 and its future work: the multi-symplectic rod in motion",
    .run = multisymplectic_box_run,
};
