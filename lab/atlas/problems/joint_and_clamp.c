/* A round rod from a ball joint to a clamp that is rotated about its axis by a given angle: the ball joint lets the
 * rod follow. The rod lies in a plane, the elastica with
 *
 *   EI theta'' = -(Fx cos theta - Fz sin theta),   theta'(0) = 0,   theta(L) = 0,
 *   both ends on the axis, 0.55 L apart,
 *
 * solved here by shooting. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char joint_and_clamp_scenario[] =
    "# A round rod from a ball joint to a clamp 0.55 of its length away, which is turned by 5 rad about its axis.\n"
    "kind: static\n"
    "title: from a joint to a clamp\n"
    "length: 1\n"
    "elements: 48\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.8, GA1: 1e11, GA2: 1e11, EA: 1e11}\n"
    "first_end: {name: pinned, position: [0, 0, 0]}\n"
    "last_end: {name: clamped, position: [0, 0, 0.55], twist: 5}\n";

static const wy_atlas_case joint_and_clamp_cases[] = {{"not turned", "last_end.twist=0"},
                                                      {"turned by 5", ""},
                                                      {"turned by 1.7 and a turn", "last_end.twist=1.7+2*pi"},
                                                      {0}};

/* y: theta, its slope, x, z; u: theta(0), Fx, Fz */
static void joint_and_clamp_along(double *dy, double s, const double *y, const void *context) {
    const double *u = context, c = wy_cos(y[0]), d = wy_sin(y[0]);
    (void)s;
    dy[0] = y[1];
    dy[1] = -(u[1] * c - u[2] * d);
    dy[2] = d;
    dy[3] = c;
}

static void joint_and_clamp_misses(double *off, const double *u, const void *unused) {
    double y[4] = {u[0], 0.0, 0.0, 0.0};
    (void)unused;
    wy_atlas_march(y, 4, joint_and_clamp_along, u, 0.0, 1.0);
    off[0] = y[0];
    off[1] = y[2];
    off[2] = y[3] - 0.55;
}

static wy_status joint_and_clamp_evaluate(wy_case_run *case_run, wy_error *err) {
    double u[3] = {1.9, -11.0, -23.0};
    wy_atlas_shoot(u, 3, joint_and_clamp_misses, NULL);
    double y[4] = {u[0], 0.0, 0.0, 0.0};
    wy_atlas_march(y, 4, joint_and_clamp_along, u, 0.0, 1.0);
    WY_READ(F, "space_force", 0);
    WY_READ_LAST(M, "moment", 0, 3);
    wy_check_value(case_run, "across", sqrt(F[0] * F[0] + F[1] * F[1]), fabs(u[1]), 0.0, "N L^2/EI");
    wy_check_value(case_run, "along", F[2], u[2], fabs(u[1]), "N L^2/EI");
    wy_check_value(case_run, "moment of the clamp", sqrt(M[0] * M[0] + M[1] * M[1]), fabs(y[1]), 0.0, "N m L/EI");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "From a joint to a clamp",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .space = true,
                                                              .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, 0, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_joint_and_clamp = {
    .entry = {.name = "joint-and-clamp", .doc = "Round rod from a ball joint to a clamp turned about its axis."},
    .group = "statics",
    .source = "the elastica, marched and shot at here to 1e-12",
    .scenario = joint_and_clamp_scenario,
    .levels = {"elements=12", "elements=24", "elements=48"},
    .order = 6.0,
    .cases = joint_and_clamp_cases,
    .evaluate = joint_and_clamp_evaluate,
};
