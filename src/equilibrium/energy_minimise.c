/* Descent to a minimum of the energy: Newton steps, shortened where the second derivative is not positive,
 *
 *   (H + lambda I) p = -g,                                                                                      (5.28)
 *
 * with the smallest lambda for which the rod's system has a Cholesky factorisation and the energy falls as predicted by
 * the quadratic model. If the gradient vanishes and H has a negative direction, that direction is found by inverse
 * iteration and followed as long as the energy falls, to the side on which it falls further. Of equivalent directions
 * the one along e1 is taken before those along e2 and e3, and of equivalent sides the positive one: a round column
 * buckles towards +e1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "equilibrium/energy_rod.h"
#include "math/largest.h"
#include "math/vec3.h"

typedef struct descent {
    energy_rod *r;
    size_t n;
    double *p, *v, *u, *kept; /* step, direction, another direction, nodes to restore */
    double lambda;
    double slid; /* last distance from a saddle; until H is positive a step below a part of it still leads away */
} descent;

/* Factors H + lambda I; false if it is not positive definite. */
static bool factor_shifted(const descent *w, double lambda) {
    return wy_system_factor(w->r->system, lambda, NULL, NULL) == WY_OK;
}

static void save_descent_nodes(const descent *w) {
    memcpy(w->kept, w->r->x, 3 * w->r->nodes * sizeof(double));
    memcpy(w->kept + 3 * w->r->nodes, w->r->d, 9 * w->r->nodes * sizeof(double));
}

static void restore_descent_nodes(const descent *w) {
    memcpy(w->r->x, w->kept, 3 * w->r->nodes * sizeof(double));
    memcpy(w->r->d, w->kept + 3 * w->r->nodes, 9 * w->r->nodes * sizeof(double));
}

static double dot_product(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The smallest lambda of a geometric sequence for which H + lambda I is positive definite. */
static bool find_positive_shift(descent *w, double least) {
    double lambda = w->lambda;
    if (lambda < least)
        lambda = least;
    for (int i = 0; i < 80; i++) {
        if (factor_shifted(w, lambda)) {
            w->lambda = lambda;
            return true;
        }
        lambda = fmax(3.0 * lambda, 1e-7);
    }
    return false;
}

/* Weight of a node in comparisons of directions: different on both halves, so that no mode is orthogonal to it. */
static double comparison_weight(const descent *w, size_t node) {
    return 0.5 + (double)node / (double)w->r->nodes;
}

/* Start of the inverse iteration: a displacement along e1, e2, e3, or pseudo-random numbers. */
static void start_inverse_iteration(double *u, const descent *w, int start) {
    for (size_t i = 0; i < w->n; i++)
        u[i] = start == 3 ? wy_bvp_probe(i) : i % 6 == (size_t)start ? comparison_weight(w, i / 6) : 0.0;
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < 6; k++)
            if (w->r->fixed[end] >> k & 1U)
                u[(end ? w->n - 6 : 0) + k] = 0.0;
}

/* A direction of negative curvature into w->v; false if there is none. */
static bool negative_direction(descent *w) {
    w->lambda = 0.0;
    if (!find_positive_shift(w, 1e-6))
        return false;
    if (w->lambda <= 1e-6)
        return false;
    double lowest = INFINITY;
    for (int start = 0; start < 4; start++) {
        double curvature = INFINITY;
        start_inverse_iteration(w->u, w, start);
        for (int it = 0; it < 30; it++) {
            const double before = dot_product(w->u, w->u, w->n), size = wy_largest(w->u, w->n);
            if (!(size > 0.0))
                break;
            memcpy(w->kept, w->u, w->n * sizeof *w->u); /* scratch: the nodes are saved again before they move */
            wy_system_solve(w->u, w->r->system);
            curvature = before / dot_product(w->kept, w->u, w->n) - w->lambda; /* of H */
            const double now = wy_largest(w->u, w->n);
            for (size_t i = 0; i < w->n; i++)
                w->u[i] /= now;
        }
        if (curvature < lowest - (start > 0 ? 0.01 * fabs(lowest) : 0.0)) {
            lowest = curvature;
            memcpy(w->v, w->u, w->n * sizeof *w->v);
        }
    }
    save_descent_nodes(w);
    return lowest < 0.0;
}

static double energy_along_direction(const descent *w, double distance) {
    restore_descent_nodes(w);
    const double work = wy_energy_move(w->r, w->v, distance), energy = wy_energy_of(w->r) - work;
    restore_descent_nodes(w);
    return energy;
}

/* Moves along sign * w->v from the saved nodes in growing steps, as long as the energy falls: returns the lowest
 * energy and its distance. The path is straight and stretches the rod by half its square, so just beyond a critical
 * load the energy falls only over a short distance. */
static double descend_along_direction(double *best, const descent *w, double sign, double energy) {
    double distance = 0.02, lowest = energy_along_direction(w, sign * distance);
    while (!(lowest < energy) && distance > 1e-7) {
        distance *= 0.25;
        lowest = energy_along_direction(w, sign * distance);
    }
    *best = lowest < energy ? sign * distance : 0.0;
    for (distance *= 2.0; *best != 0.0 && distance < 0.7; distance *= 2.0) {
        const double here = energy_along_direction(w, sign * distance);
        if (!(here < lowest))
            break;
        lowest = here;
        *best = sign * distance;
    }
    return *best != 0.0 ? lowest : energy;
}

/* The side that counts as positive: that of the displacement along e1, else e2, e3, else the rotation about them. */
static double positive_side(const descent *w) {
    double sum[6] = {0}, size = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        sum[i % 6] += comparison_weight(w, i / 6) * w->v[i];
        size += comparison_weight(w, i / 6) * fabs(w->v[i]);
    }
    for (int k = 0; k < 6; k++)
        if (fabs(sum[k]) > 1e-3 * size)
            return sum[k] > 0.0 ? 1.0 : -1.0;
    return 1.0;
}

/* Leaves the saved nodes along w->v; false if the energy falls on neither side. */
static bool leave_saddle(descent *w, double energy) {
    const double side = positive_side(w);
    double distance, other;
    const double one = descend_along_direction(&distance, w, side, energy),
                 two = descend_along_direction(&other, w, -side, energy);
    if (two < one - 1e-6 * fabs(energy - one) - 1e-13 * (fabs(energy) + 1.0))
        distance = other;
    if (distance != 0.0)
        wy_energy_move(w->r, w->v, distance);
    w->slid = fabs(distance);
    return distance != 0.0;
}

static void minimise_by_newton(minimise_result *out, descent *w, double tolerance, int64_t most) {
    energy_rod *r = w->r;
    wy_energy_system_constrain(r->system, r);
    double energy = wy_energy_linearise(r, r->system);
    for (out->iterations = 0; out->iterations < most; out->iterations++) {
        out->gradient = wy_largest(r->g, w->n);
        if (!isfinite(energy) || !find_positive_shift(w, 0.0))
            return;
        for (size_t i = 0; i < w->n; i++)
            w->p[i] = -r->g[i];
        wy_system_solve(w->p, r->system);
        const double length = wy_largest(w->p, w->n), slope = dot_product(r->g, w->p, w->n),
                     curve = -slope - w->lambda * dot_product(w->p, w->p, w->n),
                     cut = length > 0.5 ? 0.5 / length : 1.0;
        out->step = length;
        save_descent_nodes(w);
        if (length < (w->slid > 0.0 && w->lambda > 1e-6 ? fmin(tolerance, 0.05 * w->slid) : tolerance)) {
            if (w->lambda <= 1e-6 || !negative_direction(w)) {
                out->converged = out->stable = true;
                wy_energy_move(r, w->p, 1.0);
                return;
            }
            if (!leave_saddle(w, energy)) {
                out->converged = true;
                return;
            }
            out->descents++;
            w->lambda = 0.0;
            energy = wy_energy_linearise(r, r->system);
            continue;
        }
        const double model = cut * slope + 0.5 * cut * cut * curve;
        const double work = wy_energy_move(r, w->p, cut), change = wy_energy_of(r) - work - energy,
                     noise = 1e-13 * (fabs(energy) + 1.0), ratio = change / model;
        if (!(change < 0.0) && !(fabs(model) < noise && fabs(change) < 10.0 * noise)) {
            restore_descent_nodes(w);
            w->lambda =
                fmax(4.0 * w->lambda, 1e-4 * fmax(1.0, fabs(slope) / fmax(dot_product(w->p, w->p, w->n), 1e-300)));
            if (length < 1e-9 || w->lambda > 1e14) { /* limit of round-off */
                out->converged = out->gradient < 1e300;
                w->lambda = 0.0;
                out->stable = factor_shifted(w, 1e-6 * fmax(1.0, wy_largest(r->g, w->n)));
                return;
            }
            continue;
        }
        if (ratio > 0.7)
            w->lambda = w->lambda < 1e-6 ? 0.0 : 0.2 * w->lambda;
        else if (ratio < 0.2)
            w->lambda = fmax(3.0 * w->lambda, 1e-4);
        energy = wy_energy_linearise(r, r->system);
    }
}

wy_status wy_energy_minimise(minimise_result *result, energy_rod *r, double tolerance, int64_t most, wy_error *err) {
    *result = (minimise_result){0};
    const size_t n = 6 * r->nodes;
    double *memory = wy_memory_take(n * 5, sizeof *memory, err, "the energy of %zu elements", r->elements);
    if (!memory)
        return WY_NO_MEMORY;
    descent w = {.r = r, .n = n, .p = memory};
    w.v = w.p + n;
    w.u = w.v + n;
    w.kept = w.u + n; /* 12 numbers a node */
    minimise_by_newton(result, &w, tolerance, most);
    free(memory);
    return WY_OK;
}
