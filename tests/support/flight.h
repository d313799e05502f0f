/* The method `gauss-director` to round-off, and rods of EI = rho A = L = 1 for it: one in flight. */
#ifndef WY_TEST_FLIGHT_H
#define WY_TEST_FLIGHT_H

#include "motion/gauss_director/gauss_director.h"
#include "support/rods.h"

static const wy_motion_newton to_round_off = {.tolerance = 1e-16, .max_iterations = 60, .halvings = 12};

static inline wy_gauss_config method(int P, int S) {
    return (wy_gauss_config){.newton = to_round_off, .degree = P, .stages = S, .stabiliser = 10.0};
}

/* A rod of EI = rho A = L = 1, of radius `ratio`, with nothing symmetric about it. */
static inline wy_motion_definition unit_rod(int elements, double ratio, bool same) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    const double EA = 4.0 / (ratio * ratio), I = 0.25 * ratio * ratio, side = same ? 1.0 : 2.3;
    d.rod.length = 1.0;
    d.rod.elements = elements;
    d.rod.section = (wy_section){.EI1 = 1.0,
                                 .EI2 = side,
                                 .GJ = 0.8,
                                 .GA1 = 0.4 * EA,
                                 .GA2 = 0.4 * EA,
                                 .EA = EA,
                                 .rhoI1 = I,
                                 .rhoI2 = side * I,
                                 .rhoJ = (1.0 + side) * I,
                                 .rhoA = 1.0,
                                 .diameter = 2.0 * ratio};
    return d;
}

static inline wy_motion_definition flight(int elements, double ratio, double spin) {
    static double rows[7 * 21];
    static wy_samples table = {.rows = 21, .values = rows};
    for (int i = 0; i <= 20; i++) {
        const double s = i / 20.0, w[3] = {1.5 + 0.8 * sin(2 * s), -1.0 + 0.5 * s * s, spin + 0.7 * cos(3 * s)};
        const double p[3] = {0.0, 0.0, s - 0.4};
        double v[3];
        v3_cross(v, w, p);
        const double row[7] = {
            s, v[0] + 0.3 + 0.9 * sin(3 * s), v[1] - 0.2 + 0.6 * cos(4 * s), v[2] + 0.1, w[0], w[1], w[2]};
        memcpy(rows + 7 * i, row, sizeof row);
    }
    wy_motion_definition d = unit_rod(elements, ratio, false);
    d.rod.ends[0] = d.rod.ends[1] = choose(&wy_ends, "free", NULL);
    d.start.velocities = table;
    return d;
}

#endif
