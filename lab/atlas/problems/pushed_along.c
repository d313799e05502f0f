/* A rod between a clamp and a pin under following forces along its axis: they have no potential, so the solver
 * `energy` does not apply, and the homotopy from the unstressed rod fails. The check integrates the equations of the
 * rod from the reaction of the clamp: they must reach the pin with zero moment. */
#include <math.h>

#include "atlas/atlas.h"

static const char pushed_along_scenario[] =
    "# A rod pushed along itself by 3000 N/m, between a clamp and a pin half a length away.\n"
    "kind: static\n"
    "title: a rod pushed along itself\n"
    "length: 1\n"
    "elements: 240\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.8, GA1: 1e7, GA2: 1e7, EA: 1e7, rhoA: 1}\n"
    "last_end: {name: pinned, position: [0.2, 0, 0.5]}\n"
    "loads:\n"
    "  - {name: distributed-force, density: [0, 0, -3000], following: true}\n"
    "  - {name: gravity, acceleration: [-3, 0, 0]}\n";

/* P' = P x kappa - R^T f - f_body, M' = M x kappa + P x nu, q' = 1/2 q (0, kappa), x' = R nu; y = (P, M, q, x). */
static void pushed_along_field(double *dy, double s, const double *y, const void *unused) {
    (void)s;
    (void)unused;
    const double *P = y, *M = y + 3, *q = y + 6;
    const double k[3] = {M[0], M[1], M[2] / 0.8}, n[3] = {P[0] / 1e7, P[1] / 1e7, 1.0 + P[2] / 1e7};
    const double R[3][3] = {
        {1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]), 2.0 * (q[1] * q[2] - q[0] * q[3]), 2.0 * (q[1] * q[3] + q[0] * q[2])},
        {2.0 * (q[1] * q[2] + q[0] * q[3]), 1.0 - 2.0 * (q[1] * q[1] + q[3] * q[3]), 2.0 * (q[2] * q[3] - q[0] * q[1])},
        {2.0 * (q[1] * q[3] - q[0] * q[2]), 2.0 * (q[2] * q[3] + q[0] * q[1]),
         1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])}};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        dy[i] = P[j] * k[l] - P[l] * k[j] + 3.0 * R[0][i] + (i == 2 ? 3000.0 : 0.0);
        dy[3 + i] = M[j] * k[l] - M[l] * k[j] + P[j] * n[l] - P[l] * n[j];
        dy[10 + i] = R[i][0] * n[0] + R[i][1] * n[1] + R[i][2] * n[2];
    }
    dy[6] = 0.5 * (-q[1] * k[0] - q[2] * k[1] - q[3] * k[2]);
    dy[7] = 0.5 * (q[0] * k[0] + q[2] * k[2] - q[3] * k[1]);
    dy[8] = 0.5 * (q[0] * k[1] + q[3] * k[0] - q[1] * k[2]);
    dy[9] = 0.5 * (q[0] * k[2] + q[1] * k[1] - q[2] * k[0]);
}

static wy_status pushed_along_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(P, "left_force", 0);
    WY_READ(M, "left_moment", 0);
    double y[13] = {P[0], P[1], P[2], M[0], M[1], M[2], 1.0};
    wy_atlas_march(y, 13, pushed_along_field, NULL, 0.0, 1.0);
    wy_check_value(case_run, "x of the last end", y[10], 0.2, 1.0,
                   "m, marched from the force and the moment of the clamp");
    wy_check_value(case_run, "z of the last end", y[12], 0.5, 1.0, "m");
    wy_check_value(case_run, "moment there", sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]), 0.0, fabs(M[1]),
                   "N m, of that of the clamp");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Pushed along itself", .x_label = "z / m", .y_label = "x / m", .equal = true});
    wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, 0, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_pushed_along = {
    .entry = {.name = "pushed-along",
              .doc = "Rod pushed along itself by forces that follow it, between a clamp and a pin."},
    .group = "statics",
    .source = "the equations of a rod marched by extrapolation (Gragg), here",
    .scenario = pushed_along_scenario,
    .levels = {"elements=60", "elements=120", "elements=240"},
    .order = 6.0,
    .evaluate = pushed_along_evaluate,
};
