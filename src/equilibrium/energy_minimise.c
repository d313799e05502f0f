/* Downhill to a minimum of the energy: Newton's steps, shortened where the second derivative is not positive,
 *
 *   (H + lambda I) p = -g,                                                                                                     (5.28)
 *
 * with the smallest lambda for which the rod's system has a Cholesky factorisation and the energy falls as the quadratic model says. Where the gradient
 * vanishes and H still has a negative direction, that direction is found by inverse iteration and followed as long as the energy falls, to the
 * side on which it falls further. Among directions that are alike the one along e1 is taken before those along e2 and e3, and where both
 * sides are alike the positive one: a round column falls towards +e1. */
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
    double *p, *v, *u, *kept; /* step, direction, another, nodes to go back to */
    double lambda;
    double
        slid; /* the last way from a saddle; until H is positive a step that is no small part of it still leads away */
} descent;

/* Factors H + lambda I; false where it is not positive. */
static bool factor(const descent *w, double lambda) {
    return wy_system_factor(w->r->system, lambda, NULL, NULL) == WY_OK;
}

static void keep(const descent *w) {
    memcpy(w->kept, w->r->x, 3 * w->r->nodes * sizeof(double));
    memcpy(w->kept + 3 * w->r->nodes, w->r->d, 9 * w->r->nodes * sizeof(double));
}

static void back(const descent *w) {
    memcpy(w->r->x, w->kept, 3 * w->r->nodes * sizeof(double));
    memcpy(w->r->d, w->kept + 3 * w->r->nodes, 9 * w->r->nodes * sizeof(double));
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The smallest lambda of a geometric row for which H + lambda I is positive. */
static bool shift(descent *w, double least) {
    double lambda = w->lambda;
    if (lambda < least)
        lambda = least;
    for (int i = 0; i < 80; i++) {
        if (factor(w, lambda)) {
            w->lambda = lambda;
            return true;
        }
        lambda = fmax(3.0 * lambda, 1e-7);
    }
    return false;
}

/* How much a node counts where directions are compared: not the same on both halves, so that no mode is orthogonal to it. */
static double share(const descent *w, size_t node) {
    return 0.5 + (double)node / (double)w->r->nodes;
}

/* Where the inverse iteration begins: a displacement along e1, e2, e3, or anything. */
static void begin(double *u, const descent *w, int start) {
    for (size_t i = 0; i < w->n; i++)
        u[i] = start == 3 ? wy_bvp_probe(i) : i % 6 == (size_t)start ? share(w, i / 6) : 0.0;
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < 6; k++)
            if (w->r->fixed[end] >> k & 1U)
                u[(end ? w->n - 6 : 0) + k] = 0.0;
}

/* A direction of negative curvature into w->v; false where there is none worth the name. */
static bool negative_direction(descent *w) {
    w->lambda = 0.0;
    if (!shift(w, 1e-6))
        return false;
    if (w->lambda <= 1e-6)
        return false;
    double lowest = INFINITY;
    for (int start = 0; start < 4; start++) {
        double curvature = INFINITY;
        begin(w->u, w, start);
        for (int it = 0; it < 30; it++) {
            const double before = dot(w->u, w->u, w->n), size = wy_largest(w->u, w->n);
            if (!(size > 0.0))
                break;
            memcpy(w->kept, w->u, w->n * sizeof *w->u); /* the nodes are kept again before they move */
            wy_system_solve(w->u, w->r->system);
            curvature = before / dot(w->kept, w->u, w->n) - w->lambda; /* of H */
            const double now = wy_largest(w->u, w->n);
            for (size_t i = 0; i < w->n; i++)
                w->u[i] /= now;
        }
        if (curvature < lowest - (start > 0 ? 0.01 * fabs(lowest) : 0.0)) {
            lowest = curvature;
            memcpy(w->v, w->u, w->n * sizeof *w->v);
        }
    }
    keep(w);
    return lowest < 0.0;
}

static double energy_at(const descent *w, double way) {
    back(w);
    const double work = wy_energy_move(w->r, w->v, way), energy = wy_energy_of(w->r) - work;
    back(w);
    return energy;
}

/* Along sign * w->v from the kept nodes, further and further, as long as the energy falls: how low it comes, and how far that is. The way is
 * straight and stretches the rod by half its square, so just beyond a critical load the energy falls for a short part of it only. */
static double fall(double *best, const descent *w, double sign, double energy) {
    double way = 0.02, lowest = energy_at(w, sign * way);
    while (!(lowest < energy) && way > 1e-7) {
        way *= 0.25;
        lowest = energy_at(w, sign * way);
    }
    *best = lowest < energy ? sign * way : 0.0;
    for (way *= 2.0; *best != 0.0 && way < 0.7; way *= 2.0) {
        const double here = energy_at(w, sign * way);
        if (!(here < lowest))
            break;
        lowest = here;
        *best = sign * way;
    }
    return *best != 0.0 ? lowest : energy;
}

/* The side that counts as positive: where the displacement points along e1, or else e2, e3, or else the turn about them. */
static double positive_side(const descent *w) {
    double sum[6] = {0}, size = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        sum[i % 6] += share(w, i / 6) * w->v[i];
        size += share(w, i / 6) * fabs(w->v[i]);
    }
    for (int k = 0; k < 6; k++)
        if (fabs(sum[k]) > 1e-3 * size)
            return sum[k] > 0.0 ? 1.0 : -1.0;
    return 1.0;
}

/* Leaves the kept nodes along w->v; false where the energy falls on neither side. */
static bool slide(descent *w, double energy) {
    const double side = positive_side(w);
    double way, other;
    const double one = fall(&way, w, side, energy), two = fall(&other, w, -side, energy);
    if (two < one - 1e-6 * fabs(energy - one) - 1e-13 * (fabs(energy) + 1.0))
        way = other;
    if (way != 0.0)
        wy_energy_move(w->r, w->v, way);
    w->slid = fabs(way);
    return way != 0.0;
}

static void minimise(minimise_result *out, descent *w, double tolerance, int64_t most) {
    energy_rod *r = w->r;
    wy_energy_system_constrain(r->system, r);
    double energy = wy_energy_linearise(r, r->system);
    for (out->iterations = 0; out->iterations < most; out->iterations++) {
        out->gradient = wy_largest(r->g, w->n);
        if (!isfinite(energy) || !shift(w, 0.0))
            return;
        for (size_t i = 0; i < w->n; i++)
            w->p[i] = -r->g[i];
        wy_system_solve(w->p, r->system);
        const double length = wy_largest(w->p, w->n), slope = dot(r->g, w->p, w->n),
                     curve = -slope - w->lambda * dot(w->p, w->p, w->n), cut = length > 0.5 ? 0.5 / length : 1.0;
        out->step = length;
        keep(w);
        if (length < (w->slid > 0.0 && w->lambda > 1e-6 ? fmin(tolerance, 0.05 * w->slid) : tolerance)) {
            if (w->lambda <= 1e-6 || !negative_direction(w)) {
                out->converged = out->stable = true;
                wy_energy_move(r, w->p, 1.0);
                return;
            }
            if (!slide(w, energy)) {
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
            back(w);
            w->lambda = fmax(4.0 * w->lambda, 1e-4 * fmax(1.0, fabs(slope) / fmax(dot(w->p, w->p, w->n), 1e-300)));
            if (length < 1e-9 || w->lambda > 1e14) { /* nothing more can be had in these digits */
                out->converged = out->gradient < 1e300;
                w->lambda = 0.0;
                out->stable = factor(w, 1e-6 * fmax(1.0, wy_largest(r->g, w->n)));
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
    minimise(result, &w, tolerance, most);
    free(memory);
    return WY_OK;
}
