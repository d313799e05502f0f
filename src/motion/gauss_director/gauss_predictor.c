/* What a coarse run of a run guesses its velocities from: those of the run, which has been there.
 * docs/math/certificate.md, "Predictor". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_stepping.h"

enum { MOST = WY_PREDICTOR_STEPS };

size_t wy_gauss_mean_velocity_size(const wy_motion *rod) {
    const wy_gauss *m = rod->method_data;
    return 6 * m->row;
}

void wy_gauss_mean_velocity(double *mean, const wy_motion *rod, const double *x) {
    const wy_gauss *m = rod->method_data;
    memcpy(mean, wy_gauss_reading_of(x, m).mean_velocity, wy_gauss_mean_velocity_size(rod) * sizeof *mean);
}

/* Derivative at t of the polynomial that is 1 at knot a and 0 at the other knots. */
static double slope_of(const double *knot, int count, int a, double t) {
    double sum = 0.0;
    for (int b = 0; b < count; b++) {
        if (b == a)
            continue;
        double product = 1.0 / (knot[a] - knot[b]);
        for (int c = 0; c < count; c++)
            if (c != a && c != b)
                product *= (t - knot[c]) / (knot[a] - knot[c]);
        sum += product;
    }
    return sum;
}

/* The velocity at t by its means over the steps: the way is the polynomial through what they add up to.      (12.13) */
static void weights_of_means(double *weight, const wy_motion_predictor *predictor, double t) {
    double slope[MOST + 1];
    for (int a = 0; a <= predictor->steps; a++)
        slope[a] = slope_of(predictor->times, predictor->steps + 1, a, t);
    for (int n = 0; n < predictor->steps; n++) {
        weight[n] = 0.0;
        for (int a = n + 1; a <= predictor->steps; a++)
            weight[n] += slope[a];
        weight[n] *= predictor->times[n + 1] - predictor->times[n];
    }
}

/* The means of every step of the guide at arc length s. */
static void means_at(double mean[][6], const wy_motion_predictor *predictor, double s) {
    const wy_gauss *run = predictor->run->method_data;
    const double y = wy_gauss_element_coordinate(run, s), last = (double)run->elements - 1.0,
                 e = fmin(last, fmax(0.0, floor(y)));
    const size_t P = (size_t)run->space.P, size = wy_gauss_mean_velocity_size(predictor->run);
    double weight[WY_ELEMENT_DEGREE + 1];
    wy_element_basis_nodal(weight, &run->space, fmin(1.0, fmax(0.0, y - e)));
    for (int n = 0; n < predictor->steps; n++)
        for (size_t c = 0; c < 6; c++) {
            mean[n][c] = 0.0;
            for (size_t i = 0; i <= P; i++)
                mean[n][c] +=
                    weight[i] * predictor->mean_velocities[(size_t)n * size + c * run->row + (size_t)e * P + i];
        }
}

void wy_gauss_predict(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const wy_motion_predictor *predictor = &k->options->predictor;
    const double t = k->x[WY_STATE_TIME], *times = predictor->times;
    if (predictor->steps == 0 || t < times[0] - 1e-6 * dt || t + dt > times[predictor->steps] + 1e-6 * dt)
        return;
    double weight[WY_GAUSS_STAGES][MOST];
    for (int i = 0; i < m->time.S; i++)
        weights_of_means(weight[i], predictor, t + m->time.c[i] * dt);
    for (size_t j = 0; j < m->nodes; j++) {
        double mean[MOST][6], D[9];
        means_at(mean, predictor, wy_gauss_node_arc_length(m, j));
        wy_gauss_get(D, k->s.D, m, 9, j);
        for (int i = 0; i < m->time.S; i++) {
            double rate[12] = {0.0}, omega[3] = {0.0};
            for (int n = 0; n < predictor->steps; n++) {
                v3_axpy(rate, rate, weight[i][n], mean[n]);
                v3_axpy(omega, omega, weight[i][n], mean[n] + 3);
            }
            for (int d = 0; d < 3; d++)
                v3_cross(rate + 3 + 3 * d, omega, D + 3 * d);
            wy_gauss_put(k->w.V[i], rate, m, 12, j);
            wy_gauss_put(k->w.w[i], omega, m, 3, j);
        }
    }
}
