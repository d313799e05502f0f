/* A helical spring between two clamps, pulled and pushed a little along the clamps: the rate by its own compliance.
 *
 * A wrench (m, n) at the end gives the section at s the moment R^T (m + (x(L) - x) x n) and the force R^T n; the
 * energy of all sections is half of (m, n) A (m, n), A the compliance of the end. The clamp allows no turn and a
 * displacement along z: A (m, n) = (0, d). */
#include <string.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char spring_rate_scenario[] =
    "# Four turns of a helix whose axis is (0, 0.8, 0.6), clamped at both ends, the last one moved by +-2e-5 along z.\n"
    "kind: static\n"
    "title: the rate of a spring\n"
    "length: 1\n"
    "elements: 128\n"
    "section: {name: rigidities, EI1: 2, EI2: 2, GJ: 1.5, GA1: 3e3, GA2: 3e3, EA: 8e3}\n"
    "reference: {name: constant, strain: [0, 0.8*8*pi, 0.6*8*pi, 0, 0, 1]}\n"
    "last_end: {name: clamped, position: [0, 0.48, 0.36], orientation: [1, 0, 0, 0]}\n"
    "sweep: {number: last_end.position.2, from: 0.36-2e-5, to: 0.36+2e-5, frames: 2}\n";

enum { TURNS = 4 };
static const double spring_rate_axis[3] = {0.0, 0.8, 0.6};

/* Frame and place at s: Rodrigues about the axis. */
static void pose(double R[3][3], double x[3], double s) {
    const double w = 2.0 * WY_PI * TURNS;
    double sn, cs;
    wy_sincos(w * s, &sn, &cs);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i][j] = spring_rate_axis[i] * spring_rate_axis[j] * (1.0 - cs) + (i == j ? cs : 0.0);
    R[0][1] -= spring_rate_axis[2] * sn;
    R[0][2] += spring_rate_axis[1] * sn;
    R[1][0] += spring_rate_axis[2] * sn;
    R[1][2] -= spring_rate_axis[0] * sn;
    R[2][0] -= spring_rate_axis[1] * sn;
    R[2][1] += spring_rate_axis[0] * sn;
    const double e3[3] = {0.0, 0.0, 1.0}, c = spring_rate_axis[2],
                 cross[3] = {spring_rate_axis[1], -spring_rate_axis[0], 0.0};
    for (int i = 0; i < 3; i++)
        x[i] = spring_rate_axis[i] * c * s + (e3[i] - spring_rate_axis[i] * c) * sn / w + cross[i] * (1.0 - cs) / w;
}

/* Adds the part of A that the section at s has, with weight. */
static void add(double A[36], double s, double weight) {
    static const double soft[6] = {1.0 / 2.0, 1.0 / 2.0, 1.0 / 1.5, 1.0 / 3e3, 1.0 / 3e3, 1.0 / 8e3};
    double R[3][3], x[3], Re[3][3], xe[3], T[6][6];
    pose(R, x, s);
    pose(Re, xe, 1.0);
    const double d[3] = {xe[0] - x[0], xe[1] - x[1], xe[2] - x[2]};
    const double skew[3][3] = {{0.0, -d[2], d[1]}, {d[2], 0.0, -d[0]}, {-d[1], d[0], 0.0}};
    memset(T, 0, sizeof T);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            T[i][j] = T[3 + i][3 + j] = R[j][i];
            for (int k = 0; k < 3; k++)
                T[i][3 + j] += R[k][i] * skew[k][j];
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 6; k++)
                A[6 * i + j] += weight * T[k][i] * soft[k] * T[k][j];
}

static double rate(void) {
    enum { N = 4096 };
    double A[36] = {0}, b[6] = {0};
    for (int i = 0; i < N; i++) { /* Gauss with two points, of fourth order */
        add(A, (i + 0.21132486540518711775) / N, 0.5 / N);
        add(A, (i + 0.78867513459481288225) / N, 0.5 / N);
    }
    b[5] = 1.0;
    wy_atlas_solve(b, A, 6);
    return b[5];
}

static wy_status spring_rate_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(pushed, "space_force", 0);
    WY_READ(pulled, "space_force", 1);
    wy_check_value(case_run, "rate", (pulled[2] - pushed[2]) / 4e-5, rate(), 0.0,
                   "N/m along z, the direction of the clamps");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Four turns between clamps",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .space = true,
                                                              .equal = true});
    wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, 0, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_spring_rate = {
    .entry = {.name = "spring-rate", .doc = "Rate of a helical spring between clamps."},
    .group = "statics",
    .source = "Castigliano: the compliance of the helix integrated here",
    .scenario = spring_rate_scenario,
    .levels = {"elements=32", "elements=64", "elements=128"},
    .order = 6.0,
    .evaluate = spring_rate_evaluate,
};
