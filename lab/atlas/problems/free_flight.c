/* A bent soft rod tumbles through space, beating: energy, momentum and angular momentum stay. */
#include <math.h>
#include <stdio.h>

#include "atlas/atlas.h"

static const char free_flight_scenario[] =
    "# A bent strip of rubber thrown into the air: free at both ends, spinning, without weight.\n"
    "kind: dynamic\n"
    "title: a flexible rod in free flight\n"
    "length: 0.3\n"
    "elements: 4\n"
    "section: {name: rectangle, width: 0.01, height: 0.004, E: 5e6, nu: 0.45, density: 1100}\n"
    "first_end: free\n"
    "last_end: free\n"
    "start:\n"
    "  shape: {name: constant, strain: [2, 5, 3, 0, 0, 1]}\n"
    "  velocity: [1, 0.5, 2]\n"
    "  spin: [3, 10, -4]\n"
    "method: gauss-director\n"
    "duration: 0.5\n"
    "step: 0.001\n";

static const wy_atlas_case free_flight_cases[] = {
    {"", ""}, {"with weight", "loads=[{name: gravity, acceleration: [0, 0, -9.81]}]"}, {0}};

static wy_status free_flight_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(P0, "linear_momentum", 0);
    WY_READ(P1, "linear_momentum", -1);
    WY_READ(L0, "angular_momentum", 0);
    WY_READ(L1, "angular_momentum", -1);
    WY_READ(K0, "kinetic", 0);
    WY_READ(U0, "strain_energy", 0);
    WY_READ(K1, "kinetic", -1);
    WY_READ(U1, "strain_energy", -1);
    WY_READ(D1, "numerical_dissipation", -1);
    WY_READ(G0, "gravity", 0);
    WY_READ(G1, "gravity", -1);
    static const char *const axis[3] = {"x", "y", "z"};
    double P = 0.0, L = 0.0;
    for (int i = 0; i < 3; i++) {
        P += P0[i] * P0[i];
        L += L0[i] * L0[i];
    }
    wy_check_law(case_run, "energy", K1[0] + U1[0] + D1[0] + G1[0], K0[0] + U0[0] + G0[0], K0[0],
                 "J; with what the method loses by itself");
    const double impulse = case_run->number ? -9.81 * 0.5 * 1100.0 * 0.01 * 0.004 * 0.3 : 0.0;
    for (int i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "momentum along %s", axis[i]);
        wy_check_law(case_run, name, P1[i], P0[i] + (i == 2 ? impulse : 0.0), sqrt(P), "kg m/s");
        if (case_run->number)
            continue;
        snprintf(name, sizeof name, "angular momentum about %s", axis[i]);
        wy_check_law(case_run, name, L1[i], L0[i], sqrt(L), "kg m^2/s");
    }
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "The flight",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .space = true,
                                                              .equal = true});
    for (long i = 0; i <= 6 && !case_run->number; i++)
        wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, i * (long)(case_run->count - 1) / 6, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_free_flight = {
    .entry = {.name = "free-flight", .doc = "Soft rod tumbling through space: what stays constant."},
    .group = "flight",
    .source = "conservation of energy, momentum and angular momentum",
    .scenario = free_flight_scenario,
    .levels = {"step=0.004", "step=0.002", "step=0.001"},
    .order = 4.0,
    .cases = free_flight_cases,
    .evaluate = free_flight_evaluate,
};
