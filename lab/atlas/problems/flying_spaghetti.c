/* The flying spaghetti of Simo and Vu-Quoc, in space: a soft rod, at rest, hit at its end; then it is on its own. */
#include <math.h>
#include <stdio.h>

#include "atlas/atlas.h"

static const char flying_spaghetti_scenario[] =
    "# Simo and Vu-Quoc's flying spaghetti: force and moments at the lower end for 5 s, then free flight.\n"
    "kind: dynamic\n"
    "title: flying spaghetti\n"
    "length: 10\n"
    "elements: 10\n"
    "section: {name: rigidities, EI1: 500, EI2: 500, GJ: 500, GA1: 1e4, GA2: 1e4, EA: 1e4, rhoA: 1, rhoI1: 10, "
    "rhoI2: 10, rhoJ: 10}\n"
    "first_end: free\n"
    "last_end:\n"
    "  name: loaded\n"
    "  force: [20, 0, 0]\n"
    "  moment: [0, -100, -200]\n"
    "  in_time: {name: pulse, peak: 2.5, until: 5}\n"
    "start: {position: [0, 8, 0], orientation: [cos(0.5*(pi/2+asin(0.8))), sin(0.5*(pi/2+asin(0.8))), 0, 0]}\n"
    "method: gauss-director\n"
    "duration: 7\n"
    "step: 0.025\n";

static wy_status flying_spaghetti_evaluate(wy_case_run *case_run, wy_error *err) {
    size_t five;
    wy_status s = wy_case_frame_at(&five, case_run, 5.0, err);
    if (s)
        return s;
    WY_READ(P, "linear_momentum", -1);
    WY_READ(L5, "angular_momentum", (long)five);
    WY_READ(L7, "angular_momentum", -1);
    WY_READ(K5, "kinetic", (long)five);
    WY_READ(U5, "strain_energy", (long)five);
    WY_READ(K7, "kinetic", -1);
    WY_READ(U7, "strain_energy", -1);
    static const double times[3] = {2.0, 5.0, 7.0}, printed[3] = {1.0667, 12.5, 22.5};
    for (int k = 0; k < 3; k++) { /* the centre by Simpson's rule on the nodes */
        size_t at, size;
        s = wy_case_frame_at(&at, case_run, times[k], err);
        const double *x = s ? NULL : wy_case_frame(case_run, "position", (long)at, &size, err);
        if (!x)
            return err->status;
        double sum = 0.0;
        const size_t n = size / 3 - 1;
        for (size_t i = 0; i <= n; i++)
            sum += x[3 * i] * (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0);
        char name[40];
        snprintf(name, sizeof name, "centre at %g s", times[k]);
        wy_show_value(case_run, name, sum / (3.0 * (double)n), printed[k],
                      "m along the force, from the start; by Simpson's rule on the nodes");
    }
    wy_check_law(case_run, "momentum", P[0], 50.0, 0.0, "kg m/s; the impulse of the force");
    wy_check_law(case_run, "energy from 5 s to 7 s", K7[0] + U7[0], K5[0] + U5[0], 0.0, "J");
    const double size = sqrt(L5[0] * L5[0] + L5[1] * L5[1] + L5[2] * L5[2]);
    for (int i = 0; i < 3; i++) {
        char name[60];
        snprintf(name, sizeof name, "angular momentum %d from 5 s to 7 s", i + 1);
        wy_check_law(case_run, name, L7[i], L5[i], size, "kg m^2/s");
    }
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "From 0 to 7 s",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .space = true,
                                                              .equal = true});
    for (long i = 0; i <= 14; i++)
        wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, i * (long)(case_run->count - 1) / 14, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_flying_spaghetti = {
    .entry = {.name = "flying-spaghetti", .doc = "Soft rod hit at its end, in space, and its free flight afterwards."},
    .group = "flight",
    .source = "Simo and Vu-Quoc 1988; impulse and conservation laws",
    .scenario = flying_spaghetti_scenario,
    .levels = {"step=0.1", "step=0.05", "step=0.025"},
    .order = 4.0,
    .evaluate = flying_spaghetti_evaluate,
};
