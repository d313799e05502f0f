/* The free rigid body of the thesis, tumbling for a minute. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char euler_top_scenario[] = "# The free rigid body of the thesis (section 4.1) for a minute.\n"
                                         "kind: rigid-body\n"
                                         "title: a tumbling body\n"
                                         "inertia: [2, 1, 2/3]\n"
                                         "momentum: [cos(1.1), 0, sin(1.1)]\n"
                                         "orientation: [cos(pi/8), sin(pi/8), 0, 0]\n"
                                         "method: gauss-legendre-6\n"
                                         "duration: 60\n"
                                         "step: 0.05\n";

/* y = (M, q): M' = M x I^-1 M, q' = q (0, I^-1 M)/2. */
static void euler_top_field(double *dy, double t, const double *y, const void *unused) {
    (void)t;
    (void)unused;
    const double w[3] = {y[0] / 2.0, y[1], 1.5 * y[2]}, *q = y + 3;
    dy[0] = y[1] * w[2] - y[2] * w[1];
    dy[1] = y[2] * w[0] - y[0] * w[2];
    dy[2] = y[0] * w[1] - y[1] * w[0];
    dy[3] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    dy[4] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    dy[5] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    dy[6] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

static wy_status euler_top_evaluate(wy_case_run *case_run, wy_error *err) {
    static const char *const name[7] = {"M1", "M2", "M3", "q0", "q1", "q2", "q3"};
    double y[7] = {wy_cos(1.1), 0.0, wy_sin(1.1), wy_cos(WY_PI / 8.0), wy_sin(WY_PI / 8.0), 0.0, 0.0};
    for (int i = 0; i < 6; i++)
        wy_atlas_march(y, 7, euler_top_field, NULL, 10.0 * i, 10.0 * (i + 1));
    WY_READ(M, "state/momentum", -1);
    WY_READ(q, "orientation", -1);
    for (int i = 0; i < 7; i++)
        wy_check_value(case_run, name[i], i < 3 ? M[i] : q[i - 3], y[i], 1.0,
                       i < 3 ? "kg m^2/s after 60 s, of |M| = 1" : "after 60 s");
    WY_READ(E, "energy", -1);
    WY_READ(MM, "momentum_squared", -1);
    wy_check_law(case_run, "M.M", MM[0], 1.0, 0.0, "kg^2 m^4/s^2");
    wy_show_value(case_run, "energy", E[0], 0.25 * wy_cos(1.1) * wy_cos(1.1) + 0.75 * wy_sin(1.1) * wy_sin(1.1), "J");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "Momentum in the body", .x_label = "time / s", .y_label = "M / kg m^2/s"});
    for (size_t i = 0; i < 3; i++)
        wy_case_draw_channel(case_run, figure, name[i], WY_LINES, "state/momentum", i, 1.0, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_euler_top = {
    .entry = {.name = "euler-top", .doc = "Free rigid body tumbling for a minute."},
    .group = "shafts and bodies",
    .source = "Euler's equations marched by extrapolation (Gragg), here, to 1e-12; conservation laws",
    .scenario = euler_top_scenario,
    .levels = {"step=0.2", "step=0.1", "step=0.05"},
    .order = 6.0,
    .evaluate = euler_top_evaluate,
};
