/* The free rigid body for two seconds, by every integrator, and in its canonical form. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char scenario[] = "# The free rigid body of the thesis for two seconds, by Kahan's method.\n"
                               "kind: rigid-body\n"
                               "title: a body by every method\n"
                               "inertia: [2, 1, 2/3]\n"
                               "momentum: [cos(1.1), 0, sin(1.1)]\n"
                               "orientation: [cos(pi/8), sin(pi/8), 0, 0]\n"
                               "method: kahan\n"
                               "duration: 2\n"
                               "step: 0.004\n"
                               "every: 20\n";

static const wy_atlas_case cases[] = {{"Kahan", ""},
                                      {"implicit midpoint", "method=implicit-midpoint"},
                                      {"explicit midpoint", "method=explicit-midpoint"},
                                      {"spherical midpoint", "method=spherical-midpoint"},
                                      {"RK4", "method=rk4"},
                                      {"Gauss 4", "method=gauss-legendre-4"},
                                      {"Gauss 6", "method=gauss-legendre-6"},
                                      {"canonical form, Gauss 4", "method=gauss-legendre-4; form=hamiltonian"},
                                      {"canonical form, RATTLE", "method=rattle; form=hamiltonian"},
                                      {0}};

static void field(double *dy, double t, const double *y, const void *unused) {
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

static wy_status look(wy_sight *sight, wy_error *err) {
    double y[7] = {wy_cos(1.1), 0.0, wy_sin(1.1), wy_cos(WY_PI / 8.0), wy_sin(WY_PI / 8.0), 0.0, 0.0};
    wy_atlas_march(y, 7, field, NULL, 0.0, 2.0);
    WY_SEE(M, "state/momentum", -1);
    WY_SEE(q, "state/orientation", -1);
    wy_found(sight, "M2", M[1], y[1], 1.0, "kg m^2/s after 2 s");
    wy_found(sight, "q3", q[3], y[6], 1.0, "after 2 s");
    /* symplectic Runge-Kutta methods, and that on spheres */
    if (sight->number == 1 || sight->number == 3 || sight->number == 5 || sight->number == 6)
        wy_found_law(sight, "M.M", M[0] * M[0] + M[1] * M[1] + M[2] * M[2], 1.0, 1.0, "kept to the last digits");
    return WY_OK;
}

const wy_problem wy_problem_integrators = {
    .entry = {.name = "integrators", .doc = "Free rigid body by every integrator."},
    .group = "shafts and bodies",
    .source = "Euler's equations marched by extrapolation (Gragg), here, to 1e-13",
    .scenario = scenario,
    .levels = {"step=0.016; every=5", "step=0.008; every=10", "step=0.004; every=20"},
    .order = 6.0,
    .cases = cases,
    .look = look,
};
