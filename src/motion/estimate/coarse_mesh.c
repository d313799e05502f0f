/* What the coarse runs of a motion are made of: their elements, their method, and the frequency that tells how much a
 * coarse step shows. docs/math/certificate.md, "Coarse runs". */
#include "motion/estimate/coarse_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HALVINGS = 3 };

/* The method as it was made for the rod, but for steps that are cut to shreds: a coarse run that needs them tells
 * nothing, and takes more time than the run. */
wy_status wy_coarse_method(wy_choice *method, wy_motion_newton **made, const wy_motion *rod, double tolerance,
                           wy_error *err) {
    const size_t size = rod->chosen.entry->config_size;
    *method = (wy_choice){rod->chosen.entry, NULL};
    *made = NULL;
    if (!rod->chosen.config || size < sizeof(wy_motion_newton))
        return WY_OK;
    wy_motion_newton *config = malloc(size);
    if (!config)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a method");
    memcpy(config, rod->chosen.config, size);
    if (config->halvings > MOST_HALVINGS)
        config->halvings = MOST_HALVINGS;
    config->tolerance = fmax(config->tolerance, tolerance); /* for error estimates, not for the energy balance */
    method->config = *made = config;
    return WY_OK;
}

/* The lowest frequency at which the straight rod bends between its ends, roughly: (beta L)^2 sqrt(EI/rhoA)/L^2. */
double wy_coarse_lowest_frequency(const wy_motion *rod) {
    /* by what holds the first end, and the last one: nothing, its place, its place and its turn */
    static const double squares[3][3] = {{22.373, 15.418, 3.516}, {15.418, 9.870, 15.418}, {3.516, 15.418, 22.373}};
    const double L = rod->def.length, *K = rod->stiffness;
    int held[2];
    for (int e = 0; e < 2; e++) {
        const unsigned bits = rod->constraint[e].components;
        held[e] = (bits & 7U) && (bits & 56U) ? 2 : bits & 7U ? 1 : 0;
    }
    return squares[held[0]][held[1]] * sqrt(fmin(K[0], K[1]) / rod->def.section.rhoA) / (L * L);
}

/* Fewer elements than half of n: a quarter, or one more where that is nested in the half (m elements are in those of
 * k where m divides k). What falls on the joints of all meshes none of them would show. */
static size_t quarter_of(size_t n) {
    const size_t half = (n + 1) / 2, quarter = (half + 1) / 2, more = quarter + 1;
    return half % quarter == 0 && more < half && half % more != 0 ? more : quarter;
}

/* The elements of each piece in the coarser runs. A piece of one element has two in a, so that its error is seen; b
 * has one again, and the order that is seen then tells that nothing came together. Few elements: half as many more
 * in a. */
void wy_coarse_meshes(size_t *a, size_t *b, const wy_motion *rod, bool fewer) {
    for (size_t i = 0; i < rod->pieces; i++) {
        const size_t n = rod->count[i];
        a[i] = n == 1 ? 2 : fewer ? (n + 1) / 2 : (3 * n + 1) / 2;
        b[i] = n == 1 ? 1 : quarter_of(n);
    }
}

double wy_coarse_rounding(const wy_motion *rod) {
    enum { DEGREE = 3 };
    double shortest = rod->h;
    for (size_t e = 0; e < rod->elements; e++)
        shortest = fmin(shortest, wy_motion_element(rod, e));
    const double spacing = shortest / DEGREE, waves = sqrt(rod->stiffness[5] / rod->def.section.rhoA);
    return 4e-16 / spacing * waves;
}

/* Factors, coupled iterations and the ends of a step take as long as iterations. */
double wy_run_cost(const wy_motion *rod, const wy_motion_state *state) {
    const double *x = state->x, ends = 2.0;
    wy_motion_resolution r = {0};
    if (rod->method->resolution)
        rod->method->resolution(&r, rod, x);
    return (x[WY_STATE_ITERATIONS] + r.work_units + ends * x[WY_STATE_STEPS]) * (double)rod->elements;
}
