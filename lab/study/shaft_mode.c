/* One vibration mode of a free shaft. */
#include "study/shaft_mode.h"

#include <math.h>
#include <stdlib.h>

#include "math/constants.h"
#include "math/elementary.h"

static double mode_shape(int i, size_t k, size_t n) {
    return wy_cos(i * WY_PI * ((double)k + 0.5) / (double)n);
}

double wy_shaft_mode_frequency(const wy_shaft_config *c, int i) {
    const double n = (double)c->elements;
    return 2.0 * sqrt(n / c->compliance / (c->inertia / n)) * wy_sin(i * WY_PI / (2.0 * n));
}

wy_status wy_shaft_mode_matrix(double A[4], const wy_shaft_config *config, int i, double h, wy_error *err) {
    const size_t n = (size_t)config->elements;
    wy_shaft *shaft = NULL;
    wy_shaft_state *state = NULL;
    wy_shaft_solver *solver = NULL;
    wy_status s = wy_shaft_create(&shaft, config, err);
    if (!s)
        s = wy_shaft_state_create(&state, shaft, err);
    if (!s)
        s = wy_shaft_solver_create(&solver, shaft, err);
    const wy_shaft_input nothing[2] = {{.torque = 0.0}, {.torque = 0.0}};
    for (int column = 0; column < 2 && !s; column++) {
        double norm = 0.0, theta = 0.0, w = 0.0;
        s = wy_shaft_start(shaft, state, NULL, err);
        /* written directly into the state: a rigid shaft cannot start with this shape, but its step is defined */
        for (size_t k = 0; k < n; k++) {
            state->profile[k] = column == 0 ? mode_shape(i, k, n) : 0.0;
            state->profile[n + k] = column == 1 ? mode_shape(i, k, n) / h : 0.0;
        }
        if (!s)
            s = wy_shaft_step(shaft, state, solver, h, nothing, err);
        for (size_t k = 0; k < n; k++) {
            norm += mode_shape(i, k, n) * mode_shape(i, k, n);
            theta += mode_shape(i, k, n) * state->profile[k];
            w += mode_shape(i, k, n) * state->profile[n + k];
        }
        A[column] = theta / norm;
        A[2 + column] = h * w / norm;
    }
    wy_shaft_solver_free(solver);
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
    return s;
}

/* Eigenvalues of A are mean +- sqrt(d); d < 0: a complex pair. */
static double discriminant(const double A[4]) {
    const double half = 0.5 * (A[0] - A[3]);
    return half * half + A[1] * A[2];
}

double wy_shaft_mode_radius(const double A[4]) {
    const double mean = 0.5 * (A[0] + A[3]), d = discriminant(A);
    return d < 0.0 ? sqrt(mean * mean - d) : fabs(mean) + sqrt(d);
}

double wy_shaft_mode_angle(const double A[4]) {
    const double mean = 0.5 * (A[0] + A[3]), d = discriminant(A);
    return wy_atan2(d < 0.0 ? sqrt(-d) : 0.0, mean);
}
