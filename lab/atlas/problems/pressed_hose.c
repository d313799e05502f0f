/* A hose compressed and twisted between two clamps, by homotopy from the unstressed hose: it stays nearly straight,
 * with many times the energy of the shape into which it could snap. Many equilibria are near, and the mesh must not
 * decide which of them the homotopy reaches. The reference is shooting: the equations of the rod, n' = -f, m' = -x'
 * x n, integrated from the first end. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char pressed_hose_scenario[] =
    "# A hose whose end is brought 0.9 m aside and 1.2 m nearer and turned by 5 rad; "
    "on the path from where it is straight.\n"
    "kind: static\n"
    "title: a pressed hose\n"
    "length: 2.3\n"
    "elements: 128\n"
    "section: {name: rigidities, EI1: 3.66, EI2: 3.66, GJ: 2.52, GA1: 3700, GA2: 3700, EA: 20000, rhoA: 0.54}\n"
    "last_end: {name: clamped, position: [0.9, 0.2, 1.1], twist: 5}\n"
    "loads: [{name: gravity, acceleration: [0, 0, -9.81]}]\n"
    "solver: collocation\n";

static const wy_atlas_case pressed_hose_cases[] = {
    {"", ""}, {"10 elements", "elements=10"}, {"20 elements", "elements=20"}, {0}};

static void turned(double out[3], const double q[4], const double v[3], double sign) {
    /* v + 2 q0 (p x v) + 2 p x (p x v), p = sign (q1, q2, q3) */
    const double p[3] = {sign * q[1], sign * q[2], sign * q[3]};
    const double c[3] = {p[1] * v[2] - p[2] * v[1], p[2] * v[0] - p[0] * v[2], p[0] * v[1] - p[1] * v[0]};
    const double d[3] = {p[1] * c[2] - p[2] * c[1], p[2] * c[0] - p[0] * c[2], p[0] * c[1] - p[1] * c[0]};
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2.0 * (q[0] * c[i] + d[i]);
}

/* y: x, q, n, m in space */
static void pressed_hose_along(double *dy, double s, const double *y, const void *unused) {
    static const double bend[3] = {3.66, 3.66, 2.52}, stretch[3] = {3700.0, 3700.0, 20000.0};
    const double *q = y + 3, *n = y + 7, *m = y + 10;
    double k[3], nu[3];
    (void)s;
    (void)unused;
    turned(k, q, m, -1.0);
    turned(nu, q, n, -1.0);
    for (int i = 0; i < 3; i++) {
        k[i] /= bend[i];
        nu[i] = nu[i] / stretch[i] + (i == 2 ? 1.0 : 0.0);
    }
    turned(dy, q, nu, 1.0);
    dy[3] = -0.5 * (q[1] * k[0] + q[2] * k[1] + q[3] * k[2]);
    dy[4] = 0.5 * (q[0] * k[0] + q[2] * k[2] - q[3] * k[1]);
    dy[5] = 0.5 * (q[0] * k[1] + q[3] * k[0] - q[1] * k[2]);
    dy[6] = 0.5 * (q[0] * k[2] + q[1] * k[1] - q[2] * k[0]);
    dy[7] = dy[8] = 0.0;
    dy[9] = 0.54 * 9.81;
    dy[10] = dy[2] * n[1] - dy[1] * n[2];
    dy[11] = dy[0] * n[2] - dy[2] * n[0];
    dy[12] = dy[1] * n[0] - dy[0] * n[1];
}

static void pressed_hose_misses(double *off, const double *u, const void *unused) {
    static const double end[3] = {0.9, 0.2, 1.1};
    double y[13] = {[3] = 1.0};
    (void)unused;
    for (int i = 0; i < 6; i++)
        y[7 + i] = u[i];
    wy_atlas_march(y, 13, pressed_hose_along, NULL, 0.0, 2.3);
    const double c = wy_cos(2.5), d = wy_sin(2.5), *q = y + 3; /* q of the clamp: (c, 0, 0, d) */
    for (int i = 0; i < 3; i++)
        off[i] = y[i] - end[i];
    off[3] = c * q[1] + d * q[2];
    off[4] = c * q[2] - d * q[1];
    off[5] = c * q[3] - d * q[0];
}

static wy_status pressed_hose_evaluate(wy_case_run *case_run, wy_error *err) {
    static const char *const names[6] = {"force 1", "force 2", "force 3", "moment 1", "moment 2", "moment 3"};
    double u[6] = {-371.0, -82.0, -392.0, -4.07, -32.8, 8.53};
    wy_atlas_shoot(u, 6, pressed_hose_misses, NULL);
    const double F = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), M = sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5]);
    WY_READ(force, "left_force", 0);
    WY_READ(moment, "left_moment", 0);
    WY_READ(error, "error", 0);
    for (int i = 0; i < 6; i++) {
        const double has = i < 3 ? force[i] : moment[i - 3], size = i < 3 ? F : M;
        if (case_run->number == 0) {
            wy_check_value(case_run, names[i], has, u[i], size, i < 3 ? "N" : "N m");
        } else {
            wy_check_printed(case_run, names[i], has, u[i], 0.1 * size, "%s; the same equilibrium, to a tenth",
                             i < 3 ? "N" : "N m");
            wy_check_stated_error(case_run, error[0] * size);
        }
    }
    wy_figure *figure = case_run->number == 0 ? wy_case_figure(case_run, &(wy_figure){.title = "The hose",
                                                                                      .x_label = "x / m",
                                                                                      .y_label = "y / m",
                                                                                      .z_label = "z / m",
                                                                                      .space = true,
                                                                                      .equal = true})
                                              : NULL;
    wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, 0, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_pressed_hose = {
    .entry = {.name = "pressed-hose",
              .doc = "Hose pressed together and turned, on the path from where it is straight, with few elements."},
    .group = "statics",
    .source = "the rod's equations, marched and shot at here to 1e-10",
    .scenario = pressed_hose_scenario,
    .levels = {"elements=32", "elements=64", "elements=128"},
    .order = 6.0,
    .cases = pressed_hose_cases,
    .evaluate = pressed_hose_evaluate,
};
