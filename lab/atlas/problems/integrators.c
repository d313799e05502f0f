/* The free rigid body for two seconds, by every integrator, and in its canonical form. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char integrators_scenario[] = "# The free rigid body of the thesis for two seconds, by Kahan's method.\n"
                                           "kind: rigid-body\n"
                                           "title: a body by every method\n"
                                           "inertia: [2, 1, 2/3]\n"
                                           "momentum: [cos(1.1), 0, sin(1.1)]\n"
                                           "orientation: [cos(pi/8), sin(pi/8), 0, 0]\n"
                                           "method: kahan\n"
                                           "duration: 2\n"
                                           "step: 0.004\n"
                                           "every: 20\n";

static const wy_atlas_case integrators_cases[] = {
    {"Kahan", ""},
    {"implicit midpoint", "method=implicit-midpoint"},
    {"explicit midpoint", "method=explicit-midpoint"},
    {"spherical midpoint", "method=spherical-midpoint"},
    {"RK4", "method=rk4"},
    {"Gauss 4", "method=gauss-legendre-4"},
    {"Gauss 6", "method=gauss-legendre-6"},
    {"canonical form, Gauss 4", "method=gauss-legendre-4; form=hamiltonian"},
    {"canonical form, RATTLE", "method=rattle; form=hamiltonian"},
    {"spherical midpoint, a top", "method=spherical-midpoint; inertia=[2, 2, 2/3]"},
    {0}};

static void integrators_field(double *dy, double t, const double *y, const void *unused) {
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

/* A symmetric top by the midpoint rule on the sphere: M turns about its axis by delta in each step,
 *
 *   2 tan(delta/2) = h (1/C - 1/A) m sigma^2,   sigma^2 = M.M/(r^2 cos^2(delta/2) + m^2),
 *
 * with m along the axis and r across; by the midpoint rule itself sigma would be 1. */
typedef struct top {
    double r, m, rate; /* h (1/C - 1/A) m */
} top;

static double integrators_misses(double delta, const void *context) {
    const top *t = context;
    const double c = wy_cos(0.5 * delta);
    return 2.0 * wy_tan(0.5 * delta) - t->rate * (t->r * t->r + t->m * t->m) / (t->r * t->r * c * c + t->m * t->m);
}

static wy_status spherical_top(wy_case_run *case_run, wy_error *err) {
    const double h = 0.016 / (double)(1 << case_run->level);
    const top t = {wy_cos(1.1), wy_sin(1.1), h * (1.5 - 0.5) * wy_sin(1.1)};
    const double angle = wy_atlas_root(integrators_misses, &t, 0.5 * t.rate, 2.0 * t.rate) * 2.0 / h;
    WY_READ(M, "state/momentum", -1);
    wy_check_law(case_run, "M1", M[0] - t.r * wy_cos(angle), 0.0, 1.0,
                 "kg m^2/s after 2 s, from the method's own formula");
    wy_check_law(case_run, "M2", M[1] + t.r * wy_sin(angle), 0.0, 1.0, "kg m^2/s");
    wy_check_value(case_run, "turned", -wy_atan2(M[1], M[0]), 2.0 * wy_sin(1.1), 0.0, "rad after 2 s");
    return WY_OK;
}

static wy_status integrators_evaluate(wy_case_run *case_run, wy_error *err) {
    if (case_run->number == 9)
        return spherical_top(case_run, err);
    double y[7] = {wy_cos(1.1), 0.0, wy_sin(1.1), wy_cos(WY_PI / 8.0), wy_sin(WY_PI / 8.0), 0.0, 0.0};
    wy_atlas_march(y, 7, integrators_field, NULL, 0.0, 2.0);
    WY_READ(M, "state/momentum", -1);
    WY_READ(q, "state/orientation", -1);
    wy_check_value(case_run, "M2", M[1], y[1], 1.0, "kg m^2/s after 2 s");
    wy_check_value(case_run, "q3", q[3], y[6], 1.0, "after 2 s");
    /* symplectic Runge-Kutta methods, that on spheres, and RATTLE, which keeps what a symmetry keeps */
    if (case_run->number == 1 || case_run->number == 3 || case_run->number == 5 || case_run->number == 6 ||
        case_run->number == 8)
        wy_check_law(case_run, "M.M", M[0] * M[0] + M[1] * M[1] + M[2] * M[2], 1.0, 1.0, "kept to the last digits");
    return WY_OK;
}

const wy_problem wy_problem_integrators = {
    .entry = {.name = "integrators", .doc = "Free rigid body by every integrator."},
    .group = "shafts and bodies",
    .source = "Euler's equations marched by extrapolation (Gragg), here, to 1e-13",
    .scenario = integrators_scenario,
    .levels = {"step=0.016; every=5", "step=0.008; every=10", "step=0.004; every=20"},
    .order = 6.0,
    .cases = integrators_cases,
    .evaluate = integrators_evaluate,
};
